"""The passages that a person pins: in memory and in a store that outlives the program, within a number and bytes."""

from __future__ import annotations

import threading
from dataclasses import fields
from typing import TYPE_CHECKING, Final, Protocol

from app import caps
from app.errors import InvalidArgumentError
from app.scratch.passage import PINNED, Passage, PassageIn

if TYPE_CHECKING:
    from app.corpus import Corpus
    from app.corpus.records import PinnedPassage

MAX_PINNED_PASSAGES: Final = 500
MAX_PINNED_BYTES: Final = 16 * caps.MIB


class Pins:
    """Changes go one after the other, first to the store; the lock given is held only while the table changes."""

    def __init__(self, store: PinStore) -> None:
        self._store = store
        self._passages = {passage.id: passage for passage in store.load()}
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
            self._check_room(passage)
            self._store.save(passage)
            with lock:
                self._passages[passage.id] = passage
                self.bytes += passage.size_bytes

    def discard(self, passage_id: str, lock: threading.Lock) -> bool:
        """False when it was not pinned."""
        with self._changing:
            if passage_id not in self._passages:
                return False
            self._store.remove(passage_id)
            with lock:
                self.bytes -= self._passages.pop(passage_id).size_bytes
            return True

    def _check_room(self, passage: Passage) -> None:
        if len(self._passages) >= MAX_PINNED_PASSAGES:
            problem = f"{MAX_PINNED_PASSAGES} passages are pinned already; that is the most."
        elif self.bytes + passage.size_bytes > MAX_PINNED_BYTES:
            problem = (
                f"Pinned passages may take {MAX_PINNED_BYTES // caps.MIB} MiB together; there is no room for this one."
            )
        else:
            return
        raise InvalidArgumentError(problem, hint="Unpin or delete passages that you no longer need.")


# --- Stores ---

_CONTENT: Final = tuple(field.name for field in fields(PassageIn))


class PinStore(Protocol):
    """Blocking. The store holds what is on it in memory too, and keeps its bounds."""

    def load(self) -> list[Passage]:
        """All pinned passages, the oldest pin first."""
        ...

    def save(self, passage: Passage) -> None: ...

    def remove(self, passage_id: str) -> None: ...


class MemoryPinStore:
    """Nothing outlives the program."""

    def load(self) -> list[Passage]:
        return []

    def save(self, passage: Passage) -> None:
        """Pinned passages stay in memory only."""

    def remove(self, passage_id: str) -> None:
        """Nothing to remove."""


class CorpusPinStore:
    """Pinned passages in the corpus, so that they are backed up with it."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def load(self) -> list[Passage]:
        return [_restored(record) for record in self._corpus.pins.all()]

    def save(self, passage: Passage) -> None:
        from app.corpus.records import PinnedPassage

        content = {name: getattr(passage.content, name) for name in _CONTENT}
        self._corpus.pins.add(PinnedPassage(id=passage.id, created_at=passage.created_at, **content))

    def remove(self, passage_id: str) -> None:
        self._corpus.pins.remove(passage_id)


def _restored(record: PinnedPassage) -> Passage:
    content = PassageIn(**{name: getattr(record, name) for name in _CONTENT})
    return Passage(record.id, PINNED, content, record.created_at, len(content.text.encode()))
