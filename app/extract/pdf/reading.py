"""What PDFium knows of a page: its lines with their places and fonts, and the links that lead to the web."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app import caps
from app.extract.addresses import has_host, is_web_address
from app.extract.characters import visible

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

BREAK_MARK: Final = "\ufffe"
"""What PDFium writes for a hyphen at the end of a line, the next line right behind it."""

_MONOSPACED: Final = re.compile(
    r"mono|courier|consol|typewriter|cmtt|inconsolata|menlo|fixed|sourcecode", re.IGNORECASE
)
_FONT_NAME_BYTES: Final = 128
_LIGATURES: Final = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st", 0xA0: " ", 2: BREAK_MARK,
}  # fmt: skip
_LEADER: Final = re.compile(r"(?:\s?[.·…_]){5,}\s*")


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text. Places are in points from the lower left corner; `last_base` is the lower edge of its last character,
    which stands on another line where a word was broken.
    """

    text: str
    left: float
    right: float
    base: float
    last_base: float
    size: float
    is_mono: bool


@dataclass(frozen=True, slots=True)
class PageText:
    """The lines of a page in the order of the file, and its links as (text, address). `number` counts from 1."""

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    links: tuple[tuple[str, str], ...] = ()


def read_page(page: PdfPage, number: int) -> PageText:
    """Text and links of a page; empty where it holds none."""
    width, height = page.get_size()
    content = page.get_textpage()
    try:
        lines = tuple(_lines(content))
        links = tuple(_links(page, content)) if lines else ()
    finally:
        content.close()
    return PageText(number, width, height, lines, links)


def _lines(content: PdfTextPage) -> Iterator[Line]:
    last = content.count_chars() - 1
    offset = 0
    for raw in content.get_text_range().split("\r\n"):
        stripped = raw.strip()
        if stripped:
            start = offset + raw.index(stripped)
            line = _line(content, stripped, min(start, last), min(start + len(stripped) - 1, last))
            if line.text:
                yield line
        offset += len(raw) + 2


def _line(content: PdfTextPage, raw: str, first: int, last: int) -> Line:
    import pypdfium2.raw as pdfium

    left, base, _, _ = content.get_charbox(first, loose=True)
    _, last_base, right, _ = content.get_charbox(last, loose=True)
    is_mono = all(_is_mono(content, place) for place in (first, last, (first + last) // 2))
    text = visible(_LEADER.sub(" … ", raw.translate(_LIGATURES)).replace("\t", " ")).rstrip()
    return Line(text, left, right, base, last_base, float(pdfium.FPDFText_GetFontSize(content.raw, first)), is_mono)


def _is_mono(content: PdfTextPage, place: int) -> bool:
    import pypdfium2.raw as pdfium

    name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(content.raw, place, name, _FONT_NAME_BYTES, ctypes.byref(flags))
    return bool(flags.value & 1) or bool(_MONOSPACED.search(name.value.decode("latin-1")))


def _links(page: PdfPage, content: PdfTextPage) -> Iterator[tuple[str, str]]:
    import pypdfium2.raw as pdfium

    place, link, area = ctypes.c_int(0), pdfium.FPDF_LINK(), pdfium.FS_RECTF()
    for _ in range(caps.MAX_LINKS_PER_PAGE):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(place), ctypes.byref(link)):
            return
        address = _address(page, link)
        if address and pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(area)):
            text = content.get_text_bounded(area.left, area.bottom, area.right, area.top)
            yield " ".join(visible(text.translate(_LIGATURES)).split()), address


def _address(page: PdfPage, link: object) -> str:
    """The web address that a link leads to, empty for other places."""
    import pypdfium2.raw as pdfium

    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    document = page.pdf.raw
    size = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
    if not 1 < size <= caps.MAX_URL_CHARS:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document, action, buffer, size)
    address = buffer.value.decode("utf-8", "replace").strip()
    return address if is_web_address(address) and has_host(address) else ""
