"""The second look at spans that hold words of a question: by token vectors, where they are at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from app.corpus import Corpus
from app.corpus.records import Chunk
from app.embed.embedder import Embedder
from app.kb.closeness import NOT_KNOWN, SpanCloseness
from app.kb.sources import RatedSpan, Source
from app.kb.spans import ScoredSpan
from app.retrieval.evidence import embed_queries

RERANKED_SPANS: Final = 24
MEAN_SHARE: Final = 0.44
"""The rest of a span's merit is how well the worst met third of the question is met."""
FLOOR: Final = 0.12
CEILING: Final = 0.55
"""From floor to ceiling cosines become confidence 0 to 1."""


class SpanReranker:
    """Orders the best spans anew; the others are left out."""

    def __init__(self, corpus: Corpus, embedder: Embedder | None) -> None:
        self._corpus = corpus
        self._embedder = embedder

    def rerank(self, question: str, sources: Sequence[Source], ranked: Sequence[ScoredSpan]) -> list[RatedSpan]:
        """The spans that hold any word, best first; those without one only where vectors can tell them apart."""
        best = list(ranked[:RERANKED_SPANS])
        chunks = self._chunks(sources)
        queries, _ = embed_queries(self._embedder, [question]) if chunks else ([], "")
        closeness = SpanCloseness.of(self._corpus, queries[0], [c.id for c in chunks.values()]) if queries else None
        if closeness is None:
            return [RatedSpan(each.passage, each.span, each.score) for each in best if each.score > 0]
        rated = list(zip(_merits(best, chunks, closeness), best, strict=True))
        known = sorted(
            (pair for pair in rated if pair[0] is not None), key=lambda pair: (-(pair[0] or 0.0), pair[1].order)
        )
        others = [each for merit, each in rated if merit is None and each.score > 0]
        return [RatedSpan(each.passage, each.span, _confidence(merit or 0.0)) for merit, each in known] + [
            RatedSpan(each.passage, each.span, each.score) for each in others
        ]

    def _chunks(self, sources: Sequence[Source]) -> dict[int, Chunk]:
        """The stored chunk of each source that still has the text of its passage."""
        ids = {
            number: int(s.content.section_id) for number, s in enumerate(sources) if s.content.section_id.isdecimal()
        }
        stored = {chunk.id: chunk for chunk in self._corpus.chunks.by_ids(list(ids.values()))}
        return {
            number: stored[chunk_id]
            for number, chunk_id in ids.items()
            if chunk_id in stored and stored[chunk_id].text == sources[number].passage
        }


def _merits(scored: Sequence[ScoredSpan], chunks: Mapping[int, Chunk], closeness: SpanCloseness) -> list[float | None]:
    """One a span; None for those of passages without token vectors."""
    rates = iter(closeness.rate([(chunks[each.passage], [each.span]) for each in scored if each.passage in chunks]))
    known = [next(rates)[0] if each.passage in chunks else NOT_KNOWN for each in scored]
    return [None if rate is NOT_KNOWN else MEAN_SHARE * rate.mean + (1 - MEAN_SHARE) * rate.weakest for rate in known]


def _confidence(merit: float) -> float:
    return min(1.0, max(0.0, (merit - FLOOR) / (CEILING - FLOOR)))
