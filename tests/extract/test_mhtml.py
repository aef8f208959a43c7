"""MHTML archives, mails, and pages that browsers saved as one file."""

from __future__ import annotations

import quopri

import pytest

from app.errors import EmptyPageError
from app.extract import extract

HTML = (
    "<html><head><meta charset='utf-8'></head><body><main><h1>Käse</h1>"
    "<p>A <a href='other.html'>link</a> <img src='p.png' alt='pic'></p></main></body></html>"
)


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
    with pytest.raises(EmptyPageError, match="no web page"):
        extract(body, url="file:///x.mht", content_type="multipart/related", charset=None)


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- saved from url=(0033)https://docs.example/guide/x.html -->",
        "<!--\n Page saved with SingleFile \n url: https://docs.example/guide/x.html\n saved date: Sat Feb 03 2024\n-->",
    ],
)
def test_a_saved_page_knows_where_it_came_from(comment: str) -> None:
    body = f"<!DOCTYPE html>\n{comment}\n<html><body><p>a <a href='y.html'>link</a></p></body></html>".encode()
    page = extract(body, url="file:///home/u/x.html", content_type="text/html", charset=None)
    assert [link.url for link in page.links] == ["https://docs.example/guide/y.html"]
    page = extract(body, url="https://evil.example/x.html", content_type="text/html", charset=None)
    assert [link.url for link in page.links] == ["https://evil.example/y.html"]
