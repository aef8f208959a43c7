"""Search in the window: the query, its results by relevance, and why each was found."""

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
from app.events import no_progress
from app.library.records import ALL, PRIVATE, SHARED, Chunk
from app.library.scope import Filter, label_named
from app.text.scripts import compatible, has_unspaced, pairs, parted, places_of_pairs
from app.text.terms import query_terms, stem

if TYPE_CHECKING:
    from app.desktop.status import Status
    from app.engine import Engine
    from app.orchestration.result import OrchestrationResult
    from app.retrieval.records import CitationSpan, RetrievedChunk
    from app.server.calls.registry import ToolSpec

_tr = translator("HitsModel")

RENEWAL_MS: Final = 1_500  # Minimum milliseconds between repeated searches.
SNIPPET_CHARS: Final = 420
BEFORE_CHARS: Final = 60  # Characters shown in front of the first match.
SEARCHED_CHARS: Final = 6_000
QUOTE_CHARS: Final = 80  # Characters of a quote to find in its passage.
MAX_NAMED: Final = 3  # Maximum number of matching words shown for a result.
LIKELY_FROM, POSSIBLE_FROM = 0.55, 0.25
"""Minimum confidence of a likely and a possible answer: about two thirds of the results above, a third between and a twentieth below
contain the answer (docs/internals/measurements.md)."""
_WORD: Final = re.compile(r"\w+(?:[.'_-]\w+)*")
_PARTS: Final = re.compile(r"[.'_-]")

KEYWORD, MEANING, GRAPH = "keyword", "meaning", "graph"

SEARCH, EVIDENCE, PASSAGES = "search", "kb.retrieve_evidence", "kb.search"  # The tools that answer from stored pages.
FILES: Final = "file:///"
LIBRARY: Final = "library:"
"""Prefix of a place that selects libraries: `private`, `team` for all shared ones, or the name of one."""
PAGES_LOOKED_AT: Final = 2_000
MAX_PLACES: Final = 40


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage excerpt on one line, and the positions of the query words in it."""

    text: str
    matches: tuple[tuple[int, int], ...]


class Renewal(QObject):
    """Emits `due` when a search made while passages were not embedded yet should be repeated.

    That is whenever passages were embedded and a result is not yet, and otherwise once half or all of the waiting ones are embedded.
    Results that are not embedded although nothing waits were overtaken during the search: one repetition suffices.
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
        """Watch the current results instead of earlier ones."""
        self._holds_waiting = any(hit.is_waiting for hit in hits)
        self._waited = self._status.waiting
        self._is_watching = self._holds_waiting or self._waited > 0
        self._is_overtaken = self._holds_waiting and not self._waited and not self._is_overtaken
        self._timer.stop()
        if self._is_overtaken:
            self._timer.start()

    def forget(self) -> None:
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
    """Explain in a few words why a result was found, naming at most `most` matching words. A weak result is not called similar."""
    chunk = hit.chunk
    searched = f"{chunk.text[:SEARCHED_CHARS]}\n{chunk.title}\n{' '.join(chunk.section_path)}"
    held = _held(query, searched)[:most] if KEYWORD in hit.matched else ()
    quoted = ", ".join(_tr("“{}”").format(word) for word in held)
    parts = [
        _tr("Contains {}").format(quoted) if quoted else "",
        _tr("Keyword match") if KEYWORD in hit.matched and not quoted else "",
        _tr("Similar meaning") if MEANING in hit.matched and not is_weak else "",
        _tr("Linked from a matching page") if GRAPH in hit.matched else "",
        _tr("Not embedded yet") if hit.is_waiting else "",
        _tr("Added by {}").format(hit.origin.added_by) if hit.origin is not None and hit.origin.added_by else "",
    ]
    return " · ".join(part for part in parts if part)


@lru_cache(maxsize=256)
def _held(query: str, text: str) -> tuple[str, ...]:
    """Return at most MAX_NAMED query words that appear in the text, as written in the query."""
    wanted = {stem(term) for term in query_terms(query)}
    plain = parted(text).lower()
    there = {stem(part) for word in _WORD.findall(plain) for part in (word, *_PARTS.split(word)) if part}
    there |= {term for term in wanted if has_unspaced(term) and term in plain}
    return tuple(dict.fromkeys(word for word in _WORD.findall(query) if _is_meant(word, wanted & there)))[:MAX_NAMED]


def address_of(hit: RetrievedChunk) -> str:
    return hit.origin.url if hit.origin is not None else hit.chunk.url


def library_words(hit: RetrievedChunk) -> str:
    """Return the shared library of a result and who added its page. Empty for private results."""
    if hit.origin is None:
        return ""
    words = _tr("From the shared library {}").format(hit.origin.title or hit.origin.library)
    return _tr("{0}, added by {1}").format(words, hit.origin.added_by) if hit.origin.added_by else words


