"""Background jobs, newest first: loaded from the corpus, kept up to date by events; and what of one job was not read, by why."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from PySide6.QtCore import QObject, Signal

from app import caps
from app.desktop.models.rows import Column, RowsModel
from app.desktop.wording import (
    clock,
    counted,
    file_or_address,
    full_time,
    local_path,
    number,
    plain_address,
    short_path,
    spoken,
    translator,
)
from app.durations import time_span
from app.errors import (
    AddressDeniedError,
    BodyTooLargeError,
    ContentProtectedError,
    EmptyPageError,
    FetchError,
    FetchTimeoutError,
    HTTPStatusError,
    NoIndexError,
    RobotsDeniedError,
    SkeletonPageError,
    TooManyRedirectsError,
    UnsupportedContentError,
)
from app.events import Event, JobChanged

if TYPE_CHECKING:
    from app.desktop.engine_thread import EngineThread
    from app.engine import Engine
    from app.library.job_records import Job, JobCounts, JobItem

_tr = translator("JobsModel")

ALL: Final = "all"
"""Stands for every cause together."""
GONE: Final = "gone"

_KINDS: Final = (
    (GONE, HTTPStatusError.gone_title, r"\((?:404|410)\)|is gone|answered with 404"),
    ("protected", ContentProtectedError.title, r"content protected|sign-?in|paywall|with a password"),
    ("robots", RobotsDeniedError.title, r"robots(?:\.txt|(?!\.))"),
    ("noindex", NoIndexError.title, r"noindex|not to (?:be )?index"),
    ("slow", FetchTimeoutError.title, r"in time|timed out|time budget"),
    ("busy", HTTPStatusError.busy_title, r"\((?:429|503)\)|asks (?:for|to wait)"),
    ("broken", HTTPStatusError.broken_title, r"problem of its own|\(5\d\d\)"),
    (
        "unreachable",
        FetchError.unreachable_title,
        r"refused the connection|(?:be reached|be found:|has no address)|broke off|connection to|certificate|no secure connection",
    ),
    ("same", "", r"same (?:page|text) as"),
    ("needless", "", r"^not needed"),
    ("outside", "", r"outside the crawl"),
    ("blocked", AddressDeniedError.title, r"blocked|closed address|not allowed"),
    ("circle", TooManyRedirectsError.title, r"in a circle|redirects more than"),
    ("script", SkeletonPageError.title, r"javascript"),
    ("empty", EmptyPageError.title, r"no readable text|holds (?:no|nothing|only scanned)|no content|feed without"),
    ("large", BodyTooLargeError.title, r"too large|larger than|more than"),
    (
        "kind",
        UnsupportedContentError.title,
        r"not supported|kind of file|cannot be read as text|not (?:a )?text|a sitemap",
    ),
)
_PATTERNS: Final = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, _, pattern in _KINDS)
_TITLES: Final = {kind: title for kind, title, _ in _KINDS if title}
"""An error has one title, whether it is met in a dialog, in a job or in the call of an assistant."""
_ADDRESS: Final = re.compile(r"\b\w++://\S+")

TARGET, KIND, STATE, PROGRESS, FAILED, LEFT, BEGUN = range(7)

QUEUED, RUNNING, PAUSED, DONE, BROKEN, CANCELLED = "queued", "running", "paused", "done", "failed", "cancelled"
GOING_ON: Final = (QUEUED, RUNNING)
ENDED: Final = (DONE, BROKEN, CANCELLED)
SHOWN_ITEMS: Final = 500


@dataclass(frozen=True, slots=True)
class Cause:
    """Why some pages were not read. `is_failure` tells failures from what was left out on purpose."""

    kind: str
    text: str
    count: int
    is_failure: bool


def kind_of(reason: str) -> str:
    """The kind of a reason; one that is like no other is its own kind. Words of an address do not count."""
    words = _ADDRESS.sub("", reason)
    return next((kind for kind, pattern in _PATTERNS if pattern.search(words)), reason)


def cause_text(kind: str) -> str:
    """A kind of reason in a few words."""
    own = {
        "same": _tr("The same as another page"),
        "needless": _tr("Stored pages answer already"),
        "outside": _tr("Leads away from the site"),
        "": _tr("No reason given"),
        ALL: _tr("All that was not read"),
    }
    return own.get(kind) or spoken(_TITLES.get(kind, kind)) or kind


def causes_of(items: Iterable[JobItem]) -> list[Cause]:
    """The causes, failures first, each by how often it is met; before several of them all together."""
    counts: dict[tuple[bool, str], int] = {}
    for item in items:
        key = (item.state.value == BROKEN, kind_of(item.reason))
        counts[key] = counts.get(key, 0) + 1
    order = sorted(counts.items(), key=lambda entry: (not entry[0][0], -entry[1], entry[0][1]))
    found = [Cause(kind, cause_text(kind), count, is_failure) for (is_failure, kind), count in order]
    return [Cause(ALL, cause_text(ALL), sum(counts.values()), False), *found] if len(found) > 1 else found


class CausesModel(RowsModel[Cause]):
    """The causes of one job."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[Cause]] = [
            Column(
                _tr("Why"),
                lambda c: c.text,
                lambda c: c.text.casefold(),
                tip=lambda c: c.text,
                mark=lambda c: None if c.kind == ALL else ("error", "danger") if c.is_failure else ("minus", "muted"),
            ),
            Column(_tr("Pages"), lambda c: number(c.count), lambda c: c.count, right=True),
        ]
        super().__init__(columns, parent, lambda cause: (cause.is_failure, cause.kind))


