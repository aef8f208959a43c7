"""Long work on the file: how far it is, and the word that ends it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import apsw

from app.errors import WorkCancelledError

STEPS_BETWEEN_LOOKS: Final = 20_000
"""Instructions of SQLite's machine between two looks at the word; some 2 ms."""


class Watch:
    """Thread-safe. `report` gets the share that is done, from 0 to 1, on the thread that works."""

    def __init__(self, report: Callable[[float], None] | None = None) -> None:
        self._report = report
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """End the work at its next step; what it was to make does not appear."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def at(self, share: float) -> None:
        """Say how far the work is. Raises WorkCancelledError when it is to end."""
        if self.is_cancelled:
            raise WorkCancelledError("The work was cancelled.")
        if self._report is not None:
            self._report(min(max(share, 0.0), 1.0))

    def part(self, start: float, end: float) -> Watch:
        """The watch of a part of the work; it ends with the whole."""
        part = Watch(lambda share: self.at(start + share * (end - start)))
        part._cancelled = self._cancelled
        return part

    @contextmanager
    def over(self, con: apsw.Connection) -> Iterator[None]:
        """Let a statement of this connection be ended in its midst."""
        con.set_progress_handler(lambda: self.is_cancelled, STEPS_BETWEEN_LOOKS)
        try:
            yield
        except apsw.InterruptError as error:
            raise WorkCancelledError("The work was cancelled.") from error
        finally:
            con.set_progress_handler(None)


UNWATCHED: Final = Watch()
"""For work that nobody follows or ends."""
