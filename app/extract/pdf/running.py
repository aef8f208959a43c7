"""Remove running headers, footers and page numbers, which repeat at the edges of pages, and the numbers of lines in their margins.

A line is removed only if it is alone at the edge, most pages have such a line in this row, and its words repeat there or are a title of
the file. Numbers in it may only count the pages or the chapters.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median
from typing import Final

from app.extract.pdf.lines import Line, PageText, plain, text_sizes

_MIN_PAGES: Final = 3
_ROWS: Final = 2  # The number of lines at the top and at the bottom of a page that may be running lines.
_MARGIN_SHARE: Final = 0.14  # The share of the height at the top and at the bottom in which they occur.
_STEP_POINTS: Final = 3.0
_SAME_ROW_POINTS: Final = 2.0
_MANY: Final = 0.4
_RUNS: Final = 4
_GAP: Final = 1.25  # A distance larger than this multiple of the usual one separates a line from the body.
_SMALLER: Final = 0.92
_HEADING: Final = 1.3  # Text larger than this multiple of the body's size is a heading.
_BODY_SHARE: Final = 0.8
_NEAR_PAGES: Final = 4
_MIN_WORDS: Final = 2
_MAX_ROMAN_SIGNS: Final = 7
_MAX_DIGITS: Final = 9
_NUMBER: Final = re.compile(r"\d+")
_ROMAN: Final = re.compile(r"[ivxlc]+", re.IGNORECASE)
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_LETTERS: Final = re.compile(r"[^\W\d_]{2,}")
_PAGE: Final = (
    r"\b(?:page|seite|pagina|página|pag|pág|sida|side|strona|sivu|oldal|стр|страница|ページ|folie|slide|blatt|sheet)\b\.?"
    r"|(?<![^\W\d_])(?:p|s)\."
)
_NAMED: Final = re.compile(rf"(?:{_PAGE})[\s#]*\Z", re.IGNORECASE)
_SET_APART: Final = re.compile(r"[|–—•][\s#]*+\Z|(?<![\s#])(?=[\s#]*?\s{2})[\s#]++\Z")
_SETS_APART: Final = re.compile(r"\s*(?:[|–—•]|\s{2})")
_NAMES: Final = re.compile(rf"{_PAGE}|\b(?:of|von|de|sur|di)\b", re.IGNORECASE)
"""Words that mark a page number, and words between it and the number of pages."""
_DATE: Final = re.compile(r"(?<!\d)(?:\d{1,2}([./-])\s?\d{1,2}\1\s?\d{2,4}|\d{4}([./-])\d{1,2}\2\d{1,2})(?!\d)")
_SENTENCE_END: Final = re.compile(r"[^\W\d_]{2}[.!?。！？][\"'”’)\]]*+\Z")
_NUMBERING: Final = re.compile(
    r"\A\W*(?:chapter|part|appendix|section|kapitel|chapitre)?\s*(?:[A-Z](?=[.\s\d])|\d+)?(?:\.\d+)*[.:]?\s+",
    re.IGNORECASE,
)

_LINE_NUMBER: Final = re.compile(r"[0-9]{1,4}")
_MIN_LINE_NUMBERS: Final = 8
_IN_MARGIN: Final = 0.9  # The least share of other lines beside the column of numbers.
_MIN_CHARS: Final = 15  # Lines of text usually have more characters; cells of tables have fewer.
_GOING_ON: Final = 0.3  # The least share of lines of text that begin within a sentence.

_Row = tuple[bool, int]  # Whether at the top, and the height in steps.


@dataclass(frozen=True, slots=True, eq=False)
class _Edge:
    """A line at the edge of a page that may be a running line. `page` is the position of its page."""

    page: int
    line: Line
    row: _Row
    pattern: str
    numbers: tuple[int, ...]
    is_alone: bool


class _Group:
    """Lines at one height with the same words, in the order of their pages."""

    def __init__(self, edges: Sequence[_Edge]) -> None:
        self.places = {edge: place for place, edge in enumerate(edges)}
        self.edges = edges
        self.pages = len({edge.page for edge in edges})
        self.is_mostly_alone = 2 * sum(edge.is_alone for edge in edges) >= len(edges)
        self.values = [set(values) for values in zip(*(edge.numbers for edge in edges), strict=False)]

    def counts_chapters(self, edge: _Edge, slot: int) -> bool:
        """Whether a number stays the same over several pages and grows by at most one from page to page."""
        return 2 * len(self.values[slot]) <= len(self.edges) and self.steps(edge, slot)

    def steps(self, edge: _Edge, slot: int) -> bool:
        """Whether a number grows at most as fast as the pages, from the previous line to this one or from this one to the next."""
        place = self.places[edge]
        return any(
            two.page - one.page <= _NEAR_PAGES and 0 <= two.numbers[slot] - one.numbers[slot] <= two.page - one.page
            for one, two in pairwise(self.edges[max(place - 1, 0) : place + 2])
        )


def without_running_lines(pages: Sequence[PageText], distance: float, titles: Iterable[str] = ()) -> list[PageText]:
    """Return the pages without running lines, unless there are no others. `distance`: of lines, in font sizes. `titles`: of the outline."""
    for find in (_line_numbers, partial(_running, distance=distance, titles=titles)):
        gone = {id(line) for line in find(pages)}
        kept = [replace(page, lines=tuple(line for line in page.lines if id(line) not in gone)) for page in pages]
        pages = kept if any(page.lines for page in kept) else list(pages)
    return list(pages)


def _line_numbers(pages: Sequence[PageText]) -> list[Line]:
    """Return the numbers of lines, as in manuscripts and pleadings: a counting column in the margin of most pages, beside running text.

    The first column of a table, such as years and ranks, counts too.
    """
    found = [_counting_column(page.lines) for page in pages]
    full = sum(len(page.lines) >= _MIN_LINE_NUMBERS for page in pages)
    many = sum(map(bool, found))
    numbers = [line for column in found for line in column]
    within = {id(line) for line in numbers}
    beside = [
        line.text
        for page, column in zip(pages, found, strict=True)
        for line in page.lines
        if column and id(line) not in within
    ]
    return numbers if is_running_text(beside) and many >= max(_MIN_PAGES, full / 2) else []


def is_running_text(texts: Sequence[str]) -> bool:
    """Whether lines are from paragraphs, not from the cells of a table."""
    going_on = sum(text[0].isalpha() and not text[0].isupper() for text in texts)
    return bool(texts) and going_on >= _GOING_ON * len(texts) and median(map(len, texts)) >= _MIN_CHARS


def _counting_column(lines: Sequence[Line]) -> list[Line]:
    columns: dict[tuple[bool, int], list[Line]] = defaultdict(list)
    for line in lines:
        if _LINE_NUMBER.fullmatch(line.text):
            columns[True, round(line.left / _STEP_POINTS)].append(line)
            columns[False, round(line.right / _STEP_POINTS)].append(line)
    column = max(columns.values(), key=len) if columns else []
    column.sort(key=lambda line: -line.base)
    if len(column) < _MIN_LINE_NUMBERS:
        return []
    numbers = [int(line.text) for line in column]
    (step, times), *_ = Counter(two - one for one, two in pairwise(numbers)).most_common(1)
    left, right = min(line.left for line in column), max(line.right for line in column)
    within = {id(line) for line in column}
    others = [line for line in lines if id(line) not in within]
    beside = sum(line.right <= left for line in others), sum(line.left >= right for line in others)
    is_margin = max(beside) >= _IN_MARGIN * len(others)
    return column if step > 0 and times >= _IN_MARGIN * (len(column) - 1) and is_margin else []


def _running(pages: Sequence[PageText], distance: float, titles: Iterable[str]) -> Iterator[Line]:
    largest = _HEADING * _body_size(pages)
    edges = [
        edge for place, page in enumerate(pages) for edge in _edges(place, page, distance) if edge.line.size <= largest
    ]
    members: dict[tuple[_Row, str], list[_Edge]] = defaultdict(list)
    offsets: Counter[tuple[_Row, int]] = Counter()
    for edge in edges:
        for row in _near(edge.row):
            members[row, edge.pattern].append(edge)
            offsets.update((row, number - edge.page) for number in {*edge.numbers[:1], *edge.numbers[-1:]})
    groups = {key: _Group(group) for key, group in members.items()}
    repeated = {edge for edge in edges if _repeats(edge, groups[edge.row, edge.pattern], offsets)}
    enough = max(_MANY * sum(bool(page.lines) for page in pages), _MIN_PAGES)
    # Files without their blank pages count in several runs. Words of only one page are the title of a slide or a chapter, which may count.
    run = max(enough / _RUNS, _MIN_PAGES)
    counts = (
        each
        for each in edges
        if each.is_alone
        and groups[each.row, each.pattern].pages > 1
        and any(offsets[each.row, n - each.page] >= run for n in each.numbers)
    )
    # The number of pages with a line at or near each height that repeats or counts the pages.
    filled = Counter(row for _, row in {(edge.page, row) for edge in {*repeated, *counts} for row in _near(edge.row)})
    candidates = [edge for edge in edges if filled[edge.row] >= enough]
    known: set[str] | None = None
    for edge in candidates:
        if edge not in repeated and edge.is_alone and known is None:
            # The titles of the outline and all lines of the pages except running ones, without punctuation.
            outer = {id(other.line) for other in candidates}
            known = {plain(title) for title in titles}
            known.update(plain(line.text) for page in pages for line in page.lines if id(line) not in outer)
        if edge in repeated or (edge.is_alone and known is not None and _is_title(edge, known, offsets)):
            yield edge.line


def _body_size(pages: Sequence[PageText]) -> float:
    """Return the size of running text; code and notes may be smaller."""
    sizes = text_sizes(pages)
    left = _BODY_SHARE * sizes.total()
    for size in sorted(sizes):
        left -= sizes[size]
        if left <= 0:
            return size
    return 0.0


def _edges(place: int, page: PageText, distance: float) -> Iterator[_Edge]:
    """Yield the lines at the edges of a page."""
    by_height = sorted((line for line in page.lines if not line.cells), key=lambda line: line.base)
    for is_top, lines in ((True, by_height[::-1]), (False, by_height)):
        rows = _outer_rows(lines)
        alone = 0
        for number, (row, inner) in enumerate(pairwise([*rows, []]), 1):
            if number > _ROWS:
                break
            size, body = (max((line.size for line in each), default=0.0) for each in (row, inner))
            gap = abs(row[0].base - inner[0].base) if inner else 0.0
            if not inner or size < _SMALLER * body or gap > _GAP * distance * max(size, body):
                alone = number
        for number, row in enumerate(rows[:_ROWS]):
            for line in row:
                height = page.height - line.base if is_top else line.base
                if height > _MARGIN_SHARE * page.height:
                    continue
                at = (is_top, round(line.base / _STEP_POINTS))
                text = line.text.lower()
                bare = text.strip(" -–—.|[]()")
                pattern = _NUMBER.sub("#", text)
                numbers = tuple(int(digits[-_MAX_DIGITS:]) for digits in _NUMBER.findall(text))
                if len(bare) <= _MAX_ROMAN_SIGNS and _ROMAN.fullmatch(bare):
                    values = [_ROMAN_VALUES[sign] for sign in bare]
                    pattern, numbers = "#", (sum(-a if a < b else a for a, b in pairwise([*values, 0])),)
                yield _Edge(place, line, at, pattern, numbers, is_alone=number < alone)


def _outer_rows(lines: Iterable[Line]) -> list[list[Line]]:
    """Return the lines at the outermost heights, and at the next one."""
    rows: list[list[Line]] = []
    for line in lines:
        if rows and abs(line.base - rows[-1][0].base) <= _SAME_ROW_POINTS:
            rows[-1].append(line)
        elif len(rows) > _ROWS:
            break
        else:
            rows.append([line])
    return rows


def _near(row: _Row) -> Iterator[_Row]:
    return ((row[0], row[1] + step) for step in (-1, 0, 1))


def _repeats(edge: _Edge, group: _Group, offsets: Mapping[tuple[_Row, int], int]) -> bool:
    """Whether a line's words occur on enough pages, and its numbers are not data."""
    if group.pages < _MIN_PAGES:
        return False
    changing = [slot for slot, values in enumerate(group.values) if len(values) > 1]
    if not changing:
        return edge.is_alone or group.is_mostly_alone
    return edge.is_alone and all(
        group.counts_chapters(edge, slot)
        or (
            _may_be_page_number(edge, slot)
            and (group.steps(edge, slot) or offsets[edge.row, edge.numbers[slot] - edge.page] >= _MIN_PAGES)
        )
        for slot in changing
    )


