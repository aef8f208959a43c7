"""Making a tree ready: what nobody sees and what is no content goes, anchors are kept, markup is repaired."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from lxml.html import HtmlElement

from app.extract.boilerplate import boilerplate, never_text, permalinks
from app.extract.hidden import hidden_elements, read_hiding
from app.extract.xpath import elements

_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "dt"})
_CONTENT_WORDS: Final = 100
_NESTED_TERMS: Final = elements("//dt/dt | //dt/dd")
_LOCAL_CONTENTS: Final = elements(
    "//*[self::div or self::ul or self::section or self::aside or self::details]"
    "[@id='toc' or contains(concat(' ', @class, ' '), ' contents ')"
    " or contains(concat(' ', translate(@class, '_-', '  '), ' '), ' toc ')]"
)


def remove_unseen(tree: HtmlElement) -> None:
    """Take out what is not shown to a reader."""
    hiding = read_hiding(tree)
    drop(never_text(tree))
    drop(hidden_elements(tree, hiding))
    for fallback in list(tree.iter("noscript")):
        if _is_content(fallback):
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
    drop(contents for contents in _LOCAL_CONTENTS(tree) if _is_local(contents))


def drop(elements: Iterable[HtmlElement]) -> None:
    """Remove elements, not the text behind them."""
    for element in list(elements):
        if element.getparent() is not None:
            element.drop_tree()


def _is_content(fallback: HtmlElement) -> bool:
    """Whether a `noscript` holds a whole text rather than a hint to switch scripts on."""
    return len(fallback.text_content().split()) >= _CONTENT_WORDS


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


def _is_local(contents: HtmlElement) -> bool:
    """Whether a table of contents leads only to places in the same page."""
    pages = {(link.get("href") or "").partition("#")[0] for link in contents.iter("a") if link.get("href")}
    return len(pages) == 1 and all("#" in (link.get("href") or "#") for link in contents.iter("a"))
