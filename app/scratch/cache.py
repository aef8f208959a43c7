"""Passages in order of use, bound to the sessions of their owners, limited by bytes and count. Not thread-safe: the store locks."""

from __future__ import annotations

import secrets
import sys
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from app import caps
from app.library.records import PassageIn
from app.scratch.passage import (
    Passage,
    chunk_of_passage,
    names_chunk,
    new_passage_id,
    new_session_id,
    passage_id_of_chunk,
)

SCRATCH_SESSION_SHARE: Final = 0.5  # Of the memory; beyond it, a session loses its own oldest passages.
SCRATCH_PASSAGES: Final = 20_000

SCRATCH_SESSION_SECONDS: Final = 24 * 3600.0  # Longer than its passages, so that it can continue.
SCRATCH_SESSIONS: Final = 1_000

SCRATCH_GONE: Final = 5_000  # Expired IDs to remember, so that their owners get the right error.

_OVERHEAD_BYTES = 700  # Measured size of the objects and table entries of one passage, without its texts.
_SECRET_BYTES = 32


@dataclass(slots=True)
class Entry:
    """A passage with the time of its last use and its size in memory."""

    passage: Passage
    session: Session
    cost: int
    used: float


@dataclass(slots=True)
class Session:
    """The passages of one owner. `entries` is in order of use; `positions` is how far each passage has been read."""

    id: str
    owner: str
    used: float
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(_SECRET_BYTES))
    entries: OrderedDict[str, Entry] = field(default_factory=OrderedDict)
    by_content: dict[PassageIn, str] = field(default_factory=dict)
    positions: OrderedDict[str, int] = field(default_factory=OrderedDict)
    cost: int = 0


def cost_of(content: PassageIn) -> int:
    """Return the size in memory, in bytes."""
    texts = (content.text, content.title, content.source_uri, content.section_id, content.doc_tag)
    return _OVERHEAD_BYTES + sum(map(sys.getsizeof, texts))


def size_of(content: PassageIn) -> int:
    """Return the size of the text in UTF-8 bytes."""
    text = content.text
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


class PassageCache:
    """The entries of all sessions. `evictions` and `expirations` are running totals. With `ids_name_chunks`, IDs encode their chunk."""

    def __init__(self, max_bytes: int, ttl_seconds: float, *, ids_name_chunks: bool = False) -> None:
        self.ids_name_chunks = ids_name_chunks
        self.max_bytes = max_bytes
        self.ttl = ttl_seconds
        self.bytes = 0
        self.evictions = 0
        self.expirations = 0
        self.entries: OrderedDict[str, Entry] = OrderedDict()
        self.sessions: OrderedDict[str, Session] = OrderedDict()
        self._by_owner: dict[str, Session] = {}
        self._gone: OrderedDict[str, str] = OrderedDict()

    def session_of(self, owner: str, now: float) -> Session:
        """Return the owner's session, or a new one if it does not exist or has expired."""
        session = self._by_owner.get(owner)
        if session is not None and self._is_over(session, now):
            self._end(session)
            session = None
        if session is None:
            session = Session(new_session_id(), owner, now)
            self.sessions[session.id] = self._by_owner[owner] = session
            while len(self.sessions) > SCRATCH_SESSIONS:
                self._end(next(iter(self.sessions.values())))
        self._use(session, now)
        return session

    def named_session(self, owner: str, session_id: str, now: float) -> Session | None:
        """Return the session with this ID if it belongs to this owner."""
        session = self.sessions.get(session_id)
        if session is None or session.owner != owner or self._is_over(session, now):
            return None
        self._use(session, now)
        return session

    def add(self, session: Session, content: PassageIn, size: int, cost: int, now: float) -> Entry:
        """Add a passage or return the existing one. Evicts others first if the cache is full."""
        known = session.by_content.get(content)
        if known is not None:
            entry = session.entries[known]
            self.touch(entry, now)
            return entry
        self._make_room(session, cost)
        passage = Passage(self._free_id(content), session.id, content, now, size)
        entry = Entry(passage, session, cost, now)
        session.entries[passage.id] = self.entries[passage.id] = entry
        session.by_content[content] = passage.id
        session.cost += cost
        self.bytes += cost
        return entry

    def living(self, passage_id: str, now: float) -> Entry | None:
        """Return the entry unless it has expired."""
        entry = self.entries.get(passage_id)
        if entry is not None and now - entry.used >= self.ttl:
            self.expirations += 1
            self.remove(entry)
            return None
        return entry

    def touch(self, entry: Entry, now: float) -> None:
        entry.used = now
        self.entries.move_to_end(entry.passage.id)
        entry.session.entries.move_to_end(entry.passage.id)
        self._use(entry.session, now)

    def remove(self, entry: Entry) -> None:
        session, passage_id = entry.session, entry.passage.id
        del self.entries[passage_id], session.entries[passage_id], session.by_content[entry.passage.content]
        session.positions.pop(passage_id, None)
        session.cost -= entry.cost
        self.bytes -= entry.cost
        self._gone[passage_id] = session.owner
        if len(self._gone) > SCRATCH_GONE:
            self._gone.popitem(last=False)

    def had(self, owner: str, passage_id: str) -> bool:
        """Whether this owner had a passage that has expired or was deleted."""
        return self._gone.get(passage_id) == owner

    def forget_expired(self, now: float, most: int) -> int:
        """Remove up to `most` expired passages and sessions. The order of use is the order of expiry."""
        removed = 0
        while removed < most and self.entries:
            entry = next(iter(self.entries.values()))
            if now - entry.used < self.ttl:
                break
            self.remove(entry)
            removed += 1
        self.expirations += removed
        for session in list(self.sessions.values())[:1]:
            if self._is_over(session, now):
                self._end(session)
        return removed

    def _make_room(self, session: Session, cost: int) -> None:
        share = int(self.max_bytes * SCRATCH_SESSION_SHARE)
        while session.entries and (
            session.cost + cost > share or len(session.entries) >= caps.SCRATCH_PASSAGES_PER_SESSION
        ):
            self._evict(next(iter(session.entries.values())))
        while self.entries and (self.bytes + cost > self.max_bytes or len(self.entries) >= SCRATCH_PASSAGES):
            self._evict(next(iter(self.entries.values())))

    def _evict(self, entry: Entry) -> None:
        self.evictions += 1
        self.remove(entry)

    def _free_id(self, content: PassageIn) -> str:
        chunk_id = int(content.section_id) if self.ids_name_chunks and names_chunk(content) else None
        while True:
            candidate = passage_id_of_chunk(chunk_id) if chunk_id is not None else new_passage_id()
            is_misread = self.ids_name_chunks and chunk_id is None and chunk_of_passage(candidate) is not None
            if candidate not in self.entries and not is_misread:
                return candidate

    def _is_over(self, session: Session, now: float) -> bool:
        return now - session.used >= max(SCRATCH_SESSION_SECONDS, self.ttl)

    def _use(self, session: Session, now: float) -> None:
        session.used = now
        self.sessions.move_to_end(session.id)

    def _end(self, session: Session) -> None:
        for entry in list(session.entries.values()):
            self._evict(entry)
        del self.sessions[session.id], self._by_owner[session.owner]
