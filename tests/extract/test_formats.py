"""The reader for each body, plain text, and pages as full Markdown."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract, page_markdown
from app.extract.page import Link
from tests.extract.pages import check_offsets, html_page

URL = "https://docs.example/harbour"
MARKUP = b"<!-- saved --><!doctype html><html><head><title>Harbour</title></head><body><h1>Tide</h1><p>It rises.</p></body></html>"
HEADERS = b"MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"


def read(body: bytes, content_type: str) -> Page:
    return extract(body, url=URL, content_type=content_type, charset=None)


@pytest.mark.parametrize(
    "content_type", ["multipart/related", "message/rfc822", "text/x-rst", "text/x-rst; charset=utf-8"]
)
def test_html_under_the_type_of_its_source_or_of_an_archive_is_read_as_html(content_type: str) -> None:
    page = read(MARKUP, content_type)
    assert page.title == "Harbour"
    assert page.text == "# Tide\n\nIt rises."


def test_source_text_under_its_own_type_stays_as_it_is() -> None:
    assert "<html>" in read(b"Tags\n====\n\nWrite ``<html>`` first.", "text/x-rst").text


def test_a_style_sheet_is_always_rejected() -> None:
    with pytest.raises(UnsupportedContentError):
        read(MARKUP, "text/css")


@pytest.mark.parametrize(
    "parts",
    [
        b"",
        b"--b\r\nContent-Type: image/png\r\n\r\nxx\r\n--b--\r\n",
        b"--b\r\nContent-Type: text/html\r\n\r\n\r\n--b--\r\n",
    ],
)
def test_an_archive_without_a_page_is_reported(parts: bytes) -> None:
    with pytest.raises(EmptyPageError, match="does not contain a web page") as caught:
        read(HEADERS + parts, "multipart/related")
    assert "Save the page again" in caught.value.hint


def test_an_archive_with_parameters_that_python_cannot_sort_is_read() -> None:
    body = b"Content-Type: text/html; charset=latin-1; a*1=b; a*=c\nSubject: 2*3=6\n\n<p>The caf\xe9 opens at nine.</p>"
    page = extract(body, url="https://docs.example/a.mht", content_type="multipart/related", charset=None)
    assert (page.title, page.text.strip()) == ("2*3=6", "The caf\u00e9 opens at nine.")


def test_many_comments_before_text_take_no_time() -> None:
    assert read(b"<!-- a -->" * 400 + b"hello", "text/plain").text.endswith("hello")


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


def test_page_breaks_and_rare_line_ends_separate_words() -> None:
    page = extract("a\fb\vc\x85d\u2028e\rf".encode(), url="file:///a.txt", content_type="text/plain", charset=None)
    assert page.text == "a\nb\nc\nd\ne\nf"


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
