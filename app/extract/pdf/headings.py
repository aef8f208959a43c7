"""Headings of a PDF: the titles of its outline where they stand in the text, else lines in larger type."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app import caps
from app.extract.characters import collapse
from app.extract.pdf.reading import BREAK_MARK, Line, PageText

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MAX_OUTLINE: Final = 10_000
_MAX_LEVEL: Final = 6
_MAX_LINES: Final = 3
_SIGNS: Final = re.compile(r"[\W_]+")
_NUMBERING: Final = re.compile(
    r"\A(?:chapter|part|appendix|section)?\s*(?:[A-Z]|\d+)?(?:\.\d+)*[.:]?\s+", re.IGNORECASE
)
_LARGER: Final = 1.12
_MAX_SIZES: Final = 3
_MAX_SHARE: Final = 0.1
"""More large text than this is no headings."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Lines `first` to `last` (exclusive) of a page as a heading; of none (`first` is `last`) where the page holds no such line."""

    level: int
    title: str
    first: int = 0
    last: int = 0


def read_outline(document: PdfDocument) -> dict[int, list[tuple[int, str]]]:
    """(level, title) of the outline's entries by page number (from 1), in order."""
    entries: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place, mark in enumerate(document.get_toc()):
        if place >= _MAX_OUTLINE:
            break
        target = mark.get_dest()
        page = target.get_index() if target is not None else None
        title = collapse(mark.get_title())[: caps.MAX_HEADING_CHARS].rstrip()
        if page is not None and title:
            entries[page + 1].append((min(mark.level + 1, _MAX_LEVEL), title))
    return dict(entries)


def outline_headings(page: PageText, entries: Sequence[tuple[int, str]]) -> list[Heading]:
    """The entries of a page in the order of its lines; those that it does not hold come first."""
    found: list[Heading] = []
    missing: list[Heading] = []
    start = 0
    for level, title in entries:
        span = _find(page.lines, title, start) or _find(page.lines, title, 0)
        if span is None or any(span[0] < other.last and other.first < span[1] for other in found):
            missing.append(Heading(level, title))
            continue
        text = _joined(page.lines[span[0] : span[1]])
        found.append(Heading(level, text[: caps.MAX_HEADING_CHARS].rstrip(), *span))
        start = span[1]
    return missing + sorted(found, key=lambda heading: heading.first)


def typographic_headings(pages: Sequence[PageText]) -> dict[int, list[Heading]]:
    """Headings by page number out of the sizes of type, for files without outline."""
    sizes: Counter[float] = Counter()
    for page in pages:
        for line in page.lines:
            sizes[round(line.size, 1)] += len(line.text)
    if not sizes:
        return {}
    body = sizes.most_common(1)[0][0]
    large = sorted((size for size in sizes if size > _LARGER * body), reverse=True)
    if not large or sum(sizes[size] for size in large) > _MAX_SHARE * sizes.total():
        return {}
    levels = {size: min(rank, _MAX_SIZES) for rank, size in enumerate(large, 1)}
    return {page.number: _large_lines(page.lines, levels) for page in pages}


def _large_lines(lines: Sequence[Line], levels: dict[float, int]) -> list[Heading]:
    """Runs of lines of one large size."""
    headings: list[Heading] = []
    for place, line in enumerate(lines):
        level = levels.get(round(line.size, 1))
        if level is None or not any(map(str.isalpha, line.text)):
            continue
        last = headings[-1] if headings else None
        if last is not None and last.last == place and last.level == level and place - last.first < _MAX_LINES:
            title = _joined(lines[last.first : place + 1])
            headings[-1] = Heading(level, title[: caps.MAX_HEADING_CHARS].rstrip(), last.first, place + 1)
        else:
            headings.append(Heading(level, line.text[: caps.MAX_HEADING_CHARS].rstrip(), place, place + 1))
    return headings


def _find(lines: Sequence[Line], title: str, start: int) -> tuple[int, int] | None:
    wanted = {_plain(title), _plain(_NUMBERING.sub("", title))} - {""}
    for first in range(start, len(lines)):
        text = ""
        for last in range(first, min(first + _MAX_LINES, len(lines))):
            text = f"{text} {lines[last].text}".strip()
            if len(text) > 2 * caps.MAX_HEADING_CHARS:
                break
            if _plain(text) in wanted or _plain(_NUMBERING.sub("", text)) in wanted:
                return first, last + 1
    return None


def _joined(lines: Sequence[Line]) -> str:
    return collapse(" ".join(line.text for line in lines).replace(BREAK_MARK, "-"))


def _plain(text: str) -> str:
    return _SIGNS.sub("", text).lower()
