"""Panel to add files, folders that are kept up to date, and bookmarks, with a preview of their content."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QFileDialog, QRadioButton

from app import caps
from app.corpus.records import Folder
from app.desktop.context import Context
from app.desktop.dialogs.add.files_card import FilesCard, Survey, survey
from app.desktop.dialogs.add.panel import AddPanel
from app.desktop.engine_thread import Engine
from app.desktop.panels import Card, choose_folder
from app.desktop.qt import single_shot
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, add_parts, button, clear_layout, held, icon_button, label, row, text_field
from app.desktop.wording import counted, number, plain_tip, spoken
from app.errors import FileAccessError
from app.events import ProgressCallback
from app.ingest.outcome import IngestedPage
from app.library.job_records import Job, JobKind
from app.text.media_types import KIND_NAMES, KINDS, READABLE
from app.text.sentence import sentence

MAX_FOLDERS_SHOWN = 2

SEPARATOR = "; "
TYPING_MS = 250  # Milliseconds after typing before paths are checked.


class KeptFolders(Card):
    """Watched folders. Hidden if there are none. `refresh_wanted` and `removal_wanted` carry the folder."""

    refresh_wanted = Signal(object)
    removal_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(spacing=XS)
        self.body.setContentsMargins(L, S, L, S)
        self.hide()

    def show_folders(self, folders: list[Folder]) -> None:
        clear_layout(self.body)
        more = len(folders) - MAX_FOLDERS_SHOWN
        title = label(self.tr("Folders in the library"), "strong")
        rest = label(self.tr("… and {} more").format(more), "muted") if more > 0 else label()
        self.body.addWidget(held(row(title, 1, rest)))
        for folder in folders[:MAX_FOLDERS_SHOWN]:
            path = ElidedLabel(folder.path, "", Qt.TextElideMode.ElideMiddle)
            files = label(counted(folder.documents, self.tr("1 file"), self.tr("{} files")), "muted")
            inner = row((path, 1), files, spacing=M)
            if folder.unread:
                left_out = label(counted(len(folder.unread), self.tr("1 skipped"), self.tr("{} skipped")), "muted")
                left_out.setToolTip(plain_tip("\n".join(map(spoken, folder.unread))))
                inner.addWidget(left_out)
            again, remove = self.tr("Refresh {}"), self.tr("Remove {} from the library")
            refresh = icon_button("refresh", again.format(folder.path), partial(self.refresh_wanted.emit, folder))
            trash = icon_button("trash", remove.format(folder.path), partial(self.removal_wanted.emit, folder))
            add_parts(inner, refresh, trash)
            holder = held(inner)
            holder.setToolTip(plain_tip(spoken(folder.left_out)))
            self.body.addWidget(holder)
        self.setVisible(bool(folders))


Done = tuple[list[IngestedPage], list[Job]]  # What adding made.


class FilesPanel(AddPanel):
    """Paths that were selected, dropped or typed. Folders are watched or added once, files are added once."""

    def __init__(self, context: Context) -> None:
        text = self.tr("Files ({}), folders, or exported browser bookmarks.").format(spoken(KIND_NAMES))
        super().__init__(context, self.tr("Add"), text)
        self.field = self.path = text_field(self.tr("Path of a folder or file"), can_clear=True)
        choosing = (
            button(self.tr("Folder…"), self._choose_folder, "", "folder"),
            button(self.tr("Files…"), self._choose_files),
        )
        self.card = FilesCard()
        self.card.ticked.connect(self._name_action)
        add_parts(self.column, row((self.path, 1), *choosing), (self.card, 1))
        self.watch = QRadioButton(self.tr("Keep up to date"))
        self.once = QRadioButton(self.tr("Add once"))
        self.watch.setToolTip(self.tr("WebRAG follows new, changed and deleted files until you remove the folder."))
        self.watch.setChecked(True)
        group = QButtonGroup(self)
        for choice in (self.watch, self.once):
            group.addButton(choice)
            policy = choice.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            choice.setSizePolicy(policy)
            choice.hide()
        self.column.addLayout(row(self.watch, self.once, 1, spacing=L))
        self.kept = KeptFolders()
        self.kept.refresh_wanted.connect(
            lambda folder: self.run(
                self.tr("Starting…"), lambda engine: engine.jobs.refresh_folder(Path(folder.path)), self._begun
            )
        )
        self.kept.removal_wanted.connect(
            lambda folder: self.run(
                self.tr("Removing…"),
                lambda engine: engine.jobs.remove_folder(Path(folder.path)),
                lambda _removed: self.open_up(),
            )
        )
        self.column.addWidget(self.kept)
        self.survey: Survey | None = None
        self._filled: tuple[Path, ...] = ()
        self._pause = single_shot(self, TYPING_MS, self.look)
        self.path.textChanged.connect(self._follow)

    @property
    def paths(self) -> list[Path]:
        if (text := self.path.text()) == SEPARATOR.join(map(str, self._filled)):
            # The name of a chosen file can contain the separator.
            return list(self._filled)
        return [Path(part.strip()).expanduser() for part in text.split(SEPARATOR.strip()) if part.strip()]

    def fill(self, paths: Sequence[Path]) -> None:
        self._filled = tuple(paths)
        self.path.setText(SEPARATOR.join(map(str, paths)))
        self.look()

    def look(self) -> None:
        self._pause.stop()
        paths = self.paths[: caps.MAX_IMPORTED_FILES]
        if not paths:
            return
        self.card.show_hint(self.tr("Checking files…"))

        def show(found: Survey) -> None:
            self.survey = found
            self.card.show_survey(found)
            self._offer_choice()
            self._name_action()

        self._looking.run(lambda: survey(paths), show, self.failed.emit)

    def open_up(self) -> None:
        def show(folders: list[Folder]) -> None:
            self.kept.show_folders(folders)
            self.failed.emit(None)

        self.context.ask(self, lambda engine: engine.jobs.folders(), show)

    def start(self) -> None:
        """Start adding. Paths that were not checked yet are checked first."""
        paths = self.paths[: caps.MAX_IMPORTED_FILES]
        if not paths:
            self.path.setFocus()
            return
        known, once = self.survey, self.once.isChecked()
        ticked = self.card.bookmarks.urls if known is not None and known.bookmarks else None
        self._stop_looking()
        progress = self.progress()
        self.run(
            self.tr("Adding…"), lambda engine: _add(engine, paths, known, ticked, once, progress), self._done_adding
        )

    def _choose_folder(self) -> None:
        choose_folder(self, self.tr("Choose a folder"), lambda path: self.fill([path]))

    def _choose_files(self) -> None:
        kinds = self.tr("Documents") + f" ({' '.join(f'*{suffix}' for kind in KINDS for suffix in kind.suffixes)})"
        chosen, _ = QFileDialog.getOpenFileNames(
            self, self.tr("Choose files"), "", f"{kinds};;" + self.tr("All files (*)")
        )
        if chosen:
            self.fill([Path(name) for name in chosen])

    def _follow(self) -> None:
        self._stop_looking()
        self.survey = None
        self.forget_problem()
        if self.paths:
            self._pause.start()
        else:
            self.card.show_hint(
                self.tr("Select files or a folder, or drop them here. Nothing is added until you click Add.")
            )
        self._offer_choice()
        self._name_action()

    def _offer_choice(self) -> None:
        has_folder = self.survey is not None and bool(self.survey.folders)
        fits = has_folder and self.survey is not None and len(self.survey.in_folders) <= caps.MAX_IMPORTED_FILES
        self.watch.setVisible(has_folder)
        self.once.setVisible(has_folder)
        self.once.setEnabled(fits)
        if not fits:
            self.watch.setChecked(True)

    def _name_action(self) -> None:
        found = self.survey
        if found is None or self.problem is not None:
            super()._name_action()
            return
        marked = len(self.card.bookmarks.urls) if found.bookmarks else 0
        if marked and not found.total:
            self.rename(counted(marked, self.tr("Add 1 page"), self.tr("Add {} pages")))
        elif found.total and not marked:
            self.rename(counted(found.total, self.tr("Add 1 file"), self.tr("Add {} files")))
        else:
            self.rename(self.tr("Add"))

    def _stop_looking(self) -> None:
        self._pause.stop()
        super()._stop_looking()

    def _done_adding(self, done: Done) -> None:
        pages, jobs = done
        failed = [page for page in pages if page.is_failed]
        read = [page for page in pages if not page.is_failed]
        if read:
            title = read[0].title or read[0].url
            self.context.notifier.say(
                counted(len(read), self.tr("Added “{}”").format(title), self.tr("Added {} files"))
            )
            self.added.emit([page.document_id for page in read])
        for job in jobs:
            if job.kind is JobKind.FOLDER:
                self.folder_begun.emit(job.id, job.target)
            else:
                self.job_begun.emit(job.id)
        if not failed:
            self.finished.emit()
            return
        first, tried = failed[0], len(pages) + len(jobs)
        counts = self.tr("Could not read {} of {} files.").format(number(len(failed)), number(tried))
        message = f"{counts} {first.failure_reason}" if tried > 1 else first.failure_reason
        # Keep only the failed paths.
        self.fill([Path(page.url) for page in failed])
        self.failed.emit(FileAccessError(message, hint=first.note))


async def _add(
    engine: Engine,
    paths: list[Path],
    known: Survey | None,
    ticked: tuple[str, ...] | None,
    once: bool,
    progress: ProgressCallback,
) -> Done:
    """Add folders and selected bookmarks as jobs, and files directly. Failed files are reported."""
    from app.server.control.files import import_files

    found = known if known is not None else await asyncio.to_thread(survey, paths)
    pages, jobs = list[IngestedPage](), list[Job]()
    for folder in () if once else found.folders:
        jobs.append(await engine.jobs.add_folder(folder))
    urls = (url for folders in found.bookmarks.values() for folder in folders for url in folder.urls)
    marked = ticked if ticked is not None else tuple(dict.fromkeys(urls))
    if marked:
        target = next(iter(found.bookmarks)).name
        jobs.append(await engine.jobs.read_pages(marked[: caps.MAX_IMPORTED_URLS], target=target))
    elif found.bookmarks and ticked is None:
        name = next(iter(found.bookmarks)).name
        raise FileAccessError(sentence("{} does not contain bookmarks of web pages.", name))
    files = [
        *found.files,
        *(path for path, _ in found.refused if not path.is_dir()),
        *(found.in_folders if once else ()),
    ]
    if not files and not jobs:
        raise _nothing(found)
    for entry in await import_files(engine, files[: caps.MAX_IMPORTED_FILES], progress):
        if entry.page is not None:
            pages.append(entry.page)
    return pages, jobs


def _nothing(found: Survey) -> FileAccessError:
    if found.refused:
        return FileAccessError(found.refused[0][1])
    if found.too_large:
        return FileAccessError(
            sentence("WebRAG does not read files larger than {} MiB.", caps.MAX_FILE_BYTES // caps.MIB)
        )
    return FileAccessError(sentence("No supported files found."), hint=READABLE)
