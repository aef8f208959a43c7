"""The General section with the switch for start at login."""

from __future__ import annotations

from app.desktop.context import Context
from app.desktop.login_switch import LoginSwitch
from app.desktop.pages.settings.layout import OwnRow
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.theme import Appearance, theme


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
