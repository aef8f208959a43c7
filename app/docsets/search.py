"""Search pages by keyword, and also by meaning if they have vectors.

Five fields have different weights, rare words count more, and repeated words count less each time. Semantic scores combine the
whole page and its closest passages. A snippet is cut out of a page around the words of the question.
"""

from __future__ import annotations

import logging
import math
import re
import threading
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from statistics import fmean
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app.corpus import Corpus
from app.corpus.docsets import Centre, DocsetStore, PageChunks, WordCounts
from app.docsets.pages import DocFolder, DocHit, DocSearch, Page, folded, page_name
from app.embed.embedder import Embedder, QueryEmbedding, SideBySide
from app.errors import EmbedderError
from app.extract.markdown_source import read_front_matter
from app.library.records import Chunk
from app.library.scope import Filter
from app.text.languages import STOP_WORDS, is_english
from app.text.scripts import compatible, places_of_pairs
from app.text.sentence import sentence
from app.text.terms import coverage, query_terms, stem, words

log = logging.getLogger(__name__)

DOC_PASSAGES: Final = 80  # The number of passages whose words are compared with the question.
WORDS_SHARE: Final = 0.35
KEYWORDS_SHARE: Final = 0.55
"""The weight of keyword scores in a question that is a sentence, and in one of keywords alone, which match more literally."""
WHOLE_SHARE: Final = 0.7
PASSAGES_SHARE: Final = 1.0
"""The weights of the whole page and of its nearest passages. Chosen on the questions of four sets of pages; similar values work equally
well.
"""
POINTS: Final = 100  # The points for a relevance of 1; finer steps do not improve the order.
WORDLESS: Final = 0.65
"""The relevance that a page without any word of the question needs: unrelated questions reach 0.62."""
EMBEDDED_SHARE: Final = 0.9
"""Semantic search starts when this share of the pages has vectors, so that the others are not at a disadvantage."""
TITLE_PHRASE: Final = 100.0
TITLE_WORD: Final = 20.0
HEADING_PHRASE: Final = 50.0
HEADING_WORD: Final = 10.0
OCCURRENCE: Final = 1.0
PATH_WORD: Final = 5.0
NAME_PART: Final = 1.0  # A word inside a name in code: `session` in `get_session`.
SATURATION: Final = 1.2
"""The points at which a word reaches half of its maximum: the k1 of BM25 (Robertson and Zaragoza 2009)."""
LENGTH_SHARE: Final = 0.75  # How strongly occurrences are normalized by the length of the page, 0 to 1.
Closeness = Callable[[QueryEmbedding, Sequence[NDArray[np.uint8]]], NDArray[np.float64]]
"""The mean best match of the question's words in each passage, from the passages' binary token vectors."""
PASSAGES_PER_PAGE: Final = 2  # A page with two passages near the question is more likely about it than a page with one.


