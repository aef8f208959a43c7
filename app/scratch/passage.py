"""A passage kept for its owner, where it is from, and its address: one strict form, nothing else is read as one; and those pinned."""

from __future__ import annotations

import re
import secrets
import string
import threading
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Final

from app import caps
from app.errors import InvalidArgumentError
from app.library.scope import SCHEME

if TYPE_CHECKING:
    from app.corpus import Corpus


ALIAS_SCHEME: Final = "wekadocs"
OWN_ADDRESSES: Final = (f"{SCHEME}://", f"{ALIAS_SCHEME}://")
"""What an address of a passage or page of ours begins with."""
PINNED: Final = "pinned"
"""The session of passages that the person pinned: every assistant of this machine may read them."""


@dataclass(frozen=True, slots=True)
class PassageIn:
    """A text to keep. `section_id` is the chunk's id as text, empty for what is no chunk.

    `document_id`, `document_hash`, `start` and `end` say where it stands in a stored document (None and "" for what is from elsewhere).
    """

    section_id: str
    doc_tag: str
    title: str
    text: str
    source_uri: str
    anchor: str | None = None
    media_type: str = "text/plain"
    document_id: int | None = None
    document_hash: str = ""
    start: int = 0
    end: int = 0

    @property
    def page_url(self) -> str:
        """The address of the page, without the place in it."""
        return self.source_uri.removesuffix(f"#{self.anchor}") if self.anchor else self.source_uri


@dataclass(frozen=True, slots=True)
class Passage:
    """A kept text. `id` is opaque and random, `created_at` seconds since the epoch, `size_bytes` the text in UTF-8."""

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
_PASSAGE_ID_CHARS: Final = 17
"""Of 62 letters and digits: 101 random bits. No sign that a command line or a model could take for something else."""
_NAMES_A_CHUNK: Final = "P"
_CHUNK_DIGITS: Final = 8
_MAX_CHUNK_ID: Final = len(_ALPHABET) ** _CHUNK_DIGITS - 1
_SESSION_BYTES: Final = 16
_SESSION_CHARS: Final = 22
_ADDRESS: Final = re.compile(
    rf"(?:{SCHEME}|{ALIAS_SCHEME})://scratch/"
    rf"(?P<session>{PINNED}|[A-Za-z0-9_-]{{{_SESSION_CHARS}}})/(?P<passage>[A-Za-z0-9]{{{_PASSAGE_ID_CHARS}}})"
)


def new_session_id() -> str:
    return secrets.token_urlsafe(_SESSION_BYTES)


def names_chunk(content: PassageIn) -> bool:
    """Whether an id can name the chunk that the text is."""
    return content.section_id.isdecimal() and int(content.section_id) <= _MAX_CHUNK_ID


def new_passage_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(_PASSAGE_ID_CHARS))


def passage_id_of_chunk(chunk_id: int) -> str:
    """An id that names the stored chunk whose text the passage is, for programs that share a library and not their memory."""
    digits = ""
    for _ in range(_CHUNK_DIGITS):
        chunk_id, digit = divmod(chunk_id, len(_ALPHABET))
        digits = _ALPHABET[digit] + digits
    return _NAMES_A_CHUNK + digits + new_passage_id()[1 + _CHUNK_DIGITS :]


def chunk_of_passage(id_or_uri: str) -> int | None:
    """The chunk that an id, or an address with one, names; None for an id that names none."""
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
    """Session and passage of an address, None for any other spelling."""
    match = _ADDRESS.fullmatch(uri)
    return (match["session"], match["passage"]) if match else None


def is_address(text: str) -> bool:
    """Whether the text is meant as an address, right or wrong, and not as a bare id."""
    return "/" in text or ":" in text


# --- Pinned passages ---

MAX_PINNED_PASSAGES: Final = 500
MAX_PINNED_BYTES: Final = 16 * caps.MIB


class Pins:
    """Changes go one after the other, first to the store; the lock given is held only while the table changes.

    Without a store nothing outlives the program.
    """

    def __init__(self, store: CorpusPinStore | None) -> None:
        self._store = store
        self._passages = {passage.id: passage for passage in store.load()} if store is not None else {}
        self._changing = threading.Lock()
        self.bytes = sum(passage.size_bytes for passage in self._passages.values())

    def __len__(self) -> int:
        return len(self._passages)

    def get(self, passage_id: str) -> Passage | None:
        return self._passages.get(passage_id)

    def all(self) -> list[Passage]:
        """The latest pin first."""
        return list(reversed(self._passages.values()))

    def add(self, passage: Passage, lock: threading.Lock) -> None:
        """Pin a passage; nothing changes when it is pinned already. Raises InvalidArgumentError when there is no room."""
        with self._changing:
            if passage.id in self._passages:
                return
            if len(self._passages) >= MAX_PINNED_PASSAGES:
                problem = f"{MAX_PINNED_PASSAGES} passages are pinned already; that is the most."
            elif self.bytes + passage.size_bytes > MAX_PINNED_BYTES:
                most = MAX_PINNED_BYTES // caps.MIB
                problem = f"Pinned passages may take {most} MiB together; there is no room for this one."
            else:
                problem = ""
            if problem:
                raise InvalidArgumentError(problem, hint="Unpin or delete passages that you no longer need.")
            if self._store is not None:
                self._store.save(passage)
            with lock:
                self._passages[passage.id] = passage
                self.bytes += passage.size_bytes

    def discard(self, passage_id: str, lock: threading.Lock) -> bool:
        """False when it was not pinned."""
        with self._changing:
            if passage_id not in self._passages:
                return False
            if self._store is not None:
                self._store.remove(passage_id)
            with lock:
                self.bytes -= self._passages.pop(passage_id).size_bytes
            return True


_CONTENT: Final = tuple(field.name for field in fields(PassageIn))


class CorpusPinStore:
    """Pinned passages in the corpus, so that they are backed up with it. Blocking."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def load(self) -> list[Passage]:
        """All pinned passages, the oldest pin first."""
        found: list[Passage] = []
        for record in self._corpus.pins.all():
            content = PassageIn(**{name: getattr(record, name) for name in _CONTENT})
            found.append(Passage(record.id, PINNED, content, record.created_at, len(content.text.encode())))
        return found

    def save(self, passage: Passage) -> None:
        from app.corpus.records import PinnedPassage

        content = {name: getattr(passage.content, name) for name in _CONTENT}
        self._corpus.pins.add(PinnedPassage(id=passage.id, created_at=passage.created_at, **content))

    def remove(self, passage_id: str) -> None:
        self._corpus.pins.remove(passage_id)
