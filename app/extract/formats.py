"""Which reader a body gets: by its content type, its name, and its first bytes where those say nothing."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.html import extract_html
from app.extract.markdown import extract_markdown
from app.extract.page import Page
from app.extract.plain import extract_plain, looks_binary

_HTML_TYPES: Final = frozenset({"text/html", "application/xhtml+xml"})
_MARKDOWN_TYPES: Final = frozenset({"text/markdown", "text/x-markdown", "application/markdown"})
_UNKNOWN_TYPES: Final = frozenset(
    {"", "application/octet-stream", "binary/octet-stream", "application/force-download", "unknown/unknown"}
)
_XML_TYPES: Final = frozenset({"text/xml", "application/xml"})
_NOT_TEXT: Final = frozenset(
    {"text/css", "text/javascript", "text/ecmascript", "text/calendar", "text/vcard", "text/event-stream"}
)
_MARKDOWN_NAMES: Final = (".md", ".markdown", ".mdx", ".mkd", ".mdown")
_HTML_START: Final = re.compile(
    rb"\A\s*(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b",
    re.IGNORECASE | re.DOTALL,
)
_KINDS: Final = (
    (b"%PDF-", "a PDF file"), (b"\x89PNG", "an image"), (b"\xff\xd8\xff", "an image"), (b"GIF8", "an image"),
    (b"RIFF", "a media file"), (b"PK\x03\x04", "an archive or office file"), (b"\x1f\x8b", "a compressed file"),
)  # fmt: skip


def extract_body(body: bytes, *, url: str, content_type: str, charset: str | None) -> Page:
    """See `app.extract.extract`."""
    kind = content_type.partition(";")[0].strip().lower()
    for magic, name in _KINDS:
        if body.startswith(magic):
            raise UnsupportedContentError(f"{url} is {name}.", url=url)
    if not body.strip():
        raise EmptyPageError(f"{url} answered without any content.", url=url)
    if kind in _HTML_TYPES or (_is_untold(kind) and _HTML_START.match(body[:4096])):
        return extract_html(body, url=url, charset=charset)
    is_text = kind in _UNKNOWN_TYPES or (kind.startswith("text/") and kind not in _NOT_TEXT | _XML_TYPES)
    if kind in _MARKDOWN_TYPES or (is_text and urlsplit(url).path.lower().endswith(_MARKDOWN_NAMES)):
        return extract_markdown(body, url=url, charset=charset)
    if is_text and not (kind in _UNKNOWN_TYPES and looks_binary(body)):
        return extract_plain(body, url=url, charset=charset)
    raise UnsupportedContentError(f"{url} is of the type {kind or 'unknown'}, which cannot be read as text.", url=url)


def _is_untold(kind: str) -> bool:
    """Whether the type leaves open that the body is a web page."""
    return kind in _UNKNOWN_TYPES or kind in _XML_TYPES or kind == "text/plain"
