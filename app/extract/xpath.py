"""Compiled XPath expressions with the type of their result."""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lxml.etree import XPath
from lxml.html import HtmlElement


def elements(path: str) -> Callable[[HtmlElement], list[HtmlElement]]:
    """Selects elements."""
    return cast("Callable[[HtmlElement], list[HtmlElement]]", XPath(path))


def strings(path: str) -> Callable[[HtmlElement], list[str]]:
    """Selects attributes or text nodes."""
    return cast("Callable[[HtmlElement], list[str]]", XPath(path, smart_strings=False))


def string(path: str) -> Callable[[HtmlElement], str]:
    """The text of the first node."""
    return cast("Callable[[HtmlElement], str]", XPath(f"string({path})", smart_strings=False))


def holds(path: str) -> Callable[[HtmlElement], bool]:
    """Whether there is such a node, or the condition is true."""
    return cast("Callable[[HtmlElement], bool]", XPath(f"boolean({path})"))


def has_class(name: str) -> str:
    """The condition that an element has this class."""
    return f"contains(concat(' ', @class, ' '), ' {name} ')"
