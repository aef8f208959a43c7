"""The lines of a PDF page as PDFium knows them: places, fonts, links; without running headers and footers, broken words whole."""

from __future__ import annotations

import ctypes
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app import caps
from app.extract.addresses import has_host, is_web_address, with_lower_scheme
from app.extract.characters import visible

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

BREAK_MARK: Final = "\ufffe"
"""What PDFium writes for a hyphen at the end of a line, the next line right behind it."""
_MONOSPACED: Final = re.compile(
    r"mono|courier|consol|typewriter|cmtt|inconsolata|menlo|fixed|sourcecode", re.IGNORECASE
)
_FONT_NAME_BYTES: Final = 128
_BLANKS: Final = dict.fromkeys(map(ord, "\t\r\n"), " ")
_LIGATURES: Final = {
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st", 0xA0: " ", 2: BREAK_MARK,
}  # fmt: skip
_LEADER: Final = re.compile(r"(?:\s?[.·…_]){5,}\s*")
_MIN_PAGES: Final = 3
_ROWS: Final = 2
"""Lines at the top and at the bottom of a page that are looked at."""
_MARGIN_SHARE: Final = 0.14
"""Share of the height at the top and at the bottom in which they stand."""
_STEP_POINTS: Final = 3.0
_MANY: Final = 0.4
_NUMBER: Final = re.compile(r"\d+|\b[ivxlc]+\b", re.IGNORECASE)
_BARE_NUMBER: Final = re.compile(
    r"\W*(?:page\s*|seite\s*)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:/|of|von)\s*\d{1,4})?\W*", re.IGNORECASE
)
_Row = tuple[bool, int]
"""Whether at the top, and the height in steps."""
_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_BREAK: Final = re.compile(rf"(\w+(?:-\w+)*)(?:{BREAK_MARK}|[-\u2010\u00ad]\n){BREAK_MARK}*(\w+)")
_END: Final = re.compile(r"\w[-\u2010\u00ad]\Z")
_PARTS: Final = re.compile(rf"[\w-]*{BREAK_MARK}\w*|\w+[-\u2010\u00ad]\Z")
_MIN_PART: Final = 3


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
    text = visible(_LEADER.sub(" … ", raw.translate(_LIGATURES)).translate(_BLANKS)).rstrip()
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
    return with_lower_scheme(address) if is_web_address(address) and has_host(address) else ""


def without_running_lines(pages: Sequence[PageText]) -> list[PageText]:
    """The pages without the lines that repeat at their edges."""
    found = [_edges(page) for page in pages]
    texts: dict[_Row, Counter[str]] = defaultdict(Counter)
    for edges in found:
        for line, row in edges.items():
            texts[row][_pattern(line)] += 1
    rows = _rows(texts, sum(bool(page.lines) for page in pages))
    cleaned = []
    for page, edges in zip(pages, found, strict=True):
        gone = {line for line, row in edges.items() if _is_running_line(line, row, texts, rows)}
        cleaned.append(replace(page, lines=tuple(line for line in page.lines if line not in gone)))
    return cleaned


def _edges(page: PageText) -> dict[Line, _Row]:
    """The lines that may be headers and footers of a page."""
    by_height = sorted(page.lines, key=lambda line: line.base)
    edges: dict[Line, _Row] = {}
    for is_top, lines in ((True, by_height[::-1]), (False, by_height)):
        for line in _outer(lines):
            distance = page.height - line.base if is_top else line.base
            if distance <= _MARGIN_SHARE * page.height:
                edges[line] = (is_top, round(line.base / _STEP_POINTS))
    return edges


def _outer(lines: Iterable[Line]) -> list[Line]:
    """All lines at the outermost heights."""
    heights: set[int] = set()
    outer = []
    for line in lines:
        heights.add(round(line.base))
        if len(heights) > _ROWS:
            break
        outer.append(line)
    return outer


def _rows(texts: dict[_Row, Counter[str]], pages: int) -> set[_Row]:
    """The heights at which most pages have a header or footer."""
    rows = set()
    for row, patterns in texts.items():
        repeated = sum(count for count in patterns.values() if count >= _MIN_PAGES)
        if pages >= _MIN_PAGES and repeated >= _MANY * pages:
            rows.add(row)
    return rows


def _is_running_line(line: Line, row: _Row, texts: dict[_Row, Counter[str]], rows: set[_Row]) -> bool:
    near = [(row[0], row[1] + step) for step in (-1, 0, 1)]
    repeats = sum(texts[each][_pattern(line)] for each in near if each in texts)
    in_row = any(each in rows for each in near)
    if in_row and (repeats >= _MIN_PAGES or _NUMBER.search(line.text)):
        return True
    return bool(_BARE_NUMBER.fullmatch(line.text)) and (in_row or repeats >= _MIN_PAGES)


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text.lower())


class Words:
    """The words that a document writes in one piece."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._known: set[str] = set()
        for line in lines:
            self._known.update(word.lower() for word in _WORD.findall(_PARTS.sub(" ", line)))

    def mend(self, text: str) -> str:
        """The text with all words whole that were broken between lines (a hyphen and a line end, or PDFium's mark)."""
        return _BREAK.sub(self._join, text).replace(BREAK_MARK, "-")

    def _join(self, match: re.Match[str]) -> str:
        first, second = match.groups()
        return f"{first}-{second}" if self._has_hyphen(first, second) else first + second

    def _has_hyphen(self, first: str, second: str) -> bool:
        """Whether the hyphen belongs to the word: the rest of the document decides, else the two parts."""
        if not first[-1].isalpha() or not (second[0].islower() or first.isupper()):
            return True
        head = first.rpartition("-")[2]
        if (head + second).lower() in self._known:
            return False
        if f"{first}-{second}".lower() in self._known:
            return True
        parts = (head.lower(), second.lower())
        return all(len(part) >= _MIN_PART and part in self._known for part in parts)


def ends_broken(line: str) -> bool:
    """Whether a line may end inside a word."""
    return bool(_END.search(line))
