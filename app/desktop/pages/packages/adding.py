"""Adding documentation of packages: the dialog that shows what happens first, and the line that shows the progress."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.desktop.context import Context
from app.desktop.models.jobs import ENDED, PACKAGES, PAUSED, JobRow, JobsModel
from app.desktop.models.packages import PackageRow, cost_text
from app.desktop.pages.parts import text_box
from app.desktop.panels import Dialog
from app.desktop.tokens import XL, M, S
from app.desktop.widgets import Gap, button, column, held, label, progress_bar, row
from app.desktop.wording import counted, number, rough_size, size
from app.durations import time_span

if TYPE_CHECKING:
    from app.engine.packages import Download
    from app.errors import WebRAGError
    from app.library.job_records import Job

WIDTH = 620
BAR = 120
LEAST_HEIGHT = 80


class AddPackagesDialog(Dialog):
    """Shows what adding packages needs before anything is read or requested. `begun` carries the ID of the job and `target`."""

    begun = Signal(int, str)

    def __init__(self, context: Context, rows: Sequence[PackageRow], target: str, parent: QWidget) -> None:
        self._context, self._rows, self._target = context, rows, target
        self._planned: tuple[Download, ...] | None = None
        title = counted(
            len(rows), self.tr("Add documentation of 1 package"), self.tr("Add documentation of {} packages")
        )
        super().__init__(parent, title, WIDTH)
        self._here = label("", wrap=True)
        self.downloads = QCheckBox(self.tr("Download documentation from package registries"))
        self.downloads.toggled.connect(self._follow)
        hint = self.tr(
            "Adds documentation that copies on this computer lack. The registries see your IP address, these requests and those for"
            " the archives. Packages from private indexes are never requested."
        )
        explained = label(hint, "muted", wrap=True)
        explained.setIndent(XL)
        self.requests = text_box(self.tr("Requests"), mono=0.92, role="entry", margin=S)
        self.requests.setMinimumHeight(LEAST_HEIGHT)
        self.sum = label("", "muted", wrap=True)
        self._plan = held(column(self.requests, self.sum, spacing=S))
        self.problem = label("", "problem", wrap=True)
        self.add = button(self.tr("Add documentation"), self._begin, "primary", default=True)
        buttons = row(1, button(self.tr("Cancel"), self.reject), self.add)
        head = label(title, "heading")
        parts = (head, self._here, column(self.downloads, explained, spacing=0), self._plan, self.problem)
        self.lay_out(*parts, Gap(S), buttons)
        self._follow()

    def _follow(self) -> None:
        """Show what the current choice does."""
        on = self.downloads.isChecked()
        here = [each for each in self._rows if each.is_here]
        missing = len(self._rows) - len(here)
        words = [self.tr("No package is installed in the project.")]
        if here:
            cost = cost_text(here)
            count = counted(len(here), self.tr("1 package from its copy"), self.tr("{} packages from their copies"))
            words = [self.tr("{} on this computer").format(count) + (f": {cost}." if cost else ".")]
        if missing:
            one = self.tr("1 package is not installed and needs a download.")
            words.append(counted(missing, one, self.tr("{} packages are not installed and need a download.")))
        if not on:
            words.append(self.tr("WebRAG does not use the network."))
        self._here.setText(" ".join(words))
        self._plan.setVisible(on)
        self.problem.hide()
        self.add.setText(self.tr("Download and add") if on else self.tr("Add documentation"))
        self._enable()
        if on and self._planned is None:
            self.sum.setText(self.tr("Reading the lock files…"))
            names = [each.id for each in self._rows]
            thread = self._context.thread
            thread.submit(lambda engine: engine.packages.downloads(names), self._show_plan, self._fail, owner=self)
        layout = self.layout()
        if layout is not None:
            # Qt's own adjustment ignores the height of wrapped texts on small screens.
            self.resize(WIDTH, layout.totalHeightForWidth(WIDTH))

    def _show_plan(self, planned: tuple[Download, ...]) -> None:
        self._planned = planned
        lines = (f"{each.url}  ({size(each.size)})" if each.size else each.url for each in planned)
        self.requests.setPlainText("\n".join(lines))
        count = counted(len(planned), self.tr("1 download"), self.tr("{} downloads"))
        disk, seconds = sum(each.likely_size for each in planned), sum(each.seconds for each in planned)
        words = self.tr("{}: about {} in about {}.").format(count, rough_size(disk), time_span(seconds))
        self.sum.setText(words if planned else self.tr("Nothing needs a download."))
        self.requests.setVisible(bool(planned))
        self._follow()

    def _begin(self) -> None:
        on = self.downloads.isChecked()
        names, target = [each.id for each in self._rows if on or each.is_here], self._target

        def done(job: Job) -> None:
            self.begun.emit(job.id, target)
            self.accept()

        self.add.setEnabled(False)
        thread = self._context.thread
        thread.submit(lambda engine: engine.packages.begin(names, target, downloads=on), done, self._fail, owner=self)

    def _fail(self, error: WebRAGError) -> None:
        self.problem.setText(f"{error.message} {error.hint}")
        self.problem.show()
        if self._planned is None:
            self.sum.clear()
        self._enable()

    def _enable(self) -> None:
        is_planned, has_copies = self._planned is not None, any(each.is_here for each in self._rows)
        self.add.setEnabled(is_planned if self.downloads.isChecked() else has_copies)


class AddingLine(QWidget):
    """The progress of the jobs that add packages, hidden without one. `moved` follows each step."""

    moved = Signal()

    def __init__(self, context: Context, jobs: JobsModel) -> None:
        super().__init__()
        self._context, self._jobs = context, jobs
        self._rows: list[JobRow] = []
        self._bar = progress_bar(BAR, 1)
        self._bar.setAccessibleName(self.tr("Progress"))
        self.words = label("", "muted")
        self.show_job = button(self.tr("Show details"), lambda: context.show_job(self._rows[0].id), "link")
        cancel = button(self.tr("Cancel"), self.cancel, "link", name=self.tr("Cancel adding documentation"))
        row(self._bar, self.words, self.show_job, cancel, 1, spacing=M, parent=self)
        jobs.layoutChanged.connect(self._follow)
        self.hide()

    def cancel(self) -> None:
        """Cancel the jobs. Packages that they have added are kept."""
        ids = [each.id for each in self._rows]
        self._context.ask(self, lambda engine: asyncio.gather(*map(engine.jobs.cancel, ids)))

    def _follow(self) -> None:
        rows = [each for each in self._jobs.everything if each.kind == PACKAGES and each.state not in ENDED]
        if rows == self._rows:
            return
        self._rows = rows
        done, total = sum(each.done for each in rows), sum(each.total for each in rows)
        self._bar.setRange(0, max(1, total))
        self._bar.setValue(done)
        words = self.tr("Adding documentation: {} of {} packages").format(number(done), number(total))
        is_paused = all(each.state == PAUSED for each in rows)
        self.words.setText(words + (f" ({self.tr('paused')})" if is_paused else ""))
        self.setVisible(bool(rows))
        self.moved.emit()
