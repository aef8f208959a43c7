"""Questions before what cannot be undone, or is more than one may have meant; and the one before the first window, which data folder is to
be taken where it cannot be used.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QLayout,
    QLineEdit,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

from app.desktop.icons import app_icon
from app.desktop.tokens import DIALOG, XL, L, M, S
from app.desktop.widgets import ElidedLabel, Gap, ThemedIcon, add_parts, button, column, label, row
from app.desktop.wording import counted, full_time, number, plain_tip, size, translator
from app.errors import DataFolderError
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


Button = QMessageBox.StandardButton

MAX_PROGRAM_CHARS: Final = 300
"""The part of a command line that a question shows."""
MAX_FOLDERS_SHOWN: Final = 6
"""Folders of a backup that the question before a restore names."""


def is_agreed(parent: QWidget | None, title: str, question: str, yes: Button = Button.Yes) -> bool:
    """Whether the person wants it; Cancel is what Return chooses. The question may hold words of pages and files."""
    # Like a tooltip, a message box guesses whether a text is HTML.
    return QMessageBox.question(parent, title, plain_tip(question), yes | Button.Cancel, Button.Cancel) == yes


def is_end_wanted(earlier: Earlier) -> bool:
    """Whether the person wants to end the process that keeps the library and does not answer."""
    tr = translator("Main")
    box = QMessageBox(QMessageBox.Icon.Warning, "WebRAG", tr("WebRAG is already running, but it does not answer."))
    # The command line is text from outside.
    box.setTextFormat(Qt.TextFormat.PlainText)
    facts = tr("Process {}, running since {}:").format(earlier.pid, full_time(earlier.since))
    advice = tr("If it was started just now, cancel and wait a moment. The library stays as it is.")
    box.setInformativeText(f"{facts}\n{one_line(earlier.program)[:MAX_PROGRAM_CHARS]}\n\n{advice}")
    end = box.addButton(tr("End it and start"), QMessageBox.ButtonRole.AcceptRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    return box.clickedButton() is end


class DeleteDialog(QDialog):
    """Accepted with something chosen and the word written."""

    def __init__(self, parent: QWidget | None = None) -> None:
        # What deletes needs the corpus, and with it all that the window must not wait for.
        from app.engine.erasing import Kept

        super().__init__(parent)
        self.setWindowTitle(self.tr("Delete what is kept"))
        self.setMinimumWidth(520)
        advice = self.tr("Nothing brings it back but a backup that you made elsewhere.")
        titles = {
            Kept.LIBRARY: (
                self.tr("Library"),
                self.tr("Pages, activity, jobs, pinned passages and earlier libraries"),
            ),
            Kept.LOGS: (self.tr("Log files"), self.tr("Those of today and of the days before")),
            Kept.SECRETS: (self.tr("Keys"), self.tr("Keys of providers and the access token, in the keyring too")),
            Kept.SETTINGS: (self.tr("Settings"), self.tr("Everything goes back to its default")),
        }
        self.boxes = {kind: QCheckBox(title) for kind, (title, _) in titles.items()}
        entries: list[QLayout] = []
        for kind, box in self.boxes.items():
            box.setChecked(kind in (Kept.LIBRARY, Kept.LOGS))
            box.setAccessibleDescription(titles[kind][1])
            box.toggled.connect(self._follow)
            explained = label(titles[kind][1], "muted", wrap=True)
            explained.setIndent(XL)
            entries.append(column(box, explained, spacing=0))
        self._library, self._backups = Kept.LIBRARY, Kept.BACKUPS
        self.word = self.tr("delete")
        asked = label(self.tr("Write “{}” to confirm").format(self.word), "strong")
        self.line = QLineEdit()
        asked.setBuddy(self.line)
        self.line.setAccessibleName(asked.text())
        self.line.textChanged.connect(self._follow)
        self.cancel = button(self.tr("Cancel"), self.reject)
        self.confirm = button(self.tr("Delete for good"), self.accept, "danger")
        heading = label(self.tr("Delete what WebRAG keeps on this computer?"), "heading")
        content = column(heading, label(advice, "muted", wrap=True), spacing=M, margins=DIALOG, parent=self)
        buttons = row(1, self.cancel, self.confirm)
        add_parts(content, *entries, Gap(S), asked, self.line, Gap(S), buttons)
        self._follow()

    @property
    def kinds(self) -> frozenset[Kept]:
        """What is to be deleted; automatic backups go with the library, which they hold."""
        chosen = frozenset(kind for kind, box in self.boxes.items() if box.isChecked())
        return chosen | {self._backups} if self._library in chosen else chosen

    def _follow(self) -> None:
        written = self.line.text().strip().casefold() == self.word.casefold()
        self.confirm.setEnabled(written and bool(self.kinds))
        # Who wrote the word and presses Enter means it; before that Enter changes nothing.
        (self.confirm if self.confirm.isEnabled() else self.cancel).setDefault(True)


class RestoreDialog(QDialog):
    """Accepted when the person wants the backup."""

    def __init__(self, path: Path, backup: BackupFacts, present: CorpusTotals, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Restore a backup"))
        self.setMinimumWidth(580)
        heading = label(self.tr("Put this backup in the place of your library?"), "heading")
        self.path = ElidedLabel(str(path), "muted", Qt.TextElideMode.ElideMiddle)
        facts: list[QLayout] = [self._table(backup, present)]
        if backup.folders:
            facts.append(self._folders(backup))
        keep = counted(
            present.documents,
            self.tr("The page you have now stays as a copy beside it, so this can be taken back."),
            self.tr("The {} pages you have now stay as a copy beside it, so this can be taken back."),
        )
        then = self.tr("The backup is checked first. Then WebRAG's engine restarts; calls under way end with an error.")
        cancel = button(self.tr("Cancel"), self.reject)
        self.restore = button(self.tr("Restore"), self.accept, "primary")
        self.restore.setDefault(False)
        cancel.setDefault(True)
        words = (label(keep, wrap=True), label(then, "muted", wrap=True))
        buttons = row(1, cancel, self.restore)
        column(heading, self.path, *facts, *words, Gap(S), buttons, spacing=M, margins=DIALOG, parent=self)
        cancel.setFocus()

    def _folders(self, backup: BackupFacts) -> QVBoxLayout:
        """The folders whose files WebRAG reads from then on: a backup from elsewhere may name any."""
        listed = column(label(self.tr("Folders whose files WebRAG reads from then on:"), "strong"))
        for path in backup.folders[:MAX_FOLDERS_SHOWN]:
            line = ElidedLabel(one_line(path), "", Qt.TextElideMode.ElideMiddle)
            # The height that a dialog asks for is too small where texts wrap: these lines are not to pay for it.
            line.setMinimumHeight(line.sizeHint().height())
            listed.addWidget(line)
        more = len(backup.folders) - MAX_FOLDERS_SHOWN
        if more > 0:
            listed.addWidget(label(counted(more, self.tr("and 1 more"), self.tr("and {} more")), "muted"))
        return listed

    def _table(self, backup: BackupFacts, present: CorpusTotals) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(0, 1)
        rows = [
            ("", self.tr("Backup"), self.tr("Your library now")),
            (self.tr("Pages"), number(backup.documents), number(present.documents)),
            (self.tr("Passages"), number(backup.chunks), number(present.chunks)),
            (self.tr("Size"), size(backup.file_bytes), size(present.file_bytes)),
            (self.tr("Written"), full_time(backup.written_at), self.tr("in use")),
            (self.tr("Newest page read"), full_time(backup.newest), ""),
        ]
        for place, (title, there, here) in enumerate(rows):
            grid.addWidget(label(title, "muted"), place, 0)
            grid.addWidget(label(there, "strong"), place, 1)
            grid.addWidget(label(here, "muted" if place else "strong"), place, 2)
        return grid


async def put_in_place(engine: Engine, prepared: Prepared) -> Restored:
    """Stop the engine, then swap the files; the caller restarts it, whatever came of this.

    Raises CorpusError, CorpusBusyError, FileAccessError; a whole corpus is in place then too.
    """
    from app.corpus.restore import swap

    await engine.stop()
    return await asyncio.to_thread(swap, prepared, corpus_file(engine.settings.data_dir))


WIDTH = 680


class DataFolderDialog(QDialog):
    """Accepted with `folder`, which can be written to; rejected when the person leaves.

    `is_remembered` says whether the choice counts for later starts: not where the start names its folder.
    """

    def __init__(
        self, error: DataFolderError, folder: Path, *, is_remembered: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.folder = folder
        self.setWindowTitle("WebRAG Desktop")
        self.setWindowIcon(app_icon())
        self.setMinimumWidth(WIDTH)
        self.place = ElidedLabel(str(folder), "muted", Qt.TextElideMode.ElideMiddle)
        words = column(label(self.tr("WebRAG cannot write to its data folder"), "heading"), self.place)
        head = row(ThemedIcon("alert", 36, "warning"), (words, 1), spacing=L)
        reason = label(error.message, wrap=True, selectable=True)
        explained = label(self._explanation(is_remembered=is_remembered), "muted", wrap=True)
        self.problem = label("", "problem", wrap=True)
        self.problem.hide()
        self.choose = button(self.tr("Choose another folder…"), self.ask, "primary", "folder")
        self.usual = button(self.tr("Use the usual folder"), lambda: self.take(usual_data_dir()))
        self.usual.setToolTip(str(usual_data_dir()))
        self.usual.setVisible(folder != usual_data_dir())
        self.again = button(self.tr("Try again"), lambda: self.take(self.folder))
        leave = button(self.tr("Quit"), self.reject)
        buttons = row(leave, 1, self.again, self.usual, self.choose)
        column(head, reason, explained, self.problem, Gap(S), buttons, spacing=M, margins=DIALOG, parent=self)
        self.choose.setDefault(True)
        self.choose.setFocus()

    def ask(self) -> None:
        """Let the person point at a folder."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Choose the data folder"), str(Path.home()))
        if path:
            self.take(Path(path))

    def take(self, folder: Path) -> None:
        """Accept a folder that can be written to; say what is wrong with another."""
        try:
            make_data_dir(folder)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            self.problem.setText(self.tr("{} cannot be used: {}.").format(folder, reason))
            self.problem.show()
            self.adjustSize()
            return
        self.folder = folder
        self.accept()

    def _explanation(self, *, is_remembered: bool) -> str:
        lasting = (
            self.tr(
                "The folder you choose is used from now on, also by the command line and by assistants that start later."
            )
            if is_remembered
            else self.tr("This start was given its folder, so the one you choose counts until WebRAG is closed.")
        )
        moved = self.tr(
            "A library that is already there is opened. To take your library along, copy {} from the old folder first."
        ).format(corpus_file(Path()).name)
        return f"{lasting} {moved}"
