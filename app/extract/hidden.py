"""What a page holds but does not show: it never becomes text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.xpath import elements, holds, strings

_HIDING: Final = (
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    r"|font-size\s*:\s*0(?:\.0+)?(?:px|pt|em|rem|%)?\s*(?:[;!}]|$)"
)
_HIDING_STYLE: Final = re.compile(
    rf"(?:^|[;\s])(?:{_HIDING}|(?:left|top|text-indent|margin-left)\s*:\s*-\d{{4,}}|clip\s*:\s*rect\(\s*[01](?:px)?[\s,]+[01])",
    re.IGNORECASE,
)
_HIDDEN_CLASSES: Final = word_set(
    """
    sr-only visually-hidden visuallyhidden screen-reader-text screenreader-text element-invisible
    a11y-hidden u-hidden-visually MathJax_Preview
    """
)
_PANEL_NAME: Final = re.compile(
    r"accordion|collaps|expand|toggle|disclosure|spoiler|faq|\btab(?:s|bed|panel|-|_)", re.IGNORECASE
)
_CANDIDATES: Final = elements("//*[@hidden or @aria-hidden='true' or @style or @class or @id]")
_HAS_TABS: Final = holds("ancestor::*[position() <= 3]//*[@role='tab']")
_CONTROLS: Final = strings("//@aria-controls | //@data-bs-target | //@data-target")
_HAS_FORMULA: Final = holds(".//*[local-name() = 'math']")
_HAS_MAIN: Final = holds(".//h1 | .//main | .//*[@role='main'] | self::main")
_STYLE_SHEETS: Final = strings("//style[not(@media) or @media='all' or @media='screen']/text()")
_COMMENT: Final = re.compile(r"/\*.*?\*/", re.DOTALL)
_RULE: Final = re.compile(r"([^{}]+)\{([^{}]*)\}")
_SIMPLE_SELECTOR: Final = re.compile(r"[a-z]*([.#][\w-]+)", re.IGNORECASE)
_STREAMED: Final = re.compile(r"S:[0-9a-f]+")
"""Ids that React gives to parts it sends late; the reader sees them as soon as they have come."""
_SHOWING: Final = re.compile(r"display\s*:\s*(?!none)[a-z]|visibility\s*:\s*visible", re.IGNORECASE)
_MAX_STYLE_CHARS: Final = 100_000
_MAX_SHARE: Final = 0.25
_CURTAIN_SHARE: Final = 0.8
_MIN_CURTAIN_CHARS: Final = 800
_MIN_CONTENT_CHARS: Final = 2000
"""A longer part with more than _MAX_SHARE of the text that only a style sheet hides is shown by a script."""


@dataclass(frozen=True, slots=True)
class Hiding:
    """How a page hides: classes and ids (`.x`, `#y`) that its style sheets hide, ids that a control opens."""

    names: frozenset[str]
    opened: frozenset[str]


def read_hiding(tree: HtmlElement) -> Hiding:
    """To be asked while the tree has its style sheets and buttons."""
    opened = frozenset(name.lstrip("#") for value in _CONTROLS(tree) for name in value.split())
    return Hiding(_hidden_by_sheets(tree), opened)


def hidden_elements(tree: HtmlElement, hiding: Hiding) -> Iterator[HtmlElement]:
    """Every element that a reader cannot see, once scripts, style sheets and buttons are gone.

    Seen are also: panels that can be opened, formulas for screen readers, parts that a server streams for
    scripts to put in place, and a curtain, which hides nearly the whole page until scripts have run.
    """
    whole = len(tree.text_content())
    limit = max(_MAX_SHARE * whole, _MIN_CONTENT_CHARS)
    for element in _CANDIDATES(tree):
        if _is_hidden(element, hiding):
            if not _is_curtain(element, whole):
                yield element
        elif _may_be_hidden(element, hiding) and len(element.text_content()) < limit:
            yield element


def _is_curtain(element: HtmlElement, whole: int) -> bool:
    size = len(element.text_content())
    return size > max(_CURTAIN_SHARE * whole, _MIN_CURTAIN_CHARS) and bool(_HAS_MAIN(element))


def _is_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    classes = element.get("class")
    if classes and _has_hidden_class(classes):
        return True
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return not (_is_panel(element, hiding) or _STREAMED.fullmatch(element.get("id") or ""))
    style = element.get("style")
    if not style or not _HIDING_STYLE.search(style):
        return False
    return not (_is_panel(element, hiding) or (element.tag == "span" and _HAS_FORMULA(element)))


def _may_be_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    """Whether the page marks an element as decoration or hides it by a style sheet."""
    is_hidden = element.get("aria-hidden") == "true" and element.tag != "body"
    if not is_hidden and hiding.names:
        names = [f".{name}" for name in (element.get("class") or "").split()]
        is_hidden = not hiding.names.isdisjoint([*names, f"#{element.get('id')}"])
    return is_hidden and not _is_panel(element, hiding)


@lru_cache(maxsize=8192)
def _has_hidden_class(classes: str) -> bool:
    return not _HIDDEN_CLASSES.isdisjoint(classes.split())


def _is_panel(element: HtmlElement, hiding: Hiding) -> bool:
    """Whether the element is the closed panel of a tab, an accordion or the like, which a reader can open."""
    if element.get("role") in ("dialog", "alertdialog", "menu", "tooltip"):
        return False
    if element.get("role") == "tabpanel":
        return bool(_HAS_TABS(element))
    names = f"{element.get('class') or ''} {element.get('id') or ''}"
    return bool(_PANEL_NAME.search(names)) or element.get("id") in hiding.opened


def _hidden_by_sheets(tree: HtmlElement) -> frozenset[str]:
    """Classes and ids that a style sheet in the page hides by a plain rule and no other rule shows."""
    sheet = _COMMENT.sub("", "\n".join(_STYLE_SHEETS(tree))[:_MAX_STYLE_CHARS])
    if "none" not in sheet and "hidden" not in sheet and "font-size" not in sheet:
        return frozenset()
    hidden: set[str] = set()
    for selectors, declarations in _RULE.findall(_without_at_rules(sheet)):
        if _HIDING_STYLE.search(declarations + ";"):
            for selector in selectors.split(","):
                match = _SIMPLE_SELECTOR.fullmatch(selector.strip())
                if match:
                    hidden.add(match.group(1))
    for selectors, declarations in _RULE.findall(sheet):
        if _SHOWING.search(declarations):
            hidden -= set(re.findall(r"[.#][\w-]+", selectors))
    return frozenset(hidden)


def _without_at_rules(sheet: str) -> str:
    """The sheet without `@media` and its like: those rules hold on some screens only."""
    parts: list[str] = []
    position = 0
    for match in re.finditer(r"@[\w-]+[^{};]*\{", sheet):
        if match.start() < position:
            continue
        parts.append(sheet[position : match.start()])
        depth, position = 1, match.end()
        while depth and position < len(sheet):
            depth += {"{": 1, "}": -1}.get(sheet[position], 0)
            position += 1
    parts.append(sheet[position:])
    return "".join(parts)
