"""What the style sheets inside a page hide by plain rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml.html import HtmlElement

from app.extract.styles import declarations, hides
from app.extract.xpath import strings

_STYLE_SHEETS: Final = strings(
    "//style[not(@media) or @media='all' or @media='screen'][not(ancestor::noscript)]/text()"
)
_BRACE: Final = re.compile(r"[{}]")
_ALWAYS_ON: Final = re.compile(r"@(?:layer\b.*|media\s+(?:all|screen)\s*)", re.DOTALL)
_HIDING: Final = re.compile(r"none|hidden|collapse|font-size|-\d{3}|clip|scale\(0")
_SHOWING: Final = re.compile(r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible", re.IGNORECASE)
_SIMPLE_SELECTOR: Final = re.compile(r"[a-z][\w-]*|[a-z]*([.#][\w-]+)", re.IGNORECASE)
_NAME: Final = re.compile(r"[.#][\w-]+")
_FOLDED: Final = frozenset({"height", "max-height", "width", "max-width", "transform"})
"""What a rule of a sheet shuts by these a script unfolds."""
_MAX_CHARS: Final = 100_000


def hidden_names(tree: HtmlElement) -> frozenset[str]:
    """Classes and ids (`.x`, `#y`) that a sheet hides on every screen and no rule shows."""
    sheet = _without_comments("\n".join(_STYLE_SHEETS(tree))[:_MAX_CHARS])
    if not _HIDING.search(sheet):
        return frozenset()
    hidden: set[str] = set()
    shown: set[str] = set()
    for selectors, rule, is_plain in _rules(sheet):
        if is_plain and _HIDING.search(rule) and _is_hiding(rule):
            hidden.update(_simple_names(selectors))
        elif _SHOWING.search(rule):
            shown.update(_NAME.findall(selectors))
    return frozenset(hidden - shown)


def _without_comments(sheet: str) -> str:
    first, *rest = sheet.split("/*")
    return first + "".join(part.partition("*/")[2] for part in rest)


def _is_hiding(rule: str) -> bool:
    return hides(";".join(f"{name}:{value}" for name, value in declarations(rule).items() if name not in _FOLDED))


def _simple_names(selectors: str) -> Iterator[str]:
    for selector in selectors.split(","):
        match = _SIMPLE_SELECTOR.fullmatch(selector.strip())
        if match and match.group(1):
            yield match.group(1)


def _rules(sheet: str) -> Iterator[tuple[str, str, bool]]:
    """Selectors and declarations of each rule, and whether it holds without a condition."""
    conditions: list[bool] = []
    border = 0
    for brace in _BRACE.finditer(sheet):
        text = sheet[border : brace.start()]
        border = brace.end()
        if brace.group() == "{":
            prelude = text.rpartition(";")[2].strip()
            conditions.append(bool(_ALWAYS_ON.fullmatch(prelude)))
            selectors = prelude
        elif conditions:
            conditions.pop()
            if selectors and not selectors.startswith("@"):
                yield selectors, text, all(conditions)
            selectors = ""
