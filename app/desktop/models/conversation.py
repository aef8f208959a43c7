"""Calls of a day as a conversation: the questions, and excerpts of the passages found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from app.corpus.records import ActivityRecord
from app.desktop.engine_thread import Engine
from app.desktop.models.activity import Call, TouchedPage, recorded_call, touched_pages
from app.desktop.models.details import first_words

GROUP_SECONDS: Final = 300.0  # Maximum gap between calls of one assistant that belong together.
MAX_PASSAGES: Final = 12  # Maximum number of passages per call, best first.
EXCERPT_CHARS: Final = 280  # Length of each excerpt. A click opens the full passage.


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A passage that a call used: its position in the page, and its first words."""

    page: TouchedPage
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A call with its question and the passages found. The question is empty unless questions are saved."""

    call: Call
    question: str
    pages: tuple[TouchedPage, ...]
    excerpts: tuple[Excerpt, ...]

    @property
    def number(self) -> int:
        """The ID of the recorded call."""
        return self.call.key[1]

    @property
    def passages(self) -> int:
        return sum(len(page.ranges) for page in self.pages)


@dataclass(frozen=True, slots=True)
class Day:
    """The turns of a day or of a search in all days, oldest first. `more` older turns were omitted."""

    turns: tuple[Turn, ...]
    more: bool = False


def bounds(day: date) -> tuple[float, float]:
    """Return the start of a day and of the next one, in seconds since the epoch."""
    begin, end = (datetime.combine(each, time()).astimezone() for each in (day, day + timedelta(days=1)))
    return begin.timestamp(), end.timestamp()


def belongs_to(turn: Turn, before: Turn | None) -> bool:
    """Whether a turn continues the previous one."""
    if before is None or turn.call.client != before.call.client:
        return False
    ended = before.call.started_at + before.call.duration_ms / 1000
    return turn.call.started_at - ended < GROUP_SECONDS


async def load_day(engine: Engine, day: date, limit: int, verdict: str = "") -> Day:
    """Load the last `limit` turns of a day, optionally only those with a verdict."""
    return await _day(engine, await engine.questions.calls(*bounds(day), limit + 1, verdict), limit)


async def load_matches(engine: Engine, text: str, limit: int, verdict: str = "") -> Day:
    """Load the last `limit` turns of any day whose question contains these words, optionally only those with a verdict."""
    return await _day(engine, await engine.questions.containing(text, limit + 1, verdict), limit)


async def _day(engine: Engine, newest_first: Sequence[ActivityRecord], limit: int) -> Day:
    texts: dict[int, str] = {}  # Of the pages read for earlier turns.
    turns: list[Turn] = []
    for record in reversed(newest_first[:limit]):
        call, excerpts = recorded_call(record), list[Excerpt]()
        pages = await touched_pages(engine, call)
        for page in pages:
            for start, end in page.ranges[: MAX_PASSAGES - len(excerpts)]:
                if page.document_id not in texts:
                    document = await engine.documents.get(page.document_id)
                    texts[page.document_id] = document.text if document is not None else ""
                words = first_words(texts[page.document_id][start:end], EXCERPT_CHARS + 1)
                if len(words) > EXCERPT_CHARS:
                    words = words[:EXCERPT_CHARS].rpartition(" ")[0] + " …"
                excerpts.append(Excerpt(page, start, end, words))
        turns.append(Turn(call, record.question, pages, tuple(excerpts)))
    return Day(tuple(turns), len(newest_first) > limit)
