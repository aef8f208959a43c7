"""Background jobs, newest first, loaded from the library and updated by events. Failed pages of a job by cause."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import Final
from urllib.parse import unquote

from PySide6.QtCore import QObject

from app import caps, errors
from app.desktop import wording
from app.desktop.engine_thread import Engine, EngineThread
from app.desktop.models.rows import Column, LoadedModel, RowsModel, amount, moment
from app.desktop.wording import translator
from app.durations import time_span
from app.events import Event, JobChanged
from app.library.job_records import ItemState, Job, JobCounts, JobItem

_tr = translator("JobsModel")

ALL: Final = "all"  # Stands for all causes together.
GONE: Final = "gone"

_KINDS: Final = (
    (GONE, errors.HTTPStatusError.gone_title, r"\((?:404|410)\)|is gone|no longer exists|answered with 404"),
    ("protected", errors.ContentProtectedError.title, r"content protected|sign[- ]?in|paywall|with a password"),
    ("robots", errors.RobotsDeniedError.title, r"robots(?:\.txt|(?!\.))"),
    ("noindex", errors.NoIndexError.title, r"noindex|to (?:be )?index"),
    ("slow", errors.FetchTimeoutError.title, r"in time|not respond within|timed out|time budget"),
    (
        "busy",
        errors.HTTPStatusError.busy_title,
        r"\((?:429|503)\)|asks (?:for|to wait|WebRAG to wait)|asked for a pause",
    ),
    ("broken", errors.HTTPStatusError.broken_title, r"problem of its own|has a problem|\(5\d\d\)"),
    (
        "unreachable",
        errors.FetchError.unreachable_title,
        (
            r"(?:refused|closed) the connection|be reached|be found:|host \S+ was not found|has no address|an IP address|broke off"
            r"|connection to|certificate|no secure connection|connect securely|not reachable"
        ),
    ),
    ("same", "", r"same (?:page|text) as"),
    ("needless", "", r"^not needed"),
    ("outside", "", r"outside the crawl"),
    ("blocked", errors.AddressDeniedError.title, r"blocked|closed address|not allowed"),
    ("circle", errors.TooManyRedirectsError.title, r"in a (?:circle|loop)|redirects more than"),
    ("script", errors.SkeletonPageError.title, r"javascript"),
    ("empty", errors.EmptyPageError.title, r"no readable text|(?:has|holds) no|is empty|holds nothing|feed without"),
    ("large", errors.BodyTooLargeError.title, r"too large|larger than|more than"),
    ("damaged", errors.DamagedFileError.title, r"is damaged\.$"),
    (
        "kind",
        errors.UnsupportedContentError.title,
        r"not supported|kind of file|cannot (?:be )?read as text|not (?:a )?text|a sitemap",
    ),
)
_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, _, pattern in _KINDS)
TITLES: Final = {kind: title for kind, title, _ in _KINDS if title}
"""Each error has one title in dialogs, jobs and calls of assistants."""
_ADDRESS: Final = re.compile(r"\b\w++://\S+")

TARGET, KIND, STATE, PROGRESS, FAILED, LEFT, BEGUN = range(7)

FOLDER, PACKAGES = "folder", "packages"
QUEUED, RUNNING, PAUSED, DONE, BROKEN, CANCELLED = "queued", "running", "paused", "done", "failed", "cancelled"
GOING_ON: Final = (QUEUED, RUNNING)
ENDED: Final = (DONE, BROKEN, CANCELLED)
SHOWN_ITEMS: Final = 500


@dataclass(frozen=True, slots=True)
class Cause:
    """Reason for pages that were not indexed. `is_failure` distinguishes failures from intentional omissions."""

    kind: str
    text: str
    count: int
    is_failure: bool


def kind_of(reason: str) -> str:
    """Classify a reason. An unknown reason is its own kind, without addresses, which are ignored."""
    words = _ADDRESS.sub("…", reason)
    return next((kind for kind, pattern in _PATTERNS if pattern.search(words)), words)


def cause_text(kind: str) -> str:
    own = {
        "same": _tr("Same as another page"),
        "needless": _tr("Already answered by stored pages"),
        "outside": _tr("Outside the site"),
        "": _tr("No reason given"),
        ALL: _tr("All causes"),
    }
    return own.get(kind) or wording.spoken(TITLES.get(kind, kind)) or kind


def causes_of(items: Iterable[JobItem]) -> list[Cause]:
    """Return the causes, failures first, most frequent first, preceded by all together if there are several."""
    counts = Counter((item.state.value == BROKEN, kind_of(item.reason)) for item in items)
    order = sorted(counts.items(), key=lambda entry: (not entry[0][0], -entry[1], entry[0][1]))
    found = [Cause(kind, cause_text(kind), count, is_failure) for (is_failure, kind), count in order]
    return [Cause(ALL, cause_text(ALL), sum(counts.values()), False), *found] if len(found) > 1 else found


def causes_model(parent: QObject) -> RowsModel[Cause]:
    columns: list[Column[Cause]] = [
        Column(
            _tr("Reason"),
            lambda c: c.text,
            lambda c: c.text.casefold(),
            tip=lambda c: c.text,
            mark=lambda c: None if c.kind == ALL else ("error", "danger") if c.is_failure else ("minus", "muted"),
        ),
        amount(_tr("Pages"), lambda c: c.count),
    ]
    return RowsModel(columns, parent, lambda cause: (cause.is_failure, cause.kind))


@dataclass(frozen=True, slots=True)
class JobPart:
    """Pages of a job with the same result. `colour` is a field of Colours."""

    count: int
    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class JobRow(JobChanged):
    """A job as shown: its last event and more. `counts` is None if not requested yet."""

    begun_at: float = 0.0
    counts: JobCounts | None = None
    seconds: float | None = None  # Duration in seconds. None before the end.

    @property
    def id(self) -> int:
        return self.job_id

    @property
    def a_minute(self) -> int:
        """Pages per minute at the current pace, or 0 if unknown."""
        is_moving = self.state == RUNNING and self.seconds_left and self.total > self.done
        return round(60 * (self.total - self.done) / self.seconds_left) if is_moving and self.seconds_left else 0

    @property
    def share(self) -> float:
        if self.state == DONE:
            return 1.0
        return self.done / self.total if self.total else 0.0


def kind_text(kind: str) -> str:
    words = {"crawl": _tr("Site"), "pages": _tr("Pages"), FOLDER: _tr("Folder"), PACKAGES: _tr("Packages")}
    return words.get(kind, kind)


def _look(state: str) -> tuple[str, tuple[str, str]]:
    """Return the text of a state, and its icon with a color."""
    return {
        QUEUED: (_tr("Waiting"), ("clock", "muted")),
        RUNNING: (_tr("Running"), ("busy", "accent_text")),
        PAUSED: (_tr("Paused"), ("pause", "warning")),
        DONE: (_tr("Done"), ("ok", "success")),
        BROKEN: (_tr("Failed"), ("error", "danger")),
        CANCELLED: (_tr("Canceled"), ("close", "muted")),
    }.get(state, (state, ("info", "muted")))


def state_text(row: JobRow) -> str:
    return _look(row.state)[0]


def state_mark(row: JobRow) -> tuple[str, str]:
    return ("alert", "warning") if row.state == DONE and row.failed else _look(row.state)[1]


def progress_text(row: JobRow) -> str:
    """Return `23 of 41`, or only the number of indexed pages if the job is done."""
    if row.state == DONE:
        words = {FOLDER: (_tr("1 file"), _tr("{} files")), PACKAGES: (_tr("1 package"), _tr("{} packages"))}
        return wording.counted(row.indexed, *words.get(row.kind, (_tr("1 page"), _tr("{} pages"))))
    return _tr("{} of {}").format(wording.number(row.done), wording.number(row.total))


def row_of(job: Job, seconds_left: float | None = None) -> JobRow:
    counts = job.counts
    return JobRow(
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
        begun_at=job.created_at,
        counts=counts,
        seconds=job.finished_at - job.started_at if job.finished_at and job.started_at else None,
    )


def parts_of(row: JobRow) -> tuple[JobPart, ...]:
    """Split the pages of a job by result. Without counts, only done, failed and waiting are known."""
    counts = row.counts
    if counts is None or counts.total != row.total or counts.done != row.done:
        found = [(row.done - row.failed, _tr("{} done"), "accent"), (row.failed, _tr("{} failed"), "danger")]
    else:
        found = [
            (counts.stored, _tr("{} new"), "accent"),
            (counts.updated, _tr("{} changed"), "series_2"),
            (counts.unchanged, _tr("{} unchanged"), "muted"),
            (counts.skipped, _tr("{} skipped"), "strong_border"),
            (counts.failed, _tr("{} failed"), "danger"),
        ]
    found.append((row.total - row.done, _tr("{} waiting"), "border"))
    return tuple(
        JobPart(count, text.format(wording.number(count)), colour) for count, text, colour in found if count > 0
    )


class JobsModel(LoadedModel[JobRow]):
    """The known jobs."""

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[JobRow]] = [
            Column(
                _tr("Name"),
                lambda r: wording.file_or_address(r.target),
                lambda r: r.target,
                tip=lambda r: r.target,
                is_address=True,
            ),
            Column(_tr("Kind"), lambda r: kind_text(r.kind), lambda r: r.kind),
            Column(
                _tr("State"), state_text, lambda r: r.state, tip=lambda r: wording.spoken(r.detail), mark=state_mark
            ),
            Column(_tr("Progress"), progress_text, lambda r: r.share),
            amount(_tr("Failed"), lambda r: r.failed, is_zero_shown=False),
            Column(
                _tr("Time left"),
                lambda r: time_span(r.seconds_left) if r.state == RUNNING and r.seconds_left is not None else "–",
                lambda r: r.seconds_left or 0.0,
                right=True,
            ),
            replace(moment(_tr("Started"), lambda r: r.begun_at, wording.clock), order=lambda r: (r.begun_at, r.id)),
        ]
        super().__init__(thread, columns, parent)

    @property
    def going_on(self) -> int:
        """Number of queued or running jobs."""
        return sum(row.state in GOING_ON for row in self.everything)

    @property
    def share(self) -> float | None:
        """The completed share of the queued and running jobs, from 0 to 1, or None if unknown."""
        rows = [row for row in self.everything if row.state in GOING_ON]
        total = sum(row.total for row in rows)
        return sum(row.done for row in rows) / total if total else None

    def reload(self) -> None:
        self._load(known_jobs, self.replace)

    def on_events(self, events: list[Event]) -> None:
        changed: list[JobRow] = []
        for event in events:
            if isinstance(event, JobChanged):
                row, known = JobRow(**asdict(event), begun_at=time.time()), self._all.get(event.job_id)
                changed.append(replace(row, begun_at=known.begun_at, counts=known.counts) if known else row)
        if changed:
            self.merge(changed)

    def take_job(self, job: Job) -> None:
        """Show a job with its page counts, keeping its time estimate."""
        known = self._all.get(job.id)
        self.merge([row_of(job, known.seconds_left if known is not None else None)])


def page_name(url: str) -> str:
    """Return the part of an address that distinguishes pages of a job: the path on the site, or the file name."""
    if path := wording.local_path(url):
        return wording.short_path(path)
    parts = wording.split_address(url)
    query = f"?{parts.query}" if parts.query else ""
    return unquote(parts.path).strip("/") + query or wording.plain_address(url)


class UnreadModel(RowsModel["JobItem"]):
    """Pages of one job that failed or were skipped, with the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[JobItem]] = [
            Column(_tr("Page"), lambda i: page_name(i.url), lambda i: i.url, tip=lambda i: i.url, is_address=True),
            Column(
                _tr("Reason"),
                lambda i: wording.spoken(i.reason),
                tip=lambda i: wording.spoken(i.reason),
                mark=lambda i: ("error", "danger") if i.state.value == BROKEN else ("info", "muted"),
            ),
        ]
        super().__init__(columns, parent, lambda item: item.url)
        self._cause: Cause | None = None

    def show_cause(self, cause: Cause | None) -> None:
        self._cause = cause
        self.rearrange()

    def accepts(self, record: JobItem) -> bool:
        cause = self._cause
        if cause is None or cause.kind == ALL:
            return True
        return cause.is_failure == (record.state.value == BROKEN) and kind_of(record.reason) == cause.kind


async def known_jobs(engine: Engine) -> list[JobRow]:
    """Load the jobs with the remaining time of active ones."""
    return [row_of(job, engine.jobs.seconds_left(job.id)) for job in await engine.jobs.jobs(caps.MAX_JOBS_KEPT)]


async def unread_items(engine: Engine, job_id: int) -> list[JobItem]:
    """Load the failed pages of a job, then the skipped ones."""
    failed = await engine.jobs.items(job_id, states=(ItemState.FAILED,), limit=SHOWN_ITEMS)
    return [*failed, *await engine.jobs.items(job_id, states=(ItemState.SKIPPED,), limit=SHOWN_ITEMS - len(failed))]
