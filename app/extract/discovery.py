"""Read files that list pages: sitemaps (sitemaps.org), llms.txt, and bookmarks as all browsers export them (the Netscape bookmark file).

Damaged files never raise an error: readable entries count, and other files give an empty result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app import caps
from app.extract.addresses import Resolver
from app.extract.characters import collapse, decode
from app.extract.feed import feed_urls
from app.extract.safe_xml import GZIP_MAGIC, gunzip, local_name, xml_elements
from app.extract.tree import parse

MAX_SITEMAP_URLS: Final = 50_000
MAX_SITEMAP_BYTES: Final = 50 * caps.MIB  # The maximum size of a decompressed sitemap.
MAX_BOOKMARK_FOLDERS: Final = 1_000  # The number of files in one import; a folder can have more.
MAX_BOOKMARK_DEPTH: Final = 32
MAX_LLMS_TXT_BYTES: Final = 1 * caps.MIB  # A longer list of pages for language models is read up to here.
_HTML: Final = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_BARE: Final = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]()]+[^\s<>\"'`|\\^{}\[\]().,;:!?*_]", re.IGNORECASE)
_LISTS: Final = frozenset({"url", "sitemap"})
_BOOKMARK_MARKS: Final = (b"netscape-bookmark-file", b"<dl", b"<dt")
_NO_BASE: Final = "about:blank"  # Bookmarks are absolute; relative ones do not resolve against this.
_OTHER_MARKUP: Final = re.compile(
    r"""<(?!/?(?:dl|h[1-4]|a)\b(?:[^<>"']|"[^"<]*+"|'[^'<]*+')*+>)(?:[^<>]*+>)?""", re.IGNORECASE
)
"""Everything except whole tags of lists, names and links: `<DT>`, `<DD>` and `<p>`, which are never closed, and markup that slows
html.parser down.
"""
_NAMES: Final = ("h1", "h2", "h3", "h4")


def llms_txt_urls(body: bytes, *, url: str) -> tuple[str, ...]:
    """Return the addresses in an llms.txt in order, each once and without fragment."""
    text = decode(body[:MAX_LLMS_TXT_BYTES], None, is_markup=False)
    if _HTML.match(text):
        return ()
    from app.extract.markdown_parser import markdown_parser

    resolve = Resolver(url)
    named: list[str] = []
    for token in (token for block in markdown_parser(html=False).parse(text) for token in block.children or ()):
        if token.type == "link_open":
            named.append(str(token.attrGet("href") or ""))
        elif token.type == "text":
            named += _BARE.findall(token.content)
    found = dict.fromkeys(target.partition("#")[0] for reference in named if (target := resolve(reference)))
    return tuple(found)[:MAX_SITEMAP_URLS]


@dataclass(frozen=True, slots=True)
class Sitemap:
    """The addresses of the listed pages and of further sitemaps in order, each once."""

    pages: tuple[str, ...] = ()
    sitemaps: tuple[str, ...] = ()


def sitemap_urls(body: bytes, *, url: str) -> Sitemap:
    """Return pages and further sitemaps, also on other hosts, of a sitemap (also compressed), list of addresses or feed, if readable."""
    for _ in range(2):  # Some servers compress a compressed file.
        if body.startswith(GZIP_MAGIC):
            body = gunzip(body, MAX_SITEMAP_BYTES)
    resolve = Resolver(url)
    if b"<" not in body[:512]:
        # A list with one address per line; anything else has none.
        text = decode(body, None, is_markup=False)
        lines = dict.fromkeys(line.strip().partition("\t")[0] for line in text.splitlines() if line.strip())
        named = [line for line in lines if line.lower().startswith(("http://", "https://")) and " " not in line]
        targets = dict.fromkeys(target for line in named if (target := resolve(line)))
        return Sitemap(tuple(targets)[:MAX_SITEMAP_URLS] if len(targets) * 2 >= len(lines) else ())
    pages: dict[str, None] = {}
    sitemaps: dict[str, None] = {}
    for kind, location in _entries(body):
        if (target := resolve(location)) is not None:
            (sitemaps if kind == "sitemap" else pages).setdefault(target)
        if max(len(pages), len(sitemaps)) >= MAX_SITEMAP_URLS:
            break
    return Sitemap(tuple(pages) if pages or sitemaps else feed_urls(body, url=url), tuple(sitemaps))


def _entries(body: bytes) -> Iterator[tuple[str, str]]:
    """Yield (`url` or `sitemap`, location) of every complete entry."""
    for element in xml_elements(body):
        kind = local_name(element)
        if kind not in _LISTS:
            continue
        fields = {local_name(child): (child.text or "").strip() for child in element if not len(child)}
        # Free the memory of this entry and all before it.
        element.clear()
        parent = element.getparent()
        while parent is not None and element.getprevious() is not None:
            del parent[0]
        location = fields.get("loc")
        if location and not body.endswith(location.encode()):
            yield kind, location


def bookmark_urls(body: bytes) -> tuple[str, ...]:
    """Return the http(s) addresses of a bookmark file in order, each once; none if it is not a bookmark file."""
    if not any(mark in body.lower() for mark in _BOOKMARK_MARKS):
        return ()
    try:
        tree = parse(decode(body, None))
    except ValueError:
        return ()
    resolve = Resolver(_NO_BASE)
    found = dict.fromkeys(target for link in tree.iter("a") if (target := resolve(link.get("href") or "")))
    return tuple(found)[: caps.MAX_IMPORTED_URLS]


@dataclass(frozen=True, slots=True)
class BookmarkFolder:
    """`path` contains the names of the folders down to this one, empty for the outermost; `urls` its http(s) addresses."""

    path: tuple[str, ...]
    urls: tuple[str, ...]


def bookmark_folders(body: bytes) -> tuple[BookmarkFolder, ...]:
    """Return the folders with pages in the order of the file, each address once. Empty if it is not a bookmark file.

    A browser writes `<DT><H3>name</H3><DL>…</DL>` for a folder, so the name is the last heading before its list. Below
    MAX_BOOKMARK_DEPTH, pages belong to the folder above.
    """
    from bs4 import BeautifulSoup

    # An HTML parser closes `<DT>` and `<DD>` by its own rules, including folders that are still open. Without them, lists are nested like
    # the folders.
    soup = BeautifulSoup(_OTHER_MARKUP.sub("", decode(body, None)), "html.parser")
    resolve = Resolver(_NO_BASE)
    found: dict[tuple[str, ...], dict[str, None]] = {}
    seen: set[str] = set()
    paths: dict[int, tuple[str, ...] | None] = {}
    name = ""
    for tag in soup.find_all(True):
        path = paths.get(id(tag.parent))
        if tag.name == "dl":
            # The heading of the outermost list names the whole file.
            has_name = bool(name) and path is not None and len(path) < MAX_BOOKMARK_DEPTH
            path, name = (*(path or ()), name) if has_name else path or (), ""
        elif tag.name in _NAMES:
            name = collapse("".join(each for each in tag.contents if isinstance(each, str)))
        elif tag.name == "a" and len(seen) < caps.MAX_IMPORTED_URLS:
            url, folder = resolve(str(tag.get("href") or "")), path or ()
            if url and url not in seen and (folder in found or len(found) < MAX_BOOKMARK_FOLDERS):
                seen.add(url)
                found.setdefault(folder, {})[url] = None
        paths[id(tag)] = path
    return tuple(BookmarkFolder(path, tuple(urls)) for path, urls in found.items())
