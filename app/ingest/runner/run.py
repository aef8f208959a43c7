"""Run one job: take its waiting items in order, a few at a time, until none is left or something stops it.

A job gives up if most of its items fail (`Health`). `JobProgress` reports at most four times a second, with an estimate of the time left.
"""

from __future__ import annotations

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.durations import Rate
from app.errors import CorpusError, DiskFullError, HTTPStatusError, LibraryAwayError, WebRAGError
from app.events import EventBus, JobChanged
from app.library.job_records import ItemState, Job, JobCounts, JobItem, JobState
from app.library.protocol import LibraryWriter
from app.memory import lasting_task
from app.text.sentence import sentence

log = logging.getLogger(__name__)

JOB_EVENT_SECONDS: Final = 0.25  # The minimum time between two events of one job.


class JobProgress:
    """Publishes the changes of one running job; use it as a context around the work. `gate` is closed while nothing may run."""

    def __init__(self, job_id: int, corpus: LibraryWriter, bus: EventBus, gate: asyncio.Event) -> None:
        self._id = job_id
        self._corpus = corpus
        self._bus = bus
        self._gate = gate
        self._host = ""
        self._rate = Rate()
        self._dirty = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> JobProgress:
        self._dirty.set()
        self._task = lasting_task(self._run(), f"progress of job {self._id}")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def changed(self) -> None:
        """Report that an item was finished."""
        self._dirty.set()

    def waits_for(self, host: str) -> None:
        """Report the site that requested a pause; "" when the job continues."""
        if host != self._host:
            self._host = host
            self.held_up()

    def as_it_is(self, job: Job) -> Job:
        """Return the job with its current waiting state in its detail."""
        is_waiting = bool(self._host) and job.state is JobState.RUNNING
        detail = sentence("waiting because {} asked for fewer requests", self._host)
        return replace(job, detail=detail) if is_waiting else job

    def held_up(self) -> None:
        """Report that the job is held back now, or was; its earlier speed no longer counts."""
        self._rate.forget()
        self._dirty.set()

    async def tell(self, detail: str) -> None:
        """Publish why the job does not continue now."""
        if (job := await asyncio.to_thread(self._corpus.jobs.get, self._id)) is not None:
            publish_job(self._bus, replace(job, detail=detail))

    @property
    def seconds_left(self) -> float | None:
        """Return the remaining seconds at the speed of the last minute, or None if unknown."""
        return self._rate.seconds_left(time.monotonic()) if self._gate.is_set() and not self._host else None

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            job = None
            with suppress(CorpusError):  # The next event has the same numbers.
                job = await asyncio.to_thread(self._corpus.jobs.get, self._id)
            if job is not None and not job.state.is_final:
                self._rate.note(job.counts.done, job.counts.waiting, time.monotonic())
                publish_job(self._bus, self.as_it_is(job), self.seconds_left)
            await asyncio.sleep(JOB_EVENT_SECONDS)


def publish_job(bus: EventBus, job: Job, seconds_left: float | None = None) -> None:
    """Publish the state of a job on the bus."""
    counts = job.counts
    bus.publish(
        JobChanged(
            job_id=job.id,
            kind=job.kind.value,
            target=job.target,
            state=job.state.value,
            done=counts.done,
            total=counts.total,
            failed=counts.failed,
            detail=job.detail,
            seconds_left=seconds_left,
            skipped=counts.skipped,
        )
    )


