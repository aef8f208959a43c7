"""The scratch store: passages that tools save for some time, each readable by its owner only.

Also contains its counters, the warning about memory pressure, and the timer that removes expired passages.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import InvalidArgumentError, PassageExpiredError, UnknownPassageError
from app.events import EventBus, ScratchChanged
from app.library.records import PassageIn
from app.scratch.passage import (
    PINNED,
    SCRATCH_PASSAGES,
    SCRATCH_SESSION_SHARE,
    Passage,
    PassageCache,
    Pins,
    cost_of,
    is_address,
    size_of,
    split_address,
)
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.corpus.corpus import PinStore

log = logging.getLogger(__name__)

SCRATCH_EVICTIONS_WARNED: Final = 100  # Evictions within a minute that trigger a warning in the log.
SCRATCH_EVICTION_WINDOW_SECONDS: Final = 60.0
SCRATCH_WARNING_SECONDS: Final = 600.0  # Minimum seconds between warnings.
SCRATCH_EVENT_SECONDS: Final = 0.5  # Changes within this time are reported as one event.
SCRATCH_SWEEP_SECONDS: Final = 60.0  # Minimum seconds between searches for expired passages.
EXPIRED: Final = "Passage expired; call kb.search again"
UNKNOWN: Final = "Unknown passage; call kb.search again"
_BATCH: Final = 256  # Most passages removed while holding the lock.

Change = Callable[[bool], None]  # Called after a passage was added or removed; True if the pinned passages changed.


_BEGUN: Final = time.time() - time.monotonic()


def steady_time() -> float:
    """Return seconds since the epoch, not affected by later changes of the system clock."""
    return _BEGUN + time.monotonic()


def expired() -> PassageExpiredError:
    """Return the error for a session or passage that the owner had before."""
    return PassageExpiredError(EXPIRED)


def unknown() -> UnknownPassageError:
    """Return the error for a passage that never existed, belongs to another owner, or is not an ID at all."""
    return UnknownPassageError(UNKNOWN)


@dataclass(frozen=True, slots=True)
class Holding:
    """The owner of a passage, and the seconds until it expires unless it is read."""

    owner: str
    seconds_left: float


class ScratchStore:
    """Passages in memory until evicted, expired or pinned. Thread-safe; only pinning and unpinning block."""

    def __init__(
        self,
        max_bytes: int = caps.SCRATCH_DEFAULT_MB * caps.MIB,
        ttl_seconds: float = caps.SCRATCH_SECONDS,
        clock: Callable[[], float] = steady_time,
        *,
        pins: PinStore | None = None,
        ids_name_chunks: bool = False,
    ) -> None:
        self._clock = clock
        self._cache = PassageCache(max_bytes, ttl_seconds, ids_name_chunks=ids_name_chunks)
        self._largest = min(caps.SCRATCH_PASSAGE_BYTES, int(max_bytes * SCRATCH_SESSION_SHARE))
        self._pins = Pins(pins)
        self._alarm = PressureAlarm(max_bytes)
        self._lock = threading.Lock()
        self.on_change: Change | None = None

    @property
    def ids_name_chunks(self) -> bool:
        """Whether an ID that is unknown here can encode a chunk that another program returned."""
        return self._cache.ids_name_chunks

    def session(self, owner: str, session_id: str | None = None) -> str:
        """Return the owner's session, or start one. Raises PassageExpiredError if the named session belongs to another owner."""
        with self._lock:
            if session_id is None:
                return self._cache.session_of(owner, self._clock()).id
            session = self._cache.named_session(owner, session_id, self._clock())
        if session is None:
            raise expired()
        return session.id

    def secret(self, session_id: str) -> bytes:
        """Return random bytes for signing cursors, valid as long as the session. Raises PassageExpiredError."""
        with self._lock:
            session = self._cache.sessions.get(session_id)
        if session is None:
            raise expired()
        return session.secret

    def put(self, owner: str, session_id: str, content: PassageIn) -> Passage:
        """Save a passage, once per session and content. Raises PassageExpiredError, InvalidArgumentError."""
        size, cost = size_of(content), cost_of(content)
        if cost > self._largest:
            raise InvalidArgumentError(
                sentence("A passage of {} bytes is too large; {} are allowed.", f"{size:,}", f"{self._largest:,}"),
                hint="Request a smaller part, or increase “Memory for recent passages” in Settings > Server.",
            )
        with self._lock:
            now = self._clock()
            self._cache.forget_expired(now, _BATCH)
            session = self._cache.named_session(owner, session_id, now)
            before = self._cache.evictions
            entry = self._cache.add(session, content, size, cost, now) if session is not None else None
            evicted = self._cache.evictions - before
        if entry is None:
            raise expired()
        if evicted:
            self._alarm.note(evicted, now)
        self._changed()
        return entry.passage

    def get(self, owner: str, passage_id: str, session_id: str | None = None) -> Passage:
        """Return a passage of this owner, or a pinned one, and renew its time. Raises PassageExpiredError."""
        with self._lock:
            now = self._clock()
            is_owned = session_id is None or self._cache.named_session(owner, session_id, now) is not None
            entry = self._cache.living(passage_id, now) if is_owned else None
            if entry is not None and entry.session.owner == owner and session_id in (None, entry.session.id):
                self._cache.touch(entry, now)
                return entry.passage
            pinned = self._pins.get(passage_id) if is_owned else None
            had = self._cache.had(owner, passage_id)
        if pinned is None:
            raise expired() if had else unknown()
        return pinned

    def read_uri(self, owner: str, uri: str) -> Passage:
        """Return the passage at an address. Raises PassageExpiredError, the same for every address that was never the owner's."""
        parts = split_address(uri)
        if parts is None:
            raise unknown()
        session_id, passage_id = parts
        if session_id != PINNED:
            return self.get(owner, passage_id, session_id)
        with self._lock:
            pinned = self._pins.get(passage_id)
        if pinned is None:
            raise unknown()
        return pinned

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Passage:
        """Return a passage by its ID or address. Raises PassageExpiredError."""
        if is_address(id_or_uri):
            return self.read_uri(owner, id_or_uri)
        return self.get(owner, id_or_uri, session_id)

    def remember_position(self, owner: str, passage_id: str, end: int) -> None:
        """Record how far the owner has read in a passage."""
        with self._lock:
            positions = self._cache.session_of(owner, self._clock()).positions
            positions[passage_id] = end
            positions.move_to_end(passage_id)
            if len(positions) > caps.SCRATCH_PASSAGES_PER_SESSION:
                positions.popitem(last=False)

    def position(self, owner: str, passage_id: str) -> int | None:
        """Return how far the owner has read in a passage; None if the owner has not started."""
        with self._lock:
            return self._cache.session_of(owner, self._clock()).positions.get(passage_id)

    def listing(self, owner: str, limit: int = caps.SCRATCH_PASSAGES_PER_SESSION) -> list[Passage]:
        """Return the owner's own passages, last used first."""
        return self.everything(limit, owner=owner)

    def everything(self, limit: int = SCRATCH_PASSAGES, *, owner: str | None = None) -> list[Passage]:
        """Return the passages of all owners or of one, last used first."""
        with self._lock:
            now, ttl = self._clock(), self._cache.ttl
            entries = [entry for entry in reversed(self._cache.entries.values()) if now - entry.used < ttl]
        return [entry.passage for entry in entries if owner is None or entry.session.owner == owner][:limit]

    def holding(self, passage_id: str) -> Holding | None:
        """Return the owner and the remaining time of a passage; None if it is not cached, or only pinned."""
        with self._lock:
            entry, now = self._cache.entries.get(passage_id), self._clock()
        if entry is None or (left := entry.used + self._cache.ttl - now) <= 0:
            return None
        return Holding(entry.session.owner, left)

    def pinned(self) -> list[Passage]:
        """Return the pinned passages, newest first."""
        with self._lock:
            return self._pins.all()

    def is_pinned(self, passage_id: str) -> bool:
        with self._lock:
            return self._pins.get(passage_id) is not None

    def look(self, passage_id: str) -> Passage:
        """Return any owner's passage for the window without renewing its time. Raises PassageExpiredError."""
        with self._lock:
            entry = self._cache.entries.get(passage_id)
            passage = self._pins.get(passage_id) or (entry.passage if entry is not None else None)
        if passage is None:
            raise UnknownPassageError(
                sentence("The passage has expired or was deleted."),
                hint="List the recent passages to see which are available.",
            )
        return passage

    def pin(self, passage_id: str) -> Passage:
        """Keep a passage permanently, readable by every assistant. Blocking. Raises PassageExpiredError, InvalidArgumentError."""
        passage = replace(self.look(passage_id), session_id=PINNED)
        self._pins.add(passage, self._lock)
        self._changed(pins=True)
        return passage

    def unpin(self, passage_id: str) -> bool:
        """Unpin a passage; the owner's copy stays until it expires. Blocking. Return False if it was not pinned."""
        removed = self._pins.discard(passage_id, self._lock)
        if removed:
            self._changed(pins=True)
        return removed

    def delete(self, passage_id: str) -> bool:
        """Delete a passage, pinned or not. Blocking. Return False if it did not exist."""
        was_pinned = self._pins.discard(passage_id, self._lock)
        with self._lock:
            entry = self._cache.entries.get(passage_id)
            if entry is not None:
                self._cache.remove(entry)
        if was_pinned or entry is not None:
            self._changed(pins=was_pinned)
        return was_pinned or entry is not None

    def sweep(self) -> int:
        """Remove expired passages and return their number."""
        removed, batch = 0, _BATCH
        while batch == _BATCH:
            with self._lock:
                batch = self._cache.forget_expired(self._clock(), _BATCH)
            removed += batch
        if removed:
            self._changed()
        return removed

    def seconds_to_expiry(self) -> float | None:
        """Return the seconds until the next passage expires; None if there are no passages."""
        with self._lock:
            oldest = next(iter(self._cache.entries.values()), None)
            return max(0.0, oldest.used + self._cache.ttl - self._clock()) if oldest is not None else None

    @property
    def counters(self) -> ScratchCounters:
        with self._lock:
            cache, pins = self._cache, self._pins
            return ScratchCounters(len(cache.entries), cache.bytes, len(cache.sessions), len(pins), cache.evictions)

    def _changed(self, *, pins: bool = False) -> None:
        if self.on_change is not None:
            self.on_change(pins)


