"""Helps around the Qt binding: imports as fast as without it, timers, and garbage collected on the right thread."""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

from app.memory import collect_due

BINDING = "shibokensupport.feature"
SILENT_PLATFORMS: Final = frozenset({"offscreen", "minimal", "vnc"})
"""Without a desktop: nobody presses a key of the whole desktop, and no other program takes what was copied."""
COLLECT_MS: Final = 1_000
BUSY_COLLECT_MS: Final = 50
"""Between two looks whether a garbage collection is due, and while one was: each is as short as those of Python itself."""


class Collector(QObject):
    """While it runs, garbage is collected on its own thread alone.

    On a thread of the engine the collector would delete objects of Qt there: their timers stay behind, and the window's
    thread crashes when the next of them runs out.
    """

    _running = 0
    _was_enabled = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=COLLECT_MS)
        self._timer.timeout.connect(self._look)

    def start(self) -> None:
        if self._timer.isActive():
            return
        if not Collector._running:
            Collector._was_enabled = gc.isenabled()
        Collector._running += 1
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Leave collecting to Python again, where it was before and no other of these runs."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        Collector._running -= 1
        if Collector._was_enabled and not Collector._running:
            gc.enable()

    def _look(self) -> None:
        wanted = BUSY_COLLECT_MS if collect_due() else COLLECT_MS
        if wanted != self._timer.interval():
            self._timer.setInterval(wanted)


def single_shot(owner: QObject, milliseconds: int, run: Callable[[], object]) -> QTimer:
    """A timer, not started yet, that calls `run` once each time it runs out; it ends with its owner."""
    made = QTimer(owner, interval=milliseconds, singleShot=True)
    made.timeout.connect(run)
    return made


def spare_sources() -> None:
    """Let the binding ask no module for its source any more: half a second of the start and 20 MB.

    It looks for modules that use its switchable features (snake_case, true_property), and this program has none. Without
    source, as in a built application, it finds none either. A binding that works otherwise is left as it is.
    """
    # The import of QtCore above brought the part of the binding that is changed.
    binding = sys.modules.get(BINDING)
    if hasattr(binding, "_mod_uses_pyside"):
        setattr(binding, "_mod_uses_pyside", lambda _module: False)  # noqa: B010  # a module has no such field for mypy
    linecache.clearcache()
