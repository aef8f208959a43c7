"""Read OpenDocument files: texts (.odt), presentations (.odp) and workbooks (.ods).

Tracked deletions, hidden text and tables of contents are omitted. Comments follow after their paragraph, if they are wanted. Footnotes
follow after a rule, as a numbered list. Cells of workbooks are read as shown; hidden sheets and rows are counted in the note.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.office.elements import (
    add_comment,
    add_slide,
    add_speaker_notes,
    append_text,
    attribute,
    child,
    children,
    comment_by,
    last_child,
    make,
    name_of,
    nested,
    number,
    text_of,
)
from app.extract.office.opendocument_styles import Styles
from app.extract.office.package import Package, protected
from app.extract.office.word_styles import Style
from app.extract.page import Page
from app.extract.sheet_text import MAX_CELLS, MAX_COLUMNS, Row, SheetWriter
from app.text.sentence import sentence

CONTENT: Final = "content.xml"
MIMETYPE: Final = "mimetype"
TYPE_START: Final = b"application/vnd.oasis.opendocument."
_MANIFEST: Final = "META-INF/manifest.xml"
_MAX_DEPTH: Final = 60
_MAX_SPACES: Final = 200
_SKIPPED: Final = word_set("tracked-changes annotation-end table-of-content forms sequence-decls title desc")
_CONTAINERS: Final = word_set(
    "section text-box g a list-header numbered-paragraph alphabetical-index bibliography index-body index-title"
)
_DRAWINGS: Final = word_set(
    "frame custom-shape rect ellipse circle line polyline polygon regular-polygon path connector caption measure"
)
_ROWS: Final = frozenset({"table-header-rows", "table-row-group", "table-rows", "table-header-columns"})
_NOT_CONTENT: Final = frozenset({"date-time", "footer", "header", "page-number", "handout"})


def is_opendocument(package: Package) -> bool:
    """Whether the archive is an OpenDocument file that can be read: a text, a presentation or a workbook."""
    return CONTENT in package and MIMETYPE in package and package.read(MIMETYPE).startswith(TYPE_START)


def extract_opendocument(package: Package) -> Page:
    """Return the page of the file. Raises EmptyPageError, UnsupportedContentError and ContentProtectedError."""
    if _MANIFEST in package and next(package.xml(_MANIFEST).iter("{*}encryption-data"), None) is not None:
        raise protected(package.url)
    metadata = package.metadata("meta.xml", "creation-date")
    if b"spreadsheet" in package.read(MIMETYPE):
        return extract_sheets(package, metadata.title)
    root = package.xml(CONTENT)
    body = child(root, "body")
    if body is None or not len(body):
        raise package.damaged()
    writer = _Writer(package, root)
    written = make("body")
    notes = []
    if name_of(body[0]) == "presentation":
        if hidden := writer.write_slides(body[0], written):
            notes.append(sentence("Slides that are marked as hidden: {}.", f"{hidden:,}"))
    else:
        writer.write_blocks(body[0], written, 0)
    if writer.notes:
        written.extend([make("hr"), make("ol")])
        for note in writer.notes:  # the list grows while notes that contain notes are written
            writer.write_blocks(child(note, "note-body"), nested(written[-1], "li"), 0)
    if next(root.iter("{*}deletion"), None) is not None:
        notes.append(sentence("Text deleted with tracked changes is not included."))
    return package.page(written, notes, metadata)


_LISTS: Final = ("ol", "ul")


class _Writer:
    def __init__(self, package: Package, root: etree._Element) -> None:
        self._package = package
        self._styles = Styles(root, package.xml("styles.xml") if "styles.xml" in package else None)
        self.notes: list[etree._Element] = []
        self._comments: list[etree._Element] = []  # of the current paragraph

    def write_slides(self, presentation: etree._Element, out: HtmlElement) -> int:
        """Write each slide as a section, and return the number of hidden slides."""
        hidden = 0
        for place, slide in enumerate(children(presentation, "page"), 1):
            is_hidden = self._styles.is_hidden(attribute(slide, "style-name"))
            hidden += is_hidden
            frames = [each for each in slide if name_of(each) != "notes"]
            title = next((each for each in frames if attribute(each, "class") == "title"), None)
            named = "".join(map(str, title.itertext())) if title is not None else ""
            add_slide(out, place, named, is_hidden=is_hidden)
            for frame in frames:
                if frame is not title and attribute(frame, "class") not in _NOT_CONTENT:
                    self._write_block(frame, out, 0)
            quotation = make("blockquote")
            for frame in children(child(slide, "notes"), "frame"):
                if attribute(frame, "class") == "notes":
                    self._write_block(frame, quotation, 0)
            add_speaker_notes(out, quotation)
        return hidden

    def write_blocks(self, parent: etree._Element | None, out: HtmlElement, depth: int) -> None:
        """Write the paragraphs, lists and tables of a container."""
        self._package.is_cut |= depth > _MAX_DEPTH
        if parent is None or depth > _MAX_DEPTH:
            return
        for block in parent:
            self._write_block(block, out, depth + 1)

    def _write_block(self, block: etree._Element, out: HtmlElement, depth: int) -> None:
        name = name_of(block)
        if name in ("p", "h"):
            self._write_paragraph(block, out)
            comments, self._comments = self._comments, []
            for comment in comments:
                self._write_block(comment, out, depth)
        elif name == "annotation" and self._package.reads_comments:
            quotation = make("blockquote")
            self.write_blocks(block, quotation, depth)
            add_comment(out, text_of(child(block, "creator")), quotation)
        elif name == "list":
            _append_list(self._list(block, depth), out)
        elif name == "table":
            out.append(self._table(block, depth))
        elif name in _CONTAINERS:
            self.write_blocks(block, out, depth)
        elif name in _DRAWINGS:
            self._write_drawing(block, out, depth)

    def _write_paragraph(self, paragraph: etree._Element, out: HtmlElement) -> None:
        style = self._style_of(paragraph)
        if style.is_hidden:
            return
        texts = [paragraph.text, *(part.tail for part in paragraph)]
        parts = (part for part in paragraph if name_of(part) != "annotation")
        spans = [part for part in parts if "".join(map(str, part.itertext())).strip()]
        # Lines with all their text in spans of a font for code are code.
        is_monospaced = name_of(paragraph) == "p" and bool(spans) and not any((text or "").strip() for text in texts)
        are_code = (name_of(span) == "span" and self._style_of(span).is_monospaced for span in spans)
        if style.is_code or (is_monospaced and all(are_code)):
            line = make("pre")
            self._write_text(paragraph, line, 0, is_heading=True)
            last = last_child(out)
            if last is not None and last.tag == "pre":
                append_text(last, f"\n{line.text_content()}")
            else:
                out.append(make("pre", line.text_content()))
            return
        level = number(attribute(paragraph, "outline-level"), 1) if name_of(paragraph) == "h" else style.level
        block = make(f"h{min(max(level, 1), 6)}" if level else "p")
        self._write_text(paragraph, block, 0, is_heading=bool(level))
        if block.text_content().strip() or len(block):
            out.append(make("blockquote", "", block) if style.is_quote else block)

    def _style_of(self, element: etree._Element) -> Style:
        return self._styles.style(attribute(element, "style-name"))

    def _list(self, listed: etree._Element, depth: int, style: str = "", level: int = 1) -> HtmlElement:
        style = attribute(listed, "style-name") or style
        made = make("ol" if self._styles.is_ordered(style, level) else "ul")
        self._package.is_cut |= depth >= _MAX_DEPTH
        for item in listed:
            if name_of(item) in ("list-item", "list-header") and depth < _MAX_DEPTH:
                entry = make("li")
                if (
                    made.tag == "ol"
                    and last_child(made) is None
                    and (start := number(attribute(item, "start-value"), 1)) != 1
                ):
                    made.set("start", str(start))
                made.append(entry)
                for block in item:
                    if name_of(block) == "list":
                        entry.append(self._list(block, depth + 1, style, level + 1))
                    else:
                        self._write_block(block, entry, depth + 1)
        return made

    def _table(self, table: etree._Element, depth: int) -> HtmlElement:
        out = make("table")
        for row in _table_rows(table, 0):
            written = nested(out, "tr")
            for cell in children(row, "table-cell"):
                spans = (attribute(cell, "number-columns-spanned"), attribute(cell, "number-rows-spanned"))
                wide, high = (text if number(text, 1) > 1 else "" for text in spans)
                made = make("th" if written.getprevious() is None else "td", colspan=wide, rowspan=high)
                written.append(made)
                self.write_blocks(cell, made, depth + 1)
        return out

    def _write_drawing(self, drawing: etree._Element, out: HtmlElement, depth: int) -> None:
        """Write a frame: its table, text box or formula; of an image, its description."""
        if name_of(drawing) != "frame":
            self.write_blocks(drawing, out, depth)
            return
        for part in drawing:
            name = name_of(part)
            if name in ("table", "text-box"):
                self._write_block(part, out, depth + 1)
            elif name == "object":
                embedded = f"{attribute(part, 'href').removeprefix('./').rstrip('/')}/{CONTENT}"
                root = self._package.xml(embedded) if embedded in self._package else None
                if root is not None and name_of(root) == "math":
                    out.append(_as_html(root, 0))
                    return
        text = " ".join(" ".join(each.text or "" for each in drawing if name_of(each) in ("title", "desc")).split())
        if text and child(drawing, "image") is not None:
            out.append(make("span" if out.tag in ("p", "span", "a") else "p", f"[Image: {text}]"))

    def _write_text(self, parent: etree._Element, out: HtmlElement, depth: int, *, is_heading: bool) -> None:
        """Write the text and inline elements of a paragraph, a span or a link."""
        append_text(out, parent.text)
        self._package.is_cut |= depth >= _MAX_DEPTH
        for part in parent if depth < _MAX_DEPTH else ():
            self._write_inline(part, out, depth, is_heading=is_heading)
            append_text(out, part.tail)

    def _write_inline(self, part: etree._Element, out: HtmlElement, depth: int, *, is_heading: bool) -> None:
        name, is_code = name_of(part), out.tag == "pre"
        if name == "s":
            append_text(out, " " * min(number(attribute(part, "c"), 1), _MAX_SPACES))
        elif name == "tab" or (name == "line-break" and is_code):
            append_text(out, " " if not is_code else "\t" if name == "tab" else "\n")
        elif name == "line-break":
            out.append(make("br"))
        elif name == "annotation":
            self._comments.append(part)
        elif name == "note":
            self.notes.append(part)
            append_text(out, f"[{len(self.notes)}]")
        elif name == "a":
            out.append(make("a", href=attribute(part, "href")))
            self._write_text(part, out[-1], depth + 1, is_heading=is_heading)
        elif name == "span":
            style = self._style_of(part)
            if not style.is_hidden:
                is_plain = is_heading or style.is_monospaced
                chosen = {
                    "code": style.is_monospaced and not is_heading,
                    "strong": style.is_bold and not is_plain,
                    "em": style.is_italic and not is_plain,
                    "sup": style.is_raised,
                    "sub": style.is_lowered,
                }
                inner = nested(out, *(tag for tag, is_chosen in chosen.items() if is_chosen))
                self._write_text(part, inner, depth + 1, is_heading=is_heading)
        elif name in ("frame", "custom-shape"):
            self._write_drawing(part, out, depth)
        elif name in ("bookmark", "bookmark-start") and is_heading and not out.get("id"):
            out.set("id", attribute(part, "name"))
        elif name not in _SKIPPED:
            self._write_text(part, out, depth + 1, is_heading=is_heading)


def _table_rows(parent: etree._Element, depth: int) -> Iterator[etree._Element]:
    """Yield the rows of a table, including those in nested groups."""
    for part in parent if depth < _MAX_DEPTH else ():
        if name_of(part) == "table-row":
            yield part
        elif name_of(part) in _ROWS:
            yield from _table_rows(part, depth + 1)


def _append_list(made: HtmlElement, out: HtmlElement) -> None:
    """Append a list. LibreOffice divides the lists of slides: an inner list is alone in the first item of the next one."""
    last = last_child(out)
    before = last if last is not None and last.tag in _LISTS and last_child(last) is not None else None
    is_inner = len(made) and len(made[0]) and made[0][0].tag in _LISTS and not made[0].text
    if before is not None and is_inner:
        before[-1].extend(list(made[0]))
        before.extend(list(made)[1:])
    elif before is not None and before.tag == made.tag == "ul":
        before.extend(list(made))
    else:
        out.append(made)


def _as_html(element: etree._Element, depth: int) -> HtmlElement:
    """Return MathML without its namespaces, annotations and texts between elements."""
    made = make(name_of(element), (element.text or "").strip(), display=attribute(element, "display"))
    for part in element if depth < _MAX_DEPTH else ():
        if not name_of(part).startswith("annotation"):
            made.append(_as_html(part, depth + 1))
    return made


MAX_SHEET_TAGS: Final = 8_000_000
_VALUES: Final = ("value", "date-value", "time-value", "string-value", "boolean-value")


def extract_sheets(package: Package, title: str) -> Page:
    """Return the page of a workbook. Raises EmptyPageError and UnsupportedContentError."""
    writer, hidden_sheets, hidden_rows = SheetWriter(), set[str](), 0
    styles: Styles | None = None

    def counted(rows: Iterator[etree._Element]) -> Iterator[Row]:
        nonlocal hidden_rows
        place = 0
        for row in rows:
            count = max(number(attribute(row, "number-rows-repeated"), 1), 1)
            cells = _cells(row, reads_comments=package.reads_comments)
            if attribute(row, "visibility") in ("collapse", "filter"):
                hidden_rows += count if cells else 0
            elif cells:
                for repeated in range(min(count, MAX_CELLS)):
                    yield place + repeated + 1, cells
            place += count

    def table_of(row: etree._Element) -> etree._Element | None:
        # The sheet of a row, not a table inside a cell.
        return next((each for each in reversed([*row.iterancestors()]) if name_of(each) == "table"), None)

    for table, rows in groupby(package.stream(CONTENT, ("table-row",), MAX_SHEET_TAGS), table_of):
        if table is None or writer.is_full:
            continue
        styles = styles or Styles(table.getroottree().getroot())
        name = attribute(table, "name")
        if styles.is_hidden(attribute(table, "style-name")):
            hidden_sheets.add(name)
        else:
            writer.add_sheet(name, counted(rows))
    hidden = len(hidden_sheets)
    return writer.page(package.url, title, hidden_sheets=hidden, hidden_rows=hidden_rows, is_cut=package.is_cut)


def _cells(row: etree._Element, *, reads_comments: bool) -> list[str]:
    cells: list[str] = []
    for cell in row:
        if name_of(cell) not in ("table-cell", "covered-table-cell"):
            continue
        count = max(number(attribute(cell, "number-columns-repeated"), 1), 1)
        # The text as shown, without its comment; the value of a cell without text.
        lines = ["".join(_pieces(part)) for part in cell if name_of(part) == "p"]
        text = " ".join(lines)
        if not lines and name_of(cell) == "table-cell":
            text = next((said for key in _VALUES if (said := attribute(cell, key))), "")
        if reads_comments:
            notes = ((text_of(child(note, "creator")), children(note, "p")) for note in children(cell, "annotation"))
            texts = ((by, " ".join("".join(_pieces(part)) for part in parts)) for by, parts in notes)
            text = " ".join(filter(None, [text, *(f"[{comment_by(by)}: {words}]" for by, words in texts)]))
        cells += [text] * min(count, MAX_COLUMNS - len(cells))
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _pieces(element: etree._Element) -> Iterator[str]:
    yield element.text or ""
    for part in element.iter():
        if part is not element:
            is_space = name_of(part) in ("s", "tab", "line-break")
            yield " " * min(number(attribute(part, "c"), 1), _MAX_SPACES) if is_space else part.text or ""
            yield part.tail or ""
