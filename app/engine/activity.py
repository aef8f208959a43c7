"""The calls of assistants and their results: the record of calls, stored questions (if the user allows it), and passages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable
from dataclasses import replace
from math import inf

from app.corpus import Corpus
from app.corpus.activity import UsedPassages
from app.corpus.questions import Known, QuestionLog
from app.corpus.records import ActivityRecord, DayUsage
from app.errors import CorpusError, WebRAGError
from app.events import CallFinished, CallRecorded, EventBus, EvidenceTraced
from app.orchestration.pages import address_or_as_given
from app.paths import questions_file
from app.settings import Settings

log = logging.getLogger(__name__)


class Questions:
    """Needs a running engine. All work runs on worker threads."""

    def __init__(self, corpus: Corpus, log: QuestionLog) -> None:
        self._corpus = corpus
        self._log = log

    async def calls(self, first: float, last: float, limit: int, verdict: str = "") -> list[ActivityRecord]:
        """Return the newest calls in `[first, last)` with their questions, newest first, optionally of one verdict."""

        def read() -> list[ActivityRecord]:
            found = self._corpus.activity.between(first, last, limit, verdict)
            return list(_asked(found, self._log.of([call.id for call in found])))

        return await asyncio.to_thread(read)

    async def containing(self, text: str, limit: int, verdict: str = "") -> list[ActivityRecord]:
        """Return the newest calls whose question contains these words in any order, newest first, optionally of one verdict."""

        def read() -> list[ActivityRecord]:
            words = text.casefold().split()
            known = {
                number: asked
                for number, asked in self._log.everything().items()
                if all(word in asked[1].casefold() for word in words)
            }
            asked = (call for call in _asked(self._corpus.activity.of(list(known)), known) if call.question)
            return [call for call in asked if verdict in ("", call.verdict)][:limit]

        return await asyncio.to_thread(read)

    async def count(self) -> int:
        return len(await asyncio.to_thread(self._log.everything))

    async def erase(self, first: float = 0.0, last: float = inf) -> None:
        """Erase the questions in `[first, last)`; by default all."""
        if (first, last) == (0.0, inf):
            await asyncio.to_thread(self._log.erase_all)
        else:
            await asyncio.to_thread(self._log.erase, first, last)

    async def erase_one(self, call_id: int) -> None:
        await asyncio.to_thread(self._log.erase_one, call_id)


def _asked(calls: Iterable[ActivityRecord], known: Known) -> Iterable[ActivityRecord]:
    """Yield the calls with their questions. After a restore, another call may have the number, so the time is compared too."""
    for call in calls:
        moment, text = known.get(call.id, (0.0, ""))
        yield replace(call, question=text) if moment == call.started_at else call


class Activity:
    """The record of calls in the corpus, which must be open. Calls include their questions if `shows_questions`."""

    def __init__(self, corpus: Corpus, questions: QuestionLog, *, shows_questions: bool) -> None:
        self._corpus = corpus
        self._questions = questions
        self._shows_questions = shows_questions

    async def calls(self, limit: int) -> list[ActivityRecord]:
        """Return the newest calls, newest first."""

        def read() -> list[ActivityRecord]:
            found, known = self._corpus.activity.recent(limit), Known()
            try:
                known = self._questions.of([call.id for call in found]) if self._shows_questions else known
            except CorpusError as error:
                # The conversation view reports this.
                log.warning("cannot read the questions of calls: %s", error)
            return list(_asked(found, known))

        return await asyncio.to_thread(read)

    async def usage(self, since: float) -> list[DayUsage]:
        """Return calls, tokens, pages and saved tokens per assistant and day since a time, newest day first."""
        return await asyncio.to_thread(self._corpus.activity.usage, since)

    async def clear(self) -> None:
        await asyncio.to_thread(self._corpus.activity.clear)
        await asyncio.to_thread(self._questions.erase_all)


class CallRecorder:
    """Records calls of assistants when they end, and their questions if the user allows it."""

    def __init__(self, settings: Settings, bus: EventBus) -> None:
        self.questions = QuestionLog(questions_file(settings.data_dir))
        self.apply(settings)
        self._bus = bus
        self._passages = UsedPassages()

    def apply(self, settings: Settings) -> None:
        self.is_on = settings.activity_log
        self.keeps_questions = settings.activity_log and settings.keep_questions

    def note(self, event: EvidenceTraced) -> None:
        """Remember the passages that a running call was given."""
        if self.is_on:
            self._passages.note(event)

    async def record(self, event: CallFinished, corpus: Corpus) -> None:
        """Store a call that has ended; failures are only logged."""
        try:
            named = tuple(map(address_or_as_given, event.named))
            passages = self._passages.of(event.call_id)
            recorded = await asyncio.to_thread(corpus.activity.record, event, named, passages)
            if event.question and self.keeps_questions:
                await asyncio.to_thread(self.questions.add, recorded.id, recorded.started_at, event.question)
            self._bus.publish(CallRecorded(event.call_id, recorded.reads, recorded.saved))
        except WebRAGError as error:
            log.warning("cannot record a call: %s", error)
