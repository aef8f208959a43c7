"""The exit of the application. It works whatever is open, and has a time limit."""

from __future__ import annotations

import signal
import socket
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSocketNotifier, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.desktop.qt import reported
from app.ending import end_after_signals, end_within


class Ending(QObject):
    """The exit state for parts that could delay the exit. Emits `begun` once."""

    begun = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.is_begun = False
        self._application: Application | None = None
        self._signals: _SystemSignals | None = None

    def govern(self, application: Application) -> None:
        """Exit the process with the application. Signals and Qt's quit request also start the exit."""
        self._application = application
        application.quit_asked = self.begin
        self._signals = _SystemSignals(self.begin)
        end_after_signals()

    def begin(self) -> None:
        """Exit the application. Nothing can prevent this: windows are hidden without asking, and modal dialogs return."""
        if self.is_begun:
            return
        self.is_begun = True
        if self._application is not None:
            end_within()
            # An event, because the loop may not be running yet. It leaves all loops, including loops of dialogs.
            QTimer.singleShot(0, self._application, lambda: QCoreApplication.exit(0))
        self.begun.emit()


class Application(QApplication):
    """Forwards Qt's quit request, which comes from the session, a system menu or `quit`.

    Qt would close every window first, and a window that stays open would cancel the exit.
    """

    quit_asked: Callable[[], None] | None = None

    @reported(otherwise=True)
    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Quit and self.quit_asked is not None:
            self.quit_asked()
            return True
        return super().event(event)


class _SystemSignals(QObject):
    """Calls `end` from Qt's loop after SIGTERM and SIGINT, whose numbers a socket receives.

    A handler would run between any two steps of the main thread, also of one that holds a lock, or before the start has ended.
    """

    def __init__(self, end: Callable[[], None]) -> None:
        super().__init__()
        self._end = end
        self._reader, self._writer = socket.socketpair()
        self._reader.setblocking(False)
        self._writer.setblocking(False)
        signal.set_wakeup_fd(self._writer.fileno(), warn_on_full_buffer=False)
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: None)
        self._notifier = QSocketNotifier(self._reader.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._woken)

    def _woken(self) -> None:
        with suppress(BlockingIOError):
            if self._reader.recv(64):
                self._end()
