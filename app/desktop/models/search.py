"""A search as the window asks for it, its hits in the order of their relevance, and why each was found, in plain words."""

from __future__ import annotations

import asyncio
import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from app.corpus.records import LabelKind
from app.desktop.flags import flag_mark, flagged, text_flags, with_flags
from app.desktop.models.details import first_words, section_of
from app.desktop.models.rows import Column, RowsModel
from app.desktop.qt import single_shot
from app.desktop.wording import number, percent, site_of, translator
from app.library.records import ALL, PRIVATE, SHARED
from app.library.scope import Filter, label_named
from app.text.scripts import compatible, has_unspaced, pairs, parted, places_of_pairs
from app.text.terms import query_terms, stem

if TYPE_CHECKING:
    from app.desktop.status import Status
    from app.engine import Engine
    from app.library.records import Chunk
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import CitationSpan, RetrievedChunk
    from app.server.calls.registry import ToolSpec

_tr = translator("HitsModel")

RENEWAL_MS: Final = 1_500
"""Hits are asked for again at most so often."""
SNIPPET_CHARS: Final = 420
BEFORE_CHARS: Final = 60
"""What is shown before the first word that matches."""
SEARCHED_CHARS: Final = 6_000
QUOTE_CHARS: Final = 80
"""So much of a quote is looked for in its passage."""
MAX_NAMED: Final = 3
"""So many words of the question are named beside a hit."""
LIKELY_FROM, POSSIBLE_FROM = 0.55, 0.25
"""Confidences from which on a hit is called likely and possible: two of three, a third and a twentieth of what lies above, between and
below them hold the answer (docs/internals/measurements.md)."""
_WORD: Final = re.compile(r"\w+(?:[.'_-]\w+)*")
_PARTS: Final = re.compile(r"[.'_-]")

KEYWORD, MEANING, GRAPH = "keyword", "meaning", "graph"

SEARCH, EVIDENCE, PASSAGES = "search", "kb.retrieve_evidence", "kb.search"
"""The tools that answer from stored pages."""
FILES: Final = "file:///"
LIBRARY: Final = "library:"
"""Before what a place to search says of libraries: `private`, `team` for all shared ones, or the name of one."""
PAGES_LOOKED_AT: Final = 2_000
MAX_PLACES: Final = 40


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words of a passage on one line, and where in them the words of the question stand."""

    text: str
    matches: tuple[tuple[int, int], ...]


class Renewal(QObject):
    """Says by `due` when hits that were found while passages waited for their vectors are worth asking for again.

    That is whenever vectors came while one of the hits waits itself, and else once half of what waited has them, or all. Hits
    that wait although nothing waits any more were overtaken while they were found: once more is enough.
    """

    due = Signal()

    def __init__(self, status: Status, parent: QObject) -> None:
        super().__init__(parent)
        self._status = status
        self._is_watching = self._holds_waiting = self._is_overtaken = False
        self._waited = 0
        self._timer = single_shot(self, RENEWAL_MS, self._look)
        status.changed.connect(self._follow)

    def watch(self, hits: Iterable[RetrievedChunk]) -> None:
        """Look out for the hits that are shown now, in the place of earlier ones."""
        self._holds_waiting = any(hit.is_waiting for hit in hits)
        self._waited = self._status.waiting
        self._is_watching = self._holds_waiting or self._waited > 0
        self._is_overtaken = self._holds_waiting and not self._waited and not self._is_overtaken
        self._timer.stop()
        if self._is_overtaken:
            self._timer.start()

    def forget(self) -> None:
        """No hits are shown any more."""
        self._is_watching = self._is_overtaken = False

    def _follow(self) -> None:
        self._waited = max(self._waited, self._status.waiting)
        if self._is_watching and self._is_worth_it and not self._timer.isActive():
            self._timer.start()

    @property
    def _is_worth_it(self) -> bool:
        now = self._status.waiting
        is_nearer = now < self._waited and (self._holds_waiting or now <= self._waited // 2)
        return is_nearer or (self._is_overtaken and not now)

    def _look(self) -> None:
        if self._is_watching and self._is_worth_it:
            self._is_watching = False
            self.due.emit()


def reasons(hit: RetrievedChunk, query: str, most: int = MAX_NAMED, *, is_weak: bool = False) -> str:
    """Why a hit was found, in a few words; so many of the question's words that it holds are named.

    The meaning of a weak hit is not called similar.
    """
    held = held_words(hit, query)[:most] if KEYWORD in hit.matched else ()
    quoted = ", ".join(_tr("“{}”").format(word) for word in held)
    parts = [
        _tr("Contains {}").format(quoted) if quoted else "",
        _tr("Keyword match") if KEYWORD in hit.matched and not quoted else "",
        _tr("Similar meaning") if MEANING in hit.matched and not is_weak else "",
        _tr("Linked from a matching page") if GRAPH in hit.matched else "",
        _tr("Not indexed by meaning yet") if hit.is_waiting else "",
        _tr("Added by {}").format(hit.origin.added_by) if hit.origin is not None and hit.origin.added_by else "",
    ]
    return " · ".join(part for part in parts if part)


def held_words(hit: RetrievedChunk, query: str) -> tuple[str, ...]:
    """The words of a question that stand in a passage, its title or its headings, as the question writes them; at most MAX_NAMED."""
    return _held(query, f"{hit.chunk.text[:SEARCHED_CHARS]}\n{hit.chunk.title}\n{' '.join(hit.chunk.section_path)}")


@lru_cache(maxsize=256)
def _held(query: str, text: str) -> tuple[str, ...]:
    wanted = {stem(term) for term in query_terms(query)}
    plain = parted(text).lower()
    there = {stem(part) for word in _WORD.findall(plain) for part in (word, *_PARTS.split(word)) if part}
    there |= {term for term in wanted if has_unspaced(term) and term in plain}
    asked = (word for word in _WORD.findall(query) if _is_meant(word, wanted & there))
    return tuple(dict.fromkeys(asked))[:MAX_NAMED]


def address_of(hit: RetrievedChunk) -> str:
    """The address of a hit's page on the web, or of its file."""
    return hit.origin.url if hit.origin is not None else hit.chunk.url


