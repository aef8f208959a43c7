"""The walk through an element tree that feeds the handlers; no recursion, so depth costs nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Literal, TypeAlias

from lxml.html import HtmlElement

from app import caps
from app.extract.writer.sink import Sink

log = logging.getLogger(__name__)


class Answer(Enum):
    """A handler's answer when it has written the element and everything in it."""

    DONE = "done"


Leave: TypeAlias = Callable[[], None]
"""Called after the last child of an element was written."""

Handler: TypeAlias = Callable[[HtmlElement, Sink], Leave | Literal[Answer.DONE] | None]
"""Writes the start of an element. None: nothing special, its text and children follow."""

Render: TypeAlias = Callable[[HtmlElement, Sink], None]
"""Writes the content of an element into a sink."""


def walk(root: HtmlElement, out: Sink, handlers: Mapping[str, Handler]) -> None:
    """Write the content of `root` (not its tail) into `out`.

    A handler that fails costs the structure of its element, not the text: a warning is logged and the text
    follows unconverted. Below MAX_DOM_DEPTH elements lose their structure as well.
    """
    if root.text:
        out.text(root.text)
    stack: list[tuple[Iterator[HtmlElement], Leave | None, str | None]] = [(iter(root), None, None)]
    while stack:
        children, leave, tail = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if leave is not None:
                leave()
            if tail:
                out.text(tail)
            continue
        answer = _enter(child, out, handlers) if len(stack) < caps.MAX_DOM_DEPTH else None
        if answer is Answer.DONE:
            if child.tail:
                out.text(child.tail)
            continue
        if child.text:
            out.text(child.text)
        stack.append((iter(child), answer, child.tail))


def _enter(element: HtmlElement, out: Sink, handlers: Mapping[str, Handler]) -> Leave | Literal[Answer.DONE] | None:
    tag = element.tag
    if not isinstance(tag, str):
        return Answer.DONE
    handler = handlers.get(tag)
    if handler is None:
        return None
    try:
        return handler(element, out)
    except (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError):
        log.warning("<%s> could not be converted; its plain text is kept", tag, exc_info=True)
        out.block()
        return out.block
