"""Read untrusted XML: damaged documents as far as possible, without expanding entities or loading anything."""

from __future__ import annotations

import gzip
import io
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from typing import Any, Final

from lxml import etree

from app.extract.characters import decode, storable

GZIP_MAGIC: Final = b"\x1f\x8b"
_PIECE_BYTES: Final = 64 * 1024
SAFETY: Final[dict[str, Any]] = {
    "resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False,
    "remove_comments": True, "remove_pis": True,
}  # fmt: skip
_PROLOG: Final = re.compile(r"\A(?:.{0,1000}?<\?xml\b[^<>]*>|[^<]*)\s*", re.DOTALL)
_AMPERSAND: Final = re.compile(
    r"<!\[CDATA\[.*?(?:\]\]>|\Z)|&(?:(amp|lt|gt|quot|apos);|(?!#\d{1,7};|#[xX][0-9a-fA-F]{1,6};))", re.DOTALL
)
_TEXT: Final = re.compile(r">\s*+([^<>\s][^<>]*+)<")
_END: Final = re.compile(r"</(?:[\w.-]+:)?([\w.-]+)\s*>\s*(?:<!--[^<>]*-->\s*)*\Z")
_END_CHARS: Final = 1_000
_KEPT_SHARE: Final = 0.98
_NUMBERS: Final = {"amp": 38, "lt": 60, "gt": 62, "quot": 34, "apos": 39}


def xml_elements(body: bytes) -> Iterator[etree._Element]:
    """Yield every element of a document as soon as its end was read; none if the body is not XML."""
    try:
        for _, element in etree.iterparse(io.BytesIO(_prepared(body)), events=("end",), recover=True, **SAFETY):
            yield element
    except etree.XMLSyntaxError:
        return


def read_xml(body: bytes) -> tuple[etree._Element | None, bool]:
    """Return the root of a document, or None if the body is not XML, and whether text after damage is missing in it."""
    parser, prepared = etree.XMLParser(recover=True, **SAFETY), _prepared(body)
    try:
        root: etree._Element | None = etree.fromstring(prepared, parser)
    except etree.XMLSyntaxError:
        root = None
    if root is None or all(error.level != etree.ErrorLevels.FATAL for error in parser.error_log):
        return root, False
    return root, _is_cut(prepared.decode(), root)


def _is_cut(markup: str, root: etree._Element) -> bool:
    """Whether markup ends before its root does, or has more text than the tree."""
    end = _END.search(markup, max(len(markup) - _END_CHARS, 0))
    if end is None or end[1].lower() != local_name(root):
        return True
    start, *others = markup.split("<!--")
    markup = start + "".join(other.partition("-->")[2] or other for other in others)  # An open comment hides text.
    written = sum(sum(map(len, unescape(found[1]).split())) for found in _TEXT.finditer(markup))
    return sum(map(len, str(root.xpath("string()")).split())) < _KEPT_SHARE * written


def local_name(element: etree._Element) -> str:
    """Return the lowercase name of an element without its namespace."""
    return element.tag.rpartition("}")[2].rpartition(":")[2].lower()


def gunzip(body: bytes, limit: int) -> bytes:
    """Decompress a gzip body, up to `limit` bytes and as far as it is undamaged."""
    parts: list[bytes] = []
    with gzip.GzipFile(fileobj=io.BytesIO(body)) as stream, suppress(EOFError, OSError, zlib.error):
        while limit > 0 and (part := stream.read1(min(limit, _PIECE_BYTES))):
            parts.append(part)
            limit -= len(part)
    return b"".join(parts)


def _prepared(body: bytes) -> bytes:
    """Return the document in UTF-8, with all entities except those for single characters as plain text.

    libxml2 drops references such as `&amp;` after the first error in a document; numeric references remain.
    """
    text = storable(_PROLOG.sub("", decode(body, None), count=1))
    if "&" in text:
        text = _AMPERSAND.sub(
            lambda match: match[0] if match[0].startswith("<") else f"&#{_NUMBERS[match[1] or 'amp']};", text
        )
    return text.encode("utf-8", "replace")
