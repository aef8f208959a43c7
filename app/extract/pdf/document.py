"""Read a PDF file: each of its pages is a section with the anchor `page=N`."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import ContentProtectedError, EmptyPageError, UnsupportedContentError
from app.extract.addresses import file_name
from app.extract.characters import collapse
from app.extract.page import Link, Page, PageParts, closed, iso_date
from app.extract.pdf.columns import in_reading_order
from app.extract.pdf.lines import PageText, Words
from app.extract.pdf.pages import read_page
from app.extract.pdf.running import without_running_lines
from app.extract.pdf.structure import (
    Heading,
    block_text,
    blocks_of,
    column_margins,
    declared_text,
    line_distance,
    outline_headings,
    read_outline,
    typographic_headings,
)
from app.text.sentence import joined, sentence

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

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

    @property
    def titles(self) -> list[str]:
        """Return the titles of the outline."""
        return [title for entries in self.outline.values() for _, title in entries]


def extract_pdf(body: bytes, *, url: str) -> Page:
    """Return the page of a PDF file. Raises ContentProtectedError, EmptyPageError and UnsupportedContentError."""
    found = read_contents(body, url)
    if not any(page.lines for page in found.pages):
        raise EmptyPageError(
            sentence("{} has no text layer, only images (pages: {}).", url, f"{found.count:,}"),
            url=url,
            hint="Run text recognition (OCR) on the file, then add it again.",
        )
    # The declared title if it is a real one, otherwise the largest lines of the first page, otherwise the file's name.
    title = collapse(found.title)
    if len(title) < 3 or _NO_TITLE.match(title):
        shown = [line for line in found.pages[0].lines if not line.cells]
        sizes = [round(line.size, 1) for line in shown]
        lines = [line.text for line, size in zip(shown, sizes, strict=True) if size == max(sizes)]
        title = collapse(" ".join(lines[:3])) if sizes and max(sizes) > _LARGER * median(sizes) else ""
    distance = line_distance(found.pages)
    pages, _ = without_running_lines(found.pages, distance, found.titles)
    pages = [replace(page, lines=tuple(in_reading_order(page.lines))) for page in pages]
    headings = (
        {page.number: outline_headings(page, found.outline.get(page.number, ())) for page in pages}
        if found.outline
        else typographic_headings(pages)
    )
    text, links = _written(pages, headings, distance)
    whole = "".join(text.blocks)
    notes: list[str] = []
    if found.count > MAX_PDF_PAGES:
        limit, count = f"{MAX_PDF_PAGES:,}", f"{found.count:,}"
        notes.append(sentence("Only the first {0} of {1} pages were read.", limit, count))
    empty = sum(not page.lines for page in pages)
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

    with _opened(body, url) as document:
        document.init_forms()
        count = len(document)
        pages = []
        for number in range(1, min(count, MAX_PDF_PAGES) + 1):
            try:
                with contextlib.closing(document[number - 1]) as page:
                    pages.append(read_page(page, number))
            except pdfium.PdfiumError:
                log.warning("page %d of a PDF file is damaged", number)
                pages.append(PageText(number, 0.0, 0.0, ()))
        outline = read_outline(document)
        title, created = (declared_text(partial(document.get_metadata_value, key)) for key in ("Title", "CreationDate"))
    return Contents(count, pages, outline, title, created)


@contextlib.contextmanager
def _opened(body: bytes, url: str) -> Iterator[PdfDocument]:
    import pypdfium2 as pdfium

    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        if error.err_code in (_PASSWORD_ERROR, _SECURITY_ERROR):
            hint = "Remove the password in a PDF program, then add the file again."
            message = sentence("{} is protected with a password.", url)
            raise ContentProtectedError(message, url=url, hint=hint) from error
        hint = "Open the file in a PDF program and save it, then add it again."
        raise UnsupportedContentError(sentence("{} is damaged.", url), url=url, hint=hint) from error
    with contextlib.closing(document):
        yield document


def _written(
    pages: Sequence[PageText], headings: dict[int, list[Heading]], distance: float
) -> tuple[PageParts, list[Link]]:
    words = Words(line.text for page in pages for line in page.lines)
    text = PageParts()
    links: list[Link] = []
    current: Heading | None = None
    for page in pages:
        found = headings.get(page.number, [])
        for heading in found:
            if heading.first == heading.last:
                current = heading
        if page.lines:
            shown = [each for each in found if each.last > each.first]
            start, first_block = text.length + 2 * bool(text.blocks), len(text.blocks) + bool(text.blocks)
            current = _write_page(text, page, shown, current, distance, words)
            links += _links(page, "".join(text.blocks[first_block:]), start)
    return text, links


def _write_page(
    text: PageParts, page: PageText, headings: list[Heading], current: Heading | None, distance: float, words: Words
) -> Heading | None:
    """Write one page, which begins below the heading `current`, and return the heading at its end."""
    margins = column_margins(page.lines)
    anchor, start = f"page={page.number}", text.length + 2 * bool(text.blocks)
    text.open(current.level if current else 1, current.title if current else f"Page {page.number}", anchor, start)
    place = 0
    for heading in [*headings, Heading(0, "", len(page.lines), len(page.lines))]:
        for block in blocks_of(page.lines[place : heading.first], margins[place : heading.first], distance):
            text.add(block_text(block, words))
        if heading.title:
            at = text.add(f"{'#' * heading.level} {heading.title}")
            text.open(heading.level, heading.title, anchor, at)
            current = heading
        place = max(place, heading.last)
    return current


def _links(page: PageText, written: str, start: int) -> Iterator[Link]:
    """Yield the links of a page, which are found in its text."""
    position = 0
    for label, address in page.links:
        label = label[: caps.MAX_ANCHOR_TEXT_CHARS].strip()
        found = written.find(label, position) if label else -1
        if found >= 0:
            yield Link(address, label, start + found, start + found + len(label))
            position = found + len(label)
