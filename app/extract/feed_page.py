"""XML bodies as Pages: web pages, feeds; a sitemap is an error that says what to do with it."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from lxml.html import HtmlElement

from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.addresses import Resolver
from app.extract.clean import remove_unseen
from app.extract.feed import Entry, read_feed
from app.extract.html import extract_html
from app.extract.metadata import Metadata
from app.extract.page import Page
from app.extract.safe_xml import local_name, xml_root
from app.extract.tree import parse
from app.extract.writer.document import assemble, write

_SITEMAPS: Final = frozenset({"urlset", "sitemapindex"})
_HINT: Final = "Give the address of a page of the site instead."
_LOWERED: Final = {"h1": "h3", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6"}


def extract_xml(body: bytes, *, url: str) -> Page:
    """Page of an XML body. Raises EmptyPageError and UnsupportedContentError."""
    root = xml_root(body)
    name = local_name(root) if root is not None else ""
    if name == "html":
        return extract_html(body, url=url, charset=None)
    if name in _SITEMAPS:
        hint = "Crawl the site to read the pages that it lists."
        raise UnsupportedContentError(f"{url} is a sitemap: a list of pages without text.", url=url, hint=hint)
    if name in ("rss", "feed", "rdf"):
        return _feed_page(body, url)
    raise UnsupportedContentError(f"{url} is an XML file that is neither a web page nor a feed.", url=url)


def _feed_page(body: bytes, url: str) -> Page:
    feed = read_feed(body, url=url)
    if feed is None or not feed.entries:
        raise EmptyPageError(f"{url} is a feed without entries.", url=url, hint=_HINT)
    resolve = Resolver(url)
    roots = [*_fragment(feed.html, resolve)]
    for entry in feed.entries:
        roots += _fragment(_heading(entry), resolve)
        roots += _fragment(entry.html, Resolver(entry.link or url))
    written = write(roots, resolve)
    if not written.length:
        raise EmptyPageError(f"{url} is a feed without text.", url=url, hint=_HINT)
    return assemble(written, url=url, metadata=Metadata(feed.title, feed.language, None, None))


def _heading(entry: Entry) -> str:
    """Title with its link and the date of an entry."""
    title = escape(entry.title or entry.link or "Untitled")
    linked = f'<a href="{escape(entry.link)}">{title}</a>' if entry.link else title
    date = f"<p>{entry.published}</p>" if entry.published else ""
    return f'<h2 data-entry="">{linked}</h2>{date}'


def _fragment(markup: str, resolve: Resolver) -> Iterator[HtmlElement]:
    """The body of some HTML without what is hidden, its addresses absolute and its headings below those of entries."""
    if not markup.strip():
        return
    tree = parse(f"<!doctype html><html><head><title></title></head><body>{markup}</body></html>")
    remove_unseen(tree)
    for element in tree.iter("a", "img", *_LOWERED):
        if element.tag in _LOWERED and "data-entry" not in element.attrib:
            element.tag = _LOWERED[element.tag]
        for name in ("href", "src"):
            target = resolve(element.attrib.pop(name)) if element.get(name) else None
            if target is not None:
                element.set(name, target)
    yield from tree.iterfind("body")
