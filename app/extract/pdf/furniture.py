"""Running headers and footers: what stands at the same place of most pages, and page numbers."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from app.extract.pdf.reading import Line, PageText

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


def without_furniture(pages: Sequence[PageText]) -> list[PageText]:
    """The pages without the lines that repeat at their edges."""
    found = [_edges(page) for page in pages]
    texts: dict[_Row, Counter[str]] = defaultdict(Counter)
    for edges in found:
        for line, row in edges.items():
            texts[row][_pattern(line)] += 1
    rows = _rows(texts, sum(bool(page.lines) for page in pages))
    cleaned = []
    for page, edges in zip(pages, found, strict=True):
        gone = {line for line, row in edges.items() if _is_furniture(line, row, texts, rows)}
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


def _is_furniture(line: Line, row: _Row, texts: dict[_Row, Counter[str]], rows: set[_Row]) -> bool:
    near = [(row[0], row[1] + step) for step in (-1, 0, 1)]
    repeats = sum(texts[each][_pattern(line)] for each in near if each in texts)
    in_row = any(each in rows for each in near)
    if in_row and (repeats >= _MIN_PAGES or _NUMBER.search(line.text)):
        return True
    return bool(_BARE_NUMBER.fullmatch(line.text)) and (in_row or repeats >= _MIN_PAGES)


def _pattern(line: Line) -> str:
    return _NUMBER.sub("#", line.text.lower())
