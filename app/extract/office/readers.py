"""Choose the reader for an archive by its parts, because servers and mail programs often give the wrong type.

A ZIP archive is read as a folder: each supported file in it is a section with the anchor `path=NAME`. Nothing is written to disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from app.containment import is_skipped
from app.errors import UnsupportedContentError
from app.extract.addresses import file_name
from app.extract.members import INNER_MARK, Member, read_member, with_members
from app.extract.office.book import CONTAINER, extract_book
from app.extract.office.opendocument import extract_opendocument, is_opendocument
from app.extract.office.package import Package, protected
from app.extract.office.slides import extract_slides
from app.extract.office.word import extract_word
from app.extract.office.workbook import extract_workbook
from app.extract.page import Page
from app.text.media_types import kind_of, left_out, suffix_of
from app.text.sentence import joined, sentence

_OLE: Final = b"\xd0\xcf\x11\xe0"
_STREAMS: Final = (
    "EncryptedPackage", "Workbook", "Book", "WordDocument", "PowerPoint Document", "__properties_version1.0",
)  # fmt: skip
_ENTRY_BYTES: Final = 128  # The size of an entry in the directory of an OLE container.


def extract_office(body: bytes, *, url: str) -> Page:
    """Return the page of an Office file or e-book. Raises UnsupportedContentError, ContentProtectedError and EmptyPageError."""
    if body.startswith(_OLE):
        return _extract_compound(body, url)
    package = Package(body, url)
    if CONTAINER in package:
        return extract_book(package)
    if is_opendocument(package):
        return extract_opendocument(package)
    main = package.main_part("")
    if main.startswith("word/") or "word/document.xml" in package:
        return extract_word(package)
    if main.startswith("ppt/") or "ppt/presentation.xml" in package:
        return extract_slides(package)
    if "xl/workbook.bin" in package:
        from app.extract.office.binary_workbook import extract_binary_workbook

        return extract_binary_workbook(body, url, package)
    if main.startswith("xl/") or "xl/workbook.xml" in package:
        return extract_workbook(package)
    return extract_zip(package)


def _extract_compound(body: bytes, url: str) -> Page:
    """Return the page of a workbook in the old container format. The error for other formats says how to convert the file."""
    kind = _main_stream(body)
    if kind == "EncryptedPackage":
        raise protected(url)
    if kind in ("Workbook", "Book"):
        from app.extract.office.binary_workbook import extract_binary_workbook

        return extract_binary_workbook(body, url)
    if kind == "WordDocument":
        message = sentence("{} has the old Word format (.doc).", url)
        hint = "Open it in Word or LibreOffice, save it as .docx and add that file."
    elif kind == "PowerPoint Document":
        message = sentence("{} has the old PowerPoint format (.ppt).", url)
        hint = "Open it in PowerPoint or LibreOffice, save it as .pptx and add that file."
    elif kind == "__properties_version1.0":
        message = sentence("{} is an Outlook message (.msg).", url)
        hint = "Save it as .eml in your mail program and add that file."
    else:
        message = sentence("{} has an old Office format.", url)
        hint = "Save it in a current format, such as .docx or .pptx, then add that file."
    raise UnsupportedContentError(message, url=url, hint=hint)


def _main_stream(body: bytes) -> str:
    """Return the known stream that is first in the directory of the container; embedded objects follow the document."""
    found = {}
    for name in _STREAMS:
        for written in (name, name.upper()):  # Report generators write capital letters.
            entry = f"{written}\0".encode("utf-16-le")
            at = body.find(entry)
            while at >= 0 and at % _ENTRY_BYTES:
                at = body.find(entry, at + 1)
            if at >= 0:
                found[at] = name
    return found[min(found)] if found else ""


MAX_MEMBERS: Final = 2_000


def extract_zip(package: Package) -> Page:
    """Return the page of an archive. Raises UnsupportedContentError and ContentProtectedError."""
    others: Counter[str] = Counter()
    members = _members(package, others)
    page, unread = with_members(Page(package.url, file_name(package.url), ""), members, level=1)
    if not page.text and package.is_protected:
        raise protected(package.url)
    if not page.text:
        message = sentence("{} does not contain files that WebRAG can read.", package.url)
        raise UnsupportedContentError(message, url=package.url)
    notes = [page.note, *([left_out(others)] if others else [])]
    if unread:
        notes.append(sentence("Skipped damaged, empty or too large files in the archive: {}.", f"{unread:,}"))
    return replace(page, note=joined(notes))


def _members(package: Package, others: Counter[str]) -> Iterator[Member | None]:
    """Yield each supported file in the order of their names, and count the others by suffix."""
    is_inner = INNER_MARK in package.url
    entries = sorted(package.entries(), key=lambda entry: entry.filename)
    shown = (
        entry
        for entry in entries
        if not entry.is_dir()
        and not any(part != ".." and (part == "__MACOSX" or is_skipped(part)) for part in entry.filename.split("/"))
    )
    for number, entry in enumerate(shown, 1):
        name = entry.filename
        path = PurePosixPath(name)
        kind = kind_of(path)
        if kind is None or (is_inner and suffix_of(path) == ".zip"):
            others[suffix_of(path)] += 1
            continue
        page = None
        if number <= MAX_MEMBERS and ".." not in path.parts:
            url = f"{package.url}{INNER_MARK}{quote(name)}"
            page = read_member(partial(package.read, entry), url=url, content_type=kind.types[0])
        yield Member(name, f"path={quote(name)}", page) if page is not None else None
