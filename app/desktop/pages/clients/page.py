"""The Assistants page: lists supported assistants with their status, and connects, repairs, tests and disconnects them."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QPainter, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.clients.monitor import ConfigDrift
from app.desktop.context import Context
from app.desktop.dialogs.connect_client import ConnectClientDialog
from app.desktop.models.assistants import OTHER, Assistant, DoctorRun, condition_mark, state_line
from app.desktop.models.clients import GROUP_ROLE, ClientsModel
from app.desktop.models.rows import ROW_ROLE, Index
from app.desktop.pages.clients.cards import CheckEverythingDialog
from app.desktop.pages.clients.pane import AssistantPane
from app.desktop.pages.page import Page
from app.desktop.pages.parts import FailedState, stack_of
from app.desktop.panels import EmptyState, TableCard, paint_tile
from app.desktop.qt import repeating, reported
from app.desktop.theme import colours, draw_words, fill_shape, pixmap
from app.desktop.tokens import L, M, S
from app.desktop.widgets import button, held, row, set_up_view
from app.desktop.wording import counted
from app.errors import WebRAGError
from app.events import Event, LibrariesChanged

ROW_HEIGHT, HEADING_HEIGHT, TILE_SIZE, MARK_SIZE = 54, 30, 32, 14
LIST_WIDTH, NARROW_LIST_WIDTH, NARROW = 300, 232, 760
LOOK_MS = 3_000  # Milliseconds between checks of the files while the page is visible.


class AssistantDelegate(QStyledItemDelegate):
    """Paints an assistant, with a group heading above the first of each group."""

    @reported(None)
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Assistant = index.data(ROW_ROLE)
        area, heading = QRect(option.rect), index.data(GROUP_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if heading:
            place, bottom = area.adjusted(M, 0, -M, -ROW_HEIGHT - 4), Qt.AlignmentFlag.AlignBottom
            draw_words(painter, place, heading, colours().muted, bottom, scale=0.9, bold=True)
            area.setTop(area.bottom() - ROW_HEIGHT + 1)
        area.adjust(S - 2, 1, 2 - S, -1)
        scheme = colours()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or hovered:
            fill_shape(painter, area, scheme.accent_soft if chosen else scheme.hover, 8)
        if option.state & QStyle.StateFlag.State_HasFocus and chosen:
            fill_shape(painter, QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), "", 8, edge=scheme.accent)
        area.adjust(S, 0, -S, 0)
        middle, present = area.center().y(), row.is_here
        tile = QRectF(area.left() + 0.5, middle - TILE_SIZE / 2 + 0.5, TILE_SIZE, TILE_SIZE)
        paint_tile(painter, tile, row.name, row.title, present=present)
        if row.attached:
            painter.setPen(QColor(scheme.surface))
            painter.setBrush(QColor(scheme.success))
            painter.drawEllipse(QRectF(tile.right() - 7, tile.bottom() - 7, 10, 10))
        words = area.adjusted(TILE_SIZE + M, 0, 0, 0)
        upper, lower = QRect(words), QRect(words)
        upper.setBottom(middle)
        lower.setTop(middle + 1)
        colour = scheme.text if present else scheme.muted
        draw_words(painter, upper, row.title, colour, Qt.AlignmentFlag.AlignBottom, scale=1.0, bold=True)
        mark = condition_mark(row)
        if mark is not None:
            picture = pixmap(mark[0], MARK_SIZE, mark[1], ratio=painter.device().devicePixelRatioF())
            painter.drawPixmap(lower.left(), lower.top() + 3, picture)
            lower.adjust(MARK_SIZE + 5, 0, 0, 0)
        lower.adjust(0, 2, 0, 0)
        draw_words(painter, lower, state_line(row), scheme.muted, Qt.AlignmentFlag.AlignTop, scale=0.92)
        painter.restore()

    @reported(QSize())
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, ROW_HEIGHT + (HEADING_HEIGHT if index.data(GROUP_ROLE) else 0))


class AssistantList(QListView):
    """A list with one selected assistant. Emits `chosen` with its name, and `opened` on Enter or double-click."""

    chosen = Signal(str)
    opened = Signal()

    def __init__(self, model: ClientsModel) -> None:
        super().__init__()
        self._rows = model
        self.setModel(model)
        self.setItemDelegate(AssistantDelegate(self))
        set_up_view(self, self.tr("Assistants"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.activated.connect(lambda _index: self.opened.emit())

    def select(self, name: str) -> None:
        """Select an assistant by name. Ignores unknown names."""
        place = self._rows.row_of(name)
        if place >= 0:
            self.setCurrentIndex(self._rows.index(place, 0))

    @property
    def current(self) -> Assistant | None:
        return self._rows.record_at(self.currentIndex())

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        record = self._rows.record_at(current)
        if record is not None:
            self.chosen.emit(record.name)


class ClientsPage(Page):
    """A list of assistants, and details of the selected one."""

    name = "clients"
    icon_name = "clients"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Assistants"), self.tr("AI assistants on this computer that can use WebRAG."))
        self.model = ClientsModel(context, self)
        self.run = DoctorRun(context.thread, self, context.secrets)
        self.whole_run = DoctorRun(context.thread, self, context.secrets)
        self._chosen_name = ""
        self._look = repeating(self, LOOK_MS, self.model.reload)
        self.list = AssistantList(self.model)
        self.pane = AssistantPane(self.context, self.run, self.connect_client, self.test_client, self.model.end)
        self._card = TableCard()
        self._card.setFixedWidth(LIST_WIDTH)
        self._card.body.addWidget(self.list)
        self.check_button = button(self.tr("Check all connections"), self.check_everything, "", "activity")
        self.check_button.setToolTip(self.tr("Check this computer and test the connection of every assistant"))
        self.header.add(self.check_button)
        self._content = held(row(self._card, (self.pane, 1), spacing=L))
        self._loading = EmptyState(
            "clock", self.tr("Searching…"), self.tr("WebRAG is reading the settings of your assistants.")
        )
        self._failed = FailedState(self.model.read_again)
        self._stack = stack_of(self._loading, self._failed, self._content)
        self.column.addWidget(self._stack, 1)
        self.model.loaded.connect(self._follow)
        self.model.layoutChanged.connect(self._follow)
        self.model.failed.connect(self._failed.show_error)
        self.list.chosen.connect(self._choose)
        self.list.opened.connect(self._act)
        self.run.ended.connect(self._follow)
        self.run.failed.connect(lambda _error: self._follow())
        self.context.config_watch.repaired.connect(self._after_repair)
        QShortcut("F5", self, self.model.read_again)

    def rewrite_times(self) -> None:
        super().rewrite_times()
        self._follow()

    def activate(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.pane.libraries.look()

    def engine_failed(self, error: WebRAGError | None) -> None:
        """Keep working, because the page only needs the files of assistants."""
        if error is not None:
            self.model.reload()

    def engine_ready(self) -> None:
        self.model.reload()
        self.model.reload_calls()

    def on_events(self, events: list[Event]) -> None:
        self.model.on_events(events)
        if any(isinstance(event, LibrariesChanged) for event in events):
            self.pane.libraries.look()

    @property
    def current(self) -> Assistant | None:
        return self.model.find(self._chosen_name)

    def select_client(self, name: str) -> None:
        self._chosen_name = name
        self.list.select(name)

    def connect_client(self, *, removing: bool = False) -> None:
        """Show the change for the selected assistant, or what would be removed, and apply it after confirmation."""
        current = self.current
        if current is None or current.profile is None:
            return
        dialog = ConnectClientDialog(self.context, self.window(), current.profile, current.command, removing=removing)
        dialog.written.connect(self.note_entry)
        dialog.open_once()

    def test_client(self) -> None:
        """Test the connection of the selected assistant the way it connects itself."""
        current = self.current
        if current is not None:
            self.pane.results.start(current)
            self._follow()
            # Otherwise the results could be out of view.
            QTimer.singleShot(0, self.pane, lambda: self.pane.ensureWidgetVisible(self.pane.results))

    def check_everything(self) -> None:
        """Check this computer and test the connection of every assistant."""
        dialog = CheckEverythingDialog(self.context, self.whole_run, self.window())
        dialog.open_once()
        dialog.begin()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.reload()
        self._look.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._look.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._card.setFixedWidth(NARROW_LIST_WIDTH if self.width() < NARROW else LIST_WIDTH)

    def _choose(self, name: str) -> None:
        self._chosen_name = name
        self._follow()

    def _act(self) -> None:
        """Run the action of Enter: connect or repair if necessary, otherwise test."""
        head = self.pane.head
        for made in (head.connect_button, head.open_button, head.test_button):
            if made.isVisibleTo(head) and made.isEnabled():
                made.click()
                return

    def _follow(self) -> None:
        """Refresh list, pane and subtitle from the model."""
        if not self.model.is_loaded:
            return
        self._stack.setCurrentWidget(self._content)
        here = [row for row in self.model.everything if row.profile is not None and row.is_here]
        connected = counted(sum(row.has_entry for row in here), self.tr("1 connected"), self.tr("{} connected"))
        found = counted(len(here), self.tr("1 assistant found"), self.tr("{} assistants found"))
        nobody = self.tr("No supported assistant found on this computer.")
        self.header.set_subtitle(f"{found}  ·  {connected}" if here else nobody)
        if self.current is None:
            first = self.model.records[0].name if self.model.found_any else OTHER
            self.select_client(first)
            return
        if self.list.current is not self.current:
            self.list.select(self._chosen_name)
        self.pane.show_assistant(self.current, alone=not self.model.found_any)

    def note_entry(self, name: str, has_entry: bool) -> None:
        config_watch = self.context.config_watch
        (config_watch.remember if has_entry else config_watch.forget)(name)
        if has_entry:
            self.model.begin(name)
        else:
            self.model.end(name)
        self.model.reload()

    def _after_repair(self, finding: ConfigDrift) -> None:
        self.context.notifier.say(self.tr("WebRAG's entry for {} was restored").format(finding.title))
        self.model.begin(finding.client)
        self.model.reload()
