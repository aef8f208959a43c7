"""Add the first page or folder, with what goes on and a way to stop it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.adding import with_scheme
from app.desktop.engine_thread import Job as Work
from app.desktop.tokens import XS, L, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, button, label, row
from app.desktop.wording import counted
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.corpus.job_records import Job
    from app.ingest.outcome import IngestedPage
    from app.progress import ProgressCallback


_ADDRESS = re.compile(r"\S*[.:]\S*")
"""What can be an address: no spaces, and a dot or a colon somewhere."""


class ContentRow(QWidget):
    """An address or a folder. A page is read while one looks on, a folder in the background."""

    added = Signal()
    _progressed = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._work: Work | None = None
        self.address = QLineEdit()
        self.address.setPlaceholderText(self.tr("https:// – the address of a page you often look into"))
        self.address.setAccessibleName(self.tr("Address of a page"))
        self.address.returnPressed.connect(self.add)
        self.button = button(self.tr("Add"), self.add)
        self.folder = button(self.tr("Folder…"), self._choose_folder, "", "folder")
        self.stop_button = button(self.tr("Stop"), self.stop)
        self.stop_button.hide()
        line = row(self.address, self.button, self.stop_button, self.folder)
        line.setStretch(0, 1)
        self._icon = ThemedIcon("ok", 15, "success")
        self._text = ElidedLabel("", "caption")
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(90)
        state = row(self._icon, self._bar, self._text, spacing=S)
        state.setStretch(2, 1)
        head = row(label(self.tr("Add a page or a folder, if you like"), "caption"), spacing=L)
        head.addLayout(state, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(XS)
        column.addLayout(head)
        column.addLayout(line)
        self._progressed.connect(self._text.show_text, Qt.ConnectionType.QueuedConnection)
        self._say("", "", "")

    @property
    def state_text(self) -> str:
        """What the line below the box says."""
        return self._text.full_text

    def add(self) -> None:
        """Read the page that was entered."""
        typed = self.address.text().strip()
        if not typed or self._work is not None:
            return
        if not _ADDRESS.fullmatch(typed):
            self._say("error", "danger", self.tr("This is not an address. One looks like docs.python.org."))
            return
        url = with_scheme(typed)
        progress = self._progress()
        self._begin(self.tr("Reading {}…").format(url))
        self._work = self._context.thread.submit(
            lambda engine: engine.ensure_ingested(url, progress=progress), self._stored, self._fail, owner=self
        )

    def add_folder(self, folder: Path) -> None:
        """Keep a folder's files in the library."""
        self._begin(self.tr("Looking through {}…").format(folder.name))
        self._work = self._context.thread.submit(
            lambda engine: engine.jobs.add_folder(folder), lambda job: self._begun(job, folder), self._fail, owner=self
        )

    def stop(self) -> None:
        """Give up the page that is being read; a folder that was begun goes on."""
        if self._work is not None:
            self._work.cancel()
            self._work = None
            self._end()
            self._say("close", "muted", self.tr("Stopped."))

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"))
        if chosen:
            self.add_folder(Path(chosen))

    def _progress(self) -> ProgressCallback:
        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        return report

    def _begin(self, words: str) -> None:
        self._say("", "", words)
        self._bar.show()
        self._set_enabled(False)

    def _end(self) -> None:
        self._work = None
        self._bar.hide()
        self._set_enabled(True)

    def _set_enabled(self, enabled: bool) -> None:
        self.address.setEnabled(enabled)
        self.folder.setEnabled(enabled)
        self.button.setVisible(enabled)
        self.stop_button.setVisible(not enabled)

    def _stored(self, page: IngestedPage) -> None:
        self._end()
        chunks = counted(page.chunks, self.tr("1 chunk"), self.tr("{} chunks"))
        self._say("ok", "success", self.tr("“{}” is in the library: {}.").format(page.title or page.url, chunks))
        self.address.clear()
        self.added.emit()

    def _begun(self, _job: Job, folder: Path) -> None:
        self._end()
        words = self.tr("“{}” is being read in the background and kept up to date. Activity shows how far it is.")
        self._say("ok", "success", words.format(folder.name))
        self.added.emit()

    def _fail(self, error: WebRAGError) -> None:
        self._end()
        self._say("error", "danger", f"{error.message} {error.hint}")
        self.address.setFocus()

    def _say(self, icon: str, role: str, text: str) -> None:
        self._text.show_text(text)
        self._icon.setVisible(bool(icon))
        if icon:
            self._icon.show_icon(icon, role)
        self._bar.setVisible(False)
