"""The switch for start at login, in the setup and in Settings."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

from app.autostart import Autostart, autostart
from app.desktop.context import Context
from app.desktop.widgets import Switch
from app.errors import WebRAGError


class LoginSwitch(Switch):
    """Reads and changes the state on a worker thread. Emits `settled` with None, or with the WebRAGError of a failure."""

    settled = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._thread = context.thread
        self._known = False
        self.entry: Autostart | None = autostart(
            context.settings.running.data_dir
        )  # None if the system has no support.
        self.setEnabled(False)
        self.clicked.connect(self._change)

    def reload(self) -> None:
        """Read the state from the system."""
        if (entry := self.entry) is not None:
            self._run(lambda: entry.is_enabled)

    def _change(self) -> None:
        entry, wanted = self.entry, self.isChecked()
        if entry is None:
            return
        self.setEnabled(False)

        def change() -> bool:
            entry.enable() if wanted else entry.disable()
            return entry.is_enabled

        self._run(change)

    def _run(self, work: Callable[[], bool]) -> None:
        def show(is_enabled: bool) -> None:
            self._known = is_enabled
            self._settle(None)

        self._thread.run_blocking(work, show, self._settle, owner=self)

    def _settle(self, error: WebRAGError | None) -> None:
        self.setChecked(self._known)
        self.setEnabled(True)
        self.settled.emit(error)
