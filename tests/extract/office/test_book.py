"""E-books: order, titles, anchors, copy protection."""

from __future__ import annotations

import io
import zipfile

import pytest

from app.errors import ContentProtectedError
from tests.extract.office.files import book, packed, read
from tests.extract.pages import check_offsets

NAV = '<nav><ol><li><a href="b.xhtml">Second chapter</a></li></ol></nav>'


def test_chapters_are_in_order_with_the_paths_as_places() -> None:
    page = read(book({"a.xhtml": "<h1 id='one'>First</h1><p>Text.</p>", "sub/c.xhtml": "<h2>Third</h2><p>More.</p>"}))
    check_offsets(page)
    assert page.text == "# First\n\nText.\n\n## Third\n\nMore."
    assert [section.anchor for section in page.sections] == ["OPS/a.xhtml#one", "OPS/sub/c.xhtml"]
    assert (page.title, page.language, page.published) == ("The Book", "en", "2020-05-06")


def test_the_table_of_contents_names_chapters_without_headings() -> None:
    opf = (
        '<package><metadata><title>B</title></metadata><manifest><item id="n" href="nav.xhtml" properties="nav"'
        ' media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="n"/><itemref idref="b"/></spine></package>'
    )
    page = read(
        book({"b.xhtml": "<p>Text.</p>"}, {"OPS/book.opf": opf, "OPS/nav.xhtml": f"<html><body>{NAV}</body></html>"})
    )
    assert page.text == "# Second chapter\n\nText."


def test_links_between_chapters_stay_in_the_book() -> None:
    page = read(book({"a.xhtml": "<h1>A</h1><p><a href='b.xhtml#x'>next</a> <a href='https://w.example/'>web</a></p>"}))
    assert [link.url for link in page.links] == ["file:///files/made#OPS/b.xhtml", "https://w.example/"]


def test_missing_chapters_are_counted() -> None:
    opf = (
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        '<item id="b" href="gone.xhtml" media-type="application/xhtml+xml"/></manifest>'
        '<spine><itemref idref="a"/><itemref idref="b"/></spine></package>'
    )
    page = read(book({"a.xhtml": "<p>Text.</p>"}, {"OPS/book.opf": opf}))
    assert page.note == "Chapters missing from the file: 1."


def test_copy_protection_is_an_error_but_obfuscated_fonts_are_not() -> None:
    method = '<encryption><EncryptedData><EncryptionMethod Algorithm="{}"/></EncryptedData></encryption>'
    chapters = {"a.xhtml": "<p>Text.</p>"}
    drm = method.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc")
    with pytest.raises(ContentProtectedError, match="copy-protected"):
        read(book(chapters, {"META-INF/encryption.xml": drm}))
    fonts = method.format("http://www.idpf.org/2008/embedding")
    assert read(book(chapters, {"META-INF/encryption.xml": fonts})).text == "Text."


def test_a_repeated_chapter_is_read_once() -> None:
    chapters = book({"a.xhtml": "<p>Text</p>"})
    with zipfile.ZipFile(io.BytesIO(chapters)) as archive:
        parts: dict[str, bytes] = {name: archive.read(name) for name in archive.namelist()}
    parts["OPS/book.opf"] = parts["OPS/book.opf"].replace(b'<itemref idref="c0"/>', b'<itemref idref="c0"/>' * 1_000)
    assert read(packed(parts)).text == "Text"
