"""Bodies whose media type is wrong are read as what they are."""

from __future__ import annotations

import pytest

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract import Page, extract

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


def test_a_style_sheet_is_refused_whatever_it_begins_with() -> None:
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
def test_an_archive_without_a_page_says_so(parts: bytes) -> None:
    with pytest.raises(EmptyPageError, match="holds no web page") as caught:
        read(HEADERS + parts, "multipart/related")
    assert "Save the page again" in caught.value.hint


def test_many_comments_before_text_take_no_time() -> None:
    assert read(b"<!-- a -->" * 400 + b"hello", "text/plain").text.endswith("hello")
