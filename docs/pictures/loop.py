"""The Qt event loop, run by hand while a picture is prepared."""

from __future__ import annotations

from collections.abc import Callable


def wait(ready: Callable[[], bool], milliseconds: int = 120_000) -> None:
    """Run the event loop until something is so."""
    from PySide6.QtCore import QDeadlineTimer

    deadline = QDeadlineTimer(milliseconds)
    while not ready():
        if deadline.hasExpired():
            raise TimeoutError("the application did not get ready")
        settle(20)


def settle(milliseconds: int = 250) -> None:
    """Let layouts, loads and batches of events come to rest."""
    from PySide6.QtCore import QEventLoop, QTimer

    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