# --- Counters ---


@dataclass(frozen=True, slots=True)
class ScratchCounters:
    """Current numbers, and the number of passages evicted since the start."""

    kept: int = 0
    bytes: int = 0
    sessions: int = 0
    pinned: int = 0
    evictions: int = 0


class PressureAlarm:
    """Warns, at most once per interval, if many passages are evicted before they expire."""

    def __init__(self, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._since = float("-inf")
        self._count = 0
        self._warned = float("-inf")

    def note(self, evictions: int, now: float) -> None:
        """Count evictions, and log a warning if they are frequent."""
        if now - self._since >= SCRATCH_EVICTION_WINDOW_SECONDS:
            self._since, self._count = now, 0
        self._count += evictions
        if self._count < SCRATCH_EVICTIONS_WARNED or now - self._warned < SCRATCH_WARNING_SECONDS:
            return
        self._warned = now
        log.warning(
            "%d MiB of scratch memory is too little: %d passages were removed early within a minute; increase SCRATCH_MAX_MB",
            self._max_bytes // caps.MIB,
            self._count,
        )


# --- Sweeping ---


class CacheSweeper:
    """Runs on the event loop that called `start`; does not wake up while the store is empty."""

    def __init__(self, store: ScratchStore, bus: EventBus) -> None:
        self._store = store
        self._bus = bus
        self._lock = threading.Lock()
        self._is_told = False
        self._pins_changed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Start to follow the store."""
        self._loop = asyncio.get_running_loop()
        self._store.on_change = self._on_change

    def stop(self) -> None:
        """Stop following the store."""
        self._store.on_change = None
        self._loop = None
        for timer in (self._telling, self._sweeping):
            if timer is not None:
                timer.cancel()
        self._telling = self._sweeping = None

    def _on_change(self, pins: bool) -> None:
        loop = self._loop
        with self._lock:
            self._pins_changed = self._pins_changed or pins
            is_first, self._is_told = not self._is_told, True
        if is_first and loop is not None:
            loop.call_soon_threadsafe(self._tell_soon)

    def _tell_soon(self) -> None:
        if self._loop is not None:
            self._telling = self._loop.call_later(SCRATCH_EVENT_SECONDS, self._tell)

    def _tell(self) -> None:
        with self._lock:
            pins_changed, self._pins_changed, self._is_told = self._pins_changed, False, False
        counters = self._store.counters
        self._bus.publish(ScratchChanged(counters.kept, counters.bytes, counters.pinned, pins_changed))
        self._plan_sweep()

    def _plan_sweep(self) -> None:
        if self._loop is None or self._sweeping is not None:
            return
        seconds = self._store.seconds_to_expiry()
        if seconds is not None:
            self._sweeping = self._loop.call_later(max(seconds, SCRATCH_SWEEP_SECONDS), self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self._store.sweep()
        self._plan_sweep()