def library_words(hit: RetrievedChunk) -> str:
    """Which shared library a hit is from, and who added its page there; empty for one's own."""
    if hit.origin is None:
        return ""
    words = _tr("From the shared library {}").format(hit.origin.title or hit.origin.library)
    return _tr("{0}, added by {1}").format(words, hit.origin.added_by) if hit.origin.added_by else words


class Confidence(StrEnum):
    """How likely a hit holds the answer."""

    LIKELY = "likely"
    POSSIBLE = "possible"
    WEAK = "weak"


def confidence_of(hit: RetrievedChunk, *, nothing_found: bool = False) -> Confidence | None:
    """None where it was not estimated, as while vectors are missing. If nothing was found, every hit is weak."""
    if nothing_found:
        return Confidence.WEAK
    if hit.confidence is None:
        return None
    if hit.confidence >= LIKELY_FROM:
        return Confidence.LIKELY
    return Confidence.POSSIBLE if hit.confidence >= POSSIBLE_FROM else Confidence.WEAK


def confidence_text(confidence: Confidence | None) -> str:
    """The same in two words."""
    return {
        None: "",
        Confidence.LIKELY: _tr("Likely answer"),
        Confidence.POSSIBLE: _tr("Possible answer"),
        Confidence.WEAK: _tr("Weak match"),
    }[confidence]


def why_text(hit: RetrievedChunk, rank: int, total: int) -> str:
    """Why a hit was found, and how sure that is, one sentence a line."""
    lines = [_tr("Place {} of {} in this search.").format(number(rank), number(total))]
    if KEYWORD in hit.matched:
        lines.append(_tr("Keyword match: words from your question appear in the passage, its title or its headings."))
    if MEANING in hit.matched:
        lines.append(_tr("Semantic match: covers the same topic in different words."))
    if hit.is_waiting:
        lines.append(_tr("It is not read for meaning yet: its place may change."))
    if GRAPH in hit.matched:
        lines.append(_tr("By links: the page is linked with pages that were found."))
    if hit.origin is not None:
        lines.append(library_words(hit))
    if hit.is_apart:
        lines.append(_tr("Another model ranked it: its place says nothing beside yours."))
    if hit.confidence is not None:
        lines.append(
            _tr("About {} of passages with this rank contain the answer.").format(percent(round(hit.confidence, 2)))
        )
    return "\n".join(lines)


def quotes_in(chunk: Chunk, quotes: Iterable[CitationSpan]) -> list[CitationSpan]:
    """The quotes that stand in a passage; its page marks the first."""
    return [
        quote
        for quote in quotes
        if quote.document_id == chunk.document_id and chunk.start <= quote.start and quote.end <= chunk.end
    ]


