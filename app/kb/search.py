"""`kb.search`: a short list of candidates with previews, whose texts are saved in the session; cursors expire with it."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.access import filter_for, passage_of
from app.kb.finder import Finder, distinct
from app.kb.records import Asking, Found, LimitReason, Mode, SearchPage, SearchRequest
from app.kb.spans import clipped, question_terms, rank_spans
from app.library.protocol import Library
from app.retrieval.candidates import BY_GRAPH
from app.retrieval.evidence import hold_no_answer
from app.retrieval.records import RetrievedChunk
from app.scratch.store import ScratchStore
from app.text.markdown_blocks import Span
from app.text.sentence import sentence
from app.text.terms import words

MAX_PREVIEW_BYTES_PER_PAGE: Final = 32 * caps.KIB  # Results beyond it appear on the next page.
MAX_SEARCHES_REMEMBERED: Final = 64  # Searches whose order is cached, so that a cursor continues in the same one.
MIN_PASSAGE_WORDS: Final = 4  # A passage with fewer words contains only its heading.
PER_DOCUMENT: Final = "Fewer than top_k: at most {} per page (options.max_per_doc)."
SENTENCES: Final = 3
BETWEEN: Final = " … "
_MAC_BYTES: Final = 16
_PLACE_BYTES: Final = 2


class Searcher:
    """Finds candidates, each owner in its own session."""

    def __init__(
        self, corpus: Library, finder: Finder, scratch: ScratchStore, *, is_reranked: Callable[[], bool] = lambda: True
    ) -> None:
        self._corpus = corpus
        self._finder = finder
        self._scratch = scratch
        self._is_reranked = is_reranked
        self._remembered: OrderedDict[tuple[str, bytes], _Search] = OrderedDict()

    def search(self, asking: Asking, request: SearchRequest) -> SearchPage:
        """Return one page of candidates. Raises InvalidArgumentError for a cursor of another search or session. Blocking."""
        session = self._scratch.session(asking.owner, asking.session_id)
        # Identifies the search independent of the requested page.
        libraries = (asking.shared.asks_private, *asking.shared.names) if asking.shared is not None else ()
        whole = repr((asking.scope, replace(request, cursor=None, page_size=0), *libraries))
        key = hashlib.sha256(whole.encode("utf-8", "replace")).digest()
        secret = self._scratch.secret(session)
        first = place_of(secret, key, request.cursor) if request.cursor is not None else 0
        found = self._order(session, key, asking, request, goes_on=first > 0)
        results = list(self._shown(asking.owner, session, request, found.chunks, first))
        last = first + len(results)
        is_partial = last < len(found.chunks)
        wanted = min(request.page_size, len(found.chunks) - first)
        cut = LimitReason.BYTE_CAP if len(results) < wanted else LimitReason.PAGE_SIZE
        return SearchPage(
            results=tuple(results),
            next_cursor=cursor_behind(secret, key, last) if is_partial else None,
            partial=is_partial,
            limit_reason=cut if is_partial else LimitReason.NONE,
            session_id=session,
            mode=found.mode,
            graph_disabled=found.graph_disabled,
            note=found.note,
            nothing_found=found.nothing_found,
        )

    def _order(self, session: str, key: bytes, asking: Asking, request: SearchRequest, *, goes_on: bool) -> _Search:
        place = (session, key)
        known = self._remembered.get(place) if goes_on else None
        if known is not None:
            return known
        allowed = filter_for(self._scratch, asking.owner, asking.scope, request.narrowing)
        shared = asking.shared
        chunks: tuple[RetrievedChunk, ...] = ()
        nothing_found = True
        if shared is not None and not shared.asks_private:
            mode, graph_disabled, note = Mode.VECTOR_ONLY, not self._finder.has_graph, ""
        else:
            ranked = self._finder.find(request.query, allowed, request.mode, rewrite=request.rewrite)
            chunks, mode, graph_disabled, note = ranked.chunks, ranked.mode, ranked.graph_disabled, ranked.note
            nothing_found = ranked.evidence.is_none
        if shared is not None:
            others = shared.wait()
            # Most relevant first; passages without a comparable relevance come last.
            together = (*chunks, *others.chunks)
            chunks = tuple(sorted(together, key=lambda item: (item.is_apart, -item.reranked_score, item.chunk.id)))
            note = " ".join(filter(None, (note, *others.notes)))
            nothing_found = nothing_found and hold_no_answer(others)
        # Passages that contain only a heading come last.
        chosen = sorted(
            distinct(chunks, request.max_per_doc),
            key=lambda item: (item.is_apart, len(words(item.chunk.text)) < MIN_PASSAGE_WORDS),
        )[: request.top_k]
        if len(chosen) < request.top_k and len(chosen) < len(chunks):
            note = " ".join(filter(None, (note, PER_DOCUMENT.format(request.max_per_doc))))
        found = _Search(tuple(chosen), mode, graph_disabled, note, nothing_found)
        self._remembered.pop(place, None)  # A repeated search is the newest again.
        self._remembered[place] = found
        while len(self._remembered) > MAX_SEARCHES_REMEMBERED:
            self._remembered.popitem(last=False)
        return found

    def _shown(
        self, owner: str, session: str, request: SearchRequest, order: Sequence[RetrievedChunk], first: int
    ) -> Iterator[Found]:
        """Yield results from a position: one page, or fewer if their previews would be too large."""
        items = order[first : first + request.page_size]
        hashes = self._corpus.documents.content_hashes([item.chunk.document_id for item in items])
        room = MAX_PREVIEW_BYTES_PER_PAGE
        for rank, item in enumerate(items, start=first + 1):
            shown = preview(item.chunk.text, request.query, request.max_snippet_chars)
            room -= len(shown.encode())
            if room < 0 and rank > first + 1:
                return
            passage = self._scratch.put(owner, session, passage_of(item.chunk, hashes.get(item.chunk.document_id, "")))
            facts = [f"reranked {item.reranked_score:.3f}", f"fused {item.retrieval_score:.3f}"]
            if item.similarity is not None:
                facts.append(f"cosine {item.similarity:.3f}")
            facts.append(f"found by {' and '.join(item.matched) or 'nothing'}")
            if item.sub_query:
                facts.append(f"for {item.sub_query!r}")
            yield Found(
                passage_id=passage.id,
                section_id=passage.content.section_id,
                doc_tag=passage.content.doc_tag,
                title=item.chunk.title,
                rank=rank,
                score=round(item.reranked_score, 3),
                source=self._source(item),
                preview=shown,
                scratch_uri=passage.uri,
                size_bytes=passage.size_bytes,
                anchor=item.chunk.anchor,
                url=item.chunk.url,
                last_modified=item.chunk.last_crawled,
                debug=", ".join(facts),
                is_waiting=item.is_waiting,
                document_id=max(0, item.chunk.document_id),
                start=item.chunk.start,
                end=item.chunk.end,
            )

    def _source(self, item: RetrievedChunk) -> str:
        if item.matched == (BY_GRAPH,):
            return "graph_expanded"
        if self._is_reranked() and item.reranked_score != item.retrieval_score:
            return "reranked"
        if len(item.matched) > 1:
            return "rrf_fusion"
        return "vector" if item.matched == ("meaning",) else "bm25"


def preview(text: str, query: str, max_chars: int) -> str:
    """Return one to three exact parts of the text in order, joined by an ellipsis, within `max_chars` and never the whole text."""
    max_chars = min(max_chars, len(text.strip()) - 1)
    ranked = rank_spans(question_terms(query), [text])
    if not ranked:
        return clipped(text, max_chars)
    chosen: list[Span] = []
    room = max_chars
    for each in ranked[:SENTENCES]:
        length = each.span.end - each.span.start + (len(BETWEEN) if chosen else 0)
        if length > room or (chosen and each.score == 0):
            break
        chosen.append(each.span)
        room -= length
    if not chosen:
        return clipped(text[ranked[0].span.start : ranked[0].span.end], max_chars)
    return BETWEEN.join(text[span.start : span.end] for span in sorted(chosen, key=lambda span: span.start))


def cursor_behind(secret: bytes, search: bytes, place: int) -> str:
    """Return a cursor after the first `place` results of a search; `search` identifies the search."""
    behind = place.to_bytes(_PLACE_BYTES, "big")
    return base64.urlsafe_b64encode(behind + _mac(secret, search, behind)).decode().rstrip("=")


def place_of(secret: bytes, search: bytes, cursor: str) -> int:
    """Return the number of results before the cursor. Raises InvalidArgumentError for a cursor of another session or search."""
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise _unknown() from None
    behind = raw[:_PLACE_BYTES]
    if len(raw) != _PLACE_BYTES + _MAC_BYTES or not hmac.compare_digest(
        raw[_PLACE_BYTES:], _mac(secret, search, behind)
    ):
        raise _unknown()
    return int.from_bytes(behind, "big")


def _mac(secret: bytes, search: bytes, behind: bytes) -> bytes:
    return hmac.digest(secret, search + behind, "sha256")[:_MAC_BYTES]


def _unknown() -> InvalidArgumentError:
    return InvalidArgumentError(
        sentence("The cursor belongs to a different search, or its session has expired."),
        hint="Repeat the search with the same arguments, or without `cursor`.",
    )


@dataclass(frozen=True, slots=True)
class _Search:
    """The order of one search: chunks with their scores, without duplicates and chunks beyond the limit per page."""

    chunks: tuple[RetrievedChunk, ...]
    mode: Mode
    graph_disabled: bool
    note: str
    nothing_found: bool
