"""Messages of the desktop: few, never a flood, and each leads to its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication

from app.desktop.settings_store import SettingsStore

GAP_MS = 15_000
"""Between two messages; what comes meanwhile is told together."""
REPEAT_SECONDS = 600.0
"""The same message is not told again within this time."""
MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Notification:
    """What happened, and what a click does."""

    title: str
    text: str
    run: Callable[[], object]


class Notifications(QObject):
    """`show` puts a title and a text on the screen; false where nothing can."""

    def __init__(
        self, settings: SettingsStore, show: Callable[[str, str], bool], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings
        self._show = show
        self._waiting: list[Notification] = []
        self._told: dict[tuple[str, str], float] = {}
        self._run: Callable[[], object] | None = None
        self._gap = QTimer(self)
        self._gap.setSingleShot(True)
        self._gap.setInterval(GAP_MS)
        self._gap.timeout.connect(self._tell_waiting)

    def tell(self, title: str, text: str, run: Callable[[], object], *, always: bool = False) -> None:
        """Show it soon, unless the person switched messages off, looks at the window (but for `always`) or just read it."""
        if not self._settings.value("notifications") or self._is_repeated(title, text):
            return
        if not always and QApplication.activeWindow() is not None:
            return
        self._told[title, text] = time.monotonic()
        self._waiting.append(Notification(title, text, run))
        if not self._gap.isActive():
            self._tell_waiting()

    def clicked(self) -> None:
        """Go where the message on the screen leads."""
        run, self._run = self._run, None
        if run is not None:
            run()

    def _tell_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        shown = waiting[0] if len(waiting) == 1 else self._together(waiting)
        if self._show(shown.title, shown.text):
            self._run = shown.run
            self._gap.start()
        else:
            # No tray, no messages: the entry in the taskbar blinks instead.
            for window in QApplication.topLevelWidgets():
                if window.isVisible():
                    QApplication.alert(window)

    def _together(self, waiting: list[Notification]) -> Notification:
        lines = [one.title for one in waiting[-MOST_LINES:]]
        if len(waiting) > MOST_LINES:
            lines.insert(0, "…")
        title = self.tr("{} messages from WebRAG").format(len(waiting))
        return Notification(title, "\n".join(lines), waiting[-1].run)

    def _is_repeated(self, title: str, text: str) -> bool:
        now = time.monotonic()
        self._told = {key: moment for key, moment in self._told.items() if now - moment < REPEAT_SECONDS}
        return (title, text) in self._told