def _may_be_page_number(edge: _Edge, slot: int) -> bool:
    """Whether the number is alone, is named or set apart, or is at an end of several words."""
    text = edge.line.text
    if _SENTENCE_END.search(text):
        return False
    places = list(_NUMBER.finditer(text))
    if len(edge.numbers) != len(places):  # a Roman numeral
        return True
    place = places[slot]
    if any(date.start() <= place.start() < date.end() for date in _DATE.finditer(text)):
        return False
    if not _LETTERS.search(_NAMES.sub(" ", edge.pattern)):  # only numbers and words that mark page numbers
        return slot >= len(places) - 2
    before, behind = text[: place.start()], text[place.end() :]
    is_first = not before.strip(" -–—|") and behind[:1].isspace()
    is_last = not _LETTERS.search(_NAMES.sub(" ", behind))
    if is_last and _NAMED.search(before):
        return True
    if edge.numbers[slot] > 2 * (edge.page + _NEAR_PAGES):
        return False
    if (is_last and _SET_APART.search(before)) or (is_first and _SETS_APART.match(behind)):
        return True
    return (is_first or not behind.strip()) and len(_LETTERS.findall(text)) >= _MIN_WORDS


def _is_title(edge: _Edge, known: set[str], offsets: Mapping[tuple[_Row, int], int]) -> bool:
    """Whether a line is a title, alone or with the number of its page."""
    text = edge.line.text
    if _SENTENCE_END.search(text):
        return False
    titles = [text]
    found = list(_NUMBER.finditer(text))
    for number in {*found[:1], *found[-1:]}:
        if offsets[edge.row, int(number[0][-_MAX_DIGITS:]) - edge.page] >= _MIN_PAGES:
            before, behind = text[: number.start()], text[number.end() :]
            titles.append(before if number is found[-1] and not behind.strip() else behind)
    named = (each for title in titles if _LETTERS.search(title) for each in (title, _NUMBERING.sub("", title)))
    return any(plain(title) in known for title in named)
