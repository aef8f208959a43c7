"""Progress and cancellation of long work on the file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import apsw

from app.errors import WorkCancelledError

STEPS_BETWEEN_LOOKS: Final = 20_000  # SQLite instructions between two checks for cancellation; about 2 ms.


class Watch:
    """Thread-safe. Calls `report` with the completed share, 0 to 1, on the working thread."""

    def __init__(self, report: Callable[[float], object] | None = None) -> None:
        self._report = report
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Cancel the work at its next step; its result does not appear."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def at(self, share: float) -> None:
        """Report progress. Raises WorkCancelledError after `cancel`."""
        if self.is_cancelled:
            raise WorkCancelledError("The work was canceled.")
        if self._report is not None:
            self._report(min(max(share, 0.0), 1.0))

    def part(self, start: float, end: float) -> Watch:
        """Return the watch of a part of the work; it is canceled with the whole."""
        part = Watch(lambda share: self.at(start + share * (end - start)))
        part._cancelled = self._cancelled
        return part

    @contextmanager
    def over(self, con: apsw.Connection) -> Iterator[None]:
        """Make statements of this connection interruptible."""
        con.set_progress_handler(lambda: self.is_cancelled, STEPS_BETWEEN_LOOKS)
        try:
            yield
        except apsw.InterruptError as error:
            raise WorkCancelledError("The work was canceled.") from error
        finally:
            con.set_progress_handler(None)


UNWATCHED: Final = Watch()  # For work without progress or cancellation.
