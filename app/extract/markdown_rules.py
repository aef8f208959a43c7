"""Additions to markdown-it: formulas between dollar signs, and ids of headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_INLINE: Final = re.compile(r"\$\$([^$]+)\$\$|\$(?![\s$])((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?!\d)")
_ATTRIBUTES: Final = re.compile(r"\s*\{:?\s*#([\w:.-]+)[^}]*\}\s*$")
_MAX_ATTRIBUTES_CHARS: Final = 500
_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")


def add_formulas(parser: MarkdownIt) -> None:
    """Teach the parser `$…$`, `$$…$$` and fences named `math`."""
    parser.inline.ruler.before("escape", "formula", _inline_rule)
    parser.block.ruler.before("fence", "formula", _BlockRule(), {"alt": ["paragraph", "list", "blockquote"]})
    parser.add_render_rule("formula_inline", _render_inline)
    parser.add_render_rule("formula_block", _render_block)


def name_headings(tokens: Sequence[Token], used: dict[str, int]) -> None:
    """Give every heading an id: the one written as `{#id}`, else the slug that most sites make of it.

    `used` counts the slugs of the page so far.
    """
    for opening, content in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        opening.attrSet("id", _written_id(content) or _slug(_plain(content), used))


def _written_id(content: Token) -> str | None:
    last = content.children[-1] if content.children else None
    if last is None or last.type != "text":
        return None
    match = _ATTRIBUTES.search(last.content, max(0, len(last.content) - _MAX_ATTRIBUTES_CHARS))
    if match is None:
        return None
    last.content = last.content[: match.start()]
    return match.group(1)


def _plain(content: Token) -> str:
    return "".join(child.content for child in content.children or [] if child.type in ("text", "code_inline"))


def _slug(text: str, used: dict[str, int]) -> str:
    slug = _NOT_IN_SLUG.sub("", text.strip().lower()).replace(" ", "-")
    count = used.get(slug, 0)
    used[slug] = count + 1
    return f"{slug}-{count}" if count else slug


def _inline_rule(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] != "$":
        return False
    match = _INLINE.match(state.src, state.pos, state.posMax)
    if match is None:
        return False
    if not silent:
        token = state.push("formula_inline", "span", 0)
        token.content = match.group(1) or match.group(2)
        token.markup = "$$" if match.group(1) else "$"
    state.pos = match.end()
    return True


class _BlockRule:
    """Reads `$$` on lines of its own. It remembers from where on a document has no more end of a formula."""

    def __init__(self) -> None:
        self._source: StateBlock | None = None
        self._endless = 0

    def __call__(self, state: StateBlock, start: int, end: int, silent: bool) -> bool:
        first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
        if not first.startswith("$$") or state.is_code_block(start) or first.count("$$") > 1:
            return False
        last = self._end(state, start + 1, end)
        if last is None:
            return False
        if not silent:
            token = state.push("formula_block", "div", 0)
            lines = [_line(state, number) for number in range(start + 1, last)]
            token.content = "\n".join([first[2:], *lines, _line(state, last).rstrip()[:-2]])
            token.map = [start, last + 1]
            state.line = last + 1
        return True

    def _end(self, state: StateBlock, start: int, end: int) -> int | None:
        """The first line that ends with `$$`."""
        if self._source is not state:
            self._source, self._endless = state, state.lineMax
        for number in range(start, min(end, self._endless)):
            if _line(state, number).rstrip().endswith("$$"):
                return number
        if end >= self._endless:
            self._endless = min(start, self._endless)
        return None


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


def _render_inline(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    token = tokens[index]
    kind = "math display" if token.markup == "$$" else "math"
    return f'<span class="{kind}">\\({escape(token.content)}\\)</span>'


def _render_block(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType
) -> str:
    return f'<div class="math">\\[{escape(tokens[index].content)}\\]</div>\n'
