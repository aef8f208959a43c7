"""Which part of a page is its content."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lxml.etree import XPath
from lxml.html import HtmlElement

MIN_SHARE: Final = 0.25
"""A landmark with less of the body's text than this does not hold the content."""


def _with_class(name: str) -> str:
    return f"//*[contains(concat(' ', @class, ' '), ' {name} ')]"


_LANDMARKS: Final = tuple(
    XPath(path)
    for path in (
        f"{_with_class('vp-doc')} | {_with_class('theme-doc-markdown')} | {_with_class('sl-markdown-content')}",
        "//*[@role='main'] | //main",
        "//*[@itemprop='articleBody']",
        "//article",
        "//*[@id='content' or @id='main-content' or @id='apicontent' or @id='bodyContent' or @id='mw-content-text'"
        " or @id='main' or @id='article' or @id='docs-content']",
    )
)
_DOCBOOK: Final = XPath("body/div[@class='sect1' or @class='refentry' or @class='chapter' or @class='section' or @class='appendix'"
                        " or @class='part' or @class='book' or @class='preface' or @class='article' or @class='index']")  # fmt: skip
_TITLE_BEFORE: Final = XPath("preceding-sibling::*[self::div or self::header or self::h1][.//h1 or self::h1][count(.//a) < 3][1]")
_HAS_TITLE: Final = XPath("boolean(.//h1)")


@dataclass(frozen=True, slots=True)
class Selection:
    """The elements that hold the content, in order. `is_landmark`: the page itself names them."""

    roots: tuple[HtmlElement, ...]
    is_landmark: bool


def landmark(tree: HtmlElement) -> Selection | None:
    """The content as the page marks it, with the title that stands right before it; None when it marks none."""
    body = tree.find("body")
    if body is None:
        return None
    docbook = _DOCBOOK(tree)
    if docbook:
        return Selection(tuple(docbook), is_landmark=True)
    whole = _size(body)
    for path in _LANDMARKS:
        found = _outermost(path(tree))
        if found and sum(map(_size, found)) >= MIN_SHARE * whole:
            return Selection(_with_title(found), is_landmark=True)
    return None


def _outermost(elements: Sequence[HtmlElement]) -> list[HtmlElement]:
    """The elements that do not lie in another one of them."""
    chosen = set(elements)
    return [element for element in elements if chosen.isdisjoint(element.iterancestors())]


def _with_title(roots: list[HtmlElement]) -> tuple[HtmlElement, ...]:
    if any(_HAS_TITLE(root) for root in roots):
        return tuple(roots)
    before = _TITLE_BEFORE(roots[0])
    return (*before, *roots)


def _size(element: HtmlElement) -> int:
    return len("".join(element.text_content().split()))
