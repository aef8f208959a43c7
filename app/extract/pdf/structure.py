"""Find the structure of PDF text: headings from the outline or larger type, and lines joined to paragraphs, list items and code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

from app import caps
from app.extract.characters import collapse
from app.extract.pdf.lines import BREAK_MARK, Line, PageText, Words, ends_broken, plain, text_sizes
from app.extract.writer.tables import piped

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MAX_OUTLINE: Final = 10_000
_MAX_LEVEL: Final = 6
_MAX_LINES: Final = 3
_NUMBERING: Final = re.compile(
    r"\A(?:chapter|part|appendix|section)?\s*(?:[A-Z]|\d+)?(?:\.\d+)*[.:]?\s+", re.IGNORECASE
)
_LARGER: Final = 1.12
_MAX_SIZES: Final = 3
_MAX_SHARE: Final = 0.1  # A larger share of large text is not headings.
_BULLET: Final = re.compile(r"[•●▪■◦‣⁃∙○·–-]\s+(?=\S)")
_NUMBERED: Final = re.compile(r"(?:\(?(?:\d{1,3}|[a-z])[.)]|\[\d{1,3}\])\s+\S")
_SENTENCE_END: Final = re.compile(r"[.!?:;。！？…][\"'”’)\]]*\Z")
_END_CHARS: Final = 8
_HAZARD: Final = re.compile(r"(?=#{1,6}(?:\s|$)|```|~~~|\$\$)")
_GAP: Final = 1.25  # A distance larger than this multiple of the usual one separates paragraphs.
_OTHER_SIZE: Final = 0.12
_INDENT: Final = 0.8  # First lines are indented by more than this multiple of the font size.
_SHORT: Final = 0.8
_NEW_COLUMN: Final = 3.0
"""A line that is higher than the last by more than this multiple of the font size begins a column."""
_SAME_LEFT: Final = 18.0  # Points; the width of an indent.
_MIN_FULL: Final = 4  # The least number of lines that end at a margin of their own.
_FULL: Final = 0.85  # The share of it that most of them fill; the lines of lists differ more.


@dataclass(frozen=True, slots=True)
class Heading:
    """Lines `first` to `last` (exclusive) of a page as a heading, or none (`first` is `last`) if the page does not contain it."""

    level: int
    title: str
    first: int = 0
    last: int = 0


def declared_text(read: Callable[[], str]) -> str:
    """Return the result of `read` with lone surrogates replaced: the library decodes strictly."""
    try:
        return read()
    except UnicodeDecodeError as error:
        return error.object.decode(error.encoding, "replace")


def read_outline(document: PdfDocument) -> dict[int, list[tuple[int, str]]]:
    """Return (level, title) of the outline's entries by page number (from 1), in order."""
    entries: dict[int, list[tuple[int, str]]] = defaultdict(list)
    for place, mark in enumerate(document.get_toc()):
        if place >= _MAX_OUTLINE:
            break
        target = mark.get_dest()
        page = target.get_index() if target is not None else None
        title = collapse(declared_text(mark.get_title))[: caps.MAX_HEADING_CHARS].rstrip()
        if page is not None and title:
            entries[page + 1].append((min(mark.level + 1, _MAX_LEVEL), title))
    return dict(entries)


def outline_headings(page: PageText, entries: Sequence[tuple[int, str]]) -> list[Heading]:
    """Return the entries of a page in the order of its lines; entries not found on it come first."""
    found: list[Heading] = []
    missing: list[Heading] = []
    spans = _spans(page.lines) if entries else {}
    taken: set[int] = set()
    start = 0
    for level, title in entries:
        # The first such lines from the last heading on, otherwise the first ones of the page.
        known = [spans[key] for key in _plain_forms(title) if key in spans]
        after = [each[at] for each in known if (at := bisect_left(each, (start, 0))) < len(each)]
        span = min(after or [each[0] for each in known], default=None)
        if span is None or not taken.isdisjoint(range(*span)):
            missing.append(Heading(level, title))
            continue
        found.append(Heading(level, _joined(page.lines[span[0] : span[1]]), *span))
        taken.update(range(*span))
        start = span[1]
    return missing + sorted(found, key=lambda heading: heading.first)


def typographic_headings(pages: Sequence[PageText]) -> dict[int, list[Heading]]:
    """Return headings by page number based on font sizes, for files without outline."""
    sizes = text_sizes(pages)
    if not sizes:
        return {}
    body = sizes.most_common(1)[0][0]
    large = sorted((size for size in sizes if size > _LARGER * body), reverse=True)
    if not large or sum(sizes[size] for size in large) > _MAX_SHARE * sizes.total():
        return {}
    levels = {size: min(rank, _MAX_SIZES) for rank, size in enumerate(large, 1)}
    found: dict[int, list[Heading]] = {}
    for page in pages:
        headings = found[page.number] = []
        for place, line in enumerate(page.lines):
            level = levels.get(round(line.size, 1))
            if level is None or line.cells or not any(map(str.isalpha, line.text)):
                continue
            last = headings[-1] if headings else Heading(0, "")
            if last.last == place and last.level == level and place - last.first < _MAX_LINES:
                headings[-1] = Heading(level, _joined(page.lines[last.first : place + 1]), last.first, place + 1)
            else:
                headings.append(Heading(level, line.text[: caps.MAX_HEADING_CHARS].rstrip(), place, place + 1))
    return found


