"""Jobs that fetch many pages, and their items, as every store returns and accepts them.

Times are seconds since the epoch.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self

LARGEST_ID: Final = 2**63 - 1  # Largest integer that every store accepts.
MAX_ENDED_JOB_ITEMS: Final = 250_000  # Pages of finished jobs to keep. The oldest jobs are deleted first.


class JobKind(StrEnum):
    """The source of a background job."""

    CRAWL = "crawl"  # A site, from a page to the limits of its scope.
    PAGES = "pages"  # A list of pages, for example imported bookmarks.
    FOLDER = "folder"  # The files of a folder.
    PACKAGES = "packages"  # The documentation of packages, mostly of a project.


class JobState(StrEnum):
    """State of a job. Queued and running jobs continue after a restart, paused ones when they are resumed."""

    QUEUED = "queued"
    RUNNING = "running"
    PAUSED = "paused"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


class ItemState(StrEnum):
    """State of one page or file of a job."""

    WAITING = "waiting"
    STORED = "stored"
    UPDATED = "updated"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"  # Skipped by rule: robots.txt, noindex, not text.
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class JobCounts:
    """Number of items of a job by state."""

    waiting: int = 0
    stored: int = 0
    updated: int = 0
    unchanged: int = 0
    skipped: int = 0
    failed: int = 0

    @property
    def done(self) -> int:
        return self.stored + self.updated + self.unchanged + self.skipped + self.failed

    @property
    def total(self) -> int:
        return self.done + self.waiting


@dataclass(frozen=True, slots=True)
class Job:
    """A background job for a target; `options` is JSON, `detail` what the job waits for or why it ended."""

    id: int
    kind: JobKind
    target: str
    options: str
    state: JobState
    detail: str
    created_at: float
    started_at: float | None
    finished_at: float | None
    counts: JobCounts

    @classmethod
    def of_row(cls, row: Iterable[Any]) -> Self:
        """Build a job from a store's row: the fields in order, then the number of items by state."""
        id_, kind, target, options, state, detail, created_at, started_at, finished_at, *counts = row
        times = (created_at, started_at, finished_at)
        return cls(id_, JobKind(kind), target, options, JobState(state), detail, *times, JobCounts(*counts))


@dataclass(frozen=True, slots=True)
class JobItem:
    """One page or file of a job. `depth` is its distance from the start in links, `reason` why it was skipped or failed."""

    url: str
    depth: int
    state: ItemState = ItemState.WAITING
    reason: str = ""

    @classmethod
    def of_row(cls, row: Iterable[Any]) -> Self:
        """Build an item from a store's row."""
        url, depth, state, reason = row
        return cls(url, depth, ItemState(state), reason)
