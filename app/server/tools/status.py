"""`status`: indexed pages, and the progress of background jobs, also for other tools and the command line."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app import caps
from app.corpus.records import CorpusStatus
from app.durations import time_span
from app.errors import ErrorCode
from app.events import JobChanged
from app.ingest.outcome import ADD_FILE
from app.library.job_records import ItemState, Job, JobItem, JobKind, JobState
from app.library.records import DocumentSummary
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.errors import safe
from app.server.render.text import Budget, CountTokens, Room, clip, origin, plural, shared_library, when
from app.server.tools import schemas
from app.text.page_text import address, one_line

if TYPE_CHECKING:
    from app.ingest.jobs import Jobs


async def handle(call: ToolCall) -> ToolOutput:
    """Return one job if requested; otherwise counts, active jobs, and the pages unless they are turned off."""
    if (job_id := call.arguments.get("job_id")) is not None:
        jobs, embedder = call.engine.jobs, await call.engine.embedding_for_caller()
        report = replace(
            await job_report(jobs, await jobs.job(job_id)),
            waiting=embedder.waiting,
            embedding_seconds=embedder.seconds_left,
        )
        count = call.engine.count_tokens
        return ToolOutput(job_text(report, opening="[CORPUS STATUS]", budget=call.budget, count=count))
    if call.arguments.get("source_url") == schemas.CONVERSATION:
        ending = 'Call `search` with source_urls ["conversation:"] to query only these pages.'
        lines = ["Read in this conversation:", *(f"- {address(url)}" for url in schemas.read_here(call)), "", ending]
        return ToolOutput(clip("\n".join(["[CORPUS STATUS]", *lines]), call.budget, call.engine.count_tokens))
    include_urls = bool(call.arguments["include_urls"])
    status = await call.engine.status(
        call.arguments.get("source_url"), limit=caps.MAX_STATUS_URLS if include_urls else 0
    )
    known = await call.engine.jobs.jobs(caps.MAX_JOBS_KEPT)
    text = status_text(
        status,
        jobs=brief_reports(call.engine.jobs, (job for job in known if not job.state.is_final)),
        include_urls=include_urls,
        budget=call.budget,
        count=call.engine.count_tokens,
    )
    return ToolOutput(text)


STATUS: Final = ToolSpec(
    id="status",
    title="Show what is indexed",
    description=f"""\
