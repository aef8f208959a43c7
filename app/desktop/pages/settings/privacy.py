"""The Privacy section: recorded calls, logging and deletion."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Signal

from app.desktop.context import Context
from app.desktop.dialogs.confirm import DeleteDialog
from app.desktop.exports import open_local
from app.desktop.pages.settings.index import own_row
from app.desktop.pages.settings.layout import OwnRow, PathRow
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.qt import repeating
from app.desktop.theme import Appearance, theme
from app.desktop.widgets import Badge, Switch, button
from app.durations import time_span
from app.errors import WebRAGError
from app.logs import DIAGNOSTICS
from app.paths import log_dir

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.erasing import Kept
    from app.secrets import SecretStore

LOOK_MS = 15_000


class DiagnosticsRow(OwnRow):
    """The switch for diagnostic logging, which turns off automatically."""

    def __init__(self) -> None:
        self.switch = Switch()
        super().__init__("diagnostics", self.switch)
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)
        self.switch.toggled.connect(self._change)
        self._timer = repeating(self, LOOK_MS, self.look)
        self.look()

    def look(self) -> None:
        """Refresh the switch, because the command line or the time limit can change it."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(DIAGNOSTICS.is_on)
        left = self.tr("on for {}").format(time_span(DIAGNOSTICS.seconds_left)) if DIAGNOSTICS.is_on else ""
        self.badge.show_text(left, "warning")
        self._timer.start() if DIAGNOSTICS.is_on else self._timer.stop()

    def _change(self, wanted: bool) -> None:
        DIAGNOSTICS.on() if wanted else DIAGNOSTICS.off()
        self.look()


class PrivacySection(SettingsSection):
    """The section for records, logs and deletion. Emits `library_deleted` after deleting all pages."""

    library_deleted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__("privacy")
        self._context = context
        store = context.settings
        erase, questions = (
            OwnRow(name, button(own_row(name).buttons[0], ask, "", "trash"))
            for name, ask in (("recorded_calls", context.erase_calls), ("saved_questions", context.erase_questions))
        )
        self.diagnostics = DiagnosticsRow()
        folder = log_dir(store.running.data_dir)
        show = button(own_row("log_folder").buttons[0], lambda: open_local(folder), "", "folder")
        delete = button(own_row("everything").buttons[0], self.ask_delete, "danger", "trash")
        self.everything = OwnRow("everything", delete)
        self.add_settings(store, "privacy", {"activity_log": [erase], "keep_questions": [questions, self.diagnostics]})
        self.add(PathRow("log_folder", str(folder), show), self.everything)

    def reload(self) -> None:
        """Update the state of diagnostic logging."""
        self.diagnostics.look()

    def ask_delete(self) -> None:
        """Open the dialog that asks what to delete."""
        dialog = DeleteDialog(self.window())
        dialog.accepted.connect(lambda: self.delete(dialog.kinds))
        dialog.open()

    def delete(self, kinds: frozenset[Kept]) -> None:
        """Stop the engine, delete the chosen data and restart."""
        from app.engine.erasing import Kept

        secrets = self._context.secrets

        def restart() -> None:
            self._context.settings.reread()
            self._context.restart()

        def done(_result: None) -> None:
            restart()
            theme().select(Appearance(str(self._context.settings.value("appearance"))))
            if Kept.LIBRARY in kinds:
                self.library_deleted.emit()
            self._context.notifier.say(self.tr("Deleted. WebRAG is restarting."))

        def failed(error: WebRAGError) -> None:
            restart()
            self.everything.fail(error)

        self.everything.complain("")
        self._context.ask(self, lambda engine: _erase(engine, kinds, secrets), done, failed, lasting=True)


async def _erase(engine: Engine, kinds: frozenset[Kept], secrets: SecretStore) -> None:
    from app.engine.erasing import erase

    await engine.stop()
    await asyncio.to_thread(erase, engine.settings.data_dir, kinds, secrets)
