"""A fair queue for reading the corpus file. Without it, the next reader would be the thread that wakes up first."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Final

from app.errors import CorpusBusyError, CorpusError, WebRAGError, WorkCancelledError
from app.text.sentence import sentence

BACKGROUND_TURN: Final = 8  # While others are waiting, background work gets one slot in this many.


class ReadQueue:
    """Slots for readers, thread-safe. Calls take turns; background work gets one slot in BACKGROUND_TURN."""

    def __init__(self, most: int) -> None:
        self._most = self._free = most
        self._lock = threading.Condition()
        self._urgent: OrderedDict[int, deque[Future[None]]] = OrderedDict()
        self._patient: OrderedDict[int, deque[Future[None]]] = OrderedDict()
        self._turns = 0
        self._is_held_back = False
        self._is_closed = False

    @property
    def busy(self) -> int:
        """Return the number of readers, running or about to run."""
        return self._most - self._free

    @property
    def waiting(self) -> int:
        with self._lock:
            return sum(len(own) for queue in (self._urgent, self._patient) for own in queue.values())

    def enter(self, asker: int, *, is_background: bool, seconds: float) -> None:
        """Wait for a slot, which `leave` releases. Raises CorpusBusyError, WorkCancelledError or CorpusError."""
        queue = self._patient if is_background else self._urgent
        turn: Future[None] = Future()
        with self._lock:
            if self._is_closed:
                raise _closed()
            queue.setdefault(asker, deque()).append(turn)
            self._grant()
        try:
            turn.result(seconds)
        except BaseException as error:
            with self._lock:
                has_turn = turn.done() and turn.exception() is None
                if not turn.done():
                    queue[asker].remove(turn)
                    if not queue[asker]:
                        del queue[asker]
            if not isinstance(error, TimeoutError):
                if has_turn:
                    self.leave()
                raise
            if not has_turn:
                raise CorpusBusyError(sentence("The library was busy for {} s.", f"{seconds:g}")) from None

    def leave(self) -> None:
        """Release the slot."""
        with self._lock:
            self._free += 1
            self._grant()
            self._lock.notify_all()

    def give_up(self, asker: int) -> None:
        """Remove a canceled call from the queue. Background work stays."""
        with self._lock:
            for turn in self._urgent.pop(asker, ()):
                turn.set_exception(WorkCancelledError("The call was canceled."))

    def close(self) -> None:
        """Refuse all waiting and future readers."""
        with self._lock:
            self._is_closed = True
            for queue in (self._urgent, self._patient):
                for turn in (turn for own in queue.values() for turn in own):
                    turn.set_exception(_closed())
                queue.clear()

    def is_left(self, seconds: float) -> bool:
        """Wait until the last reader has left; return False after the timeout."""
        with self._lock:
            return self._lock.wait_for(lambda: self._free == self._most, seconds)

    @contextmanager
    def held_back(self) -> Iterator[None]:
        """Hold back new readers, which wait in the meantime."""
        self._is_held_back = True
        try:
            yield
        finally:
            with self._lock:
                self._is_held_back = False
                self._grant()

    def _grant(self) -> None:
        while self._free and not self._is_held_back and (self._urgent or self._patient):
            self._turns += 1
            is_patients = not self._urgent or (self._patient and not self._turns % BACKGROUND_TURN)
            queue = self._patient if is_patients else self._urgent
            asker, own = queue.popitem(last=False)
            turn = own.popleft()
            if own:
                queue[asker] = own
            self._free -= 1
            turn.set_result(None)


def _closed() -> WebRAGError:
    return CorpusError(sentence("The library is closed."))
