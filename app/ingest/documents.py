"""A prepared page as the corpus takes it. Long texts are handled in pieces, so that other threads get their turn."""

from __future__ import annotations

import hashlib
from typing import Final

from app import caps
from app.corpus.records import DocumentIn, FileStamp, ImageRecord, LinkRecord, SectionRecord
from app.ingest.prepared import Prepared
from app.web.records import Validators

_PIECE_CHARS: Final = 64 * caps.KIB
_CUT_NOTE: Final = "The page is very long; only its first part is searchable."


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
    """The document; `note` comes behind what the page says of itself. `crawled` is seconds since the epoch.

    Links that may not be followed are left out (`follows`), so that neither crawls nor questions go on from them.
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
        sections=tuple(SectionRecord(s.level, s.heading, s.anchor, s.start, s.end) for s in page.sections),
        links=tuple(LinkRecord(link.url, link.text, link.start, link.end) for link in page.links if follows),
        images=tuple(ImageRecord(i.url, i.alt, i.caption, i.position) for i in page.images),
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
    """SHA-256 of the text in UTF-8, in hexadecimal."""
    digest = hashlib.sha256()
    for start in range(0, len(text), _PIECE_CHARS):
        digest.update(text[start : start + _PIECE_CHARS].encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
