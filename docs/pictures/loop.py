"""Run the Qt event loop manually to prepare a picture."""

from __future__ import annotations

from collections.abc import Callable


def wait(ready: Callable[[], bool], milliseconds: int = 120_000) -> None:
    """Run the event loop until `ready` returns true."""
    from PySide6.QtCore import QDeadlineTimer

    deadline = QDeadlineTimer(milliseconds)
    while not ready():
        if deadline.hasExpired():
            raise TimeoutError("the application did not get ready")
        settle(20)


def settle(milliseconds: int = 250) -> None:
    """Wait for layouts, loading and batches of events."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
