"""Read a PDF file: each of its pages is a section with the anchor `page=N`, with its lines from top to bottom and column by column."""

from __future__ import annotations

import contextlib
import logging
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import inf
from statistics import median
from typing import Final

from app import caps
from app.errors import ContentProtectedError, DamagedFileError, EmptyPageError
from app.extract.addresses import file_name
from app.extract.characters import collapse
from app.extract.page import Link, Page, PageParts, closed, iso_date
from app.extract.pdf import structure
from app.extract.pdf.forms import without_endless_forms
from app.extract.pdf.lines import Line, PageText, Words
from app.extract.pdf.pages import read_page
from app.extract.pdf.running import is_running_text, without_running_lines
from app.text.sentence import joined, sentence

_MIN_ROWS: Final = 4  # The minimum number of rows in columns with text on both sides of a gutter.
_FULL: Final = 0.75  # The share of their column that lines usually fill.
_MIN_GUTTER: Final = 0.7  # The width of a gutter as a multiple of the font size.

_MIN_TABLE_ROWS: Final = 3
_MAX_ROW_DISTANCE: Final = 3.0  # The distance of the rows of a table as a multiple of the font size.
_MAX_NAME_CHARS: Final = 30  # All columns of a table but the last have names rather than text.
_MARKER: Final = re.compile(r"\W{0,2}\w{0,3}\W{0,2}")

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
        columns = _columns(rows[first:place], gutters)
        if len(columns) == 1 and (table := _table(found := _without_text_below(rows[first:place]))):
            ordered.append(table)
            place = first + len(found)
            continue
        for line in (line for column in columns for line in column):
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
    if all(above.base >= below.base - below.size for above, below in pairwise(lines)):
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
    return is_running_text([line.text for line in column]) and median(widths) >= _FULL * max(widths)


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


def _without_text_below(rows: Sequence[_Row]) -> Sequence[_Row]:
    """Return the rows without single lines at the end that continue no cell, because they begin where the rows begin."""
    left = min((line.left + line.size for row in rows if len(row) > 1 for line in row), default=0.0)
    end = len(rows)
    while end and len(rows[end - 1]) == 1 and rows[end - 1][0].left < left:
        end -= 1
    return rows[:end]


def _table(rows: Sequence[_Row]) -> Line | None:
    """Return rows side by side as a table without lines, or None if they are columns of text, a list or single rows."""
    parts = [line for row in rows for line in row]
    if len(rows) < _MIN_TABLE_ROWS or any(line.is_mono or line.cells or "…" in line.text for line in parts):
        return None
    if any(above[-1].last_base - below[0].base > _MAX_ROW_DISTANCE * below[0].size for above, below in pairwise(rows)):
        return None
    # The columns are the places that no part leaves free.
    starts: list[float] = []
    right = -inf
    for line in sorted(parts, key=lambda line: line.left):
        if line.left > right:
            starts.append(line.left)
        right = max(right, line.right)
    cells: list[list[str]] = []
    others: dict[tuple[int, int], list[str]] = {}  # The other lines of cells of several lines.
    for row in rows:
        texts = [""] * len(starts)
        for line in row:
            place = bisect_right(starts, line.left) - 1
            texts[place] = f"{texts[place]} {line.text}".strip()
        filled = [place for place, text in enumerate(texts) if text]
        if cells and len(filled) == 1 and filled[0] and cells[-1][filled[0]]:
            others.setdefault((len(cells) - 1, filled[0]), []).append(texts[filled[0]])
        else:
            cells.append(texts)
    for (number, place), more in others.items():
        cells[number][place] = "\n".join([cells[number][place], *more])
    full = sum(sum(map(bool, texts)) > 1 for texts in cells)
    is_list = len(starts) == 2 and all(_MARKER.fullmatch(texts[0]) for texts in cells)
    is_text = any(median(len(texts[place]) for texts in cells) > _MAX_NAME_CHARS for place in range(len(starts) - 1))
    if len(starts) < 2 or full < max(_MIN_TABLE_ROWS, _FULL * len(cells)) or is_list or is_text:
        return None
    first = rows[0][0]
    text = " ".join(text for texts in cells for text in texts if text)
    left, right = min(line.left for line in parts), max(line.right for line in parts)
    return replace(
        first, text=text, left=left, right=right, last_base=rows[-1][-1].last_base, cells=tuple(map(tuple, cells))
    )


