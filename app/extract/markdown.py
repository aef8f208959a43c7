"""Markdown as a Page: parsed by markdown-it, written by the same writer as web pages."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING, Final

from lxml.html import HtmlElement

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.addresses import Resolver
from app.extract.assemble import assemble
from app.extract.clean import remove_unseen
from app.extract.decode import decode, parse
from app.extract.directives import to_html_blocks
from app.extract.frontmatter import FrontMatter, read_front_matter
from app.extract.markdown_rules import add_formulas, name_headings
from app.extract.mdx import is_mdx, to_markdown
from app.extract.metadata import Metadata
from app.extract.page import Page
from app.extract.plain import looks_binary
from app.extract.stretches import STRETCH_CHARS, definitions, is_dense, stretches
from app.extract.writer.document import write
from app.text.sentence import sentence

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.utils import EnvType

_COMPARED_CHARS: Final = 60
_SEARCHED_CHARS: Final = 200_000
_MAX_TOKENS: Final = 1_000_000
_AS_WRITTEN: Final = sentence("Parts of this very large Markdown file are shown as they are written.")
_FRAME: Final = "<!doctype html><html><head><title></title></head><body>{}</body></html>"


def extract_markdown(body: bytes, *, url: str, charset: str | None) -> Page:
    """Page of a Markdown body; front matter gives title, date and language. Raises EmptyPageError."""
    if looks_binary(body):
        raise UnsupportedContentError(f"{url} is not text.", url=url)
    decoded = decode(body, charset, is_markup=False).replace("\r\n", "\n").replace("\r", "\n")
    front, text = read_front_matter(decoded)
    if is_mdx(text, url):
        text = to_markdown(text)
    source = _Source(_description(front, text), to_html_blocks(text))
    written = write(source.bodies(), Resolver(url))
    if not written.length:
        raise EmptyPageError(f"{url} holds no readable text.", url=url)
    metadata = Metadata(title=front.title, language=front.language, canonical_url=None, published=front.published)
    return assemble(written, url=url, metadata=metadata, notes=(_AS_WRITTEN,) if source.is_kept_as_written else ())


def _description(front: FrontMatter, text: str) -> str:
    """The description as a paragraph, unless the text says the same."""
    is_said = front.description[:_COMPARED_CHARS] in " ".join(text[:_SEARCHED_CHARS].split())
    return "" if is_said else f"<p>{escape(front.description)}</p>"


class _Source:
    """A Markdown text as trees. `is_kept_as_written`: parts of it were not parsed, because they are data or there is too much."""

    def __init__(self, description: str, text: str) -> None:
        self.is_kept_as_written = False
        self._description = description
        self._text = text
        self._parser = _parser()
        self._known: EnvType = {}
        self._slugs: dict[str, int] = {}
        self._tokens = 0
        self._is_long = len(text) > STRETCH_CHARS
        if self._is_long:
            self._parser.parse(definitions(text), self._known)

    def bodies(self) -> Iterator[HtmlElement]:
        """The tree of each stretch of the text, made when it is asked for."""
        markup = self._description
        for stretch in stretches(self._text):
            tree = parse(_FRAME.format(markup + self._rendered(stretch)))
            remove_unseen(tree)
            content = tree.find("body")
            yield content if content is not None else tree
            markup = ""

    def _rendered(self, stretch: str) -> str:
        if self._is_long and (self._tokens > _MAX_TOKENS or is_dense(stretch)):
            self.is_kept_as_written = True
            return f"<pre>{escape(stretch)}</pre>"
        tokens = self._parser.parse(stretch, self._known)
        self._tokens += sum(1 + len(token.children or ()) for token in tokens)
        name_headings(tokens, self._slugs)
        return str(self._parser.renderer.render(tokens, self._parser.options, self._known))


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    add_formulas(parser)
    return parser
