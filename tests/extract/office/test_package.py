"""Archives that are damaged, protected, too large, or of another kind."""

from __future__ import annotations

import io
import time
import zipfile

import pytest

from app.errors import ContentProtectedError, EmptyPageError, UnsupportedContentError, WebRAGError
from app.extract.office import package
from app.ingest.preparation import is_apart
from app.ingest.prepared import Body
from tests.extract.office.files import (
    URL,
    WORD,
    book,
    compound,
    opendocument,
    packed,
    paragraph,
    presentation,
    read,
    shape,
    word,
)

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("body", "kind", "words"),
    [
        (OLE + b"\0" * 600, UnsupportedContentError, "old Office format"),
        (compound("EncryptedPackage", b"x"), ContentProtectedError, "protected with a password"),
        (compound("ENCRYPTEDPACKAGE", b"x"), ContentProtectedError, "protected with a password"),
        (word(paragraph("x"))[:200], UnsupportedContentError, "damaged"),
        (packed({}), UnsupportedContentError, "does not contain files"),
        (packed({"a.png": "text"}), UnsupportedContentError, "does not contain files"),
        (packed({"xl/workbook.xml": "<workbook/>"}), EmptyPageError, "no readable text"),
        (word(""), EmptyPageError, "no readable text"),
        (word("", {"word/document.xml": "<other/>"}), UnsupportedContentError, "damaged"),
        (word("", {"word/document.xml": ""}), UnsupportedContentError, "damaged"),
        (word("", {"word/document.xml": LAUGHS + "<x>&b;</x>"}), UnsupportedContentError, "damaged"),
        (book({}), EmptyPageError, "no readable text"),
        (book({}, {"META-INF/container.xml": "<container/>"}), UnsupportedContentError, "damaged"),
        (presentation(), EmptyPageError, "no readable text"),
    ],
)
def test_each_rejection_has_a_reason_and_a_hint(body: bytes, kind: type[WebRAGError], words: str) -> None:
    with pytest.raises(kind, match=words) as error:
        read(body)
    assert error.value.hint


@pytest.mark.parametrize("part", ["word/document.xml", "word/styles.xml"])
def test_bombs_are_rejected_before_they_use_memory(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_PART_BYTES", 1_000_000)
    body = word(paragraph("x"), {part: b"<a>" + b" " * 2_000_000}, s="styles styles.xml")
    with pytest.raises(UnsupportedContentError, match="too large to read"):
        read(body)


def test_an_archive_with_too_many_elements_is_rejected() -> None:
    start = time.process_time()
    with pytest.raises(UnsupportedContentError, match="too large to read"):
        read(word("<w:p/>" * (package.MAX_TAGS + 1)))
    assert time.process_time() - start < 5


def test_unused_parts_are_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package, "MAX_READ_BYTES", 100_000)
    assert read(word(paragraph("Text."), {"word/media/image1.png": b"\0" * 1_000_000})).text == "Text."


@pytest.mark.parametrize(
    "nested",
    [
        "<w:tbl><w:tr><w:tc>" * 300 + paragraph("deep") + "</w:tc></w:tr></w:tbl>" * 300,
        "<w:sdt><w:sdtContent>" * 120 + paragraph("deep") + "</w:sdtContent></w:sdt>" * 120,
        f"<w:p>{'<w:ins>' * 240}<w:r><w:t>deep</w:t></w:r>{'</w:ins>' * 240}</w:p>",
    ],
)
def test_deep_nesting_neither_crashes_nor_takes_long(nested: str) -> None:
    start = time.process_time()
    assert "Text." in read(word(paragraph("Text.") + nested)).text
    assert time.process_time() - start < 5


def test_many_slides_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.extract.office.slides.MAX_SLIDES", 2)
    page = read(presentation(*[shape("title", "T")] * 3))
    assert len(page.sections) == 2
    assert page.note == "Only the first 2 of 3 slides were read."


def test_names_that_lead_out_of_the_archive_are_only_names() -> None:
    assert (
        read(word(paragraph("Text."), {"../../evil": "x", "word/../../x.xml": f'<x xmlns="{WORD}"/>'})).text == "Text."
    )


@pytest.mark.parametrize("name", ["word\\document.xml", "/word/document.xml", "Word/Document.xml"])
def test_names_of_parts_may_be_written_in_other_ways(name: str) -> None:
    body = packed({name: f'<w:document xmlns:w="{WORD}"><w:body>{paragraph("Text.")}</w:body></w:document>'})
    assert read(body).text == "Text."


@pytest.mark.parametrize("start", [b"PK\x03\x04", OLE])
def test_archives_of_any_type_are_read_in_the_separate_process(start: bytes) -> None:
    assert is_apart(Body(start + b"x", URL, "text/plain"))


def test_surrogates_in_damaged_xml_are_left_out() -> None:
    page = read(word("<w:p><w:r><w:t>Readable&#xD800;&#56000; words</w:t></w:r></w:p>"))
    assert page.text == "Readable words"


@pytest.mark.parametrize(
    "declared",
    [
        '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">',
        '<!DOCTYPE x SYSTEM "https://a.example/x.dtd">',
        "<!DOCTYPE x>",
    ],
)
def test_a_part_may_name_its_document_type(declared: str) -> None:
    manifest = f'<?xml version="1.0"?>\n{declared}\n<m:manifest xmlns:m="urn:m"/>'
    body = opendocument("<text:p>Old file.</text:p>", parts={"META-INF/manifest.xml": manifest})
    assert read(body).text == "Old file."


@pytest.mark.parametrize(
    "declared", [LAUGHS, '<!DOCTYPE x SYSTEM "a>b" [<!ENTITY a "ha">]>', f"<!DOCTYPE {'x' * 2_000}>"]
)
def test_a_part_that_declares_entities_is_rejected(declared: str) -> None:
    with pytest.raises(UnsupportedContentError, match="damaged"):
        read(word("", {"word/document.xml": f"{declared}<x/>"}))


def test_many_document_types_take_linear_time() -> None:
    start = time.process_time()
    with pytest.raises(UnsupportedContentError, match="damaged"):
        read(word("", {"word/document.xml": "<!DOCTYPE " * 100_000}))
    assert time.process_time() - start < 2


def test_names_with_backslashes_are_read() -> None:
    parts = zipfile.ZipFile(io.BytesIO(word(paragraph("Text.") + paragraph("More."))))
    named = {name.replace("/", "\\").upper(): parts.read(name) for name in parts.namelist()}
    assert read(packed(named)).text == "Text.\n\nMore."
