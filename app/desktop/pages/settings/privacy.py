"""The Privacy section: recorded calls, logging and deletion."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QTimer, Signal, SignalInstance

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.exports import open_local
from app.desktop.pages.settings.layout import PathRow, Row
from app.desktop.pages.settings.rows import SettingsSection
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


class DiagnosticsRow(Row):
    """The switch for diagnostic logging, which turns off automatically."""

    def __init__(self) -> None:
        self.switch = Switch()
        super().__init__(
            self.tr("Diagnostic logging"),
            self.tr(
                "For troubleshooting. Also logs call arguments and the start of each answer, on this"
                " computer only. Turns off after an hour or when you quit WebRAG."
            ),
            self.switch,
        )
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)
        self.switch.toggled.connect(self._change)
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
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
    """The section for records, logs and deletion. Emits `erased` after erasing recorded calls, `questions_erased` after erasing questions,
    and `library_deleted` after deleting all pages.
    """

    erased = Signal()
    questions_erased = Signal()
    library_deleted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(
            self.tr("Privacy"),
            self.tr(
                "Pages, questions and answers stay on this computer unless you set up an embedding server or join a shared library."
                " Web searches go to your search provider. WebRAG does not send telemetry."
            ),
        )
        self._context = context
        store = context.settings
        self.erase = button(self.tr("Erase…"), self._ask_erase, "", "trash")
        erase = Row(
            self.tr("Recorded calls"),
            self.tr("Permanently deletes all recorded calls, questions and citation dates. Pages are kept."),
            self.erase,
        )
        self.erase_asked = button(self.tr("Erase…"), self._ask_erase_questions, "", "trash")
        questions = Row(
            self.tr("Saved questions"),
            self.tr("Permanently deletes all questions. To erase a single question or day, open Activity."),
            self.erase_asked,
        )
        self.diagnostics = DiagnosticsRow()
        folder = log_dir(store.running.data_dir)
        show = button(self.tr("Open folder"), lambda: open_local(folder), "", "folder")
        delete = button(self.tr("Delete…"), self.ask_delete, "danger", "trash")
        everything = Row(
            self.tr("Delete everything"),
            self.tr("Choose what to delete: the library, log files, keys and settings."),
            delete,
        )
        self.everything = everything
        self.add_settings(store, "privacy", {"activity_log": [erase], "keep_questions": [questions, self.diagnostics]})
        self.add(PathRow(self.tr("Log folder"), str(folder), show), everything)

    def reload(self) -> None:
        """Update the state of diagnostic logging."""
        self.diagnostics.look()

    def _ask_erase(self) -> None:
        question = self.tr("Erase all recorded calls and questions? This cannot be undone.")
        if is_agreed(self, self.tr("Erase recorded calls"), question):
            self.erase_calls()

    def _ask_erase_questions(self) -> None:
        if is_agreed(self, self.tr("Erase questions"), self.tr("Erase all saved questions? This cannot be undone.")):
            self.erase_questions()

    def erase_questions(self) -> None:
        """Erase all questions and reload Activity."""
        told = self.tr("Questions erased")
        self._context.ask(
            self, lambda engine: engine.questions.erase(), lambda _: self._erased(told, self.questions_erased)
        )

    def erase_calls(self) -> None:
        """Erase all recorded calls and reload Activity."""
        told = self.tr("Recorded calls erased")
        self._context.ask(self, lambda engine: engine.activity.clear(), lambda _: self._erased(told, self.erased))

    def _erased(self, told: str, signal: SignalInstance) -> None:
        signal.emit()
        self._context.notifier.say(told)

    def ask_delete(self) -> None:
        """Open the dialog that asks what to delete."""
        from app.desktop.dialogs.confirm import DeleteDialog

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
                self.erased.emit()
                self.library_deleted.emit()
            self._context.notifier.say(self.tr("Deleted. WebRAG is restarting."))

        def failed(error: WebRAGError) -> None:
            restart()
            self.everything.fail(error)

        self.everything.complain("")
        self._context.thread.submit(
            lambda engine: _erase(engine, kinds, secrets), done, failed, owner=self, lasting=True
        )


async def _erase(engine: Engine, kinds: frozenset[Kept], secrets: SecretStore) -> None:
    from app.engine.erasing import erase

    await engine.stop()
    await asyncio.to_thread(erase, engine.settings.data_dir, kinds, secrets)
