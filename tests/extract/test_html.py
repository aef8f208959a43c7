"""HTML documents: tab controls, links outside the content, pages in MIME messages."""

from __future__ import annotations

import quopri

import pytest

from app import caps
from app.errors import EmptyPageError, SkeletonPageError
from app.extract import extract
from tests.extract.pages import html_page, markdown_page, text_of

MENU = "<nav><a href='/'>Home</a><a href='one#x'>One</a><a href='one'>One</a><a href='#top'>Top</a></nav>"
CONTENT = "<main><h1>T</h1><p>Text with a <a href='/content#part'>link</a>.</p></main>"
HTML = (
    "<html><head><meta charset='utf-8'></head><body><main><h1>Käse</h1>"
    "<p>A <a href='other.html'>link</a> <img src='p.png' alt='pic'></p></main></body></html>"
)


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


def archive(*, encoding: str = "quoted-printable", charset: str = "") -> bytes:
    data = HTML.encode(charset or "utf-8")
    body = quopri.encodestring(data) if encoding == "quoted-printable" else data
    kind = f"text/html; charset={charset}" if charset else "text/html"
    return (
        b"From: <Saved by Blink>\r\nSnapshot-Content-Location: https://docs.example/guide/\r\n"
        b"Subject: =?utf-8?Q?Saved_K=C3=A4se?=\r\nMIME-Version: 1.0\r\n"
        b'Content-Type: multipart/related; type="text/html"; boundary="B"\r\n\r\n\r\n--B\r\n'
        b"Content-Type: text/css\r\n\r\nbody {}\r\n--B\r\n"
        + f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n".encode()
        + b"Content-Location: https://docs.example/guide/page.html\r\n\r\n"
        + body
        + b"\r\n--B--\r\n"
    )


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (archive(), "multipart/related"),
        (archive(), "message/rfc822"),
        (archive(), ""),
        (archive(encoding="8bit", charset="iso-8859-1"), "application/x-mimearchive"),
    ],
)
def test_an_archive_is_read_as_the_page_that_it_holds(body: bytes, kind: str) -> None:
    page = extract(body, url="file:///home/u/page.mhtml", content_type=kind, charset=None)
    assert (page.url, page.title, page.text) == ("file:///home/u/page.mhtml", "Saved Käse", "# Käse\n\nA link")
    assert [link.url for link in page.links] == ["https://docs.example/guide/other.html"]
    assert [image.url for image in page.images] == ["https://docs.example/guide/p.png"]


def test_a_mail_is_its_text() -> None:
    body = b"Subject: Bread\nFrom: a@b.example\nContent-Type: text/plain; charset=utf-8\n\nBake it.\n"
    page = extract(body, url="file:///m.eml", content_type="message/rfc822", charset=None)
    assert (page.title, page.text) == ("Bread", "Bake it.")


@pytest.mark.parametrize(
    "body", [b"no mail", b"Content-Type: multipart/related; boundary=x\n\n--x\nContent-Type: image/png\n\nAA\n--x--"]
)
def test_without_a_page_it_is_an_error(body: bytes) -> None:
    if body == b"no mail":
        assert extract(body, url="file:///x.mht", content_type="", charset=None).text == "no mail"
        return
    with pytest.raises(EmptyPageError, match="does not contain a web page"):
        extract(body, url="file:///x.mht", content_type="multipart/related", charset=None)


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- saved from url=(0033)https://docs.example/guide/x.html -->",
        "<!--\n Page saved with SingleFile \n url: https://docs.example/guide/x.html\n saved date: Sat Feb 03 2024\n-->",
    ],
)
def test_a_saved_page_keeps_its_original_address(comment: str) -> None:
    body = f"<!DOCTYPE html>\n{comment}\n<html><body><p>a <a href='y.html'>link</a></p></body></html>".encode()
    page = extract(body, url="file:///home/u/x.html", content_type="text/html", charset=None)
    assert [link.url for link in page.links] == ["https://docs.example/guide/y.html"]
    page = extract(body, url="https://evil.example/x.html", content_type="text/html", charset=None)
    assert [link.url for link in page.links] == ["https://evil.example/y.html"]


def test_a_shadow_root_in_the_markup_is_read() -> None:
    shadow = "<main><x-note><template shadowrootmode=open><p>Inside.<slot></slot></template>Light.</x-note></main>"
    assert text_of(shadow) == "Inside.\n\nLight."
    assert text_of("<main><template><p>Unused.</p></template>Text.</main>") == "Text."


@pytest.mark.parametrize(
    ("ruby", "expected"),
    [
        ("<ruby>東<rt>とう</rt>京<rt>きょう</rt></ruby>に", "東京(とうきょう)に"),
        ("<ruby>漢字<rp>（</rp><rt>かんじ</rt><rp>）</rp></ruby>です", "漢字(かんじ)です"),
        ("<ruby>base<rt></rt></ruby>.", "base."),
    ],
)
def test_readings_follow_the_whole_word(ruby: str, expected: str) -> None:
    assert text_of(f"<main><p>{ruby}</p></main>") == expected


def test_tabs_are_joined_with_their_panels_by_id() -> None:
    text = text_of(
        "<main><ul role=tablist><li><button role=tab aria-controls=two>Two</button><li><button role=tab aria-controls=one>One</button></ul>"
        "<div><div role=tabpanel id=one>first</div><div role=tabpanel id=two hidden>second</div></div></main>"
    )
    assert text == "**One**\n\nfirst\n\n**Two**\n\nsecond"


def test_nested_tabs_belong_to_their_own_control() -> None:
    inner = (
        "<div class=tabbed-set><div class=tabbed-labels><label>c</label><label>d</label></div>"
        "<div class=tabbed-content><div class=tabbed-block>C</div><div class=tabbed-block>D</div></div></div>"
    )
    text = text_of(
        "<main><div class=tabbed-set><div class=tabbed-labels><label>a</label><label>b</label></div>"
        f"<div class=tabbed-content><div class=tabbed-block>{inner}</div><div class=tabbed-block>B</div></div></div></main>"
    )
    assert text == "**a**\n\n**c**\n\nC\n\n**d**\n\nD\n\n**b**\n\nB"


def test_tabs_that_share_a_panel_only_filter_it() -> None:
    text = text_of(
        "<main><h2>Methods</h2><div><div role=tablist><button role=tab aria-controls=p>All</button>"
        "<button role=tab aria-controls=p>Static</button></div><div role=tabpanel id=p>run()</div></div></main>"
    )
    assert text == "## Methods\n\nrun()"


def test_labels_without_panels_stay_text() -> None:
    text = text_of(
        "<main><div class=tabs-container><div role=tab>a</div><div role=tab>b</div><div role=tabpanel>A</div></div></main>"
    )
    assert text == "a\n\nb\n\nA"


@pytest.mark.parametrize("subject", [b"=?none?Q?=FF?=", b"=?\xff?B?/////?=", b"=?utf-8?B?A?="])
def test_a_subject_without_a_charset_is_not_a_title(subject: bytes) -> None:
    body = archive().replace(b"=?utf-8?Q?Saved_K=C3=A4se?=", subject)
    assert "Käse" in extract(body, url="file:///page.mhtml", content_type="multipart/related", charset=None).text


def test_a_frameset_with_codes_in_its_text_is_read() -> None:
    text = "&#1;" + "Words for browsers without frames. " * 40
    body = f"<html><frameset><frame src=a><noframes>{text}</noframes></frameset></html>".encode()
    assert "without frames" in extract(body, url="https://h.example/", content_type="text/html", charset=None).text
