"""Keep passages for those who asked, for a while; give each back to its owner only."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.errors import InvalidArgumentError, PassageExpiredError
from app.scratch import addresses
from app.scratch.counters import PressureAlarm, ScratchCounters
from app.scratch.kept import Kept, cost_of, size_of
from app.scratch.pins import Pins
from app.scratch.records import PINNED, Passage, PassageIn
from app.scratch.shelf import NoShelf, Shelf

EXPIRED: Final = "Passage expired; call kb.search again"
_BATCH: Final = 256
"""Passages forgotten in one critical section."""

Change = Callable[[bool], None]
"""Told after something was kept or removed; True when the pinned passages changed."""


def expired() -> PassageExpiredError:
    """The one answer for what is unknown, expired, somebody else's or no address at all."""
    return PassageExpiredError(EXPIRED)


@dataclass(frozen=True, slots=True)
class Holding:
    """For whom a passage is kept, and the seconds until it expires if nobody reads it."""

    owner: str
    seconds_left: float


class ScratchStore:
    """Passages in memory: least recently used ones go first, unused ones after their time, pinned ones never.

    Thread-safe; no method but those that pin and unpin waits for anything. `on_change` is called on the thread that changed it.
    """

    def __init__(
        self,
        max_bytes: int = caps.SCRATCH_DEFAULT_MB * caps.MIB,
        ttl_seconds: float = caps.SCRATCH_SECONDS,
        clock: Callable[[], float] = time.time,
        *,
        shelf: Shelf | None = None,
        on_change: Change | None = None,
    ) -> None:
        self._clock = clock
        self._kept = Kept(max_bytes, ttl_seconds)
        self._largest = min(caps.SCRATCH_PASSAGE_BYTES, int(max_bytes * caps.SCRATCH_SESSION_SHARE))
        self._pins = Pins(shelf or NoShelf())
        self._alarm = PressureAlarm(max_bytes)
        self._lock = threading.Lock()
        self._refused = 0
        self.on_change = on_change

    def session(self, owner: str, session_id: str | None = None) -> str:
        """The owner's session, begun if there is none. Raises PassageExpiredError when a named one is not his."""
        with self._lock:
            if session_id is None:
                return self._kept.session_of(owner, self._clock()).id
            session = self._kept.named_session(owner, session_id, self._clock())
        if session is None:
            raise self._refuse()
        return session.id

    def secret(self, session_id: str) -> bytes:
        """Random bytes that last as long as the session, to sign cursors. Raises PassageExpiredError."""
        with self._lock:
            session = self._kept.sessions.get(session_id)
        if session is None:
            raise expired()
        return session.secret

    def put(self, owner: str, session_id: str, content: PassageIn) -> Passage:
        """Keep a passage; the same content in the same session is the same passage.

        Raises PassageExpiredError for a session that is not his, InvalidArgumentError for a passage too large to keep.
        """
        size, cost = size_of(content), cost_of(content)
        if cost > self._largest:
            raise InvalidArgumentError(
                f"A passage of {size:,} bytes is too large to keep; {self._largest:,} are allowed.",
                hint="Ask for a smaller part, or raise SCRATCH_MAX_MB.",
            )
        with self._lock:
            now = self._clock()
            self._kept.forget_expired(now, _BATCH)
            session = self._kept.named_session(owner, session_id, now)
            before = self._kept.evictions
            entry = self._kept.add(session, content, size, cost, now) if session is not None else None
            evicted = self._kept.evictions - before
        if entry is None:
            raise self._refuse()
        if evicted:
            self._alarm.note(evicted, now)
        self._changed()
        return entry.passage

    def get(self, owner: str, passage_id: str, session_id: str | None = None) -> Passage:
        """A passage of this owner, or a pinned one, which its reading keeps alive. Raises PassageExpiredError."""
        with self._lock:
            now = self._clock()
            is_his = session_id is None or self._kept.named_session(owner, session_id, now) is not None
            entry = self._kept.living(passage_id, now) if is_his else None
            if entry is not None and entry.session.owner == owner and session_id in (None, entry.session.id):
                self._kept.touch(entry, now)
                return entry.passage
            pinned = self._pins.get(passage_id) if is_his else None
        if pinned is None:
            raise self._refuse()
        return pinned

    def read_uri(self, owner: str, uri: str) -> Passage:
        """The passage at an address. Raises PassageExpiredError, the same for every address that is not exactly one of his."""
        parts = addresses.split(uri)
        if parts is None:
            raise self._refuse()
        session_id, passage_id = parts
        if session_id != PINNED:
            return self._own(owner, passage_id, session_id)
        with self._lock:
            pinned = self._pins.get(passage_id)
        if pinned is None:
            raise self._refuse()
        return pinned

    def find(self, owner: str, id_or_uri: str, session_id: str | None = None) -> Passage:
        """A passage by its id or by its address. Raises PassageExpiredError."""
        if addresses.is_address(id_or_uri):
            return self.read_uri(owner, id_or_uri)
        return self.get(owner, id_or_uri, session_id)

    def remember_position(self, owner: str, passage_id: str, end: int) -> None:
        """Note how far the owner has read in a passage."""
        with self._lock:
            positions = self._kept.session_of(owner, self._clock()).positions
            positions[passage_id] = end
            positions.move_to_end(passage_id)
            if len(positions) > caps.SCRATCH_PASSAGES_PER_SESSION:
                positions.popitem(last=False)

    def position(self, owner: str, passage_id: str) -> int | None:
        """How far the owner has read in a passage; None where he has not begun."""
        with self._lock:
            return self._kept.session_of(owner, self._clock()).positions.get(passage_id)

    def listing(self, owner: str, limit: int = caps.SCRATCH_PASSAGES_PER_SESSION) -> list[Passage]:
        """What the owner can read of his own, last used first."""
        return self.everything(limit, owner=owner)

    def everything(self, limit: int = caps.SCRATCH_PASSAGES, *, owner: str | None = None) -> list[Passage]:
        """What is kept, of all owners unless one is named, last used first."""
        with self._lock:
            now, ttl = self._clock(), self._kept.ttl
            entries = [entry for entry in reversed(self._kept.entries.values()) if now - entry.used < ttl]
        return [entry.passage for entry in entries if owner is None or entry.session.owner == owner][:limit]

    def holding(self, passage_id: str) -> Holding | None:
        """For whom a passage is kept, and how long; None where it is not, or only pinned."""
        with self._lock:
            entry, now = self._kept.entries.get(passage_id), self._clock()
        if entry is None or (left := entry.used + self._kept.ttl - now) <= 0:
            return None
        return Holding(entry.session.owner, left)

    def pinned(self) -> list[Passage]:
        """The pinned passages, the latest first."""
        with self._lock:
            return self._pins.all()

    def is_pinned(self, passage_id: str) -> bool:
        with self._lock:
            return self._pins.get(passage_id) is not None

    def look(self, passage_id: str) -> Passage:
        """A passage for the person, whoever asked for it; keeps nothing alive. Raises PassageExpiredError."""
        with self._lock:
            entry = self._kept.entries.get(passage_id)
            passage = self._pins.get(passage_id) or (entry.passage if entry is not None else None)
        if passage is None:
            raise PassageExpiredError(
                "No passage with this id is kept (any more).", hint="List the kept passages to see what there is."
            )
        return passage

    def pin(self, passage_id: str) -> Passage:
        """Keep a passage for good, readable by every assistant; blocking. Raises PassageExpiredError, InvalidArgumentError."""
        passage = replace(self.look(passage_id), session_id=PINNED)
        self._pins.add(passage, self._lock)
        self._changed(pins=True)
        return passage

    def unpin(self, passage_id: str) -> bool:
        """Let a pinned passage go; its owner keeps his for as long as it lives. Blocking; False when it was not pinned."""
        removed = self._pins.discard(passage_id, self._lock)
        if removed:
            self._changed(pins=True)
        return removed

    def delete(self, passage_id: str) -> bool:
        """Forget a passage, pinned or not; blocking. False when there was none."""
        was_pinned = self._pins.discard(passage_id, self._lock)
        with self._lock:
            entry = self._kept.entries.get(passage_id)
            if entry is not None:
                self._kept.remove(entry)
        if was_pinned or entry is not None:
            self._changed(pins=was_pinned)
        return was_pinned or entry is not None

    def sweep(self) -> int:
        """Forget what has expired; how many that were."""
        removed, batch = 0, _BATCH
        while batch == _BATCH:
            with self._lock:
                batch = self._kept.forget_expired(self._clock(), _BATCH)
            removed += batch
        if removed:
            self._changed()
        return removed

    def seconds_to_expiry(self) -> float | None:
        """When the passage that was unused longest expires; None when nothing is kept."""
        with self._lock:
            oldest = next(iter(self._kept.entries.values()), None)
            return max(0.0, oldest.used + self._kept.ttl - self._clock()) if oldest is not None else None

    @property
    def counters(self) -> ScratchCounters:
        with self._lock:
            kept, pins = self._kept, self._pins
            return ScratchCounters(
                len(kept.entries),
                kept.bytes,
                len(kept.sessions),
                len(pins),
                pins.bytes,
                kept.evictions,
                kept.expirations,
                self._refused,
            )

    def _own(self, owner: str, passage_id: str, session_id: str) -> Passage:
        with self._lock:
            now = self._clock()
            entry = self._kept.living(passage_id, now)
            if entry is not None and entry.session.owner == owner and entry.session.id == session_id:
                self._kept.touch(entry, now)
                return entry.passage
        raise self._refuse()

    def _refuse(self) -> PassageExpiredError:
        with self._lock:
            self._refused += 1
        return expired()

    def _changed(self, *, pins: bool = False) -> None:
        if self.on_change is not None:
            self.on_change(pins)
