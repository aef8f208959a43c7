"""Timers of the window."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer


def single_shot(owner: QObject, milliseconds: int, run: Callable[[], object]) -> QTimer:
    """A timer, not started yet, that calls `run` once each time it runs out; it ends with its owner."""
    made = QTimer(owner, interval=milliseconds, singleShot=True)
    made.timeout.connect(run)
    return made
