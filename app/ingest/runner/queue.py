"""The jobs of the corpus in their order: a few run at once, the others wait; all of them survive the end of the program."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from app import caps
from app.corpus import Corpus
from app.corpus.records import Job, JobKind, JobState
from app.errors import InvalidArgumentError, UnknownJobError, WebRAGError
from app.events import EventBus
from app.ingest.runner.progress import JobProgress, publish_job
from app.ingest.runner.run import Ending, JobRun, Work
from app.memory import release_free_memory

log = logging.getLogger(__name__)

ACTIVE_SHOWN = caps.MAX_JOBS_QUEUED + caps.MAX_JOBS_RUNNING


class JobQueue:
    """Runs jobs and changes their states. `gate` holds every job back while it is closed.

    `work_of` gives the work of a job; it may raise WebRAGError for one that cannot be done. All changes of a state happen under one lock.
    """

    def __init__(
        self, corpus: Corpus, bus: EventBus, work_of: Callable[[Job], Work], gate: asyncio.Event, *, at_once: int
    ) -> None:
        self._corpus = corpus
        self._bus = bus
        self._work_of = work_of
        self._gate = gate
        self._at_once = at_once
        self._lock = asyncio.Lock()
        self._runs: dict[int, tuple[JobRun, asyncio.Task[None]]] = {}
        self._moved = asyncio.Event()
        self._is_open = False

    async def start(self) -> None:
        """Go on with what an earlier run left."""
        self._is_open = True
        async with self._lock:
            for job in await self._active():
                if job.state is JobState.RUNNING:
                    await self._set(job.id, JobState.QUEUED)
        await self._begin_next()

    async def stop(self) -> None:
        """End all runs where they are; their jobs go on at the next start."""
        self._is_open = False
        tasks = [task for _, task in self._runs.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def add(self, kind: JobKind, target: str, options: str = "{}") -> tuple[Job, bool]:
        """A new job, which does not start before `wake`; or the one that is about to do the same, and False.

        Raises InvalidArgumentError when too many wait.
        """
        async with self._lock:
            active = await self._active()
            same = next((job for job in active if (job.kind, job.target, job.options) == (kind, target, options)), None)
            if same is not None and _does_the_same(same):
                return same, False
            if len(active) >= caps.MAX_JOBS_QUEUED:
                message = f"There are already {len(active)} background jobs."
                raise InvalidArgumentError(message, hint="Wait until some are done, or cancel some.")
            return await asyncio.to_thread(self._corpus.add_job, kind, target, options), True

    async def wake(self, job: Job) -> Job:
        """Let a new job begin, now or when its turn comes."""
        publish_job(self._bus, job)
        await self._begin_next()
        return await self.job(job.id)

    async def job(self, job_id: int) -> Job:
        """The job with this number; raises UnknownJobError."""
        job = await asyncio.to_thread(self._corpus.job, job_id)
        if job is None:
            raise UnknownJobError(f"There is no job {job_id}.")
        return job

    async def hold(self, job_id: int, state: JobState) -> Job:
        """Pause or cancel a job that has not ended; pages in hand are finished."""
        async with self._lock:
            job = await self.job(job_id)
            if job.state.is_final:
                raise UnknownJobError(f"Job {job_id} has ended ({job.state.value}).")
            if job_id in self._runs:
                self._runs[job_id][0].stop()
            return await self._set(job_id, state)

    async def resume(self, job_id: int) -> Job:
        """Let a paused job go on; one that is under way is left alone."""
        async with self._lock:
            job = await self.job(job_id)
            if job.state.is_final:
                raise UnknownJobError(
                    f"Job {job_id} has ended ({job.state.value}).", hint="Retry it, or start a new one."
                )
            if job.state is JobState.PAUSED:
                await self._set(job_id, JobState.QUEUED)
        await self._begin_next()
        return await self.job(job_id)

    async def retry(self, job_id: int) -> Job:
        """Take up what failed, and what an ended job left waiting."""
        async with self._lock:
            job = await self.job(job_id)
            again = await asyncio.to_thread(self._corpus.retry_job_items, job_id)
            if job.state.is_final:
                if not again and not job.counts.waiting and job.counts.total:
                    raise UnknownJobError(
                        f"Nothing of job {job_id} failed.", hint="Start it anew to read everything again."
                    )
                await self._set(job_id, JobState.QUEUED)
        await self._begin_next()
        return await self.job(job_id)

    async def wait(self, job_id: int, seconds: float) -> Job:
        """The job when it has ended, or as it is when the time is over."""
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
        """Whether a job of this kind works on the target now."""
        return any((run.job.kind, run.job.target) == (kind, target) for run, _ in self._runs.values())

    async def end_all(self, kind: JobKind, target: str) -> None:
        """Cancel the jobs of a target and give up what they have in hand."""
        for job in await self._active():
            if (job.kind, job.target) == (kind, target):
                await self.hold(job.id, JobState.CANCELLED)
        running = [task for run, task in self._runs.values() if (run.job.kind, run.job.target) == (kind, target)]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
        await self._begin_next()

    async def _active(self) -> list[Job]:
        """Jobs that have not ended, the oldest first."""
        return (await asyncio.to_thread(self._corpus.jobs, ACTIVE_SHOWN, active_only=True))[::-1]

    async def _set(self, job_id: int, state: JobState, detail: str = "") -> Job:
        job = await asyncio.to_thread(self._corpus.set_job_state, job_id, state, detail[: caps.MAX_DETAIL_CHARS])
        if job is None:
            raise UnknownJobError(f"There is no job {job_id}.")
        publish_job(self._bus, job)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()
        return job

    async def _begin_next(self) -> None:
        """Fill the free places with the jobs that wait longest; one target is worked on once at a time."""
        async with self._lock:
            if not self._is_open or len(self._runs) >= caps.MAX_JOBS_RUNNING:
                return
            for job in await self._active():
                if len(self._runs) >= caps.MAX_JOBS_RUNNING:
                    return
                if job.state is JobState.QUEUED and not self.is_busy(job.kind, job.target):
                    await self._begin(job)

    async def _begin(self, job: Job) -> None:
        progress = JobProgress(job.id, self._corpus, self._bus)
        try:
            work = self._work_of(job)
        except WebRAGError as error:
            await self._set(job.id, JobState.FAILED, f"{error} {error.hint}")
            return
        running = await self._set(job.id, JobState.RUNNING)
        run = JobRun(running, work, self._corpus, progress, self._gate, at_once=self._at_once)
        task = asyncio.create_task(self._run(run, progress), name=f"job {job.id}")
        self._runs[job.id] = run, task

    async def _run(self, run: JobRun, progress: JobProgress) -> None:
        try:
            async with progress:
                ending = await run.run()
            await self._end(run, ending)
        except Exception:
            log.exception("job %d ended by an internal error", run.job.id)
            await self._end(run, Ending(JobState.FAILED, "Internal error. See the log file for details."))
        finally:
            del self._runs[run.job.id]
        await asyncio.to_thread(release_free_memory)
        await self._begin_next()

    async def _end(self, run: JobRun, ending: Ending | None) -> None:
        async with self._lock:
            if ending is not None and not run.is_stopping:
                await self._set(run.job.id, ending.state, ending.detail)
                log.info("job %d: %s %s", run.job.id, ending.state.value, ending.detail)


def _does_the_same(job: Job) -> bool:
    """Whether a job that has not ended makes a new one of the same kind and target needless.

    Each list holds pages of its own, and a folder job that runs may have looked before the latest change.
    """
    return job.kind is JobKind.CRAWL or (job.kind is JobKind.FOLDER and job.state is not JobState.RUNNING)
