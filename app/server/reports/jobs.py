"""A job with the pages that tell most about it: the newest that it read, the newest that failed or were skipped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app import caps
from app.corpus.job_records import ItemState, Job, JobItem

if TYPE_CHECKING:
    from app.ingest.jobs import Jobs

READ = (ItemState.STORED, ItemState.UPDATED, ItemState.UNCHANGED)


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job, some of the pages it read and some of those that failed or were skipped, oldest first; `job.counts` has all.

    `seconds_left` estimates how long it still runs; None while that cannot be said.
    """

    job: Job
    read: tuple[JobItem, ...] = ()
    failed: tuple[JobItem, ...] = ()
    seconds_left: float | None = None
    skipped: tuple[JobItem, ...] = ()


async def report_of(jobs: Jobs, job: Job) -> JobReport:
    """The job with its newest pages, failures and skipped ones."""
    counts = job.counts
    is_read = counts.stored + counts.updated + counts.unchanged
    return JobReport(
        job,
        await _newest(jobs, job.id, READ, is_read, caps.MAX_JOB_PAGES_SHOWN),
        await _newest(jobs, job.id, (ItemState.FAILED,), counts.failed, caps.MAX_JOB_FAILURES_SHOWN),
        jobs.seconds_left(job.id),
        await _newest(jobs, job.id, (ItemState.SKIPPED,), counts.skipped, caps.MAX_JOB_FAILURES_SHOWN),
    )


def brief_reports(jobs: Jobs, known: Iterable[Job]) -> list[JobReport]:
    """Jobs without their pages."""
    return [JobReport(job, seconds_left=jobs.seconds_left(job.id)) for job in known]


async def _newest(
    jobs: Jobs, job_id: int, states: tuple[ItemState, ...], known: int, limit: int
) -> tuple[JobItem, ...]:
    if known == 0:
        return ()
    return tuple(await jobs.items(job_id, states=states, limit=limit, offset=max(0, known - limit)))
