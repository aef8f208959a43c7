"""Read the text inside a paragraph of a Word document: formatted runs, links, fields, formulas, references to notes, drawings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from lxml import etree
from lxml.html import HtmlElement

from app.extract.office.elements import append_text, attribute, child, children, is_on, make, name_of, nested, value
from app.extract.office.formulas import formula
from app.extract.office.package import Relation
from app.extract.office.word_styles import Style, is_monospaced

MAX_CONTAINERS: Final = 200  # The number of elements around a paragraph or a run; deeper ones are omitted.
_CONTAINERS: Final = frozenset(
    {"ins", "moveTo", "smartTag", "customXml", "fldSimple", "dir", "bdo", "sdtContent", "sdt"}
)
_DELETED: Final = frozenset({"del", "moveFrom"})
NOTES: Final = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_SHAPES: Final = frozenset({"drawing", "pict", "object", "AlternateContent"})
_BREAKS: Final = frozenset({"br", "cr"})
_CHARACTERS: Final = {"tab": " ", "ptab": " ", "noBreakHyphen": "\N{NON-BREAKING HYPHEN}"}
_CHARACTERS_OF_CODE: Final = {"tab": "\t", "br": "\n", "cr": "\n"}
_LINK_FIELD: Final = re.compile(r'\s*+HYPERLINK\s++(\\l\s++)?+"([^"]++)"')
_SYMBOL: Final = re.compile(r"[0-9A-Fa-f]{4}")
_PRIVATE_SYMBOLS: Final = range(0xE000, 0xF900)  # Symbols of special fonts, which are meaningless without the font.
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

    `write_box` writes the paragraphs of a text box into an element. `deleted` counts tracked deletions.
    """

    relations: Mapping[str, Relation]
    styles: Mapping[str, Style]
    write_box: Callable[[etree._Element, HtmlElement], None]
    notes: list[tuple[str, str]] = field(default_factory=list)
    deleted: int = 0
    _places: dict[tuple[str, str], int] = field(default_factory=dict)

    def write(self, paragraph: etree._Element, block: HtmlElement) -> None:
        """Write the text of a paragraph into a block."""
        self._write_inline(paragraph, block, block, [])

    def _write_inline(
        self, parent: etree._Element, out: HtmlElement, block: HtmlElement, fields: list[_Field]
    ) -> HtmlElement:
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
                self._write_inline(part, link, block, [])
            elif name in _CONTAINERS:
                if is_shallow(part):
                    out = self._write_inline(part, out, block, fields)
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
                out = into = _follow_field(attribute(part, "fldCharType"), out, fields)
            elif fields and not fields[-1].is_result:
                fields[-1].instruction += (part.text or "") if name == "instrText" else ""
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
        elif name in _BREAKS:
            if attribute(part, "type") not in ("page", "column"):
                out.append(make("br"))
        elif name == "sym":
            symbol = attribute(part, "char")
            if _SYMBOL.fullmatch(symbol) and int(symbol, 16) not in _PRIVATE_SYMBOLS:
                append_text(out, chr(int(symbol, 16)))
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
    return not {"tc", "txbxContent"} & around.keys() and child(around.get("p"), "pPr", "shd") is None


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
        if not len(out) or out[-1].tail or out[-1].tag != tag:
            out.append(make(tag))
        out = out[-1]
    return out
