"""Which linked page to read next: links of the pages read so far, scored by what they promise for the question."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol
from urllib.parse import unquote, urldefrag, urlsplit

import numpy as np

from app.corpus import Corpus
from app.corpus.records import Document, LinkRecord
from app.embed.embedder import PassageEmbedding, QueryEmbedding
from app.retrieval.candidates import SubQuery
from app.retrieval.records import LinkProposal, RetrievedChunk
from app.retrieval.rerank import closeness, word_weights
from app.text.overlap import coverage
from app.text.terms import query_terms

EMBEDDED_LINKS: Final = 48
"""Links that get a vector; the rest is ordered by shared words alone."""
CONTEXT_CHARS: Final = 160
MIN_PROMISE: Final = 0.06
"""Below this a link is not worth a request."""
LINK_FLOOR: Final = 0.1
"""MaxSim of an unrelated link: a few words reach less than a passage."""
MEANING_WEIGHT: Final = 0.5
ANCHOR_WEIGHT: Final = 0.35
CONTEXT_WEIGHT: Final = 0.1
PLACE_WEIGHT: Final = 0.05
_SKIPPED: Final = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|ico|css|js|json|xml|zip|gz|xz|bz2|tar|tgz|whl|exe|dmg|deb|rpm|pdf|mp[34]|webm|woff2?)$",
    re.IGNORECASE,
)

EmbedPassages = Callable[[Sequence[str]], list[PassageEmbedding]]


class LinkProposer(Protocol):
    """Names the pages worth reading next, most promising first."""

    def propose(
        self,
        query: SubQuery,
        *,
        frontier: Sequence[int],
        evidence: Sequence[RetrievedChunk],
        visited: Collection[str],
        limit: int,
    ) -> list[LinkProposal]: ...


@dataclass(slots=True)
class _Target:
    url: str
    source_url: str
    texts: dict[str, None] = field(default_factory=dict)
    context: str = ""
    place: float = 0.0
    cheap: float = 0.0


@dataclass(frozen=True, slots=True)
class ScoredLinks:
    """Scores links by meaning and words of their anchor, what stands around them, and how relevant that place is.

    `embed` is None while no vectors can be made; then words alone decide.
    """

    corpus: Corpus
    embed: EmbedPassages | None

    def propose(
        self,
        query: SubQuery,
        *,
        frontier: Sequence[int],
        evidence: Sequence[RetrievedChunk],
        visited: Collection[str],
        limit: int,
    ) -> list[LinkProposal]:
        """Links of the `frontier` documents, without visited pages and files that hold no text."""
        targets: dict[str, _Target] = {}
        relevance = _relevance_by_document(evidence)
        for document_id in frontier:
            document = self.corpus.document_by_id(document_id)
            if document is not None:
                links = self.corpus.links(document_id)
                _collect(targets, document, links, visited, relevance.get(document_id, []))
        weights = word_weights(self.corpus, [query])
        for target in targets.values():
            target.cheap = _cheap_score(query_terms(query.text), weights, target)
        shortlist = sorted(targets.values(), key=lambda target: (-target.cheap, target.url))[:EMBEDDED_LINKS]
        scored = zip(self._scores(query, weights, shortlist), shortlist, strict=True)
        best = sorted(scored, key=lambda pair: (-pair[0], pair[1].url))
        return [_proposal(target, score) for score, target in best if score >= MIN_PROMISE][:limit]

    def _scores(self, query: SubQuery, weights: Mapping[str, float], targets: Sequence[_Target]) -> list[float]:
        if self.embed is None or query.embedding is None or not targets:
            return [target.cheap for target in targets]
        passages = self.embed([f"{_label(target)}. {target.context}" for target in targets])
        meaning = [_meaning(query.embedding, weights, passage) for passage in passages]
        return [target.cheap + MEANING_WEIGHT * value for target, value in zip(targets, meaning, strict=True)]


def _collect(
    targets: dict[str, _Target],
    document: Document,
    links: Sequence[LinkRecord],
    visited: Collection[str],
    relevance: Sequence[tuple[int, int, float]],
) -> None:
    for link in links:
        url = urldefrag(link.url).url
        if url in visited or url == document.url or _SKIPPED.search(urlsplit(url).path):
            continue
        target = targets.setdefault(url, _Target(url, document.url))
        if link.text:
            target.texts[link.text] = None
        place = max((score for start, end, score in relevance if start <= link.start < end), default=0.0)
        if not target.context or place > target.place:
            target.context = _around(document.text, link)
        target.place = max(target.place, place)


def _cheap_score(terms: Sequence[str], weights: Mapping[str, float], target: _Target) -> float:
    anchor = coverage(terms, f"{_label(target)} {_slug(target.url)}", weights)
    context = coverage(terms, target.context, weights)
    return ANCHOR_WEIGHT * anchor + PLACE_WEIGHT * target.place + CONTEXT_WEIGHT * context


def _meaning(query: QueryEmbedding, weights: Mapping[str, float], passage: PassageEmbedding) -> float:
    if len(passage.token_bits) and len(query.token_vectors):
        return float(closeness(query, weights, [passage.token_bits], floor=LINK_FLOOR)[0])
    return max(0.0, float(np.dot(passage.vector, query.vector)))


def _relevance_by_document(evidence: Sequence[RetrievedChunk]) -> Mapping[int, list[tuple[int, int, float]]]:
    places: dict[int, list[tuple[int, int, float]]] = {}
    for item in evidence:
        chunk = item.chunk
        places.setdefault(chunk.document_id, []).append((chunk.start, chunk.end, item.reranked_score))
    return places


def _label(target: _Target) -> str:
    """The distinct anchor texts that lead to the page, as long as they add something."""
    return "; ".join(list(target.texts)[:6])


def _slug(url: str) -> str:
    return re.sub(r"[\W_]+", " ", unquote(urlsplit(url).path).rsplit("/", 1)[-1].rsplit(".", 1)[0])


def _around(text: str, link: LinkRecord) -> str:
    """The line the link stands in, at most CONTEXT_CHARS to either side."""
    start = max(text.rfind("\n", 0, link.start) + 1, link.start - CONTEXT_CHARS)
    newline = text.find("\n", link.end)
    end = min(newline if newline != -1 else len(text), link.end + CONTEXT_CHARS)
    return " ".join(text[start:end].split())


def _proposal(target: _Target, score: float) -> LinkProposal:
    return LinkProposal(target.url, _label(target), target.source_url, min(1.0, score))