class Confidence(StrEnum):
    """How likely a result contains the answer."""

    LIKELY = "likely"
    POSSIBLE = "possible"
    WEAK = "weak"


def confidence_of(hit: RetrievedChunk, *, nothing_found: bool = False) -> Confidence | None:
    """Return the confidence, or None if it was not estimated, for example without vectors. If nothing was found, every result is weak."""
    if nothing_found:
        return Confidence.WEAK
    if hit.confidence is None:
        return None
    if hit.confidence >= LIKELY_FROM:
        return Confidence.LIKELY
    return Confidence.POSSIBLE if hit.confidence >= POSSIBLE_FROM else Confidence.WEAK


def confidence_text(confidence: Confidence | None) -> str:
    return {
        None: "",
        Confidence.LIKELY: _tr("Likely answer"),
        Confidence.POSSIBLE: _tr("Possible answer"),
        Confidence.WEAK: _tr("Weak match"),
    }[confidence]


def why_text(hit: RetrievedChunk, rank: int, total: int) -> str:
    """Explain why a result was found and how reliable it is, one sentence per line."""
    lines = [_tr("Result {} of {}.").format(number(rank), number(total))]
    if KEYWORD in hit.matched:
        lines.append(_tr("Keyword match: words from your question appear in the passage, its title or its headings."))
    if MEANING in hit.matched:
        lines.append(_tr("Semantic match: covers the same topic in different words."))
    if hit.is_waiting:
        lines.append(_tr("Not embedded yet: its rank can change."))
    if GRAPH in hit.matched:
        lines.append(_tr("Linked from a matching page."))
    if hit.origin is not None:
        lines.append(library_words(hit))
    if hit.is_apart:
        lines.append(_tr("Ranked by a different model: not comparable with your other results."))
    if hit.confidence is not None:
        lines.append(
            _tr("About {} of passages with this rank contain the answer.").format(percent(round(hit.confidence, 2)))
        )
    return "\n".join(lines)


def quotes_in(chunk: Chunk, quotes: Iterable[CitationSpan]) -> list[CitationSpan]:
    """Return the quotes within a passage. Its page highlights the first one."""
    own = (quote for quote in quotes if quote.document_id == chunk.document_id)
    return [quote for quote in own if chunk.start <= quote.start and quote.end <= chunk.end]


@lru_cache(maxsize=256)
def snippet_of(text: str, query: str, quote: str = "") -> Snippet:
    """Return the excerpt of a passage that starts at its quote, or around the first matching word."""
    plain = first_words(text, SEARCHED_CHARS)
    stems = {stem(term) for term in query_terms(query)}
    meant = (match for match in _WORD.finditer(plain) if _is_meant(match.group(), stems))
    spaced = [match.span() for match in meant if not has_unspaced(match.group())]
    places: list[tuple[int, int]] = []  # Sorted. Overlapping and adjacent ones are merged.
    for begin, end in sorted([*spaced, *places_of_pairs(plain, stems)]):
        if places and begin <= places[-1][1]:
            places[-1] = (places[-1][0], max(end, places[-1][1]))
        else:
            places.append((begin, end))
    # A quote can begin within a table row.
    quoted = [plain.find(words) for lead in ("", "|") if (words := first_words(lead + quote, QUOTE_CHARS))]
    start = max(quoted, default=-1)
    if start < 0:
        start = 0
        if places and (first := places[0][0]) > BEFORE_CHARS * 2:
            # The start of a sentence or a word shortly before the place.
            sentence = plain.rfind(". ", first - BEFORE_CHARS * 2, first)
            start = sentence + 2 if sentence >= 0 else plain.rfind(" ", 0, first - BEFORE_CHARS) + 1
    shown = plain[start : start + SNIPPET_CHARS]
    lead = "… " if start else ""
    shift = len(lead) - start
    inside = [(begin + shift, end + shift) for begin, end in places if start <= begin and end <= start + len(shown)]
    return Snippet(lead + shown, tuple(inside))


def _is_meant(word: str, stems: set[str]) -> bool:
    folded = compatible(word).lower()
    if has_unspaced(folded):
        return any(pair in stems for each in _WORD.findall(parted(folded)) for pair in pairs(each))
    return stem(folded) in stems or any(stem(part) in stems for part in _PARTS.split(folded) if len(part) > 2)


def spoken(hit: RetrievedChunk, query: str, confidence: Confidence | None) -> str:
    """Describe a result for screen readers."""
    why = reasons(hit, query, is_weak=confidence is Confidence.WEAK)
    words = (hit.chunk.title, library_words(hit), section_of(hit.chunk), confidence_text(confidence), why)
    return ", ".join(part for part in (*words, flagged(text_flags(hit.chunk.text))) if part)