log = logging.getLogger(__name__)

MAX_PDF_PAGES: Final = 2_000
_PASSWORD_ERROR: Final = 4
_SECURITY_ERROR: Final = 5
_NO_TITLE: Final = re.compile(r"(?:untitled|microsoft word|.*\.(?:docx?|tex|dvi|indd|odt|pdf|ps|qxd)\Z)", re.IGNORECASE)
_LARGER: Final = 1.15
_PICTURES_SHARE: Final = 0.3  # If more pages than this have no text, a note reports it.


@dataclass(frozen=True, slots=True)
class Contents:
    """The complete contents of a file: pages, (level, title) of the outline by page number, and declared title and date."""

    count: int
    pages: list[PageText]
    outline: dict[int, list[tuple[int, str]]]
    title: str
    created: str
    attachments: int

    @property
    def titles(self) -> list[str]:
        """Return the titles of the outline."""
        return [title for entries in self.outline.values() for _, title in entries]


def extract_pdf(body: bytes, *, url: str) -> Page:
    """Return the page of a PDF file. Raises ContentProtectedError, EmptyPageError and UnsupportedContentError."""
    found = read_contents(body, url)
    garbled = sum(page.is_garbled for page in found.pages)
    if not any(page.lines for page in found.pages):
        message = sentence("{} has no text layer, only images (pages: {}).", url, f"{found.count:,}")
        if garbled:
            message = sentence("The fonts of {} do not name their letters, so its text cannot be read.", url)
        raise EmptyPageError(message, url=url, hint="Run text recognition (OCR) on the file, then add it again.")
    # The declared title if it is a real one, otherwise the largest lines of the first page, otherwise the file's name.
    title = collapse(found.title)
    if len(title) < 3 or _NO_TITLE.match(title):
        shown = [line for line in found.pages[0].lines if not line.cells]
        sizes = [round(line.size, 1) for line in shown]
        lines = [line.text for line, size in zip(shown, sizes, strict=True) if size == max(sizes)]
        title = collapse(" ".join(lines[:3])) if sizes and max(sizes) > _LARGER * median(sizes) else ""
    distance = structure.line_distance(found.pages)
    pages = without_running_lines(found.pages, distance, found.titles)
    pages = [replace(page, lines=tuple(in_reading_order(page.lines))) for page in pages]
    headings = (
        {page.number: structure.outline_headings(page, found.outline.get(page.number, ())) for page in pages}
        if found.outline
        else structure.typographic_headings(pages)
    )
    text, links = _written(pages, headings, distance)
    whole = "".join(text.blocks)
    notes: list[str] = []
    if found.attachments:
        notes.append(sentence("Attached files are not read: {}.", f"{found.attachments:,}"))
    if found.count > MAX_PDF_PAGES:
        limit, count = f"{MAX_PDF_PAGES:,}", f"{found.count:,}"
        notes.append(sentence("Only the first {0} of {1} pages were read.", limit, count))
    if garbled:
        few, all_pages = f"{garbled:,}", f"{len(pages):,}"
        notes.append(
            sentence(
                "The text of {0} of {1} pages cannot be read, because its fonts do not name the letters.",
                few,
                all_pages,
            )
        )
    empty = sum(not (page.lines or page.is_garbled) for page in pages)
    if empty > _PICTURES_SHARE * len(pages):
        few, all_pages = f"{empty:,}", f"{len(pages):,}"
        notes.append(sentence("{0} of {1} pages have no text and may be scanned images.", few, all_pages))
    if len(whole) > caps.MAX_PAGE_CHARS:
        whole = whole[: caps.MAX_PAGE_CHARS].rstrip()
        notes.append(sentence("Only the first {} characters were kept.", f"{caps.MAX_PAGE_CHARS:,}"))
    digits = found.created.removeprefix("D:")
    return Page(
        url=url,
        title=(title or file_name(url))[: caps.MAX_TITLE_CHARS].rstrip(),
        text=whole,
        sections=closed([section for section in text.sections if section.start < len(whole)], len(whole)),
        links=tuple(link for link in links if link.end <= len(whole))[: caps.MAX_LINKS_PER_PAGE],
        published=iso_date(f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}"),
        note=joined(notes),
    )