@lru_cache(maxsize=256)
def snippet_of(text: str, query: str, quote: str = "") -> Snippet:
    """The part of a passage from the quote in it on, else around the first of the question's words that it holds."""
    plain = first_words(text, SEARCHED_CHARS)
    stems = {stem(term) for term in query_terms(query)}
    places = [match.span() for match in _WORD.finditer(plain) if _is_meant(match.group(), stems)]
    places = _joined(
        [*(place for place in places if not has_unspaced(plain[slice(*place)])), *places_of_pairs(plain, stems)]
    )
    # A quote may begin within a row of a table.
    quoted = [plain.find(words) for lead in ("", "|") if (words := first_words(lead + quote, QUOTE_CHARS))]
    start = max(quoted, default=-1)
    if start < 0:
        start = _begin(plain, places[0][0]) if places else 0
    shown = plain[start : start + SNIPPET_CHARS]
    lead = "… " if start else ""
    shift = len(lead) - start
    inside = [(first + shift, last + shift) for first, last in places if start <= first and last <= start + len(shown)]
    return Snippet(lead + shown, tuple(inside))


def _joined(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Sorted places; overlapping and adjacent ones are merged."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def _is_meant(word: str, stems: set[str]) -> bool:
    folded = compatible(word).lower()
    if has_unspaced(folded):
        return any(pair in stems for each in _WORD.findall(parted(folded)) for pair in pairs(each))
    return stem(folded) in stems or any(stem(part) in stems for part in _PARTS.split(folded) if len(part) > 2)


def _begin(text: str, place: int) -> int:
    """A little before a place, at the beginning of a sentence or of a word."""
    if place <= BEFORE_CHARS * 2:
        return 0
    sentence = text.rfind(". ", place - BEFORE_CHARS * 2, place)
    return sentence + 2 if sentence >= 0 else text.rfind(" ", 0, place - BEFORE_CHARS) + 1


def spoken(hit: RetrievedChunk, query: str, confidence: Confidence | None) -> str:
    """A hit for screen readers."""
    why = reasons(hit, query, is_weak=confidence is Confidence.WEAK)
    words = (hit.chunk.title, library_words(hit), section_of(hit.chunk), confidence_text(confidence), why)
    return ", ".join(part for part in (*words, flagged(text_flags(hit.chunk.text))) if part)


class HitsModel(RowsModel["RetrievedChunk"]):
    """One row a chunk that was found, best first. `query` is what was asked, `nothing_found` that most likely none answers it."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.query, self.nothing_found = "", False
        self._quotes: Sequence[CitationSpan] = ()
        columns: list[Column[RetrievedChunk]] = [
            Column(
                _tr("Hit"),
                lambda h: spoken(h, self.query, self.confidence(h)),
                lambda h: (h.is_apart, -h.reranked_score),
                tip=self._tip,
                mark=lambda h: flag_mark(text_flags(h.chunk.text)),
            )
        ]
        super().__init__(columns, parent, lambda hit: hit.chunk.id)

    def show_result(self, result: OrchestrationResult) -> None:
        """Replace the hits by those of a result."""
        self.query, self.nothing_found = result.query, result.nothing_found
        self._quotes = result.citations
        found = [hit for hit in result.chunks if not hit.is_locality_expanded]
        self.replace(sorted(found, key=lambda hit: (hit.is_apart, -hit.reranked_score)))

    def confidence(self, hit: RetrievedChunk) -> Confidence | None:
        """How likely a hit holds the answer."""
        return confidence_of(hit, nothing_found=self.nothing_found)

    def snippet(self, hit: RetrievedChunk) -> Snippet:
        """What is shown of a hit: what its page marks, where that is a quote."""
        first = next(iter(quotes_in(hit.chunk, self._quotes)), None)
        return snippet_of(hit.chunk.text, self.query, first.verbatim_text if first is not None else "")

    def _tip(self, hit: RetrievedChunk) -> str:
        why = why_text(hit, self.row_of(hit.chunk.id) + 1, self.rowCount())
        return with_flags(f"{address_of(hit)}\n{why}", text_flags(hit.chunk.text))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the way to search, and where: a root of sources, a collection as `collection:NAME`, a library as `library:NAME`,
    FILES, or everywhere."""

    query: str
    mode: str
    place: str = ""

    @property
    def library(self) -> str:
        """The libraries that are asked; a narrower place is one of the private library."""
        if self.place.startswith(LIBRARY):
            return self.place.removeprefix(LIBRARY)
        return PRIVATE if self.place else ALL

    @property
    def filter(self) -> Filter | None:
        if not self.place or self.place.startswith(LIBRARY):
            return None
        return Filter(url_prefix=FILES) if self.place == FILES else Filter(doc_tags=((self.place,),))

    @property
    def filters(self) -> dict[str, object]:
        """The same for the tools of the knowledge base."""
        if not self.place or self.place.startswith(LIBRARY):
            return {}
        return {"path_prefix": FILES} if self.place == FILES else {"doc_tag": [self.place]}


@dataclass(frozen=True, slots=True)
class View:
    """The exact text of a tool, and what it costs in tokens."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """A result and how the tool `search` would word it."""

    asked: Asked
    result: OrchestrationResult
    view: View


async def ask(engine: Engine, asked: Asked) -> SearchOutcome:
    """Search, and render the result with the budget of an unknown assistant."""
    from app.server.calls.limits import effective_budget
    from app.server.render.answer import search_text

    ask_engine = partial(engine.search, library=asked.library) if engine.joined else engine.search
    result = await ask_engine(asked.query, mode=asked.mode, within=asked.filter)
    budget = effective_budget(engine.settings, "")
    text = await asyncio.to_thread(search_text, result, budget=budget, count=engine.count_tokens, now=time.time())
    return SearchOutcome(asked, result, await _counted(engine, text))


async def tool_view(engine: Engine, asked: Asked, tool: str) -> View:
    """What a tool of the knowledge base would give; the passages that it keeps for its caller are forgotten again."""
    from uuid import uuid4

    from app.events import no_progress
    from app.server.calls.arguments import checked_arguments
    from app.server.calls.limits import effective_budget
    from app.server.calls.registry import ToolCall
    from app.server.render.text import clip
    from app.server.sessions import Caller

    spec = await asyncio.to_thread(_spec, tool)
    words = {"query" if tool == PASSAGES else "question": asked.query}
    arguments = checked_arguments(spec.check_input, {**words, "filters": asked.filters})
    # A caller of its own, so that nothing is mixed with what assistants keep.
    caller = Caller("window", key=uuid4().hex)
    budget = effective_budget(engine.settings, "")
    try:
        library = asked.library if engine.joined else PRIVATE
        output = await spec.handler(ToolCall(engine, arguments, caller, budget, no_progress, library=library))
    finally:
        for passage in await asyncio.to_thread(engine.scratch.listing, caller.owner):
            await asyncio.to_thread(engine.scratch.delete, passage.id)
    return await _counted(engine, clip(output.text, budget, engine.count_tokens))


def _spec(tool: str) -> ToolSpec:
    from app.server.tools.kb import evidence, search

    return search.KB_SEARCH if tool == PASSAGES else evidence.RETRIEVE_EVIDENCE


async def _counted(engine: Engine, text: str) -> View:
    return View(text, await asyncio.to_thread(engine.count_tokens, text))


def place_words(place: str, titles: Mapping[str, str] = MappingProxyType({})) -> str:
    """A place to search as the person reads it; `titles` are those of joined libraries by name."""
    if place == FILES:
        return _tr("Files of this computer")
    if place.startswith(LIBRARY):
        name = place.removeprefix(LIBRARY)
        known = {PRIVATE: _tr("My library only"), SHARED: _tr("Shared libraries only")}
        return known[name] if name in known else _tr("Library: {}").format(titles.get(name, name))
    label = label_named(place)
    if label is None:
        return place
    return (_tr("Collection: {}") if label[0] == LabelKind.COLLECTION else _tr("Tag: {}")).format(label[1])


def libraries(engine: Engine) -> list[str]:
    """The choice among the private library and shared ones, as places to search; none while no library is joined."""
    joined = engine.joined
    names = (PRIVATE, SHARED, *(joined if len(joined) > 1 else ())) if joined else ()
    return [f"{LIBRARY}{name}" for name in names]


async def has_libraries(engine: Engine) -> bool:
    """Whether a shared library may be asked."""
    return bool(engine.joined)


async def collections(engine: Engine) -> list[str]:
    """The collections that hold pages, as places to search."""
    labels = await engine.documents.labels()
    return [f"{each.kind}:{each.name}" for each in labels if each.kind is LabelKind.COLLECTION and each.pages]


async def places(engine: Engine) -> list[str]:
    """Collections, then where stored pages are from, the places with most pages first; FILES where there are files."""
    rows = await engine.documents.find(limit=PAGES_LOOKED_AT)
    counts = Counter(row.doc_tag.partition("/")[0] or site_of(row.url) for row in rows)
    found = [place for place, _ in counts.most_common(MAX_PLACES) if place]
    return [
        *libraries(engine),
        *await collections(engine),
        *found,
        *([FILES] if any(row.url.startswith("file:") for row in rows) else []),
    ]
