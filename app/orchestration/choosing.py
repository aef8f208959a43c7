"""What of the ranked evidence is shown: whole pages where they fit, else passages. Blocking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus import Corpus
from app.orchestration.assembly import whole_documents
from app.orchestration.evidence import Evidence, select, without_known
from app.orchestration.question import Run
from app.retrieval.passages.build import build_passages
from app.retrieval.passages.documents import Documents
from app.retrieval.records import RetrievedChunk
from app.retrieval.stages import Stages

CLOSEST_TOKENS: Final = 600
"""So much is shown of evidence that most likely holds no answer."""


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
        if self.stages.whole_pages and sum(page.tokens for page in run.documents.values()) <= caps.FULL_CONTEXT_TOKENS:
            whole = whole_documents(self.corpus, tuple(run.documents), evidence.ranked, documents)
            return "full_context", without_known(whole, run.question.known_context)
        return "chunk", self._passages(ranked, caps.EVIDENCE_TOKENS, documents)

    def from_corpus(self, evidence: Evidence, top_k: int, documents: Documents) -> list[RetrievedChunk]:
        """What is shown of the `top_k` best chunks."""
        ranked = self._similar(evidence.ranked)[:top_k]
        if evidence.is_none:
            return self._closest(evidence, ranked, documents)
        return self._passages(ranked, min(caps.EVIDENCE_TOKENS, top_k * caps.CHUNK_TOKENS), documents)

    def _closest(
        self, evidence: Evidence, ranked: Sequence[RetrievedChunk], documents: Documents
    ) -> list[RetrievedChunk]:
        return [] if evidence.is_hopeless else self._passages(ranked, CLOSEST_TOKENS, documents)

    def _passages(
        self, ranked: Sequence[RetrievedChunk], token_budget: int, documents: Documents
    ) -> list[RetrievedChunk]:
        if not self.stages.passages:
            return select(ranked, token_budget=token_budget)
        return build_passages(ranked, documents.get, token_budget=token_budget)

    def _similar(self, ranked: Sequence[RetrievedChunk]) -> list[RetrievedChunk]:
        threshold = self.threshold
        if threshold is None:
            return list(ranked)
        return [item for item in ranked if item.similarity is None or item.similarity >= threshold]
