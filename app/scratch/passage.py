"""Saved passages, their strict address format, and pinned passages."""

from __future__ import annotations

import re
import secrets
import string
import threading
from dataclasses import dataclass
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


def new_session_id() -> str:
    return secrets.token_urlsafe(_SESSION_BYTES)


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