@dataclass(frozen=True, slots=True)
class JobPart:
    """Pages of a job that met with the same end; `colour` is a field of Colours."""

    count: int
    text: str
    colour: str


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job as shown; `seconds_left` is None while it cannot be estimated, `counts` while they were not asked for."""

    id: int
    kind: str
    target: str
    state: str
    done: int
    total: int
    failed: int
    detail: str
    seconds_left: float | None
    begun_at: float
    counts: JobCounts | None = None
    seconds: float | None = None
    """How long it took; None before its end."""

    @property
    def a_minute(self) -> int:
        """How many pages are done in a minute at the pace of the last one; 0 while that is not known."""
        is_moving = self.state == RUNNING and self.seconds_left and self.total > self.done
        return round(60 * (self.total - self.done) / self.seconds_left) if is_moving and self.seconds_left else 0

    @property
    def share(self) -> float:
        """How much is done, from 0 to 1."""
        if self.state == DONE:
            return 1.0
        return self.done / self.total if self.total else 0.0


def kind_text(kind: str) -> str:
    """A kind of job as a word."""
    return {"crawl": _tr("Site"), "pages": _tr("Pages"), "folder": _tr("Folder")}.get(kind, kind)


def _look(state: str) -> tuple[str, tuple[str, str]]:
    """A state in words, and its icon with a colour."""
    return {
        QUEUED: (_tr("Waiting"), ("clock", "muted")),
        RUNNING: (_tr("Running"), ("busy", "accent_text")),
        PAUSED: (_tr("Paused"), ("pause", "warning")),
        DONE: (_tr("Done"), ("ok", "success")),
        BROKEN: (_tr("Failed"), ("error", "danger")),
        CANCELLED: (_tr("Cancelled"), ("close", "muted")),
    }.get(state, (state, ("info", "muted")))


def state_text(row: JobRow) -> str:
    """The State column."""
    return _look(row.state)[0]


def state_mark(row: JobRow) -> tuple[str, str]:
    """The icon beside the State column's text."""
    return ("alert", "warning") if row.state == DONE and row.failed else _look(row.state)[1]


def progress_text(row: JobRow) -> str:
    """`23 of 41`; only the number once all is done."""
    if row.state == DONE:
        one, many = (_tr("1 file"), _tr("{} files")) if row.kind == "folder" else (_tr("1 page"), _tr("{} pages"))
        return counted(row.done - row.failed, one, many)
    return _tr("{} of {}").format(number(row.done), number(row.total))


def row_of(job: Job, seconds_left: float | None = None) -> JobRow:
    """A job as the table shows it."""
    counts = job.counts
    return JobRow(
        id=job.id,
        kind=job.kind.value,
        target=job.target,
        state=job.state.value,
        done=counts.done,
        total=counts.total,
        failed=counts.failed,
        detail=job.detail,
        seconds_left=seconds_left,
        begun_at=job.created_at,
        counts=counts,
        seconds=job.finished_at - job.started_at if job.finished_at and job.started_at else None,
    )


def parts_of(row: JobRow) -> tuple[JobPart, ...]:
    """What became of the pages of a job; without its counts only what is done, failed and waiting."""
    counts = row.counts
    if counts is None or counts.total != row.total or counts.done != row.done:
        found = [(row.done - row.failed, _tr("{} done"), "accent"), (row.failed, _tr("{} failed"), "danger")]
    else:
        found = [
            (counts.stored, _tr("{} new"), "accent"),
            (counts.updated, _tr("{} changed"), "series_2"),
            (counts.unchanged, _tr("{} unchanged"), "muted"),
            (counts.skipped, _tr("{} left out"), "strong_border"),
            (counts.failed, _tr("{} failed"), "danger"),
        ]
    found.append((row.total - row.done, _tr("{} waiting"), "border"))
    return tuple(JobPart(count, text.format(number(count)), colour) for count, text, colour in found if count > 0)