class HitsModel(RowsModel["RetrievedChunk"]):
    """One row per result, best first. `nothing_found`: most likely no result answers the query."""

    def __init__(self, parent: QObject | None = None) -> None:
        self.query, self.nothing_found = "", False
        self._quotes: Sequence[CitationSpan] = ()
        columns: list[Column[RetrievedChunk]] = [
            Column(
                _tr("Result"),
                lambda h: spoken(h, self.query, self.confidence(h)),
                lambda h: (h.is_apart, -h.reranked_score),
                tip=self._tip,
                mark=lambda h: flag_mark(text_flags(h.chunk.text)),
            )
        ]
        super().__init__(columns, parent, lambda hit: hit.chunk.id)

    def show_result(self, result: OrchestrationResult) -> None:
        self.query, self.nothing_found = result.query, result.nothing_found
        self._quotes = result.citations
        found = [hit for hit in result.chunks if not hit.is_locality_expanded]
        self.replace(sorted(found, key=lambda hit: (hit.is_apart, -hit.reranked_score)))

    def confidence(self, hit: RetrievedChunk) -> Confidence | None:
        return confidence_of(hit, nothing_found=self.nothing_found)

    def snippet(self, hit: RetrievedChunk) -> Snippet:
        """Return the excerpt of a result, starting at its quote if it has one."""
        first = next(iter(quotes_in(hit.chunk, self._quotes)), None)
        return snippet_of(hit.chunk.text, self.query, first.verbatim_text if first is not None else "")

    def _tip(self, hit: RetrievedChunk) -> str:
        why = why_text(hit, self.row_of(hit.chunk.id) + 1, self.rowCount())
        return with_flags(f"{address_of(hit)}\n{why}", text_flags(hit.chunk.text))


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with its mode and place: a source root, `collection:NAME`, `library:NAME`, FILES, or empty for everywhere."""

    query: str
    mode: str
    place: str = ""

    @property
    def library(self) -> str:
        """The libraries to search. Narrower places are in the private library."""
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
        """The filter as arguments of the `kb` tools."""
        if self.filter is None:
            return {}
        return {"path_prefix": FILES} if self.place == FILES else {"doc_tag": [self.place]}


@dataclass(frozen=True, slots=True)
class View:
    """The exact text of a tool, and its length in tokens."""

    text: str
    tokens: int


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """A result, and the text that the tool `search` returns for it."""

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
    """Call a `kb` tool, and delete the passages that it saves for its caller."""
    from uuid import uuid4

    from app.server.calls.arguments import checked_arguments
    from app.server.calls.limits import Caller, effective_budget
    from app.server.calls.registry import ToolCall
    from app.server.render.text import clip

    spec = await asyncio.to_thread(_spec, tool)
    words = {"query" if tool == PASSAGES else "question": asked.query}
    arguments = checked_arguments(spec.check_input, {**words, "filters": asked.filters})
    # A separate caller, so that its passages do not mix with the passages of assistants.
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
    """Return the name of a place to search. `titles` maps names of joined libraries to titles."""
    if place == FILES:
        return _tr("Files on this computer")
    if place.startswith(LIBRARY):
        name = place.removeprefix(LIBRARY)
        known = {PRIVATE: _tr("My library only"), SHARED: _tr("Shared libraries only")}
        return known[name] if name in known else _tr("Library: {}").format(titles.get(name, name))
    label = label_named(place)
    if label is None:
        return place
    words = {LabelKind.COLLECTION.value: _tr("Collection: {}"), LabelKind.TAG.value: _tr("Tag: {}")}
    return words.get(label[0], _tr("Package: {}")).format(label[1])


def libraries(engine: Engine) -> list[str]:
    """Return the libraries to choose from as places to search. Empty while no library is joined."""
    joined = engine.joined
    names = (PRIVATE, SHARED, *(joined if len(joined) > 1 else ())) if joined else ()
    return [f"{LIBRARY}{name}" for name in names]


async def has_libraries(engine: Engine) -> bool:
    return bool(engine.joined)


async def collections(engine: Engine) -> list[str]:
    """Return the collections with pages, as places to search."""
    labels = await engine.documents.labels()
    return [f"{each.kind}:{each.name}" for each in labels if each.kind is LabelKind.COLLECTION and each.pages]


async def places(engine: Engine) -> list[str]:
    """Return the places to search: collections, then sites and folders by number of pages, and FILES if there are any."""
    rows = await engine.documents.find(limit=PAGES_LOOKED_AT)
    counts = Counter(row.doc_tag.partition("/")[0] or site_of(row.url) for row in rows)
    found = [place for place, _ in counts.most_common(MAX_PLACES) if place]
    return [
        *libraries(engine),
        *await collections(engine),
        *found,
        *([FILES] if any(row.url.startswith("file:") for row in rows) else []),
    ]
