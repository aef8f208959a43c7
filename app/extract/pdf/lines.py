"""Read the lines of a PDF page from PDFium, with their positions and fonts."""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import hypot
from typing import TYPE_CHECKING, Final
from unicodedata import normalize

from app.extract.characters import visible, word_set

if TYPE_CHECKING:
    from pypdfium2 import PdfPage, PdfTextPage

BREAK_MARK: Final = "\ufffe"
"""PDFium's character for a hyphen at the end of a line, followed directly by the next line."""
_WORD: Final = re.compile(r"\w+(?:-\w+)*")
_BREAK: Final = re.compile(
    rf"(?<!\w)(?<!\w-)(\w++(?:-\w++)*+)(?:{BREAK_MARK}|[-\u2010\u00ad]\n){BREAK_MARK}*(\w+(?:-\w+)*)"
)
_END: Final = re.compile(r"\w[-\u2010\u00ad]")
_PARTS: Final = re.compile(rf"(?:(?<![\w-])[\w-]++)?{BREAK_MARK}\w*+|(?<!\w)\w++[-\u2010\u00ad]\Z")
_MIN_PART: Final = 3
_SMALL_WORDS: Final = word_set("and as at by for in of off on or out so the to up")
"""Compounds like "state-of-the-art" are broken before or after these."""
_SUSPENDING: Final = frozenset({"and", "und", "oder", "bzw", "sowie"})  # "pre- and post-war"
_FIRST_PARTS: Final = frozenset({"self", "well"})  # Compounds that begin with these have a hyphen,
_ENDINGS: Final = ("hood", "ing", "ish", "less", "ness", "same")  # unless these follow.
_CONTROL: Final = re.compile(r"[\0\x01\x03-\x08\x10-\x1f\x7f-\x9f\ue000-\uf8ff]")
"""Characters that no text contains. Fonts of TeX also have letters at 11 to 15."""
_CODES_SHARE: Final = 0.02  # The least share of these characters in garbled text.
_SMALL_LETTER: Final = re.compile("[a-z]")
_LETTERS_SHARE: Final = 0.3  # The most of these in garbled text; accents in old fonts of TeX are such characters.
_CHECKED_CHARS: Final = 200
_ADDRESS: Final = re.compile(r"://|www\.|@|\w/")
_ADDRESS_GOES_ON: Final = re.compile(r"[\w.-]*[@/]\w|\.[a-z]{2,4}\b")
_MAX_ADDRESS_CHARS: Final = 300


