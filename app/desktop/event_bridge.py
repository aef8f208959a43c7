"""From the event bus to Qt: events of any thread arrive on the Qt thread in batches, at most one batch per interval."""

from __future__ import annotations

import threading

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from app.events import (
    CallAsked,
    CallFinished,
    CallProgress,
    CallStarted,
    DocumentChanged,
    Event,
    EventBus,
    EvidenceTold,
    JobChanged,
    PageTold,
    RoundTold,
    SearchEnded,
)

INTERVAL_MS = 60
"""Fast enough to look live, slow enough that a flood costs one repaint each time."""


class EventBridge(QObject):
    """Emits `batch` with a list of events in order; of events that replace each other only the last is kept."""

    batch = Signal(list)
    _arrived = Signal()

    def __init__(self, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._pending: dict[tuple[str, int | str], Event] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.flush)
        self._arrived.connect(self._timer.start, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = bus.subscribe(self._receive)

    def close(self) -> None:
        """Listen no longer; what has arrived is dropped."""
        self._unsubscribe()
        self._timer.stop()
        with self._lock:
            self._pending.clear()

    @Slot()
    def flush(self) -> None:
        """Hand over what has arrived; the timer calls this."""
        with self._lock:
            events = list(self._pending.values())
            self._pending.clear()
        if events:
            self.batch.emit(events)

    def _receive(self, event: Event) -> None:
        key = _replacement_key(event)
        with self._lock:
            is_first = not self._pending
            self._pending.pop(key, None)
            self._pending[key] = event
        if is_first:
            self._arrived.emit()


def _replacement_key(event: Event) -> tuple[str, int | str]:
    match event:
        case CallStarted() | CallFinished() | CallProgress() | CallAsked() | SearchEnded():
            return type(event).__name__, event.call_id
        case PageTold() | EvidenceTold():
            return type(event).__name__, f"{event.call_id} {event.url}"
        case RoundTold():
            return RoundTold.__name__, f"{event.call_id} {event.round}"
        case DocumentChanged():
            return DocumentChanged.__name__, event.url
        case JobChanged():
            return JobChanged.__name__, event.job_id
        case _:
            return type(event).__name__, ""
