"""Pages for a question: by its words, and by its meaning where the pages have vectors."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from app.corpus import Corpus
from app.corpus.doc_records import DocPageHead
from app.docsets.meaning import Closeness, Nearness, PageVectors
from app.docsets.names import page_name
from app.docsets.shelf import Page, Shelf
from app.docsets.snippet import snippet
from app.docsets.wording import asked, wording
from app.embed.embedder import Embedder
from app.errors import EmbedderError
from app.text.overlap import coverage
from app.text.terms import STOP_WORDS, query_terms, words

log = logging.getLogger(__name__)

WORDS_SHARE: Final = 0.35
KEYWORDS_SHARE: Final = 0.55
"""What the words count in a question that is a sentence, and in one of key words alone, which are meant as they are written."""
WHOLE_SHARE: Final = 0.7
PASSAGES_SHARE: Final = 1.0
"""What the page as a whole and its nearest passages count. All shares were chosen over the questions on four sets of pages; anything
near these values is as good."""
POINTS: Final = 100
"""Shown for a relevance of 1; finer steps bring no better order."""
WORDLESS: Final = 0.65
"""The relevance from which on a page is found that holds no word of the question: questions about other things reach 0.62."""
EMBEDDED_SHARE: Final = 0.9
"""Meaning is asked once this share of the pages has vectors, so that the others are at no disadvantage."""


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page with its points and the stretch to show."""

    shelf: Shelf
    head: DocPageHead
    score: int
    snippet: str


@dataclass(frozen=True, slots=True)
class FoundPages:
    """The best pages, how many matched, how many there are, and what is to be said about it."""

    hits: tuple[FoundPage, ...]
    matched: int
    pages: int
    notes: tuple[str, ...]


class Searcher:
    """Searches folders. `snippet_chars` is the length of what is shown of a page."""

    def __init__(self, corpus: Corpus, embedder: Embedder | None, closeness: Closeness, snippet_chars: int) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._vectors = PageVectors(corpus, closeness)
        self._snippet_chars = snippet_chars

    def search(self, text: str, shelves: Sequence[Shelf], count: int) -> FoundPages:
        """The best pages by points, then path."""
        pages = {page.head.id: (shelf, page) for shelf in shelves for page in shelf.listed}
        held = wording(self._corpus.docs, asked(self._corpus.docs, text), [page for _, page in pages.values()])
        near, note = self._nearness(text, shelves, pages)
        points = (
            _with_meaning(text, held, near) if near else {page: round(POINTS * share) for page, share in held.items()}
        )
        order = sorted(points, key=lambda page: (-points[page], _listed(pages[page], shelves)))
        shown = self._stretches(text, order[:count], near)
        hits = tuple(
            FoundPage(pages[page][0], pages[page][1].head, points[page], shown[page]) for page in order[:count]
        )
        return FoundPages(hits, len(order), len(pages), (note,) if note else ())

    def _nearness(
        self, text: str, shelves: Sequence[Shelf], pages: Mapping[int, tuple[Shelf, Page]]
    ) -> tuple[dict[int, Nearness], str]:
        """How near pages come, or nothing and why."""
        if self._embedder is None:
            return {}, "Ranked by words alone: there is no embedding model."
        docsets = [(shelf.docset.id, shelf.docset.revision) for shelf in shelves]
        chunks = [each for docset in docsets for each in self._vectors.chunks(*docset).values()]
        ready = sum(each.chunks == each.embedded and each.page_id in pages for each in chunks)
        if not pages or ready < EMBEDDED_SHARE * len(pages):
            return {}, f"Ranked by words alone: {len(pages) - ready:,} of {len(pages):,} pages are not embedded yet."
        try:
            query = self._embedder.embed_query(text)
            return self._vectors.nearness(query, docsets, frozenset(pages)), ""
        except EmbedderError as error:
            log.warning("documentation is searched by words alone: %s", error)
            return {}, f"Ranked by words alone: {error.message}"

    def _stretches(self, text: str, page_ids: Sequence[int], near: Mapping[int, Nearness]) -> dict[int, str]:
        """What is shown of each page: of its nearest passage where that is telling, else of the whole page."""
        passages = {page: near[page].chunk_id for page in page_ids if page in near}
        chunks = {chunk.id: chunk.text for chunk in self._corpus.chunks([each for each in passages.values() if each])}
        sources = {
            page: chunks[chunk]
            for page, chunk in passages.items()
            if chunk in chunks and self._is_telling(chunks[chunk], text)
        }
        sources |= self._corpus.docs.texts([page for page in page_ids if page not in sources])
        return {page: snippet(sources.get(page, ""), text, self._snippet_chars) for page in page_ids}

    def _is_telling(self, passage: str, text: str) -> bool:
        """Whether a passage is long enough for a snippet and holds a word of the question."""
        return len(passage) >= self._snippet_chars and coverage(query_terms(text), passage) > 0


def _with_meaning(text: str, held: Mapping[int, float], near: Mapping[int, Nearness]) -> dict[int, int]:
    """Points by words and meaning; a page without vectors counts as near as those with words do in the mean."""
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


def _listed(place: tuple[Shelf, Page], shelves: Sequence[Shelf]) -> str:
    return page_name(place[0], place[1].head.path, shelves)
