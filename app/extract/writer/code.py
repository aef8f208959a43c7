"""Write preformatted text: fenced blocks with their language and exact lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from lxml import etree
from lxml.html import HtmlElement

from app.extract.characters import collapse, verbatim, word_set
from app.extract.tree import holds
from app.extract.writer.inline import callout, code_fence
from app.extract.writer.sink import Anchored, Answer, Sink
from app.paths import asset_table

_HAS_STRUCTURE: Final = holds(".//br|.//div|.//p|.//li|.//tr|.//a[@href]|.//img|.//*[@class='boring']")
_MARKUP_SPACE: Final = re.compile(r"[ \t\r\n\f]+")
_LINE_ENDS: Final = frozenset({"div", "p", "li", "tr"})
_FOLDED: Final = frozenset({"boring", "ttc"})  # Lines that a page collapses inside its code, and tooltips over it.
_HAS_BREAKS: Final = holds(".//br and not(.//a[@href])")
_IS_ALONE: Final = holds(
    "not(preceding-sibling::*[1] or following-sibling::*[1] or ../text()[normalize-space()])"
    " and parent::*[self::p or self::div or self::dd or self::li or self::blockquote or self::section or self::figure]"
)
_BEFORE_BRACKET: Final = re.compile(r"(?<=[(\[]) | (?=[)\],])")
_PREFIXED: Final = re.compile(
    r"(?:^|\s)(?:(?:highlight-source|highlight-text|highlight|language|lang|src|prism)[-:]|brush:\s*)([\w+#.-]+)",
    re.IGNORECASE,
)
_NO_LANGUAGE: Final = word_set(asset_table("pages.toml")["classes"]["no_language"])
_BEFORE_A_NAME: Final = frozenset({"sourcecode", "hljs", "prettyprint"})
_BARE_NAMES: Final = word_set(asset_table("pages.toml")["classes"]["languages"])
"""Languages used as a plain class name of code; other such words describe its appearance."""
_MAX_NAME_CHARS: Final = 20
_ANCESTORS: Final = 3
_TABLE_PARTS: Final = frozenset({"table", "tbody", "tr", "td"})


def preformatted(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write a fence longer than any run of backticks inside; on one line only in table cells and headings."""
    before = element.getprevious()
    is_second = before is not None and before.tag == element.tag == "pre" and not (before.tail or "").strip()
    if is_second and before.text_content() == element.text_content() and language(before) == language(element):
        return Answer.DONE  # the same code again, in the colors of another theme
    if not (_HAS_STRUCTURE(element) or any(map(_follows_span, element.iter("span")))):
        return _write(verbatim(element.text_content()), [], language(element), out)
    parts: list[str] = []
    links: list[Anchored] = []
    _collect(element, out, parts, links)
    return _write("".join(parts), links, language(element), out)


def _is_line(span: HtmlElement | None) -> bool:
    if span is None or span.tag != "span":
        return False
    names = span.get("class") or ""
    return "-line" in names or "line" in names.split() or span.get("data-line") is not None


def _follows_span(span: HtmlElement) -> bool:
    """Whether a line directly follows another span. XPath would look at all elements before each line."""
    before = span.getprevious()
    is_next = before is not None and before.tag == "span" and not before.tail and _is_line(span)
    return is_next and (before.get("class") is not None or before.get("data-line") is not None)


def broken_code(element: HtmlElement, out: Sink) -> Literal[Answer.DONE] | None:
    """Write a code span whose lines end with `br`: as a fence if it is alone in its block, otherwise a span for each line."""
    if out.flat or out.plain or not len(element) or not _HAS_BREAKS(element):
        return None
    lines = _broken_lines(element)
    if _IS_ALONE(element):
        return _write("\n".join(lines), [], language(element), out)
    if (element.text or "")[:1].isspace():
        out.space()
    for number, line in enumerate(filter(None, map(str.strip, lines))):
        if number:
            out.newline()
        fence = code_fence(line, 1)
        out.literal(f"{fence}{line}{fence}")
    return Answer.DONE


