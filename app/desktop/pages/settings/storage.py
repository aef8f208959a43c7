"""Storage: what takes how much room, and backup, restore, check, compact and export."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QPlainTextEdit

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.dialogs.confirm import RestoreDialog, is_agreed, put_in_place
from app.desktop.engine_thread import LongWork
from app.desktop.exports import open_local
from app.desktop.pages.settings.layout import PathRow
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.pages.settings.storage_rows import AutomaticRow, UseRow, WorkRow
from app.desktop.theme import mono_font
from app.desktop.widgets import button
from app.desktop.wording import counted, duration, number, size
from app.errors import WebRAGError
from app.paths import corpus_file

if TYPE_CHECKING:
    from app.corpus.records import BackupFacts, Compacted, Problem, Restored
    from app.corpus.restore import Prepared
    from app.corpus.watch import Watch
    from app.engine import Engine
    from app.engine.maintenance import Storage
    from app.library.records import CorpusTotals
    from app.server.control.files import Exported

PROBLEMS_HEIGHT = 120
SHOWN_LOST = 5


class StorageSection(SettingsSection):
    """Sizes, backup, restore, check, compact and export of the library."""

    def __init__(self, context: Context) -> None:
        super().__init__(self.tr("Storage"), self.tr("Everything is kept in one folder on this computer."))
        self._context = context
        self.work = LongWork(context.thread, self)
        self.totals: CorpusTotals | None = None
        self.use = UseRow()
        self._started = 0.0
        self._is_swapping = False
        self._make_rows()
        self.work.ended.connect(self.reload)
        self.add(self.use, self.folder, self.backup)
        self.add_settings(context.settings, "storage")
        self.add(self.automatic, self.restore, self.verify, self.repair, self.empty, self.compact, self.export)

    def reload(self) -> None:
        """Reload the sizes, unless work is running."""
        if self.is_busy:
            return
        from app.engine.maintenance import backup_files

        corpus, thread = self._corpus, self._context.thread
        thread.submit(lambda engine: engine.maintenance.storage(), self._show, self._fail, owner=self)
        # Without the engine, which cannot open a library that is damaged at its beginning.
        thread.run_blocking(lambda: backup_files(corpus), self.automatic.show_files, self.automatic.fail, owner=self)

    def _make_rows(self) -> None:
        path = self._context.settings.running.data_dir
        show = button(self.tr("Open folder"), lambda: open_local(path), "", "folder")
        self.folder = PathRow(self.tr("Folder"), str(path), show)
        self.backup = self._row(
            self.tr("Backup"),
            self.tr("Copies the whole library into one file, while it is in use."),
            self.tr("Back up…"),
            self.ask_backup,
        )
        self.restore = self._row(
            self.tr("Restore"),
            self.tr("Puts a backup in the place of the library. The one you have now is kept beside it."),
            self.tr("Restore…"),
            self.ask_restore,
        )
        self.automatic = AutomaticRow(self.work, self.ask_newest, self.ask_forget)
        self.repair = self._row(
            self.tr("Repair"),
            self.tr(
                "Makes a new library of what can be read of a damaged one: pages, jobs, pins. Search by meaning is prepared again."
                " The old one is kept beside it."
            ),
            self.tr("Save what can be read"),
            self.ask_salvage,
        )
        self.empty = self._row(
            self.tr("Begin anew"),
            self.tr("Starts with an empty library. The one you have now is kept beside it, and can be saved later."),
            self.tr("Start empty…"),
            self.ask_empty,
        )
        self.verify = self._row(
            self.tr("Check"),
            self.tr("Reads everything and compares it: the file, the index, every passage."),
            self.tr("Check now"),
            self.run_verify,
        )
        self.compact = self._row(
            self.tr("Compact"),
            self.tr("Gives the room of deleted pages back to the disk. Storing waits meanwhile, searching does not."),
            self.tr("Compact"),
            self.run_compact,
        )
        self.export = self._row(
            self.tr("Export"),
            self.tr("Writes every page as a Markdown file with its address, in a folder for each site."),
            self.tr("Export all…"),
            self.ask_export,
        )
        self._make_problems()

    def _row(self, title: str, text: str, action: str, begin: Callable[[], object]) -> WorkRow:
        return WorkRow(self.work, title, text, action, begin)

    def _make_problems(self) -> None:
        self.problems = QPlainTextEdit()
        self.problems.setReadOnly(True)
        self.problems.setFont(mono_font(0.9))
        self.problems.setFixedHeight(PROBLEMS_HEIGHT)
        self.problems.setAccessibleName(self.tr("What the check found"))
        self.copy = button(self.tr("Copy the list"), self._copy_problems, "", "copy")
        self.verify.append(self.problems)
        self.verify.append(self.copy)
        self.problems.hide()
        self.copy.hide()

    # sizes

    def _show(self, found: Storage) -> None:
        self.totals = found.totals
        self.use.complain("")
        self.use.show_storage(found)

    def _fail(self, error: WebRAGError) -> None:
        self.use.show_text(self.tr("The sizes cannot be read."))
        self.use.fail(error)

    # work

    def _begin(self, row: WorkRow, text: str, *, share: bool = True) -> None:
        self._started = time.monotonic()
        row.running(text, share=share)
        for each in self._rows():
            each.free(free=False)

    def _rows(self) -> tuple[WorkRow, ...]:
        return (
            *(self.backup, self.automatic, self.restore, self.verify),
            *(self.repair, self.empty, self.compact, self.export),
        )

    @property
    def is_busy(self) -> bool:
        """Whether long work runs, or its outcome takes the place of the library: then nothing else begins."""
        return self.work.is_running or self._is_swapping

    def _is_held_up(self) -> bool:
        """Whether the library cannot be replaced just now; says so."""
        is_starting = self._context.status.phase is Phase.STARTING
        if self.is_busy or is_starting:
            text = self.tr("The engine is starting.") if is_starting else self.tr("The library is being worked on.")
            self._context.notifier.say(text)
        return self.is_busy or is_starting

    def ask_backup(self) -> None:
        """Ask for the file, then write it."""
        name = f"webrag-{time.strftime('%Y-%m-%d')}.db"
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Back up the library"), str(Path.home() / name), self.tr("Backups (*.db)")
        )
        if path:
            self.run_backup(_with_suffix(Path(path)))

    def run_backup(self, path: Path) -> None:
        """Write a backup; an older one of this name is replaced only when the new one is whole."""

        def done(_result: None) -> None:
            self.backup.tell(self.tr("Backed up to {}.").format(path), self.tr("done"))

        self._begin(self.backup, self.tr("Copying…"))
        self.work.start(
            lambda engine, watch: engine.maintenance.backup(path, watch), done, self.backup.fail, self.backup.cancelled
        )

    def ask_restore(self) -> None:
        """Ask for the file, look into it, and ask again."""
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a backup"), str(Path.home()), self.tr("Backups (*.db);;All files (*)")
        )
        if path:
            self.look_into(Path(path))

    def look_into(self, path: Path) -> None:
        """Show what a backup holds and what it would replace."""
        from app.corpus.restore import describe

        def show(facts: BackupFacts) -> None:
            if self.totals is None:
                self.restore.complain(self.tr("The sizes of now are still added up. Try again in a moment."))
                return
            self.dialog = RestoreDialog(path, facts, self.totals, self.window())
            self.dialog.accepted.connect(lambda: self.run_restore(path))
            self.dialog.open()

        self.restore.forget()
        self._context.thread.run_blocking(lambda: describe(path), show, self.restore.fail, owner=self)

    def run_restore(self, path: Path) -> None:
        """Check a copy of the backup, which can be cancelled, then put it in place, which cannot."""
        if self._is_held_up():
            return
        self._begin(self.restore, self.tr("Checking the backup…"))

        self.work.start(
            lambda engine, watch: engine.maintenance.prepare_restore(path, watch),
            lambda prepared: self._swap(self.restore, prepared),
            self.restore.fail,
            self.restore.cancelled,
        )

    def ask_repair(self, way: str) -> None:
        """Ask about `newest`, `salvage` or `empty` and take that way, unless another is being taken."""
        if not self._is_held_up():
            {"newest": self.ask_newest, "salvage": self.ask_salvage, "empty": self.ask_empty}[way]()

    def ask_newest(self) -> None:
        """Ask, then put the newest sound automatic backup in place."""
        question = self.tr(
            "Put the newest sound backup in the place of your library? The one you have now is kept beside it."
        )
        if is_agreed(self, self.tr("Automatic backups"), question):
            self.run_newest()

    def run_newest(self) -> None:
        """Find the newest automatic backup that is sound, going on to older ones, and put it in place."""
        from app.corpus.restore import prepare_newest

        corpus = self._corpus
        self._repair(
            self.automatic,
            self.tr("Looking for a sound backup…"),
            lambda watch: prepare_newest(corpus, watch)[1],
        )

    def ask_salvage(self) -> None:
        """Ask, then save what can be read."""
        question = self.tr(
            "Make a new library of what can be read of this one? Anything that is read in meanwhile is not part of it."
        )
        if is_agreed(self, self.tr("Repair"), question):
            self.run_salvage()

    def run_salvage(self) -> None:
        """Make a new library of what can be read of the one that is there, and put it in place."""
        from app.corpus.restore import prepare_salvage

        corpus = self._corpus
        self._repair(
            self.repair, self.tr("Reading what can be read…"), lambda watch: prepare_salvage(corpus, corpus, watch)
        )

    def ask_empty(self) -> None:
        """Ask, then begin with an empty library."""
        question = self.tr(
            "Start with an empty library? Nothing is deleted: the one you have now is kept beside it, with its pages, jobs and"
            " pins."
        )
        if is_agreed(self, self.tr("Begin anew"), question):
            self.run_empty()

    def run_empty(self) -> None:
        """Put an empty library in the place of the one that is there."""
        from app.corpus.restore import prepare_empty

        corpus = self._corpus
        self._repair(self.empty, self.tr("Making an empty library…"), lambda watch: prepare_empty(corpus, watch))

    def ask_forget(self) -> None:
        """Ask, then delete the automatic backups."""
        from app.corpus.restore import remove_automatic_backups

        def done(_count: int) -> None:
            self._context.notifier.say(self.tr("The automatic backups are deleted"))
            self.automatic.show_files(())
            self.reload()

        corpus = self._corpus
        question = self.tr("Delete all automatic backups? This cannot be undone.")
        if is_agreed(self, self.tr("Automatic backups"), question):
            self._context.thread.run_blocking(
                lambda: remove_automatic_backups(corpus), done, self.automatic.fail, owner=self
            )

    @property
    def _corpus(self) -> Path:
        return corpus_file(self._context.settings.running.data_dir)

    def _repair(self, row: WorkRow, text: str, prepare: Callable[[Watch], Prepared]) -> None:
        """Prepare a copy, also where the engine could not open the library, and put it in place."""
        if self._is_held_up():
            return
        self._begin(row, text)
        self.work.start_blocking(prepare, lambda prepared: self._swap(row, prepared), row.fail, row.cancelled)

    def _swap(self, row: WorkRow, prepared: Prepared) -> None:
        self._hold(held=True)

        def done(restored: Restored) -> None:
            self._hold(held=False)
            self._context.restart()
            text = counted(restored.documents, self.tr("1 page is restored."), self.tr("{} pages are restored."))
            kept = self.tr("The library before is kept as {}.").format(restored.kept) if restored.kept else ""
            row.tell(f"{text} {kept}".strip(), self.tr("done"))
            row.complain(self._lost_text(restored))

        def failed(error: WebRAGError) -> None:
            self._hold(held=False)
            self._context.restart()
            row.fail(error)

        row.show_text(self.tr("Putting the backup in place…"))
        from app.corpus.restore import swap

        corpus = self._corpus
        # An engine that is starting opens the file just now: then its end is waited for.
        if self._context.status.phase is Phase.FAILED:
            self._context.thread.run_blocking(lambda: swap(prepared, corpus), done, failed, owner=self)
            return
        self._context.thread.submit(
            lambda engine: put_in_place(engine, prepared), done, failed, owner=self, lasting=True
        )

    def _hold(self, *, held: bool) -> None:
        """Let nothing else begin while files change places: it would clear away what is about to be put in place."""
        self._is_swapping = held
        for each in self._rows():
            each.free(free=not held)

    def _lost_text(self, restored: Restored) -> str:
        """What did not come along."""
        parts = [self.tr("Left out: {}.").format(words) for words in restored.removed]
        saved = restored.salvaged
        if saved is not None and saved.lost:
            shown = ", ".join(saved.lost_urls[:SHOWN_LOST]) + ("…" if len(saved.lost_urls) > SHOWN_LOST else "")
            lost = counted(
                saved.lost,
                self.tr("Of 1 page the text could not be read: {}"),
                self.tr("Of {} pages the text could not be read: {}"),
            )
            parts.append(lost.replace("{}", shown))
        return " ".join(parts)

    def run_verify(self) -> None:
        """Check everything."""

        self.problems.hide()
        self.copy.hide()
        self._begin(self.verify, self.tr("Checking…"))
        self.work.start(
            lambda engine, watch: engine.maintenance.verify(watch),
            self._checked,
            self.verify.fail,
            self.verify.cancelled,
        )

    def _checked(self, problems: list[Problem]) -> None:
        if not problems:
            passed = duration((time.monotonic() - self._started) * 1000)
            self.verify.tell(self.tr("All is well. The check took {}.").format(passed), self.tr("sound"))
            return
        found = counted(len(problems), self.tr("1 problem was found."), self.tr("{} problems were found."))
        advice = self.tr("Restore a backup, or make one of what can still be read and report the list.")
        self.verify.tell(f"{found} {advice}", self.tr("damaged"), "error")
        self.problems.setPlainText("\n".join(f"{problem.check}: {problem.detail}" for problem in problems))
        self.problems.show()
        self.copy.show()

    def _copy_problems(self) -> None:
        QGuiApplication.clipboard().setText(self.problems.toPlainText())
        self._context.notifier.say(self.tr("The list is copied"))

    def run_compact(self) -> None:
        """Give unused room back."""

        def done(result: Compacted) -> None:
            won = max(0, result.before - result.after)
            text = self.tr("{} were won; the library takes {}.").format(size(won), size(result.after))
            self.compact.tell(text, self.tr("done"))

        self._begin(self.compact, self.tr("Writing the library anew…"), share=False)
        self.work.start(
            lambda engine, watch: engine.maintenance.compact(watch), done, self.compact.fail, self.compact.cancelled
        )

    def ask_export(self) -> None:
        """Ask for the folder, then write the files."""
        path = QFileDialog.getExistingDirectory(self, self.tr("Export all pages to"), str(Path.home()))
        if path:
            self.run_export(Path(path))

    def run_export(self, folder: Path) -> None:
        """Write every page; each file is whole, and those written stay when this is cancelled."""
        expected = self.totals.documents if self.totals is not None else 1

        def cancelled() -> None:
            self.export.tell(self.tr("Cancelled. Files that were written stay in {}.").format(folder))

        async def work(engine: Engine, watch: Watch) -> Exported:
            from app.server.control.files import export_documents

            written = 0

            async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
                nonlocal written
                written += 1
                watch.at(written / max(1, expected))

            return await export_documents(engine, "", folder, progress)

        self._begin(self.export, self.tr("Writing files…"))
        self.work.start(work, lambda result: self._exported(result, folder), self.export.fail, cancelled)

    def _exported(self, result: Exported, folder: Path) -> None:
        files = counted(len(result.files), self.tr("1 file"), self.tr("{} files"))
        text = self.tr("Written to {}: {}.").format(folder, files)
        if result.failures:
            self.export.tell(text, self.tr("incomplete"), "warning")
            first = result.failures[0]
            self.export.complain(
                self.tr("{} pages could not be written. The first: {} {}").format(
                    number(len(result.failures)), first.message, first.hint
                )
            )
        else:
            self.export.tell(text, self.tr("done"))


def _with_suffix(path: Path) -> Path:
    """The path with the suffix .db if it has none, unless that would replace a file."""
    named = path if path.suffix else path.with_name(f"{path.name}.db")
    return path if named.exists() else named
