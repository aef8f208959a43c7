"""Read the styles and numberings of a Word document: headings, lists, code, quotations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Final

from lxml import etree

from app.extract.office.elements import attribute, child, children, is_on, number, value

_HEADING: Final = re.compile(r"(?:heading|überschrift|titre|título|titolo|заголовок) ?([1-9])", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?:source ?code|code|html ?preformatted|preformatted text|listing|verbatim|macro ?text|plain ?text)",
    re.IGNORECASE,
)
_QUOTE: Final = re.compile(r"(?:intense |block ?)?(?:quote|quotation|block ?text)", re.IGNORECASE)
MONOSPACED: Final = re.compile(r"courier|consolas|mono|menlo|fira code", re.IGNORECASE)
_TITLES: Final = ("title", "titel", "titre")
_MAX_PARENTS: Final = 20
MAX_LIST_LEVEL: Final = 8


@dataclass(frozen=True, slots=True)
class Style:
    """A style with what it inherits. `level` is that of a heading, or 0; `numbering` is empty outside lists."""

    level: int = 0
    numbering: str = ""
    list_level: int = 0
    is_code: bool = False
    is_quote: bool = False
    is_monospaced: bool = False
    is_hidden: bool = False
    is_bold: bool = False
    is_italic: bool = False
    is_raised: bool = False
    is_lowered: bool = False


@dataclass(frozen=True, slots=True)
class ListLevel:
    """How the items of a level are marked. `has_sign` is false for paragraphs that continue an item, as pandoc writes them."""

    is_ordered: bool
    start: int
    has_sign: bool


@dataclass(slots=True)
class Numberings:
    """The lists of a document: their levels and current numbers."""

    _levels: dict[str, dict[int, ListLevel]] = field(default_factory=dict)
    _abstract: dict[str, str] = field(default_factory=dict)
    _counts: dict[str, dict[int, int]] = field(default_factory=dict)

    def read(self, root: etree._Element) -> None:
        """Read the numberings from their part."""
        shared = {attribute(each, "abstractNumId"): each for each in children(root, "abstractNum")}
        for each in children(root, "num"):
            key, abstract = attribute(each, "numId"), value(each, "abstractNumId")
            if abstract in shared:
                self._abstract[key] = abstract
                self._levels[key] = {
                    number(attribute(level, "ilvl")): ListLevel(
                        value(level, "numFmt") not in ("bullet", "none"),
                        number(value(level, "start"), 1),
                        child(level, "lvlText") is None or bool(value(level, "lvlText").strip()),
                    )
                    for level in children(shared[abstract], "lvl")
                }

    def level(self, numbering: str, depth: int) -> ListLevel | None:
        """Return the level of a list, or None if the document has no such list."""
        levels = self._levels.get(numbering)
        return levels.get(depth, ListLevel(is_ordered=True, start=1, has_sign=True)) if levels is not None else None

    def count(self, numbering: str, depth: int, start: int) -> int:
        """Return the number of the next item; lists with the same abstract numbering continue, and deeper levels restart."""
        counts = self._counts.setdefault(self._abstract[numbering], {})
        for deeper in [level for level in counts if level > depth]:
            del counts[deeper]
        counts[depth] = counts.get(depth, start - 1) + 1
        return counts[depth]


def read_styles(root: etree._Element) -> dict[str, Style]:
    """Return the styles by id, each with its inherited properties."""
    entries = {attribute(each, "styleId"): each for each in children(root, "style")}
    styles = {}
    for name in entries:
        lineage: list[etree._Element] = []
        key = name
        while key in entries and len(lineage) < _MAX_PARENTS:
            lineage.append(entries[key])
            key = value(entries[key], "basedOn")
        styles[name] = reduce(_derived, reversed(lineage), Style())
    return styles


def _derived(style: Style, entry: etree._Element) -> Style:
    """Return a style with the properties of another one that is based on it."""
    name = value(entry, "name")
    paragraph, run = child(entry, "pPr"), child(entry, "rPr")
    heading = _HEADING.fullmatch(name)
    level = int(heading.group(1)) if heading else outline_level(paragraph) or int(name.lower() in _TITLES)
    numbering, depth = list_of(paragraph)
    switches = {
        key: is_on(found)
        for key, tag in (("is_hidden", "vanish"), ("is_bold", "b"), ("is_italic", "i"))
        if (found := child(run, tag)) is not None
    }
    return replace(
        style,
        level=level or style.level,
        numbering=numbering or style.numbering,
        list_level=depth if numbering else style.list_level,
        is_code=style.is_code or _CODE.fullmatch(name) is not None,
        is_quote=style.is_quote or _QUOTE.fullmatch(name) is not None,
        is_monospaced=style.is_monospaced or is_monospaced(run),
        **switches,
    )


def is_monospaced(properties: etree._Element | None) -> bool:
    """Whether the properties of a run choose a font for code."""
    return MONOSPACED.search(attribute(child(properties, "rFonts"), "ascii")) is not None


def outline_level(properties: etree._Element | None) -> int:
    """Return the heading level in the properties of a paragraph; 0 for none."""
    level = child(properties, "outlineLvl")
    depth = number(value(level), 9) if level is not None else 9
    return depth + 1 if 0 <= depth < 9 else 0


def list_of(properties: etree._Element | None) -> tuple[str, int]:
    """Return the list in the properties of a paragraph, and its level there; ("", 0) for none."""
    numbering = child(properties, "numPr")
    return value(numbering, "numId"), min(max(number(value(numbering, "ilvl")), 0), MAX_LIST_LEVEL)
