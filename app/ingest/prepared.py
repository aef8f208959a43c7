"""A fetched body made ready to be stored: its page and its chunks."""

from __future__ import annotations

import re
from dataclasses import dataclass

from app.corpus.records import ChunkIn
from app.errors import EmptyPageError
from app.extract import Page, extract
from app.ingest.chunking import chunk_page
from app.ingest.counting import ChunkingLimits
from app.web.urls import normalise_url


@dataclass(frozen=True, slots=True)
class Body:
    """What was fetched or read. `url` is where it came from; `store_url` the address to store it under, if that is known already."""

    content: bytes
    url: str
    content_type: str
    charset: str | None = None
    store_url: str | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page, its chunks, and the address that it is stored under (the chunks' keys depend on it)."""

    url: str
    page: Page
    chunks: tuple[ChunkIn, ...]


def prepare_here(body: Body, limits: ChunkingLimits) -> Prepared:
    """Extract and chunk in this thread. Raises the errors of `extract`, and EmptyPageError for a page without chunks."""
    page = extract(body.content, url=body.url, content_type=body.content_type, charset=body.charset)
    return prepare_page(page, body.store_url or stored_address(body.url, page), limits)


def prepare_page(page: Page, url: str, limits: ChunkingLimits) -> Prepared:
    """Chunk a page that was extracted already. Raises EmptyPageError."""
    chunks = chunk_page(page, url=url, count_tokens=limits.count_tokens, max_tokens=limits.max_tokens)
    if not chunks:
        raise EmptyPageError(f"No readable text was found at {url}.", url=url)
    return Prepared(url, page, chunks)


def stored_address(found_at: str, page: Page) -> str:
    """The address a page is stored under: where it was found, or its canonical form if that only spells it otherwise.

    A canonical link to another path is not believed: versions of one page name each other, and sites name their root.
    """
    final = normalise_url(found_at)
    if page.canonical_url is None:
        return final
    canonical = normalise_url(page.canonical_url)
    return canonical if _bare(canonical) == _bare(final) else final


def _bare(url: str) -> str:
    """The address without query, trailing slash and index file, which often name one page."""
    path = url.split("?", 1)[0]
    return re.sub(r"/(?:index\.html?)?$", "", path)
