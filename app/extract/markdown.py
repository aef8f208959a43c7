"""Read Markdown: parse it with formulas and heading ids, and write it like web pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from lxml.html import HtmlElement

from app.extract import markdown_source
from app.extract.clean import shown_body
from app.extract.page import Metadata, Page
from app.extract.plain import read_text
from app.extract.writer.document import assemble, write_text
from app.text.sentence import sentence

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.rules_block import StateBlock
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token
    from markdown_it.utils import EnvType, OptionsDict

_COMPARED_CHARS: Final = 60
_SEARCHED_CHARS: Final = 200_000
_DENSE_CHARS: Final = 64 * 1024  # Shorter files may be full of marks.
_MIN_TOKENS: Final = 30_000
_CHARS_PER_TOKEN: Final = 6
"""A file may have _MIN_TOKENS and a token for this many characters. Documents have one for ten or more; a token takes 15 µs."""
AS_WRITTEN: Final = sentence("Parts of this very large file are shown as source text.")
_INLINE: Final = re.compile(r"\$\$([^$]+)\$\$|\$(?![\s$])((?:[^$\n\\]|\\.)+?)(?<!\s)\$(?!\d)")
_ATTRIBUTES: Final = re.compile(r"\{:?\s*+#([\w:.-]++)[^{}]*+\}\s*+$")
_MAX_ATTRIBUTES_CHARS: Final = 500
_NOT_IN_SLUG: Final = re.compile(r"[^\w\- ]")


def extract_markdown(body: bytes, *, url: str, charset: str | None) -> Page:
    """Return the page of a Markdown body; front matter gives title, date and language. Raises EmptyPageError."""
    decoded = read_text(body, url=url, charset=charset)
    front, text = markdown_source.read_front_matter(decoded.replace("\r\n", "\n").replace("\r", "\n"))
    if markdown_source.is_mdx(text, url):
        text = markdown_source.mdx_to_markdown(text)
    # The description is a paragraph, unless the text repeats it.
    is_said = front.description[:_COMPARED_CHARS] in " ".join(text[:_SEARCHED_CHARS].split())
    description = "" if is_said else f"<p>{escape(front.description)}</p>"
    text = markdown_source.to_html_blocks(text)
    is_long = len(text) > markdown_source.STRETCH_CHARS
    trees = MarkdownTrees(markdown_source.definitions(text) if is_long else "")
    written = write_text(trees.of_parts(description, markdown_source.stretches(text)), url)
    metadata = Metadata(title=front.title, language=front.language, canonical_url=None, published=front.published)
    return assemble(written, url=url, metadata=metadata, notes=(AS_WRITTEN,) if trees.are_as_written else ())


class MarkdownTrees:
    """Trees of related Markdown texts; headings with the same words get different ids. `known` contains the link definitions of all parts.

    `are_as_written`: some texts were not parsed, because they are data, noise or too long.
    """

    def __init__(self, known: str = "") -> None:
        self.are_as_written = False
        self._parser = _parser()
        self._known: EnvType = {}
        self._slugs: dict[str, int] = {}
        self._tokens = 0
        self._chars = 0
        self._parser.parse(known, self._known)

    def of_parts(self, before: str, parts: Iterable[str]) -> Iterator[HtmlElement]:
        """Yield the tree of each part of a text, built lazily; the first one begins with the HTML `before`."""
        for part in parts:
            yield shown_body(before + self._rendered(part, self._known))
            before = ""

    def tree(self, text: str) -> HtmlElement:
        """Return the tree of a text."""
        return shown_body(self._rendered(text, {}, is_data=len(text) > markdown_source.STRETCH_CHARS))

    def _rendered(self, text: str, known: EnvType, *, is_data: bool = False) -> str:
        self._chars += len(text)
        is_data = is_data or self._tokens > _MIN_TOKENS + self._chars // _CHARS_PER_TOKEN
        if is_data or (self._chars > _DENSE_CHARS and markdown_source.is_dense(text)):
            return self._as_written(text)
        tokens = self._parser.parse(text, known)
        if max((token.level for token in tokens), default=0) >= markdown_source.MAX_NESTING - 1:
            return self._as_written(text)
        name_headings(tokens, self._slugs)
        self._tokens += sum(1 + len(token.children or ()) for token in tokens)
        return str(self._parser.renderer.render(tokens, self._parser.options, known))

    def _as_written(self, text: str) -> str:
        self.are_as_written = True
        return f"<pre>{escape(text)}</pre>"


def _parser() -> MarkdownIt:
    """Return a parser for tables, deletions and formulas (`$…$`, `$$…$$` and fences named `math`)."""
    from app.extract.markdown_parser import markdown_parser

    parser = markdown_parser(html=True).enable(["table", "strikethrough"])
    parser.inline.ruler.before("escape", "formula", _inline_rule)
    parser.block.ruler.before("fence", "formula", _BlockRule(), {"alt": ["paragraph", "list", "blockquote"]})
    parser.add_render_rule("formula_inline", _render)
    parser.add_render_rule("formula_block", _render)
    return parser


def name_headings(tokens: Sequence[Token], used: dict[str, int]) -> None:
    """Give every heading an id: an explicit `{#id}`, otherwise the slug that most sites use. `used` counts the slugs of the page so far."""
    for opening, content in pairwise(tokens):
        if opening.type != "heading_open":
            continue
        last = content.children[-1] if content.children else None
        text = last.content if last is not None and last.type == "text" else ""
        match = _ATTRIBUTES.search(text, max(0, len(text) - _MAX_ATTRIBUTES_CHARS))
        if last is not None and match:
            last.content, written = text[: match.start()].rstrip(), match[1]
        else:
            plain = (child.content for child in content.children or [] if child.type in ("text", "code_inline"))
            slug = _NOT_IN_SLUG.sub("", "".join(plain).strip().lower()).replace(" ", "-")
            count = used.get(slug, 0)
            used[slug] = count + 1
            written = f"{slug}-{count}" if count else slug
        opening.attrSet("id", written)


def _inline_rule(state: StateInline, silent: bool) -> bool:
    match = _INLINE.match(state.src, state.pos, state.posMax) if state.src[state.pos] == "$" else None
    if match is None:
        return False
    if not silent:
        token = state.push("formula_inline", "span", 0)
        token.content = match.group(1) or match.group(2)
        token.markup = "$$" if match.group(1) else "$"
    state.pos = match.end()
    return True


class _BlockRule:
    """Parses `$$` on separate lines. Remembers the line after which no formula ends."""

    def __init__(self) -> None:
        self._source: StateBlock | None = None
        self._endless = 0

    def __call__(self, state: StateBlock, start: int, end: int, silent: bool) -> bool:
        first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]].strip()
        if not first.startswith("$$") or state.is_code_block(start) or first.count("$$") > 1:
            return False
        if (last := self._end(state, start + 1, end)) is None:
            return False
        if not silent:
            token = state.push("formula_block", "div", 0)
            lines = [_line(state, number) for number in range(start + 1, last)]
            token.content = "\n".join([first[2:], *lines, _line(state, last).rstrip()[:-2]])
            token.map = [start, last + 1]
            state.line = last + 1
        return True

    def _end(self, state: StateBlock, start: int, end: int) -> int | None:
        """Return the first line that ends with `$$`."""
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


def _render(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
    token = tokens[index]
    if token.type == "formula_block":
        return f'<div class="math">\\[{escape(token.content)}\\]</div>\n'
    kind = "math display" if token.markup == "$$" else "math"
    return f'<span class="{kind}">\\({escape(token.content)}\\)</span>'