class Searcher:
    """Searches folders. `snippet_chars` is the length of a snippet."""

    def __init__(self, corpus: Corpus, embedder: Embedder | None, closeness: Closeness, snippet_chars: int) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._vectors = PageVectors(corpus, closeness)
        self._second = PageVectors(corpus.second, closeness) if corpus.second is not None else None
        self._snippet_chars = snippet_chars

    def search(self, text: str, folders: Sequence[DocFolder], count: int) -> DocSearch:
        """Return the best pages by points, then path, each with a snippet of its nearest passage, otherwise of the whole page."""
        pages = {page.head.id: (folder, page) for folder in folders for page in folder.listed}
        held = word_shares(self._corpus.docsets, text, [page for _, page in pages.values()])
        near, note = self._nearness(text, folders, pages)
        points = {page: round(POINTS * share) for page, share in held.items()}
        points = _with_meaning(text, held, near) if near else points
        names = {page: page_name(folder, found.head.path, folders) for page, (folder, found) in pages.items()}
        order = sorted(points, key=lambda page: (-points[page], names[page]))
        best = order[:count]
        passages = self._passages(text, best, near)
        sources = {page: chunk.text for page, chunk in passages.items()}
        sources |= self._corpus.docsets.texts([page for page in best if page not in sources])
        shown = {page: snippet(sources.get(page, ""), text, self._snippet_chars) for page in best}
        places = self._corpus.docsets.places(best)
        hits: list[DocHit] = []
        for page in best:
            span = (passages[page].start, passages[page].end) if page in passages else (0, 0)
            title, place = pages[page][1].head.title, places.get(page, ("", 0))
            hits.append(DocHit(names[page], title, points[page], shown[page], *place, *span))
        return DocSearch(tuple(hits), len(order), len(pages), notes=(note,) if note else ())

    def _nearness(
        self, text: str, folders: Sequence[DocFolder], pages: Mapping[int, tuple[DocFolder, Page]]
    ) -> tuple[dict[int, Nearness], str]:
        """Return the semantic scores of pages, or nothing and the reason."""
        if self._embedder is None:
            return {}, sentence("Keyword search only: there is no search model.")
        docsets = [(folder.docset.id, folder.docset.revision) for folder in folders]
        parts = self._parts(text, self._embedder)
        own, *others = [
            {
                each.page_id
                for docset in docsets
                for each in vectors.chunks(*docset).values()
                if each.chunks == each.embedded and each.page_id in pages
            }
            for vectors, _ in parts
        ]
        ready = len(own.union(*others))
        if not pages or ready < EMBEDDED_SHARE * len(pages):
            left, count = f"{len(pages) - ready:,}", f"{len(pages):,}"
            return {}, sentence(
                "Keyword search only: {} of {} pages are not ready for semantic search yet.", left, count
            )
        try:
            near: dict[int, Nearness] = {}
            lacking = (pages.keys(), *(each - own for each in others))
            for (vectors, embed_query), wanted in zip(parts, lacking, strict=True):
                if wanted:
                    near = vectors.nearness(embed_query(text), docsets, frozenset(wanted)) | near
            return near, ""
        except EmbedderError as error:
            log.warning("documentation is searched by keyword only: %s", error)
            return {}, sentence("Keyword search only: {}", error.message)

    def _parts(self, text: str, embedder: Embedder) -> list[tuple[PageVectors, Callable[[str], QueryEmbedding]]]:
        """Return the vectors to search, and how the question is embedded for them; by the second model for pages that the first lacks."""
        first = (self._vectors, embedder.embed_query)
        if self._second is None or not isinstance(embedder, SideBySide):
            return [first]
        second = (self._second, lambda question: embedder.second.embed_query(question))
        return [first, second] if is_english(text) else [second]

    def _passages(self, text: str, page_ids: Sequence[int], near: Mapping[int, Nearness]) -> dict[int, Chunk]:
        """Return the nearest passage of each page, if it is long enough for a snippet and contains a word of the question."""
        passages = {page: near[page].chunk_id for page in page_ids if page in near}
        found = self._corpus.chunks.by_ids([each for each in passages.values() if each])
        terms = query_terms(text)
        telling = {
            chunk.id: chunk
            for chunk in found
            if len(chunk.text) >= self._snippet_chars and coverage(terms, chunk.text) > 0
        }
        return {page: telling[chunk] for page, chunk in passages.items() if chunk in telling}


def _with_meaning(text: str, held: Mapping[int, float], near: Mapping[int, Nearness]) -> dict[int, int]:
    """Return points from keyword and semantic scores; a page without vectors gets the average score of pages with words."""
    usual = [near[page] for page in held if page in near] or list(near.values())
    whole, passages = fmean(each.whole for each in usual), fmean(each.passages for each in usual)
    stand_in = Nearness(whole, passages, None)
    words_share = WORDS_SHARE if any(word in STOP_WORDS for word in words(text)) else KEYWORDS_SHARE
    points: dict[int, int] = {}
    for page in held.keys() | near.keys():
        place = near.get(page, stand_in)
        relevance = words_share * held.get(page, 0.0) + WHOLE_SHARE * place.whole + PASSAGES_SHARE * place.passages
        if page in held or relevance >= WORDLESS:
            points[page] = max(0, round(POINTS * relevance))
    return points


def word_shares(index: DocsetStore, question: str, pages: Sequence[Page]) -> dict[int, float]:
    """Return the share of the question that each page matches; pages without any of its words are omitted.

    A page with every word, often or in title or headings, approaches 1. The whole question in a title or heading adds to that.
    """
    wanted = dict.fromkeys(word for words in index.words(query_terms(question)) for word in words)
    phrase = folded(question)
    counts = index.counts(list(wanted))
    known = {page.head.id: page for page in pages}
    mean = max(1.0, sum(page.head.words for page in pages) / max(1, len(pages)))
    rarity: dict[str, float] = {}
    for word, of_word in counts.items():
        # The inverse document frequency of the word among the searched pages.
        holding = sum(page_id in known for page_id in of_word)
        rarity[word] = math.log(1 + (len(known) - holding + 0.5) / (holding + 0.5))
    whole = sum(rarity.values())
    found: dict[int, float] = {}
    for word, of_word in counts.items():
        for page_id, number in of_word.items():
            if page := known.get(page_id):
                met = rarity[word] * _met(_points(number, page.head.words / mean))
                found[page_id] = found.get(page_id, 0.0) + met
    for page_id in found if phrase.strip() else ():
        page = known[page_id]
        points = TITLE_PHRASE * (phrase in page.title) + HEADING_PHRASE * (phrase in page.headings)
        found[page_id] += whole / len(wanted) * _met(points)
    return {page_id: met / whole for page_id, met in found.items()}


