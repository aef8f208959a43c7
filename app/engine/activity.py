"""What assistants asked for and were given: the record of calls, the questions that the person lets be kept, and their passages."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from math import inf
from typing import Final

from app.corpus import Corpus
from app.corpus.questions import Known, QuestionLog
from app.corpus.records import ActivityRecord, DayUsage
from app.engine.documents import address_or_as_given
from app.events import CallFinished, EvidenceTraced, PageRead

MAX_CALLS_FOLLOWED: Final = 200
"""Calls under way whose passages are remembered until they are recorded."""


class Questions:
    """Needs a running engine. Everything here is done on worker threads."""

    def __init__(self, corpus: Corpus, log: QuestionLog) -> None:
        self._corpus = corpus
        self._log = log

    async def calls(self, first: float, last: float, limit: int) -> list[ActivityRecord]:
        """The latest calls from `first` until before `last`, newest first, with what they asked."""

        def read() -> list[ActivityRecord]:
            found = self._corpus.activity.between(first, last, limit)
            return list(_asked(found, self._log.of([call.id for call in found])))

        return await asyncio.to_thread(read)

    async def containing(self, text: str, limit: int) -> list[ActivityRecord]:
        """The latest calls whose question holds these words, in any order, newest first."""

        def read() -> list[ActivityRecord]:
            words = text.casefold().split()
            known = {
                number: asked
                for number, asked in self._log.everything().items()
                if all(word in asked[1].casefold() for word in words)
            }
            return [call for call in _asked(self._corpus.activity.of(list(known)), known) if call.question][:limit]

        return await asyncio.to_thread(read)

    async def count(self) -> int:
        """How many questions are kept."""
        return len(await asyncio.to_thread(self._log.everything))

    async def erase(self, first: float = 0.0, last: float = inf) -> None:
        """Erase what was asked from `first` until before `last`; without them everything."""
        if (first, last) == (0.0, inf):
            await asyncio.to_thread(self._log.erase_all)
        else:
            await asyncio.to_thread(self._log.erase, first, last)

    async def erase_one(self, call_id: int) -> None:
        """Erase the question of one recorded call."""
        await asyncio.to_thread(self._log.erase_one, call_id)


def _asked(calls: Iterable[ActivityRecord], known: Known) -> Iterable[ActivityRecord]:
    """The calls with their questions. After a restore another call may have the number: its time tells."""
    for call in calls:
        moment, text = known.get(call.id, (0.0, ""))
        yield replace(call, question=text) if moment == call.started_at else call


class Activity:
    """What assistants asked for and were given, without arguments and texts. Kept in the corpus, which must be open."""

    def __init__(self, corpus: Corpus, questions: QuestionLog) -> None:
        self._corpus = corpus
        self._questions = questions

    async def calls(self, limit: int) -> list[ActivityRecord]:
        """The latest calls, newest first."""
        return await asyncio.to_thread(self._corpus.activity.recent, limit)

    async def usage(self, since: float) -> list[DayUsage]:
        """Calls, tokens, pages and saved tokens of each assistant on each day since a moment, newest day first."""
        return await asyncio.to_thread(self._corpus.activity.usage, since)

    async def clear(self) -> None:
        """Forget all calls and questions."""
        await asyncio.to_thread(self._corpus.activity.clear)
        await asyncio.to_thread(self._questions.erase_all)

    async def record(self, event: CallFinished, passages: Sequence[PageRead] = ()) -> ActivityRecord:
        """Keep a call that has ended, with the passages that it used."""
        known = {each.name: getattr(event, each.name) for each in fields(ActivityRecord) if hasattr(event, each.name)}
        entry = ActivityRecord(id=0, reads=tuple(passages), **known)
        named = tuple(map(address_or_as_given, event.named))
        return await asyncio.to_thread(self._corpus.activity.add, entry, named)


class UsedPassages:
    """The passages that calls under way have used, until they are recorded; of the latest MAX_CALLS_FOLLOWED calls."""

    def __init__(self) -> None:
        self._known: dict[int, list[PageRead]] = {}

    def note(self, event: EvidenceTraced) -> None:
        """Remember the passages of one page."""
        self._known.setdefault(event.call_id, []).append(PageRead(event.url, event.document_id, 0, event.ranges))
        while len(self._known) > MAX_CALLS_FOLLOWED:
            self._known.pop(next(iter(self._known)))

    def of(self, call_id: int) -> list[PageRead]:
        """Those of a call, which are forgotten here."""
        return self._known.pop(call_id, [])
