"""Read XML bodies: web pages and feeds (RSS 2.0, RSS 1.0, Atom, also JSON Feed) with their entries.

For a sitemap, the error explains what to do with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from html import escape
from itertools import islice
from typing import Any, Final

from lxml import etree
from lxml.html import HtmlElement

from app import caps
from app.errors import EmptyPageError, UnsupportedContentError
from app.extract.addresses import Resolver
from app.extract.book_markup import ROOTS as BOOK_ROOTS
from app.extract.book_markup import page_of_book
from app.extract.characters import collapse
from app.extract.clean import shown_body
from app.extract.html import extract_html
from app.extract.page import CUT_NOTE, Metadata, Page, iso_date
from app.extract.safe_xml import local_name, read_xml
from app.extract.tree import parse
from app.extract.writer.document import assemble, write
from app.serialise import read_json
from app.text.sentence import sentence

MAX_FEED_ENTRIES: Final = 500
_ONLY_FIRST: Final = sentence("Only the first {} entries were read.", f"{MAX_FEED_ENTRIES:,}")
_ROOTS: Final = frozenset({"rss", "feed", "rdf"})
_DATES: Final = ("published", "pubdate", "date", "issued", "updated", "modified")
_CONTENTS: Final = ("encoded", "content", "description", "summary", "body")
_JSON: Final = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
_XML: Final = "{http://www.w3.org/XML/1998/namespace}"


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: `html` is its longest text, `published` an ISO date."""

    title: str
    link: str | None
    published: str | None
    html: str


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed and its entries in order; `link` is the page that it belongs to. `notes` say what is missing."""

    title: str
    link: str | None
    language: str
    html: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()


def read_feed(body: bytes, *, url: str) -> Feed | None:
    """Return the readable part of the feed in a body, or None if it is not a feed."""
    if _JSON.match(body):
        return _json_feed(body, url)
    root, is_cut = read_xml(body)
    if root is None or local_name(root) not in _ROOTS:
        return None
    found = list(islice(root.iter("{*}item", "{*}entry"), MAX_FEED_ENTRIES + 1))
    head = next((child for child in root if local_name(child) == "channel"), root)
    fields = _fields(head)
    return Feed(
        title=_line(fields.get("title")),
        link=_link(head, url),
        language=(root.get(f"{_XML}lang") or ("language" in fields and _text(fields["language"])) or "").strip(),
        html=_html(fields, ("description", "subtitle", "tagline")),
        entries=tuple(
            Entry(
                title=_line(fields.get("title"))[: caps.MAX_HEADING_CHARS],
                link=_link(element, url),
                published=next((date for name in _DATES if (date := _date(fields.get(name)))), None),
                html=_html(fields, _CONTENTS),
            )
            for element, fields in ((each, _fields(each)) for each in found[:MAX_FEED_ENTRIES])
        ),
        notes=(*([CUT_NOTE] if is_cut else []), *([_ONLY_FIRST] if len(found) > MAX_FEED_ENTRIES else [])),
    )


def _json_feed(body: bytes, url: str) -> Feed | None:
    try:
        found = read_json(body)
    except (ValueError, RecursionError):
        return None
    if "jsonfeed.org/" not in str(found.get("version")):
        return None

    def said(item: dict[str, Any], *names: str) -> str:
        return next((text for name in names if isinstance(text := item.get(name), str) and text.strip()), "")

    resolve = Resolver(url)
    items = listed if isinstance(listed := found.get("items"), list) else []
    entries = (
        Entry(
            title=collapse(said(item, "title"))[: caps.MAX_HEADING_CHARS],
            link=resolve(link) if (link := said(item, "url", "external_url")) else None,
            published=iso_date(said(item, "date_published", "date_modified")),
            html=said(item, "content_html") or escape(said(item, "content_text", "summary")).replace("\n\n", "<p>"),
        )
        for item in items[:MAX_FEED_ENTRIES]
        if isinstance(item, dict)
    )
    home = said(found, "home_page_url")
    title, html = collapse(said(found, "title"))[: caps.MAX_TITLE_CHARS], escape(said(found, "description"))
    notes = (_ONLY_FIRST,) if len(items) > MAX_FEED_ENTRIES else ()
    return Feed(title, resolve(home) if home else None, said(found, "language"), html, tuple(entries), notes)


def feed_urls(body: bytes, *, url: str) -> tuple[str, ...]:
    """Return the addresses of the entries of an RSS or Atom feed in order, each once. Empty if it is not a feed."""
    feed = read_feed(body, url=url)
    links = [entry.link for entry in feed.entries if entry.link] if feed is not None else []
    return tuple(dict.fromkeys(links))


def _fields(element: etree._Element) -> dict[str, etree._Element]:
    """Return the first child of each name, or the first in a group of media (Media RSS)."""
    fields: dict[str, etree._Element] = {}
    for child in (*element, *element.iterfind("{*}group/*")):
        fields.setdefault(local_name(child), child)
    return fields


def _link(element: etree._Element, url: str) -> str | None:
    """Return the page of a feed or entry: Atom's alternate, RSS's link, its permanent id, RDF's own address."""
    bases = [node.get(f"{_XML}base") for node in (element, *element.iterancestors())]
    resolve = Resolver(url, next((base for base in bases if base), None))
    for child in (each for each in element if local_name(each) == "link"):
        if (href := child.get("href")) is None and (child.text or "").strip():
            return resolve(child.text or "")
        if href is not None and (child.get("rel") or "alternate") == "alternate":
            return resolve(href)
    guid = next((child for child in element if local_name(child) == "guid"), None)
    if guid is not None and guid.get("isPermaLink", "true").lower() == "true":
        return resolve(guid.text or "") if (guid.text or "").strip().lower().startswith("http") else None
    about = element.get("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}about")
    return resolve(about) if about else None