def prototype(element: HtmlElement, out: Sink) -> Literal[Answer.DONE]:
    """Write the declaration of a member whose parts are in the cells of a table without lines."""
    return _write(_BEFORE_BRACKET.sub("", collapse(" ".join(element.itertext()))), [], "", out)


def _write(text: str, links: list[Anchored], name: str, out: Sink) -> Literal[Answer.DONE]:
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
    _place(links, text, lines, out.lines([f"{fence}{name}", *lines, fence])[1:-1], out)
    out.block()
    return Answer.DONE


def _broken_lines(element: HtmlElement) -> list[str]:
    """Return the lines between the breaks; elements with the class `indent` indent theirs."""
    lines: list[tuple[int, str]] = [(0, "")]
    depth = 0
    for event, node in etree.iterwalk(element, events=("start", "end")):
        is_indent, is_start = node.get("class") == "indent", event == "start"
        depth += is_indent * (1 if is_start else -1)
        if (node.tag == "br" and is_start) or (is_indent and lines[-1][1].strip()):
            lines.append((depth, ""))
        text = node.text if is_start else node.tail if node is not element else None
        indent, line = lines[-1]
        lines[-1] = (indent if line.strip() else depth, line + (text or ""))
    # White space of the markup collapses; no-break spaces indent.
    return [(" " * 2 * indent + verbatim(_MARKUP_SPACE.sub(" ", line).strip(" "))).rstrip() for indent, line in lines]


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
        if (child := next(children, None)) is None:
            stack.pop()
            if node is not None:
                if opened is not None:
                    opened.end = length
                    links.append(opened)
                if (node.tag in _LINE_ENDS and _needs_line_end(parts, node.tail)) or (
                    node.tag == "span"
                    and _is_line(node)
                    and not node.tail
                    and _is_line(node.getnext())
                    and (_needs_line_end(parts, None) or (not len(node) and not node.text))
                ):
                    add("\n")
                add(node.tail)
            continue
        if child.tag == "br":
            add("\n")
        elif child.tag == "img":
            add(callout(child))
        if not isinstance(child.tag, str) or not _FOLDED.isdisjoint((child.get("class") or "").split()):
            add(child.tail)
            continue
        target = out.resolve(child.get("href") or "") if child.tag == "a" and child.get("href") else None
        stack.append((iter(child), child, Anchored(target, length) if target is not None else None))
        add(child.text)


def _needs_line_end(parts: list[str], tail: str | None) -> bool:
    """Whether the line in an element lacks a line end, both inside and directly after it."""
    return bool(parts) and not parts[-1].endswith("\n") and not (tail or "").startswith(("\n", "\r"))


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
        label = text[item.start : item.end]
        start = item.start + len(label) - len(label.lstrip())
        while number + 1 < len(starts) and starts[number + 1] <= start:
            number += 1
        shift = offsets[number] - starts[number]
        end = min(item.start + len(label.rstrip()), starts[number] + len(lines[number]))
        if start < end:
            out.links.append(Anchored(item.target, start + shift, end + shift))


def language(element: HtmlElement) -> str:
    """Return the language in a class of the element, its `code` or one of three ancestors; empty if none."""
    inner = element.find(".//code")
    own = [element] if inner is None else [element, inner]
    # The parts of a table with line numbers next to the code do not count as ancestors.
    left, around = _ANCESTORS, list[HtmlElement]()
    for node in element.iterancestors():
        if not left:
            break
        left -= node.tag not in _TABLE_PARTS
        around.append(node)
    for node in [*own, *around]:
        classes = node.get("class") or ""
        names = [node.get("data-lang") or node.get("data-language") or ""]
        names += (match.group(1) for match in _PREFIXED.finditer(classes))
        tokens = classes.split()
        if len(tokens) > 1 and tokens[0].lower() in _BEFORE_A_NAME:
            names.append(tokens[1].removeprefix("lang-"))
        for name in (each.strip().lower() for each in names):
            if 0 < len(name) <= _MAX_NAME_CHARS and name not in _NO_LANGUAGE and not name.isdigit():
                return name
    names = [name for node in own for name in (node.get("class") or "").lower().split()]
    return next((name for name in [*names, (element.get("lang") or "").lower()] if name in _BARE_NAMES), "")
