"""Confirmation dialogs for deleting and restoring, and the dialog that asks for another data folder before the first window."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6 import QtWidgets
from PySide6.QtCore import Qt

from app.desktop.panels import Dialog, choose_folder
from app.desktop.theme import app_icon
from app.desktop.tokens import XL, L, S
from app.desktop.widgets import ElidedLabel, Gap, ThemedIcon, button, column, label, row
from app.desktop.wording import counted, full_time, number, plain_tip, size, translator
from app.errors import DataFolderError, WebRAGError
from app.instance import make_data_dir
from app.paths import corpus_file, usual_data_dir
from app.text.page_text import one_line

if TYPE_CHECKING:
    from app.corpus.records import BackupFacts, Restored
    from app.corpus.restore import Prepared
    from app.ending import Earlier
    from app.engine import Engine
    from app.engine.erasing import Kept
    from app.library.records import CorpusTotals


Button = QtWidgets.QMessageBox.StandardButton

MAX_PROGRAM_CHARS: Final = 300  # Characters of a command line to show.
MAX_FOLDERS_SHOWN: Final = 6  # Maximum number of folders of a backup to list before a restore.


def is_agreed(parent: QtWidgets.QWidget | None, title: str, question: str, action: str = "") -> bool:
    """Ask for confirmation, with Cancel as the default. The question can contain text of pages and files.

    The other button repeats the action, which is the title unless it is given.
    """
    # Like a tooltip, a message box guesses whether a text is HTML.
    return ask(parent, title, plain_tip(question), (action or title).rstrip("?…").replace("&", "&&")) == Button.Yes


def ask(parent: QtWidgets.QWidget | None, title: str, text: str, action: str) -> Button:
    """Show the question and return the pressed button; Cancel also if the application quits."""
    box = QtWidgets.QMessageBox(QtWidgets.QMessageBox.Icon.Question, title, text, Button.Yes | Button.Cancel, parent)
    box.button(Button.Yes).setText(action)
    box.setDefaultButton(Button.Cancel)
    return Button.Yes if box.exec() == Button.Yes.value else Button.Cancel


def is_end_wanted(earlier: Earlier) -> bool:
    """Ask whether to end the process that uses the library and does not respond."""
    tr = translator("Main")
    facts = tr("Process {}, running since {}:").format(earlier.pid, full_time(earlier.since))
    advice = tr("If it has just been started, cancel and wait a moment. The library is not changed.")
    details = f"{facts}\n{one_line(earlier.program)[:MAX_PROGRAM_CHARS]}\n\n{advice}"
    return _is_chosen(tr("WebRAG is already running but does not respond."), details, tr("End process and start"))


def is_reset_wanted(error: WebRAGError, kept: Path) -> bool:
    """Ask whether to start with default settings because the settings file is invalid, and keep it as `kept`."""
    tr = translator("Main")
    offer = tr("Or start with the default settings. WebRAG keeps your file as {}. The library is not changed.")
    details = f"{error.hint}\n\n{offer.format(kept.name)}"
    return _is_chosen(error.message, details, tr("Use default settings"), tr("Quit"))


def _is_chosen(text: str, details: str, action: str, refuse: str = "") -> bool:
    """Ask before the window exists. The texts can contain untrusted ones; without `refuse`, the default is Cancel."""
    box = QtWidgets.QMessageBox(QtWidgets.QMessageBox.Icon.Warning, "WebRAG", text, Button.NoButton)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(details)
    roles = QtWidgets.QMessageBox.ButtonRole
    chosen = box.addButton(action, roles.AcceptRole)
    box.setDefaultButton(box.addButton(refuse, roles.RejectRole) if refuse else box.addButton(Button.Cancel))
    box.exec()
    return box.clickedButton() is chosen


class DeleteDialog(Dialog):
    """Accepted after something is selected and the word is typed."""

    def __init__(self, parent: QtWidgets.QWidget | None = None) -> None:
        # Imported here, because erasing needs the library code, and the window must not wait for that.
        from app.engine.erasing import Kept

        super().__init__(parent, self.tr("Delete data"), 520)
        advice = self.tr("This cannot be undone unless you have your own backup.")
        titles = {
            Kept.LIBRARY: (self.tr("Library"), self.tr("Pages, activity, jobs, pinned passages and earlier libraries")),
            Kept.LOGS: (self.tr("Log files"), self.tr("Current and earlier log files")),
            Kept.SECRETS: (self.tr("Keys"), self.tr("Provider keys and the access token, also in the keyring")),
            Kept.SETTINGS: (self.tr("Settings"), self.tr("Reset all settings to their defaults")),
        }
        self.boxes = {kind: QtWidgets.QCheckBox(title) for kind, (title, _) in titles.items()}
        entries: list[QtWidgets.QLayout] = []
        for kind, box in self.boxes.items():
            box.setChecked(kind in (Kept.LIBRARY, Kept.LOGS))
            box.setAccessibleDescription(titles[kind][1])
            box.toggled.connect(self._follow)
            explained = label(titles[kind][1], "muted", wrap=True)
            explained.setIndent(XL)
            entries.append(column(box, explained, spacing=0))
        self._library, self._backups = Kept.LIBRARY, Kept.BACKUPS
        self.word = self.tr("delete")
        asked = label(self.tr("Type “{}” to confirm").format(self.word), "strong")
        self.line = QtWidgets.QLineEdit()
        asked.setBuddy(self.line)
        self.line.setAccessibleName(asked.text())
        self.line.textChanged.connect(self._follow)
        self.cancel = button(self.tr("Cancel"), self.reject)
        self.confirm = button(self.tr("Delete permanently"), self.accept, "danger")
        heading = label(self.tr("Delete WebRAG data from this computer?"), "heading")
        head, buttons = (heading, label(advice, "muted", wrap=True)), row(1, self.cancel, self.confirm)
        self.lay_out(*head, *entries, Gap(S), asked, self.line, Gap(S), buttons)
        self._follow()

    @property
    def kinds(self) -> frozenset[Kept]:
        """The kinds to delete. Automatic backups are deleted with the library that they contain."""
        chosen = frozenset(kind for kind, box in self.boxes.items() if box.isChecked())
        return chosen | {self._backups} if self._library in chosen else chosen

    def _follow(self) -> None:
        written = self.line.text().strip().casefold() == self.word.casefold()
        self.confirm.setEnabled(written and bool(self.kinds))
        # After typing the word, Enter confirms; before that, Enter cancels.
        (self.confirm if self.confirm.isEnabled() else self.cancel).setDefault(True)


class RestoreDialog(Dialog):
    """Accepted if the user confirms the restore."""

    def __init__(self, path: Path, backup: BackupFacts, present: CorpusTotals, parent: QtWidgets.QWidget) -> None:
        super().__init__(parent, self.tr("Restore backup"), 580)
        heading = label(self.tr("Replace your library with this backup?"), "heading")
        self.path = ElidedLabel(str(path), "muted", Qt.TextElideMode.ElideMiddle)
        grid = QtWidgets.QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(0, 1)
        rows = [
            ("", self.tr("Backup"), self.tr("Current library")),
            (self.tr("Pages"), number(backup.documents), number(present.documents)),
            (self.tr("Passages"), number(backup.chunks), number(present.chunks)),
            (self.tr("Size"), size(backup.file_bytes), size(present.file_bytes)),
            (self.tr("Saved"), full_time(backup.written_at), self.tr("in use")),
            (self.tr("Newest page"), full_time(backup.newest), ""),
        ]
        for place, (title, there, here) in enumerate(rows):
            grid.addWidget(label(title, "muted"), place, 0)
            grid.addWidget(label(there, "strong"), place, 1)
            grid.addWidget(label(here, "muted" if place else "strong"), place, 2)
        facts: list[QtWidgets.QLayout] = [grid]
        if backup.folders:
            listed = column(label(self.tr("WebRAG will index the files in these folders:"), "strong"))
            # Listed, because a backup from elsewhere can name any folder.
            for folder in backup.folders[:MAX_FOLDERS_SHOWN]:
                line = ElidedLabel(one_line(folder), "", Qt.TextElideMode.ElideMiddle)
                # The dialog's size hint is too small for wrapped texts, so reserve the height of these lines.
                line.setMinimumHeight(line.sizeHint().height())
                listed.addWidget(line)
            more = len(backup.folders) - MAX_FOLDERS_SHOWN
            if more > 0:
                listed.addWidget(label(counted(more, self.tr("and 1 more"), self.tr("and {} more")), "muted"))
            facts.append(listed)
        one = self.tr("Your current page is kept as a copy, so you can undo this.")
        many = self.tr("Your {} current pages are kept as a copy, so you can undo this.")
        keep = counted(present.documents, one, many)
        then = self.tr("WebRAG checks the backup first. Restoring it cancels running calls.")
        cancel = button(self.tr("Cancel"), self.reject)
        self.restore = button(self.tr("Restore backup"), self.accept, "primary")
        self.restore.setDefault(False)
        cancel.setDefault(True)
        words = (label(keep, wrap=True), label(then, "muted", wrap=True))
        buttons = row(1, cancel, self.restore)
        self.lay_out(heading, self.path, *facts, *words, Gap(S), buttons)
        cancel.setFocus()


async def put_in_place(engine: Engine, prepared: Prepared) -> Restored:
    """Stop the engine and swap the files. The caller restarts the engine, also after an error.

    Raises CorpusError, CorpusBusyError or FileAccessError; even then, a complete library is in place.
    """
    from app.corpus.restore import swap

    await engine.stop()
    return await asyncio.to_thread(swap, prepared, corpus_file(engine.settings.data_dir))


WIDTH = 680


class DataFolderDialog(Dialog):
    """Accepted with a writable `folder`, rejected if the user quits.

    `is_remembered`: the choice applies to later starts, unless the command line sets the folder.
    """

    def __init__(self, error: DataFolderError, folder: Path, *, is_remembered: bool) -> None:
        super().__init__(None, "WebRAG Desktop", WIDTH)
        self.folder = folder
        self.setWindowIcon(app_icon())
        self.place = ElidedLabel(str(folder), "muted", Qt.TextElideMode.ElideMiddle)
        words = column(label(self.tr("WebRAG cannot write to its data folder"), "heading"), self.place)
        head = row(ThemedIcon("alert", 36, "warning"), (words, 1), spacing=L)
        reason = label(error.message, wrap=True, selectable=True)
        lasting = self.tr("The data folder was set when WebRAG was started, so your choice applies until you quit.")
        if is_remembered:
            lasting = self.tr(
                "WebRAG uses the new folder from now on, also for the command line and for assistants started later."
            )
        moved = self.tr(
            "If the folder contains a library, WebRAG opens it. To keep using your current library, copy {} from the old folder first."
        ).format(corpus_file(Path()).name)
        explained = label(f"{lasting} {moved}", "muted", wrap=True)
        self.problem = label("", "problem", wrap=True)
        self.problem.hide()
        self.choose = button(self.tr("Choose another folder…"), self.ask, "primary", "folder")
        self.usual = button(self.tr("Use default folder"), lambda: self.take(usual_data_dir()))
        self.usual.setToolTip(str(usual_data_dir()))
        self.usual.setVisible(folder != usual_data_dir())
        self.again = button(self.tr("Try again"), lambda: self.take(self.folder))
        leave = button(self.tr("Quit"), self.reject)
        buttons = row(leave, 1, self.again, self.usual, self.choose)
        self.lay_out(head, reason, explained, self.problem, Gap(S), buttons)
        self.choose.setDefault(True)
        self.choose.setFocus()

    def ask(self) -> None:
        choose_folder(self, self.tr("Choose the data folder"), self.take, str(Path.home()))

    def take(self, folder: Path) -> None:
        """Accept a writable folder, or show why it cannot be used."""
        try:
            make_data_dir(folder)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.problem.setText(self.tr("Cannot use {}: {}.").format(folder, reason))
            self.problem.show()
            self.adjustSize()
            return
        self.folder = folder
        self.accept()
