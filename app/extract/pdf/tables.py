"""Find tables with grid lines on a PDF page: the lines among the drawings, and the cells between them."""

from __future__ import annotations

import ctypes
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from app.extract.pdf.lines import Box, Line, Reader, cleaned

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

MAX_OBJECTS: Final = 10_000  # The number of drawings and texts to read per page.
MAX_RULES: Final = 400  # A page with more lines is a drawing.
MAX_CELLS: Final = 4_000
_THIN: Final = 3.0  # The thickest line, in points.
_NEAR: Final = 3.0  # Ends and lines touch within this distance, in points.
_MIN_LENGTH: Final = 4.0
_FAR: Final = 100_000.0  # Anything farther away is not on a page.
_MIN_SIDE: Final = 2  # The minimum number of rows and columns with text.
_MIN_FILLED: Final = 0.3  # With a smaller share of filled cells it is a drawing.
_MIN_SINGLE: Final = 0.6  # With a smaller share of unmerged cells it is a form or a drawing.
_MAX_CROSSING: Final = 0.1  # With a larger share of words that cross lines it is a drawing.
_WORD: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Rule:
    """A line: its position across its direction, and both ends."""

    at: float
    start: float
    end: float


class _Grid:
    """Cells between lines: `columns` from left to right, `rows` from the top."""

    def __init__(self, upright: Sequence[_Rule], flat: Sequence[_Rule]) -> None:
        self.columns = _distinct(
            [rule.at for rule in upright] + [end for rule in flat for end in (rule.start, rule.end)]
        )
        self.rows = _distinct([rule.at for rule in flat] + [end for rule in upright for end in (rule.start, rule.end)])
        self.is_table = len(self.columns) > 2 and len(self.rows) > 2 and len(self.columns) * len(self.rows) <= MAX_CELLS
        self._upright, self._flat = upright, flat

    def cell(self, x: float, y: float) -> tuple[int, int]:
        """Return row and column of a position in the table."""
        column = min(max(bisect_right(self.columns, x) - 1, 0), len(self.columns) - 2)
        row = min(max(bisect_left(self.rows, y) - 1, 0), len(self.rows) - 2)
        return len(self.rows) - 2 - row, column

    def first_cells(self) -> dict[tuple[int, int], tuple[int, int]]:
        """Return for each cell the upper left cell of its merged area, which is not divided by lines."""
        beside = _covered(self._upright, self.columns, self.rows)
        below = _covered(self._flat, self.rows, self.columns)
        last = len(self.rows) - 2
        firsts: dict[tuple[int, int], tuple[int, int]] = {}
        for row in range(last + 1):
            for column in range(len(self.columns) - 1):
                first = (row, column)
                if row and (last - row + 1, column) not in below:
                    first = firsts[row - 1, column]
                elif column and (column, last - row) not in beside:
                    first = firsts[row, column - 1]
                firsts[row, column] = first
        return firsts


def _covered(rules: Sequence[_Rule], places: Sequence[float], ends: Sequence[float]) -> set[tuple[int, int]]:
    """Return which segments of the grid's lines are drawn: the number of the line, and of the segment."""
    found = set()
    for rule in rules:
        line = min(bisect_left(places, rule.at - _NEAR), len(places) - 1)
        for piece in range(max(bisect_left(ends, rule.start - _NEAR), 0), len(ends) - 1):
            if ends[piece + 1] > rule.end + _NEAR:
                break
            found.add((line, piece))
    return found


def with_tables(page: PdfPage, reader: Reader, lines: Sequence[Line]) -> list[Line]:
    """Return the lines of a page, with those in a table with grid lines replaced by it."""
    made = list(lines)
    if reader.gaps < _MIN_SIDE and not any(abs(one.base - two.base) < _NEAR for one, two in pairwise(lines)):
        return made
    upright, flat = map(_merged, _rules(page, reader))
    flat.sort(key=lambda rule: rule.at)
    for crossing in _connected(upright, flat) if len(upright) + len(flat) <= MAX_RULES else ():
        grid = _Grid(*crossing)
        made = _replaced(grid, reader, made) if grid.is_table else made
    return made


def _rules(page: PdfPage, reader: Reader) -> tuple[list[_Rule], list[_Rule]]:
    """Return the vertical and the horizontal lines of a page."""
    upright: list[_Rule] = []
    flat: list[_Rule] = []
    for left, low, right, high in map(reader.turned, _drawn(page)):
        if not (left > -_FAR and low > -_FAR and right < _FAR and high < _FAR):
            continue
        if right - left <= _THIN and high - low >= _MIN_LENGTH:
            upright.append(_Rule((left + right) / 2, low, high))
        elif high - low <= _THIN and right - left >= _MIN_LENGTH:
            flat.append(_Rule((low + high) / 2, left, right))
    return upright, flat


