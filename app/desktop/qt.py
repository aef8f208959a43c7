"""Helps around the Qt binding: imports as fast as without it, and timers."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QTimer

BINDING = "shibokensupport.feature"
SILENT_PLATFORMS: Final = frozenset({"offscreen", "minimal", "vnc"})
"""Without a desktop: nobody presses a key of the whole desktop, and no other program takes what was copied."""


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
