"""Library: every stored page in a table, the selected one in detail below or beside it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QShortcut

from app import caps
from app.desktop.context import Context
from app.desktop.models.library import CHUNKS, FETCHED, KIND, STATE, TOKENS, LibraryModel
from app.desktop.pages.document import DocumentPane
from app.desktop.pages.listing import ListingPage
from app.desktop.panels import EmptyState
from app.desktop.tables import DataTable
from app.desktop.widgets import Segments, button
from app.desktop.wording import counted, number, short_number
from app.errors import WebRAGError
from app.events import Event

UNDO_MS = 6_000


class LibraryPage(ListingPage):
    """Find, read, refresh and forget pages."""

    name = "library"
    icon_name = "library"

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Library"))
        self.model = LibraryModel(context.thread, self)
        self._condemned: dict[int, str] = {}
        self._undo_timer = QTimer(self)
        self._undo_timer.setSingleShot(True)
        self._undo_timer.timeout.connect(self.delete_now)
        self.add_button = button(self.tr("Add"), lambda: context.add_page(""), "primary", "add")
        self.header.add(self.add_button)
        self._build()
        self.model.loaded.connect(self._show_state)
        self.model.layoutChanged.connect(self._show_counts)
        self.model.failed.connect(self._show_error)
        QShortcut("F5", self, self.refresh)
        QShortcut("Ctrl+Z", self, self.undo_delete)

    def activate(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def engine_ready(self) -> None:
        self.model.reload()

    def take(self, events: list[Event]) -> None:
        self.model.take(events)

    def select_document(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """Bring a document into view, whatever the filter hides now, with the passage between two offsets marked."""
        self.filter.clear()
        self.model.set_filter("")
        self.kinds.select("")
        self.model.set_kind("")
        place = self.model.row_of(document_id)
        if place >= 0:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))
        if end > start:
            self.pane.show_range(start, end)

    def refresh(self) -> None:
        """Read the selected page from the web again."""
        self.pane.refresh()

    def delete(self) -> None:
        """Take the selected page out; it is really deleted when the time to undo is over."""
        record = self.model.record_at(self.table.currentIndex())
        if record is None:
            return
        place = self.table.currentIndex().row()
        self._condemned[record.id] = record.url
        self.model.hide_document(record.id)
        self.table.selectRow(min(place, self.model.rowCount() - 1))
        self._undo_timer.start(UNDO_MS)
        words = counted(len(self._condemned), self.tr("Page deleted"), self.tr("{} pages deleted"))
        self.context.notifier.say(words, self.tr("Undo"), self.undo_delete)

    def undo_delete(self) -> None:
        """Put back what was deleted within the time to undo."""
        self._undo_timer.stop()
        self.context.notifier.clear()
        for document_id in self._condemned:
            self.model.show_document(document_id)
        self._condemned.clear()

    def delete_now(self) -> None:
        """Carry out what was condemned; also called when the window closes."""
        self._undo_timer.stop()
        for document_id in self._condemned:
            self._delete_document(document_id)
        self._condemned.clear()

    def _delete_document(self, document_id: int) -> None:
        self.context.thread.submit(lambda engine: engine.delete_document(document_id), lasting=True)

    def copy_citation(self) -> None:
        """Put title, address and date of the selected page on the clipboard as Markdown."""
        citation = self.pane.citation()
        if citation:
            QGuiApplication.clipboard().setText(citation)
            self.context.notifier.say(self.tr("Citation copied"))

    def _build(self) -> None:
        self._build_filter()
        self._build_table_and_pane()
        self._build_states()
        self.lay_out(self.kinds, self.table, self.pane)

    def _build_filter(self) -> None:
        self.make_filter(self.tr("Filter by title or address"), self.tr("Filter the library"), self.model.set_filter)
        self.kinds = Segments(
            self.tr("Kind of document"),
            (
                ("", self.tr("All"), self.tr("Everything")),
                ("web", self.tr("Web"), self.tr("Pages from the web")),
                ("file", self.tr("Files"), self.tr("Files of this computer")),
            ),
        )
        self.kinds.chosen.connect(self.model.set_kind)
        self.kinds.hide()

    def _build_table_and_pane(self) -> None:
        self.table = DataTable(self.model, self.tr("Stored pages"), (280, 172, 96, 74, 80, 116, 112), 0)
        self.table.enable_sorting(FETCHED, Qt.SortOrder.DescendingOrder)
        self.table.empty_text = self.tr("No page matches the filter")
        self.table.hide_when_narrow(KIND, TOKENS, CHUNKS, STATE)
        self.table.current_changed.connect(self._show_document)
        self.table.deleted.connect(self.delete)
        self.pane = DocumentPane(self.context)
        self.pane.delete_wanted.connect(self.delete)
        self.pane.copy_wanted.connect(self.copy_citation)
        self.pane.page_wanted.connect(self._open_neighbour)

    def _build_states(self) -> None:
        """What stands in the place of the table while there is nothing to list."""
        self._loading = EmptyState("clock", self.tr("Loading the library…"), self.tr("The engine is starting."))
        self._empty = EmptyState(
            "library",
            self.tr("No pages yet"),
            self.tr(
                "Add a page, a site or a folder, or ask a connected assistant a question about a page: what it reads appears here."
            ),
            button(self.tr("Add"), lambda: self.context.add_page(""), "primary", "add"),
        )
        self._failed = EmptyState("error", "", "", button(self.tr("Try again"), self.model.reload, "", "refresh"))

    def _show_document(self, index: QModelIndex) -> None:
        record = self.model.record_at(index)
        self.pane.show_document(record)

    def _open_neighbour(self, document_id: int) -> None:
        """A page from the graph; the corpus may hold more pages than are listed."""
        self.select_document(document_id)
        if self.model.row_of(document_id) < 0:
            self.context.notifier.say(self.tr("That page is not in the list"))

    def _show_state(self) -> None:
        self._stack.setCurrentWidget(self._content if self.model.total else self._empty)
        self._show_counts()
        if self.model.rowCount() and not self.table.currentIndex().isValid():
            self.table.selectRow(0)

    def _show_counts(self) -> None:
        if not self.model.is_loaded:
            return
        if self._stack.currentWidget() in (self._empty, self._content):
            self._stack.setCurrentWidget(self._content if self.model.total else self._empty)
        self._offer_kinds()
        shown, total = self.model.rowCount(), self.model.total
        self._count.setText(self.tr("{} of {}").format(number(shown), number(total)) if shown != total else "")
        chunks = sum(record.chunks for record in self.model.everything)
        tokens = sum(record.tokens for record in self.model.everything)
        words = [
            counted(total, self.tr("1 page"), self.tr("{} pages")),
            counted(chunks, self.tr("1 chunk"), self.tr("{} chunks")),
            self.tr("{} tokens").format(short_number(tokens)),
        ]
        if self.model.truncated:
            words.append(self.tr("only the newest {} are listed").format(number(caps.MAX_LIBRARY_SHOWN)))
        self.header.set_subtitle("  ·  ".join(words))
        self.pane.update_summary(self.model.record_at(self.table.currentIndex()))

    def _offer_kinds(self) -> None:
        """The choice of a kind, while there are files to choose."""
        has_files = any(record.kind == "file" for record in self.model.everything)
        if not has_files and self.kinds.value:
            self.kinds.select("")
            self.model.set_kind("")
        self.kinds.setVisible(has_files)

    def _show_error(self, error: WebRAGError) -> None:
        self._failed.show_words(error.title, f"{error.message} {error.hint}", "error", "danger")
        self._stack.setCurrentWidget(self._failed)
