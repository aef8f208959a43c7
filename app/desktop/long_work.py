"""Work of some seconds or minutes on what is kept: how far it is, and ending it; heard on the Qt thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt, Signal

from app.desktop.engine_thread import EngineThread, Job
from app.errors import WebRAGError, WorkCancelledError

if TYPE_CHECKING:
    from app.corpus.watch import Watch
    from app.engine import Engine

T = TypeVar("T")


class LongWork(QObject):
    """One piece of work at a time. `progressed` gives the share that is done; `ended` follows every end."""

    progressed = Signal(float)
    ended = Signal()
    _reported = Signal(float)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._watch: Watch | None = None
        self._job: Job | None = None
        self._reported.connect(self.progressed.emit, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start(
        self,
        work: Callable[[Engine, Watch], Awaitable[T]],
        done: Callable[[T], None],
        failed: Callable[[WebRAGError], None],
        cancelled: Callable[[], None],
    ) -> None:
        """Begin; one of the three is called at the end. Does nothing while other work is under way."""
        from app.corpus.watch import Watch

        if self.is_running:
            return
        watch = self._watch = Watch(self._reported.emit)

        def finish(result: T) -> None:
            self._end()
            done(result)

        def fail(error: WebRAGError) -> None:
            self._end()
            if isinstance(error, WorkCancelledError):
                cancelled()
            else:
                failed(error)

        self._job = self._thread.submit(lambda engine: work(engine, watch), finish, fail, owner=self)

    def cancel(self) -> None:
        """End the work at its next step."""
        if self._watch is not None:
            self._watch.cancel()

    def _end(self) -> None:
        self._job = self._watch = None
        self.ended.emit()