def read_contents(body: bytes, url: str) -> Contents:
    """Return the complete contents of a file. Raises ContentProtectedError and UnsupportedContentError."""
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(without_endless_forms(body))
    except pdfium.PdfiumError as error:
        if error.err_code in (_PASSWORD_ERROR, _SECURITY_ERROR):
            hint = "Remove the password in a PDF program, then add the file again."
            message = sentence("{} is protected with a password.", url)
            raise ContentProtectedError(message, url=url, hint=hint) from error
        hint = "Open the file in a PDF program and save it, then add it again."
        raise DamagedFileError(sentence("{} is damaged.", url), url=url, hint=hint) from error
    pages = []
    with contextlib.closing(document):
        document.init_forms()
        count = len(document)
        for number in range(1, min(count, MAX_PDF_PAGES) + 1):
            try:
                with contextlib.closing(document[number - 1]) as page:
                    pages.append(read_page(page, number))
            except pdfium.PdfiumError:
                log.warning("page %d of a PDF file is damaged", number)
                pages.append(PageText(number, 0.0, 0.0, ()))
        outline, attachments = structure.read_outline(document), document.count_attachments()
        title, created = (
            structure.declared_text(partial(document.get_metadata_value, key)) for key in ("Title", "CreationDate")
        )
    return Contents(count, pages, outline, title, created, attachments)


def _written(
    pages: Sequence[PageText], headings: dict[int, list[structure.Heading]], distance: float
) -> tuple[PageParts, list[Link]]:
    words = Words(line.text for page in pages for line in page.lines)
    text = PageParts()
    links: list[Link] = []
    current: structure.Heading | None = None
    for page in pages:
        found = headings.get(page.number, [])
        for heading in found:
            if heading.first == heading.last:
                current = heading
        if not page.lines:
            continue
        start, first_block = text.length + 2 * bool(text.blocks), len(text.blocks) + bool(text.blocks)
        # The page begins below the last heading before it.
        anchor, opening = f"page={page.number}", current or structure.Heading(1, f"Page {page.number}")
        text.open(opening.level, opening.title, anchor, start)
        margins, place = structure.column_margins(page.lines), 0
        shown = [each for each in found if each.last > each.first]
        for heading in [*shown, structure.Heading(0, "", len(page.lines), len(page.lines))]:
            for block in structure.blocks_of(
                page.lines[place : heading.first], margins[place : heading.first], distance
            ):
                text.add(structure.block_text(block, words))
            if heading.title:
                at = text.add(f"{'#' * heading.level} {heading.title}")
                text.open(heading.level, heading.title, anchor, at)
                current = heading
            place = max(place, heading.last)
        links += _links(page, "".join(text.blocks[first_block:]), start)
    return text, links


def _links(page: PageText, written: str, start: int) -> Iterator[Link]:
    """Yield the links of a page, which are found in its text."""
    position = 0
    for label, address in page.links:
        label = label[: caps.MAX_ANCHOR_TEXT_CHARS].strip()
        found = written.find(label, position) if label else -1
        if found >= 0:
            yield Link(address, label, start + found, start + found + len(label))
            position = found + len(label)
