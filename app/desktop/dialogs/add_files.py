"""Add files, or a folder that is kept up to date; and the folders that are kept already."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QLineEdit, QVBoxLayout, QWidget

from app import caps
from app.desktop.context import Context
from app.desktop.dialogs.adding import AddPanel
from app.desktop.panels import Card
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import ElidedLabel, button, icon_button, label, row
from app.desktop.wording import counted
from app.errors import FileAccessError

if TYPE_CHECKING:
    from app.corpus.job_records import Folder, Job
    from app.orchestration.result import IngestedPage
    from app.server.control.importing import Imported

MAX_FOLDERS_SHOWN = 4
SEPARATOR = "; "


class FilesPanel(AddPanel):
    """A path, chosen or typed. A folder becomes one that is watched, files are read once."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Add"))
        text = self.tr(
            "Markdown, HTML, MHTML, PDF and text files, or bookmarks exported from a browser. The files of a folder are "
            "kept up to date until you remove the folder."
        )
        self.column.addWidget(label(text, "muted", wrap=True))
        self.path = QLineEdit()
        self.path.setPlaceholderText(self.tr("Path of a folder or file"))
        self.path.setAccessibleName(self.tr("Path of a folder or file"))
        self.path.setClearButtonEnabled(True)
        line = row(spacing=S)
        line.addWidget(self.path, 1)
        line.addWidget(button(self.tr("Folder…"), self._choose_folder, "", "folder"))
        line.addWidget(button(self.tr("Files…"), self._choose_files))
        self.column.addLayout(line)
        self._kept = Card(spacing=XS)
        self._kept.hide()
        self.column.addWidget(self._kept)

    def open_up(self) -> None:
        self._load_folders()

    def take_focus(self) -> None:
        self.path.setFocus()

    def start(self) -> None:
        paths = [Path(part.strip()).expanduser() for part in self.path.text().split(SEPARATOR) if part.strip()]
        if not paths:
            self.path.setFocus()
        elif len(paths) == 1 and paths[0].is_dir():
            self.run(self.tr("Starting…"), lambda engine: engine.jobs.add_folder(paths[0]), self._begun)
        else:
            self._import(paths[: caps.MAX_IMPORTED_FILES])

    def _import(self, paths: list[Path]) -> None:
        from app.server.control.importing import import_files

        progress = self.progress()
        self.run(self.tr("Reading…"), lambda engine: import_files(engine, paths, progress), self._imported)

    def _choose_folder(self) -> None:
        chosen = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder"))
        if chosen:
            self.path.setText(chosen)

    def _choose_files(self) -> None:
        kinds = self.tr("Documents") + " (*.md *.markdown *.html *.htm *.mhtml *.mht *.pdf *.txt)"
        chosen, _ = QFileDialog.getOpenFileNames(
            self, self.tr("Choose files"), "", f"{kinds};;" + self.tr("All files (*)")
        )
        if chosen:
            self.path.setText(SEPARATOR.join(chosen))

    def _begun(self, job: Job) -> None:
        self.job_begun.emit(job.id)
        self.finished.emit()

    def _imported(self, entries: list[Imported]) -> None:
        pages = [entry.page for entry in entries if entry.page is not None]
        failed = [page for page in pages if page.is_failed]
        read = [page for page in pages if not page.is_failed]
        jobs = [entry.job for entry in entries if entry.job is not None]
        if read:
            title = read[0].title or read[0].url
            self.context.notifier.say(
                counted(len(read), self.tr("Added “{}”").format(title), self.tr("Added {} files"))
            )
            self.added.emit(read[0].document_id)
        for job in jobs[:1]:
            self.job_begun.emit(job.id)
        if failed:
            self._complain(entries, failed)
        else:
            self.finished.emit()

    def _complain(self, entries: list[Imported], failed: list[IngestedPage]) -> None:
        """Say what could not be read, and leave only that in the line."""
        first = failed[0]
        counts = self.tr("{} of {} files could not be read.").format(len(failed), len(entries))
        message = f"{counts} {first.failure_reason}" if len(entries) > 1 else first.failure_reason
        self.path.setText(SEPARATOR.join(page.url for page in failed))
        self.failed.emit(FileAccessError(message, hint=first.note))

    def _load_folders(self) -> None:
        self.context.thread.submit(lambda engine: engine.jobs.folders(), self._show_folders, owner=self)

    def _show_folders(self, folders: list[Folder]) -> None:
        body = self._kept.body
        while (item := body.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        body.addWidget(label(self.tr("Folders in the library"), "strong"))
        for folder in folders[:MAX_FOLDERS_SHOWN]:
            body.addWidget(self._folder_row(folder))
        more = len(folders) - MAX_FOLDERS_SHOWN
        if more > 0:
            body.addWidget(label(self.tr("… and {} more").format(more), "muted"))
        self._kept.setVisible(bool(folders))
        self.failed.emit(None)

    def _folder_row(self, folder: Folder) -> QWidget:
        holder = QWidget()
        line = QVBoxLayout(holder)
        line.setContentsMargins(0, 0, 0, 0)
        name = ElidedLabel(folder.path)
        files = label(counted(folder.documents, self.tr("1 file"), self.tr("{} files")), "muted")
        inner = row(spacing=M)
        inner.addWidget(name, 1)
        inner.addWidget(files)
        inner.addWidget(
            icon_button("refresh", self.tr("Look through {} again").format(folder.path), lambda: self._refresh(folder))
        )
        inner.addWidget(
            icon_button(
                "trash", self.tr("Remove {} from the library").format(folder.path), lambda: self._remove(folder)
            )
        )
        line.addLayout(inner)
        return holder

    def _refresh(self, folder: Folder) -> None:
        path = Path(folder.path)
        self.run(self.tr("Starting…"), lambda engine: engine.jobs.refresh_folder(path), self._begun)

    def _remove(self, folder: Folder) -> None:
        path = Path(folder.path)
        self.run(
            self.tr("Removing…"), lambda engine: engine.jobs.remove_folder(path), lambda _removed: self._load_folders()
        )
