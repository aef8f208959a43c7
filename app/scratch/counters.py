"""What the store counts, and when it warns."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from app import caps

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class ScratchCounters:
    """What is kept now, and since the start: removed for want of room, forgotten after their time, reads refused."""

    kept: int = 0
    bytes: int = 0
    sessions: int = 0
    pinned: int = 0
    pinned_bytes: int = 0
    evictions: int = 0
    expirations: int = 0
    refused_reads: int = 0


class PressureAlarm:
    """Warns once in a while when many passages go before their time."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._since = float("-inf")
        self._count = 0
        self._warned = float("-inf")

    def note(self, evictions: int, now: float) -> None:
        """Count evictions, and say so in the log when they are frequent."""
        if now - self._since >= caps.SCRATCH_EVICTION_WINDOW_SECONDS:
            self._since, self._count = now, 0
        self._count += evictions
        if self._count < caps.SCRATCH_EVICTIONS_WARNED or now - self._warned < caps.SCRATCH_WARNING_SECONDS:
            return
        self._warned = now
        log.warning(
            "scratch memory of %d MiB is short: %d passages went before their time within a minute; SCRATCH_MAX_MB raises it",
            self._max_bytes // caps.MIB,
            self._count,
        )
