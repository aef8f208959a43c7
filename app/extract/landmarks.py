"""The main part of a page as the page itself marks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app.extract.measure import text_size
from app.extract.xpath import elements, holds

MIN_SHARE: Final = 0.25
"""A landmark with less of the body's text than this does not hold the content."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """The marked elements with the title right before them, none if a page marks none; whether a generator of
    documentation made them.
    """

    roots: tuple[HtmlElement, ...] = ()
    is_generated: bool = False


_FRAMEWORKS: Final = frozenset(
    {"vp-doc", "theme-doc-markdown", "sl-markdown-content", "bd-article", "mw-parser-output", "markdown-body"}
)
_FRAMEWORK_CANDIDATES: Final = elements(
    "//div[contains(@class, '-doc') or contains(@class, 'sl-markdown') or contains(@class, 'mw-parser')]"
    " | //article[contains(@class, 'bd-article') or contains(@class, 'markdown-body')]"
)
_GENERATED_IDS: Final = ("apicontent", "bodyContent", "mw-content-text", "docs-content")
_BY_ID: Final = (
    "article",
    "content",
    "main",
    "main-content",
    "main_content",
    "mainContent",
    "maincontent",
    "page-content",
)
_LANDMARKS: Final = (
    elements("//*[@role='main'] | //main"),
    elements("//*[@itemprop='articleBody']"),
    elements("//article"),
    elements("//*[" + " or ".join(f"@id='{name}'" for name in _BY_ID) + "]"),
)
_WITH_GENERATED_ID: Final = elements("//*[" + " or ".join(f"@id='{name}'" for name in _GENERATED_IDS) + "]")
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


def landmark(tree: HtmlElement) -> Landmark:
    """The elements that the page marks as its content."""
    body = tree.find("body")
    if body is None:
        return Landmark()
    docbook = _DOCBOOK(tree)
    if docbook:
        return Landmark(tuple(docbook), is_generated=True)
    whole = text_size(body)
    for path in (_framework_parts, *_LANDMARKS):
        found = _outermost(path(tree))
        if found and sum(map(text_size, found)) >= MIN_SHARE * whole:
            return Landmark(_with_title(found), is_generated=path is _framework_parts)
    return Landmark()


def _framework_parts(tree: HtmlElement) -> list[HtmlElement]:
    """The containers in which generators of documentation put the written text."""
    by_class = [
        node for node in _FRAMEWORK_CANDIDATES(tree) if not _FRAMEWORKS.isdisjoint((node.get("class") or "").split())
    ]
    return by_class or _WITH_GENERATED_ID(tree)


def _outermost(elements: Sequence[HtmlElement]) -> list[HtmlElement]:
    """The elements that do not lie in another one of them."""
    chosen = set(elements)
    return [element for element in elements if chosen.isdisjoint(element.iterancestors())]


def _with_title(roots: list[HtmlElement]) -> tuple[HtmlElement, ...]:
    if any(_HAS_TITLE(root) for root in roots):
        return tuple(roots)
    return (*_TITLE_BEFORE(roots[0]), *roots)