Check what content WebRAG currently has indexed. Returns document count, total tokens, indexed URLs with \
titles, and last-fetched timestamps. Use this to understand what's available before deciding whether to \
call `answer` (which ingests new content) or `search` (which queries existing content).
Use when you need a page's age or a job's progress.
Do not use when you can ask directly (answer).
Returns at most {caps.MAX_STATUS_URLS} pages, newest first, and jobs; with job_id, its progress.
If you need more, call status with source_url.
Defaults: include_urls=true. Max: one source_url or job_id.""",
    input_schema=schemas.arguments(
        {
            "source_url": schemas.meaning(schemas.URL, "One page."),
            "include_urls": {"type": "boolean", "default": True, "description": "List pages."},
            "job_id": {"type": "integer", "minimum": 1, "description": "From ingest."},
        }
    ),
    hints=Hints(read_only=True, open_world=False),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)

MAX_JOB_FAILURES_SHOWN: Final = 10
MAX_JOB_LINES_SHOWN: Final = 8
MAX_UNREAD_SHOWN: Final = 5
MAX_NAME_CHARS: Final = 60
MAX_PROJECTS_SHOWN: Final = 10
MAX_JOB_PAGES_SHOWN: Final = 20
MIN_JOB_CHECK_SECONDS: Final = 10.0
JOB_CHECK_SECONDS: Final = 30.0  # Suggested seconds until the next check of a job without an estimate.
MAX_JOB_CHECK_SECONDS: Final = 300.0
WITHOUT_MEANING: Final = "Semantic search is off ({}); only keyword search finds pages."
ENGLISH_ONLY: Final = (
    "Semantic search is off for languages other than English ({}); only keyword search finds their pages."
)

WORDS: Final = {
    JobKind.CRAWL: "crawl of",
    JobKind.PAGES: "pages of",
    JobKind.FOLDER: "folder",
    JobKind.PACKAGES: "documentation for",
}

SEARCHABLE: Final = "Call `search` to query these pages without fetching them again."
PACKAGES_SEARCHABLE: Final = "Call `search_docs` with `library`."
NOTHING_READ: Final = "Tell the user about this error. Do not answer from memory instead."
CRAWL_FAILED: Final = "[ERROR]\n{}\n\nError type: FetchError ({})"

READ = (ItemState.STORED, ItemState.UPDATED, ItemState.UNCHANGED)


@dataclass(frozen=True, slots=True)
class JobReport:
    """A job with some of its read, failed and skipped pages, oldest first; `job.counts` has all.

    `seconds_left` estimates the remaining time, None if unknown. `waiting` passages are not embedded yet; embedding them takes about
    `embedding_seconds`, or None.
    """

    job: Job
    read: tuple[JobItem, ...] = ()
    failed: tuple[JobItem, ...] = ()
    seconds_left: float | None = None
    skipped: tuple[JobItem, ...] = ()
    waiting: int = 0
    embedding_seconds: float | None = None


async def job_report(jobs: Jobs, job: Job) -> JobReport:
    """Return the job with its newest read, failed and skipped pages."""
    counts = job.counts
    is_read = counts.stored + counts.updated + counts.unchanged
    return JobReport(
        job,
        await _newest(jobs, job.id, READ, is_read, MAX_JOB_PAGES_SHOWN),
        await _newest(jobs, job.id, (ItemState.FAILED,), counts.failed, MAX_JOB_FAILURES_SHOWN),
        jobs.seconds_left(job.id),
        await _newest(jobs, job.id, (ItemState.SKIPPED,), counts.skipped, MAX_JOB_FAILURES_SHOWN),
    )


def brief_reports(jobs: Jobs, known: Iterable[Job]) -> list[JobReport]:
    return [JobReport(job, seconds_left=jobs.seconds_left(job.id)) for job in known]


def status_text(
    status: CorpusStatus, *, include_urls: bool, budget: Budget, count: CountTokens, jobs: Sequence[JobReport] = ()
) -> str:
    """Return the indexed pages and active jobs within the budget; pages that do not fit are counted."""
    from app.engine.facade import troubles_of  # The engine loads much that the list of tools does not need.

    totals = status.totals
    head = [
        "[CORPUS STATUS]",
        f"Documents indexed: {totals.documents:,}",
        f"Total chunks: {totals.chunks:,}",
        f"Total tokens: {totals.tokens:,}",
    ]
    head += _waiting(totals.chunks - totals.chunks_embedded, status.seconds_left)
    if status.without_meaning:
        note = ENGLISH_ONLY if status.is_english_only else WITHOUT_MEANING
        head.append(f"Note: {note.format(status.without_meaning.rstrip('.'))}")
    head += [f"Note: {trouble}" for trouble in troubles_of(status.health)]
    shown = [f"Skipped until it changes: {one_line(file.reason)}" for file in status.unread[:MAX_UNREAD_SHOWN]]
    if omitted := len(status.unread) - len(shown):
        shown.append(f"Also skipped: {plural(omitted, 'file')}.")
    head += shown
    head += [f"Folder {one_line(text)}" for text in status.left_out[:MAX_UNREAD_SHOWN]]
    head += [
        f"Project {one_line(each.root)}: documentation of {each.documented:,} of {plural(each.packages, 'package')}"
        for each in status.projects[:MAX_PROJECTS_SHOWN]
    ]
    if status.names:
        named = ", ".join(one_line(name, MAX_NAME_CHARS) for name in status.names)
        head.append(f"Names (a query with one is searched there): {named}")
    head += _jobs(jobs)
    if status.asked_url is not None and not status.documents:
        # Only the user can add files; no tool reads them.
        is_file = status.asked_url.casefold().startswith("file:")
        next_step = ADD_FILE if is_file else "Call `answer` or `ingest` with this URL."
        head += ["", f"{address(status.asked_url)} is not indexed. {next_step}"]
        return clip("\n".join(head), budget, count)
    if not status.documents:
        reason = "Nothing is indexed yet. Call `answer` or `ingest` with a URL."
        return clip("\n".join([*head, *([] if totals.documents else ["", reason])]), budget, count)
    if not include_urls and status.asked_url is None:
        return clip("\n".join(head), budget, count)
    return clip("\n".join([*head, "", *_listing(status, "\n".join(head), budget, count)]), budget, count)


def crawl_text(report: JobReport, *, budget: Budget, count: CountTokens) -> str:
    """Return the progress of a crawl, or an error text if it ended without a page."""
    opening = "[INGESTED]"
    if read_nothing(report.job):
        is_crawl = report.job.kind is JobKind.CRAWL
        what = "The crawl could not read any page." if is_crawl else "The documentation could not be added."
        opening = CRAWL_FAILED.format(what, ErrorCode.BACKEND_UNAVAILABLE)
    return job_text(report, opening=opening, budget=budget, count=count)


def job_text(
    report: JobReport, *, opening: str, budget: Budget, count: CountTokens, next_step: str | None = None
) -> str:
    """Return the state of a job, its read, failed and skipped pages, and the next step: `next_step`, or the one for an assistant."""
    job = report.job
    waiting = _waiting(report.waiting, report.embedding_seconds)
    head = "\n".join([*([opening] if opening else []), *_state(job), *waiting])
    end = _next(report) if next_step is None else next_step
    room = Room(budget, count, head, end)
    counts = job.counts
    failed = _item_list("Not read", [_failure(item) for item in report.failed], counts.failed, room)
    skipped = _item_list("Skipped", [_failure(item) for item in report.skipped], counts.skipped, room)
    is_read = counts.stored + counts.updated + counts.unchanged
    read = _item_list("Read", [f"- {address(item.url)}" for item in report.read], is_read, room)
    return clip("\n".join([head, *read, *skipped, *failed, *(["", end] if end else [])]), budget, count)


def job_line(report: JobReport) -> str:
    """`Job 7: crawl of https://… — running, 23 of 41 pages, 2 failed, about 20 s left`."""
    job, counts = report.job, report.job.counts
    done = _progress(job.kind, counts.done, counts.total, counts.failed, report.seconds_left)
    return f"{_name(job)} — {', '.join([job.state.value, *done, *_doing(job.state, job.detail)])}"


def progress_text(event: JobChanged) -> str:
    """`Crawling https://…: 23 of 41 pages, 2 failed, about 20 s left`."""
    kind, is_paused = JobKind(event.kind), event.state == JobState.PAUSED
    done = _progress(kind, event.done, event.total, event.failed, None if is_paused else event.seconds_left)
    parts = [*done, *(["paused"] if is_paused else _doing(event.state, event.detail))]
    return f"{'Crawling' if kind is JobKind.CRAWL else 'Reading'} {one_line(event.target, caps.MAX_URL_CHARS_SHOWN)}: {', '.join(parts)}"


def _progress(kind: JobKind, done: int, total: int, failed: int, seconds_left: float | None) -> list[str]:
    parts = [f"{done:,} of {plural(total, _noun(kind))}"]
    parts += [f"{failed:,} failed"] if failed else []
    return [*parts, *([f"about {time_span(seconds_left)} left"] if seconds_left is not None else [])]


def _doing(state: str, detail: str) -> list[str]:
    return [one_line(safe(detail), caps.MAX_REASON_CHARS_SHOWN)] if detail and state == JobState.RUNNING else []


def check_after(seconds_left: float | None) -> int:
    """Return the seconds until the next check of a job that has not ended."""
    wanted = JOB_CHECK_SECONDS if seconds_left is None else seconds_left
    bounded = min(max(wanted, MIN_JOB_CHECK_SECONDS), MAX_JOB_CHECK_SECONDS)
    return 5 * math.ceil(bounded / 5)


def read_nothing(job: Job) -> bool:
    """Whether a job ended without reading a page. Failures never end a job of packages."""
    counts = job.counts
    has_failed = job.state is JobState.FAILED or (job.kind is JobKind.PACKAGES and job.state is JobState.DONE)
    return has_failed and not (counts.stored or counts.updated or counts.unchanged)


def _waiting(passages: int, seconds: float | None) -> list[str]:
    if passages <= 0:
        return []
    takes = f" (about {time_span(seconds)})" if seconds is not None else ""
    are = "is" if passages == 1 else "are"
    return [f"Note: {plural(passages, 'passage')} {are} searchable by keyword only until embedded{takes}."]


async def _newest(
    jobs: Jobs, job_id: int, states: tuple[ItemState, ...], known: int, limit: int
) -> tuple[JobItem, ...]:
    if known == 0:
        return ()
    return tuple(await jobs.items(job_id, states=states, limit=limit, offset=max(0, known - limit)))


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
    begun = f"Started {when(job.started_at)}" if job.started_at is not None else f"Queued {when(job.created_at)}"
    return [*lines, begun + (f", ended {when(job.finished_at)}" if job.finished_at is not None else "")]


def _item_list(title: str, entries: Sequence[str], total: int, room: Room) -> list[str]:
    """Return the newest entries that fit, under a heading with the total."""
    if not entries:
        return []
    heading = f"{title} ({total:,}):"
    room.spend(heading)
    shown = room.fill(reversed(entries))[::-1]
    more = total - len(shown)
    return ["", heading, *([f"... {more:,} earlier, then:"] if more > 0 and shown else []), *shown]


def _failure(item: JobItem) -> str:
    reason = one_line(safe(item.reason), caps.MAX_REASON_CHARS_SHOWN) or "no reason given"
    return f"- {address(item.url)} — {reason}"


def _next(report: JobReport) -> str:
    job, left = report.job, report.seconds_left
    if read_nothing(job):
        return NOTHING_READ
    if job.state.is_final:
        return PACKAGES_SEARCHABLE if job.kind is JobKind.PACKAGES else SEARCHABLE
    if job.state is JobState.PAUSED:
        return "The user paused this job; it continues when they resume it. Pages read so far can be searched."
    estimate = f", about {time_span(left)} left" if left is not None else ""
    return (
        f"The job is running in the background{estimate}. Call `status` with job_id={job.id} in {check_after(left)} s, "
        "or `search` now for the pages read so far."
    )


def _name(job: Job) -> str:
    return f"Job {job.id}: {WORDS[job.kind]} {one_line(job.target, caps.MAX_URL_CHARS_SHOWN)}"


def _noun(kind: JobKind) -> str:
    return {JobKind.FOLDER: "file", JobKind.PACKAGES: "package"}.get(kind, "page")


def _jobs(jobs: Sequence[JobReport]) -> list[str]:
    if not jobs:
        return []
    more = len(jobs) - MAX_JOB_LINES_SHOWN
    lines = [f"- {job_line(job)}" for job in jobs[:MAX_JOB_LINES_SHOWN]]
    return ["Active jobs:", *lines, *([f"... and {more:,} more"] if more > 0 else [])]


def _listing(status: CorpusStatus, head: str, budget: Budget, count: CountTokens) -> list[str]:
    heading = "Indexed URLs:"
    lines = Room(budget, count, head, heading, _more(status.totals.documents)).fill(map(_document, status.documents))
    omitted = status.omitted + len(status.documents) - len(lines)
    return [heading, *lines, *([_more(omitted)] if omitted else [])]


def _document(document: DocumentSummary) -> str:
    facts = f"{plural(document.chunks, 'chunk')}, {plural(document.tokens, 'token')}"
    facts += f", fetched {when(document.last_crawled)}" if document.last_crawled else ""
    if library := shared_library(document.url):
        facts += f"; shared library {library}"
        facts += f", added by {one_line(document.added_by)}" if document.added_by else ""
    return f"- {origin(document.title, document.url)}\n  ({facts})"


def _more(count: int) -> str:
    return f"... and {count:,} more (use source_url)"
