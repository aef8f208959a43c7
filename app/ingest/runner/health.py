"""When a job should give up: when most of what it tries fails."""

from __future__ import annotations

from collections import Counter

from app import caps
from app.corpus.job_records import JobCounts
from app.errors import HTTPStatusError, WebRAGError

MISSING = (404, 410)


class Health:
    """Counts what succeeded and failed. `share` is the share of failures that is too much; 1.0 means all of them."""

    def __init__(self, share: float, counts: JobCounts | None = None) -> None:
        counts = counts or JobCounts()
        self._share = share
        self._succeeded = counts.stored + counts.updated + counts.unchanged
        self._missing = counts.failed
        self._broken = 0
        self._reasons: Counter[str] = Counter()
        self._hints: dict[str, str] = {}

    def succeeded(self) -> None:
        self._succeeded += 1

    def failed(self, error: WebRAGError) -> None:
        if isinstance(error, HTTPStatusError) and error.status in MISSING:
            self._missing += 1
        else:
            self._broken += 1
        self._reasons[error.title] += 1
        self._hints[error.title] = f"for example: {error.message} {error.hint}"

    @property
    def has_succeeded(self) -> bool:
        """Whether anything was read."""
        return self._succeeded > 0

    @property
    def verdict(self) -> str:
        """Why the job should end, in words; empty while it should go on.

        Dead links of a site that can be read are no failure of it, unless there are few other pages.
        """
        tried = self._succeeded + self._missing + self._broken
        counted = tried if tried >= caps.DEAD_LINKS_TOLERATED or not self._succeeded else tried - self._missing
        failures = counted - self._succeeded
        if not self._reasons or counted < caps.FAIL_FAST_ITEMS or failures < counted * self._share:
            return ""
        return f"Stopped because {failures} of {counted} pages failed. {self._main_reason}"

    @property
    def barren(self) -> str:
        """Why nothing at all was read, in words; empty when something was."""
        return f"No page could be read. {self._main_reason}" if self._reasons and not self._succeeded else ""

    @property
    def _main_reason(self) -> str:
        reason, times = self._reasons.most_common(1)[0]
        return f"{reason} ({times}×), {self._hints[reason]}"
