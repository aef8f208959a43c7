"""Making a tree ready: what nobody sees and what is no content goes, anchors are kept, markup is repaired."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from lxml.html import HtmlElement

from app.extract.boilerplate import boilerplate, never_text, permalinks
from app.extract.hidden import hidden_elements, read_hiding
from app.extract.measure import text_size
from app.extract.xpath import elements

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
_CONTENT_WORDS: Final = 100
_CONTENT_SHARE: Final = 0.5
_NESTED_TERMS: Final = elements("//dt/dt | //dt/dd")
_CONTENTS: Final = ("div", "ul", "section", "aside", "details")
_CONTENTS_IDS: Final = frozenset({"toc", "markdown-toc"})
_CONTENTS_NAME: Final = re.compile(r"(?:^|\s)contents(?:\s|$)|(?:^|[\s_-])toc(?:[\s_-]|$)")


def remove_unseen(tree: HtmlElement) -> None:
    """Take out what is not shown to a reader."""
    hiding = read_hiding(tree)
    drop(never_text(tree))
    drop(hidden_elements(tree, hiding))
    fallbacks = list(tree.iter("noscript"))
    whole = text_size(tree) if fallbacks else 0
    for fallback in fallbacks:
        if _is_content(fallback, whole):
            fallback.tag = "div"
        else:
            drop((fallback,))


def remove_boilerplate(tree: HtmlElement) -> None:
    """Take out navigation and its like; the targets of permalinks stay with their headings."""
    _unnest_terms(tree)
    marks = list(permalinks(tree))
    for link in marks:
        _keep_target(link)
    drop(marks)
    drop(boilerplate(tree))
    drop(part for part in tree.iter(*_CONTENTS) if _is_contents(part) and _is_local(part))


def drop(elements: Iterable[HtmlElement]) -> None:
    """Remove elements, not the text behind them."""
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()


def _is_content(fallback: HtmlElement, whole: int) -> bool:
    """Whether a `noscript` holds the text of the page rather than a hint to switch scripts on."""
    return len(fallback.text_content().split()) >= _CONTENT_WORDS and text_size(fallback) >= _CONTENT_SHARE * whole


def _keep_target(link: HtmlElement) -> None:
    """Give a heading without id the target of its permalink."""
    target = (link.get("href") or "").partition("#")[2]
    holders = [*link.iterancestors()][:2]
    owner = next((node for node in [*holders, *holders[0]] if node.tag in _HEADINGS), None)
    if owner is not None and target and not owner.get("id"):
        owner.set("data-anchor", target)


def _unnest_terms(tree: HtmlElement) -> None:
    """Undo the nesting that libxml2 makes of unclosed `dt` elements."""
    for inner in reversed(_NESTED_TERMS(tree)):
        inner.getparent().addnext(inner)


def _is_contents(part: HtmlElement) -> bool:
    return part.get("id") in _CONTENTS_IDS or bool(_CONTENTS_NAME.search(part.get("class") or ""))


def _is_local(contents: HtmlElement) -> bool:
    """Whether a table of contents leads only to places in the same page."""
    pages = {(link.get("href") or "").partition("#")[0] for link in contents.iter("a") if link.get("href")}
    return len(pages) == 1 and all("#" in (link.get("href") or "#") for link in contents.iter("a"))
