"""The hits of a search in the order of their relevance, and why each was found, in plain words."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject

from app.desktop.flags import flag_mark, flagged, text_flags, with_flags
from app.desktop.language import translator
from app.desktop.models.details import first_words, section_of
from app.desktop.models.rows import Column, RowsModel
from app.text.terms import query_terms, stem

if TYPE_CHECKING:
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import RetrievedChunk

_tr = translator("HitsModel")

SNIPPET_CHARS: Final = 420
BEFORE_CHARS: Final = 60
"""What is shown before the first word that matches."""
SEARCHED_CHARS: Final = 6_000
_WORD: Final = re.compile(r"\w+(?:[.'_-]\w+)*")

KEYWORD, MEANING, GRAPH = "keyword", "meaning", "graph"


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words of a passage on one line, and where in them the words of the question stand."""

    text: str
    matches: tuple[tuple[int, int], ...]


def matched_text(matched: Sequence[str]) -> str:
    """Which ways found a hit, in short."""
    names = {KEYWORD: _tr("by words"), MEANING: _tr("by meaning"), GRAPH: _tr("by links")}
    return _tr("found {}").format(_tr(" and ").join(names.get(each, each) for each in matched)) if matched else ""


def why_text(hit: RetrievedChunk, rank: int, total: int) -> str:
    """Why a hit was found, and what its numbers mean, one sentence a line."""
    lines = [_tr("Place {} of {} in this search.").format(rank, total)]
    if KEYWORD in hit.matched:
        lines.append(_tr("By words: words of the question stand in this passage, its title or its headings."))
    if MEANING in hit.matched:
        lines.append(_meaning_text(hit.similarity))
    if GRAPH in hit.matched:
        lines.append(_tr("By links: the page is linked with pages that were found."))
    lines.append(
        _tr("Relevance {}: how well the passage seems to answer, from 0 to 1, after both ways were compared.").format(
            f"{hit.reranked_score:.2f}"
        )
    )
    lines.append(_tr("Compare it only within one search; it is no percentage of truth."))
    return "\n".join(lines)


def _meaning_text(similarity: float | None) -> str:
    if similarity is None:
        return _tr("By meaning: it speaks of what the question asks, also in other words.")
    return _tr("By meaning: it speaks of what the question asks, also in other words (nearness {}).").format(
        f"{similarity:.2f}"
    )


@lru_cache(maxsize=256)
def snippet_of(text: str, query: str) -> Snippet:
    """The part of a passage around the first of the question's words that it holds."""
    plain = first_words(text, SEARCHED_CHARS)
    stems = {stem(term) for term in query_terms(query)}
    places = [match.span() for match in _WORD.finditer(plain) if _is_meant(match.group(), stems)]
    start = _begin(plain, places[0][0]) if places else 0
    shown = plain[start : start + SNIPPET_CHARS]
    lead = "… " if start else ""
    shift = len(lead) - start
    inside = [(first + shift, last + shift) for first, last in places if start <= first and last <= start + len(shown)]
    return Snippet(lead + shown, tuple(inside))


def _is_meant(word: str, stems: set[str]) -> bool:
    folded = word.lower()
    return stem(folded) in stems or any(stem(part) in stems for part in re.split(r"[.'_-]", folded) if len(part) > 2)


def _begin(text: str, place: int) -> int:
    """A little before a place, at the beginning of a sentence or of a word."""
    if place <= BEFORE_CHARS * 2:
        return 0
    sentence = text.rfind(". ", place - BEFORE_CHARS * 2, place)
    return sentence + 2 if sentence >= 0 else text.rfind(" ", 0, place - BEFORE_CHARS) + 1


def spoken(hit: RetrievedChunk) -> str:
    """A hit for screen readers."""
    words = _tr("{title}, {section}, relevance {score}, {why}").format(
        title=hit.chunk.title,
        section=section_of(hit.chunk),
        score=f"{hit.reranked_score:.2f}",
        why=matched_text(hit.matched),
    )
    return ", ".join(part for part in (words, flagged(text_flags(hit.chunk.text))) if part)


class HitsModel(RowsModel["RetrievedChunk"]):
    """One row a chunk that was found, best first. `query` is what was asked."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.query = ""
        columns: list[Column[RetrievedChunk]] = [
            Column(
                _tr("Hit"),
                spoken,
                lambda h: -h.reranked_score,
                tip=self._tip,
                mark=lambda h: flag_mark(text_flags(h.chunk.text)),
            )
        ]
        super().__init__(columns, parent)

    def key(self, record: RetrievedChunk) -> Hashable:
        return record.chunk.id

    def haystack(self, record: RetrievedChunk) -> str:
        return record.chunk.text.casefold()

    def show_result(self, result: OrchestrationResult) -> None:
        """Replace the hits by those of a result."""
        self.query = result.query
        found = [hit for hit in result.chunks if not hit.is_locality_expanded]
        self.replace(sorted(found, key=lambda hit: hit.reranked_score, reverse=True))

    def _tip(self, hit: RetrievedChunk) -> str:
        why = why_text(hit, self.row_of(hit.chunk.id) + 1, self.rowCount())
        return with_flags(f"{hit.chunk.url}\n{why}", text_flags(hit.chunk.text))
