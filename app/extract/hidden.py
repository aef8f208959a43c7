"""What a page holds but does not show never becomes text; panels that a reader can open (tabs, accordions, "read more") do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.sheets import SheetRules, read_sheets
from app.extract.styles import (
    are_alike,
    background_colour,
    colour,
    declarations,
    fades,
    hides,
    text_colour,
    with_variables,
)
from app.extract.tree import by_attribute, elements, holds, link_share, text_size

_HIDDEN_CLASSES: Final = word_set(
    """
    sr-only visually-hidden visuallyhidden screen-reader-text screenreader-text element-invisible
    a11y-hidden u-hidden-visually MathJax_Preview
    """
)
_HAS_FORMULA: Final = holds(".//*[local-name() = 'math']")
_HAS_MAIN: Final = holds(".//h1 | .//main | .//*[@role='main'] | self::main")
_CHROME: Final = elements(
    "//*[self::nav or self::header or self::footer or self::aside or @role='navigation' or @role='banner'"
    " or @role='contentinfo']"
)
_IS_PLAIN: Final = holds(
    "not(//link[contains(@rel, 'stylesheet')] or //style[contains(., 'background')] or //script[@src])"
)
_HIDING_ATTRIBUTES: Final = frozenset({"hidden", "aria-hidden", "style", "color", "class"})
_LABELS: Final = ("aria-label", "title")
_STREAMED: Final = re.compile(r"S:[0-9a-f]+")
"""Ids that React gives to parts it sends late; the reader sees them as soon as they have come."""
_ANIMATED: Final = re.compile(r"aos|anim|fade|reveal|motion|lazy|wow|scroll|appear|slid|invisible", re.IGNORECASE)
_WHITE: Final = "ffffff"
_MAX_SHARE: Final = 0.25
_CURTAIN_SHARE: Final = 0.7
_MIN_CURTAIN_CHARS: Final = 700
_MIN_CONTENT_CHARS: Final = 1700
"""A longer part with more than _MAX_SHARE of the text that only a style sheet hides is shown by a script."""
_PANEL_NAME: Final = re.compile(
    r"accordion|collaps|expand|toggle|disclosure|spoiler|faq|\btab(?:s|bed|panel|-|_)|(?:^|[\s_-])(?:more|less)(?:$|[\s_-])",
    re.IGNORECASE,
)
_GROUP_NAME: Final = re.compile(r"accordion|collaps|disclosure|spoiler|faq", re.IGNORECASE)
_SLIDE_NAME: Final = re.compile(r"carousel|slide|swiper|slick", re.IGNORECASE)
_COPY_NAME: Final = re.compile(r"clone|duplicate", re.IGNORECASE)
_MORE: Final = re.compile(r"\b(?:more|details?|full|expand|all|description|specifications?)\b", re.IGNORECASE)
_HAS_TABS: Final = holds("ancestor::*[position() <= 3]//*[@role='tab']")
OPENING_ATTRIBUTES: Final = frozenset(
    {"aria-controls", "aria-expanded", "class", "data-bs-target", "data-target", "data-toggle", "role"}
)
"""What has to be known of a page to read its openers."""
_TARGETS: Final = ("aria-controls", "data-bs-target", "data-target")
_PAGE_FRAMES: Final = ("nav", "header", "footer")
_NOT_CONTENT: Final = frozenset({"dialog", "alertdialog", "menu", "tooltip"})
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
_REACH: Final = 3
"""How many levels up from a control the part that it opens is looked for."""
_MAX_LABEL_CHARS: Final = 60
_MAX_LINK_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Hiding:
    """How a page hides: what its style sheets hide, what its controls open, the colour behind its text where that is
    known, the elements that may be hidden, and those with a label of their own.
    """

    sheets: SheetRules
    openers: Openers
    paper: str | None
    suspects: Sequence[HtmlElement]
    labelled: Sequence[HtmlElement]


def read_hiding(tree: HtmlElement) -> Hiding:
    """Call it while the tree has its style sheets and buttons."""
    sheets = read_sheets(tree)
    having = by_attribute(tree, _HIDING_ATTRIBUTES | OPENING_ATTRIBUTES | {*_LABELS})
    suspects = list(_suspects(having, sheets))
    openers = read_openers(tree, having) if suspects else NO_OPENERS
    labelled = [element for name in _LABELS for element in having[name]]
    return Hiding(sheets, openers, _WHITE if _IS_PLAIN(tree) else None, suspects, labelled)


def _suspects(having: dict[str, list[HtmlElement]], sheets: SheetRules) -> Iterator[HtmlElement]:
    """Elements that an attribute, a class or a style sheet may hide."""
    yield from having["hidden"]
    yield from (element for element in having["aria-hidden"] if element.get("aria-hidden") == "true")
    yield from (element for element in having["color"] if element.tag == "font")
    yield from (element for element in having["style"] if _is_telling(element.get("style") or ""))
    yield from (element for element in having["class"] if has_hidden_class(element.get("class") or ""))
    yield from sheets.hidden
    yield from sheets.coloured


def _is_telling(style: str) -> bool:
    return "color" in style or "var(" in style or hides(style) or fades(style)


def _style_of(element: HtmlElement, variables: Mapping[str, str]) -> str:
    """The style attribute, its variables replaced by what the element, those around it or the style sheets set."""
    style = element.get("style") or ""
    if "var(" not in style:
        return style
    values = dict(variables)
    for node in reversed([*element.iterancestors()]):
        outer = node.get("style") or ""
        if "--" in outer:
            values.update((name, value) for name, value in declarations(outer).items() if name.startswith("--"))
    return with_variables(style, values)


def hidden_elements(tree: HtmlElement, hiding: Hiding) -> Iterator[HtmlElement]:
    """Every element that a reader cannot see, once scripts, style sheets and buttons are gone.

    Seen are also: panels that can be opened, formulas for screen readers, parts that a server streams for
    scripts to put in place, and a curtain, which hides nearly all the content until scripts have run.
    """
    page = _Sizes(tree)
    for element in hiding.suspects:
        if _is_hidden(element, hiding):
            if not page.has_curtain(element):
                yield element
        elif _may_be_hidden(element, hiding) and text_size(element) < page.limit:
            yield element


class _Sizes:
    """How much text a page holds, counted lazily."""

    def __init__(self, tree: HtmlElement) -> None:
        self._tree = tree

    @cached_property
    def limit(self) -> float:
        """A part of this size is shown by a script when only a style sheet hides it."""
        return max(_MAX_SHARE * self._whole, _MIN_CONTENT_CHARS)

    @cached_property
    def _whole(self) -> int:
        return text_size(self._tree)

    @cached_property
    def _frame(self) -> list[tuple[HtmlElement, int]]:
        """Headers, footers and navigation with their sizes, those inside others left out."""
        parts = set(_CHROME(self._tree))
        return [(part, text_size(part)) for part in parts if parts.isdisjoint(part.iterancestors())]

    @cached_property
    def _least(self) -> float:
        return _CURTAIN_SHARE * (self._whole - sum(size for _, size in self._frame))

    def has_curtain(self, element: HtmlElement) -> bool:
        """Whether the element holds nearly all of the text outside of headers, footers and navigation."""
        size = text_size(element)
        if size < _MIN_CURTAIN_CHARS or size <= self._least or not (_HAS_MAIN(element) or _is_in_main(element)):
            return False
        frame = dict(self._frame)
        if not frame.keys().isdisjoint([element, *element.iterancestors()]):
            return False
        own: int = sum(frame.get(part, 0) for part in element.iterdescendants())
        return size > self._least + _CURTAIN_SHARE * own


def _is_in_main(element: HtmlElement) -> bool:
    return any(parent.tag == "main" or parent.get("role") == "main" for parent in element.iterancestors())


def _is_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    classes = element.get("class")
    if classes and has_hidden_class(classes):
        return True
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return not (can_be_opened(element, hiding.openers) or _STREAMED.fullmatch(element.get("id") or ""))
    style = _style_of(element, hiding.sheets.variables)
    if style and hides(style):
        return not (can_be_opened(element, hiding.openers) or (element.tag == "span" and _HAS_FORMULA(element)))
    return _has_colour_of_paper(element, style, hiding.paper)


def _may_be_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    """Whether the page marks an element as decoration, lets it fade or hides it by a style sheet."""
    is_hidden = element.get("aria-hidden") == "true" and element.tag != "body" and not is_slide(element)
    if not is_hidden:
        sheets = hiding.sheets
        is_hidden = element in sheets.hidden or _has_colour_of_paper(
            element, sheets.coloured.get(element, ""), hiding.paper
        )
    if not is_hidden and fades(_style_of(element, hiding.sheets.variables)):
        is_hidden = not any(
            _ANIMATED.search(f"{name} {value}") for name, value in element.attrib.items() if name != "style"
        )
    return is_hidden and not can_be_opened(element, hiding.openers)


def _has_colour_of_paper(element: HtmlElement, style: str, paper: str | None) -> bool:
    """Whether text is written in the colour, or nearly, that the page itself gives to what lies behind it."""
    ink = colour(element.get("color") or "") if element.tag == "font" else None
    if ink is None and "color" in style:
        ink = text_colour(style)
    if ink is None:
        return False
    if not ink:
        return True
    for node in (element, *element.iterancestors()):
        behind = background_colour(style if node is element else node.get("style") or "")
        if behind is None and node.get("bgcolor"):
            behind = colour(node.get("bgcolor") or "")
        if behind is None and node.get("background"):
            return False
        if behind is not None:
            return bool(behind) and are_alike(ink, behind)
    return paper is not None and are_alike(ink, paper)


@lru_cache(maxsize=8192)
def has_hidden_class(classes: str) -> bool:
    """Whether a class keeps an element for screen readers."""
    return not _HIDDEN_CLASSES.isdisjoint(classes.split())


@dataclass(frozen=True, slots=True)
class Openers:
    """What the controls of a page open: ids that they name, and the elements right behind them."""

    ids: frozenset[str]
    neighbours: frozenset[HtmlElement]


NO_OPENERS: Final = Openers(frozenset(), frozenset())


def read_openers(tree: HtmlElement, having: dict[str, list[HtmlElement]]) -> Openers:
    """Call it while the tree has its buttons; `having` holds the elements with each of OPENING_ATTRIBUTES."""
    ids = {name.lstrip("#") for key in _TARGETS for element in having[key] for name in (element.get(key) or "").split()}
    ids.update(
        link.get("href", "").lstrip("#") for link in [*having["data-toggle"], *having["role"]] if link.tag == "a"
    )
    controls = {
        *having["aria-expanded"],
        *having["data-toggle"],
        *tree.iter("button"),
        *(element for element in having["role"] if element.get("role") == "button"),
        *(element for element in having["class"] if "toggle" in (element.get("class") or "")),
    }
    neighbours = (_behind(control) for control in controls if _opens_neighbour(control))
    return Openers(frozenset(ids), frozenset(part for part in neighbours if part is not None))


def can_be_opened(element: HtmlElement, openers: Openers) -> bool:
    """Whether a hidden element is the shut panel of a tab, an accordion or the like."""
    role = element.get("role")
    if role in _NOT_CONTENT:
        return False
    if role == "tabpanel":
        return bool(_HAS_TABS(element))
    if element.get("id") in openers.ids or _PANEL_NAME.search(_names(element)):
        return True
    parents = [*element.iterancestors()][:2]
    if any(parent.tag == "details" or _GROUP_NAME.search(_names(parent)) for parent in parents):
        return True
    if openers.neighbours.isdisjoint([element, *parents[:1]]):
        return False
    return link_share(element) <= _MAX_LINK_SHARE


def is_slide(element: HtmlElement) -> bool:
    """Whether the element is a picture or text of a carousel that comes into sight in turn."""
    names = element.get("class") or ""
    return bool(_SLIDE_NAME.search(names)) and not _COPY_NAME.search(names)


def _opens_neighbour(control: HtmlElement) -> bool:
    """Whether a control shows that it opens something: it says so, or its label asks for more."""
    if control.get("aria-expanded") or control.get("data-toggle") == "collapse":
        is_opener = True
    elif control.tag == "button" or control.get("role") == "button":
        label = control.text_content()
        is_opener = len(label) <= _MAX_LABEL_CHARS and bool(_MORE.search(label))
    else:
        is_opener = "toggle" in (control.get("class") or "")
    return is_opener and next(control.iterancestors(*_PAGE_FRAMES), None) is None


def _behind(control: HtmlElement) -> HtmlElement | None:
    """The first element that follows a control or one of the elements around it."""
    node: HtmlElement | None = next((parent for parent in control.iterancestors(*_HEADINGS)), control)
    for _ in range(_REACH):
        if node is None or node.tag in ("body", "main"):
            return None
        for sibling in node.itersiblings():
            if isinstance(sibling.tag, str):
                return sibling
        node = node.getparent()
    return None


def _names(element: HtmlElement) -> str:
    return f"{element.get('class') or ''} {element.get('id') or ''}"
