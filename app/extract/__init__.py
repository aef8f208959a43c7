"""Turn a fetched body into a Page: clean Markdown text with sections, links and images.

The content type, the name and, if these are inconclusive, the first bytes select the reader.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final
from urllib.parse import urlsplit

from app.errors import DamagedFileError, EmptyPageError, UnsupportedContentError
from app.extract.page import Image, Link, Page, Section, page_markdown
from app.text import media_types as kinds
from app.text.sentence import sentence

__all__ = ["Image", "Link", "Page", "Section", "extract", "page_markdown"]

_UNKNOWN_TYPES: Final = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/force-download", "unknown/unknown"}
)
_XML_TYPES: Final = frozenset({"text/xml", "application/xml"})
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_OLE: Final = b"\xd0\xcf\x11\xe0"
_START_BYTES: Final = 4096
_HTML_TAGS: Final = ("<html", "<table", "<div", "<p>")
_SHEET_XML: Final = "urn:schemas-microsoft-com:office:spreadsheet"
_BEFORE_ROOT: Final = rb"(?is)\A\s*+(?:\xef\xbb\xbf\s*+)?+(?:<\?[^>]*+>\s*+)*+(?:(?><!--.*?-->)\s*+)*+<"
_HTML_START: Final = re.compile(_BEFORE_ROOT + rb"(?:!doctype\s+html|html|head|body)\b")
_FEED_START: Final = re.compile(_BEFORE_ROOT + rb"(?:rss|feed|rdf:rdf|urlset|sitemapindex)\b")
_XML_START: Final = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*<(?:\?xml|rss|feed|rdf:rdf|urlset|sitemapindex)\b", re.IGNORECASE
)
_KINDS: Final = (
    (b"\x89PNG", sentence("an image")), (b"\xff\xd8\xff", sentence("an image")), (b"GIF8", sentence("an image")),
    (b"RIFF", sentence("a media file")), (b"\x1f\x8b", sentence("a compressed file")),
)  # fmt: skip


_READERS: Final[Mapping[kinds.FileKind, tuple[str, str]]] = {
    kinds.NOTEBOOK: ("notebook", "extract_notebook"),
    kinds.MAILBOX: ("messages", "extract_mailbox"),
    kinds.DELIMITED: ("sheet_text", "extract_delimited"),
    kinds.RESTRUCTURED: ("restructured", "extract_restructured"),
    kinds.SOURCE: ("source", "extract_source"),
    kinds.SETTINGS: ("source", "extract_source"),
    kinds.SUBTITLES: ("subtitles", "extract_subtitles"),
    kinds.ASCIIDOC: ("asciidoc", "extract_asciidoc"),
    kinds.LATEX: ("latex", "extract_latex"),
    kinds.TEXINFO: ("texinfo", "extract_texinfo"),
    kinds.MANUAL: ("manual", "extract_manual"),
    kinds.BOOK_MARKUP: ("book_markup", "extract_book_markup"),
    kinds.RICH_TEXT: ("rich_text", "extract_rich_text"),
}
"""Module and function of the readers that no signature selects. They are imported when needed."""


def extract(body: bytes, *, url: str, content_type: str, charset: str | None) -> Page:
    """Extract the readable content of a body (a file of a kind in `media_types`) found at `url`.

    `content_type` may be empty and have parameters, `charset` comes from the server. Raises UnsupportedContentError (images, binary data,
    damaged files, sitemaps), EmptyPageError (no text, or SkeletonPageError if scripts create it) and ContentProtectedError (a sign-in
    wall, a password).
    """
    kind = content_type.partition(";")[0].strip().lower()
    for magic, name in _KINDS:
        if body.startswith(magic):
            raise UnsupportedContentError(sentence("{} is {}, which cannot be read as text.", url, name), url=url)
    if not body.strip():
        hint = "Check that the address opens in a browser, or that the file is not empty."
        raise EmptyPageError(sentence("{} is empty.", url), url=url, hint=hint)
    if body.startswith((*_ZIP, _OLE)):
        from app.extract.office.readers import extract_office

        return extract_office(body, url=url)
    if body.startswith(b"%PDF-") or kind == "application/pdf":
        from app.extract.pdf.document import extract_pdf

        return extract_pdf(body, url=url)
    office = next((each for each in kinds.OFFICE if kind in each.types or _has_name(kind, url, each)), None)
    if office is not None:
        return _extract_named_office(body, url, charset, office)
    if _is_archive(body, url, kind):
        from app.extract.messages import extract_archive

        return extract_archive(body, url=url)
    return _extract_text(body, url, kind, charset)


def _has_name(kind: str, url: str, file_kind: kinds.FileKind) -> bool:
    return _is_untold(kind) and _path(url).endswith(file_kind.suffixes)


def _extract_named_office(body: bytes, url: str, charset: str | None, office: kinds.FileKind) -> Page:
    """Read what web applications call a.doc or a.xls: web pages, archives of them, RTF, rows of text, XML of Excel 2003.

    Raises DamagedFileError for anything else.
    """
    from app.extract.characters import decode

    head = decode(body[:_START_BYTES], charset).lstrip().lower()  # Some write UTF-16.
    is_sheet = office is kinds.SHEETS
    is_markup = head.startswith("<")
    if is_sheet and is_markup and _SHEET_XML in head:
        from app.extract.office.workbook import extract_sheet_xml

        return extract_sheet_xml(body, url=url)
    if _starts_as_html(body) or (is_markup and any(tag in head for tag in _HTML_TAGS)):
        from app.extract.html import extract_html

        return extract_html(body, url=url, charset=charset)
    if _starts_as_message(body):
        from app.extract.messages import extract_archive

        return extract_archive(body, url=url)
    from app.extract.plain import extract_plain, looks_binary

    if body.startswith(kinds.RTF_START):
        return _extract_text(body, url, "", charset)
    if is_sheet and not looks_binary(body):
        from app.extract.sheet_text import extract_delimited

        return extract_delimited(body, url=url, charset=charset)
    if office is kinds.OLD_OFFICE and not (looks_binary(body) or head.startswith("<?xml")):
        return extract_plain(body, url=url, charset=charset)
    hint = "Open the file in its program and save it, then add it again."
    raise DamagedFileError(sentence("{} is damaged.", url), url=url, hint=hint)


def _extract_text(body: bytes, url: str, kind: str, charset: str | None) -> Page:
    kind = kinds.RICH_TEXT.types[0] if body.startswith(kinds.RTF_START) else kind
    is_text = kind in _UNKNOWN_TYPES or (kind.startswith("text/") and kind not in kinds.NOT_TEXT_TYPES)
    # Servers name generated pages after their sources.
    may_be_html = is_text or _is_untold(kind) or kind in kinds.ARCHIVE_TYPES
    if kind in kinds.HTML.types and _FEED_START.match(body[:_START_BYTES]):
        kind = "text/xml"
    if kind in kinds.HTML.types or (may_be_html and _starts_as_html(body)):
        from app.extract.html import extract_html

        return extract_html(body, url=url, charset=charset)
    if (reader := _reader_of(kind, url)) is not None:
        return reader(body, url=url, charset=charset)
    if kind in (*kinds.FEED.types, "application/rdf+xml") or (_is_untold(kind) and _XML_START.match(body[:256])):
        from app.extract.feed import extract_xml

        return extract_xml(body, url=url)
    if kind in kinds.MARKDOWN_TYPES or (is_text and _path(url).endswith(kinds.MARKDOWN_NAMES)):
        from app.extract.markdown import extract_markdown

        return extract_markdown(body, url=url, charset=charset)
    from app.extract.plain import extract_plain, looks_binary

    if is_text and not (kind in _UNKNOWN_TYPES and looks_binary(body)):
        return extract_plain(body, url=url, charset=charset)
    message = sentence("{} has the type {}, which cannot be read as text.", url, kind or "unknown")
    raise UnsupportedContentError(message, url=url)


def _reader_of(kind: str, url: str) -> Callable[..., Page] | None:
    """Return the reader for a media type, or for the suffix if the type is inconclusive."""
    name = _path(url) if _is_untold(kind) or kind == "application/json" else ""
    for file_kind, (module, function) in _READERS.items():
        if kind in file_kind.types or name.endswith(file_kind.suffixes):
            reader: Callable[..., Page] = getattr(import_module(f"app.extract.{module}"), function)
            return reader
    return None


def _starts_as_html(body: bytes) -> bool:
    return _HTML_START.match(body[:_START_BYTES]) is not None


def _is_untold(kind: str) -> bool:
    """Whether a body of this type can be a web page."""
    return kind in _UNKNOWN_TYPES | _XML_TYPES | kinds.MARKDOWN_TYPES or kind == "text/plain"


def _is_archive(body: bytes, url: str, kind: str) -> bool:
    if kind in kinds.ARCHIVE_TYPES:
        return not _starts_as_html(body)
    is_named = (kind in _UNKNOWN_TYPES or kind == "text/plain") and _path(url).endswith(kinds.ARCHIVE_NAMES)
    return is_named and _starts_as_message(body)


def _starts_as_message(body: bytes) -> bool:
    head = body[:_START_BYTES].lower().replace(b"\r\n", b"\n")
    return b"content-type:" in head and b"<html" not in head.partition(b"\n\n")[0]


def _path(url: str) -> str:
    return urlsplit(url).path.lower()