def _points(number: WordCounts, length: float) -> float:
    """Return the points of one word on a page; `length` is relative to the average page."""
    scale = 1 - LENGTH_SHARE + LENGTH_SHARE * length
    return (
        TITLE_WORD * bool(number.title)
        + HEADING_WORD * bool(number.headings)
        + PATH_WORD * bool(number.path)
        + (OCCURRENCE * number.content + NAME_PART * number.identifiers) / scale
    )


def _met(points: float) -> float:
    return points / (points + SATURATION)


@dataclass(frozen=True, slots=True)
class Nearness:
    """`whole` is the cosine of the page, `passages` the mean closeness of its nearest ones, `chunk_id` the nearest of them or None."""

    whole: float
    passages: float
    chunk_id: int | None


@dataclass(frozen=True, slots=True)
class _Known:
    """The vectors read for one folder; valid while `change` is the last change of any vector."""

    revision: int
    change: int
    chunks: dict[int, PageChunks]
    centres: dict[int, Centre]


class PageVectors:
    """The vectors of pages, each the mean of its passages. Thread-safe; reads only what changed."""

    def __init__(self, corpus: Corpus, closeness: Closeness) -> None:
        self._corpus = corpus
        self._closeness = closeness
        self._known: dict[int, _Known] = {}
        self._lock = threading.Lock()

    def chunks(self, docset_id: int, revision: int) -> Mapping[int, PageChunks]:
        """Return the passages of a folder's pages whose documents are stored, by page."""
        return self._current(docset_id, revision).chunks

    def nearness(
        self, query: QueryEmbedding, docsets: Sequence[tuple[int, int]], page_ids: frozenset[int]
    ) -> dict[int, Nearness]:
        """Return the semantic scores of the pages that have vectors. `docsets` are ids with revisions."""
        known = [self._current(docset_id, revision) for docset_id, revision in docsets]
        centres = {page: centre for each in known for page, centre in each.centres.items() if page in page_ids}
        chunks = {page: each.chunks[page] for each in known for page in each.centres if page in page_ids}
        if not centres:
            return {}
        close = self._passages(query, tuple({each.document_id for each in chunks.values()}))
        lowest = min((value for of_document in close.values() for _, value in of_document), default=0.0)
        wholes = np.stack(list(centres.values())) @ query.vector
        found: dict[int, Nearness] = {}
        for page, whole in zip(centres, wholes.tolist(), strict=True):
            best = sorted(close.get(chunks[page].document_id, ()), key=lambda pair: -pair[1])[:PASSAGES_PER_PAGE]
            wanted = max(1, min(PASSAGES_PER_PAGE, chunks[page].embedded))
            values = [value for _, value in best[:wanted]] + [lowest] * (wanted - len(best))
            found[page] = Nearness(whole, sum(values) / wanted, best[0][0] if best else None)
        return found

    def _passages(self, query: QueryEmbedding, documents: tuple[int, ...]) -> dict[int, list[tuple[int, float]]]:
        """Return the chunks nearest to the question with their closeness, by document; cosines without token vectors.

        If only some have token vectors, the cosines of the others are moved to the same mean.
        """
        hits = self._corpus.vectors.nearest(query.vector, filter=Filter(document_ids=documents), k=DOC_PASSAGES)
        close = {hit.chunk_id: hit.score for hit in hits}
        stored = [item for item in self._corpus.vectors.token_vectors(list(close)) if len(item.token_bits)]
        if len(query.token_vectors) and stored:
            values = self._closeness(query, [item.token_bits for item in stored])
            usual = values.mean() - np.mean([close[item.chunk_id] for item in stored])
            close = {chunk_id: value + usual for chunk_id, value in close.items()}
            close |= {item.chunk_id: value for item, value in zip(stored, values.tolist(), strict=True)}
        found: dict[int, list[tuple[int, float]]] = {}
        for chunk_id, document_id in self._corpus.chunks.documents_of(list(close)).items():
            found.setdefault(document_id, []).append((chunk_id, close[chunk_id]))
        return found

    def _current(self, docset_id: int, revision: int) -> _Known:
        with self._lock:
            known = self._known.get(docset_id)
            change = self._corpus.vectors.last_change()
            if known is None or (known.revision, known.change) != (revision, change):
                known = self._known[docset_id] = self._read(docset_id, revision, change, known)
            return known

    def _read(self, docset_id: int, revision: int, change: int, before: _Known | None) -> _Known:
        """Recompute only the centers of documents whose vectors were replaced."""
        chunks = {each.page_id: each for each in self._corpus.docsets.chunks(docset_id)}
        kept = {
            page: before.centres[page]
            for page, each in chunks.items()
            if before is not None and page in before.centres and before.chunks[page] == each
        }
        missing = [each.document_id for page, each in chunks.items() if each.embedded and page not in kept]
        made = dict(self._corpus.docsets.centres(missing))
        new = {page: made[each.document_id] for page, each in chunks.items() if each.document_id in made}
        return _Known(revision, change, chunks, kept | new)


