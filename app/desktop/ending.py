"""The one way out of the application. It works whatever is open at that moment, and it has a time limit."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.qt import reported
from app.ending import end_after_signals, end_within


class Ending(QObject):
    """Knows whether the application is ending. A part that could delay the end asks here; `begun` tells the others once."""

    begun = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_begun = False
        self._application: Application | None = None
        self._signals: _SystemSignals | None = None

    def govern(self, application: Application) -> None:
        """End the process with the application. Signals and Qt's own request to quit begin the end as well."""
        self._application = application
        application.quit_asked = self.begin
        self._signals = _SystemSignals(self.begin)
        end_after_signals()

    def begin(self) -> None:
        """End the application. Nothing can refuse this: windows are hidden, not asked, and modal dialogs return."""
        if self.is_begun:
            return
        self.is_begun = True
        if self._application is not None:
            end_within()
            # As an event, because the loop may not run yet. It leaves every loop, also the loops of dialogs.
            QTimer.singleShot(0, self._application, lambda: QCoreApplication.exit(0))
        self.begun.emit()


class Application(QApplication):
    """Passes on Qt's request to quit (from the session, a menu of the system or `quit`).

    Qt would close every window first, and one window that stays open would call the end off.
    """

    quit_asked: Callable[[], None] | None = None

    @reported(otherwise=True)
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit and self.quit_asked is not None:
            self.quit_asked()
            return True
        return super().event(event)


class _SystemSignals(QObject):
    """Calls `end` after SIGTERM and SIGINT. Python's handlers only run once Qt wakes up; the socket wakes it."""

    def __init__(self, end: Callable[[], None]) -> None:
        super().__init__()
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: end())
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)

    def _woken(self) -> None:
        try:
            self._reader.recv(64)
        except BlockingIOError:
            return
