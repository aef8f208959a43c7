"""What of the ranked evidence is shown: whole pages where they fit, else passages. Blocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.corpus import Corpus
from app.orchestration.assembly import whole_documents
from app.orchestration.question import Run
from app.retrieval.analysis import specifics
from app.retrieval.evidence import Evidence, confidence
from app.retrieval.passages import Documents, build_passages, useful
from app.retrieval.records import RetrievedChunk, Stages
from app.text.terms import estimate_tokens, words

CLOSEST_TOKENS: Final = 1_000
"""So much is shown of evidence that most likely holds no answer."""
KNOWN_SHARE: Final = 0.8
"""A chunk with more of its word triples in `known_context` tells nothing new."""
ALL_KNOWN: Final = "What was found only repeats known_context and was left out."


@dataclass(frozen=True, slots=True)
class Choice:
    """Chooses from evidence. Chunks less similar than `threshold` (a cosine) are left out if the user set one."""

    corpus: Corpus
    stages: Stages
    threshold: float | None

    def from_pages(self, run: Run, evidence: Evidence, documents: Documents) -> tuple[str, list[RetrievedChunk]]:
        """The mode, "chunk" or "full_context", and what is shown in answer to a question to pages."""
        ranked = without_known(self._similar(evidence.ranked), run.question.known_context)
        if evidence.is_none:
            return "chunk", self._closest(evidence, ranked, documents)
        names = specifics(run.analysis)
        if self.stages.whole_pages and self._fit_whole(run, evidence, documents):
            mode, whole = "full_context", whole_documents(self.corpus, tuple(run.documents), evidence.ranked, documents)
            chosen = without_known(whole, run.question.known_context)
        else:
            mode, chosen = "chunk", self._passages(ranked, caps.EVIDENCE_TOKENS, documents, names)
        if not chosen and run.question.known_context:
            run.notes.append(ALL_KNOWN)
        return mode, _with_confidence(chosen, evidence)

    def _fit_whole(self, run: Run, evidence: Evidence, documents: Documents) -> bool:
        """Whether the pages read are small enough together, and the best evidence is from them and not from elsewhere.

        The tokenizer counts a long run of letters without spaces as one token, so their bytes are looked at too.
        """
        if evidence.ranked[0].chunk.document_id not in run.documents:
            return False
        if sum(page.tokens for page in run.documents.values()) > caps.FULL_CONTEXT_TOKENS:
            return False
        pages = documents.of(run.documents).values()
        return sum(estimate_tokens(page.text) for page in pages) <= caps.EVIDENCE_TOKENS

    def from_corpus(
        self, evidence: Evidence, top_k: int, documents: Documents, names: Sequence[str] = ()
    ) -> list[RetrievedChunk]:
        """What is shown of the `top_k` best chunks; `names` tell what is asked for from its likes."""
        ranked = self._similar(evidence.ranked)[:top_k]
        if evidence.is_none:
            return self._closest(evidence, ranked, documents)
        usual = caps.EVIDENCE_TOKENS * max(1.0, top_k / caps.DEFAULT_TOP_K)
        chosen = self._passages(ranked, int(min(usual, top_k * caps.CHUNK_TOKENS)), documents, names)
        return _with_confidence(chosen, evidence)

    def _closest(
        self, evidence: Evidence, ranked: Sequence[RetrievedChunk], documents: Documents
    ) -> list[RetrievedChunk]:
        return [] if evidence.is_hopeless else self._passages(ranked, CLOSEST_TOKENS, documents)

    def _passages(
        self,
        ranked: Sequence[RetrievedChunk],
        token_budget: int,
        documents: Documents,
        names: Sequence[str] = (),
    ) -> list[RetrievedChunk]:
        if not self.stages.passages:
            return select(ranked, token_budget=token_budget)
        return build_passages(ranked, documents.get, token_budget=token_budget, names=names)

    def _similar(self, ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
        threshold = self.threshold
        if threshold is None:
            return list(ranked)
        return [item for item in ranked if item.similarity is None or item.similarity >= threshold]


def _with_confidence(chosen: Sequence[RetrievedChunk], evidence: Evidence) -> list[RetrievedChunk]:
    """The same with how likely each is to hold the answer, where there were vectors to judge by."""
    if evidence.likelihood is None:
        return list(chosen)
    by_relevance = sorted(range(len(chosen)), key=lambda i: (-chosen[i].reranked_score, chosen[i].chunk.id))
    places = {i: place for place, i in enumerate(by_relevance, start=1)}
    return [replace(item, confidence=confidence(item.reranked_score, places[i])) for i, item in enumerate(chosen)]


def select(ranked: Sequence[RetrievedChunk], *, token_budget: int) -> list[RetrievedChunk]:
    """The best chunks within the budget as they are, near copies of better ones and the clearly irrelevant left out."""
    kept = useful(ranked)
    return _within(kept, token_budget) or kept[:1]


def without_known(ranked: Sequence[RetrievedChunk], known_context: str | None) -> list[RetrievedChunk]:
    """The chunks that tell more than the asker knows: at most KNOWN_SHARE of their word triples stand in `known_context`."""
    known = _triples(known_context or "")
    if not known:
        return list(ranked)
    return [item for item in ranked if _share(_triples(item.chunk.text), known) <= KNOWN_SHARE]


def _within(ranked: Sequence[RetrievedChunk], budget: float) -> list[RetrievedChunk]:
    chosen: list[RetrievedChunk] = []
    for item in ranked:
        budget -= item.chunk.tokens
        if budget < 0:
            break
        chosen.append(item)
    return chosen


def _triples(text: str) -> set[tuple[str, ...]]:
    spoken = words(text)
    return {tuple(spoken[i : i + 3]) for i in range(len(spoken) - 2)}


def _share(part: set[tuple[str, ...]], whole: set[tuple[str, ...]]) -> float:
    return len(part & whole) / len(part) if part else 0.0
