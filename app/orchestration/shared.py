"""Evidence of joined libraries in addition to the private one: merged by relevance if the model is the same, otherwise after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.library.exchange import CHUNK_FIELDS, FoundPassage, SearchReply, same_fields
from app.library.records import Chunk, Document, DocumentState, EmbeddingModel
from app.library.scope import LIBRARY_PAGE_TEMPLATE, place_of
from app.orchestration.assembly import EVIDENCE_TOKENS, LEAD, MAX_CITATIONS, grouped, select
from app.orchestration.result import Decision, OrchestrationResult
from app.retrieval.analysis import analyse
from app.retrieval.citations import cite
from app.retrieval.evidence import hold_no_answer
from app.retrieval.records import CitationSpan, Origin, RetrievedChunk, SharedEvidence
from app.text.sentence import sentence
from app.text.terms import estimate_tokens, fold_whitespace

SHARED_TOKENS: Final = 1_200  # For joined libraries, and for each kind that is not comparable.
UNKNOWN_NAMED: Final = 5  # Addresses listed in the sentence about pages that a library does not have.
MOST_LIBRARIES: Final = 64  # Number ranges for IDs, which distinguish the libraries of a question.


def evidence_of(
    library: str, title: str, reply: SearchReply, place: int, model: EmbeddingModel | None
) -> SharedEvidence:
    """Return the passages of one library with this name and title; `place` distinguishes it from the others of this question."""
    is_apart = model is None or reply.model is None or reply.model.fingerprint != model.fingerprint
    chunks = tuple(_retrieved(library, title, passage, place, is_apart=is_apart) for passage in reply.passages)
    notes = tuple(sentence("The library {} reports: {}", title, note) for note in reply.notes)
    if is_apart and chunks:
        notes += (sentence("The library {} uses another model, so its passages come after the others.", title),)
    # The named pages that the library does not have, or not for this user.
    uris = [LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=page_id) for page_id in reply.unknown]
    if uris:
        named = ", ".join(uris[:UNKNOWN_NAMED])
        if len(uris) > UNKNOWN_NAMED:
            named = sentence("{} and {} more", named, len(uris) - UNKNOWN_NAMED)
        notes += (sentence("The library {} does not have these pages, or you cannot read them: {}.", title, named),)
    return SharedEvidence(chunks, None if is_apart else reply.likelihood, notes)


def _retrieved(library: str, title: str, found: FoundPassage, place: int, *, is_apart: bool) -> RetrievedChunk:
    chunk = Chunk(
        id=-(found.chunk_id * MOST_LIBRARIES + place + 1),
        document_id=-(found.page_id * MOST_LIBRARIES + place + 1),
        key="",
        ord=found.start,
        url=LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=found.page_id),
        tokens=estimate_tokens(found.text),
        doc_tag=place_of(found.url).tag,
        last_crawled=found.last_crawled,
        **same_fields(found, CHUNK_FIELDS),
    )
    return RetrievedChunk(
        chunk,
        retrieval_score=found.score,
        reranked_score=found.relevance,
        confidence=found.confidence,
        headings=found.section_path[-1:],
        origin=Origin(library, found.url, found.collection, person(found.added_by), is_apart, title),
    )


def person(subject: str) -> str:
    """Return the user in a node's subject `user:ISSUER|SUBJECT`, or "" for the shared token."""
    name = subject.rpartition("|")[2] if "|" in subject else subject
    return "" if name == "token" else name


def joined_evidence(parts: Sequence[SharedEvidence]) -> SharedEvidence:
    """Return the evidence of several libraries merged."""
    chunks = sorted((item for part in parts for item in part.chunks), key=_order)
    known = [part.likelihood for part in parts if part.likelihood is not None]
    return SharedEvidence(
        tuple(chunks), max(known, default=None), tuple(dict.fromkeys(note for part in parts for note in part.notes))
    )


def with_shared(result: OrchestrationResult, shared: SharedEvidence, *, keeps_own: bool) -> OrchestrationResult:
    """Merge passages of joined libraries into a private result, or drop the side that most likely does not answer."""
    own = result.chunks
    known = {fold_whitespace(item.chunk.text) for item in own}
    others = [item for item in shared.chunks if fold_whitespace(item.chunk.text) not in known]
    comparable = [item for item in others if not item.is_apart]
    apart = [item for item in others if item.is_apart]
    if hold_no_answer(shared) and own and not result.nothing_found:
        comparable = []
    answers_alone = bool(comparable) and not hold_no_answer(shared) and result.nothing_found
    if answers_alone:
        own = ()
    if keeps_own:
        best = max((item.reranked_score for item in own), default=0.0)
        near = [item for item in comparable if item.reranked_score >= best - LEAD]
        chosen = [*own, *select(near, token_budget=SHARED_TOKENS)]
    else:
        ranked = sorted([*own, *comparable], key=_order)
        room = max(EVIDENCE_TOKENS, sum(item.chunk.tokens for item in own))
        chosen = select(ranked, token_budget=room) if comparable else list(own)
    chosen += select(apart, token_budget=SHARED_TOKENS)
    shown = {item.chunk.id for item in chosen}
    citations = _citations(result, [item for item in chosen if item.origin is not None], shown)
    matched = tuple(dict.fromkeys((*result.corpus_stats.documents_matched, *(item.chunk.url for item in chosen))))
    found_by_others = any(item.origin is not None for item in chosen) and not hold_no_answer(shared)
    return replace(
        result,
        chunks=grouped(chosen),
        citations=citations,
        images=tuple(image for image in result.images if any(image.source_url == item.chunk.url for item in chosen)),
        corpus_stats=replace(result.corpus_stats, documents_matched=matched),
        nothing_found=result.nothing_found and not found_by_others,
        final_decision=result.final_decision if result.chunks or not chosen else Decision("search complete"),
        notes=tuple(dict.fromkeys((*result.notes, *shared.notes))),
    )


def _citations(
    result: OrchestrationResult, others: Sequence[RetrievedChunk], shown: set[int]
) -> tuple[CitationSpan, ...]:
    """Return the quotes of shown passages, and quotes of other libraries chosen by the words they share with the question."""
    quoted: list[CitationSpan] = [span for span in result.citations if span.chunk_id in shown]
    for item in sorted(others, key=_order)[:MAX_CITATIONS]:
        chunk = item.chunk
        inner = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
        # The known part of the passage's page, to quote from: the passage itself.
        page = Document(chunk.document_id, chunk.url, chunk.title, inner, "", "", DocumentState.READY)
        here = replace(chunk, start=0, end=len(inner))
        for span in cite(result.analysis, [replace(item, chunk=here)], {chunk.document_id: page}, limit=1):
            quoted.append(replace(span, start=span.start + chunk.start, end=span.end + chunk.start))
    rank = {item.chunk.id: -item.reranked_score for item in (*result.chunks, *others)}
    return tuple(sorted(quoted, key=lambda span: rank.get(span.chunk_id, 0.0))[:MAX_CITATIONS])


def empty_result(query: str) -> OrchestrationResult:
    """Return the result of a question for which the private library is not searched."""
    return OrchestrationResult(query, analyse(query), nothing_found=True)


def _order(item: RetrievedChunk) -> tuple[bool, float, int]:
    return item.is_apart, -item.reranked_score, item.chunk.id
