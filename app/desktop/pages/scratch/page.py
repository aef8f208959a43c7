"""Recent passages, which tools found for assistants, by session, until they expire or permanently if pinned."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QPen, QShortcut, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QMenu, QStyle, QStyleOptionViewItem

from app import caps
from app.desktop.context import Context
from app.desktop.models import scratch
from app.desktop.models.clients import ClientsModel
from app.desktop.models.rows import Index
from app.desktop.pages.page import ListingPage
from app.desktop.pages.parts import FailedState, new_menu, offer_menu
from app.desktop.pages.scratch.pane import ScratchActions, ScratchPane, can_browse
from app.desktop.panels import EmptyState
from app.desktop.qt import reported
from app.desktop.tables import CellDelegate, DataTable, paint_icon
from app.desktop.theme import colours, draw_words
from app.desktop.tokens import ROW, L, M, S
from app.desktop.widgets import Segments, button
from app.desktop.wording import counted, key_text, number, size
from app.events import Event

TITLE_LEAST = 360
"""Minimum width of titles before other columns are shown. They name the page and distinguish passages."""
HEAD = 30  # Height of a group heading above its first row.
PINNED = "pinned"


class SessionTable(DataTable):
    """Table with groups. A click on a heading, or Left and Right, fold and unfold a group."""

    def __init__(self, model: scratch.ScratchModel, name: str, widths: Sequence[int], stretch: int) -> None:
        self._folded: set[str] = set()
        super().__init__(model, name, widths, stretch, least=TITLE_LEAST)
        self._kept = model
        self.setItemDelegate(_GroupDelegate(self))
        model.layoutChanged.connect(self._arrange)

    def group_at(self, row: int) -> scratch.SessionGroup | None:
        return next((group for group in reversed(self._kept.groups) if group.first <= row), None)

    def group_headed_by(self, row: int) -> scratch.SessionGroup | None:
        """Return the group whose heading is above a row."""
        group = self.group_at(row)
        return group if group is not None and group.first == row else None

    def is_folded(self, group: scratch.SessionGroup) -> bool:
        return group.id in self._folded

    def fold(self, group: scratch.SessionGroup, on: bool) -> None:
        """Show only the heading of a group, or all of it."""
        (self._folded.add if on else self._folded.discard)(group.id)
        self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        group = self._head_at(event)
        if group is not None and event.button() is Qt.MouseButton.LeftButton:
            self.fold(group, not self.is_folded(group))
            return
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self._head_at(event) is None:
            super().mouseDoubleClickEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        group = self.group_at(self.currentIndex().row()) if self.currentIndex().isValid() else None
        if group is not None and event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.selectRow(group.first)
            self.fold(group, event.key() == Qt.Key.Key_Left)
        else:
            super().keyPressEvent(event)

    def _head_at(self, event: QMouseEvent) -> scratch.SessionGroup | None:
        place = event.position().toPoint()
        index = self.indexAt(place)
        group = self.group_headed_by(index.row()) if index.isValid() else None
        return group if group is not None and place.y() < self.rowViewportPosition(index.row()) + HEAD else None

    def _arrange(self) -> None:
        """Set the row heights: a first row has a heading above it, folded rows have no height."""
        known = {group.id for group in self._kept.groups}
        self._folded &= known
        ends = [*(group.first for group in self._kept.groups[1:]), self._kept.rowCount()]
        for group, end in zip(self._kept.groups, ends, strict=False):
            folded = self.is_folded(group)
            self._set_height(group.first, HEAD if folded else HEAD + ROW)
            for row in range(group.first + 1, end):
                if self.isRowHidden(row) != folded:
                    self.setRowHidden(row, folded)
                if not folded:
                    self._set_height(row, ROW)
        self.viewport().update()

    def _set_height(self, row: int, height: int) -> None:
        if self.isRowHidden(row):
            self.setRowHidden(row, False)
        if self.rowHeight(row) != height:
            self.setRowHeight(row, height)


class _GroupDelegate(CellDelegate):
    """Paints the group heading above its first row, cell by cell, and the cell below it."""

    @reported(None)
    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        table = option.widget
        group = table.group_headed_by(index.row()) if isinstance(table, SessionTable) else None
        if group is None or not isinstance(table, SessionTable):
            super().paint(painter, option, index)
            return
        head = QRect(option.rect.left(), option.rect.top(), option.rect.width(), HEAD)
        folded = table.is_folded(group)
        if not folded:
            below = QStyleOptionViewItem(option)
            below.rect = option.rect.adjusted(0, HEAD, 0, 0)
            super().paint(painter, below, index)
        scheme = colours()
        painter.save()
        is_current = folded and bool(option.state & QStyle.StateFlag.State_Selected)
        painter.fillRect(head, QColor(scheme.accent_soft if is_current else scheme.sunken))
        painter.setPen(QPen(QColor(scheme.border), 1))
        painter.drawLine(head.bottomLeft(), head.bottomRight())
        # The text spans several columns, so every cell paints its part.
        painter.setClipRect(head)
        paint_icon(painter, QRect(M, head.top(), 16, head.height()), "down" if folded else "up", "muted")
        room = QRect(M + L + S, head.top(), table.viewport().width() - M - L - 2 * S, head.height())
        draw_words(painter, room, group.words, scheme.text, scale=0.95, bold=True)
        painter.restore()


class ScratchPage(ListingPage):
    """Passages that tools found: read, pin, save, delete."""

    name = "scratch"
    icon_name = "scratch"

    def __init__(self, context: Context, clients: ClientsModel | None = None) -> None:
        """Create the page. `clients` tells whether any assistant is connected."""
        super().__init__(context, self.tr("Recent passages"))
        self._clients = clients
        self.model = scratch.ScratchModel(context.thread, self)
        self.commands = ScratchActions(context, self.model, self)
        self.make_filter(
            self.tr("Filter by title, address or assistant"), self.tr("Filter the passages"), self.model.set_filter
        )
        kinds = (
            ("", self.tr("All"), self.tr("All passages")),
            (PINNED, self.tr("Pinned"), self.tr("Passages that are kept permanently")),
        )
        self.kinds = Segments(self.tr("Passages to show"), kinds)
        self.kinds.chosen.connect(lambda value: self.model.set_only_pinned(value == PINNED))
        self._build_table_and_pane()
        self._loading = EmptyState("clock", self.tr("Loading…"), self.tr("WebRAG is starting."))
        minutes = round(caps.SCRATCH_SECONDS / 60)
        self._connect = button(self.tr("Connect an assistant"), lambda: self.context.go_to("clients"), "primary")
        words = self.tr(
            "When an assistant searches the library or the web, the passages it found appear here. They expire {} minutes "
            "after their last use unless you pin them."
        ).format(minutes)
        self._empty = EmptyState("scratch", self.tr("No passages yet"), words, self._connect)
        self._failed = FailedState(self.model.reload)
        self.lay_out(self.kinds, self.table, self.pane)
        self.model.layoutChanged.connect(self._follow)
        self.model.failed.connect(self._failed.show_error)
        QShortcut("F5", self, self.model.reload)
        QShortcut("Ctrl+Z", self, self.commands.deletion.undo)
        QShortcut("Ctrl+S", self, self.save)
        QShortcut("Ctrl+P", self, self.toggle_pin)
        # Elsewhere on the page, Ctrl+C copies the selected text.
        QShortcut("Ctrl+C", self.table, self.copy_addresses, context=Qt.ShortcutContext.WidgetShortcut)
        if clients is not None:
            clients.layoutChanged.connect(self._offer_connecting)
            self._offer_connecting()

    def rewrite_times(self) -> None:
        super().rewrite_times()
        self._follow()

    def activate(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        if self.isVisible():
            self.model.reload()

    def on_events(self, events: list[Event]) -> None:
        self.model.on_events(events)

    @property
    def selected(self) -> list[scratch.KeptPassage]:
        """The selected passages in table order, or the current passage if the filter hides the selection."""
        places = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        rows = [self.model.records[place] for place in places if place < self.model.rowCount()]
        return rows or ([self.pane.kept] if self.pane.kept is not None else [])

    @property
    def current(self) -> scratch.KeptPassage | None:
        return self.pane.shown

    def toggle_pin(self) -> None:
        """Pin the selected passages, or unpin them if all are pinned."""
        rows = self.selected
        if not rows:
            return
        place = self.table.currentIndex().row()
        if all(each.is_pinned for each in rows):
            self.commands.unpin(rows)
        else:
            self.commands.pin(rows)
        self._select_near(place)

    def delete(self) -> None:
        place = min((index.row() for index in self.table.selectionModel().selectedRows()), default=0)
        self.commands.delete(self.selected)
        self._select_near(place)

    def clear_session(self) -> None:
        """Delete all passages of the current passage's session with undo."""
        if self.current is not None and not self.current.is_pinned:
            self.commands.delete(self.model.session_rows(scratch.session_of(self.current)))
            self._select_near(0)

    def clear_unpinned(self) -> None:
        self.commands.delete(self._unpinned)
        self._select_near(0)

    @property
    def _unpinned(self) -> list[scratch.KeptPassage]:
        return [each for each in self.model.everything if not each.is_pinned]

    def save(self) -> None:
        if self.current is not None:
            self.commands.save(self.current)

    def copy_addresses(self) -> None:
        self.commands.copy_addresses(self.selected)

    def open_current(self) -> None:
        """Open the source of the current passage, or its text if it has none."""
        if self.current is not None and not self.commands.open(self.current):
            self.pane.preview.setFocus(Qt.FocusReason.OtherFocusReason)

    def menu(self) -> QMenu:
        rows = self.selected
        is_one, is_any = len(rows) == 1, bool(rows)
        is_stored = is_one and rows[0].content.document_id is not None
        pin = self.tr("Unpin") if rows and all(each.is_pinned for each in rows) else self.tr("Pin")
        clearing = self.tr("Delete passages of this session"), self.tr("Delete all unpinned passages")
        entries = (
            (self.tr("Open in Library"), "library", self.open_page, is_stored),
            (self.tr("Open in browser"), "external", self.open_source, is_one and can_browse(rows[0])),
            None,
            (f"{pin}\t{key_text('Ctrl+P')}", "pin", self.toggle_pin, is_any),
            (f"{self.tr('Copy address')}\t{key_text('Ctrl+C')}", "copy", self.copy_addresses, is_any),
            (f"{self.tr('Save as file…')}\t{key_text('Ctrl+S')}", "export", self.save, is_one),
            None,
            (f"{self.tr('Delete')}\t{self.tr('Del')}", "trash", self.delete, is_any),
            (clearing[0], "scratch", self.clear_session, is_one and not rows[0].is_pinned),
            (clearing[1], "scratch", self.clear_unpinned, bool(self._unpinned)),
        )
        return new_menu(self, entries)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.watch(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.model.watch(False)

    def _build_table_and_pane(self) -> None:
        self.table = SessionTable(self.model, self.tr("Recent passages"), (280, 142, 132, 92, 126, 124), 0)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.enable_sorting(scratch.FOUND, Qt.SortOrder.DescendingOrder)
        self.table.empty_text = self.tr("No passages match the filter")
        self.table.optional = (scratch.SIZE, scratch.CLIENT, scratch.FOUND, scratch.FROM)
        self.table.remember_columns(self.context.memory, "scratch/columns", scratch.CLIENT)
        offer_menu(self.table, self.menu, lambda _place: bool(self.selected))
        self.table.current_changed.connect(lambda _index: self._follow())
        self.table.deleted.connect(self.delete)
        self.table.opened.connect(lambda _index: self.open_current())
        opening = {"page": self.open_page, "source": self.open_source}
        self.pane = ScratchPane(
            pin=self.toggle_pin, save=self.save, copy=self.copy_addresses, delete=self.delete, **opening
        )

    def _offer_connecting(self) -> None:
        """Offer to connect an assistant if none is connected."""
        if self._clients is not None:
            self._connect.setVisible(not self._clients.any_connected)

    def _follow(self) -> None:
        """Update everything around the table."""
        if self.model.listing is None:
            return
        self._stack.setCurrentWidget(self._content if self.model.total else self._empty)
        self._show_counts(self.model.listing)
        shown = self.pane.shown
        current = self.model.record_at(self.table.currentIndex())
        if current is not None:
            self.pane.show_passage(current)
        elif shown is not None and (known := self.model.find(shown.id)) is not None:
            self.pane.show_passage(known)
        elif shown is not None and self.model.total:
            self.pane.show_gone()
        else:
            self.pane.show_passage(None)
            self._select_near(0)

    def _select_near(self, place: int) -> None:
        """Select a row unless one is selected."""
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(min(max(place, 0), self.model.rowCount() - 1))

    def _show_counts(self, listing: scratch.ScratchListing) -> None:
        shown, total = self.model.rowCount(), self.model.total
        self._count.setText(self.tr("{} of {}").format(number(shown), number(total)) if shown != total else "")
        counters = listing.counters
        removed = self.tr("none removed to free memory")
        if counters.evictions:
            removed = self.tr("{} removed to free memory").format(number(counters.evictions))
        pinned = number(sum(each.is_pinned for each in self.model.everything))
        words = [counted(total, self.tr("1 passage"), self.tr("{} passages")), self.tr("{} pinned").format(pinned)]
        words += [self.tr("{} of memory").format(size(counters.bytes)), removed]
        if listing.is_cut:
            words.append(self.tr("only the {} most recently used are listed").format(number(scratch.MAX_SCRATCH_SHOWN)))
        self.header.set_subtitle("  ·  ".join(words))

    def open_page(self) -> None:
        if self.current is not None:
            self.commands.open_page(self.current)

    def open_source(self) -> None:
        if self.current is not None:
            self.commands.open_source(self.current)
