"""Anchors: the fragment that leads to a heading or a term."""

from __future__ import annotations

from typing import Final

from lxml.html import HtmlElement

from app.extract.xpath import strings

_INNER: Final = strings("(.//@id | .//a/@name)[1]")
_WRAPPERS: Final = ("section", "div", "article")
_HEADINGS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
_MAX_WRAPPERS: Final = 4
_PAGE_FRAMES: Final = frozenset(
    {"content", "main", "main-content", "maincontent", "body", "root", "app", "page", "wrapper", "header"}
)


def own_anchor(element: HtmlElement) -> str | None:
    """The element's own id, else the first id or name inside it."""
    own = element.get("id") or element.get("data-anchor")
    if own:
        return str(own)
    inner = _INNER(element)
    return str(inner[0]) if inner else None


def heading_anchor(element: HtmlElement) -> str | None:
    """The anchor of a heading: its own, one set right before it, or that of the section it opens."""
    return own_anchor(element) or _before(element) or _wrapper(element)


def _before(element: HtmlElement) -> str | None:
    """The empty target (`<a name>`, `<span id>`) that stands between the last text and the heading."""
    before = element.getprevious()
    while before is not None and not (before.tail or "").strip():
        if not isinstance(before.tag, str):
            before = before.getprevious()
            continue
        anchor = before.get("id") or (before.get("name") if before.tag == "a" else None)
        if before.tag not in ("a", "span", "div") or len(before) or (before.text or "").strip():
            return None
        if anchor:
            return str(anchor)
        before = before.getprevious()
    return None


def _wrapper(element: HtmlElement) -> str | None:
    """The id of the nearest section in which the heading is the first one."""
    node = element.getparent()
    for _ in range(_MAX_WRAPPERS):
        if node is None or node.tag == "body" or next(node.iter(*_HEADINGS), element) is not element:
            return None
        anchor = node.get("id")
        if anchor and node.tag in _WRAPPERS and anchor not in _PAGE_FRAMES:
            return str(anchor)
        node = node.getparent()
    return None
