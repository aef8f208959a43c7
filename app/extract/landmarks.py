"""The main part of a page as the page itself marks it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml.html import HtmlElement

from app.extract.measure import text_size
from app.extract.xpath import elements, has_class, holds

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
    {
        *("vp-doc", "theme-doc-markdown", "sl-markdown-content", "bd-article"),
        *("mw-parser-output", "markdown-body", "markdown-section"),
    }
)
_FRAMEWORK_CANDIDATES: Final = elements(
    "//div[contains(@class, '-doc') or contains(@class, 'sl-markdown') or contains(@class, 'mw-parser')]"
    " | //article[contains(@class, 'bd-article') or contains(@class, 'markdown-body')]"
    " | //section[contains(@class, 'markdown-section')]"
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
_BY_STRUCTURE: Final = elements(
    "//*[" + " or ".join(f"@id='{name}'" for name in _GENERATED_IDS) + "]"
    " | (//div[@id='path'])[1]/following-sibling::div"
    "[@id='page-content' or @id='preamble' or @id='directive-ref' or @id='directive-list']"
)
"""Ids that only generators give; the text behind the path of the page (Apache)."""
_CONTENTS: Final = elements(f"//div[{has_class('contents')}]")
_DOXYGEN_TITLE: Final = elements(f"self::div[{has_class('header')}]//div[{has_class('headertitle')}]")
_DOCBOOK: Final = elements(
    "body/div[@class='sect1' or @class='refentry' or @class='chapter' or @class='section'"
    " or @class='appendix'"
    " or @class='part' or @class='book' or @class='preface' or @class='article' or @class='index'"
    " or @class='bibliography']"
)
_TITLE_BEFORE: Final = elements(
    "preceding-sibling::*[self::div or self::header or self::h1][.//h1 or self::h1][count(.//a) < 3][1]"
)
_TITLE_OF_MAIN: Final = elements("ancestor::main[1][count(.//h1) = 1]//h1")
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
    return by_class or _BY_STRUCTURE(tree) or [node for node in _CONTENTS(tree) if _doxygen_title(node)]


def _doxygen_title(contents: HtmlElement) -> list[HtmlElement]:
    """The title in the header right before the text."""
    header = contents.getprevious()
    return _DOXYGEN_TITLE(header) if header is not None else []


def _outermost(elements: Sequence[HtmlElement]) -> list[HtmlElement]:
    """The elements that do not lie in another one of them."""
    chosen = set(elements)
    return [element for element in elements if chosen.isdisjoint(element.iterancestors())]


def _with_title(roots: list[HtmlElement]) -> tuple[HtmlElement, ...]:
    """The roots behind the title that stands beside them, or alone in another part of the same `main`."""
    if any(_HAS_TITLE(root) for root in roots):
        return tuple(roots)
    first = roots[0]
    titles = _doxygen_title(first) or _TITLE_BEFORE(first) or _TITLE_OF_MAIN(first)
    return (*map(_framed, titles), *roots)


def _framed(title: HtmlElement) -> HtmlElement:
    """An element with the title inside: of a root only the inside is written."""
    if title.tag != "h1":
        return title
    frame = title.makeelement("div")
    title.addprevious(frame)
    frame.append(title)
    frame.tail, title.tail = title.tail, None
    return frame
