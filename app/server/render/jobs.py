"""Background jobs → text: one line a job, or one job with what it read, what failed and what was skipped."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from app import caps
from app.corpus.job_records import Job, JobItem, JobKind, JobState
from app.events import JobChanged
from app.server.render.budget import Budget, CountTokens, Room, clip
from app.server.render.errors import safe
from app.server.render.text import as_data, one_line, plural, when

if TYPE_CHECKING:
    from app.server.reports.jobs import JobReport

WORDS: Final = {JobKind.CRAWL: "crawl of", JobKind.PAGES: "pages of", JobKind.FOLDER: "folder"}
DOING: Final = {JobKind.CRAWL: "Crawling", JobKind.PAGES: "Reading", JobKind.FOLDER: "Reading"}
SEARCHABLE: Final = "Call `search` to ask about these pages; nothing is fetched again for that."
NOTHING_READ: Final = "Please inform the user of this error. Do not answer from memory in place of these pages."


def job_line(report: JobReport) -> str:
    """`Job 7: crawl of https://… — running, 23 of 41 pages, 2 failed, about 20 s left`."""
    job = report.job
    parts = [job.state.value, f"{job.counts.done:,} of {plural(job.counts.total, _noun(job.kind))}"]
    if job.counts.failed:
        parts.append(f"{job.counts.failed:,} failed")
    if report.seconds_left is not None:
        parts.append(f"about {span(report.seconds_left)} left")
    if job.detail and job.state is JobState.RUNNING:
        parts.append(one_line(safe(job.detail), caps.MAX_REASON_CHARS_SHOWN))
    return f"{_name(job)} — {', '.join(parts)}"


def progress_text(event: JobChanged) -> str:
    """`Crawling https://…: 23 of 41 pages, 2 failed, about 20 s left`."""
    kind = JobKind(event.kind)
    parts = [f"{event.done:,} of {plural(event.total, _noun(kind))}"]
    if event.failed:
        parts.append(f"{event.failed:,} failed")
    if event.state == JobState.PAUSED:
        parts.append("paused")
    elif event.seconds_left is not None:
        parts.append(f"about {span(event.seconds_left)} left")
    if event.detail and event.state == JobState.RUNNING:
        parts.append(one_line(safe(event.detail), caps.MAX_REASON_CHARS_SHOWN))
    return f"{DOING[kind]} {one_line(event.target, caps.MAX_URL_CHARS_SHOWN)}: {', '.join(parts)}"


def check_after(seconds_left: float | None) -> int:
    """In how many seconds to look again at a job that has not ended."""
    wanted = caps.JOB_CHECK_SECONDS if seconds_left is None else seconds_left
    bounded = min(max(wanted, caps.MIN_JOB_CHECK_SECONDS), caps.MAX_JOB_CHECK_SECONDS)
    return 5 * math.ceil(bounded / 5)


def span(seconds: float) -> str:
    """`20 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"


def read_nothing(job: Job) -> bool:
    """Whether a job ended without a single page."""
    counts = job.counts
    return job.state is JobState.FAILED and not (counts.stored or counts.updated or counts.unchanged)


def job_text(
    report: JobReport, *, opening: str, budget: Budget, count: CountTokens, next_step: str | None = None
) -> str:
    """The state of a job, what it read, what failed or was skipped, and what to do next: `next_step`, else as an assistant needs it."""
    job = report.job
    head = "\n".join([*([opening] if opening else []), *_state(job)])
    end = _next(report) if next_step is None else next_step
    room = Room(budget, count)
    for part in (head, end):
        room.spend(part)
    counts = job.counts
    failed = _listing("Not read", [_failure(item) for item in report.failed], counts.failed, room)
    skipped = _listing("Skipped", [_failure(item) for item in report.skipped], counts.skipped, room)
    is_read = counts.stored + counts.updated + counts.unchanged
    read = _listing("Read", [f"- {one_line(item.url)}" for item in report.read], is_read, room)
    return clip("\n".join([head, *read, *skipped, *failed, *(["", end] if end else [])]), budget, count)


def _state(job: Job) -> list[str]:
    counts = job.counts
    states = ("stored", "updated", "unchanged", "skipped", "failed")
    shown = [f"{getattr(counts, state):,} {state}" for state in states if getattr(counts, state)]
    noun = _noun(job.kind).capitalize()
    lines = [
        f"{_name(job)} — {job.state.value}",
        f"{noun}s: {counts.done:,} of {counts.total:,} done" + (f": {', '.join(shown)}" if shown else ""),
    ]
    if job.detail:
        lines.append(f"Note: {safe(job.detail)}")
    begun = f"Begun {when(job.started_at)}" if job.started_at is not None else f"Queued {when(job.created_at)}"
    return [*lines, begun + (f", ended {when(job.finished_at)}" if job.finished_at is not None else "")]


def _listing(title: str, entries: Sequence[str], total: int, room: Room) -> list[str]:
    """The newest entries that there is room for, under a heading that says of how many."""
    if not entries:
        return []
    heading = f"{title} ({total:,}):"
    room.spend(heading)
    shown: list[str] = []
    for entry in reversed(entries):
        if not room.take(entry):
            break
        shown.insert(0, entry)
    more = total - len(shown)
    return ["", heading, *([f"... {plural(more, 'earlier one')}, then:"] if more > 0 and shown else []), *shown]


def _failure(item: JobItem) -> str:
    reason = one_line(safe(item.reason), caps.MAX_REASON_CHARS_SHOWN) or "no reason given"
    return f"- {one_line(item.url)} — {reason}"


def _next(report: JobReport) -> str:
    job, left = report.job, report.seconds_left
    if read_nothing(job):
        return NOTHING_READ
    if job.state.is_final:
        return SEARCHABLE
    if job.state is JobState.PAUSED:
        return "The job is paused by the user and goes on when they resume it. What is read already can be searched."
    estimate = f", about {span(left)} left" if left is not None else ""
    return (
        f"The job goes on in the background{estimate}. Call `status` with job_id={job.id} in {check_after(left)} s, "
        "or `search` now for what is read already."
    )


def _name(job: Job) -> str:
    return f"Job {job.id}: {WORDS[job.kind]} {as_data(one_line(job.target, caps.MAX_URL_CHARS_SHOWN))}"


def _noun(kind: JobKind) -> str:
    return "file" if kind is JobKind.FOLDER else "page"
