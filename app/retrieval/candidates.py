"""Candidates for a question: keyword and vector search fused by reciprocal rank, and the graph neighbors of the best ones.

Graph neighbors alone rarely answer, but searching them by keyword and vector finds answers that the search of the whole library ranks too
low. Blocking: for worker threads.

A passage without a vector cannot be compared with the others: on its own scale it would rank above or below all of them. So the likely
ones are embedded for the question (`EmbedPriority`), and the others are estimated from similar passages.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from app import caps
from app.errors import EmbedderError, WebRAGError
from app.library.graph_records import Direction, EdgeType, Node, NodeKind, rarity_of
from app.library.protocol import GraphReader, Library
from app.library.records import Hit
from app.library.scope import Filter
from app.retrieval.records import Candidate, SearchMode, SearchPlan, SubQuery, Terms
from app.text import scripts
from app.text.languages import ENGLISH, has_stems, language_of
from app.text.sentence import sentence
from app.text.terms import ORIGINAL_WEIGHT, coverage, exact_names, expanded_terms, query_terms

log = logging.getLogger(__name__)

GRAPH_CANDIDATES: Final = 20  # Candidates that the graph adds to a search.
RRF_K: Final = 20  # Constant of reciprocal rank fusion (Cormack et al. 2009; docs/internals/measurements.md).
FIRST_QUERY_WEIGHT: Final = 2.0  # Weight of the ranks of the first sub-query; each other one has weight 1.
BY_WORDS: Final = "keyword"
LATIN_SHARE: Final = 0.6  # Keyword score of the best result for the Latin words of a question in another script.
BY_GRAPH: Final = "graph"  # The source of candidates that keyword and vector search did not find.
SEEDS: Final = 5  # Candidates whose sections are starting points in the graph.
# Pages of the best candidates, and pages that the graph leads to, that are searched again.
OWN_PAGES: Final = 3
LED_PAGES: Final = 3
BEST: Final = 20  # Candidates whose pages count as pages of the best.
EDGES_PER_SEED: Final = 24
ENTITIES: Final = 12
PLACES_PER_ENTITY: Final = 6
PHRASE_WORDS: Final = 3
UNASKED_SHARE: Final = 0.25  # Weight of an entity or link that shares no word with the question.
MENTION_SHARE: Final = 0.5  # Weight of a section that mentions an entity, relative to one that defines it.


PLAIN: Final = SearchPlan()


def seen_by(corpus: Library, query: SubQuery) -> Library:
    """Return the library with the vectors of the model that embedded the query."""
    return corpus.second if query.second is not None and corpus.second is not None else corpus


def in_other_languages(corpus: Library, queries: Sequence[SubQuery], filters: Iterable[Filter]) -> list[SubQuery]:
    """Return English queries by the second model if the filters admit pages in other languages, otherwise nothing."""
    second = corpus.second
    if second is None or not any(second.has_foreign(each) for each in filters):
        return []
    try:
        return [query.again() for query in queries if query.again is not None]
    except EmbedderError as error:
        log.warning("pages in other languages are compared by words: %s", error)
        return []


def find_candidates(
    corpus: Library, queries: Sequence[SubQuery], *, filter: Filter, limit: int, plan: SearchPlan = PLAIN
) -> list[Candidate]:
    """Return the `limit` best chunks over all sub-queries; with `plan.graph`, others of the graph after them."""
    scores: defaultdict[int, float] = defaultdict(float)
    matched: defaultdict[int, set[str]] = defaultdict(set)
    by_words: defaultdict[int, float] = defaultdict(float)
    weights = [FIRST_QUERY_WEIGHT if index == 0 and len(queries) > 1 else 1.0 for index in range(len(queries))]
    ceiling = 0.0
    for index, query in enumerate(queries):
        for name, hits, most in _rank_by_each(corpus, query, filter, plan):
            ceiling += weights[index] / (RRF_K + 1)
            # Ranks are fused instead of scores, because BM25 and cosines have no common scale.
            for rank, hit in enumerate(hits, start=1):
                scores[hit.chunk_id] += weights[index] / (RRF_K + rank)
                matched[hit.chunk_id].add(name)
                if name == BY_WORDS and hits[0].score > 0:
                    by_words[hit.chunk_id] = max(by_words[hit.chunk_id], most * hit.score / hits[0].score)
    best = sorted(scores, key=lambda chunk_id: (-scores[chunk_id], chunk_id))[:limit]
    found = [Candidate(i, scores[i] / ceiling, tuple(sorted(matched[i])), by_words[i]) for i in best]
    if plan.graph:
        # Below all others: graph neighbors alone rarely answer, so they only fill the remaining places.
        least = min((candidate.score for candidate in found), default=0.0)
        more = graph_candidates(corpus, queries, [each.chunk_id for each in found], filter, GRAPH_CANDIDATES)
        found += [Candidate(each.chunk_id, least * each.score, (BY_GRAPH,)) for each in more]
    return found


def graph_candidates(
    corpus: Library, queries: Sequence[SubQuery], chunk_ids: Sequence[int], filter: Filter, limit: int
) -> list[Candidate]:
    """Return other chunks of the pages of the best candidates, and of pages that these and the question lead to."""
    if corpus.graph is None:
        return []
    with corpus.graph.view(filter) as view:
        search = _Search(view, queries[0].text)
        places = view.places_of_chunks(chunk_ids[:BEST])
        own = list(dict.fromkeys(places[each].number for each in chunk_ids[:BEST] if each in places))[:OWN_PAGES]
        # Code names and runs of up to PHRASE_WORDS words, longest first.
        words = queries[0].text.replace("?", " ").replace(",", " ").split()
        runs = (
            " ".join(words[start : start + length])
            for length in range(PHRASE_WORDS, 0, -1)
            for start in range(len(words) - length + 1)
        )
        phrases = list(dict.fromkeys([*exact_names(queries[0].text), *runs]))[: caps.MAX_QUERY_TERMS]
        meant = view.entities_meant(phrases)
        search.meet([(node, 1.0) for nodes in meant.values() for node in nodes])
        search.from_places([(places.get(each), 1 / (1 + rank / 2)) for rank, each in enumerate(chunk_ids[:SEEDS])])
        pages = own + [document_id for document_id in search.pages() if document_id not in own][:LED_PAGES]
    if not pages or limit <= 0:
        return []
    # The graph names a page, not an answer: its passages compete by keyword and vector like all others.
    known = set(chunk_ids)
    within = replace(filter, document_ids=tuple(pages), urls=())
    found = find_candidates(corpus, queries, filter=within, limit=len(known) + limit)
    return [candidate for candidate in found if candidate.chunk_id not in known][:limit]


def _rank_by_each(
    corpus: Library, query: SubQuery, filter: Filter, plan: SearchPlan
) -> list[tuple[str, list[Hit], float]]:
    """Return the results of each retriever, with the keyword score of the best one."""
    terms: tuple[str, ...] = ()
    if plan.mode is not SearchMode.MEANING:
        terms = keywords(corpus, query.text) if plan.terms is Terms.EXPANDED else query_terms(query.text)
    by_meaning = plan.mode is not SearchMode.KEYWORD and query.embedding is not None
    vector = query.embedding.vector if query.embedding is not None and by_meaning else None
    found = corpus.candidates(terms, vector, filter=filter, k=caps.CANDIDATES_PER_RETRIEVER)
    asked = (plan.mode is not SearchMode.MEANING, by_meaning)
    both = zip((BY_WORDS, "meaning"), found, asked, strict=True)
    ranked = [(name, hits, 1.0) for name, hits, is_asked in both if is_asked]
    is_other = language_of(query.text) not in (ENGLISH, "")
    shared = tuple(term for term in terms if scripts.is_latin(term)) if is_other else ()
    if 0 < len(shared) < len(terms):
        # Pages in another script contain only these words, and pages in the script of the question hide them.
        hits, _ = corpus.candidates(shared, None, filter=filter, k=caps.CANDIDATES_PER_RETRIEVER)
        ranked.append((BY_WORDS, hits, LATIN_SHARE))
    return ranked


def keywords(corpus: Library, question: str) -> tuple[str, ...]:
    """Return the words to search for and their equivalents: word forms in languages that the index does not stem, otherwise synonyms."""
    language = language_of(question)
    if not has_stems(language):
        return expanded_terms(question)
    terms = query_terms(question)
    return terms * ORIGINAL_WEIGHT + corpus.chunks.other_forms(terms, language)


class _Search:
    """The graph leads of one question. Leads that share words with it count most; entities that occur almost everywhere do not count."""

    def __init__(self, view: GraphReader, question: str) -> None:
        self._view = view
        self._question = question
        self._entities: defaultdict[Node, float] = defaultdict(float)
        self._pages: defaultdict[int, float] = defaultdict(float)

    def from_places(self, seeds: Sequence[tuple[Node | None, float]]) -> None:
        """Count the entities and links of the candidates' sections, each with its share."""
        sections = [(place, share) for place, share in seeds if place is not None and place.kind is NodeKind.SECTION]
        types = {EdgeType.MENTIONS, EdgeType.DEFINES, EdgeType.LINKS_TO}
        found = self._view.neighbours(
            [place for place, _ in sections], types=types, direction=Direction.OUT, limit=EDGES_PER_SEED
        )
        edges = [(edge, share) for (_, share), near in zip(sections, found, strict=True) for edge in near.edges]
        names = self._view.names_of({edge.dst for edge, _ in edges if edge.type is not EdgeType.LINKS_TO})
        met: list[tuple[Node, float]] = []
        for edge, share in edges:
            if edge.type is EdgeType.LINKS_TO:
                self._pages[edge.dst.number] += share * edge.weight * self._asked(edge.note)
            else:
                met.append((edge.dst, share * edge.weight * self._asked(names[edge.dst])))
        self.meet(met)

    def pages(self) -> list[int]:
        """Return the documents that leads were counted for, strongest first."""
        best = sorted(self._entities.items(), key=lambda item: (-item[1], item[0]))[:ENTITIES]
        nodes = [node for node, _ in best]
        naming = {EdgeType.MENTIONS, EdgeType.DEFINES}
        found = self._view.neighbours(nodes, types=naming, direction=Direction.IN, limit=PLACES_PER_ENTITY)
        for (_, weight), near in zip(best, found, strict=True):
            for edge in near.edges:
                share = 1.0 if edge.type is EdgeType.DEFINES else MENTION_SHARE
                self._pages[edge.src.number] += weight * share * edge.weight
        return sorted(self._pages, key=lambda document_id: (-self._pages[document_id], document_id))

    def meet(self, entities: Sequence[tuple[Node, float]]) -> None:
        """Count these entities, such as those that the question names."""
        frequencies = self._view.frequencies({entity for entity, _ in entities})
        for entity, weight in entities:
            if frequencies[entity] < caps.GRAPH_FREQUENCY_COUNTED:
                self._entities[entity] += weight * rarity_of(frequencies[entity])

    def _asked(self, words: str) -> float:
        held = coverage(query_terms(words), self._question) if words else 0.0
        return UNASKED_SHARE + (1 - UNASKED_SHARE) * held