LATER: Final = (DiskFullError, LibraryAwayError)  # They end a run, but not its job, which continues later.
FAIL_FAST_ITEMS: Final = 10  # A job gives up if half of its pages failed, but not before this many were tried.
DEAD_LINKS_TOLERATED: Final = 50
"""Missing pages (404, 410) do not count as failures of a crawl before this many pages were tried."""
MAX_SLOWDOWNS: Final = 5  # How often in a row a crawl waits if the site reports too many requests.
SLOWDOWN_SECONDS: Final = 15.0  # The first of these waits; each following one is twice as long.
TOO_MANY_REQUESTS = 429
MISSING = (404, 410)


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of an item and the items it led to. `error` is set for failures only."""

    state: ItemState
    reason: str = ""
    found: tuple[JobItem, ...] = ()
    error: WebRAGError | None = None


@dataclass(frozen=True, slots=True)
class Ending:
    """How a job ended on its own."""

    state: JobState
    detail: str


class Work(ABC):
    """The work of a kind of job. `health` is None if failures never end the job, `limit` caps its items.

    `is_patient`: the work waits if a site asks for fewer requests.
    """

    health: Health | None = None
    limit = caps.MAX_JOB_ITEMS
    is_patient = False

    @abstractmethod
    async def prepare(self) -> None:
        """Find the first items, or the changes since the last run; may be called again after a restart."""

    @abstractmethod
    async def read(self, item: JobItem) -> Finished:
        """Process one item; a failure is returned or raised as WebRAGError."""

    async def more(self) -> list[JobItem]:
        """Return more items when nothing is waiting or running; empty when the work is complete."""
        return []

    def remark(self) -> str:
        """Return a note for the user about a finished job."""
        return ""


class JobRun:
    """Runs the work of a job to its end. `gate` is closed while WebRAG is paused."""

    def __init__(
        self, job: Job, work: Work, corpus: LibraryWriter, progress: JobProgress, gate: asyncio.Event, *, at_once: int
    ) -> None:
        self.job = job
        self.is_stopping = False
        self._work = work
        self._corpus = corpus
        self._progress = progress
        self._gate = gate
        self._at_once = at_once
        self._turn = asyncio.Condition()
        self._stop = asyncio.Event()
        self._taken: set[str] = set()
        self._tries: Counter[str] = Counter()
        self._waits = 0
        self._quiet_until = 0.0
        self._failure: WebRAGError | None = None
        self._left: WebRAGError | None = None

    def stop(self) -> None:
        """Take no further items; running ones are finished."""
        self.is_stopping = True
        self._stop.set()

    async def run(self) -> Ending | None:
        """Work until nothing is waiting; None if it was stopped earlier. After canceling, everything can be resumed.

        Raises one of LATER if the library cannot be written; the job can be taken up again.
        """
        try:
            await self._work.prepare()
        except LATER:
            raise
        except WebRAGError as error:
            return _end_failed(error)
        async with asyncio.TaskGroup() as workers:
            for _ in range(self._at_once):
                workers.create_task(self._worker())
        if self._left is not None:
            raise self._left
        if self.is_stopping:
            return None
        if self._failure is not None:
            return _end_failed(self._failure)
        health = self._work.health
        problem = (health.verdict or health.barren) if health is not None else ""
        return Ending(JobState.FAILED, problem) if problem else Ending(JobState.DONE, self._work.remark())

    async def _worker(self) -> None:
        try:
            while (item := await self._next()) is not None:
                await self._take_up(item)
        except LATER as error:
            self._left = error
            self.stop()
        except WebRAGError as error:
            log.error("job %d: %s", self.job.id, error)
            self._failure = error

    async def _next(self) -> JobItem | None:
        """Return the next waiting item that is not being processed, or None if there is none and none can come."""
        async with self._turn:
            while True:
                await self._gate.wait()
                while not self.is_stopping and (seconds := self._quiet_until - time.monotonic()) > 0:
                    # The site requires a pause.
                    try:
                        await asyncio.wait_for(self._stop.wait(), seconds)
                    except TimeoutError:
                        break
                health = self._work.health
                if self.is_stopping or self._failure is not None or (health is not None and health.verdict):
                    return None
                ahead = await asyncio.to_thread(self._corpus.jobs.next_items, self.job.id, len(self._taken) + 1)
                item = next((item for item in ahead if item.url not in self._taken), None)
                if item is not None:
                    self._taken.add(item.url)
                    return item
                if self._taken:
                    await self._turn.wait()
                    continue
                if not (found := await self._work.more()):
                    return None
                await asyncio.to_thread(self._corpus.jobs.add_items, self.job.id, found)
                self._progress.changed()

    async def _take_up(self, item: JobItem) -> None:
        try:
            finished = await self._read(item)
            if finished is not None:
                if finished.error is None:
                    self._waits = 0
                if (health := self._work.health) is not None:
                    if finished.error is not None:
                        health.failed(finished.error)
                    elif finished.state is not ItemState.SKIPPED:
                        health.succeeded()
                await asyncio.to_thread(
                    self._corpus.jobs.finish_item,
                    self.job.id,
                    item.url,
                    finished.state,
                    finished.reason[: caps.MAX_DETAIL_CHARS],
                    finished.found,
                    limit=self._work.limit,
                )
                self._progress.changed()
        finally:
            async with self._turn:
                self._taken.discard(item.url)
                self._turn.notify_all()

    async def _read(self, item: JobItem) -> Finished | None:
        """Return the result of an item, or None if it must be tried again."""
        try:
            finished = await self._work.read(item)
            self._goes_on()
            return finished
        except CorpusError:
            raise
        except WebRAGError as error:
            if self._must_wait(item, error):
                return None
            if not _asks_for_patience(error):
                self._goes_on()
            return Finished(ItemState.FAILED, str(error), error=error)
        except Exception as error:
            log.exception("job %d failed on an item", self.job.id)
            message = sentence("Internal error ({}).", type(error).__name__)
            return Finished(ItemState.FAILED, message, error=WebRAGError(message))

    def _goes_on(self) -> None:
        """Record that the site responds again, unless the request came before its pause."""
        if time.monotonic() >= self._quiet_until:
            self._progress.waits_for("")

    def _must_wait(self, item: JobItem, error: WebRAGError) -> bool:
        most = max(self._tries[item.url], self._waits)
        if not (_asks_for_patience(error) and self._work.is_patient and most < MAX_SLOWDOWNS):
            return False
        self._tries[item.url] += 1
        self._progress.waits_for(urlsplit(item.url).hostname or sentence("the site"))
        if time.monotonic() >= self._quiet_until:
            self._quiet_until = time.monotonic() + SLOWDOWN_SECONDS * 2**self._waits
            self._waits += 1
        log.info("job %d: the site asks for fewer requests; waiting", self.job.id)
        return True


def _asks_for_patience(error: WebRAGError) -> bool:
    return isinstance(error, HTTPStatusError) and error.status == TOO_MANY_REQUESTS


def _end_failed(error: WebRAGError) -> Ending:
    return Ending(JobState.FAILED, f"{error} {error.hint}"[: caps.MAX_DETAIL_CHARS])


class Health:
    """Counts successes and failures. `share` is the share of failures that is too much; 1.0 means all of them."""

    def __init__(self, share: float, counts: JobCounts | None = None) -> None:
        counts = counts or JobCounts()
        self._share = share
        self.succeeded_items = counts.stored + counts.updated + counts.unchanged
        self._missing = counts.failed
        self._broken = 0
        self._reasons: Counter[str] = Counter()
        self._hints: dict[str, str] = {}

    def succeeded(self) -> None:
        self.succeeded_items += 1

    def failed(self, error: WebRAGError) -> None:
        if isinstance(error, HTTPStatusError) and error.status in MISSING:
            self._missing += 1
        else:
            self._broken += 1
        self._reasons[error.title] += 1
        self._hints[error.title] = f"{error.message} {error.hint}"

    @property
    def verdict(self) -> str:
        """Return why the job should end, or an empty text.

        Dead links on a readable site are not its failures, unless there are few other pages.
        """
        tried = self.succeeded_items + self._missing + self._broken
        counted = tried if tried >= DEAD_LINKS_TOLERATED or not self.succeeded_items else tried - self._missing
        failures = counted - self.succeeded_items
        if not self._reasons or counted < FAIL_FAST_ITEMS or failures < counted * self._share:
            return ""
        return sentence("Stopped because {} of {} pages failed. {}", failures, counted, self._main_reason)

    @property
    def barren(self) -> str:
        """Return why nothing at all was read, or an empty text."""
        is_barren = self._reasons and not self.succeeded_items
        return sentence("No page could be read. {}", self._main_reason) if is_barren else ""

    @property
    def _main_reason(self) -> str:
        reason, times = self._reasons.most_common(1)[0]
        return sentence("{} ({}×), for example: {}", reason, times, self._hints[reason])