MARK: Final = "..."
_LINK: Final = re.compile(r"(!?)\[([^\[\]]*)\]\((?:[^()]|\([^()]*\))*\)")
_ATTRIBUTES: Final = re.compile(r"\{[ \t]*+[:#.][^{}\n]*+\}[ \t]*+$", re.MULTILINE)
_NOISE: Final = re.compile(
    r"<!--.*?-->|</?[A-Za-z][^<>]*>|^[ \t]*+(?:#{1,6}[ \t]+|>[ \t]?|[-*+][ \t]+|`{3,}[^\n]*$|~{3,}[^\n]*$|(?=\|?[ \t:-]*+\|)[ \t|:-]++$)"
    r"|\*\*|__(?=\S)|(?<=\S)__",
    re.MULTILINE | re.DOTALL,
)
_TITLE: Final = re.compile(r"\A\s*+#[ \t][^\n]*+\n")
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST_WORD: Final = 40
_NARROW_CHARS: Final = 4_000
_PLACES: Final = 100


def snippet(text: str, question: str, length: int) -> str:
    """Return at most `length` characters of a text on one line, around the words of the question, cut between words.

    Chooses the range with the most different words of the question; words that are rare in the text count most.
    """
    wanted = {stem(part) for term in query_terms(question) for part in _WORD.findall(term.lower())}
    # On one line, without its title, Markdown marks and link targets.
    body = _TITLE.sub("", read_front_matter(_narrowed(text, wanted))[1], count=1)
    clean = " ".join(_NOISE.sub("", _LINK.sub(r"\2", _ATTRIBUTES.sub("", body))).split())
    if len(clean) <= length:
        return clean
    places = [
        (match.start(), name)
        for match in _WORD.finditer(clean.lower())
        if (name := stem(compatible(match.group()))) in wanted
    ]
    places += [(start, clean[start:end]) for start, end in places_of_pairs(clean, wanted)]
    places.sort()
    start = _best_start(places, length - 2 * len(MARK)) if places else 0
    return _cut(clean, start, length)


def shortened(text: str, length: int) -> str:
    """Return a snippet cut to a smaller length, with a mark at its end."""
    return text if len(text) <= length else _cut(text, 0, length)


def _narrowed(text: str, wanted: Collection[str]) -> str:
    """Return the part of a long text with most of the words, found quickly: cleaning the whole text takes too long."""
    if len(text) <= _NARROW_CHARS:
        return text
    lower = text.lower()
    places: list[tuple[int, str]] = []
    for name in wanted:
        found = (match.start() for match in re.finditer(re.escape(name), lower))
        places += ((place, name) for place in islice(found, _PLACES))
    places.sort()
    if not places:
        return text[:_NARROW_CHARS]
    start = max(0, _best_start(places, _NARROW_CHARS // 4) - _NARROW_CHARS // 4)
    begin = text.rfind("\n", 0, start) + 1 if start else 0
    return text[begin : begin + _NARROW_CHARS]


def _best_start(places: list[tuple[int, str]], length: int) -> int:
    """Return the start of the best range: before its first word, so that all its words are centered."""
    weights = {name: 1 + 1 / number for name, number in Counter(name for _, name in places).items()}
    best, chosen = -1.0, (0, 0)
    held: dict[str, int] = {}
    last = 0
    for first, (begin, name) in enumerate(places):
        while last < len(places) and places[last][0] - begin < max(1, length - _LONGEST_WORD // 2):
            held[places[last][1]] = held.get(places[last][1], 0) + 1
            last += 1
        value = sum(weights[each] for each, number in held.items() if number)
        if value > best:
            best, chosen = value, (begin, places[max(first, last - 1)][0])
        held[name] -= 1
    begin, end = chosen
    return max(0, begin - max(0, length - (end - begin)) // 3)


def _cut(text: str, start: int, length: int) -> str:
    """Return the range from about `start` with marks at omitted text, `length` characters including them."""
    if start > 0:
        border = text.rfind(" ", max(0, start - _LONGEST_WORD), start + 1)
        start = border + 1 if border >= 0 else start
    head = MARK if start else ""
    left = length - len(head)
    if len(text) - start <= left:
        return head + text[start:]
    left -= len(MARK)
    border = text.rfind(" ", start + max(1, left - _LONGEST_WORD), start + left + 1)
    end = border if border > start else start + left
    return f"{head}{text[start:end]}{MARK}"
