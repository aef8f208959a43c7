"""Helpers for the Qt binding: faster imports, timers, and garbage collection on the right thread."""

from __future__ import annotations

import gc
import linecache
import sys
from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer

from app.memory import collect_due

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

P = ParamSpec("P")
R = TypeVar("R")

Act = Callable[[], object]  # What to do when something happens.

BINDING = "shibokensupport.feature"
SILENT_PLATFORMS: Final = frozenset({"offscreen", "minimal", "vnc"})
"""Qt platforms without a desktop, which do not have global shortcuts or a shared clipboard."""
COLLECT_MS: Final = 1_000
BUSY_COLLECT_MS: Final = 50
"""Milliseconds between checks whether a garbage collection is due, normally and during activity."""


class Collector(QObject):
    """Restricts garbage collection to its own thread.

    On a thread of the engine, the collector would delete Qt objects there. Their timers would remain, and the main thread would crash when
    the next one fires.
    """

    _running = 0
    _was_enabled = True

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.returned: deque[object] = deque()  # Takes from any thread what only this thread may delete.
        self._timer = repeating(self, COLLECT_MS, self._look)

    def start(self) -> None:
        if self._timer.isActive():
            return
        if not Collector._running:
            Collector._was_enabled = gc.isenabled()
        Collector._running += 1
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Return garbage collection to Python, unless it was off before or another Collector runs."""
        if not self._timer.isActive():
            return
        self._timer.stop()
        self.returned.clear()
        Collector._running -= 1
        if Collector._was_enabled and not Collector._running:
            gc.enable()

    def _look(self) -> None:
        self.returned.clear()
        wanted = BUSY_COLLECT_MS if collect_due() else COLLECT_MS
        if wanted != self._timer.interval():
            self._timer.setInterval(wanted)


def single_shot(owner: QObject, milliseconds: int, run: Act) -> QTimer:
    """Return a timer, not started yet, that calls `run` once per start. It is deleted with its owner."""
    made = repeating(owner, milliseconds, run)
    made.setSingleShot(True)
    return made


def repeating(owner: QObject, milliseconds: int, run: Act) -> QTimer:
    """Return a timer, not started yet, that calls `run` again and again."""
    made = QTimer(owner, interval=milliseconds)
    made.timeout.connect(run)
    return made


def choose_row(view: QAbstractItemView, place: int) -> None:
    """Select a row of a list and scroll to it; for the first row, scroll to the top."""
    view.setCurrentIndex(view.model().index(place, 0))
    if not place:
        view.scrollToTop()


def step_through(view: QAbstractItemView, key: int, page: int, *, goes_round: bool = False) -> bool:
    """Move the selection of a list by a key pressed in the field above it. Return whether the key was used."""
    steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}
    by, count = steps.get(Qt.Key(key), 0), view.model().rowCount()
    if not by or not count:
        return False
    there = view.currentIndex().row() + by
    # Single steps wrap around; larger ones stop at the ends.
    choose_row(view, there % count if goes_round and abs(by) == 1 else max(0, min(count - 1, there)))
    return True


def spare_sources() -> None:
    """Keep the binding from reading the source of every module, which saves 0.5 s at startup and 20 MB.

    The binding looks for modules that use its switchable features (snake_case, true_property), which WebRAG does not use. Built
    applications do not have sources either. A binding that works differently is left unchanged.
    """
    # The import of QtCore above loaded the part of the binding that is patched.
    binding = sys.modules.get(BINDING)
    if hasattr(binding, "_mod_uses_pyside"):
        setattr(binding, "_mod_uses_pyside", lambda _module: False)  # noqa: B010  # a module has no such field for mypy
    linecache.clearcache()


_reported: set[tuple[str, type[BaseException], int]] = set()
"""Reported failures, at most one per source line and exception type."""


def reported(otherwise: R) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let an override of a virtual Qt method report unexpected errors and return `otherwise`.

    On Python 3.11, an exception raised by C code (such as `int("x")`) crashes the process when it leaves an override, because the binding
    reads it before it is normalized. Each location is reported once, because repaints call overrides for every row.
    """

    def guard(method: Callable[P, R]) -> Callable[P, R]:
        @wraps(method)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return method(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - any kind may end the window; the hook reports it
                _report_once(method.__qualname__, error)
                return otherwise

        return call

    return guard


def _report_once(name: str, error: Exception) -> None:
    # A separate function: frames that hold their own trace are freed late, and the process crashed at its end.
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (name, type(error), trace.tb_lineno if trace is not None else 0)
    if place not in _reported:
        _reported.add(place)
        sys.excepthook(type(error), error, error.__traceback__)
