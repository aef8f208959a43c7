"""The passages that the person keeps for good: in memory and on the shelf, within a number and bytes."""

from __future__ import annotations

import threading

from app import caps
from app.errors import InvalidArgumentError
from app.scratch.records import Passage
from app.scratch.shelf import Shelf


class Pins:
    """Changes go one after the other, first to the shelf; the lock given is held only while the table changes."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._passages = {passage.id: passage for passage in shelf.load()}
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
            self._shelf.save(passage)
            with lock:
                self._passages[passage.id] = passage
                self.bytes += passage.size_bytes

    def discard(self, passage_id: str, lock: threading.Lock) -> bool:
        """False when it was not pinned."""
        with self._changing:
            if passage_id not in self._passages:
                return False
            self._shelf.remove(passage_id)
            with lock:
                self.bytes -= self._passages.pop(passage_id).size_bytes
            return True

    def _check_room(self, passage: Passage) -> None:
        if len(self._passages) >= caps.MAX_PINNED_PASSAGES:
            problem = f"{caps.MAX_PINNED_PASSAGES} passages are pinned already; that is the most."
        elif self.bytes + passage.size_bytes > caps.MAX_PINNED_BYTES:
            problem = f"Pinned passages may take {caps.MAX_PINNED_BYTES // caps.MIB} MiB together; there is no room for this one."
        else:
            return
        raise InvalidArgumentError(problem, hint="Unpin or delete passages that you no longer need.")