# --- Passages that are not embedded yet ---

LIKELY_BY_WORDS: Final = 18  # Waiting candidates that a question embeds (docs/internals/measurements.md).
BESIDE_NEAREST: Final = 4  # Waiting passages beside the nearest, which often answer in other words.
NEAREST: Final = 5
EMBED_SECONDS: Final = 0.8  # Per question; passages without vectors after that are estimated.
LIKE_SHARE: Final = 0.1  # Difference of the shares of words up to which passages count as similar.
USUAL_WEIGHT: Final = 0.5  # Weight of the mean over all passages; it dominates if few are similar.


class EmbedWithin(Protocol):
    def __call__(self, chunk_ids: Sequence[int], seconds: float, by_second: bool = False, /) -> int:
        """Embed passages in this order for at most so many seconds, and return how many. Blocking. Raises WebRAGError."""
        ...


Search = Callable[[], list[Candidate]]
Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EmbedPriority:
    """Embeds the waiting passages that one question needs; `by_second`: by the second model."""

    corpus: Library
    embed_within: EmbedWithin
    by_second: bool = False

    def complete(self, search: Search) -> list[Candidate]:
        """Return the result of a search after its likely candidates were embedded."""
        until = time.monotonic() + EMBED_SECONDS
        found = search()
        # The first search finds waiting passages by keyword only, later ones also by vector.
        likely = self._waiting([candidate.chunk_id for candidate in found])[:LIKELY_BY_WORDS]
        if self._embed(likely, until):
            found = search()
        # An answer in other words than the question's is often next to the nearest passages.
        nearest = [candidate.chunk_id for candidate in found if "meaning" in candidate.matched][:NEAREST]
        beside = self._waiting(self.corpus.chunks.beside(nearest))[:BESIDE_NEAREST] if nearest else []
        if self._embed(beside, until):
            found = search()
        return found

    def embed(self, chunk_ids: Sequence[int]) -> None:
        """Embed these passages as far as the time allows."""
        self._embed(self._waiting(chunk_ids), time.monotonic() + EMBED_SECONDS)

    def _waiting(self, chunk_ids: Sequence[int]) -> list[int]:
        waiting = self.corpus.vectors.waiting_among(chunk_ids)
        return [chunk_id for chunk_id in chunk_ids if chunk_id in waiting]

    def _embed(self, chunk_ids: Sequence[int], until: float) -> int:
        """Embed passages and return how many. Failures fall back to the estimate, which the result marks."""
        seconds = until - time.monotonic()
        if not chunk_ids or seconds <= 0:
            return 0
        try:
            return self.embed_within(chunk_ids, seconds, self.by_second)
        except WebRAGError as error:
            log.warning("cannot embed %d passages for a question: %s", len(chunk_ids), error)
            return 0


def waiting_note(corpus: Library) -> str:
    if not corpus.vectors.has_waiting():
        return ""
    return sentence(
        "{} of {} passages are not embedded yet; except for the most promising ones, they were searched by keyword only. Ask again later.",
        f"{corpus.vectors.count_waiting():,}",
        f"{corpus.chunks.count():,}",
    )


def estimated(known_shares: Values, known: Values, shares: Values) -> Values:
    """Return expected values by the shares of words: the mean of similar passages, shrunk to the mean of all."""
    alike = np.exp(-(((shares[:, None] - known_shares[None, :]) / LIKE_SHARE) ** 2))
    return np.asarray((alike @ known + USUAL_WEIGHT * known.mean()) / (alike.sum(axis=1) + USUAL_WEIGHT))
