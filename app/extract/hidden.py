"""Exclude hidden parts of a page, but include panels that a reader can open (tabs, accordions, "read more")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from typing import Final

from lxml.html import HtmlElement

from app.extract import styles
from app.extract.characters import word_set
from app.extract.sheets import SheetRules, read_sheets
from app.extract.tree import HEADINGS, by_attribute, elements, holds, link_share, text_size
from app.paths import asset_table

_HIDDEN_CLASSES: Final = word_set(asset_table("pages.toml")["classes"]["hidden"])
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
"""Ids of parts that React sends late; they become visible as soon as they arrive."""
_ANIMATED: Final = re.compile(r"aos|anim|fade|reveal|motion|lazy|wow|scroll|appear|slid|invisible", re.IGNORECASE)
_WHITE: Final = "ffffff"
_MAX_SHARE: Final = 0.25
_CURTAIN_SHARE: Final = 0.7
_MIN_CURTAIN_CHARS: Final = 700
_MIN_CONTENT_CHARS: Final = 1700
"""A part with more characters than this and more than _MAX_SHARE of the text, hidden only by a style sheet, is shown by a script."""
_PANEL_NAME: Final = re.compile(
    r"accordion|collaps|expand|toggle|disclosure|spoiler|faq|\btab(?:s|bed|panel|-|_)|(?:^|[\s_-])(?:more|less)(?:$|[\s_-])",
    re.IGNORECASE,
)
_GROUP_NAME: Final = re.compile(r"accordion|collaps|disclosure|spoiler|faq", re.IGNORECASE)
_SLIDE_NAME: Final = re.compile(r"carousel|slide|swiper|slick", re.IGNORECASE)
_COPY_NAME: Final = re.compile(r"clone|duplicate", re.IGNORECASE)
_MORE: Final = re.compile(r"\b(?:more|details?|full|expand|all|description|specifications?)\b", re.IGNORECASE)
OPENING_ATTRIBUTES: Final = word_set("aria-controls aria-expanded class data-bs-target data-target data-toggle role")
"""The attributes needed to find the openers of a page."""
_TARGETS: Final = ("aria-controls", "data-bs-target", "data-target")
_PAGE_FRAMES: Final = ("nav", "header", "footer")
_NOT_CONTENT: Final = frozenset({"dialog", "alertdialog", "menu", "tooltip"})
_REACH: Final = (
    3  # The number of levels above a control in which to search for the part it opens, and above a panel for its tabs.
)
_MAX_LABEL_CHARS: Final = 60
_MAX_LINK_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Hiding:
    """How a page hides and opens content, its background color if known, the elements that may be hidden, and labeled ones."""

    sheets: SheetRules
    openers: Openers
    paper: str | None
    suspects: Sequence[HtmlElement]
    labelled: Sequence[HtmlElement]


def read_hiding(tree: HtmlElement) -> Hiding:
    """Read how a page hides content. Call it while the tree has its style sheets and buttons."""
    sheets = read_sheets(tree)
    having = by_attribute(tree, _HIDING_ATTRIBUTES | OPENING_ATTRIBUTES | {*_LABELS})
    suspects = [  # elements that an attribute, a class or a style sheet may hide
        *having["hidden"],
        *(element for element in having["aria-hidden"] if element.get("aria-hidden") == "true"),
        *(element for element in having["color"] if element.tag == "font"),
        *(
            element
            for element in having["style"]
            if "color" in (style := element.get("style") or "")
            or "var(" in style
            or styles.hides(style)
            or styles.fades(style)
        ),
        *(element for element in having["class"] if has_hidden_class(element.get("class") or "")),
        *sheets.hidden,
        *sheets.coloured,
    ]
    openers = read_openers(tree, having) if suspects else Openers()
    labelled = [element for name in _LABELS for element in having[name]]
    return Hiding(sheets, openers, _WHITE if _IS_PLAIN(tree) else None, suspects, labelled)


def _style_of(element: HtmlElement, variables: Mapping[str, str]) -> str:
    """Return the style attribute with variables replaced by values of the element, its ancestors or the style sheets."""
    style = element.get("style") or ""
    if "var(" not in style:
        return style
    values = dict(variables)
    for node in reversed([*element.iterancestors()]):
        outer = node.get("style") or ""
        if "--" in outer:
            values.update((name, value) for name, value in styles.declarations(outer).items() if name.startswith("--"))
    return styles.with_variables(style, values)


def hidden_elements(tree: HtmlElement, hiding: Hiding) -> Iterator[HtmlElement]:
    """Yield every element that a reader cannot see, after scripts, style sheets and buttons were removed.

    These also count as visible: panels that can be opened, formulas for screen readers, parts that a server streams for scripts to
    insert, and nearly the whole content hidden until scripts have run.
    """
    page = _Sizes(tree)
    for element in hiding.suspects:
        if _is_hidden(element, hiding):
            if not page.has_curtain(element):
                yield element
            continue
        # The page may mark an element as decoration, let it fade or hide it by a style sheet.
        sheets = hiding.sheets
        names = element.get("class") or ""
        is_slide = _SLIDE_NAME.search(names) and not _COPY_NAME.search(names)  # it appears in turn
        is_hidden = element.get("aria-hidden") == "true" and element.tag != "body" and not is_slide
        if not is_hidden:
            coloured = sheets.coloured.get(element, "")
            is_hidden = element in sheets.hidden or _has_colour_of_paper(element, coloured, hiding.paper)
        if not is_hidden and styles.fades(_style_of(element, sheets.variables)):
            others = (f"{name} {value}" for name, value in element.attrib.items() if name != "style")
            is_hidden = not any(map(_ANIMATED.search, others))
        if is_hidden and not can_be_opened(element, hiding.openers) and text_size(element) < page.limit:
            yield element


class _Sizes:
    """The amount of text in a page, counted lazily."""

    def __init__(self, tree: HtmlElement) -> None:
        self._tree = tree

    @cached_property
    def limit(self) -> float:
        """Return the size from which a part hidden only by a style sheet is shown by a script."""
        return max(_MAX_SHARE * self._whole, _MIN_CONTENT_CHARS)

    @cached_property
    def _whole(self) -> int:
        return text_size(self._tree)

    @cached_property
    def _frame(self) -> list[tuple[HtmlElement, int]]:
        """Return the outermost headers, footers and navigation with their sizes."""
        parts = set(_CHROME(self._tree))
        return [(part, text_size(part)) for part in parts if parts.isdisjoint(part.iterancestors())]

    @cached_property
    def _least(self) -> float:
        return _CURTAIN_SHARE * (self._whole - sum(size for _, size in self._frame))

    def has_curtain(self, element: HtmlElement) -> bool:
        """Whether the element contains nearly all of the text outside headers, footers and navigation."""
        size = text_size(element)
        if size < _MIN_CURTAIN_CHARS or size <= self._least:
            return False
        around = element.iterancestors()
        if not (_HAS_MAIN(element) or any(part.tag == "main" or part.get("role") == "main" for part in around)):
            return False
        frame = dict(self._frame)
        if not frame.keys().isdisjoint([element, *element.iterancestors()]):
            return False
        own: int = sum(frame.get(part, 0) for part in element.iterdescendants())
        return size > self._least + _CURTAIN_SHARE * own


def _is_hidden(element: HtmlElement, hiding: Hiding) -> bool:
    classes = element.get("class")
    if classes and has_hidden_class(classes):
        return True
    hidden = element.get("hidden")
    if hidden is not None and hidden.lower() != "until-found":
        return not (can_be_opened(element, hiding.openers) or _STREAMED.fullmatch(element.get("id") or ""))
    style = _style_of(element, hiding.sheets.variables)
    if style and styles.hides(style):
        return not (can_be_opened(element, hiding.openers) or (element.tag == "span" and _HAS_FORMULA(element)))
    return _has_colour_of_paper(element, style, hiding.paper)


def _has_colour_of_paper(element: HtmlElement, style: str, paper: str | None) -> bool:
    """Whether text has nearly the same color as the background that the page itself sets."""
    ink = styles.colour(element.get("color") or "") if element.tag == "font" else None
    if ink is None and "color" in style:
        ink = styles.text_colour(style)
    if ink is None:
        return False
    if not ink:
        return True
    for node in (element, *element.iterancestors()):
        behind = styles.background_colour(style if node is element else node.get("style") or "")
        if behind is None and node.get("bgcolor"):
            behind = styles.colour(node.get("bgcolor") or "")
        if behind is None and node.get("background"):
            return False
        if behind is not None:
            return bool(behind) and styles.are_alike(ink, behind)
    return paper is not None and styles.are_alike(ink, paper)


@lru_cache(maxsize=8192)
def has_hidden_class(classes: str) -> bool:
    """Whether a class makes an element visible only to screen readers."""
    return not _HIDDEN_CLASSES.isdisjoint(classes.split())


@dataclass(frozen=True, slots=True)
class Openers:
    """Parts that the controls of a page open: ids that they name, and the elements directly after them. `tabbed` are those with tabs."""

    ids: frozenset[str] = frozenset()
    neighbours: frozenset[HtmlElement] = frozenset()
    tabbed: frozenset[HtmlElement] = frozenset()


def read_openers(tree: HtmlElement, having: dict[str, list[HtmlElement]]) -> Openers:
    """Find the openers. Call it while the tree has its buttons; `having` contains the elements with each of OPENING_ATTRIBUTES."""
    ids = {name.lstrip("#") for key in _TARGETS for element in having[key] for name in (element.get(key) or "").split()}
    links = (part for part in [*having["data-toggle"], *having["role"]] if part.tag == "a")
    ids.update(link.get("href", "").lstrip("#") for link in links)
    controls = {
        *having["aria-expanded"],
        *having["data-toggle"],
        *tree.iter("button"),
        *(element for element in having["role"] if element.get("role") == "button"),
        *(element for element in having["class"] if "toggle" in (element.get("class") or "")),
    }
    neighbours = (_behind(control) for control in controls if _opens_neighbour(control))
    tabbed = set[HtmlElement]()
    for tab in (each for each in having["role"] if each.get("role") == "tab"):
        tabbed.update(takewhile(lambda node: node not in tabbed, tab.iterancestors()))
    return Openers(frozenset(ids), frozenset(part for part in neighbours if part is not None), frozenset(tabbed))


def can_be_opened(element: HtmlElement, openers: Openers) -> bool:
    """Whether a hidden element is the closed panel of a tab, an accordion or similar."""
    role = element.get("role")
    if role in _NOT_CONTENT:
        return False
    if role == "tabpanel":
        return not openers.tabbed.isdisjoint(islice(element.iterancestors(), _REACH))
    if element.get("id") in openers.ids or _PANEL_NAME.search(_names(element)):
        return True
    parents = [*element.iterancestors()][:2]
    if any(parent.tag == "details" or _GROUP_NAME.search(_names(parent)) for parent in parents):
        return True
    if openers.neighbours.isdisjoint([element, *parents[:1]]):
        return False
    return link_share(element) <= _MAX_LINK_SHARE


def _opens_neighbour(control: HtmlElement) -> bool:
    """Whether a control opens something, according to its attributes or a label that asks for more."""
    if control.get("aria-expanded") or control.get("data-toggle") == "collapse":
        is_opener = True
    elif control.tag == "button" or control.get("role") == "button":
        label = control.text_content()
        is_opener = len(label) <= _MAX_LABEL_CHARS and bool(_MORE.search(label))
    else:
        is_opener = "toggle" in (control.get("class") or "")
    return is_opener and next(control.iterancestors(*_PAGE_FRAMES), None) is None


def _behind(control: HtmlElement) -> HtmlElement | None:
    """Return the first element after a control or one of its ancestors."""
    node: HtmlElement | None = next((parent for parent in control.iterancestors(*HEADINGS, "dt")), control)
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
