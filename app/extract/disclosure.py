"""Parts that are shut when a page loads and that a reader can open: tabs, accordions, "read more"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from lxml.html import HtmlElement

from app.extract.measure import link_share
from app.extract.xpath import holds

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
_CHROME: Final = ("nav", "header", "footer")
_NOT_CONTENT: Final = frozenset({"dialog", "alertdialog", "menu", "tooltip"})
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6", "dt")
_REACH: Final = 3
"""How many levels up from a control the part that it opens is looked for."""
_MAX_LABEL_CHARS: Final = 60
_MAX_LINK_SHARE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Openers:
    """What the controls of a page open: ids that they name, and the elements right behind them."""

    ids: frozenset[str]
    neighbours: frozenset[HtmlElement]


NO_OPENERS: Final = Openers(frozenset(), frozenset())


def read_openers(tree: HtmlElement, having: dict[str, list[HtmlElement]]) -> Openers:
    """To be asked while the tree has its buttons; `having` holds the elements with each of OPENING_ATTRIBUTES."""
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
    if element.get("id") in openers.ids or _is_panel_name(_names(element)):
        return True
    parents = [*element.iterancestors()][:2]
    if any(parent.tag == "details" or _is_group_name(_names(parent)) for parent in parents):
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
    return is_opener and next(control.iterancestors(*_CHROME), None) is None


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


@lru_cache(maxsize=8192)
def _is_panel_name(names: str) -> bool:
    return bool(_PANEL_NAME.search(names))


@lru_cache(maxsize=8192)
def _is_group_name(names: str) -> bool:
    return bool(_GROUP_NAME.search(names))
