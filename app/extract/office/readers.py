"""Choose the reader for an archive by its parts, because servers and mail programs often give the wrong type."""

from __future__ import annotations

from typing import Final

from app.errors import UnsupportedContentError
from app.extract.office.book import CONTAINER, extract_book
from app.extract.office.opendocument import extract_opendocument, is_opendocument
from app.extract.office.package import Package, protected
from app.extract.office.slides import extract_slides
from app.extract.office.word import extract_word
from app.extract.office.workbook import extract_workbook
from app.extract.page import Page
from app.text.sentence import sentence

_OLE: Final = b"\xd0\xcf\x11\xe0"
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")


def extract_office(body: bytes, *, url: str) -> Page:
    """Return the page of an Office file or e-book. Raises UnsupportedContentError, ContentProtectedError and EmptyPageError."""
    if body.startswith(_OLE):
        if _ENCRYPTED in body:
            raise protected(url)
        hint = "Save it in a current format, such as .docx or .pptx, and add that file."
        raise UnsupportedContentError(sentence("{} has the format of an old Office program.", url), url=url, hint=hint)
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
    if main.startswith("xl/") or "xl/workbook.xml" in package:
        return extract_workbook(package)
    raise UnsupportedContentError(
        sentence("{} is an archive or office file, which cannot be read as text.", url), url=url
    )
