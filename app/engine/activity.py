"""The record of calls: what assistants asked for and were given, without arguments and texts.

What of a call counts towards the token ledger.
"""

from __future__ import annotations

import asyncio
from typing import Final

from app.corpus import Corpus
from app.corpus.records import ActivityRecord, DayUsage
from app.events import CallFinished

STORING: Final = frozenset({"ingest"})
"""Tools whose pages are put away and not read by the assistant."""


def reads_pages(tool: str, outcome: str, tokens: int) -> bool:
    """Whether the assistant got something out of the pages of a call; `tokens` were returned."""
    return outcome == "ok" and tokens > 0 and tool not in STORING


class Activity:
    """Kept in the corpus, which must be open."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    async def calls(self, limit: int) -> list[ActivityRecord]:
        """The latest calls, newest first."""
        return await asyncio.to_thread(self._corpus.activity.recent, limit)

    async def usage(self, since: float) -> list[DayUsage]:
        """Calls, tokens, pages and saved tokens of each assistant on each day since a moment, newest day first."""
        return await asyncio.to_thread(self._corpus.activity.usage, since)

    async def clear(self) -> None:
        """Forget all calls."""
        await asyncio.to_thread(self._corpus.activity.clear)

    async def record(self, event: CallFinished) -> None:
        """Keep a call that has ended."""
        entry = ActivityRecord(
            id=0,
            started_at=event.started_at,
            client=event.client,
            tool=event.tool,
            duration_ms=event.duration_ms,
            outcome=event.outcome,
            tokens=event.tokens,
            characters=event.characters,
            pages=tuple(event.pages),
        )
        reads = reads_pages(event.tool, event.outcome, event.tokens)
        await asyncio.to_thread(self._corpus.activity.add, entry, reads=reads)
