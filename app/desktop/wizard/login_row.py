"""Start at login as a switch; what the system says is what it shows."""

from __future__ import annotations

from app.autostart import Autostart, autostart
from app.desktop.context import Context
from app.desktop.widgets import Switch
from app.desktop.wizard.fact_row import FactRow
from app.errors import WebRAGError


class LoginRow(FactRow):
    """Not there where no way to start at login is known."""

    def __init__(self, context: Context) -> None:
        self.switch = Switch()
        super().__init__("play", "", "", self.switch)
        self._context = context
        self._known = False
        self._entry: Autostart | None = autostart(context.settings.running.data_dir)
        self.name.setText(self.tr("Start when I log in"))
        self._words = self.tr("WebRAG then waits in the tray, so that assistants find it at once.")
        self.show_text(self._words)
        self.name.setBuddy(self.switch)
        self.switch.setAccessibleName(self.name.text())
        self.switch.setEnabled(False)
        self.switch.clicked.connect(self._change)
        self.setVisible(self._entry is not None)

    def reload(self) -> None:
        """Ask the system."""
        if (entry := self._entry) is not None:
            self._context.thread.run_blocking(lambda: entry.is_enabled, self._show, self._fail, owner=self)

    def _change(self) -> None:
        entry, wanted = self._entry, self.switch.isChecked()
        if entry is None:
            return
        self.switch.setEnabled(False)

        def change() -> bool:
            entry.enable() if wanted else entry.disable()
            return entry.is_enabled

        self._context.thread.run_blocking(change, self._show, self._fail, owner=self)

    def _show(self, is_enabled: bool) -> None:
        self._known = is_enabled
        self.switch.setChecked(is_enabled)
        self.switch.setEnabled(True)
        self.show_text(self._words)

    def _fail(self, error: WebRAGError) -> None:
        self.switch.setChecked(self._known)
        self.switch.setEnabled(True)
        self.show_text(f"{error.message} {error.hint}")
