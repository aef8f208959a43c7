"""Bringing a record into view that was just stored: its row follows with an event, sooner or later."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QAbstractItemModel, QObject, QTimer

AWAITED_MS = 30_000
"""A row that comes later than this no longer takes the place of what is looked at."""


class AwaitedRow(QObject):
    """Calls `select` with the wanted record until it returns True, each time that rows come into the model."""

    def __init__(self, model: QAbstractItemModel, select: Callable[[int], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._select = select
        self._wanted = 0
        self._end = self._timer(AWAITED_MS, self.forget)
        self._try = self._timer(0, self._look)
        for signal in (model.rowsInserted, model.modelReset, model.layoutChanged):
            # The views take in the change first.
            signal.connect(self._try.start)

    def want(self, record_id: int) -> None:
        """Select a record now or as soon as it is there."""
        self._wanted = record_id
        self._end.start()
        self._look()

    def forget(self) -> None:
        self._wanted = 0
        self._end.stop()

    def _look(self) -> None:
        if self._wanted and self._select(self._wanted):
            self.forget()

    def _timer(self, interval: int, then: Callable[[], None]) -> QTimer:
        timer = QTimer(self, interval=interval, singleShot=True)
        timer.timeout.connect(then)
        return timer