class Words:
    """The words that a document writes without a break."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._known: set[str] = set()
        is_broken = False
        for line in lines:
            has_parts = BREAK_MARK in line or ends_broken(line)
            words = _WORD.findall((_PARTS.sub(" ", line) if has_parts else line).lower())
            self._known.update(words[1:] if is_broken else words)
            is_broken = ends_broken(line)

    def mend(self, text: str) -> str:
        """Join all words in the text that were broken between lines (a hyphen and a line end, or PDFium's mark)."""
        if BREAK_MARK not in text and "\n" not in text:
            return text

        def join(match: re.Match[str]) -> str:
            first, second = match.groups()
            before = text[max(match.start() - _MAX_ADDRESS_CHARS, 0) : match.start()]
            is_in_address = bool(before) and not before[-1].isspace() and bool(_ADDRESS.search(before.split()[-1]))
            behind = text[match.end() : match.end() + _MAX_ADDRESS_CHARS]
            is_kept = is_in_address or _ADDRESS_GOES_ON.match(behind) or self._has_hyphen(first, second)
            if not is_kept and second in _SUSPENDING and f"{first}{second}".lower() not in self._known:
                return f"{first}- {second}"
            return f"{first}-{second}" if is_kept or before.endswith("-") else first + second

        return _BREAK.sub(join, text).replace(BREAK_MARK, "-")

    def _has_hyphen(self, first: str, second: str) -> bool:
        """Whether the hyphen belongs to the word, according to the rest of the document, otherwise to the two parts."""
        if not first[-1].isalpha() or not second[0].isalpha():
            return True
        head, tail = first.lower().rpartition("-")[2], second.lower().partition("-")[0]
        is_whole, is_compound = head + tail in self._known, f"{first}-{second}".lower() in self._known
        if (
            first.isupper() == second[0].islower()
        ):  # A name with a capital letter inside, such as JavaScript, is known as a whole.
            return is_compound or not is_whole
        if is_whole or is_compound:
            return not is_whole
        if head in _FIRST_PARTS and len(tail) > _MIN_PART and not tail.startswith(_ENDINGS):
            return True
        if (head in _SMALL_WORDS and "-" in first) or (tail in _SMALL_WORDS and "-" in second):
            return True
        return all(len(part) >= _MIN_PART and part in self._known for part in (head, tail))


def ends_broken(line: str) -> bool:
    """Whether a line may end inside a word."""
    return bool(_END.fullmatch(line[-2:]))


_MONOSPACED: Final = re.compile(
    r"mono|courier|consol|typewriter|cmtt|inconsolata|menlo|fixed|sourcecode", re.IGNORECASE
)
_FONT_NAME_BYTES: Final = 128
_SIGNS: Final = {
    **dict.fromkeys(map(ord, "\t\r\n\xa0"), " "),
    0xFB00: "ff", 0xFB01: "fi", 0xFB02: "fl", 0xFB03: "ffi", 0xFB04: "ffl", 0xFB05: "st", 0xFB06: "st", 2: BREAK_MARK,
}  # fmt: skip
_CODES: Final = {
    "\x0b": "ff", "\x0c": "fi", "\x0e": "ffi", "\x0f": "ffl", "\x10": "“", "\x11": "”", "\x15": "–", "\x16": "—",
    "\x1b": "ff", "\x1c": "fi", "\x1d": "fl", "\x1e": "ffi", "\x1f": "ffl",
}  # fmt: skip
"""Ligatures and signs of fonts of TeX whose files do not name them. The same codes are parts of brackets in formulas."""
_CODE: Final = re.compile(
    r"(?<=[^\W\d_])[\x0b-\x0f\x1b-\x1f]|[\x0b-\x0f\x1b-\x1f](?=[^\W\d_])|\x10(?=\w)|(?<=[\w.,!?])\x11|(?<=[\w ])[\x15\x16](?=[\w ])"
)
_ACCENTS: Final = {
    "¨": "\u0308", "´": "\u0301", "ˆ": "\u0302", "˜": "\u0303", "ˇ": "\u030c", "˚": "\u030a", "¸": "\u0327", "`": "\u0300",
}  # fmt: skip
"""Accents that fonts of TeX draw over or under a letter as signs of their own."""
_NOTHING: Final = "\u200b"  # Takes the place of an accent that was moved; positions stay.
_MAX_ACCENTS: Final = 40  # The limit for one line.
_LEADER_SIGNS: Final = 5
_OTHER_LEADERS: Final = frozenset("·…_")
_LEADER: Final = re.compile(rf"(?:\s?[.·…_]){{{_LEADER_SIGNS},}}\s*")
_WIDE: Final = 0.9  # A gap of this multiple of the font size splits a line.
_SIZES: Final = (0.6, 2.0)
"""The letter heights as multiples of the declared font size; outside this range the page itself is scaled."""
_SPACE: Final = 0.15  # A gap of this share of the line height is a space.
_NARROW: Final = 0.6  # Gaps of this share of a wide one may separate cells of a table.
_SEPARATORS: Final = re.compile(r"[\W_]+")
_WORD_START: Final = re.compile(r"(?<=\s)\S")
_DOTTED: Final = str.maketrans("ıȷ", "ij")
_SAMPLE: Final = 20
_MIN_TURNED: Final = 4  # Shorter lines do not show their direction.
_TURNED_CHARS: Final = 12

Box = tuple[float, float, float, float]  # Left, lower, right and upper edge.


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, or the part on one side of a wide gap in it. Positions are in points from the lower left corner of the page as
    shown. `last_base` is the lower edge of its last character, which is on another line if a word was broken. Parts of one line have
    the same `row`; `first` and `last` are the numbers of their characters. A table is one line with `cells`.
    """

    text: str
    left: float
    right: float
    base: float
    last_base: float
    size: float
    is_mono: bool
    row: int = 0
    first: int = 0
    last: int = -1
    cells: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class PageText:
    """The lines of a page in the order of the file, and its links as (text, address). `number` counts from 1.

    `is_garbled`: the fonts do not name their letters, so the text of the page was left out.
    """

    number: int
    width: float
    height: float
    lines: tuple[Line, ...]
    links: tuple[tuple[str, str], ...] = ()
    is_garbled: bool = False


class Reader:
    """The characters of a page and their positions, with the page rotated so that its text runs from left to right."""

    def __init__(self, page: PdfPage, content: PdfTextPage) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._raw = content.raw
        self._edges = pdfium.FS_RECTF()
        self._edge_values = [ctypes.c_double() for _ in range(4)]
        self._edge_places = [ctypes.byref(value) for value in self._edge_values]
        self._name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        self._flags = ctypes.c_int()
        self._fonts: dict[tuple[bytes, int], bool] = {}
        area = pdfium.FS_RECTF()
        pdfium.FPDF_GetPageBoundingBox(page.raw, ctypes.byref(area))
        self._area = (area.left, area.bottom, area.right, area.top)
        if area.left >= area.right or area.bottom >= area.top:  # Programs ignore a visible area outside the page.
            self._area = page.get_mediabox()
        self.text = content.get_text_range()
        self._last = content.count_chars() - 1
        self._mended: dict[int, str] = {}
        self._is_groff = str(page.pdf.get_metadata_value("Creator")).startswith("groff")
        self._is_plain = False
        self.gaps = 0
        self.turns = int(pdfium.FPDFPage_GetRotation(page.raw))
        self._spans = []  # the first and last character of every line that is not empty
        offset = 0
        for raw in self.text.split("\r\n"):
            if stripped := raw.strip():
                start = offset + raw.index(stripped)
                self._spans.append((min(start, self._last), min(start + len(stripped) - 1, self._last)))
            offset += len(raw) + 2
        self.turns = (self.turns + self._text_turns()) % 4
        self._is_plain = self.turns == 0 and self._area[:2] == (0, 0)
        sides = (self._area[2] - self._area[0], self._area[3] - self._area[1])
        self.width, self.height = sides[:: -1 if self.turns % 2 else 1]

    def shows(self, box: Box) -> bool:
        """Whether a part of a box is within the visible area of the page. Printers' marks and hidden text are outside."""
        left, low, right, high = box
        return right > 0 and high > 0 and left < self.width and low < self.height

    @property
    def is_garbled(self) -> bool:
        """Whether the characters are the codes of glyphs in fonts that do not name their letters.

        PDFium then reports an error for most of them, and some are control characters, such as the codes of digits. In 18,600 pages,
        text with as many errors that is right has at most 0.7 % control characters, unless it is French or German from TeX.
        """
        codes, letters = (len(signs.findall(self.text)) for signs in (_CONTROL, _SMALL_LETTER))
        if codes < _CODES_SHARE * len(self.text) or letters > _LETTERS_SHARE * len(self.text):
            return False
        sample = range(0, self._last + 1, max(self._last // _CHECKED_CHARS, 1))
        errors = sum(self._pdfium.FPDFText_HasUnicodeMapError(self._raw, place) == 1 for place in sample)
        return bool(errors * 2 > len(sample))

    def lines(self) -> Iterator[Line]:
        """Yield the lines of text, split at wide gaps."""
        for row, (start, end) in enumerate(self._spans):
            is_mono = all(self._is_mono(place) for place in (start, end, (start + end) // 2))
            for first, last in ((start, end),) if is_mono else self._parts(start, end):
                if text := cleaned(self._text_of(first, last)):
                    left, base, first_right, top = self.box(first)
                    last_left, last_base, right, last_top = self.box(last)
                    # Text may run to the left, up or down.
                    around = (min(left, last_left), min(base, last_base), max(right, first_right), max(top, last_top))
                    if not self.shows(around):
                        continue
                    size = self._size(first, top - base)
                    yield Line(text, left, right, base, last_base, size, is_mono, row, first, last)
        if self._mended:  # the cells of tables are read from this text
            self.text = "".join(self._mended.get(place, sign) for place, sign in enumerate(self.text))

    def _text_of(self, first: int, last: int) -> str:
        """Return the text of a line with its accents on their letters and, in files of groff, the spaces that PDFium misses."""
        raw: str = self.text[first : last + 1]
        accents = [number for number, sign in enumerate(raw) if sign in _ACCENTS][:_MAX_ACCENTS]
        if not accents and not self._is_groff:
            return raw
        boxes = [self.box(place) for place in range(first, last + 1)]
        signs = list(raw)
        for number in accents:
            left, low, right, high = boxes[number]
            letter = next(
                (
                    at
                    for at, (begins, base, ends, _) in enumerate(boxes)
                    if begins < (left + right) / 2 < ends
                    and abs(base - low) < (high - low) / 2
                    and raw[at].isalpha()
                    and at not in accents
                ),
                None,
            )
            # Fonts have letters without a dot below accents.
            made = (
                normalize("NFC", raw[letter].translate(_DOTTED) + _ACCENTS[raw[number]]) if letter is not None else ""
            )
            if letter is not None and len(made) == 1:
                signs[letter], signs[number] = made, ""
                self._mended |= {first + letter: made, first + number: _NOTHING}
        for number in range(1, len(raw) if self._is_groff else 0):
            gap = boxes[number][0] - boxes[number - 1][2]
            if gap > _SPACE * (boxes[number][3] - boxes[number][1]) and not raw[number - 1 : number + 1].count(" "):
                signs[number] = f" {signs[number]}"
        return "".join(signs)

    def box(self, place: int) -> Box:
        """Return the position of a character."""
        self._pdfium.FPDFText_GetLooseCharBox(self._raw, place, ctypes.byref(self._edges))
        edges = self._edges
        box = (edges.left, edges.bottom, edges.right, edges.top)
        return box if self._is_plain else self.turned(box)

    def turned(self, box: Box) -> Box:
        """Convert a position in the file to a position on the page as shown."""
        left, low, right, high = self._area
        one, two, three, four = box
        if self.turns == 0:
            return one - left, two - low, three - left, four - low
        if self.turns == 1:
            return two - low, right - three, four - low, right - one
        if self.turns == 2:
            return right - three, high - four, right - one, high - two
        return high - four, one - left, high - two, three - left

    def _text_turns(self) -> int:
        """Return the number of quarter turns after which most of the text runs from left to right."""
        found = [0, 0, 0, 0]
        spans = [(start, end) for start, end in self._spans if end - start >= _MIN_TURNED]
        for start, end in spans[:: len(spans) // _SAMPLE + 1]:
            # PDFium joins lines that end with a hyphen, also those of two columns.
            first, last = self.box(start), self.box(min(end, start + _TURNED_CHARS))
            across, up = last[0] - first[0], last[1] - first[1]
            upright = abs(across) >= abs(up)
            found[0 if upright else 1 if up > 0 else 3] += end - start
        return found.index(max(found))

    def _size(self, place: int, height: float) -> float:
        """Return the displayed font size."""
        size = float(self._pdfium.FPDFText_GetFontSize(self._raw, place))
        if _SIZES[0] * size < height < _SIZES[1] * size:
            return size
        matrix = self._pdfium.FS_MATRIX()
        self._pdfium.FPDFText_GetMatrix(self._raw, place, ctypes.byref(matrix))
        return size * hypot(matrix.c, matrix.d) or size

    def _is_mono(self, place: int) -> bool:
        length = self._pdfium.FPDFText_GetFontInfo(
            self._raw, place, self._name, _FONT_NAME_BYTES, ctypes.byref(self._flags)
        )
        font = (self._name.value if length else b"", self._flags.value)
        if font not in self._fonts:
            self._fonts[font] = bool(font[1] & 1) or bool(_MONOSPACED.search(font[0].decode("latin-1")))
        return self._fonts[font]

    def _parts(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield the first and last character of each part of a line between its wide gaps."""
        count = self._pdfium.FPDFText_CountRects(self._raw, start, end - start + 1)
        right_of = self._gap_ends(count, start) if count > 1 else []
        for edge in right_of:
            for match in _WORD_START.finditer(self.text, start, end + 1):
                if self.box(match.start())[2] > edge:
                    yield start, start + len(self.text[start : match.start()].rstrip()) - 1
                    start = match.start()
                    break
        yield start, end

    def _gap_ends(self, count: int, start: int) -> list[float]:
        """Return the right ends of the wide gaps between the parts of a line in PDFium."""
        ends = []
        least = _WIDE * self._size(start, 0)
        left, _, right, _ = self._edge_values
        read, raw, places = self._pdfium.FPDFText_GetRect, self._raw, self._edge_places
        before = float("inf")
        for number in range(count):
            read(raw, number, *places)
            if self.turns:
                one, high, three, low = (value.value for value in self._edge_values)
                begins, _, stops, _ = self.turned((one, low, three, high))
            else:
                begins, stops = left.value - self._area[0], right.value - self._area[0]
            if begins - before > _NARROW * least:
                self.gaps += 1
                if begins - before > least:
                    ends.append(begins)
            before = stops
        return ends


def cleaned(raw: str) -> str:
    """Return characters of the file as a line of text."""
    text = raw.translate(_SIGNS)
    if text.count(".") >= _LEADER_SIGNS or not _OTHER_LEADERS.isdisjoint(text):
        text = _LEADER.sub(" … ", text)
    if text.isascii() and text.isprintable():
        return text.rstrip()
    return visible(_CODE.sub(lambda code: _CODES.get(code[0], ""), text)).rstrip()


def plain(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return _SEPARATORS.sub("", text).lower()


def text_sizes(pages: Iterable[PageText]) -> Counter[float]:
    """Return the number of characters in each font size."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += len(line.text)
    return sizes
