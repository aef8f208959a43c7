"""Title, language, canonical address, dates."""

from __future__ import annotations

import pytest

from app.extract import extract
from tests.extract.pages import html_page


def page_with(head: str, *, html: str = "<html>", url: str = "https://h.example/a/b.html"):  # type: ignore[no-untyped-def]
    body = f"<!doctype html>{html}<head>{head}</head><body><main><h1>Heading</h1><p>text</p></main></body></html>"
    return extract(body.encode(), url=url, content_type="text/html", charset="utf-8")


@pytest.mark.parametrize(
    ("head", "title"),
    [
        ("<title> A  title\n here </title>", "A title here"),
        ("<title></title><meta property='og:title' content='From OG'>", "From OG"),
        ("", "Heading"),
        (f"<title>{'long ' * 200}</title>", ("long " * 60).rstrip()),
    ],
)
def test_title(head: str, title: str) -> None:
    assert page_with(head).title == title


def test_a_page_without_a_title_gets_one_from_its_address_or_text() -> None:
    body = b"<body><p>First line of text</p></body>"
    assert (
        extract(body, url="https://h.example/some%20file.html", content_type="text/html", charset=None).title
        == "some file.html"
    )
    assert extract(body, url="https://h.example/", content_type="text/html", charset=None).title == "First line of text"


@pytest.mark.parametrize(
    ("html", "head", "language"),
    [
        ('<html lang="de-CH">', "", "de-CH"),
        ('<html xml:lang="fr">', "", "fr"),
        ("<html>", '<meta http-equiv="content-language" content="pt_BR">', "pt-BR"),
        ('<html lang="">', "", ""),
    ],
)
def test_language(html: str, head: str, language: str) -> None:
    assert page_with(head, html=html).language == language


@pytest.mark.parametrize(
    ("href", "canonical"),
    [
        ("/a/c.html#frag", "https://h.example/a/c.html"),
        ("https://h.example/x", "https://h.example/x"),
        ("https://other.example/x", None),
        ("javascript:void(0)", None),
    ],
)
def test_a_canonical_address_counts_only_on_the_page_own_host(href: str, canonical: str | None) -> None:
    assert page_with(f'<link rel="canonical" href="{href}">').canonical_url == canonical


@pytest.mark.parametrize(
    ("head", "published"),
    [
        ('<meta property="article:published_time" content="2024-03-09T10:00:00+01:00">', "2024-03-09"),
        ('<meta name="date" content="2023/12/31">', "2023-12-31"),
        ('<script type="application/ld+json">{"@type":"Article","datePublished":"2020-02-29"}</script>', "2020-02-29"),
        ('<meta name="date" content="2023-02-30">', None),
        ('<meta name="date" content="yesterday">', None),
        ("", None),
    ],
)
def test_published(head: str, published: str | None) -> None:
    assert page_with(head).published == published


def test_published_from_a_time_element() -> None:
    assert (
        html_page('<main><time itemprop="datePublished" datetime="2022-05-06">May</time> text</main>').published
        == "2022-05-06"
    )
