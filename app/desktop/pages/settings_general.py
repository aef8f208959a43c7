"""General: colours, language, start at login, tray and notifications."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker

from app.autostart import Autostart, autostart
from app.desktop.context import Context
from app.desktop.language import LANGUAGES, SYSTEM
from app.desktop.pages.settings_layout import Row, Section
from app.desktop.pages.settings_rows import choice_row, switch_row
from app.desktop.theme import Appearance, theme
from app.desktop.widgets import Switch
from app.errors import WebRAGError


class LoginRow(Row):
    """Start at login, as the system has it; asked and changed on a worker thread."""

    def __init__(self, context: Context) -> None:
        self.switch = Switch()
        super().__init__(
            self.tr("Start when you log in"),
            self.tr("WebRAG starts in the tray, so that assistants find it."),
            self.switch,
        )
        self._context = context
        self._entry: Autostart | None = autostart(context.settings.running.data_dir)
        self.switch.setEnabled(False)
        if self._entry is None:
            self.show_text(self.tr("This system has no known way to start programs at login."))
        self.switch.toggled.connect(self._change)

    def reload(self) -> None:
        """Ask the system."""
        entry = self._entry
        if entry is not None:
            self._context.thread.run_blocking(lambda: entry.is_enabled, self._show, self._fail, owner=self)

    def _change(self, wanted: bool) -> None:
        entry = self._entry
        if entry is None:
            return

        def change() -> bool:
            if wanted:
                entry.enable()
            else:
                entry.disable()
            return entry.is_enabled

        self._context.thread.run_blocking(change, self._show, self._fail, owner=self)

    def _show(self, enabled: bool) -> None:
        blocker = QSignalBlocker(self.switch)
        self.switch.setChecked(enabled)
        blocker.unblock()
        self.switch.setEnabled(True)
        self.complain("")

    def _fail(self, error: WebRAGError) -> None:
        self.complain(f"{error.message} {error.hint}")
        self.switch.setEnabled(False)


class GeneralSection(Section):
    """How the application looks and behaves."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("General"))
        store = context.settings
        colours = {"system": self.tr("Like the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        self.appearance = choice_row(
            store, "appearance", self.tr("Colours"), self.tr("Light or dark, or what the system uses."), colours
        )
        self.appearance.saved.connect(lambda _name: theme().select(Appearance(store.value("appearance"))))
        languages = {SYSTEM: self.tr("Like the system"), **LANGUAGES}
        language = choice_row(
            store, "language", self.tr("Language"), self.tr("The window changes when WebRAG starts again."), languages
        )
        self.login = LoginRow(context)
        tray = switch_row(
            store,
            "tray_icon",
            self.tr("Icon in the tray"),
            self.tr("Closing the window leaves WebRAG running there, and assistants are still served."),
        )
        closing = {"ask": self.tr("Ask"), "minimise": self.tr("Minimise the window"), "quit": self.tr("Quit WebRAG")}
        close = choice_row(
            store,
            "close_without_tray",
            self.tr("Closing the window without a tray"),
            self.tr("What the close button does where there is no tray icon."),
            closing,
        )
        notices = switch_row(
            store,
            "notifications",
            self.tr("Notifications"),
            self.tr("Only for what matters: a finished crawl, an assistant that lost its connection, an error."),
        )
        self.add(self.appearance, language, self.login, tray, close, notices)

    def reload(self) -> None:
        """Ask the system for what it decides on."""
        self.login.reload()