def _date(element: etree._Element | None) -> str | None:
    """Return the ISO date of an RFC 822 or RFC 3339 time."""
    text = _text(element).strip() if element is not None else ""
    try:
        return iso_date(text) or parsedate_to_datetime(text).date().isoformat()
    except (ValueError, OverflowError):
        return None


def _html(fields: dict[str, etree._Element], names: tuple[str, ...]) -> str:
    """Return the longest of the texts with these names, as HTML."""
    texts = [""]
    for element in (fields[name] for name in names if name in fields):
        if len(element):
            inner = (etree.tostring(child, encoding="unicode") for child in element)
            texts.append("".join([escape(element.text or ""), *inner]))
        else:
            is_plain = (element.get("type") or "").lower() in ("text", "text/plain")
            texts.append(f"<p>{escape(_text(element))}</p>" if is_plain else _text(element))
    return max(texts, key=len)


def _line(element: etree._Element | None) -> str:
    """Return a title on one line, without markup."""
    if element is None:
        return ""
    text = _text(element)
    if "<" in text or "&" in text:
        try:
            text = str(parse(text).text_content())
        except ValueError:
            return ""
    return collapse(text)[: caps.MAX_TITLE_CHARS].rstrip()


def _text(element: etree._Element) -> str:
    """Return all text of an element; HTML entities are unchanged."""
    return "".join(map(str, element.itertext()))


_HINT: Final = "Use the address of a page on the site instead."
_LOWERED: Final = {"h1": "h3", "h2": "h3", "h3": "h4", "h4": "h5", "h5": "h6"}


def extract_xml(body: bytes, *, url: str) -> Page:
    """Return the page of an XML body. Raises EmptyPageError and UnsupportedContentError."""
    if _JSON.match(body):
        return _feed_page(body, url)
    root, is_cut = read_xml(body)
    name = local_name(root) if root is not None else ""
    if name == "html":
        return extract_html(body, url=url, charset=None)
    if name in ("urlset", "sitemapindex"):
        message = sentence("{} is a sitemap: a list of pages without text.", url)
        raise UnsupportedContentError(message, url=url, hint="Crawl the site to read the pages that it lists.")
    if name in _ROOTS:
        return _feed_page(body, url)
    if root is not None and name in BOOK_ROOTS:
        return page_of_book(root, url, is_cut=is_cut)
    raise UnsupportedContentError(sentence("{} is an XML file that is neither a web page nor a feed.", url), url=url)


def _feed_page(body: bytes, url: str) -> Page:
    feed = read_feed(body, url=url)
    if feed is None or not feed.entries:
        raise EmptyPageError(sentence("{} is a feed without entries.", url), url=url, hint=_HINT)
    resolve = Resolver(url)
    roots = [*_fragment(feed.html, resolve)]
    for entry in feed.entries:
        title = escape(entry.title or entry.link or "Untitled")
        linked = f'<a href="{escape(entry.link)}">{title}</a>' if entry.link else title
        date = f"<p>{entry.published}</p>" if entry.published else ""
        roots += _fragment(f'<h2 data-entry="">{linked}</h2>{date}', resolve)
        roots += _fragment(entry.html, Resolver(entry.link or url))
    written = write(roots, resolve)
    if not written.length:
        raise EmptyPageError(sentence("{} is a feed without text.", url), url=url, hint=_HINT)
    return assemble(written, url=url, metadata=Metadata(feed.title, feed.language, None, None), notes=feed.notes)


def _fragment(markup: str, resolve: Resolver) -> Iterator[HtmlElement]:
    """Yield the body of an HTML fragment without hidden parts, with absolute addresses and headings below the entries' headings."""
    if not markup.strip():
        return
    body = shown_body(markup)
    for element in body.iter("a", "img", *_LOWERED):
        if element.tag in _LOWERED and "data-entry" not in element.attrib:
            element.tag = _LOWERED[element.tag]
        for name in ("href", "src"):
            target = resolve(element.attrib.pop(name)) if element.get(name) else None
            if target is not None:
                element.set(name, target)
    yield body
