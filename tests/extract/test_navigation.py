"""Links outside of the content, and what a page asks of robots."""

from __future__ import annotations

import pytest

from app import caps
from app.errors import SkeletonPageError
from tests.extract.pages import html_page, markdown_page

MENU = "<nav><a href='/'>Home</a><a href='one#x'>One</a><a href='one'>One</a><a href='#top'>Top</a></nav>"
CONTENT = "<main><h1>T</h1><p>Text with a <a href='/content#part'>link</a>.</p></main>"


def test_all_other_links_are_navigation() -> None:
    page = html_page(
        f"{MENU}{CONTENT}<footer><a href='mailto:a@b.example'>Mail</a><a href='https://o.example/f'>F</a>"
        "<a href='/spam' rel='external NoFollow'>Spam</a><a href='/content'>Again</a><a href='page.html'>This page</a></footer>"
    )
    assert [link.url for link in page.links] == ["https://docs.example/content#part"]
    assert page.navigation == ("https://docs.example/", "https://docs.example/guide/one", "https://o.example/f")


def test_navigation_is_capped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_NAVIGATION_LINKS", 5)
    menu = "".join(f"<a href='/{number}'>{number}</a>" for number in range(20))
    assert len(html_page(f"<nav>{menu}</nav>{CONTENT}").navigation) == 5


def test_links_beyond_the_cap_of_the_content_are_navigation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_LINKS_PER_PAGE", 3)
    page = html_page("<ul>" + "".join(f"<li><a href='/{number}'>Item {number}</a>" for number in range(8)) + "</ul>")
    assert len(page.links) == 3
    assert len(page.navigation) == 5


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<meta name='robots' content='noindex, nofollow'>", (True, True)),
        ("<meta name='ROBOTS' content='NONE'>", (True, True)),
        ("<meta name='WebRAG' content='noindex'>", (True, False)),
        ("<meta name='robots' content='index'><meta name='robots' content='nofollow'>", (False, True)),
        ("<meta name='googlebot' content='noindex'>", (False, False)),
        ("<meta property='noindex' content='robots'>", (False, False)),
        ("<meta name='robots' content='max-snippet:-1, noimageindex'>", (False, False)),
    ],
)
def test_robots_declarations(head: str, expected: tuple[bool, bool]) -> None:
    page = html_page(CONTENT, head=head)
    assert (page.noindex, page.nofollow) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<link rel='alternate' type='text/markdown' href='page.md#x'>", "https://docs.example/guide/page.md"),
        ("<link rel='alternate' type='Text/Markdown; charset=utf-8' href='/page.md'>", "https://docs.example/page.md"),
        ("<link rel='alternate' type='application/rss+xml' href='/feed'>", None),
        ("<link rel='alternate' type='text/markdown' href='https://other.example/page.md'>", None),
    ],
)
def test_a_markdown_version_is_found(link: str, expected: str | None) -> None:
    assert html_page(CONTENT, head=link).markdown_url == expected


def test_a_skeleton_names_its_markdown_version() -> None:
    head = "<link rel='alternate' type='text/markdown' href='page.md'><script src='/app.js'></script>"
    with pytest.raises(SkeletonPageError) as caught:
        html_page("<div id='root'></div>", head=head)
    assert caught.value.markdown_url == "https://docs.example/guide/page.md"
    assert caught.value.markdown_url in caught.value.hint


def test_markdown_has_no_navigation() -> None:
    assert markdown_page("# T\n\n[a](b.md)").navigation == ()
