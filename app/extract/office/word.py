"""Read Word documents (.docx, .docm).

Tracked deletions and hidden text are omitted, tracked insertions are included. Comments follow after their paragraph, if they are wanted.
Footnotes and endnotes follow after a rule, as a numbered list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Final
from urllib.parse import quote

from lxml import etree
from lxml.html import HtmlElement

from app.errors import EmptyFileError
from app.extract.addresses import file_name
from app.extract.characters import word_set
from app.extract.members import INNER_MARK, Member, read_member, with_members
from app.extract.office.elements import (
    OpenLists,
    add_comment,
    append_text,
    attribute,
    child,
    children,
    formula,
    is_on,
    last_child,
    make,
    name_of,
    nested,
    number,
    value,
)
from app.extract.office.package import Package, Relation, related
from app.extract.office.slides import write_graphic
from app.extract.office.word_styles import Numberings, Style, is_monospaced, list_of, outline_level, read_styles
from app.extract.page import Page
from app.text.media_types import kind_of
from app.text.sentence import joined, sentence

MAX_CONTAINERS: Final = 200  # The number of elements around a paragraph or a run; deeper ones are omitted.
_INLINE_CONTAINERS: Final = word_set("ins moveTo smartTag customXml fldSimple dir bdo sdtContent sdt")
_DELETED: Final = frozenset({"del", "moveFrom"})
NOTES: Final = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_SHAPES: Final = frozenset({"drawing", "pict", "object", "AlternateContent"})
_CHARACTERS: Final = {"tab": " ", "ptab": " ", "noBreakHyphen": "\N{NON-BREAKING HYPHEN}"}
_CHARACTERS_OF_CODE: Final = {"tab": "\t", "br": "\n", "cr": "\n"}
_LINK_FIELD: Final = re.compile(r'\s*+HYPERLINK\s++(\\l\s++)?+"([^"]++)"')
_SYMBOL: Final = re.compile(r"[0-9A-Fa-f]{4}")
_PRIVATE_SYMBOLS: Final = range(0xE000, 0xF900)  # Symbols of special fonts, which are meaningless without the font.
_WINGDINGS: Final = {0x6F: "☐", 0xA8: "☐", 0xE0: "→", 0xE8: "→", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒", 0xFE: "☑"}
_WHITE: Final = "ffffff"


@dataclass(slots=True)
class _Field:
    """An open field: its instruction, and where the text after it continues."""

    outer: HtmlElement
    instruction: str = ""
    is_result: bool = False


@dataclass(slots=True)
class TextWriter:
    """Writes the text of paragraphs. `notes` collects referenced notes, by kind and id.

    `write_box` writes the paragraphs of a text box into an element, `write_graphic` a chart or a diagram. `deleted` counts tracked
    deletions.
    """

    relations: Mapping[str, Relation]
    styles: Mapping[str, Style]
    write_box: Callable[[etree._Element, HtmlElement], None]
    write_graphic: Callable[[etree._Element, HtmlElement], None]
    notes: list[tuple[str, str]] = field(default_factory=list)
    deleted: int = 0
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def write(self, parent: etree._Element, out: HtmlElement, block: HtmlElement, fields: list[_Field]) -> HtmlElement:
        """Write inline content and return the element for the following text, which a field may have changed."""
        for part in parent:
            name = name_of(part)
            if name == "r":
                out = self._write_run(part, out, block, fields)
            elif name == "hyperlink":
                relation, anchor = self.relations.get(attribute(part, "id")), attribute(part, "anchor")
                address = f"#{anchor}" if anchor else ""
                if relation is not None:
                    address = relation.target if relation.is_external else ""
                link = make("a", href=address)
                out.append(link)
                self.write(part, link, block, [])
            elif name in _INLINE_CONTAINERS or name == "AlternateContent":
                inner = child(part, "Choice") if name == "AlternateContent" else part
                if inner is not None and is_shallow(inner):
                    out = self.write(inner, out, block, fields)
            elif name in _DELETED:
                self.deleted += 1
            elif name == "oMath":
                out.append(formula(part, is_display=False))
            elif name == "oMathPara":
                out.extend(formula(each, is_display=True) for each in children(part, "oMath"))
            elif name == "bookmarkStart" and block.tag != "p" and not block.get("id"):
                anchor = attribute(part, "name")
                block.set("id", "" if anchor.startswith("_") else anchor)
        return out

    def _write_run(
        self, run: etree._Element, out: HtmlElement, block: HtmlElement, fields: list[_Field]
    ) -> HtmlElement:
        properties = child(run, "rPr")
        style = self.styles.get(value(properties, "rStyle"), Style())
        if is_on(child(properties, "vanish")) or style.is_hidden or _is_white(run, properties):
            return out
        into = out
        for part in run:
            name = name_of(part)
            if name == "fldChar":
                if (box := child(part, "ffData", "checkBox")) is not None:
                    checked = child(box, "checked")
                    append_text(out, "☒" if is_on(child(box, "default") if checked is None else checked) else "☐")
                out = into = _follow_field(attribute(part, "fldCharType"), out, fields)
            elif fields and not fields[-1].is_result:
                fields[-1].instruction += (part.text or "") if name == "instrText" else ""
            elif name == "ruby":
                for base in filter(is_shallow, children(part, "rubyBase")):
                    self.write(base, out, block, [])
            elif name == "t" and part.text:
                into = _formatted(out, properties, style, is_heading=block.tag != "p")
                append_text(into, part.text)
            else:
                self._write_special(part, name, into)
        return out

    def _write_special(self, part: etree._Element, name: str, out: HtmlElement) -> None:
        """Write the parts of a run that are not text."""
        if name in _CHARACTERS:
            append_text(out, _CHARACTERS[name])
        elif name in ("br", "cr") and attribute(part, "type") not in ("page", "column"):
            out.append(make("br"))
        elif name == "sym":
            symbol = attribute(part, "char")
            code = int(symbol, 16) if _SYMBOL.fullmatch(symbol) else 0
            if code in _PRIVATE_SYMBOLS and attribute(part, "font") == "Wingdings":
                append_text(out, _WINGDINGS.get(code & 0xFF, ""))
            elif code and code not in _PRIVATE_SYMBOLS:
                append_text(out, chr(code))
        elif name in NOTES:
            key = (NOTES[name], attribute(part, "id"))
            if self._places.setdefault(key, len(self.notes) + 1) > len(self.notes):
                self.notes.append(key)
            append_text(out, f"[{self._places[key]}]")
        elif name in _SHAPES:
            self._write_drawing(child(part, "Choice") if name == "AlternateContent" else part, out)

    def _write_drawing(self, drawing: etree._Element | None, out: HtmlElement) -> None:
        """Write the descriptions and text boxes of a drawing, without those in another box or in the copy for old programs."""
        waiting = [drawing] if drawing is not None else []
        while waiting:
            for part in waiting.pop():
                name = name_of(part)
                if name == "txbxContent":
                    self.write_box(part, nested(out, "div"))
                elif name in ("chart", "relIds"):
                    self.write_graphic(part, nested(out, "div"))
                elif name == "docPr":
                    description = " ".join(attribute(part, "descr").split())
                    append_text(out, f"[Image: {description}]" if description else "")
                elif name != "Fallback":
                    waiting.append(part)


def plain_text(paragraph: etree._Element) -> str:
    """Return the text of a line of code, with its tabs and line breaks."""
    parts: list[str] = []
    for run in _runs(paragraph):
        if not is_on(child(run, "rPr", "vanish")):
            for part in run:
                name = name_of(part)
                parts.append((part.text or "") if name == "t" else _CHARACTERS_OF_CODE.get(name, ""))
    return "".join(parts)


def is_all_monospaced(paragraph: etree._Element) -> bool:
    """Whether all text of a paragraph is in a font for code."""
    runs = [run for run in _runs(paragraph) if any((text.text or "").strip() for text in children(run, "t"))]
    return bool(runs) and all(is_monospaced(child(run, "rPr")) for run in runs)


def is_shallow(element: etree._Element) -> bool:
    """Whether an element is nested shallowly enough to process it."""
    return sum(1 for _ in islice(element.iterancestors(), MAX_CONTAINERS)) < MAX_CONTAINERS


def _runs(parent: etree._Element) -> Iterator[etree._Element]:
    """Yield the runs of a paragraph that were not deleted."""
    for part in parent:
        if name_of(part) == "r":
            yield part
        elif name_of(part) not in _DELETED and is_shallow(part):
            yield from _runs(part)


def _is_white(run: etree._Element, properties: etree._Element | None) -> bool:
    """Whether a run is white on white paper. Cells and boxes may have another background color, set by their style."""
    if value(properties, "color").lower() != _WHITE or child(properties, "shd") is not None:
        return False
    if value(properties, "highlight") not in ("", "white", "none"):
        return False
    around = {name_of(each): each for each in run.iterancestors()}
    # The properties are the first part: the search for missing ones takes as long as the paragraph, for each run.
    first = next((each for each in islice(around.get("p", ()), 1) if name_of(each) == "pPr"), None)
    return not {"tc", "txbxContent"} & around.keys() and child(first, "shd") is None


def _follow_field(kind: str, out: HtmlElement, fields: list[_Field]) -> HtmlElement:
    """Begin, turn or end a field; the result of a link field becomes a link."""
    if kind == "begin":
        fields.append(_Field(out))
    elif kind == "separate" and fields:
        fields[-1].is_result = True
        if link := _LINK_FIELD.match(fields[-1].instruction):
            element = make("a", href=f"#{link[2]}" if link[1] else link[2])
            out.append(element)
            return element
    elif kind == "end" and fields:
        return fields.pop().outer
    return out


def _formatted(out: HtmlElement, properties: etree._Element | None, style: Style, *, is_heading: bool) -> HtmlElement:
    """Return the element for the text of a run; text of the same format continues in the same one."""
    is_code = style.is_monospaced or style.is_code or is_monospaced(properties)
    bold, italic = child(properties, "b"), child(properties, "i")
    raised = value(properties, "vertAlign")
    tags = {
        "code": is_code,
        "s": is_on(child(properties, "strike")),
        "strong": not is_heading and not is_code and (style.is_bold if bold is None else is_on(bold)),
        "em": not is_heading and not is_code and (style.is_italic if italic is None else is_on(italic)),
        "sup": raised == "superscript",
        "sub": raised == "subscript",
    }
    for tag in (tag for tag, is_chosen in tags.items() if is_chosen):
        last = last_child(out)
        if last is None or last.tail or last.tag != tag:
            out.append(make(tag))
        out = out[-1]
    return out


_MAX_DEPTH: Final = 40  # The nesting limit of tables and text boxes.
_CONTAINERS: Final = word_set("ins moveTo customXml smartTag txbxContent sdt sdtContent AlternateContent")


def extract_word(package: Package) -> Page:
    """Return the page of a Word document. Raises EmptyFileError, UnsupportedContentError and ContentProtectedError."""
    return _Document(package).page()


class _Document:
    def __init__(self, package: Package) -> None:
        self._package = package
        main = package.main_part("word/document.xml")
        body = child(package.xml(main), "body") if main in package else None
        if body is None:
            raise package.damaged()
        self._body = body
        self._relations = package.relations(main)
        styles, numbering = (related(self._relations, kind) for kind in ("styles", "numbering"))
        self._styles = read_styles(package.xml(styles)) if styles in package else {}
        self._numberings = Numberings()
        if numbering in package:
            self._numberings.read(package.xml(numbering))
        self._depth = 0
        comments = related(self._relations, "comments") if package.reads_comments else ""
        self._comments = {
            attribute(each, "id"): each for each in (package.xml(comments) if comments in package else ())
        }
        graphic = partial(write_graphic, package=package, relations=self._relations)
        self._text = TextWriter(self._relations, self._styles, self._write_blocks, graphic)

    def page(self) -> Page:
        body = make("body")
        self._write_blocks(self._body, body)
        if self._text.notes:
            parts = {kind: related(self._relations, kind) for kind in NOTES.values()}
            texts = {
                (kind, attribute(note, "id")): note
                for kind, part in parts.items()
                for note in (self._package.xml(part) if part in self._package else ())
            }
            body.extend([make("hr"), make("ol")])
            for key in self._text.notes:  # the list grows while notes that contain notes are written
                self._write_blocks(texts.get(key, ()), nested(body[-1], "li"))
        is_changed = bool(self._text.deleted)
        notes = [sentence("Text deleted with tracked changes is not included.")] if is_changed else []
        chunks = () if INNER_MARK in self._package.url else [*self._body.iter("{*}altChunk")]
        if not chunks:
            return self._package.page(body, notes)
        try:
            page = self._package.page(body, notes)
        except EmptyFileError:
            page = Page(self._package.url, file_name(self._package.url), "")
        return self._with_chunks(page, chunks)

    def _with_chunks(self, page: Page, chunks: Sequence[etree._Element]) -> Page:
        """Return the page with the files that exporters put into a document instead of paragraphs, as web pages or RTF."""
        if not page.text and len(chunks) == 1 and (only := self._chunk(chunks[0])) is not None:
            return replace(only.page, url=page.url)
        page, unread = with_members(page, map(self._chunk, chunks), level=1)
        if not page.text:
            raise EmptyFileError(sentence("{} has no readable text.", page.url), url=page.url)
        skipped = sentence("Skipped damaged, empty or too large files in the document: {}.", f"{unread:,}")
        return replace(page, note=joined([page.note, *([skipped] if unread else [])]))

    def _chunk(self, chunk: etree._Element) -> Member | None:
        """Return an embedded file, or None if it cannot be read."""
        target = self._relations[key].target if (key := attribute(chunk, "id")) in self._relations else ""
        if target not in self._package:
            return None
        kind = kind_of(PurePosixPath(target))
        inner = read_member(
            partial(self._package.read, target),
            url=f"{self._package.url}{INNER_MARK}{quote(target)}",
            content_type=kind.types[0] if kind is not None else "",
        )
        return Member(inner.title, f"path={quote(target)}", inner) if inner is not None else None

    def _write_blocks(self, parent: Iterable[etree._Element], out: HtmlElement) -> None:
        """Write the paragraphs and tables of the body, a note, a cell or a text box."""
        if self._depth > _MAX_DEPTH:
            self._package.is_cut = True
            return
        self._depth += 1
        lists = OpenLists(out)
        for block in _parts(parent, "p", "tbl"):
            if name_of(block) == "p":
                self._write_paragraph(block, lists)
                for mark in block.iter("{*}commentReference") if self._comments else ():
                    if (comment := self._comments.pop(attribute(mark, "id"), None)) is not None:
                        quotation = make("blockquote")
                        self._write_blocks(comment, quotation)
                        add_comment(lists.place, attribute(comment, "author"), quotation)
            else:
                lists = OpenLists(out)
                out.append(self._table(block))
        self._depth -= 1

    def _write_paragraph(self, paragraph: etree._Element, lists: OpenLists) -> None:
        properties = child(paragraph, "pPr")
        style = self._styles.get(value(properties, "pStyle"), Style())
        level = outline_level(properties) or style.level
        numbering, list_level = list_of(properties)
        if not numbering:
            numbering, list_level = style.numbering, style.list_level
        found = self._numberings.level(numbering, list_level) if numbering != "0" and not level else None
        if not level and (style.is_code or style.is_monospaced or (found is None and is_all_monospaced(paragraph))):
            lists.add_code(plain_text(paragraph))
            return
        target = make(f"h{min(level, 6)}" if level else "p")
        self._text.write(paragraph, target, target, [])
        if not target.text_content() and not len(target):
            return
        lists.code = None
        margin = child(properties, "ind")
        indent = number(attribute(margin, "left") or attribute(margin, "start"))
        if found is not None and found.has_sign:
            count = self._numberings.count(numbering, list_level, found.start)
            lists.add_item(list_level, is_ordered=found.is_ordered, count=count).append(target)
        elif found is not None or (lists and not level and numbering != "0" and indent > 0):
            lists.place.append(target)
        else:
            lists.close()
            lists.out.append(make("blockquote", "", target) if style.is_quote else target)

    def _table(self, table: etree._Element) -> HtmlElement:
        out = make("table")
        above: dict[int, HtmlElement] = {}
        for row in _parts(table, "tr"):
            if child(row, "trPr", "del") is not None:
                self._text.deleted += 1
                continue
            is_header = last_child(out) is None or is_on(child(row, "trPr", "tblHeader"))
            written = nested(out, "tr")
            column = max(0, min(number(value(child(row, "trPr"), "gridBefore")), 100))
            written.extend(make("td") for _ in range(column))
            for cell in _parts(row, "tc"):
                properties = child(cell, "tcPr")
                span = max(1, min(number(value(properties, "gridSpan"), 1), 1_000))
                merged = child(properties, "vMerge")
                if merged is not None and attribute(merged, "val", "continue") == "continue" and column in above:
                    above[column].set("rowspan", str(number(above[column].get("rowspan", "1"), 1) + 1))
                else:
                    tag = "th" if is_header else "td"
                    above[column] = made = make(tag, colspan=str(span) if span > 1 else "")
                    written.append(made)
                    self._write_blocks(cell, made)
                column += span
        return out


def _parts(parent: Iterable[etree._Element], *names: str) -> Iterator[etree._Element]:
    """Yield the parts with these names, including those in nested containers."""
    for part in parent:
        name = name_of(part)
        inner = child(part, "Choice") if name == "AlternateContent" else part
        if name in names:
            yield part
        elif inner is not None and name in _CONTAINERS and is_shallow(inner):
            yield from _parts(inner, *names)
