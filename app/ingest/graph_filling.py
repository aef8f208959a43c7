"""Background work on the graph: documents that were stored get their mentions, a few at a time."""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress

from app import caps
from app.corpus import Corpus
from app.errors import WebRAGError
from app.ingest.backoff import Backoff

log = logging.getLogger(__name__)


class GraphFilling:
    """What waits is in the corpus, so nothing is lost by a crash. After a failure the rest waits, longer each time."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._wake = asyncio.Event()
        self._backoff = Backoff(caps.EMBED_RETRY_SECONDS, caps.MAX_EMBED_RETRY_SECONDS)
        self._paused = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin with whatever waits from an earlier run or an older version."""
        self._task = asyncio.create_task(self._run(), name="graph")
        self._wake.set()

    async def stop(self) -> None:
        """Finish the documents in hand and end."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Say that documents were stored."""
        self._wake.set()

    def set_paused(self, paused: bool) -> None:
        """Hold the work back."""
        self._paused = paused
        self._wake.set()

    async def _run(self) -> None:
        while True:
            # Not wait_for: before Python 3.12 it loses a cancellation that comes together with the wake-up.
            with suppress(TimeoutError):
                async with asyncio.timeout(self._backoff.seconds_left or None):
                    await self._wake.wait()
            self._wake.clear()
            try:
                await self._fill()
            except WebRAGError as error:
                self._backoff.failed()
                log.error("the graph is not complete: %s", error)

    async def _fill(self) -> None:
        """Documents in small numbers, with a rest between them, so that questions get their turn."""
        while not self._paused and not self._backoff.seconds_left:
            if not await asyncio.to_thread(self._corpus.fill_graph, caps.GRAPH_FILL_DOCUMENTS):
                return
            self._backoff.succeeded()
            await asyncio.sleep(caps.GRAPH_FILL_REST_SECONDS)