class JobsModel(RowsModel[JobRow]):
    """The jobs that are remembered. `failed` carries a WebRAGError."""

    failed = Signal(object)
    loaded = Signal()

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        columns: list[Column[JobRow]] = [
            Column(
                _tr("What"),
                lambda r: file_or_address(r.target),
                lambda r: r.target,
                tip=lambda r: r.target,
                is_address=True,
            ),
            Column(_tr("Kind"), lambda r: kind_text(r.kind), lambda r: r.kind),
            Column(_tr("State"), state_text, lambda r: r.state, tip=lambda r: spoken(r.detail), mark=state_mark),
            Column(_tr("Progress"), progress_text, lambda r: r.share),
            Column(_tr("Failed"), lambda r: number(r.failed) if r.failed else "–", lambda r: r.failed, right=True),
            Column(
                _tr("Time left"),
                lambda r: time_span(r.seconds_left) if r.state == RUNNING and r.seconds_left is not None else "–",
                lambda r: r.seconds_left or 0.0,
                right=True,
            ),
            Column(
                _tr("Begun"),
                lambda r: clock(r.begun_at),
                lambda r: (r.begun_at, r.id),
                tip=lambda r: full_time(r.begun_at),
            ),
        ]
        super().__init__(columns, parent)
        self._thread = thread

    @property
    def going_on(self) -> int:
        """How many jobs are queued or run."""
        return sum(row.state in GOING_ON for row in self.everything)

    @property
    def share(self) -> float | None:
        """How much of what is queued or runs is done, from 0 to 1; None while that is not known."""
        rows = [row for row in self.everything if row.state in GOING_ON]
        total = sum(row.total for row in rows)
        return sum(row.done for row in rows) / total if total else None

    def reload(self) -> None:
        """Show what is remembered now."""
        self._thread.submit(known_jobs, self._take_known, self.failed.emit, owner=self)

    def on_events(self, events: list[Event]) -> None:
        """Follow jobs as they begin, move on and end."""
        changed = [self._changed(event) for event in events if isinstance(event, JobChanged)]
        if changed:
            self.merge(changed)

    def take_job(self, job: Job) -> None:
        """Show the state of a job that was just steered."""
        self.merge([row_of(job)])

    def take_counts(self, job: Job) -> None:
        """Show what became of the pages of a job; its estimate stays."""
        known = self._all.get(job.id)
        self.merge([row_of(job, known.seconds_left if known is not None else None)])

    def _take_known(self, known: list[JobRow]) -> None:
        self.replace(known)
        self.loaded.emit()

    def _changed(self, event: JobChanged) -> JobRow:
        known = self._all.get(event.job_id)
        row = JobRow(
            id=event.job_id,
            kind=event.kind,
            target=event.target,
            state=event.state,
            done=event.done,
            total=event.total,
            failed=event.failed,
            detail=event.detail,
            seconds_left=event.seconds_left,
            begun_at=time.time(),
        )
        return row if known is None else replace(row, begun_at=known.begun_at, counts=known.counts)


def page_name(url: str) -> str:
    """What tells a page from the others of a job: its place on the site, the name of a file."""
    if path := local_path(url):
        return short_path(path)
    parts = urlsplit(url)
    query = f"?{parts.query}" if parts.query else ""
    return unquote(parts.path).strip("/") + query or plain_address(url)


class UnreadModel(RowsModel["JobItem"]):
    """Pages of one job that were not read, with the reason."""

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[JobItem]] = [
            Column(_tr("Page"), lambda i: page_name(i.url), lambda i: i.url, tip=lambda i: i.url, is_address=True),
            Column(
                _tr("Reason"),
                lambda i: spoken(i.reason),
                lambda i: spoken(i.reason),
                tip=lambda i: spoken(i.reason),
                mark=lambda i: ("error", "danger") if i.state.value == BROKEN else ("info", "muted"),
            ),
        ]
        super().__init__(columns, parent, lambda item: item.url)
        self._cause: Cause | None = None

    def show_cause(self, cause: Cause | None) -> None:
        """Show only the pages with one cause."""
        self._cause = cause
        self.rearrange()

    def accepts(self, record: JobItem) -> bool:
        cause = self._cause
        is_failure = record.state.value == BROKEN
        return (
            cause is None
            or cause.kind == ALL
            or (cause.is_failure == is_failure and kind_of(record.reason) == cause.kind)
        )


async def known_jobs(engine: Engine) -> list[JobRow]:
    """The jobs that are remembered, with the time that those under way still take."""
    return [row_of(job, engine.jobs.seconds_left(job.id)) for job in await engine.jobs.jobs(caps.MAX_JOBS_KEPT)]


async def unread_items(engine: Engine, job_id: int) -> list[JobItem]:
    """What a job could not read, then what it left out on purpose."""
    from app.library.job_records import ItemState

    failed = await engine.jobs.items(job_id, states=(ItemState.FAILED,), limit=SHOWN_ITEMS)
    left_out = await engine.jobs.items(job_id, states=(ItemState.SKIPPED,), limit=SHOWN_ITEMS - len(failed))
    return [*failed, *left_out]
