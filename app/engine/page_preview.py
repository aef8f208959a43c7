"""What is understood of a page before it is stored."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.errors import FetchError

if TYPE_CHECKING:
    from app.ingest.pipeline import FetchedPage, IngestPipeline
    from app.library.protocol import Library
    from app.library.records import DocumentSummary
    from app.web.fetch import Fetcher

LOOK_BEGINNING_CHARS: Final = 1_200
"""Of the text of a page that is looked at before it is stored."""
LOOK_ROBOTS_SECONDS: Final = 3.0
"""For what a site wishes about such a page; without an answer nothing is said of it."""


@dataclass(frozen=True, slots=True)
class PagePreview:
    """A page as it would be stored. `url` is its address after redirects, `beginning` the first lines of its text.

    `note` says what may be missing, `flags` what in the text addresses the assistant; `is_welcome` is False where robots.txt
    asks programs to stay away. `stored` is the copy that is in the corpus, `fetched` what storing takes.
    """

    url: str
    title: str
    language: str
    tokens: int
    chunks: int
    links: int
    beginning: str
    note: str = ""
    flags: tuple[str, ...] = ()
    is_welcome: bool = True
    stored: DocumentSummary | None = None
    fetched: FetchedPage | None = None


async def preview_page(url: str, *, pipeline: IngestPipeline, fetcher: Fetcher, corpus: Library) -> PagePreview:
    """Fetch and understand a page without storing it. Raises FetchError and its kin."""
    fetched = await pipeline.fetch_page(url)
    is_welcome = await _is_welcome(fetched.result.url, fetcher)
    return await asyncio.to_thread(_preview_of, fetched, is_welcome, corpus)


def _preview_of(fetched: FetchedPage, is_welcome: bool, corpus: Library) -> PagePreview:
    from app.text.shield import instruction_flags

    page, chunks = fetched.prepared.page, fetched.prepared.chunks
    stored = corpus.documents.summary(fetched.prepared.url) or corpus.documents.summary(fetched.requested)
    return PagePreview(
        url=fetched.prepared.url,
        title=page.title,
        language=page.language,
        tokens=sum(chunk.tokens for chunk in chunks),
        chunks=len(chunks),
        links=len(page.links),
        beginning=_beginning(page.text, page.title),
        note=page.note,
        flags=tuple(dict.fromkeys(flag for chunk in chunks for flag in instruction_flags(chunk.text))),
        is_welcome=is_welcome,
        stored=stored,
        fetched=fetched,
    )


def _beginning(text: str, title: str) -> str:
    """The first lines without a heading that only repeats the title."""
    head, _, rest = text.lstrip().partition("\n")
    body = rest if head.lstrip("# ").strip() == title.strip() else text
    return body.strip()[:LOOK_BEGINNING_CHARS]


async def _is_welcome(url: str, fetcher: Fetcher) -> bool:
    try:
        return await asyncio.wait_for(fetcher.allowed(url), LOOK_ROBOTS_SECONDS)
    except (FetchError, TimeoutError):
        return True
