"""Jobs pane: progress, results by page, failed pages, and the actions on each background job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QShortcut
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.engine_thread import Job as Asking
from app.desktop.models import jobs
from app.desktop.models.rows import ROW_ROLE, Index
from app.desktop.pages import parts
from app.desktop.pages.page import block_site, can_block
from app.desktop.panels import Card, EmptyState
from app.desktop.qt import reported
from app.desktop.tables import CellDelegate, DataTable, paint_row_background
from app.desktop.theme import colours, draw_share, draw_words
from app.desktop.tokens import M, S
from app.desktop.widgets import ElidedLabel, Gap, button, column, held, label, row
from app.desktop.wording import counted, duration, file_or_address, number, spoken
from app.durations import time_span
from app.events import Event
from app.library.job_records import Job, JobItem

BAR: Final = 8
CELL_BAR_WIDTH, CELL_BAR_HEIGHT = 50, 6


class ProgressDelegate(CellDelegate):
    """Paints the progress of a job."""

    @reported(None)
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        job = index.data(ROW_ROLE)
        if not isinstance(job, jobs.JobRow):
            return
        painter.save()
        paint_row_background(painter, option, hovered=self.is_hovered(option, index))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(M, 0, -M, -1)
        track = QRectF(area.left(), area.center().y() - CELL_BAR_HEIGHT / 2 + 1, CELL_BAR_WIDTH, CELL_BAR_HEIGHT)
        scheme = colours()
        ended = {jobs.DONE: scheme.success, jobs.BROKEN: scheme.danger, jobs.CANCELLED: scheme.strong_border}
        draw_share(painter, track, job.share, {jobs.PAUSED: scheme.warning, **ended}.get(job.state, scheme.accent))
        area.adjust(CELL_BAR_WIDTH + S, 0, 0, 0)
        draw_words(painter, area, str(index.data() or ""), scheme.muted)
        painter.restore()


class JobsPane(QWidget):
    """Live table of jobs with the details of the selected one below."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self._shown: jobs.JobRow | None = None
        self.model = jobs.JobsModel(context.thread, self)
        self.unread = jobs.UnreadModel(self)
        self.causes = jobs.causes_model(self)
        self._asking: Asking | None = None
        self.table = DataTable(self.model, self.tr("Jobs"), (250, 88, 116, 178, 74, 86, 104), 0)
        self.table.enable_sorting(jobs.BEGUN, Qt.SortOrder.DescendingOrder)
        self.table.setItemDelegateForColumn(jobs.PROGRESS, ProgressDelegate(self.table))
        self.table.optional = (jobs.BEGUN, jobs.KIND, jobs.LEFT)
        self.table.remember_columns(self._context.memory, "activity/jobs")
        self.table.current_changed.connect(lambda index: self._follow(self.model.record_at(index)))
        parts.offer_menu(self.table, self.menu)
        QShortcut(Qt.Key.Key_Space, self.table, self._press_pause, context=Qt.ShortcutContext.WidgetShortcut)
        self._splitter = parts.over_details(self.table, self._details(), (260, 280))
        words = self.tr("WebRAG indexes sites, folders and bookmarks in the background. The progress appears here.")
        add = button(self.tr("Add site or folder"), lambda: self._context.add_page(""), "primary", "add")
        self._empty = EmptyState("library", self.tr("No jobs yet"), words, add)
        self._failed = parts.FailedState(self.model.reload)
        self.stack = parts.stack_of(self._empty, self._failed, self._splitter)
        column(self.stack, parent=self)
        self.model.layoutChanged.connect(self._show_state)
        self.model.failed.connect(self._failed.show_error)
        self._show_state()

    def engine_ready(self) -> None:
        self.model.reload()

    def on_events(self, events: list[Event]) -> None:
        self.model.on_events(events)

    def select_job(self, job_id: int) -> bool:
        """Select a job and scroll to it. Return False if it is not in the list."""
        place = self.model.row_of(job_id)
        if place >= 0:
            self.table.selectRow(place)
        return place >= 0

    def pause_or_resume(self) -> None:
        if self._shown is not None and self._shown.state == jobs.PAUSED:
            self._steer(lambda engine, job_id: engine.jobs.resume(job_id))
        else:
            self._steer(lambda engine, job_id: engine.jobs.pause(job_id))

    def cancel(self) -> None:
        """Cancel the selected job. The pages it has already indexed are kept."""
        self._steer(lambda engine, job_id: engine.jobs.cancel(job_id))

    def retry(self) -> None:
        self._steer(lambda engine, job_id: engine.jobs.retry(job_id))

    def _press_pause(self) -> None:
        if self.pause_button.isEnabled():
            self.pause_or_resume()

    def _steer(self, step: Callable[[Engine, int], Awaitable[Job]]) -> None:
        shown = self._shown
        if shown is not None:
            self._context.ask(self, lambda engine: step(engine, shown.id), self.model.take_job)

    def _details(self) -> QWidget:
        self._what = ElidedLabel("", "heading", Qt.TextElideMode.ElideMiddle)
        self._facts = ElidedLabel("", "muted")
        self._note = label("", "problem", wrap=True)
        self.counts, self.legend = parts.SharesBar(BAR), parts.Legend()
        self.legend.setAccessibleName(self.tr("Results by page"))
        self.pause_button = button(self.tr("Pause"), self.pause_or_resume)
        self.cancel_button = button(self.tr("Cancel"), self.cancel)
        self.cancel_button.setToolTip(self.tr("Stop this job. Pages it has already indexed are kept."))
        self.retry_button = button(self.tr("Retry failed"), self.retry)
        card = Card(margin=1, spacing=S)
        card.body.setContentsMargins(1, M, 1, S)
        line = row((self._what, 1), self.pause_button, self.cancel_button, self.retry_button)
        words = held(
            column(line, self._facts, self._note, Gap(S), self.counts, self.legend, spacing=2, margins=(M, 0, M, 0))
        )
        card.body.addWidget(words)
        self.cause_table = DataTable(self.causes, self.tr("Reasons for failed pages"), (180, 66), 0)
        self.cause_table.remember_columns(self._context.memory, "activity/causes")
        self.cause_table.current_changed.connect(lambda index: self.unread.show_cause(self.causes.record_at(index)))
        self.unread_table = DataTable(self.unread, self.tr("Failed pages"), (330, 250), 0)
        self.unread_table.optional = (1,)
        self.unread_table.remember_columns(self._context.memory, "activity/unread")
        parts.offer_menu(self.unread_table, self.item_menu)
        self._all_read = label(self.tr("No errors so far."), "muted", align=Qt.AlignmentFlag.AlignCenter)
        self.unread_stack = parts.stack_of(
            self._all_read, held(row((self.cause_table, 2), (self.unread_table, 3), spacing=0))
        )
        card.body.addWidget(self.unread_stack, 1)
        return card

    def menu(self) -> QMenu:
        buttons = (self.pause_button, self.cancel_button, self.retry_button)
        entries = [(made.text(), "", made.click, made.isEnabled()) for made in buttons]
        return parts.new_menu(
            self, (*entries, None, *self._for_address(self._shown.target if self._shown is not None else ""))
        )

    def item_menu(self) -> QMenu:
        """Build the context menu of a failed page."""
        item = self.unread.record_at(self.unread_table.currentIndex())
        return parts.new_menu(self, self._for_address(item.url if item is not None else ""))

    def _for_address(self, url: str) -> Sequence[parts.Command]:
        return (
            (self.tr("Copy address"), "", lambda: self._context.copy(url), bool(url)),
            (self.tr("Block site"), "", lambda: block_site(self._context, url), can_block(self._context, url)),
        )

    def _show_state(self) -> None:
        self.stack.setCurrentWidget(self._splitter if self.model.total else self._empty)
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)
        self._follow(self.model.record_at(self.table.currentIndex()))

    def _follow(self, shown: jobs.JobRow | None) -> None:
        """Show the latest state of the selected job, and its failures if they have changed."""
        known, self._shown = self._shown, shown
        if shown is None:
            self._take_items(())
            self._show_counts(())
            for made in (self.pause_button, self.cancel_button, self.retry_button):
                made.setEnabled(False)
            return
        self._show_words(shown)
        is_other = known is None or known.id != shown.id
        if is_other:
            self._take_items(())
        if is_other or known is None or (known.failed, known.state) != (shown.failed, shown.state):

            def take(items: list[JobItem]) -> None:
                if self._shown is not None and self._shown.id == shown.id:
                    self._take_items(items)

            self._context.ask(self, lambda engine: jobs.unread_items(engine, shown.id), take)
        # Events only carry totals, so request the counts by outcome, one request at a time.
        is_known = shown.counts is not None and (shown.counts.done, shown.counts.total) == (shown.done, shown.total)
        if not is_known and (self._asking is None or not self._asking.is_running):
            self._asking = self._context.ask(self, lambda engine: engine.jobs.job(shown.id), self.model.take_job)

    def _show_words(self, shown: jobs.JobRow) -> None:
        self._what.show_text(file_or_address(shown.target))
        all_kinds = {jobs.FOLDER: self.tr("{} of {} files"), jobs.PACKAGES: self.tr("{} of {} packages")}
        done = all_kinds.get(shown.kind, self.tr("{} of {} pages"))
        words = [jobs.state_text(shown), done.format(number(shown.done), number(shown.total))]
        if shown.failed:
            words.append(counted(shown.failed, self.tr("1 failed"), self.tr("{} failed")))
        if shown.a_minute:
            words.append(self.tr("{} a minute").format(number(shown.a_minute)))
        if shown.state in jobs.GOING_ON and shown.seconds_left is not None:
            words.append(self.tr("{} left").format(time_span(shown.seconds_left)))
        if shown.state in jobs.ENDED and shown.seconds is not None:
            words.append(self.tr("took {}").format(duration(1000 * shown.seconds)))
        is_bad = shown.state == jobs.BROKEN
        if shown.detail and not is_bad:
            words.append(spoken(shown.detail))
        self._facts.show_text("  ·  ".join(words))
        self._note.setText(spoken(shown.detail) if is_bad else "")
        self._note.setVisible(is_bad and bool(shown.detail))
        self._show_counts(jobs.parts_of(shown))
        self.pause_button.setText(self.tr("Resume") if shown.state == jobs.PAUSED else self.tr("Pause"))
        self.pause_button.setEnabled(shown.state not in jobs.ENDED)
        self.cancel_button.setEnabled(shown.state not in jobs.ENDED)
        self.retry_button.setEnabled(shown.state in jobs.ENDED and shown.failed > 0)
        is_over = shown.state in jobs.ENDED
        self._all_read.setText(self.tr("All pages were indexed.") if is_over else self.tr("No errors so far."))

    def _show_counts(self, parts: Sequence[jobs.JobPart]) -> None:
        self.counts.show_parts([(part.count, part.colour) for part in parts])
        self.legend.show_entries([(part.text, part.colour) for part in parts])

    def _take_items(self, items: Sequence[JobItem]) -> None:
        self.unread.replace(items)
        self.causes.replace(jobs.causes_of(items))
        self.unread_stack.setCurrentIndex(1 if items else 0)
        if self.causes.rowCount() and not self.cause_table.currentIndex().isValid():
            self.cause_table.selectRow(0)
        self.unread.show_cause(self.causes.record_at(self.cause_table.currentIndex()))
