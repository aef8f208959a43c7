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
    rows = list(_rows(_from_top(lines)))
    ordered: list[Line] = []
    place = 0
    while place < len(rows):
        # The following rows that leave the same gutters free belong together.
        first = place
        gutters = [(one.right, two.left) for one, two in pairwise(rows[first])]
        place += 1
        while gutters and place < len(rows):
            left = [kept for gutter in gutters if (kept := _narrowed(gutter, rows[place])) is not None]
            if not left:
                break
            gutters = left
            place += 1
        for line in (line for column in _columns(rows[first:place], gutters) for line in column):
            last = ordered[-1] if ordered else None
            is_part = last is not None and line.row == last.row and line.left >= last.right
            if last is not None and is_part and not (line.cells or last.cells):
                text = f"{last.text} {line.text}"
                ordered[-1] = replace(last, text=text, right=line.right, last_base=line.last_base)
            else:
                ordered.append(line)
    return ordered


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


def _is_text(column: Sequence[Line]) -> bool:
    widths = [line.right - line.left for line in column]
    going_on = sum(not line.text[0].isupper() and line.text[0].isalpha() for line in column)
    is_going_on = going_on >= _GOING_ON * len(column)
    return (
        is_going_on
        and median(len(line.text) for line in column) >= _MIN_CHARS
        and median(widths) >= _FULL * max(widths)
    )


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
