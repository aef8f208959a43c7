"""Extraction and chunking where they disturb nobody: small bodies in a thread, large and foreign ones in a process of their own."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.errors import PreparationError, WebRAGError
from app.ingest.counting import ChunkingLimits, fast_counter
from app.ingest.prepared import Body, Prepared, prepare_here
from app.ingest.worker_process import WorkerProcess, worker_command
from app.text.media_types import ARCHIVE_NAMES, ARCHIVE_TYPES

log = logging.getLogger(__name__)

_FOREIGN_TYPES: Final = ARCHIVE_TYPES | {"application/pdf", "application/x-pdf"}
_FOREIGN_NAMES: Final = (".pdf", *ARCHIVE_NAMES)


class Preparer:
    """Makes pages and chunks of bodies. One process at most, started when it is needed and ended when it is idle.

    All coroutines belong to one event loop. A process that crashes or takes too long costs the page in hand, nothing else.
    """

    def __init__(self, limits: ChunkingLimits, *, command: Sequence[str] | None = None) -> None:
        self._limits = replace(limits, count_tokens=fast_counter(limits.count_tokens, limits.tokenizer_file))
        self._command = list(command) if command is not None else worker_command()
        self._turn = asyncio.Lock()
        self._leisure = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="prepare")
        self._worker: WorkerProcess | None = None
        self._idle: asyncio.TimerHandle | None = None

    async def prepare(self, body: Body, *, at_leisure: bool = False) -> Prepared:
        """The page and chunks of a body. `at_leisure`: nobody waits for them, so those that somebody waits for go first.

        Raises the errors of extraction, and PreparationError when the separate process fails or takes longer than
        PREPARE_SECONDS.
        """
        if not is_apart(body, at_leisure=at_leisure):
            return await asyncio.to_thread(prepare_here, body, self._limits)
        if not at_leisure:
            return await self._prepare_apart(body)
        async with self._leisure:
            return await self._prepare_apart(body)

    async def _prepare_apart(self, body: Body) -> Prepared:
        async with self._turn:
            self._keep()
            try:
                return await self._ask(body)
            finally:
                self._end_when_idle()

    async def stop(self) -> None:
        """End the process, whatever it does."""
        self._keep()
        worker, self._worker = self._worker, None
        if worker is not None:
            await asyncio.to_thread(worker.kill)
            self._thread.submit(worker.end)
        await asyncio.to_thread(self._thread.shutdown, wait=True)

    @property
    def process_id(self) -> int | None:
        """The process while there is one."""
        worker = self._worker
        return worker.pid if worker is not None and worker.is_running else None

    async def _ask(self, body: Body) -> Prepared:
        loop = asyncio.get_running_loop()
        worker = await loop.run_in_executor(self._thread, self._running)
        asked = loop.run_in_executor(self._thread, worker.ask, body, self._limits)
        try:
            return await asyncio.wait_for(asyncio.shield(asked), caps.PREPARE_SECONDS)
        except TimeoutError:
            log.warning("preparation process killed after %.0f s", caps.PREPARE_SECONDS)
            reason = f"{body.url} could not be read within {caps.PREPARE_SECONDS:.0f} seconds."
            raise PreparationError(reason, url=body.url) from None
        finally:
            if not asked.done():
                await self._give_up(worker, asked)

    async def _give_up(self, worker: WorkerProcess, asked: asyncio.Future[Prepared]) -> None:
        """Kill the process, whose thread then has nothing to wait for any more."""
        self._worker = None
        await asyncio.to_thread(worker.kill)
        with contextlib.suppress(WebRAGError):
            await asked

    def _running(self) -> WorkerProcess:
        """The process, started if there is none."""
        if self._worker is None or not self._worker.is_running:
            try:
                self._worker = WorkerProcess(self._command)
            except OSError as error:
                raise PreparationError(f"The process that reads large files could not be started ({error}).") from error
        return self._worker

    def _keep(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None

    def _end_when_idle(self) -> None:
        if self._worker is not None:
            loop = asyncio.get_running_loop()
            self._idle = loop.call_later(caps.PREPARE_IDLE_SECONDS, self._end)

    def _end(self) -> None:
        worker, self._worker, self._idle = self._worker, None, None
        if worker is not None:
            self._thread.submit(worker.end)


def is_apart(body: Body, *, at_leisure: bool = False) -> bool:
    """Whether a body is read in the separate process: it is large, or a format whose reader is a large program itself."""
    return (
        len(body.content) >= (caps.PREPARE_APART_AT_LEISURE_BYTES if at_leisure else caps.PREPARE_APART_BYTES)
        or body.content.startswith(b"%PDF-")
        or body.content_type in _FOREIGN_TYPES
        or urlsplit(body.url).path.lower().endswith(_FOREIGN_NAMES)
    )
