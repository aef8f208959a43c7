"""Events of a running job: at most four a second, with an estimate of the time left."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import Final

from app.durations import Rate
from app.events import EventBus, JobChanged
from app.library.job_records import Job, JobState
from app.library.protocol import LibraryWriter

JOB_EVENT_SECONDS: Final = 0.25
"""Shortest time between two events of one job."""


class JobProgress:
    """Publishes the changes of one running job; use as a context around its work. `gate` is closed while nothing may run."""

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
        self._task = asyncio.create_task(self._run(), name=f"progress of job {self._id}")
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def changed(self) -> None:
        """Note that an item was finished."""
        self._dirty.set()

    def waits_for(self, host: str) -> None:
        """Note the site that asked to be left alone for a while; "" when the job continues."""
        if host != self._host:
            self._host = host
            self.held_up()

    def as_it_is(self, job: Job) -> Job:
        """The job, with what it waits for now in its detail."""
        is_waiting = bool(self._host) and job.state is JobState.RUNNING
        return replace(job, detail=f"waiting for {self._host}, which asked for patience") if is_waiting else job

    def held_up(self) -> None:
        """Note that the job is held back now, or was; its pace before that is not to be reckoned with."""
        self._rate.forget()
        self._dirty.set()

    @property
    def seconds_left(self) -> float | None:
        """How long the job still takes at its pace of the last minute; None while that cannot be said."""
        return self._rate.seconds_left(time.monotonic()) if self._gate.is_set() and not self._host else None

    async def _run(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            job = await asyncio.to_thread(self._corpus.jobs.get, self._id)
            if job is not None and not job.state.is_final:
                self._rate.note(job.counts.done, job.counts.waiting, time.monotonic())
                publish_job(self._bus, self.as_it_is(job), self.seconds_left)
            await asyncio.sleep(JOB_EVENT_SECONDS)


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
