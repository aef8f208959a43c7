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
from app.extract.stretches import definitions, is_dense, stretches
from app.extract.writer.document import write

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.utils import EnvType

_COMPARED_CHARS: Final = 60
_SEARCHED_CHARS: Final = 200_000
_FRAME: Final = "<!doctype html><html><head><title></title></head><body>{}</body></html>"


def extract_markdown(body: bytes, *, url: str, charset: str | None) -> Page:
    """Page of a Markdown body; front matter gives title, date and language. Raises EmptyPageError."""
    if looks_binary(body):
        raise UnsupportedContentError(f"{url} is not text.", url=url)
    source = decode(body, charset, is_markup=False).replace("\r\n", "\n").replace("\r", "\n")
    front, text = read_front_matter(source)
    if is_mdx(text, url):
        text = to_markdown(text)
    described = _description(front, text)
    written = write(_bodies(described, to_html_blocks(text)), Resolver(url))
    if not written.length:
        raise EmptyPageError(f"{url} holds no readable text.", url=url)
    metadata = Metadata(title=front.title, language=front.language, canonical_url=None, published=front.published)
    return assemble(written, url=url, metadata=metadata)


def _description(front: FrontMatter, text: str) -> str:
    """The description as a paragraph, unless the text says the same."""
    is_said = front.description[:_COMPARED_CHARS] in " ".join(text[:_SEARCHED_CHARS].split())
    return "" if is_said else f"<p>{escape(front.description)}</p>"


def _bodies(description: str, source: str) -> Iterator[HtmlElement]:
    """The tree of each stretch of the source, made when it is asked for."""
    parser = _parser()
    known: EnvType = {}
    used_slugs: dict[str, int] = {}
    for number, stretch in enumerate(stretches(source)):
        if number == 1:
            parser.parse(definitions(source), known)
        if is_dense(stretch):
            markup = "".join(f"<p>{escape(part)}</p>" for part in stretch.split("\n\n"))
        else:
            tokens = parser.parse(stretch, known)
            name_headings(tokens, used_slugs)
            markup = str(parser.renderer.render(tokens, parser.options, known))
        tree = parse(_FRAME.format(description + markup))
        remove_unseen(tree)
        content = tree.find("body")
        yield content if content is not None else tree
        description = ""


def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    add_formulas(parser)
    return parser
