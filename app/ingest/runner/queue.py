"""Run the jobs of the corpus in order: a few at the same time, while the others wait. All of them survive a restart."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Final

from app import caps
from app.errors import InvalidArgumentError, LibraryForbiddenError, UnknownJobError, WebRAGError
from app.events import EventBus
from app.ingest.runner.run import LATER, Ending, JobProgress, JobRun, Work, publish_job
from app.library.job_records import Job, JobKind, JobState
from app.library.protocol import LibraryWriter
from app.library.records import PRIVATE
from app.memory import IN_BACKGROUND, lasting_task, release_free_memory
from app.text.sentence import sentence

log = logging.getLogger(__name__)

MAX_JOBS_RUNNING: Final = 2  # The number of simultaneous jobs that read from the web.
MAX_FOLDER_JOBS_RUNNING: Final = 1
MAX_JOBS_QUEUED: Final = 50
LOOK_SECONDS: Final = 30.0  # How often a node of a shared library looks for jobs that another one abandoned.
ACTIVE_SHOWN: Final = MAX_JOBS_QUEUED + MAX_JOBS_RUNNING + MAX_FOLDER_JOBS_RUNNING


@dataclass(frozen=True, slots=True)
class Running:
    """A running job: its work, its progress, and the task that ends only after the job is completely handled."""

    run: JobRun
    progress: JobProgress
    task: asyncio.Task[None]

    def is_about(self, kind: JobKind, target: str) -> bool:
        return (self.run.job.kind, self.run.job.target) == (kind, target)


class JobQueue(ABC):
    """Runs jobs and changes their states. `gate` holds back all jobs while it is closed.

    `own` sees the jobs of all users, `library` only the current caller's. All changes of a state happen under one lock.
    """

    def __init__(
        self,
        library: LibraryWriter,
        bus: EventBus,
        gate: asyncio.Event,
        *,
        at_once: int,
        own: LibraryWriter | None = None,
    ) -> None:
        self._library = library
        self._own = own or library
        self._bus = bus
        self._gate = gate
        self._at_once = at_once
        self._lock = asyncio.Lock()
        self._runs: dict[int, Running] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._named: set[int] | None = None
        self._moved = asyncio.Event()
        self._lookout: asyncio.Task[None] | None = None
        self._is_open = False

    async def start(self, *, background: bool = True) -> None:
        """Continue the jobs of an earlier run; without `background`, only run jobs requested from now on."""
        async with self._lock:
            self._is_open = True
            self._named = None if background else set()
            await self._queue_left_ones()
        if background and self._library.name != PRIVATE:
            self._lookout = lasting_task(self._look_for_left_ones(), "jobs of other nodes")
        await self._begin_next()

    async def stop(self) -> None:
        """Stop all runs where they are; their jobs continue at the next start."""
        async with self._lock:
            self._is_open = False
            if self._lookout is not None:
                self._lookout.cancel()
            for running in self._runs.values():
                running.task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def add(self, kind: JobKind, target: str, options: str = "{}") -> tuple[Job, bool]:
        """Return a new job, which does not start before `wake`, or an existing one that is about to do the same, and False.

        Raises InvalidArgumentError if too many are waiting.
        """
        async with self._lock:
            active = await self._active()
            same = next((job for job in active if (job.kind, job.target, job.options) == (kind, target, options)), None)
            # Each list has its own items, and a running folder job may have missed the latest change.
            is_list = kind in (JobKind.PAGES, JobKind.PACKAGES)
            may_differ = is_list or (kind is JobKind.FOLDER and same and same.state is JobState.RUNNING)
            if same is not None and not may_differ:
                return same, False
            if len(active) >= MAX_JOBS_QUEUED:
                message = sentence("Too many background jobs are waiting ({}).", len(active))
                raise InvalidArgumentError(message, hint="Wait until some have finished, or cancel some.")
            return await asyncio.to_thread(self._library.jobs.add, kind, target, options), True

    async def wake(self, job: Job) -> Job:
        """Start a new job, or let it wait for its slot."""
        publish_job(self._bus, job)
        await self._take_up(job.id)
        return await self.job(job.id)

    async def job(self, job_id: int) -> Job:
        """Return the job with this number; raises UnknownJobError."""
        job = await asyncio.to_thread(self._library.jobs.get, job_id)
        if job is None:
            raise UnknownJobError(sentence("There is no job {}.", job_id))
        return self.as_it_is(job)

    def as_it_is(self, job: Job) -> Job:
        """Return the job with its current waiting state, if it is running."""
        running = self._runs.get(job.id)
        return job if running is None else running.progress.as_it_is(job)

    async def pause(self, job_id: int) -> Job:
        """Pause a job until it is resumed; running pages are finished. Raises UnknownJobError."""
        return await self._hold(job_id, JobState.PAUSED)

    async def cancel(self, job_id: int) -> Job:
        """Cancel a job permanently; stored pages remain. Raises UnknownJobError."""
        return await self._hold(job_id, JobState.CANCELLED)

    async def _hold(self, job_id: int, state: JobState) -> Job:
        async with self._lock:
            await self._unended(job_id)
            if job_id in self._runs:
                self._runs[job_id].run.stop()
            return await self._set(job_id, state)

    async def _unended(self, job_id: int) -> Job:
        job = await self.job(job_id)
        if job.state.is_final:
            message = sentence("Job {} has already ended ({}).", job_id, job.state.value)
            raise UnknownJobError(message, hint="Retry it, or start a new one.")
        return job

    async def resume(self, job_id: int) -> Job:
        """Resume a paused job; a running one is not changed. Raises UnknownJobError."""
        async with self._lock:
            if (await self._unended(job_id)).state is JobState.PAUSED:
                await self._set(job_id, JobState.QUEUED)
        await self._take_up(job_id)
        return await self.job(job_id)

    async def retry(self, job_id: int) -> Job:
        """Retry failed items, and the remaining ones of an ended job. Raises UnknownJobError if there is nothing to retry."""
        async with self._lock:
            job = await self.job(job_id)
            again = await asyncio.to_thread(self._library.jobs.retry, job_id)
            if job.state.is_final:
                if not again and not job.counts.waiting and job.counts.total:
                    raise UnknownJobError(
                        sentence("Job {} has no failed pages or files.", job_id),
                        hint="Start a new job to index everything again.",
                    )
                await self._set(job_id, JobState.QUEUED)
        await self._take_up(job_id)
        return await self.job(job_id)

    async def wait(self, job_id: int, seconds: float) -> Job:
        """Return the job when it has ended or the time is over. Raises UnknownJobError."""
        await self._take_up(job_id)
        try:
            async with asyncio.timeout(seconds):
                while True:
                    moved = self._moved
                    job = await self.job(job_id)
                    if job.state.is_final:
                        return job
                    await moved.wait()
        except TimeoutError:
            return await self.job(job_id)

    def is_busy(self, kind: JobKind, target: str) -> bool:
        """Whether a job of this kind is working on the target."""
        return any(running.is_about(kind, target) for running in self._runs.values())

    def held_up(self) -> None:
        """Report that all jobs are held back now, or were."""
        for running in self._runs.values():
            running.progress.held_up()

    def seconds_left(self, job_id: int) -> float | None:
        """Return the remaining seconds of a running job, or None if unknown."""
        running = self._runs.get(job_id)
        return None if running is None or running.run.is_stopping else running.progress.seconds_left

    async def end_all(self, kind: JobKind, target: str) -> None:
        """Cancel the jobs of a target and abandon their running items."""
        for job in await self._active():
            if (job.kind, job.target) == (kind, target):
                await self.cancel(job.id)
        tasks = [running.task for running in self._runs.values() if running.is_about(kind, target)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._begin_next()

    @abstractmethod
    def _work_of(self, job: Job) -> Work:
        """Return the work of a job. Raises WebRAGError if it cannot be done."""

    async def take_up_left_ones(self) -> None:
        """Continue jobs whose runs ended, by a full disk here or with another node."""
        ending = [each.task for each in self._runs.values() if each.run.is_stopping]
        await asyncio.gather(*ending, return_exceptions=True)
        async with self._lock:
            await self._queue_left_ones()
        await self._begin_next()

    async def _queue_left_ones(self) -> None:
        """Queue jobs of a program that ended, but not jobs of another running program."""
        for job in await self._active(of=self._own):
            if job.state is not JobState.RUNNING or job.id in self._runs:
                continue
            if (acting := await self._claimed(job)) is not None:
                with acting:
                    await self._set(job.id, JobState.QUEUED)

    async def _claimed(self, job: Job) -> AbstractContextManager[None] | None:
        """Return a context for acting on behalf of the job, or None while another program runs it. Fails jobs no longer allowed."""
        try:
            return await asyncio.to_thread(self._own.jobs.claim, job.id)
        except LibraryForbiddenError as error:
            await self._set(job.id, JobState.FAILED, f"{error} {error.hint}", of=self._own)
            return None

    async def _look_for_left_ones(self) -> None:
        """Take over jobs of dead nodes, and jobs queued by others, as long as this one runs."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self.take_up_left_ones()
            except WebRAGError as error:
                log.warning("could not check the jobs of other nodes: %s", error)

    async def _active(self, *, of: LibraryWriter | None = None) -> list[Job]:
        """Return jobs that have not ended, oldest first: those the caller may see, or all of a store."""
        jobs = (of or self._library).jobs
        return (await asyncio.to_thread(jobs.recent, ACTIVE_SHOWN, active_only=True))[::-1]

    async def _set(self, job_id: int, state: JobState, detail: str = "", *, of: LibraryWriter | None = None) -> Job:
        jobs = (of or self._library).jobs
        job = await asyncio.to_thread(jobs.set_state, job_id, state, detail[: caps.MAX_DETAIL_CHARS])
        if job is None:
            raise UnknownJobError(sentence("There is no job {}.", job_id))
        publish_job(self._bus, job)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        return job

    async def _take_up(self, job_id: int) -> None:
        """Start a requested job."""
        if self._named is not None:
            self._named.add(job_id)
        await self._begin_next()

    async def _begin_next(self) -> None:
        """Start the jobs that have waited longest while there are free slots; one target is processed once at a time."""
        async with self._lock:
            if not self._is_open or not any(map(self._has_place, JobKind)):
                return
            for job in await self._active(of=self._own):
                is_wanted = job.state is JobState.QUEUED and (self._named is None or job.id in self._named)
                if not (is_wanted and self._has_place(job.kind)) or self.is_busy(job.kind, job.target):
                    continue
                progress = JobProgress(job.id, self._library, self._bus, self._gate)
                try:
                    work = self._work_of(job)
                except WebRAGError as error:
                    await self._set(job.id, JobState.FAILED, f"{error} {error.hint}", of=self._own)
                    continue
                acting = await self._claimed(job)
                if acting is None:
                    continue
                with acting:
                    running = await self._set(job.id, JobState.RUNNING)
                    # Packages are stored one after the other, so that a canceled job ends soon.
                    at_once = 1 if job.kind is JobKind.PACKAGES else self._at_once
                    run = JobRun(running, work, self._library, progress, self._gate, at_once=at_once)
                    task = asyncio.create_task(self._run(run, progress), name=f"job {job.id}")
                self._runs[job.id] = Running(run, progress, task)
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    def _has_place(self, kind: JobKind) -> bool:
        """Whether another job of this kind may run. Folders have separate slots, so they never wait for a slow site."""
        is_local = kind is JobKind.FOLDER
        running = sum((each.run.job.kind is JobKind.FOLDER) == is_local for each in self._runs.values())
        return running < (MAX_FOLDER_JOBS_RUNNING if is_local else MAX_JOBS_RUNNING)

    async def _run(self, run: JobRun, progress: JobProgress) -> None:
        IN_BACKGROUND.set(True)
        try:
            try:
                async with progress:
                    ending = await run.run()
                await self._end(run, ending)
            except LATER:
                raise
            except Exception:
                log.exception("job %d ended by an internal error", run.job.id)
                await self._end(run, Ending(JobState.FAILED, sentence("Internal error. See the log file for details.")))
        except LATER as error:
            # Its state remains until it is taken up again.
            log.warning("job %d continues later: %s", run.job.id, error)
            with suppress(*LATER):
                await progress.tell(f"{error} {error.hint}")
        finally:
            del self._runs[run.job.id]
        await asyncio.to_thread(release_free_memory)
        with suppress(*LATER):
            await self._begin_next()

    async def _end(self, run: JobRun, ending: Ending | None) -> None:
        async with self._lock:
            if ending is not None and not run.is_stopping:
                await self._set(run.job.id, ending.state, ending.detail)
                log.info("job %d: %s %s", run.job.id, ending.state.value, ending.detail)
