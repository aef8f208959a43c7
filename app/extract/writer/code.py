"""Preformatted text: fenced blocks with their language and exact lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from lxml.html import HtmlElement

from app.extract.characters import collapse, verbatim, word_set
from app.extract.writer.inline import code_fence
from app.extract.writer.sink import Anchored, Sink
from app.extract.writer.walk import Answer
from app.extract.xpath import holds

_LANGUAGE: Final = re.compile(
    r"(?:^|\s)(?:(?:highlight-source|highlight-text|highlight|language|lang|src|prism)[-:]|brush:\s*)([\w+#.-]+)",
    re.IGNORECASE,
)
_NO_LANGUAGE: Final = word_set(
    """
    default none text txt plain plaintext plain-text notranslate nohighlight no-highlight highlight
    source block wrapper container auto code sourcecode toolbar copy line lines line-numbers numbered
    unknown undefined nocode
    """
)
_HAS_STRUCTURE: Final = holds(".//br|.//div|.//p|.//li|.//tr|.//a[@href]|.//img")
_LINE_ENDS: Final = frozenset({"div", "p", "li", "tr"})
_GUTTERS: Final = frozenset({"ln", "gl", "gutter", "rouge-gutter", "hljs-ln-numbers", "line-number", "blob-num"})


def preformatted(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """A fence longer than any run of backticks inside; on one line only in table cells and headings."""
    text, links = _content(element, out)
    body = text.strip("\n").rstrip()
    if not body.strip():
        return Answer.DONE
    if out.flat:
        line = collapse(body)
        fence = code_fence(line, 1)
        out.space()
        out.literal(f"{fence}{line}{fence}")
        out.space()
        return Answer.DONE
    out.hard_block()
    fence = code_fence(body, 3)
    lines = body.split("\n")
    offsets = out.lines([f"{fence}{language(element)}", *lines, fence])
    _place(links, text, lines, offsets[1:-1], out)
    out.block()
    return Answer.DONE


def language(element: HtmlElement) -> str:
    """The language that a class of the element, its `code` or one of three ancestors names; empty if none."""
    inner = element.find(".//code")
    candidates = [element, *([inner] if inner is not None else []), *_ancestors(element, 3)]
    for node in candidates:
        named = node.get("data-lang") or node.get("data-language")
        if named and _is_language(named):
            return str(named).strip().lower()
        found = _from_classes(node.get("class") or "")
        if found:
            return found
    return ""


def _from_classes(classes: str) -> str:
    for match in _LANGUAGE.finditer(classes):
        name = str(match.group(1))
        if _is_language(name):
            return name.lower()
    tokens = classes.split()
    if tokens and tokens[0].lower() in ("sourcecode", "hljs", "prettyprint") and len(tokens) > 1:
        name = tokens[1].removeprefix("lang-")
        return name.lower() if _is_language(name) else ""
    return ""


def _is_language(name: str) -> bool:
    return 0 < len(name) <= 20 and name.lower() not in _NO_LANGUAGE and not name.isdigit()


def _ancestors(element: HtmlElement, limit: int) -> Iterator[HtmlElement]:
    for number, node in enumerate(element.iterancestors()):
        if number == limit:
            return
        yield node


def _content(element: HtmlElement, out: Sink) -> tuple[str, list[Anchored]]:
    """The text with its line ends, and the links in it."""
    if not _HAS_STRUCTURE(element):
        return verbatim(element.text_content()), []
    parts: list[str] = []
    links: list[Anchored] = []
    _collect(element, out, parts, links)
    return "".join(parts), links


def _collect(root: HtmlElement, out: Sink, parts: list[str], links: list[Anchored]) -> None:
    length = 0

    def add(text: str | None) -> None:
        nonlocal length
        if text:
            shown = verbatim(text)
            parts.append(shown)
            length += len(shown)

    add(root.text)
    stack: list[tuple[Iterator[HtmlElement], HtmlElement | None, Anchored | None]] = [(iter(root), None, None)]
    while stack:
        children, node, opened = stack[-1]
        child = next(children, None)
        if child is None:
            stack.pop()
            if node is not None:
                if opened is not None:
                    opened.end = length
                    links.append(opened)
                if node.tag in _LINE_ENDS and parts and not parts[-1].endswith("\n"):
                    add("\n")
                add(node.tail)
            continue
        if child.tag == "br":
            add("\n")
        if not isinstance(child.tag, str) or not _GUTTERS.isdisjoint((child.get("class") or "").split()):
            add(child.tail)
            continue
        target = out.resolve(child.get("href") or "") if child.tag == "a" and child.get("href") else None
        stack.append((iter(child), child, Anchored(target, length) if target is not None else None))
        add(child.text)


def _place(links: list[Anchored], text: str, lines: list[str], offsets: list[int], out: Sink) -> None:
    """Move links from offsets in the raw text to offsets on the page."""
    if not links:
        return
    starts = []
    position = len(text) - len(text.lstrip("\n"))
    for line in lines:
        starts.append(position)
        position += len(line) + 1
    number = 0
    for item in links:
        while number + 1 < len(starts) and starts[number + 1] <= item.start:
            number += 1
        shift = offsets[number] - starts[number]
        end = min(item.end, starts[number] + len(lines[number]))
        if item.start < end:
            out.links.append(Anchored(item.target, item.start + shift, end + shift))
