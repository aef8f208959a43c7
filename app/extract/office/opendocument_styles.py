"""Read the styles of OpenDocument files: headings, lists, code, quotations, hidden text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lxml import etree

from app.extract.office.elements import attribute, child, children, name_of, number
from app.extract.office.word_styles import MONOSPACED

_MAX_PARENTS: Final = 20
_CODE: Final = re.compile(r"preformatted.*|source.*|.*\bcode\b.*|listing.*|verbatim", re.IGNORECASE)
_QUOTE: Final = re.compile(r"quotations?|block ?text|quote", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"_([0-9a-f]{2})_")
_TITLES: Final = ("Title",)


@dataclass(frozen=True, slots=True)
class Style:
    """A style with its inherited properties. `level` is the level of a heading, or 0."""

    level: int = 0
    is_code: bool = False
    is_quote: bool = False
    is_monospaced: bool = False
    is_hidden: bool = False
    is_bold: bool = False
    is_italic: bool = False
    is_raised: bool = False
    is_lowered: bool = False


class Styles:
    """The styles of a file, from its content and its common styles."""

    def __init__(self, *roots: etree._Element | None) -> None:
        self._elements: dict[str, etree._Element] = {}
        self._lists: dict[str, etree._Element] = {}
        self._known: dict[str, Style] = {}
        for root in roots:
            for group in root if root is not None else ():
                if name_of(group) in ("automatic-styles", "styles"):
                    for each in group:
                        known = self._lists if name_of(each) == "list-style" else self._elements
                        known.setdefault(attribute(each, "name"), each)

    def style(self, name: str) -> Style:
        """Return the style with a name; a plain one if it is unknown."""
        if name not in self._known:
            self._known[name] = self._read(name)
        return self._known[name]

    def is_ordered(self, name: str, level: int) -> bool:
        """Whether a list style numbers the items of a level. Some programs write only the first level of the style of an inner list."""
        levels = {number(attribute(each, "level")): each for each in self._lists.get(name, ())}
        found = levels.get(level, levels.get(1))
        return (
            found is not None and name_of(found) == "list-level-style-number" and bool(attribute(found, "num-format"))
        )

    def is_hidden_page(self, name: str) -> bool:
        """Whether the style of a slide hides it."""
        return attribute(child(self._elements.get(name), "drawing-page-properties"), "visibility") == "hidden"

    def is_hidden_table(self, name: str) -> bool:
        """Whether the style of a sheet hides it."""
        return attribute(child(self._elements.get(name), "table-properties"), "display") == "false"

    def _read(self, name: str) -> Style:
        said: dict[str, str] = {}
        level, is_code, is_quote, names = 0, False, False, list[str]()
        while name and len(names) < _MAX_PARENTS:
            names.append(name)
            element = self._elements.get(name)
            shown = attribute(element, "display-name") or _ESCAPED.sub(lambda code: chr(int(code[1], 16)), name)
            is_code = is_code or _CODE.fullmatch(shown) is not None
            is_quote = is_quote or _QUOTE.fullmatch(shown) is not None
            level = level or (1 if shown in _TITLES else 0)
            for properties in children(element, "text-properties"):
                for key, value in properties.attrib.items():
                    said.setdefault(str(key).rpartition("}")[2], str(value))
            name = attribute(element, "parent-style-name")
        position = said.get("text-position", "").split(" ")[0]
        return Style(
            level=level,
            is_code=is_code and not self._is_text_style(names),
            is_quote=is_quote,
            is_monospaced=(is_code and self._is_text_style(names))
            or any(MONOSPACED.search(said.get(key, "")) for key in ("font-name", "font-family")),
            is_hidden=said.get("display") == "none",
            is_bold=said.get("font-weight") == "bold",
            is_italic=said.get("font-style") in ("italic", "oblique"),
            is_raised=position == "super" or (position.endswith("%") and not position.startswith(("-", "0"))),
            is_lowered=position == "sub" or position.startswith("-"),
        )

    def _is_text_style(self, names: list[str]) -> bool:
        return bool(names) and attribute(self._elements.get(names[0]), "family") == "text"