def _drawn(page: PdfPage) -> Iterator[Box]:
    """Yield the boxes of all straight drawings: thin shapes, and the edges of frames."""
    import pypdfium2.raw as pdfium

    edges = [ctypes.c_float() for _ in range(4)]
    places = [ctypes.byref(edge) for edge in edges]
    mode, has_stroke = ctypes.c_int(), ctypes.c_int()
    count, get, kind = pdfium.FPDFPage_CountObjects(page.raw), pdfium.FPDFPage_GetObject, pdfium.FPDFPageObj_GetType
    raw, path = page.raw, pdfium.FPDF_PAGEOBJ_PATH
    for number in range(min(count, MAX_OBJECTS)):
        drawing = get(raw, number)
        if kind(drawing) != path:
            continue
        pdfium.FPDFPageObj_GetBounds(drawing, *places)
        left, low, right, high = (edge.value for edge in edges)
        if right - left <= _THIN or high - low <= _THIN:
            yield left, low, right, high
        elif (
            pdfium.FPDFPath_CountSegments(drawing) <= 6
            and pdfium.FPDFPath_GetDrawMode(drawing, ctypes.byref(mode), ctypes.byref(has_stroke))
            and has_stroke.value
        ):
            yield from ((x, low, x, high) for x in (left, right))
            yield from ((left, y, right, y) for y in (low, high))


def _merged(rules: Sequence[_Rule]) -> list[_Rule]:
    """Return the lines, with segments of one line joined."""
    made: list[_Rule] = []
    for rule in sorted(rules, key=lambda rule: (round(rule.at / _NEAR), rule.start)):
        last = made[-1] if made else None
        if last is not None and abs(last.at - rule.at) <= _NEAR and last.start <= rule.start <= last.end + _NEAR:
            made[-1] = _Rule(last.at, last.start, max(last.end, rule.end))
        else:
            made.append(rule)
    return made


def _connected(upright: Sequence[_Rule], flat: Sequence[_Rule]) -> Iterator[tuple[list[_Rule], list[_Rule]]]:
    """Yield lines that cross or touch each other, directly or through others."""
    group = list(range(len(upright) + len(flat)))

    def root(place: int) -> int:
        while group[place] != place:
            group[place] = group[group[place]]
            place = group[place]
        return place

    heights = [rule.at for rule in flat]
    for one, rule in enumerate(upright):
        for two in range(bisect_left(heights, rule.start - _NEAR), bisect_right(heights, rule.end + _NEAR)):
            if flat[two].start - _NEAR <= rule.at <= flat[two].end + _NEAR:
                group[root(one)] = root(len(upright) + two)
    found: dict[int, tuple[list[_Rule], list[_Rule]]] = defaultdict(lambda: ([], []))
    for place, rule in enumerate([*upright, *flat]):
        found[root(place)][place >= len(upright)].append(rule)
    yield from found.values()


def _distinct(values: Sequence[float]) -> list[float]:
    made: list[float] = []
    for value in sorted(values):
        if not made or value - made[-1] > _NEAR:
            made.append(value)
    return made


def _replaced(grid: _Grid, reader: Reader, lines: list[Line]) -> list[Line]:
    """Return the lines, with the lines inside a table replaced by it."""
    left, right, low, high = grid.columns[0], grid.columns[-1], grid.rows[0], grid.rows[-1]
    inside = {
        place: line
        for place, line in enumerate(lines)
        if not line.cells
        and left - _NEAR <= (line.left + line.right) / 2 <= right + _NEAR
        and low < line.base + line.size / 2 < high
    }
    cells = _texts(grid, reader, inside.values()) if inside else ()
    if not cells:
        return lines
    first = next(iter(inside.values()))
    text = " ".join(" ".join(row) for row in cells)
    table = Line(text, left, right, high, low, first.size, is_mono=False, row=first.row, cells=cells)
    made = []
    for place, line in enumerate(lines):
        if line is first:
            made.append(table)
        elif place not in inside:
            made.append(line)
    return made


def _texts(grid: _Grid, reader: Reader, lines: Iterable[Line]) -> tuple[tuple[str, ...], ...]:
    """Return the texts of the cells; merged cells repeat theirs. Empty if the grid is a drawing."""
    firsts = grid.first_cells()
    single = Counter(firsts.values())
    words: dict[tuple[int, int], list[str]] = defaultdict(list)
    crossing = count = 0
    for line in lines:
        for match in _WORD.finditer(reader.text, line.first, line.last + 1):
            starts, ends = reader.box(match.start()), reader.box(match.end() - 1)
            cell = firsts[grid.cell(*_centre(starts))]
            crossing += cell != firsts[grid.cell(*_centre(ends))]
            count += 1
            words[cell].append(match[0])
    is_drawing = (
        crossing > _MAX_CROSSING * count
        or len(words) < _MIN_FILLED * len(single)
        or sum(number == 1 for number in single.values()) < _MIN_SINGLE * len(firsts)
        or len({column for _, column in words}) < _MIN_SIDE
        or len({row for row, _ in words}) < _MIN_SIDE
    )
    if is_drawing:
        return ()
    texts = {cell: cleaned(" ".join(found)) for cell, found in words.items()}
    rows = [
        [texts.get(firsts[row, column], "") for column in range(len(grid.columns) - 1)]
        for row in range(len(grid.rows) - 1)
    ]
    return tuple(tuple(row) for row in rows if any(row))


def _centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
