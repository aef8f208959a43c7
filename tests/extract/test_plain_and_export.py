"""Plain text, and the full Markdown with link targets."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError
from app.extract import Page, extract, page_markdown
from app.extract.page import Link
from tests.extract.pages import check_offsets, html_page


def plain(body: bytes, *, url: str = "https://h.example/notes.txt") -> Page:
    return extract(body, url=url, content_type="text/plain", charset=None)


def test_plain_text_keeps_its_lines() -> None:
    page = plain(
        "Title\r\n\r\n  indented  \r\n\r\n\r\n\r\n\r\nsee https://a.example/x, (http://b.example/y).\u200b\n".encode()
    )
    assert page.text == "Title\n\n  indented\n\n\nsee https://a.example/x, (http://b.example/y)."
    assert [link.url for link in page.links] == ["https://a.example/x", "http://b.example/y"]
    assert page.title == "notes.txt"
    check_offsets(page)
    assert plain(b"First\nline", url="https://h.example/").title == "First"


def test_blank_plain_text_is_empty() -> None:
    with pytest.raises(EmptyPageError):
        plain(b"\n \n\x00\n")


def test_export_restores_links_outside_of_code() -> None:
    page = html_page(
        "<main><h2>About <a href='/a'>__init__</a></h2><p>See <a href='/b'>b [1]</a> and <a href='/c(d)'>c</a>.</p>"
        "<pre>x = <a href='/e'>e</a></pre><p><code>f(<a href='/g'>g</a>)</code></p>"
        "<table><tr><th>A<th>B<tr><td><a href='/t'>t</a><td>u</table></main>"
    )
    assert page_markdown(page) == (
        "## About \\_\\_init\\_\\_\n\nSee [b \\[1\\]](https://docs.example/b) and [c](<https://docs.example/c(d)>).\n\n"
        "```\nx = e\n```\n\n`f(g)`\n\n| A   | B   |\n|-----|-----|\n| [t](https://docs.example/t)   | u   |"
    )


def test_export_of_nested_links_uses_the_outer_one() -> None:
    page = Page("u", "t", "abc", links=(Link("http://x/", "abc", 0, 3), Link("http://y/", "b", 1, 2)))
    assert page_markdown(page) == "[abc](http://x/)"
