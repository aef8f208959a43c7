"""Calls pane: filters, a live table of tool calls, and the details of the selected call."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QModelIndex, QRect, Qt
from PySide6.QtGui import QFont, QFontMetrics, QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from app.desktop.context import Context
from app.desktop.models import activity
from app.desktop.models.jobs import GONE, cause_text
from app.desktop.models.traces import Traces
from app.desktop.pages.activity.consent import are_kept
from app.desktop.pages.activity.details import CallDetails
from app.desktop.pages.page import FilterBox
from app.desktop.pages.parts import FailedState, offer_choices, over_details, stack_of
from app.desktop.panels import EmptyState
from app.desktop.qt import repeating
from app.desktop.tables import DataTable
from app.desktop.theme import icon
from app.desktop.tokens import ROW, TALL_ROW, M
from app.desktop.widgets import button, column, held, row
from app.desktop.wording import has_twelve_hours, number, translator
from app.events import Verdict

_tr = translator("CallsPane")

SIDE_BY_SIDE_WIDTH = 1_250
COUNT_ON_MS = 1_000
CHOICE_WIDTH, FILTER_WIDTH = 170, 260
TIME_WIDTH, TWELVE_HOURS_WIDTH = 92, 142
BESIDE_OUTCOME = 60
LONGEST_TOOL = "kb.retrieve_evidence"
NARROW_WIDTH = 700  # Below this width, the button next to the filters shows only its icon.


class CallsPane(QWidget):
    """Filterable list of calls. Home uses the same model."""

    def __init__(self, context: Context, model: activity.ActivityModel, traces: Traces) -> None:
        super().__init__()
        self._context = context
        self.model = model
        self.traces = traces
        self._follows_newest = True
        self._waiting = 0
        self._is_in_view = False
        self._ticking = repeating(self, COUNT_ON_MS, model.count_on)
        self._build()
        # Connected before the table, so that it runs before the table moves its rows.
        model.layoutAboutToBeChanged.connect(self._note_view)
        model.layoutChanged.connect(self._show_state)
        model.failed.connect(self.failed.show_error)
        model.held.connect(self._show_held)
        context.settings.changed.connect(self._follow_consent)
        self._show_state()

    def toggle_stream(self) -> None:
        """Freeze or unfreeze the list."""
        self.model.set_paused(not self.model.is_paused)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= SIDE_BY_SIDE_WIDTH
        self._splitter.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self._show_held(self._waiting)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._count_on()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._ticking.stop()

    def _build(self) -> None:
        self.details = CallDetails(self._context, self.traces)
        # Room for the most frequent failure and its icon, in the window's language.
        outcome = self.fontMetrics().horizontalAdvance(cause_text(GONE)) + BESIDE_OUTCOME
        time = TWELVE_HOURS_WIDTH if has_twelve_hours() else TIME_WIDTH
        widths = (time, 132, self._tool_width(), 200, 70, 86, outcome)
        self.table = DataTable(self.model, self.tr("Tool calls"), widths, activity.TOOL, least=self._tool_width())
        self._follow_consent()
        self.table.empty_text = self.tr("No calls match the filter")
        self.table.enable_sorting(activity.TIME, Qt.SortOrder.DescendingOrder)
        self.table.optional = (activity.TOKENS, activity.PAGES, activity.DURATION)
        self.table.remember_columns(self._context.memory, "activity/calls")
        self.table.current_changed.connect(self._select)
        self.table.opened.connect(lambda _index: self.details.open_page())
        self._splitter = over_details(self.table, self.details, (300, 270))
        self.filter = FilterBox(self.tr("Filter calls"), self.tr("Filter the calls"))
        self.filter.setToolTip(self.tr("By question, assistant, tool, outcome or page"))
        self.filter.setMinimumWidth(100)
        self.filter.setMaximumWidth(FILTER_WIDTH)
        self.filter.textChanged.connect(self.model.set_filter)
        self.client = choice(self.tr("Assistant"), 142, lambda word: self.model.narrow(client=word))
        self.tool = choice(self.tr("Tool"), 130, lambda word: self.model.narrow(tool=word))
        self.outcome = choice(self.tr("Outcome"), 148, lambda word: self.model.narrow(result=word))
        offer_results(self.outcome, (activity.RUNNING, *Verdict, activity.CANCELLED))
        self.stream = button(self.tr("Pause"), self.toggle_stream, "", "pause")
        self.stream.setToolTip(self.tr("Freeze the list while you read. Calls continue."))
        tools = held(row((self.filter, 2), (self.client, 2), (self.tool, 2), (self.outcome, 2), 1, self.stream))
        self.content = held(column(tools, (self._splitter, 1), spacing=M))
        words = self.tr("Connect an assistant and ask it about a web page. Each call then appears here immediately.")
        connect = button(self.tr("Connect an assistant"), lambda: self._context.go_to("clients"), "primary")
        self.empty = EmptyState("activity", self.tr("No calls yet"), words, connect)
        self.failed = FailedState(self.model.reload)
        self.stack = stack_of(self.empty, self.failed, self.content)
        column(self.stack, parent=self)

    def _follow_consent(self) -> None:
        """Use taller rows while questions are saved, to show them below the tools."""
        self.table.set_row_height(TALL_ROW if are_kept(self._context) else ROW)

    def _tool_width(self) -> int:
        """Return the width of the longest tool name in bold."""
        bold = QFont(self.font())
        bold.setBold(True)
        return QFontMetrics(bold).horizontalAdvance(LONGEST_TOOL) + 2 * M

    def select_call(self, key: tuple[str, int]) -> None:
        place = self.model.row_of(key)
        if place >= 0:
            self.table.selectRow(place)
            self._follows_newest = False

    def _select(self, index: QModelIndex) -> None:
        self._follows_newest = index.row() <= 0
        self._follow(self.model.record_at(index))

    def _follow(self, call: activity.Call | None) -> None:
        """Show the latest state of a call, even while the list is paused."""
        newest = self.model.call_of(call.key) if call is not None else None
        self.details.show_call(newest or call)

    def _show_state(self) -> None:
        self.stack.setCurrentWidget(self.content if self.model.total else self.empty)
        offer_choices(self.client, self.tr("All assistants"), [(each, each) for each in self.model.clients])
        offer_choices(self.tool, self.tr("All tools"), [(each, each) for each in self.model.tools])
        self._count_on()
        chosen = self.table.currentIndex()
        focused = QApplication.focusWidget()
        # Details are not replaced while the mouse or the focus is in them.
        is_read = self.details.underMouse() or (focused is not None and self.details.isAncestorOf(focused))
        if self.model.rowCount() and (not chosen.isValid() or (self._follows_newest and not is_read)):
            self.table.selectRow(0)
            self.table.scrollToTop()
        elif chosen.isValid() and self._is_in_view:
            self.table.scrollTo(chosen)
        self._follow(self.model.record_at(self.table.currentIndex()))

    def _note_view(self) -> None:
        """Note whether the selected call is visible, to keep it visible when new calls arrive."""
        chosen = self.table.currentIndex()
        place = self.table.visualRect(chosen) if chosen.isValid() else QRect()
        self._is_in_view = self.table.viewport().rect().intersects(place)

    def _count_on(self) -> None:
        """Update the elapsed time of running calls while the page is visible."""
        wanted = self.isVisible() and self.model.running > 0
        if wanted != self._ticking.isActive():
            self._ticking.start() if wanted else self._ticking.stop()

    def _show_held(self, waiting: int) -> None:
        """Label the pause button. In a narrow window, it only shows the number of new calls."""
        self._waiting, is_paused = waiting, self.model.is_paused
        text = self.tr("Continue ({} new)").format(number(waiting)) if waiting else self.tr("Continue")
        text = text if is_paused else self.tr("Pause")
        self.stream.setAccessibleName(text)
        self.stream.setText(text if self.width() >= NARROW_WIDTH else number(waiting) if waiting else "")
        self.stream.setIcon(icon("play" if is_paused else "pause"))


def choice(name: str, least: int, apply: Callable[[str], None]) -> QComboBox:
    """Create a combo box that passes each selected value to `apply`. `least` is its minimum width in pixels."""
    made = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    made.setAccessibleName(name)
    made.setToolTip(name)
    made.setMinimumWidth(least)
    made.setMaximumWidth(CHOICE_WIDTH)
    made.currentIndexChanged.connect(lambda _place: apply(made.currentData() or ""))
    return made


def offer_results(box: QComboBox, results: Iterable[str]) -> None:
    """Fill a combo box with call outcomes. The first entry means all."""
    box.addItem(_tr("All outcomes"), "")
    for result in results:
        box.addItem(activity.result_text(result), str(result))
