"""Remembers in the background which documents a result cited, so that a later one can say what changed since."""

from __future__ import annotations

import asyncio
import logging
import time

from app import caps
from app.corpus import Corpus
from app.errors import WebRAGError
from app.orchestration.result import OrchestrationResult

log = logging.getLogger(__name__)


class CitedDocuments:
    """Notes the documents of results without making anybody wait for it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._tasks: set[asyncio.Task[None]] = set()

    def note(self, result: OrchestrationResult) -> None:
        """Remember the documents that have evidence in the result; returns at once."""
        document_ids = tuple(dict.fromkeys(item.chunk.document_id for item in result.chunks))
        if not document_ids:
            return
        task = asyncio.get_running_loop().create_task(self._write(document_ids, time.time()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """Let notes under way be written for a moment, then give them up."""
        if self._tasks:
            _, late = await asyncio.wait(tuple(self._tasks), timeout=caps.SHUTDOWN_SECONDS)
            for task in late:
                task.cancel()

    async def _write(self, document_ids: tuple[int, ...], now: float) -> None:
        try:
            await asyncio.to_thread(self._corpus.documents.note_cited, document_ids, now)
        except WebRAGError as error:
            log.warning("what was cited could not be noted: %s", error)
