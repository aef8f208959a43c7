"""The General section, with the switch for start at login that the setup shows too."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

from app.autostart import Autostart, autostart
from app.desktop.context import Context
from app.desktop.pages.settings.layout import OwnRow
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.theme import Appearance, theme
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


class LoginRow(OwnRow):
    """Start at login."""

    def __init__(self, context: Context) -> None:
        self.switch = LoginSwitch(context)
        super().__init__("login", self.switch)
        if self.switch.entry is None:
            self.show_text(self.tr("WebRAG cannot set this up on your system."))
        self.switch.settled.connect(lambda error: self.fail(error) if error is not None else self.complain(""))


class GeneralSection(SettingsSection):
    """Appearance and behavior of the application."""

    def __init__(self, context: Context) -> None:
        super().__init__("general")
        store = context.settings
        self.login = LoginRow(context)
        self.add_settings(store, "general", {"language": [self.login]})
        self._status = context.status
        self._key = self.setting_rows["ask_hot_key"]
        self._key_text = self._key.text.text()
        self._shown_key = ("", "")
        context.status.changed.connect(self._show_key)
        # A saved row clears its message, but the system can still reject the shortcut.
        self._key.saved.connect(lambda _name: self._key.complain(self._status.key_problem))
        self._show_key()
        self.setting_rows["appearance"].saved.connect(
            lambda _name: theme().select(Appearance(store.value("appearance")))
        )

    def _show_key(self) -> None:
        """Show why the Ask window shortcut does not work, or which shortcut the desktop assigned."""
        said = self._status.key_problem, self._status.key_note
        if said != self._shown_key:
            self._shown_key = said
            self._key.complain(said[0])
            self._key.show_text(f"{self._key_text} {said[1]}".strip())

    def reload(self) -> None:
        """Reload the values that the system determines."""
        self.login.switch.reload()
