"""Notices written in the dialects of documentation generators, made HTML blocks that the writer knows.

`!!! note "Title"` (MkDocs), `::: tip Title` (VitePress, Docusaurus), `/// note | Title` (blocks), fenced
`{note}` (MyST).
"""

from __future__ import annotations

import re
from html import escape
from typing import Final

from app.extract.characters import word_set

_FENCE: Final = re.compile(r"^[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})[ \t]*(\{?[\w-]*\}?)")
_INDENTED: Final = re.compile(r"^([ \t]*)(?:!!!|\?\?\?\+?)[ \t]+([\w-]+)[^\"\n]*(?:\"([^\"]*)\")?[ \t]*$")
_COLONS: Final = re.compile(r"^([ \t]*)(:{3,})[ \t]*\{?([A-Za-z][\w-]*)\}?(?:\[([^\]]*)\]|[ \t]+(.*))?[ \t]*$")
_COLONS_END: Final = re.compile(r"^[ \t]*(:{3,})[ \t]*$")
_SLASHES: Final = re.compile(r"^([ \t]*)/{3,}[ \t]+([A-Za-z][\w-]*)[ \t]*(?:\|[ \t]*(.*))?[ \t]*$")
_SLASHES_END: Final = re.compile(r"^[ \t]*/{3,}[ \t]*$")
_KINDS: Final = word_set(
    """
    note info tip hint important warning caution danger attention error bug failure example question
    quote abstract summary todo success seealso details
    """
)


def to_html_blocks(source: str) -> str:
    """The source with every notice wrapped in HTML; code fences stay untouched."""
    out: list[str] = []
    open_fence = ""
    body_indent: list[int] = []
    for line in source.split("\n"):
        fence = _FENCE.match(line)
        if open_fence:
            out.append(_dedent(line, body_indent))
            if fence and fence.group(1).startswith(open_fence) and not line.strip().strip("`~"):
                open_fence = ""
            continue
        _close_indented(line, body_indent, out)
        if fence:
            open_fence = fence.group(1)
            out.append(_dedent(line, body_indent))
            continue
        opened = _INDENTED.match(line)
        if opened and opened.group(2).lower() in _KINDS:
            indent = len(opened.group(1).expandtabs(4)) - 4 * len(body_indent)
            out.extend(_opening(" " * indent, opened.group(2), opened.group(3)))
            body_indent.append(len(opened.group(1).expandtabs(4)) + 4)
            continue
        out.extend(_marked(_dedent(line, body_indent)))
    _close_indented("x", body_indent, out)
    return "\n".join(out)


def _marked(line: str) -> list[str]:
    """A line of the dialects that have an explicit end."""
    colons = _COLONS.match(line)
    if colons and colons.group(3).lower() in _KINDS:
        return _opening(colons.group(1), colons.group(3), colons.group(4) or colons.group(5))
    slashes = _SLASHES.match(line)
    if slashes:
        return _opening(slashes.group(1), slashes.group(2), slashes.group(3))
    if _COLONS_END.match(line) or _SLASHES_END.match(line):
        return ["", "</div>", ""]
    return [line]


def _opening(indent: str, kind: str, title: str | None) -> list[str]:
    name = f'<p class="admonition-title">{escape(title.rstrip())}</p>' if title and title.strip() else ""
    return ["", f'{indent}<div class="admonition {escape(kind.lower())}">{name}', ""]


def _close_indented(line: str, body_indent: list[int], out: list[str]) -> None:
    """End the indented notices that a line is no longer part of."""
    while body_indent and line.strip() and len(line) - len(line.lstrip()) < body_indent[-1]:
        body_indent.pop()
        out.extend(["", "</div>", ""])


def _dedent(line: str, body_indent: list[int]) -> str:
    """The line without the indentation that the open notices ask for (four columns each)."""
    columns = 4 * len(body_indent)
    return line[columns:] if not line[:columns].strip() else line
