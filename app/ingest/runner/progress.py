"""What the world hears of a running job: at most four events a second, with an estimate of the time left."""

from __future__ import annotations

import asyncio
import time
from collections import deque

from app import caps
from app.corpus import Corpus
from app.corpus.records import Job
from app.events import EventBus, JobChanged


class Rate:
    """Items a second over the last minute."""

    def __init__(self) -> None:
        self._samples: deque[tuple[float, int]] = deque()

    def seconds_left(self, done: int, waiting: int, now: float) -> float | None:
        """The time that the waiting items will take; None while too little was seen."""
        self._samples.append((now, done))
        while now - self._samples[0][0] > caps.JOB_RATE_SECONDS and len(self._samples) > 2:
            self._samples.popleft()
        started, before = self._samples[0]
        elapsed, finished = now - started, done - before
        if elapsed < 1 or finished < 3:
            return None
        return waiting * elapsed / finished


class JobProgress:
    """Publishes the changes of one running job; use as a context around its work."""

    def __init__(self, job_id: int, corpus: Corpus, bus: EventBus) -> None:
        self._id = job_id
        self._corpus = corpus
        self._bus = bus
        self._rate = Rate()
        self._dirty = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> JobProgress:
        self._dirty.set()
        self._task = asyncio.create_task(self._run(), name=f"progress of job {self._id}")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def changed(self) -> None:
        """Note that an item was finished."""
        self._dirty.set()

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            job = await asyncio.to_thread(self._corpus.job, self._id)
            if job is not None and not job.state.is_final:
                left = self._rate.seconds_left(job.counts.done, job.counts.waiting, time.monotonic())
                publish_job(self._bus, job, left)
            await asyncio.sleep(caps.JOB_EVENT_SECONDS)


def publish_job(bus: EventBus, job: Job, seconds_left: float | None = None) -> None:
    """Say on the bus how a job stands."""
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
        )
    )
