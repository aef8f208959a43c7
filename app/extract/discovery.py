"""Where a site says which pages it has: sitemaps, llms.txt, feeds; and lists that people keep: bookmarks.

Nothing here raises for a damaged file: what can be read counts, and a body that is no such file gives nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from app import caps
from app.extract.addresses import Resolver
from app.extract.bookmarks import bookmark_urls
from app.extract.decode import decode
from app.extract.feed import feed_links
from app.extract.sitemap import Sitemap, SitemapPage, sitemap_urls

if TYPE_CHECKING:
    from markdown_it.token import Token

__all__ = ["Sitemap", "SitemapPage", "bookmark_urls", "feed_urls", "llms_txt_urls", "sitemap_urls"]

_HTML: Final = re.compile(r"\s*<(?:!doctype|html|head|body|\?xml)\b", re.IGNORECASE)
_BARE: Final = re.compile(r"https?://[^\s<>\"'`|\\^{}\[\]()]+[^\s<>\"'`|\\^{}\[\]().,;:!?*_]", re.IGNORECASE)


def llms_txt_urls(body: bytes, *, url: str) -> tuple[str, ...]:
    """The addresses that an llms.txt names, in its order, each once and without fragment."""
    text = decode(body[: caps.MAX_LLMS_TXT_BYTES], None, is_markup=False)
    if _HTML.match(text):
        return ()
    from markdown_it import MarkdownIt

    resolve = Resolver(url)
    tokens = MarkdownIt("commonmark", {"html": False}).parse(text)
    named = (reference for token in tokens for reference in _references(token.children or []))
    found = dict.fromkeys(target.partition("#")[0] for reference in named if (target := resolve(reference)))
    return tuple(found)[: caps.MAX_SITEMAP_URLS]


def feed_urls(body: bytes, *, url: str) -> tuple[str, ...]:
    """Addresses of the entries of an RSS or Atom feed, in its order, each once."""
    return feed_links(body, url=url)


def _references(tokens: list[Token]) -> list[str]:
    """Targets of links, and addresses that are written out, of one block."""
    found: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            found.append(str(token.attrGet("href") or ""))
        elif token.type == "text":
            found += _BARE.findall(token.content)
    return found
