"""Helps around the Qt binding: imports as fast as without it, timers, and garbage collected on the right thread."""

from __future__ import annotations

import gc
import linecache
import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

from PySide6.QtCore import QObject, Qt, QTimer

from app.memory import collect_due

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractItemView

P = ParamSpec("P")
R = TypeVar("R")

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


def choose_row(view: QAbstractItemView, place: int) -> None:
    """Make a row of a list the current one; the first one with what is above it."""
    view.setCurrentIndex(view.model().index(place, 0))
    if not place:
        view.scrollToTop()


def step_through(view: QAbstractItemView, key: int, page: int, *, goes_round: bool = False) -> bool:
    """Choose another row of a list by a key pressed in the box above it; whether the key does that."""
    steps = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: page, Qt.Key.Key_PageUp: -page}
    by, count = steps.get(Qt.Key(key), 0), view.model().rowCount()
    if not by or not count:
        return False
    there = view.currentIndex().row() + by
    # One step may go round; a leap stops at the ends.
    choose_row(view, there % count if goes_round and abs(by) == 1 else max(0, min(count - 1, there)))
    return True


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


_reported: set[tuple[str, type[BaseException], int]] = set()
"""What failed already: one entry a line of the program and kind of error at most."""


def reported(otherwise: R) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let an override of a virtual method of Qt report an unexpected error and return `otherwise`.

    On Python 3.11 an error that C code raised (int of a word, a list's index) ends the process when it leaves an
    override: the binding reads it before Python has made it an exception. Each error is reported once a place, as the
    window asks for every row again with every repaint.
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
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    place = (name, type(error), trace.tb_lineno if trace is not None else 0)
    if place not in _reported:
        _reported.add(place)
        sys.excepthook(type(error), error, error.__traceback__)
