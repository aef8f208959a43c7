"""The jobs in the background: how far each is, what it could not read, and what can be done with it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.models.jobs import (
    BEGUN,
    BROKEN,
    ENDED,
    GOING_ON,
    KIND,
    LEFT,
    PAUSED,
    PROGRESS,
    JobRow,
    JobsModel,
    UnreadModel,
    state_text,
    unread_items,
)
from app.desktop.panels import Card, EmptyState, TableCard
from app.desktop.progress_cell import ProgressDelegate
from app.desktop.tables import DataTable
from app.desktop.tokens import M, S
from app.desktop.widgets import ElidedLabel, button, label, row
from app.desktop.wording import counted, file_or_address, number, time_left
from app.errors import WebRAGError
from app.events import Event

if TYPE_CHECKING:
    from app.corpus.job_records import Job, JobItem
    from app.engine import Engine


class JobsPane(QWidget):
    """A live table of jobs, the selected one in detail below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: JobRow | None = None
        self.model = JobsModel(context.thread, self)
        self.unread = UnreadModel(self)
        self._build()
        self.model.layoutChanged.connect(self._show_state)
        self.model.failed.connect(self._show_error)
        self._show_state()

    def engine_ready(self) -> None:
        self.model.reload()

    def take(self, events: list[Event]) -> None:
        self.model.take(events)

    def select_job(self, job_id: int) -> None:
        """Bring a job into view."""
        place = self.model.row_of(job_id)
        if place >= 0:
            self.table.selectRow(place)

    def pause_or_resume(self) -> None:
        """Hold the selected job, or let it go on."""
        if self._shown is not None and self._shown.state == PAUSED:
            self._steer(lambda engine, job_id: engine.jobs.resume(job_id))
        else:
            self._steer(lambda engine, job_id: engine.jobs.pause(job_id))

    def cancel(self) -> None:
        """End the selected job; what it read stays."""
        self._steer(lambda engine, job_id: engine.jobs.cancel(job_id))

    def retry(self) -> None:
        """Try again what the selected job could not read."""
        self._steer(lambda engine, job_id: engine.jobs.retry(job_id))

    def _steer(self, step: Callable[[Engine, int], Awaitable[Job]]) -> None:
        shown = self._shown
        if shown is not None:
            self._context.thread.submit(
                lambda engine: step(engine, shown.id),
                self.model.take_job,
                self._context.notifier.complain,
                owner=self,
            )

    def _build(self) -> None:
        self.table = DataTable(self.model, self.tr("Jobs"), (280, 68, 116, 178, 64, 86, 88), 0)
        self.table.enable_sorting(BEGUN, Qt.SortOrder.DescendingOrder)
        self.table.setItemDelegateForColumn(PROGRESS, ProgressDelegate(self.table))
        self.table.hide_when_narrow(BEGUN, KIND, LEFT)
        self.table.current_changed.connect(self._select)
        card = TableCard()
        card.body.addWidget(self.table)
        self._splitter = QSplitter(Qt.Orientation.Vertical)
        self._splitter.setHandleWidth(M)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(card)
        self._splitter.addWidget(self._details())
        self._splitter.setSizes([260, 280])
        self._empty = EmptyState(
            "library",
            self.tr("No jobs yet"),
            self.tr(
                "Reading a whole site, a folder or a list of bookmarks goes on in the background and is shown here."
            ),
            button(self.tr("Add a site or folder"), lambda: self._context.add_page(""), "primary", "add"),
        )
        self._failed = EmptyState("error", "", "", button(self.tr("Try again"), self.model.reload, "", "refresh"))
        self.stack = QStackedWidget()
        for widget in (self._empty, self._failed, self._splitter):
            self.stack.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.stack)

    def _details(self) -> QWidget:
        self._what = ElidedLabel("", "heading", Qt.TextElideMode.ElideMiddle)
        self._facts = label("", "muted", wrap=True)
        self._note = label("", "problem", wrap=True)
        self.pause_button = button(self.tr("Pause"), self.pause_or_resume)
        self.cancel_button = button(self.tr("Cancel"), self.cancel)
        self.retry_button = button(self.tr("Retry failed"), self.retry)
        self.unread_table = DataTable(self.unread, self.tr("Pages that were not read"), (330, 320), 1)
        self.unread_table.strong_column = 0
        self.unread_table.empty_text = self.tr("Nothing failed")
        card = Card(margin=1, spacing=S)
        card.body.setContentsMargins(1, M, 1, 6)
        words = QWidget()
        column = QVBoxLayout(words)
        column.setContentsMargins(M, 0, M, 0)
        column.setSpacing(2)
        line = row(spacing=S)
        line.addWidget(self._what, 1)
        for made in (self.pause_button, self.cancel_button, self.retry_button):
            line.addWidget(made)
        column.addLayout(line)
        column.addWidget(self._facts)
        column.addWidget(self._note)
        card.body.addWidget(words)
        card.body.addWidget(self.unread_table, 1)
        return card

    def _show_state(self) -> None:
        self.stack.setCurrentWidget(self._splitter if self.model.total else self._empty)
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._follow(self.model.record_at(self.table.currentIndex()))

    def _select(self, index: QModelIndex) -> None:
        self._follow(self.model.record_at(index))

    def _follow(self, shown: JobRow | None) -> None:
        """Show the newest state of the selected job, and its failures where there are others than before."""
        known, self._shown = self._shown, shown
        if shown is None:
            self.unread.replace(())
            for made in (self.pause_button, self.cancel_button, self.retry_button):
                made.setEnabled(False)
            return
        self._show_words(shown)
        is_other = known is None or known.id != shown.id
        if is_other:
            self.unread.replace(())
        if is_other or known is None or (known.failed, known.state) != (shown.failed, shown.state):
            self._context.thread.submit(
                lambda engine: unread_items(engine, shown.id),
                lambda items: self._take_unread(shown.id, items),
                self._context.notifier.complain,
                owner=self,
            )

    def _show_words(self, shown: JobRow) -> None:
        self._what.show_text(file_or_address(shown.target))
        files = shown.kind == "folder"
        done = self.tr("{} of {} files") if files else self.tr("{} of {} pages")
        words = [state_text(shown), done.format(number(shown.done), number(shown.total))]
        if shown.failed:
            words.append(counted(shown.failed, self.tr("1 failed"), self.tr("{} failed")))
        if shown.state in GOING_ON and shown.seconds_left is not None:
            words.append(self.tr("{} left").format(time_left(shown.seconds_left)))
        is_bad = shown.state == BROKEN
        if shown.detail and not is_bad:
            words.append(shown.detail)
        self._facts.setText("  ·  ".join(words))
        self._note.setText(shown.detail if is_bad else "")
        self._note.setVisible(is_bad and bool(shown.detail))
        self.pause_button.setText(self.tr("Resume") if shown.state == PAUSED else self.tr("Pause"))
        self.pause_button.setEnabled(shown.state not in ENDED)
        self.cancel_button.setEnabled(shown.state not in ENDED)
        self.retry_button.setEnabled(shown.state in ENDED and shown.failed > 0)

    def _take_unread(self, job_id: int, items: list[JobItem]) -> None:
        if self._shown is not None and self._shown.id == job_id:
            self.unread.replace(items)

    def _show_error(self, error: WebRAGError) -> None:
        self._failed.show_words(error.title, f"{error.message} {error.hint}", "error", "danger")
        self.stack.setCurrentWidget(self._failed)