def _spans(lines: Sequence[Line]) -> dict[str, list[tuple[int, int]]]:
    """Return the first line and the line after the last one of all texts that can be a title, by their plain forms."""
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for first in range(len(lines)):
        text = ""
        for last in range(first, min(first + _MAX_LINES, len(lines))):
            text = f"{text} {lines[last].text}".strip()
            if len(text) > 2 * caps.MAX_HEADING_CHARS:
                break
            for key in _plain_forms(text):
                spans[key].append((first, last + 1))
    return spans


def _plain_forms(text: str) -> set[str]:
    return {plain(text), plain(_NUMBERING.sub("", text))} - {""}


def _joined(lines: Sequence[Line]) -> str:
    text = collapse(" ".join(line.text for line in lines).replace(BREAK_MARK, "-"))
    return text[: caps.MAX_HEADING_CHARS].rstrip()


@dataclass(slots=True)
class Block:
    """Lines that belong together, and where full lines of their columns end."""

    lines: list[Line] = field(default_factory=list)
    margins: list[float] = field(default_factory=list)

    @property
    def is_code(self) -> bool:
        return all(line.is_mono for line in self.lines)


def line_distance(pages: Sequence[PageText]) -> float:
    """Return the usual line distance in a paragraph, as a multiple of the font size."""
    found = []
    for page in pages:
        for above, below in pairwise(page.lines):
            distance = (above.last_base - below.base) / max(below.size, 1.0)
            if 0.8 < distance < 2.2 and above.size == below.size:
                found.append(distance)
    return median(found) if found else 1.2


def column_margins(lines: Sequence[Line]) -> list[float]:
    """Return for every line where full lines of its column end: those that begin at about the same place, if these are running text."""
    margins: list[float] = []
    column: list[Line] = []
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        column.append(line)
        if following is None or following.base > line.last_base + _NEW_COLUMN * line.size:
            ends: dict[int, list[float]] = defaultdict(list)
            for each in column:
                ends[round(each.left / _SAME_LEFT)].append(each.right)
            full = {}
            widest = sorted(line.right for line in column)[len(column) * 4 // 5]
            for place in ends:
                near = sorted(end for step in (-1, 0, 1) for end in ends.get(place + step, ()))
                left, typical, end = place * _SAME_LEFT, near[len(near) // 2], near[len(near) * 4 // 5]
                is_text = len(near) >= _MIN_FULL and typical - left >= _FULL * (end - left)
                full[place] = end if is_text else widest
            margins += [full[round(each.left / _SAME_LEFT)] for each in column]
            column = []
    return margins


def blocks_of(lines: Sequence[Line], margins: Sequence[float], distance: float) -> Iterator[Block]:
    """Yield the blocks of a page without headings; code and tables are separate blocks."""
    block = Block()
    for line, margin in zip(lines, margins, strict=True):
        if block.lines and _starts_block(block, line, distance):
            yield block
            block = Block()
        block.lines.append(line)
        block.margins.append(margin)
    if block.lines:
        yield block


def _starts_block(block: Block, line: Line, distance: float) -> bool:
    last = block.lines[-1]
    if last.cells or line.cells:
        return True
    if block.is_code != line.is_mono:
        return block.is_code or line.is_mono
    gap = last.last_base - line.base
    if gap > _GAP * distance * max(line.size, 1.0):
        return True
    if line.is_mono:
        return False
    if _BULLET.match(line.text) or _NUMBERED.match(line.text):
        return not ends_broken(last.text)
    if abs(line.size - last.size) > _OTHER_SIZE * last.size:
        return True
    is_ended = bool(_SENTENCE_END.search(last.text[-_END_CHARS:]))
    if gap <= 0 or not is_ended:
        return is_ended
    first = block.lines[0]
    if _BULLET.match(first.text) or _NUMBERED.match(first.text):
        return line.left <= first.left + 1 < last.left
    is_indented = line.left > last.left + _INDENT * line.size
    is_short = last.right < last.left + _SHORT * (block.margins[-1] - last.left)
    return is_indented or is_short


def block_text(block: Block, words: Words) -> str:
    """Return the block as Markdown."""
    if block.lines[0].cells:
        rows = [
            [words.mend(cell).replace("\n", " ").replace("|", "\\|") for cell in row] for row in block.lines[0].cells
        ]
        return "\n".join(piped(rows)[0])
    if block.is_code:
        left = min(line.left for line in block.lines)
        shown = []
        for line in block.lines:
            width = (line.right - line.left) / max(len(line.text), 1)
            indent = round((line.left - left) / width) if width > 0 else 0
            shown.append(" " * min(indent, 80) + line.text.replace(BREAK_MARK, "-"))
        fence = "````" if any("```" in line for line in shown) else "```"
        return "\n".join([fence, *shown, fence])
    parts = [block.lines[0].text]
    for (last, line), margin in zip(pairwise(block.lines), block.margins, strict=False):
        # A line may end although the first word of the next would have fit.
        width = (last.right - last.left) / max(len(last.text), 1)
        is_ended = "…" in last.text or last.right + (len(line.text.partition(" ")[0]) + 2) * width < margin
        parts += ["\n" if ends_broken(last.text) else "\v" if is_ended else " ", line.text]
    text = words.mend("".join(parts)).replace("\n", " ").replace("\v", "\n")
    text = _BULLET.sub("- ", text, count=1) if _BULLET.match(text) else text
    return "\n".join(_HAZARD.sub(r"\\", line, count=1) if _HAZARD.match(line) else line for line in text.split("\n"))
