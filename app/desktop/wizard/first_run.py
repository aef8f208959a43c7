"""Whether the set-up is still to be shown."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSettings

from app.paths import corpus_file

SHOWN: Final = "wizard/shown"
WAITING: Final = "wizard/waiting"


class FirstRun:
    """Shown once, the first time somebody opens the window of a new data directory.

    Made before the engine starts, because that makes the corpus.
    """

    def __init__(self, state: QSettings, data_dir: Path) -> None:
        self._state = state
        is_new = not corpus_file(data_dir).exists()
        waits = bool(state.value(WAITING, False, type=bool))
        self.is_due = (is_new or waits) and not state.value(SHOWN, False, type=bool)
        if self.is_due:
            # An application that starts hidden makes the corpus, and nobody has seen anything yet.
            state.setValue(WAITING, True)

    def note_shown(self) -> None:
        """It is on the screen: from now on it opens only when it is asked for."""
        self.is_due = False
        self._state.setValue(SHOWN, True)
        self._state.remove(WAITING)
