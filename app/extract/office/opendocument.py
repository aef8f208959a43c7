"""Read OpenDocument files: texts (.odt), presentations (.odp) and, with `opendocument_sheets`, workbooks (.ods).

Tracked deletions, comments, hidden text and tables of contents are omitted. Footnotes follow after a rule, as a numbered list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app import caps
from app.extract.metadata import Metadata, iso_date
from app.extract.office.elements import append_text, attribute, child, children, make, name_of, number, page_of
from app.extract.office.opendocument_sheets import extract_sheets
from app.extract.office.opendocument_styles import Style, Styles
from app.extract.office.package import Package, protected
from app.extract.page import Page
from app.text.sentence import sentence

CONTENT: Final = "content.xml"
MIMETYPE: Final = "mimetype"
TYPE_START: Final = b"application/vnd.oasis.opendocument."
_MANIFEST: Final = "META-INF/manifest.xml"
_MAX_DEPTH: Final = 60
_MAX_SPACES: Final = 200
_SKIPPED: Final = frozenset(
    {"tracked-changes", "annotation", "annotation-end", "table-of-content", "forms", "sequence-decls", "title", "desc"}
)
_CONTAINERS: Final = frozenset(
    {"section", "text-box", "g", "list-header", "alphabetical-index", "bibliography", "index-body"}
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
    metadata = _metadata(package)
    if b"spreadsheet" in package.read(MIMETYPE):
        return extract_sheets(package, CONTENT, metadata.title)
    root = package.xml(CONTENT)
    body = child(root, "body")
    if body is None or not len(body):
        raise package.damaged()
    writer = _Writer(package, root)
    written = make("body")
    notes = []
    if name_of(body[0]) == "presentation":
        hidden = writer.write_slides(body[0], written)
        if hidden:
            notes.append(sentence("Slides that are marked as hidden: {}.", f"{hidden:,}"))
    else:
        writer.write_blocks(body[0], written, 0)
    if writer.notes:
        written.extend([make("hr"), writer.written_notes()])
    if next((change for change in root.iter("{*}deletion")), None) is not None:
        notes.append(sentence("Text deleted with tracked changes is not included."))
    if package.is_cut:
        notes.append(sentence("The file is damaged. Only the text before the damage was read."))
    return page_of(written, package.url, metadata, notes)


def _metadata(package: Package) -> Metadata:
    said = (
        {name_of(each): (each.text or "").strip() for each in package.xml("meta.xml").iter()}
        if "meta.xml" in package
        else {}
    )
    title = said.get("title", "")[: caps.MAX_TITLE_CHARS]
    return Metadata(title, said.get("language", ""), None, iso_date(said.get("creation-date", "")[:10]))


_LISTS: Final = ("ol", "ul")


@dataclass(slots=True)
class _Target:
    """The element for the following text, and whether its paragraph is a heading."""

    element: HtmlElement
    is_heading: bool


class _Writer:
    def __init__(self, package: Package, root: etree._Element) -> None:
        self._package = package
        self._styles = Styles(root, package.xml("styles.xml") if "styles.xml" in package else None)
        self.notes: list[etree._Element] = []

    def write_slides(self, presentation: etree._Element, out: HtmlElement) -> int:
        """Write each slide as a section, and return the number of hidden slides."""
        hidden = 0
        for place, slide in enumerate(children(presentation, "page"), 1):
            is_hidden = self._styles.is_hidden_page(attribute(slide, "style-name"))
            hidden += is_hidden
            frames = [each for each in slide if name_of(each) != "notes"]
            title = next((each for each in frames if attribute(each, "class") == "title"), None)
            named = " ".join("".join(map(str, title.itertext())).split()) if title is not None else ""
            heading = f"Slide {place}: {named}" if named else f"Slide {place}"
            out.append(make("h2", f"{heading} (hidden)" if is_hidden else heading, id=f"slide={place}"))
            for frame in frames:
                if frame is not title and attribute(frame, "class") not in _NOT_CONTENT:
                    self._write_block(frame, out, 0)
            quotation = make("blockquote")
            for frame in children(child(slide, "notes"), "frame"):
                if attribute(frame, "class") == "notes":
                    self._write_block(frame, quotation, 0)
            if quotation.text_content().strip():
                out.extend([make("p", "", make("strong", "Speaker notes")), quotation])
        return hidden

    def written_notes(self) -> HtmlElement:
        """Return the notes as a numbered list."""
        written = make("ol")
        for note in self.notes:  # the list grows while notes that contain notes are written
            item = make("li")
            written.append(item)
            self.write_blocks(child(note, "note-body"), item, 0)
        return written

    def write_blocks(self, parent: etree._Element | None, out: HtmlElement, depth: int) -> None:
        """Write the paragraphs, lists and tables of a container."""
        if parent is None or depth > _MAX_DEPTH:
            return
        for block in parent:
            self._write_block(block, out, depth + 1)

    def _write_block(self, block: etree._Element, out: HtmlElement, depth: int) -> None:
        name = name_of(block)
        if name in ("p", "h"):
            self._write_paragraph(block, out)
        elif name == "list":
            _append_list(self._list(block, depth), out)
        elif name == "table":
            out.append(self._table(block, depth))
        elif name in _CONTAINERS:
            self.write_blocks(block, out, depth)
        elif name in ("frame", "custom-shape", "rect", "ellipse", "connector", "line"):
            self._write_drawing(block, out, depth)

    def _write_paragraph(self, paragraph: etree._Element, out: HtmlElement) -> None:
        style = self._styles.style(attribute(paragraph, "style-name"))
        if style.is_hidden:
            return
        if style.is_code or (name_of(paragraph) == "p" and self._is_all_monospaced(paragraph)):
            line = make("pre")
            self._write_text(paragraph, _Target(line, is_heading=True), 0)
            if len(out) and out[-1].tag == "pre":
                append_text(out[-1], f"\n{line.text_content()}")
            else:
                out.append(make("pre", line.text_content()))
            return
        level = number(attribute(paragraph, "outline-level"), 1) if name_of(paragraph) == "h" else style.level
        block = make(f"h{min(max(level, 1), 6)}" if level else "p")
        self._write_text(paragraph, _Target(block, is_heading=bool(level)), 0)
        if block.text_content().strip() or len(block):
            out.append(make("blockquote", "", block) if style.is_quote else block)

    def _is_all_monospaced(self, paragraph: etree._Element) -> bool:
        """Whether all text of a paragraph is in spans of a font for code."""
        texts = [paragraph.text, *(part.tail for part in paragraph)]
        spans = [part for part in paragraph if "".join(map(str, part.itertext())).strip()]
        return (
            bool(spans)
            and not any((text or "").strip() for text in texts)
            and all(
                name_of(part) == "span" and self._styles.style(attribute(part, "style-name")).is_monospaced
                for part in spans
            )
        )

    def _list(self, listed: etree._Element, depth: int, style: str = "", level: int = 1) -> HtmlElement:
        style = attribute(listed, "style-name") or style
        made = make("ol" if self._styles.is_ordered(style, level) else "ul")
        for item in listed:
            if name_of(item) in ("list-item", "list-header") and depth < _MAX_DEPTH:
                entry = make("li")
                if made.tag == "ol" and not len(made) and (start := number(attribute(item, "start-value"), 1)) != 1:
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
        rows = [
            row
            for part in table
            for row in (part if name_of(part) in _ROWS else (part,))
            if name_of(row) == "table-row"
        ]
        for row in rows:
            written = make("tr")
            out.append(written)
            for cell in children(row, "table-cell"):
                spans = (attribute(cell, "number-columns-spanned"), attribute(cell, "number-rows-spanned"))
                wide, high = (text if number(text, 1) > 1 else "" for text in spans)
                made = make("th" if len(out) == 1 else "td", colspan=wide, rowspan=high)
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
            elif name == "object" and (formula := self._formula(part)) is not None:
                out.append(formula)
                return
        text = " ".join(" ".join(each.text or "" for each in drawing if name_of(each) in ("title", "desc")).split())
        if text and child(drawing, "image") is not None:
            out.append(make("span" if out.tag in ("p", "span", "a") else "p", f"[Image: {text}]"))

    def _formula(self, frame: etree._Element) -> HtmlElement | None:
        """Return the formula of an embedded object, if it is one."""
        part = f"{attribute(frame, 'href').removeprefix('./').rstrip('/')}/{CONTENT}"
        root = self._package.xml(part) if part in self._package else None
        return _as_html(root, 0) if root is not None and name_of(root) == "math" else None

    def _write_text(self, parent: etree._Element, target: _Target, depth: int) -> None:
        """Write the text and inline elements of a paragraph, a span or a link."""
        append_text(target.element, parent.text)
        for part in parent if depth < _MAX_DEPTH else ():
            self._write_inline(part, target, depth)
            append_text(target.element, part.tail)

    def _write_inline(self, part: etree._Element, target: _Target, depth: int) -> None:
        name = name_of(part)
        if name == "s":
            append_text(target.element, " " * min(number(attribute(part, "c"), 1), _MAX_SPACES))
        elif name == "tab":
            append_text(target.element, "\t" if target.element.tag == "pre" else " ")
        elif name == "line-break":
            if target.element.tag == "pre":
                append_text(target.element, "\n")
            else:
                target.element.append(make("br"))
        elif name == "note":
            self.notes.append(part)
            append_text(target.element, f"[{len(self.notes)}]")
        elif name == "a":
            link = make("a", href=attribute(part, "href"))
            target.element.append(link)
            self._write_text(part, _Target(link, target.is_heading), depth + 1)
        elif name == "span":
            style = self._styles.style(attribute(part, "style-name"))
            if not style.is_hidden:
                outer = _formatted(target, style)
                self._write_text(part, _Target(outer, target.is_heading), depth + 1)
        elif name in ("frame", "custom-shape"):
            self._write_drawing(part, target.element, depth)
        elif name in ("bookmark", "bookmark-start") and target.is_heading and not target.element.get("id"):
            target.element.set("id", attribute(part, "name"))
        elif name not in _SKIPPED:
            self._write_text(part, target, depth + 1)


def _append_list(made: HtmlElement, out: HtmlElement) -> None:
    """Append a list. LibreOffice divides the lists of slides: an inner list is alone in the first item of the next one."""
    before = out[-1] if len(out) and out[-1].tag in _LISTS and len(out[-1]) else None
    is_inner = len(made) and len(made[0]) and made[0][0].tag in _LISTS and not made[0].text
    if before is not None and is_inner:
        before[-1].extend(list(made[0]))
        before.extend(list(made)[1:])
    elif before is not None and before.tag == made.tag == "ul":
        before.extend(list(made))
    else:
        out.append(made)


def _formatted(target: _Target, style: Style) -> HtmlElement:
    """Return the element for text of a style, inside the elements for its format."""
    out = target.element
    for tag, is_chosen in (
        ("code", style.is_monospaced and not target.is_heading),
        ("strong", style.is_bold and not target.is_heading and not style.is_monospaced),
        ("em", style.is_italic and not target.is_heading and not style.is_monospaced),
        ("sup", style.is_raised),
        ("sub", style.is_lowered),
    ):
        if is_chosen:
            out.append(make(tag))
            out = out[-1]
    return out


def _as_html(element: etree._Element, depth: int) -> HtmlElement:
    """Return MathML without its namespaces, annotations and texts between elements."""
    made = make(name_of(element), (element.text or "").strip(), display=attribute(element, "display"))
    for part in element if depth < _MAX_DEPTH else ():
        if not name_of(part).startswith("annotation"):
            made.append(_as_html(part, depth + 1))
    return made
