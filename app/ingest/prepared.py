"""A body prepared for storing: its page, its chunks, and the document for the corpus.

Long texts are hashed in parts, so that other threads can run.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import Final

from app import caps
from app.errors import EmptyPageError
from app.extract import Page, extract
from app.extract.page import READS_COMMENTS
from app.ingest.chunking import chunk_page
from app.library.records import ChunkIn, DocumentIn, FileStamp
from app.text.sentence import sentence
from app.text.tokens import ChunkingLimits
from app.web.records import Validators
from app.web.urls import normalise_url

_PIECE_CHARS: Final = 64 * caps.KIB
_CUT_NOTE: Final = sentence("The page is very long. Only its first part can be searched.")


@dataclass(frozen=True, slots=True)
class Body:
    """Fetched or read content. `url` is its source; `store_url` the address to store it under, if known.

    `reads_comments`: the text of an Office file includes its comments.
    """

    content: bytes
    url: str
    content_type: str
    charset: str | None = None
    store_url: str | None = None
    reads_comments: bool = False


@dataclass(frozen=True, slots=True)
class PictureBody:
    """An image as a site sent it."""

    content: bytes
    url: str


@dataclass(frozen=True, slots=True)
class Prepared:
    """A page, its chunks, and the address to store it under (the chunks' keys depend on it)."""

    url: str
    page: Page
    chunks: tuple[ChunkIn, ...]


def prepare_here(body: Body, limits: ChunkingLimits) -> Prepared:
    """Extract and chunk in this thread. Raises the errors of `extract`, and EmptyPageError for a page without chunks."""
    READS_COMMENTS.set(body.reads_comments)
    page = extract(body.content, url=body.url, content_type=body.content_type, charset=body.charset)
    return prepare_page(page, body.store_url or stored_address(body.url, page), limits)


def prepare_page(page: Page, url: str, limits: ChunkingLimits) -> Prepared:
    """Chunk an extracted page. Raises EmptyPageError."""
    chunks = chunk_page(page, url=url, count_tokens=limits.count_tokens, max_tokens=limits.max_tokens)
    if not chunks:
        raise EmptyPageError(sentence("{} has no readable text.", url), url=url)
    return Prepared(url, page, chunks)


def stored_address(found_at: str, page: Page) -> str:
    """Return the address to store a page under: the final address, or its canonical form if only the spelling differs.

    A canonical link to another path is ignored: versions of one page name each other, and sites name their root.
    """
    final = normalise_url(found_at)
    if page.canonical_url is None:
        return final
    canonical = normalise_url(page.canonical_url)
    return canonical if _bare(canonical) == _bare(final) else final


def _bare(url: str) -> str:
    """Return the address without query, trailing slash and index file, which often identify one page."""
    return re.sub(r"/(?:index\.html?)?$", "", url.split("?", 1)[0])


def document_of(
    prepared: Prepared,
    *,
    kind: str,
    crawled: float,
    validators: Validators | None = None,
    aliases: tuple[str, ...] = (),
    file: FileStamp | None = None,
    note: str = "",
    follows: bool = True,
) -> DocumentIn:
    """Return the document; `note` follows the page's own note. `crawled` is in seconds since the epoch.

    Links that must not be followed are omitted (`follows`), so that neither crawls nor questions use them.
    """
    page, known = prepared.page, validators or Validators()
    is_cut = len(prepared.chunks) >= caps.MAX_CHUNKS_PER_DOCUMENT
    notes = (page.note, _CUT_NOTE if is_cut else "", note)
    return DocumentIn(
        url=prepared.url,
        title=page.title,
        text=page.text,
        content_hash=content_hash(page.text),
        kind=kind,
        chunks=prepared.chunks,
        sections=page.sections,
        links=page.links if follows else (),
        images=page.images,
        aliases=aliases,
        language=page.language,
        etag=known.etag,
        last_modified=known.last_modified,
        published=page.published,
        last_crawled=crawled,
        note=" ".join(each for each in notes if each),
        navigation=page.navigation if follows else (),
        file=file,
    )


def content_hash(text: str) -> str:
    """Return the SHA-256 of the text in UTF-8, in hexadecimal."""
    digest = hashlib.sha256()
    for start in range(0, len(text), _PIECE_CHARS):
        digest.update(text[start : start + _PIECE_CHARS].encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
