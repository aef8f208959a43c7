"""Read Word documents (.docx, .docm).

Tracked deletions and hidden text are omitted, tracked insertions are included. Comments follow after their paragraph, if they are wanted.
Footnotes and endnotes follow after a rule, as a numbered list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.office.elements import add_comment, attribute, child, is_on, make, name_of, nested, number, value
from app.extract.office.lists import OpenLists
from app.extract.office.package import Package, related
from app.extract.office.word_styles import Numberings, Style, list_of, outline_level, read_styles
from app.extract.office.word_text import NOTES, TextWriter, is_all_monospaced, is_shallow, plain_text
from app.extract.page import Page
from app.text.sentence import sentence

_MAX_DEPTH: Final = 40  # The nesting limit of tables and text boxes.
_CONTAINERS: Final = frozenset(
    {"ins", "moveTo", "customXml", "smartTag", "txbxContent", "sdt", "sdtContent", "AlternateContent"}
)


def extract_word(package: Package) -> Page:
    """Return the page of a Word document. Raises EmptyPageError, UnsupportedContentError and ContentProtectedError."""
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
        self._text = TextWriter(self._relations, self._styles, self._write_blocks)

    def page(self) -> Page:
        body = make("body")
        self._write_blocks(self._body, body)
        if self._text.notes:
            body.extend([make("hr"), self._written_notes()])
        is_changed = bool(self._text.deleted)
        return self._package.page(
            body, [sentence("Text deleted with tracked changes is not included.")] if is_changed else []
        )

    def _written_notes(self) -> HtmlElement:
        parts = {kind: related(self._relations, kind) for kind in NOTES.values()}
        texts = {
            (kind, attribute(note, "id")): note
            for kind, part in parts.items()
            for note in (self._package.xml(part) if part in self._package else ())
        }
        written = make("ol")
        for key in self._text.notes:  # the list grows while notes that contain notes are written
            item = nested(written, "li")
            if key in texts:
                self._write_blocks(texts[key], item)
        return written

    def _write_blocks(self, parent: etree._Element, out: HtmlElement) -> None:
        """Write the paragraphs and tables of the body, a note, a cell or a text box."""
        if self._depth > _MAX_DEPTH:
            return
        self._depth += 1
        lists = OpenLists(out)
        for block in _parts(parent, "p", "tbl"):
            if name_of(block) == "p":
                self._write_paragraph(block, lists)
                self._write_comments(block, lists.place)
            else:
                lists = OpenLists(out)
                out.append(self._table(block))
        self._depth -= 1

    def _write_comments(self, paragraph: etree._Element, out: HtmlElement) -> None:
        for mark in paragraph.iter("{*}commentReference") if self._comments else ():
            comment = self._comments.pop(attribute(mark, "id"), None)
            if comment is not None:
                quotation = make("blockquote")
                self._write_blocks(comment, quotation)
                add_comment(out, attribute(comment, "author"), quotation)

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
        self._text.write(paragraph, target)
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
            is_header = not len(out) or is_on(child(row, "trPr", "tblHeader"))
            written = nested(out, "tr")
            column = 0
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


def _parts(parent: etree._Element, *names: str) -> Iterator[etree._Element]:
    """Yield the parts with these names, including those in nested containers."""
    for part in parent:
        name = name_of(part)
        inner = child(part, "Choice") if name == "AlternateContent" else part
        if name in names:
            yield part
        elif inner is not None and name in _CONTAINERS and is_shallow(inner):
            yield from _parts(inner, *names)
