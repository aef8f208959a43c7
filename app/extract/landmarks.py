"""The main part of a page as the page itself marks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lxml.html import HtmlElement

from app.extract.characters import word_set
from app.extract.xpath import elements, holds

MIN_SHARE: Final = 0.25
"""A landmark with less of the body's text than this does not hold the content."""


_FRAMEWORKS: Final = frozenset(
    {"vp-doc", "theme-doc-markdown", "sl-markdown-content", "bd-article", "mw-parser-output", "markdown-body"}
)
_FRAMEWORK_CANDIDATES: Final = elements(
    "//div[contains(@class, '-doc') or contains(@class, 'sl-markdown') or contains(@class, 'mw-parser')]"
    " | //article[contains(@class, 'bd-article') or contains(@class, 'markdown-body')]"
)
_BY_ID: Final = word_set("content main-content apicontent bodyContent mw-content-text main article docs-content")
_LANDMARKS: Final = (
    elements("//*[@role='main'] | //main"),
    elements("//*[@itemprop='articleBody']"),
    elements("//article"),
    elements("//*[" + " or ".join(f"@id='{name}'" for name in sorted(_BY_ID)) + "]"),
)
_DOCBOOK: Final = elements(
    "body/div[@class='sect1' or @class='refentry' or @class='chapter' or @class='section'"
    " or @class='appendix'"
    " or @class='part' or @class='book' or @class='preface' or @class='article' or @class='index'"
    " or @class='bibliography']"
)
_TITLE_BEFORE: Final = elements(
    "preceding-sibling::*[self::div or self::header or self::h1][.//h1 or self::h1][count(.//a) < 3][1]"
)
_HAS_TITLE: Final = holds(".//h1")


def landmark(tree: HtmlElement) -> tuple[HtmlElement, ...]:
    """The elements that the page marks as its content, with the title right before them; empty when it
    marks none.
    """
    body = tree.find("body")
    if body is None:
        return ()
    docbook = _DOCBOOK(tree)
    if docbook:
        return tuple(docbook)
    whole = _size(body)
    for path in (_framework_parts, *_LANDMARKS):
        found = _outermost(path(tree))
        if found and sum(map(_size, found)) >= MIN_SHARE * whole:
            return _with_title(found)
    return ()


def _framework_parts(tree: HtmlElement) -> list[HtmlElement]:
    """The containers in which generators of documentation put the written text."""
    return [
        node for node in _FRAMEWORK_CANDIDATES(tree) if not _FRAMEWORKS.isdisjoint((node.get("class") or "").split())
    ]


def _outermost(elements: Sequence[HtmlElement]) -> list[HtmlElement]:
    """The elements that do not lie in another one of them."""
    chosen = set(elements)
    return [element for element in elements if chosen.isdisjoint(element.iterancestors())]


def _with_title(roots: list[HtmlElement]) -> tuple[HtmlElement, ...]:
    if any(_HAS_TITLE(root) for root in roots):
        return tuple(roots)
    return (*_TITLE_BEFORE(roots[0]), *roots)


def _size(element: HtmlElement) -> int:
    return len("".join(element.text_content().split()))
