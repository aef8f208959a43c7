"""Automatic care of the corpus file: a check after the start, a daily backup, and writing again once a full disk has space."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field
from typing import Final, TypeVar

from app.corpus import Corpus
from app.corpus.restore import back_up_if_due
from app.corpus.watch import Watch
from app.errors import CorpusBusyError, WebRAGError, WorkCancelledError
from app.memory import lasting_task, lower_priority, release_free_memory

log = logging.getLogger(__name__)

T = TypeVar("T")

ROOM_POLL_SECONDS: Final = 2.0  # Seconds between two checks of a full disk.
BACKUP_POLL_SECONDS: Final = 600.0
BACKUP_DELAY_SECONDS: Final = 60.0  # Delay of the first backup check after the start, when the start work is done.
MEASURE_SECONDS: Final = 600.0  # Seconds between two measurements of the space that compacting frees.
EXPIRY_SECONDS: Final = 86_400.0  # Seconds between two deletions of expired data.
IDLE_SECONDS: Final = 20.0  # After so many seconds without use of the library, its memory is released.
MODEL_IDLE_SECONDS: Final = 300.0
"""The same for the embedding model, which the next text reloads. If it was not used since the start, it is released at the first check."""


@dataclass(eq=False)
class Upkeep:
    """Cares for one open corpus. Belongs to the loop that ran `start`; the work runs on a low-priority thread.

    `changed` is called on that loop when the health of the file changes, `resumed` is awaited when it can be written again. `expire` runs
    daily on the thread and erases expired data. `release_model` releases the memory of the embedding model after so many idle seconds and
    returns whether there was any. Raises WebRAGError.
    """

    corpus: Corpus
    changed: Callable[[], object]
    resumed: Callable[[], Awaitable[None]]
    _: KW_ONLY
    backs_up: bool
    expire: Callable[[], object] = lambda: None
    release_model: Callable[[float], bool] = lambda _seconds: False
    checked: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    """Set after the first check of the file."""

    def __post_init__(self) -> None:
        self._watch = Watch()
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="upkeep", initializer=lower_priority)
        self._look = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    def start(self, *, background: bool) -> None:
        """Start with the check; backups only run in the background of an application that keeps running."""
        loop = asyncio.get_running_loop()
        self.corpus.follow_health(lambda: loop.call_soon_threadsafe(self._on_health))
        work = [self._check(), self._follow_room(), self._expire_daily(), self._release_memory(), self._measure()]
        work += [self._back_up()] if background else []
        self._tasks = [lasting_task(each, f"upkeep {number}") for number, each in enumerate(work)]

    async def stop(self) -> None:
        self._watch.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await asyncio.to_thread(self._threads.shutdown)

    async def _check(self) -> None:
        try:
            if self.corpus.ended_uncleanly:
                log.info("checking the library, because it was not closed properly")
            # A damaged file may have been replaced or repaired since: only a full check ends the alarm.
            examine = self.corpus.verify if self.corpus.health.damage else self.corpus.check
            await self._on_thread(lambda: examine(self._watch))
            if self.corpus.health.damage:
                log.error("the library is damaged: %s", self.corpus.health.damage)
        except WorkCancelledError:
            log.debug("the check was stopped")
        except (OSError, WebRAGError) as error:
            log.error("cannot check the library: %s", error)
        finally:
            self.checked.set()

    async def _follow_room(self) -> None:
        """While nothing can be written, check whether the disk has space, and wake waiting work immediately."""
        while True:
            self._look.clear()
            while self.corpus.health.refusal or self.corpus.is_read_only:
                await asyncio.sleep(ROOM_POLL_SECONDS)
                try:
                    if await asyncio.to_thread(self.corpus.resume):
                        await self.resumed()
                except CorpusBusyError as error:
                    log.debug("%s", error)
                except WebRAGError as error:
                    log.warning("cannot write to the library yet: %s", error)
            await self._look.wait()

    async def _back_up(self) -> None:
        delay, told = BACKUP_DELAY_SECONDS, ""
        while True:
            await asyncio.sleep(delay)
            delay = BACKUP_POLL_SECONDS
            if not self.backs_up:
                continue
            try:
                if made := await self._on_thread(lambda: back_up_if_due(self.corpus, self._watch)):
                    log.info("the library is backed up to %s", made)
                told = ""
            except WorkCancelledError:
                return
            except WebRAGError as error:
                if str(error) != told:
                    log.warning("no automatic backup: %s %s", error, error.hint)
                told = str(error)

    async def _expire_daily(self) -> None:
        while True:
            try:
                await self._on_thread(self.expire)
            except WebRAGError as error:
                log.warning("cannot erase expired data: %s", error)
            await asyncio.sleep(EXPIRY_SECONDS)

    async def _measure(self) -> None:
        """Notice when compacting is worth it."""
        await self.checked.wait()
        while True:
            try:
                before = self.corpus.reclaimable
                if await self._on_thread(self.corpus.measure) != before:
                    self.changed()
            except WebRAGError as error:
                log.debug("cannot measure the unused space: %s", error)
            await asyncio.sleep(MEASURE_SECONDS)

    async def _release_memory(self) -> None:
        """Reduce the memory of the process after work."""
        while True:
            await asyncio.sleep(IDLE_SECONDS)
            if await self._on_thread(self._release):
                # This blocks threads that allocate memory, so it must not run at the low priority of that thread.
                await asyncio.to_thread(release_free_memory)

    def _release(self) -> bool:
        """Release data that is reloaded when needed; return whether there was any."""
        had_model = self.release_model(MODEL_IDLE_SECONDS)
        return self.corpus.release_memory(IDLE_SECONDS) or had_model

    def _on_health(self) -> None:
        if self.corpus.health.refusal:
            self._look.set()
        self.changed()

    async def _on_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work)
