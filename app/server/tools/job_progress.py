"""Waiting for a job while each of its steps is told."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from app import caps
from app.corpus.job_records import Job, JobState
from app.events import Event, JobChanged
from app.progress import ProgressCallback
from app.server.render.jobs import progress_text

if TYPE_CHECKING:
    from app.engine import Engine

GOING_ON = (JobState.QUEUED, JobState.RUNNING)


async def job_followed(engine: Engine, job: Job, seconds: float, progress: ProgressCallback) -> Job:
    """The job when it has ended or `seconds` are over; meanwhile its latest step is told, no oftener than a client can use."""
    latest: list[JobChanged] = []
    changed = asyncio.Event()
    loop = asyncio.get_running_loop()

    def take(event: JobChanged) -> None:
        latest[:] = [event]
        changed.set()

    def listen(event: Event) -> None:
        if isinstance(event, JobChanged) and event.job_id == job.id:
            loop.call_soon_threadsafe(take, event)

    async def tell() -> None:
        while True:
            await changed.wait()
            changed.clear()
            await progress("ingestion", progress_text(latest[0]))
            await asyncio.sleep(caps.JOB_PROGRESS_SECONDS)

    unsubscribe = engine.bus.subscribe(listen)
    telling = asyncio.create_task(tell())
    try:
        return await engine.jobs.wait(job.id, max(0.0, seconds))
    finally:
        unsubscribe()
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)


async def job_ended(engine: Engine, job: Job, progress: ProgressCallback) -> Job:
    """The job once it has ended or was paused, however long that takes."""
    while job.state in GOING_ON:
        job = await job_followed(engine, job, caps.JOB_WAIT_SECONDS, progress)
    return job
