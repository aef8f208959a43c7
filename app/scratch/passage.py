"""Saved passages, their strict address format, pinned passages, and the cache of the others."""

from __future__ import annotations

import re
import secrets
import string
import sys
import threading
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import InvalidArgumentError
from app.library.records import PassageIn
from app.library.scope import SCHEME
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.corpus.corpus import PinStore

ALIAS_SCHEME: Final = "wekadocs"
OWN_ADDRESSES: Final = (f"{SCHEME}://", f"{ALIAS_SCHEME}://")
"""Prefixes of the addresses of WebRAG's own passages and pages."""
PINNED: Final = "pinned"  # The session of pinned passages: every assistant on this computer can read them.


@dataclass(frozen=True, slots=True)
class Passage:
    """A saved text. `id` is opaque and random, `created_at` is seconds since the epoch, `size_bytes` the size in UTF-8."""

    id: str
    session_id: str
    content: PassageIn
    created_at: float
    size_bytes: int

    @property
    def uri(self) -> str:
        return f"{SCHEME}://scratch/{self.session_id}/{self.id}"


# --- Addresses ---

TEMPLATE: Final = f"{SCHEME}://scratch/{{session_id}}/{{passage_id}}"
_ALPHABET: Final = string.ascii_letters + string.digits
_PASSAGE_ID_CHARS: Final = 17  # 17 of 62 letters and digits: 101 random bits.
_NAMES_A_CHUNK: Final = "P"
_CHUNK_DIGITS: Final = 8
_MAX_CHUNK_ID: Final = len(_ALPHABET) ** _CHUNK_DIGITS - 1
_SESSION_BYTES: Final = 16
_SESSION_CHARS: Final = 22
_ADDRESS: Final = re.compile(
    rf"(?:{SCHEME}|{ALIAS_SCHEME})://scratch/"
    rf"(?P<session>{PINNED}|[A-Za-z0-9_-]{{{_SESSION_CHARS}}})/(?P<passage>[A-Za-z0-9]{{{_PASSAGE_ID_CHARS}}})"
)


def names_chunk(content: PassageIn) -> bool:
    """Whether an ID can encode the chunk of this text."""
    return content.section_id.isdecimal() and int(content.section_id) <= _MAX_CHUNK_ID


def new_passage_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_PASSAGE_ID_CHARS))


def passage_id_of_chunk(chunk_id: int) -> str:
    """Return an ID that encodes the stored chunk of a passage, for programs that share a library but not their memory."""
    digits = ""
    for _ in range(_CHUNK_DIGITS):
        chunk_id, digit = divmod(chunk_id, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return _NAMES_A_CHUNK + digits + new_passage_id()[1 + _CHUNK_DIGITS :]


def chunk_of_passage(id_or_uri: str) -> int | None:
    """Return the chunk that an ID, or an address with one, encodes; None if it does not encode one."""
    address = split_address(id_or_uri)
    passage_id = address[1] if address is not None else id_or_uri
    if (
        len(passage_id) != _PASSAGE_ID_CHARS
        or not passage_id.isalnum()
        or not passage_id.isascii()
        or not passage_id.startswith(_NAMES_A_CHUNK)
    ):
        return None
    number = 0
    for digit in passage_id[1 : 1 + _CHUNK_DIGITS]:
        number = number * len(_ALPHABET) + _ALPHABET.index(digit)
    return number


def split_address(uri: str) -> tuple[str, str] | None:
    """Return session and passage of an address; None for any other spelling."""
    match = _ADDRESS.fullmatch(uri)
    return (match["session"], match["passage"]) if match else None


def is_address(text: str) -> bool:
    """Whether the text is meant as an address, valid or not, and not as a bare ID."""
    return "/" in text or ":" in text


# --- Pinned passages ---

MAX_PINNED_PASSAGES: Final = 500
MAX_PINNED_BYTES: Final = 16 * caps.MIB


class Pins:
    """The pinned passages. Changes reach the store first; `lock` is held only while the table changes."""

    def __init__(self, store: PinStore | None) -> None:
        self._store = store
        self._passages = {
            each.id: Passage(each.id, PINNED, each.content, each.created_at, len(each.content.text.encode()))
            for each in (store.all() if store is not None else ())
        }
        self._changing = threading.Lock()
        self.bytes = sum(passage.size_bytes for passage in self._passages.values())

    def __len__(self) -> int:
        return len(self._passages)

    def get(self, passage_id: str) -> Passage | None:
        return self._passages.get(passage_id)

    def all(self) -> list[Passage]:
        """Return all pins, newest first."""
        return list(reversed(self._passages.values()))

    def add(self, passage: Passage, lock: threading.Lock) -> None:
        """Pin a passage unless it is pinned already. Raises InvalidArgumentError if the pins are full."""
        with self._changing:
            if passage.id in self._passages:
                return
            if len(self._passages) >= MAX_PINNED_PASSAGES:
                problem = sentence("{} passages are already pinned, which is the maximum.", MAX_PINNED_PASSAGES)
            elif self.bytes + passage.size_bytes > MAX_PINNED_BYTES:
                most = MAX_PINNED_BYTES // caps.MIB
                problem = sentence("Pinned passages can take {} MiB in total; this one does not fit.", most)
            else:
                problem = None
            if problem is not None:
                raise InvalidArgumentError(problem, hint="Unpin or delete passages that you no longer need.")
            if self._store is not None:
                self._store.add(passage.id, passage.content, passage.created_at)
            with lock:
                self._passages[passage.id] = passage
                self.bytes += passage.size_bytes

    def discard(self, passage_id: str, lock: threading.Lock) -> bool:
        """Unpin a passage; return False if it was not pinned."""
        with self._changing:
            if passage_id not in self._passages:
                return False
            if self._store is not None:
                self._store.remove(passage_id)
            with lock:
                self.bytes -= self._passages.pop(passage_id).size_bytes
            return True


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
    """The entries of all sessions. `evictions` is a running total. With `ids_name_chunks`, IDs encode their chunk."""

    def __init__(self, max_bytes: int, ttl_seconds: float, *, ids_name_chunks: bool = False) -> None:
        self.ids_name_chunks = ids_name_chunks
        self.max_bytes = max_bytes
        self.ttl = ttl_seconds
        self.bytes = 0
        self.evictions = 0
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
            session = Session(secrets.token_urlsafe(_SESSION_BYTES), owner, now)
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
        share = int(self.max_bytes * SCRATCH_SESSION_SHARE)
        while session.entries and (
            session.cost + cost > share or len(session.entries) >= caps.SCRATCH_PASSAGES_PER_SESSION
        ):
            self._evict(next(iter(session.entries.values())))
        while self.entries and (self.bytes + cost > self.max_bytes or len(self.entries) >= SCRATCH_PASSAGES):
            self._evict(next(iter(self.entries.values())))
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
        for session in list(self.sessions.values())[:1]:
            if self._is_over(session, now):
                self._end(session)
        return removed

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
