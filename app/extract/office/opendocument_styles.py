"""Read the styles of OpenDocument files: headings, lists, code, quotations, hidden text."""

from __future__ import annotations

import re
from typing import Final

from lxml import etree

from app.extract.office.elements import attribute, child, children, name_of, number
from app.extract.office.word_styles import MONOSPACED, Style

_MAX_PARENTS: Final = 20
_CODE: Final = re.compile(r"preformatted.*|source.*|.*\bcode\b.*|listing.*|verbatim", re.IGNORECASE)
_QUOTE: Final = re.compile(r"quotations?|block ?text|quote", re.IGNORECASE)
_ESCAPED: Final = re.compile(r"_([0-9a-f]{2})_")


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
        """Return the style with a name and its inherited properties; a plain one if it is unknown."""
        if name in self._known:
            return self._known[name]
        said: dict[str, str] = {}
        level, is_code, is_quote, parents = 0, False, False, 0
        is_text = bool(name) and attribute(self._elements.get(name), "family") == "text"
        key = name
        while key and parents < _MAX_PARENTS:
            parents += 1
            element = self._elements.get(key)
            shown = attribute(element, "display-name") or _ESCAPED.sub(lambda code: chr(int(code[1], 16)), key)
            is_code = is_code or _CODE.fullmatch(shown) is not None
            is_quote = is_quote or _QUOTE.fullmatch(shown) is not None
            level = level or int(shown == "Title")
            for properties in children(element, "text-properties"):
                for property_name, value in properties.attrib.items():
                    said.setdefault(str(property_name).rpartition("}")[2], str(value))
            key = attribute(element, "parent-style-name")
        position = said.get("text-position", "").split(" ")[0]
        fonts = (said.get("font-name", ""), said.get("font-family", ""))
        style = self._known[name] = Style(
            level=level,
            is_code=is_code and not is_text,
            is_quote=is_quote,
            is_monospaced=(is_code and is_text) or any(map(MONOSPACED.search, fonts)),
            is_hidden=said.get("display") == "none",
            is_bold=said.get("font-weight") == "bold",
            is_italic=said.get("font-style") in ("italic", "oblique"),
            is_raised=position == "super" or (position.endswith("%") and not position.startswith(("-", "0"))),
            is_lowered=position == "sub" or position.startswith("-"),
        )
        return style

    def is_ordered(self, name: str, level: int) -> bool:
        """Whether a list style numbers the items of a level. Some programs write only the first level of the style of an inner list."""
        levels = {number(attribute(each, "level")): each for each in self._lists.get(name, ())}
        found = levels.get(level, levels.get(1))
        is_number = found is not None and name_of(found) == "list-level-style-number"
        return is_number and bool(attribute(found, "num-format"))

    def is_hidden(self, name: str) -> bool:
        """Whether the style of a slide or a sheet hides it."""
        style = self._elements.get(name)
        is_shown = attribute(child(style, "table-properties"), "display") != "false"
        return not is_shown or attribute(child(style, "drawing-page-properties"), "visibility") == "hidden"
