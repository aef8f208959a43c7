"""Determine the reading order of lines on a PDF page: from top to bottom, and column by column."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median
from typing import Final

from app.extract.pdf.lines import Line

_MIN_ROWS: Final = 4  # The minimum number of rows in columns with text on both sides of a gutter.
_MIN_CHARS: Final = 15  # Lines of columns usually have more characters; cells of tables have fewer.
_FULL: Final = 0.75  # The share of their column that lines usually fill.
_GOING_ON: Final = 0.3  # The minimum share of lines that begin within a sentence.
_MIN_GUTTER: Final = 0.7  # The width of a gutter as a multiple of the font size.

_Gutter = tuple[float, float]
_Row = list[Line]


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """Return the lines from top to bottom, and column by column if there are columns, with the parts of each line joined."""
    return list(_whole(_by_columns(_from_top(lines))))


def _from_top(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines from top to bottom, or in the order of the file if many are side by side."""
    is_sorted = all(above.base >= below.base - below.size for above, below in pairwise(lines))
    if is_sorted:
        return lines
    rows = sorted(lines, key=lambda line: -line.base)
    beside = sum(
        upper.row != lower.row
        and upper.base - lower.base < lower.size / 2
        and (lower.left >= upper.right or upper.left >= lower.right)
        for upper, lower in pairwise(rows)
    )
    return lines if beside > len(lines) // 10 else rows


def _by_columns(lines: Sequence[Line]) -> Iterator[Line]:
    rows = list(_rows(lines))
    place = 0
    while place < len(rows):
        if len(rows[place]) == 1:
            yield rows[place][0]
            place += 1
            continue
        end, gutters = _run(rows, place)
        yield from (line for column in _columns(rows[place:end], gutters) for line in column)
        place = end


def _rows(lines: Sequence[Line]) -> Iterator[_Row]:
    """Yield groups of lines side by side at one height."""
    row: _Row = []
    for line in lines:
        if row and not (line.left >= row[-1].right and abs(line.base - row[0].base) < _MIN_GUTTER * line.size):
            yield row
            row = []
        row.append(line)
    if row:
        yield row


def _run(rows: Sequence[_Row], first: int) -> tuple[int, list[_Gutter]]:
    """Return the end of the rows below `first` that leave the same gutters free, and these gutters."""
    gutters = [(one.right, two.left) for one, two in pairwise(rows[first])]
    for place in range(first + 1, len(rows)):
        left = [kept for gutter in gutters if (kept := _narrowed(gutter, rows[place])) is not None]
        if not left:
            return place, gutters
        gutters = left
    return len(rows), gutters


def _narrowed(gutter: _Gutter, row: _Row) -> _Gutter | None:
    """Return the free part of a gutter next to a row, or None if a line crosses the gutter."""
    left, right = gutter
    middle = (left + right) / 2
    for line in row:
        if line.right <= middle:
            left = max(left, line.right)
        elif line.left >= middle:
            right = min(right, line.left)
        elif line.right < right and line.left < left:
            left = line.right
        elif line.left > left and line.right > right:
            right = line.left
        else:
            return None
    return (left, right) if right - left >= _MIN_GUTTER * row[0].size else None


def _columns(rows: Sequence[_Row], gutters: Sequence[_Gutter]) -> list[list[Line]]:
    """Return the lines of the columns, or all lines in one list if the columns do not contain running text."""
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    full = 0
    for row in rows:
        found = set()
        for line in row:
            place = sum(line.left + line.right > left + right for left, right in gutters)
            columns[place].append(line)
            found.add(place)
        full += len(found) == len(columns)
    if gutters and full >= _MIN_ROWS and all(map(_is_text, columns)):
        return columns
    return [[line for row in rows for line in row]]


def _is_text(column: Sequence[Line]) -> bool:
    widths = [line.right - line.left for line in column]
    going_on = sum(not line.text[0].isupper() and line.text[0].isalpha() for line in column)
    return (
        going_on >= _GOING_ON * len(column)
        and median(len(line.text) for line in column) >= _MIN_CHARS
        and median(widths) >= _FULL * max(widths)
    )


def _whole(lines: Iterator[Line]) -> Iterator[Line]:
    """Yield the lines, with consecutive parts of one line joined."""
    last: Line | None = None
    for line in lines:
        if last is not None and line.row == last.row and line.left >= last.right and not (line.cells or last.cells):
            last = replace(last, text=f"{last.text} {line.text}", right=line.right, last_base=line.last_base)
            continue
        if last is not None:
            yield last
        last = line
    if last is not None:
        yield last
