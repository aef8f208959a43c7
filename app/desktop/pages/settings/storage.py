"""The Storage section: disk usage, backup, restore, check, compact and export."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QFileDialog

from app.desktop.backend import Phase
from app.desktop.context import Context
from app.desktop.dialogs.confirm import RestoreDialog, is_agreed, put_in_place
from app.desktop.engine_thread import LongWork
from app.desktop.pages.parts import text_box
from app.desktop.pages.settings.layout import PathRow, own_row
from app.desktop.pages.settings.rows import SettingsSection
from app.desktop.pages.settings.storage_rows import AutomaticRow, UseRow, WorkRow
from app.desktop.panels import choose_folder
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

T = TypeVar("T")
PROBLEMS_HEIGHT = 120
SHOWN_LOST = 5


class StorageSection(SettingsSection):
    """The section for disk usage and maintenance of the library."""

    def __init__(self, context: Context) -> None:
        super().__init__("storage")
        self._context = context
        self.work = LongWork(context.thread, self)
        self.totals: CorpusTotals | None = None
        self.use = UseRow()
        self._is_swapping = False
        path = context.settings.running.data_dir
        self.folder = PathRow("data_folder", path, path)
        self.automatic = AutomaticRow(self.work, lambda: self.ask_repair("newest"), self.ask_forget)
        self.backup = WorkRow(self.work, "backup", self.ask_backup)
        self.restore = WorkRow(self.work, "restore", self.ask_restore)
        self.repair = WorkRow(self.work, "repair", lambda: self.ask_repair("salvage"))
        self.empty = WorkRow(self.work, "empty", lambda: self.ask_repair("empty"))
        self.verify = WorkRow(self.work, "verify", self.run_verify)
        self.compact = WorkRow(self.work, "compact", self.run_compact)
        self.export = WorkRow(self.work, "export", self.ask_export)
        self.problems = text_box(self.tr("Problems found"), mono=0.9, role="")
        self.problems.setFixedHeight(PROBLEMS_HEIGHT)
        said = self.tr("List copied")
        self.copy = button(self.tr("Copy list"), lambda: context.copy(self.problems.toPlainText(), said), "", "copy")
        for widget in (self.problems, self.copy):
            self.verify.append(widget)
            widget.hide()
        self.work.ended.connect(self.reload)
        self.add(self.use, self.folder, self.backup)
        self.add_settings(context.settings, "storage")
        self.add(self.automatic, self.restore, self.verify, self.repair, self.empty, self.compact, self.export)

    def reload(self) -> None:
        """Reload the sizes unless an operation is running."""
        if self.is_busy:
            return
        from app.engine.maintenance import backup_files

        corpus, thread = self._corpus, self._context.thread
        thread.submit(lambda engine: engine.maintenance.storage(), self._show, self._fail, owner=self)
        # Works without the engine, which cannot open a library with a damaged header.
        thread.run_blocking(lambda: backup_files(corpus), self.automatic.show_files, self.automatic.fail, owner=self)

    def _show(self, found: Storage) -> None:
        self.totals = found.totals
        self.use.show_storage(found)
        text = own_row("compact").text
        if found.use.reclaimable:
            text = (
                self.tr("Frees about {} of {}.").format(size(found.use.reclaimable), size(found.use.total)) + f" {text}"
            )
        self.compact.plain(text)

    def _fail(self, error: WebRAGError) -> None:
        self.use.show_text(self.tr("Could not read the sizes."))
        self.use.fail(error)

    def _begin(self, row: WorkRow, text: str, *, share: bool = True) -> None:
        row.running(text, share=share)
        for each in self._rows():
            each.free(free=False)

    def _start(
        self,
        row: WorkRow,
        text: str,
        work: Callable[[Engine, Watch], Awaitable[T]],
        done: Callable[[T], None],
        *,
        cancelled: Callable[[], None] | None = None,
        share: bool = True,
    ) -> None:
        """Start a long operation whose row shows its progress and failure."""
        self._begin(row, text, share=share)
        self.work.start(work, done, row.fail, cancelled or row.cancelled)

    def _rows(self) -> tuple[WorkRow, ...]:
        first = self.backup, self.automatic, self.restore, self.verify
        return (*first, self.repair, self.empty, self.compact, self.export)

    @property
    def is_busy(self) -> bool:
        """Whether a long operation runs or the library is being replaced, so that no other one can start."""
        return self.work.is_running or self._is_swapping

    def _is_held_up(self) -> bool:
        """Whether the library cannot be replaced now; if so, shows a message."""
        is_starting = self._context.status.phase is Phase.STARTING
        if self.is_busy or is_starting:
            text = self.tr("WebRAG is starting.") if is_starting else self.tr("WebRAG is working on the library.")
            self._context.notifier.say(text)
        return self.is_busy or is_starting

    def ask_backup(self) -> None:
        name = f"webrag-{time.strftime('%Y-%m-%d')}.db"
        path, _ = QFileDialog.getSaveFileName(
            self, self.tr("Back up the library"), str(Path.home() / name), self.tr("Backups (*.db)")
        )
        if path:
            self.run_backup(_with_suffix(Path(path)))

    def run_backup(self, path: Path) -> None:
        """Write a backup. Replaces an existing file only when the new backup is complete."""

        def done(_result: None) -> None:
            self.backup.tell(self.tr("Backed up to {}.").format(path), self.tr("done"))

        work = self.tr("Copying…")
        self._start(self.backup, work, lambda engine, watch: engine.maintenance.backup(path, watch), done)

    def ask_restore(self) -> None:
        """Ask for a backup, inspect it and ask for confirmation."""
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a backup"), str(Path.home()), self.tr("Backups (*.db);;All files (*)")
        )
        if path:
            self.look_into(Path(path))

    def look_into(self, path: Path) -> None:
        """Show the content of a backup and of the library that it would replace."""
        from app.corpus.restore import describe

        def show(facts: BackupFacts) -> None:
            if self.totals is None:
                self.restore.complain(self.tr("WebRAG is still calculating the sizes. Try again in a moment."))
                return
            self.dialog = RestoreDialog(path, facts, self.totals, self.window())
            self.dialog.accepted.connect(lambda: self.run_restore(path))
            self.dialog.open_once()

        self.restore.forget()
        self._context.run(self, lambda: describe(path), show, self.restore.fail)

    def run_restore(self, path: Path) -> None:
        """Check a copy of the backup, which can be canceled, then replace the library, which cannot."""
        if not self._is_held_up():
            self._start(
                self.restore,
                self.tr("Checking the backup…"),
                lambda engine, watch: engine.maintenance.prepare_restore(path, watch),
                lambda prepared: self._swap(self.restore, prepared),
            )

    def ask_repair(self, way: str) -> None:
        """Ask for confirmation of `newest`, `salvage` or `empty` and run it, unless another operation is running.

        The newest automatic backup that is intact is restored, the library is rebuilt from its readable parts, or an empty one replaces it,
        even if the engine could not open it.
        """
        from app.corpus.restore import prepare_empty, prepare_newest, prepare_salvage

        corpus = self._corpus
        ways: dict[str, tuple[WorkRow, str, str, Callable[[Watch], Prepared]]] = {
            "newest": (
                self.automatic,
                self.tr("Replace your library with the latest intact backup? Your current library is kept as a copy."),
                self.tr("Looking for an intact backup…"),
                lambda watch: prepare_newest(corpus, watch)[1],
            ),
            "salvage": (
                self.repair,
                self.tr(
                    "Rebuild the library from what is still readable? Pages added during the repair are not included."
                ),
                self.tr("Reading the library…"),
                lambda watch: prepare_salvage(corpus, corpus, watch),
            ),
            "empty": (
                self.empty,
                self.tr(
                    "Start with an empty library? Nothing is deleted: your current library is kept as a copy, with"
                    " its pages, jobs and pins."
                ),
                self.tr("Creating an empty library…"),
                lambda watch: prepare_empty(corpus, watch),
            ),
        }
        row, question, text, prepare = ways[way]
        if not self._is_held_up() and is_agreed(self, row.title, question, row.button.text()):
            self._begin(row, text)
            self.work.start_blocking(prepare, lambda prepared: self._swap(row, prepared), row.fail, row.cancelled)

    def ask_forget(self) -> None:
        """Ask for confirmation, then delete the automatic backups."""
        from app.corpus.restore import remove_automatic_backups

        def done(_count: int) -> None:
            self._context.notifier.say(self.tr("Automatic backups deleted"))
            self.automatic.show_files(())
            self.reload()

        corpus = self._corpus
        question = self.tr("Delete all automatic backups? This cannot be undone.")
        if is_agreed(self, self.automatic.title, question, self.automatic.forget_button.text()):
            self._context.run(self, lambda: remove_automatic_backups(corpus), done, self.automatic.fail)

    @property
    def _corpus(self) -> Path:
        return corpus_file(self._context.settings.running.data_dir)

    def _swap(self, row: WorkRow, prepared: Prepared) -> None:
        self._hold(held=True)

        def done(restored: Restored) -> None:
            self._hold(held=False)
            self._context.restart()
            text = counted(restored.documents, self.tr("1 page restored."), self.tr("{} pages restored."))
            kept = self.tr("The previous library is kept as {}.").format(restored.kept) if restored.kept else ""
            row.tell(f"{text} {kept}".strip(), self.tr("done"))
            row.complain(self._lost_text(restored))

        def failed(error: WebRAGError) -> None:
            self._hold(held=False)
            self._context.restart()
            row.fail(error)

        row.show_text(self.tr("Restoring the backup…"))
        from app.corpus.restore import swap

        corpus = self._corpus
        # A starting engine is opening the file, so wait until it has stopped.
        if self._context.status.phase is Phase.FAILED:
            self._context.run(self, lambda: swap(prepared, corpus), done, failed)
            return
        self._context.ask(self, lambda engine: put_in_place(engine, prepared), done, failed, lasting=True)

    def _hold(self, *, held: bool) -> None:
        """Block other operations while files are swapped; they would delete the file that replaces the library."""
        self._is_swapping = held
        for each in self._rows():
            each.free(free=not held)

    def _lost_text(self, restored: Restored) -> str:
        parts = [self.tr("Not recovered: {}.").format(words) for words in restored.removed]
        saved = restored.salvaged
        if saved is not None and saved.lost:
            shown = ", ".join(saved.lost_urls[:SHOWN_LOST]) + ("…" if len(saved.lost_urls) > SHOWN_LOST else "")
            one = self.tr("The text of 1 page could not be read: {}").format(shown)
            many = self.tr("The text of {} pages could not be read: {}").format(number(saved.lost), shown)
            parts.append(one if saved.lost == 1 else many)
        return " ".join(parts)

    def run_verify(self) -> None:
        started = time.monotonic()

        def checked(problems: list[Problem]) -> None:
            if not problems:
                passed = duration((time.monotonic() - started) * 1000)
                text = self.tr("No problems found. The check took {}.").format(passed)
                self.verify.tell(text, self.tr("intact"))
                return
            found = counted(len(problems), self.tr("1 problem found."), self.tr("{} problems found."))
            advice = self.tr("Restore a backup, or repair the library and report the list.")
            self.verify.tell(f"{found} {advice}", self.tr("damaged"), "error")
            self.problems.setPlainText("\n".join(f"{problem.check}: {problem.detail}" for problem in problems))
            self.problems.show()
            self.copy.show()

        self.problems.hide()
        self.copy.hide()
        work = self.tr("Checking…")
        self._start(self.verify, work, lambda engine, watch: engine.maintenance.verify(watch), checked)

    def run_compact(self) -> None:
        if self._is_held_up():
            return

        def done(result: Compacted) -> None:
            won = max(0, result.before - result.after)
            text = self.tr("Freed {}. The library now uses {}.").format(size(won), size(result.after))
            self.compact.tell(text, self.tr("done"))

        work = self.tr("Compacting the library…")
        self._start(self.compact, work, lambda engine, watch: engine.maintenance.compact(watch), done, share=False)

    def ask_export(self) -> None:
        choose_folder(self, self.tr("Export all pages to"), self.run_export, str(Path.home()))

    def run_export(self, folder: Path) -> None:
        """Export every page. Files are written atomically and kept if the export is canceled."""
        expected = self.totals.documents if self.totals is not None else 1

        def cancelled() -> None:
            self.export.tell(self.tr("Canceled. Files written so far are in {}.").format(folder))

        async def work(engine: Engine, watch: Watch) -> Exported:
            from app.server.control.files import export_documents

            written = 0

            async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
                nonlocal written
                written += 1
                watch.at(written / max(1, expected))

            return await export_documents(engine, "", folder, progress)

        def done(result: Exported) -> None:
            files = counted(len(result.files), self.tr("1 file"), self.tr("{} files"))
            text = self.tr("Exported to {}: {}.").format(folder, files)
            if not result.failures:
                self.export.tell(text, self.tr("done"))
                return
            self.export.tell(text, self.tr("incomplete"), "warning")
            first, count = result.failures[0], number(len(result.failures))
            why = self.tr("{} pages could not be exported. The first: {} {}")
            self.export.complain(why.format(count, first.message, first.hint))

        self._start(self.export, self.tr("Writing files…"), work, done, cancelled=cancelled)


def _with_suffix(path: Path) -> Path:
    """Add the suffix .db to a path without one, unless that would overwrite a file."""
    named = path if path.suffix else path.with_name(f"{path.name}.db")
    return path if named.exists() else named
