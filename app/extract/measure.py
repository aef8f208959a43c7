"""Quick counts: how much text an element holds, how much of it is that of links, which elements have an attribute."""

from __future__ import annotations

from collections.abc import Collection

from lxml.html import HtmlElement


def text_size(element: HtmlElement) -> int:
    """Characters of all text in an element, white space not counted: markup is indented at will."""
    return len("".join(element.text_content().split()))


def link_share(element: HtmlElement) -> float:
    """Share of the text of an element that is that of links."""
    return sum(map(text_size, element.iter("a"))) / max(text_size(element), 1)


def by_attribute(tree: HtmlElement, names: Collection[str]) -> dict[str, list[HtmlElement]]:
    """The elements that have each of these attributes, all found in one walk."""
    found: dict[str, list[HtmlElement]] = {name: [] for name in names}
    for element in tree.iter("*"):
        for name in element.keys():  # noqa: SIM118 (an element is no mapping)
            if name in found:
                found[name].append(element)
    return found
