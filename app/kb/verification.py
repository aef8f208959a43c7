"""Check whether a stored page contains a text: exactly, nearly, or not at all. Blocking."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.errors import InvalidArgumentError, InvalidURLError
from app.kb.access import check_in_scope, filter_for
from app.kb.alignment import Match, PreparedQuote
from app.kb.records import Asking, Verdict, Verification
from app.library.protocol import Library
from app.library.records import Document
from app.scratch.passage import OWN_ADDRESSES, is_address
from app.scratch.resources import Artifact, ResourceResolver, of_document, page_uri
from app.scratch.store import ScratchStore
from app.text.sentence import sentence
from app.text.terms import query_terms, words
from app.web.urls import normalise_url

VERIFY_SECONDS: Final = 3.0  # Seconds after which a quote counts as not found in the pages compared so far.
VERIFY_DOCUMENTS: Final = 12  # Pages of the corpus to compare with a quote word by word.
_PHRASE_WORDS: Final = 5
_PHRASES: Final = 12
_RARE_WORDS: Final = 6
_CHUNKS: Final = 30
_AROUND: Final = 400  # Characters outside a chunk in which an altered quote can begin or end.
_OUT_OF_TIME: Final = "The search stopped after {seconds:g} s; to be sure, name the page in `uri`."
_NOT_ALL: Final = "Only the most likely pages were compared; to be sure, name the page in `uri`."


@dataclass(frozen=True, slots=True)
class _Place:
    """A match with the text that contains it."""

    match: Match
    text: str
    artifact: Artifact
    document: Document | None


class QuoteVerifier:
    """Compares with stored texts, never with the web."""

    def __init__(self, corpus: Library, artifacts: ResourceResolver, scratch: ScratchStore) -> None:
        self._corpus = corpus
        self._artifacts = artifacts
        self._scratch = scratch

    def verify(self, asking: Asking, quote: str, uri: str | None = None) -> Verification:
        """Search one page or passage, or the whole corpus. Raises InvalidArgumentError for an empty quote."""
        prepared = PreparedQuote(quote)
        if not prepared.text:
            raise InvalidArgumentError(sentence("The quote is empty."), hint="Pass the quote to check.")
        deadline = time.monotonic() + VERIFY_SECONDS
        session_id = self._scratch.session(asking.owner, asking.session_id)
        found = self._in_page(asking, prepared, uri, deadline) if uri else self._in_corpus(asking, prepared, deadline)
        return replace(found, session_id=session_id)

    def _in_page(self, asking: Asking, quote: PreparedQuote, uri: str, deadline: float) -> Verification:
        artifact = self._artifact(asking, uri)
        check_in_scope(self._corpus, asking, artifact)
        content = artifact.content
        document = self._corpus.documents.by_id(content.document_id) if content.document_id is not None else None
        if document is not None and document.content_hash != content.document_hash:
            # The page has changed since: only its passage remains.
            document = None
        text = document.text if document is not None else content.text
        match = quote.in_text(text) or quote.nearest(text, deadline)
        if match is None:
            return Verification(
                Verdict.ABSENT,
                url=content.source_uri,
                title=content.title,
                uri=artifact.uri,
                document_hash=document.content_hash if document else "",
                looked_at=1,
            )
        return self._verification(_Place(match, text, artifact, document), 1)

    def _in_corpus(self, asking: Asking, quote: PreparedQuote, deadline: float) -> Verification:
        # Chunks with phrases of the quote, otherwise with its rarest words, best first.
        allowed = filter_for(self._scratch, asking.owner, asking.scope)
        spoken = words(quote.seen)
        hits = self._corpus.chunks.lexical(_phrases(spoken), filter=allowed, k=_CHUNKS)
        frequencies = self._corpus.chunks.document_frequencies(
            list(dict.fromkeys((*spoken, *query_terms(quote.seen))))[: caps.MAX_QUERY_TERMS]
        )
        rare = sorted((number, word) for word, number in frequencies.items() if number)[:_RARE_WORDS]
        hits += self._corpus.chunks.lexical([word for _, word in rare], filter=allowed, k=_CHUNKS)
        chunks = self._corpus.chunks.by_ids(list(dict.fromkeys(hit.chunk_id for hit in hits)))
        ids = list(dict.fromkeys(chunk.document_id for chunk in chunks))
        documents: dict[int, Document] = {}
        best: _Place | None = None
        for document_id in ids[:VERIFY_DOCUMENTS]:
            if time.monotonic() > deadline or (document := self._corpus.documents.by_id(document_id)) is None:
                continue
            documents[document_id] = document
            match = quote.in_text(document.text)
            best = _better(best, self._place(match, document))
            if best is not None and best.match.is_exact:
                return self._verification(best, len(documents))
        for chunk in chunks[:_CHUNKS]:
            if time.monotonic() > deadline:
                break
            if (found := documents.get(chunk.document_id)) is None:
                continue
            start = max(0, chunk.start - _AROUND)
            match = quote.nearest(found.text[start : chunk.end + _AROUND], deadline)
            moved = replace(match, start=match.start + start, end=match.end + start) if match is not None else None
            best = _better(best, self._place(moved, found))
        note = _OUT_OF_TIME.format(seconds=VERIFY_SECONDS) if time.monotonic() > deadline else ""
        if best is not None:
            return self._verification(best, len(documents), note)
        return Verification(Verdict.ABSENT, looked_at=len(documents), note=note or (_NOT_ALL if documents else ""))

    def _artifact(self, asking: Asking, uri: str) -> Artifact:
        """Return the page or file at an address (web, file, `webrag://`), or the passage with this ID."""
        address = uri.strip()
        if address.startswith(OWN_ADDRESSES) or not is_address(address):
            return self._artifacts.find(asking.owner, address, asking.session_id)
        # Pages saved by a browser differ in their fragments.
        document = self._corpus.documents.get(address) if "#" in address else None
        if document is None:
            try:
                known = address if address.startswith("file:") else normalise_url(address)
            except InvalidURLError as error:
                hint = "Pass the address of an indexed page or of a passage."
                raise InvalidArgumentError(str(error), hint=hint) from error
            document = self._corpus.documents.get(known)
        if document is None:
            raise InvalidArgumentError(
                sentence("The page is not indexed."),
                hint="Index it first (`answer` or `ingest`), or leave out `uri` to search all indexed pages.",
            )
        summary = self._corpus.documents.summary(document.url)
        return of_document(document, summary.doc_tag if summary is not None else "", self._corpus.name)

    def _place(self, match: Match | None, document: Document) -> _Place | None:
        if match is None:
            return None
        return _Place(match, document.text, of_document(document, "", self._corpus.name), document)

    def _verification(self, place: _Place, looked_at: int, note: str = "") -> Verification:
        match, content = place.match, place.artifact.content
        page = place.document
        return Verification(
            Verdict.EXACT if match.is_exact else Verdict.NEAR,
            url=content.source_uri,
            title=content.title,
            heading=page.heading_at(match.start) if page is not None else "",
            uri=page_uri(page.id, page.url, self._corpus.name) if page is not None else place.artifact.uri,
            similarity=1.0 if match.is_exact else match.similarity,
            looked_at=looked_at,
            document_hash=page.content_hash if page is not None else content.document_hash,
            start=match.start,
            end=match.end,
            closest=place.text[match.start : match.end],
            difference=match.difference,
            note=" ".join(part for part in (match.note, note) if part),
            document_id=page.id if page is not None else 0,
        )


def _better(best: _Place | None, other: _Place | None) -> _Place | None:
    if best is None or other is None:
        return best or other
    return other if other.match.similarity > best.match.similarity else best


def _phrases(spoken: Sequence[str]) -> list[str]:
    """Return runs of words from all parts of the quote."""
    if len(spoken) <= _PHRASE_WORDS:
        return [" ".join(spoken)] if spoken else []
    last = len(spoken) - _PHRASE_WORDS
    steps = min(_PHRASES - 1, last)
    places = dict.fromkeys(round(index * last / steps) for index in range(steps + 1))
    return [" ".join(spoken[place : place + _PHRASE_WORDS]) for place in places]
