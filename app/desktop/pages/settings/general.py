"""General, Crawling, Answers, Graph and Search provider: sections of plain settings, and the switch of the start at login."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker

from app.autostart import Autostart, autostart
from app.desktop.context import Context
from app.desktop.pages.settings.layout import Row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.theme import Appearance, theme
from app.desktop.widgets import Switch
from app.errors import WebRAGError


class LoginRow(Row):
    """Start at login; read and changed on a worker thread."""

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
        self.fail(error)
        self.switch.setEnabled(False)


class GeneralSection(SettingsSection):
    """How the application looks and behaves."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("General"))
        store = context.settings
        self.login = LoginRow(context)
        self.add_settings(store, "general", {"language": [self.login]})
        self._status = context.status
        self._key = self.setting_rows["ask_hot_key"]
        self._key_text = self._key.text.text()
        self._shown_key = ("", "")
        context.status.changed.connect(self._show_key)
        # A row that was saved says nothing more; whether the key can be had is another thing.
        self._key.saved.connect(lambda _name: self._key.complain(self._status.key_problem))
        self._show_key()
        self.setting_rows["appearance"].saved.connect(
            lambda _name: theme().select(Appearance(store.value("appearance")))
        )

    def _show_key(self) -> None:
        """Say at the key of the ask window why it does not work, and which keys the desktop gave for it."""
        said = self._status.key_problem, self._status.key_note
        if said != self._shown_key:
            self._shown_key = said
            self._key.complain(said[0])
            self._key.show_text(f"{self._key_text} {said[1]}".strip())

    def reload(self) -> None:
        """Reload what the system decides."""
        self.login.reload()


class CrawlingSection(SettingsSection):
    """Reading from the web."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Crawling"), self.tr("How pages are read from the web, and which may be read at all."))
        self.add_settings(context.settings, "crawling")


class AnswersSection(SettingsSection):
    """How far an answer looks."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Answers"), self.tr("How evidence for a question is found."))
        self.add_settings(context.settings, "answers")


class GraphSection(SettingsSection):
    """What the graph is and its switch."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Graph"), self.tr("Which pages link to each other, and which names and terms they share.")
        )
        self.add_settings(context.settings, "graph")


class ProviderSection(SettingsSection):
    """Who searches the web for assistants."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Search provider"),
            self.tr(
                "Who searches the web for assistants. Questions go to this provider. Its key is set under Secrets."
            ),
        )
        self.add_settings(context.settings, "provider")
