"""Library page: a table of all stored pages, with the selected one next to it, below it, or over the whole window."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QResizeEvent, QShortcut
from PySide6.QtWidgets import QMenu

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.models.labels import LabelActions
from app.desktop.models.libraries import about_words
from app.desktop.models.library import MAX_LIBRARY_ROWS, LibraryModel
from app.desktop.pages.library.actions import LibraryActions, Sharing
from app.desktop.pages.library.columns import FOLLOW_MS, READ_AT, Columns, LibraryTable, OutlinePanel
from app.desktop.pages.library.document import DocumentPane
from app.desktop.pages.library.labels import LabelMenus
from app.desktop.pages.library.shelf import SharedShelf
from app.desktop.pages.library.side import WIDTH, FacetPanel, LeftOutLine, Side
from app.desktop.pages.page import ListingPage
from app.desktop.pages.parts import FailedState, offer_menu, stack_of
from app.desktop.panels import EmptyState
from app.desktop.qt import single_shot
from app.desktop.tokens import XL, M
from app.desktop.widgets import button, take_focus
from app.desktop.wording import counted, local_path, number, short_number
from app.events import Event, LibrariesChanged
from app.library.packages import PACKAGE_SCHEME
from app.library.records import Document, DocumentSummary

FACETS_SHOWN = "library/facets"
ROWS_SHOWN = 12  # Initial number of rows above a page.
TABLE_WIDTH = 520  # Minimum width of the table next to the facets.


class LibraryPage(ListingPage):
    """Find, read, refresh and delete pages."""

    name = "library"
    icon_name = "library"
    reading_changed = Signal(bool)  # Whether the current page fills the window.

    def __init__(self, context: Context) -> None:
        super().__init__(context, self.tr("Library"))
        self.model = LibraryModel(context.thread, self)
        self.commands = LibraryActions(context, self.model, self)
        self.sharing = Sharing(context, self)
        self.labels = LabelMenus(self.model, LabelActions(context, self), self, self.sharing.add_label_to)
        self._detail: DocumentSummary | None = None
        self._read_before = 0
        self._outlined: Document | None = None
        self._facets_wanted = context.memory.get(FACETS_SHOWN, True)
        self._facets_forced = False
        self.add_button = button(self.tr("Add page"), lambda: context.add_page(""), "primary", "add")
        words = self.tr("Refresh {} outdated pages").format(number(0))
        self.stale_button = button(words, lambda: self.commands.refresh_stale(self.model.stale), "", "refresh")
        self.stale_button.setToolTip(
            self.tr("Refresh the outdated pages in this view. Pages saved from the browser are not changed.")
        )
        self.unused_button = button(self.tr("Remove unused pages…"), self.commands.remove_unused, "", "trash")
        self.unused_button.setToolTip(
            self.tr("Remove pages that were only added because a page linked to them, and that have never been cited.")
        )
        for made in (self.stale_button, self.unused_button):
            made.hide()
            self.header.add_folding(made)
        self.header.add(self.add_button)
        self._build()
        self.model.changed.connect(self._follow)
        self.model.loaded.connect(self._follow)
        self.model.failed.connect(self._failed.show_error)
        QShortcut("F5", self, self.refresh)
        QShortcut("F9", self, lambda: self.set_reading(not self.is_reading))
        self._leave_reading = QShortcut("Esc", self, self._escape, enabled=False)
        QShortcut("Ctrl+Z", self, self.undo_delete)
        QShortcut("Ctrl+E", self, self.export)
        # Elsewhere on the page, Ctrl+C copies the selected text.
        QShortcut("Ctrl+C", self.table, self.copy_citation, context=Qt.ShortcutContext.WidgetShortcut)

    def rewrite_times(self) -> None:
        super().rewrite_times()
        self.pane.metadata.rewrite_times()

    def activate(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        self._look_for_libraries()
        self.left_out.look()
        if self.model.is_outdated:
            self.model.reload()

    def engine_ready(self) -> None:
        self.model.reload()
        self._look_for_libraries()
        self.left_out.look()

    def on_events(self, events: list[Event]) -> None:
        self.model.on_events(events)
        self.pane.on_events(events)
        if any(isinstance(event, LibrariesChanged) for event in events):
            self._look_for_libraries()
        self.left_out.follow(events)

    def focus_filter(self) -> None:
        take_focus(self.shelf.filter if self.is_shared else self.filter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_facets()

    def arrange(self) -> None:
        # While the list is loading, the side panel is invisible but still counts.
        facets = 0 if self.side.isHidden() else WIDTH + M
        self._columns.arrange(self.window().width(), self.width() - 2 * XL - facets)
        self._follow_outline()

    def _follow_outline(self) -> None:
        """Show the headings of the current page and select the one in view, if there is room for them."""
        if self.outline.isHidden():
            return
        document = self.pane.document
        if self._outlined is not document:
            self._outlined = document
            self.outline.show_sections(document.sections if document is not None else ())
        self.outline.follow(self.pane.preview.offset_in_view(READ_AT))

    @property
    def is_shared(self) -> bool:
        """Whether the pages of a shared library are listed."""
        return self.side.picker.current is not None

    @property
    def is_reading(self) -> bool:
        """Whether the current page fills the window."""
        return self._columns.is_reading

    def set_reading(self, on: bool) -> None:
        """Show the current page in the whole window, or return to the list."""
        if on == self.is_reading or (on and (self._detail is None or self.is_shared)):
            return
        self._leave_reading.setEnabled(on)
        for widget in (self.header, self._bar):
            widget.setVisible(not on)
        self.left_out.set_away(on)
        self._columns.set_reading(on)
        self.pane.set_reading(on)
        self._place_facets()
        self.reading_changed.emit(on)
        self.arrange()
        (self.pane.preview if on else self.table).setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def selected(self) -> list[DocumentSummary]:
        """The selected pages in table order; the current page if the filter hides the selection; none in a shared library."""
        if self.is_shared:
            return []
        rows: list[DocumentSummary] = self.table.selected
        return rows or self._in_detail

    def select_document(self, document_id: int, start: int = 0, end: int = 0) -> bool:
        """Show a document with an optional highlighted range, next to the unchanged list if the filter hides it.

        Return False if it is not in the library.
        """
        self.side.picker.choose_private()
        place, hidden = self.model.row_of(document_id), self.model.find(document_id)
        if place >= 0:
            self.table.selectRow(place)
            self.table.scrollTo(self.model.index(place, 0))
        elif hidden is not None:
            self.table.clearSelection()
            self.table.setCurrentIndex(QModelIndex())
            self._show_in_detail(hidden)
        if end > start:
            self.pane.show_range(start, end, document_id)
        return hidden is not None

    def clear_filters(self) -> None:
        self.filter.clear()
        self.model.set_filter("")
        self.facets.clear()

    def refresh(self) -> None:
        """Refresh the selected pages, or reload the list of a shared library."""
        if self.is_shared:
            self.shelf.reload()
        else:
            self.commands.refresh(self.selected)

    def delete(self) -> None:
        self._delete(self.selected)

    def undo_delete(self) -> None:
        """Restore deleted pages, their selection and the current page, or otherwise the last deleted collection."""
        back = self.commands.deletion.undo()
        if not back:
            self.labels.actions.undo()
        if back:
            self.table.select_keys(back)
            self.table.make_current(self._read_before if self._read_before in back else back[0])
            self.facets.recount()

    def delete_site(self) -> None:
        """Delete all pages of the site of the current page after confirmation."""
        facts = ((row, self.model.facts(row.id)) for row in self.model.everything)
        rows = [row for row, known in facts if known is not None and known.place == self.site_of_detail]
        if self.commands.is_site_given_up(len(rows), self.site_of_detail):
            self._delete(rows)

    def show_site(self) -> None:
        place = self.site_of_detail
        if place:
            self.side.picker.choose_private()
            self.facets.choose_place(place)

    def show_folder(self, path: str) -> None:
        """Show only the files of a folder, or the pages of a package by the beginning of their addresses, newest first."""
        below = path if path.startswith(PACKAGE_SCHEME) else f"{Path(path).as_posix()}/"
        row = next((row for row in self.model.everything if (local_path(row.url) or row.url).startswith(below)), None)
        facts = self.model.facts(row.id) if row is not None else None
        if facts is not None:
            self.side.picker.choose_private()
            self.set_reading(False)
            self.facets.choose_place(facts.place)

    def show_label(self, kind: LabelKind, name: str) -> None:
        self.side.picker.choose_private()
        self.set_reading(False)
        self.facets.choose_label(kind, name)

    @property
    def site_of_detail(self) -> str:
        """The site or folder of the current page as a facet value."""
        facts = self.model.facts(self._detail.id) if self._detail is not None else None
        return facts.place if facts is not None else ""

    def copy_citation(self) -> None:
        """Copy title, address and date of the selected pages as Markdown."""
        self.commands.copy_citations(self.selected)

    def export(self) -> None:
        """Save the selected page as a file, or several in a folder."""
        rows = self.selected
        if len(rows) == 1 and rows == self._in_detail:
            self.pane.export()
        else:
            self.commands.export(rows)

    def menu(self) -> QMenu:
        menu = self.commands.menu(
            self.labels, self.selected, self.site_of_detail, export=self.export, delete=self.delete,
            show_site=self.show_site, delete_site=self.delete_site,
        )  # fmt: skip
        self.sharing.add_to(menu, self.selected)
        return menu

    def toggle_facets(self) -> None:
        self._facets_wanted = self._facets_forced = not self.facets.isVisibleTo(self)
        self.context.memory.set(FACETS_SHOWN, self._facets_wanted)
        self._place_facets()

    @property
    def _in_detail(self) -> list[DocumentSummary]:
        is_there = self._detail is not None and self.model.find(self._detail.id) is not None
        return [self._detail] if self._detail is not None and is_there else []

    def _build(self) -> None:
        self.make_filter(self.tr("Filter by title or address"), self.tr("Filter the library"), self.model.set_filter)
        self.facets = FacetPanel(self.context, self.model, self.labels)
        self.facets.counted.connect(self._show_stale)
        self.facets_button = button(self.tr("Filters"), self.toggle_facets, "", "filter")
        self.facets_button.setCheckable(True)
        self.facets_button.setToolTip(self.tr("Filter by site, state, age and more"))
        self._build_table()
        self.pane = DocumentPane(self.context)
        self.pane.delete_wanted.connect(lambda: self._delete(self._in_detail))
        self.pane.copy_wanted.connect(lambda: self.commands.copy_citations(self._in_detail))
        self.pane.page_wanted.connect(self._open_neighbour)
        self.pane.reading_wanted.connect(self.set_reading)
        self.pane.labels_wanted.connect(
            lambda at: self.labels.menu(self._in_detail).popup(at.mapToGlobal(at.rect().bottomLeft()))
        )
        self.pane.labels_bar.chosen.connect(lambda kind, name: self.show_label(LabelKind(kind), name))
        self._loading = EmptyState("clock", self.tr("Loading the library…"), self.tr("WebRAG is starting."))
        self._empty = EmptyState(
            *self._no_pages_words(), button(self.tr("Add page"), lambda: self.context.add_page(""), "primary", "add")
        )
        self._failed = FailedState(self._try_again)
        self.side = Side(self.context, self.facets)
        self.left_out = LeftOutLine(self.context)
        self.shelf = SharedShelf(self.context)
        self.shelf.hide()
        self.side.picker.chosen.connect(self._show_chosen)
        parts = self.facets_button, self._views, self.pane
        self.lay_out(*parts, above=(self.left_out,), left=(self.side,), right=((self.shelf, 1),))
        self.outline = OutlinePanel()
        self.outline.wanted.connect(self.pane.show_offset)
        following = single_shot(self, FOLLOW_MS, self._follow_outline)
        self.pane.loaded.connect(self._follow_outline)
        self.pane.preview.progressed.connect(following.start)
        self.pane.preview.verticalScrollBar().valueChanged.connect(lambda _value: following.start())
        self._columns = Columns(
            self._splitter, self.pane, self.outline, self.context.memory, lambda: self.table.height_of(ROWS_SHOWN)
        )
        # The needs of another tab differ.
        self.pane.tabs.currentChanged.connect(lambda _tab: self._columns.placing.start())
        self._place_facets()

    def _look_for_libraries(self) -> None:
        self.sharing.look()
        self.side.picker.look()

    def _show_chosen(self) -> None:
        """List the pages of the library selected at the left."""
        state = self.side.picker.current
        if state is not None:
            self.set_reading(False)
            self.shelf.show_library(state)
            self.header.set_subtitle(about_words(state))
        elif self.shelf.state is not None:
            self.shelf.leave()
        for widget in (self._bar, self._splitter):
            widget.setVisible(state is None)
        self.left_out.set_away(state is not None)
        self.shelf.setVisible(state is not None)
        # Pages are always added to the private library.
        self.add_button.setVisible(state is None)
        self._place_facets()
        self._show_stale()
        self._follow()

    def _build_table(self) -> None:
        self.table = LibraryTable(self.model, self.context.memory, self.tr("Stored pages"))
        offer_menu(self.table, self.menu, lambda _place: bool(self.selected))
        self.table.current_changed.connect(self._show_document)
        self.table.deleted.connect(self.delete)
        self.table.selection_changed.connect(self._show_count)
        self.table.opened.connect(lambda _index: self.pane.preview.setFocus(Qt.FocusReason.OtherFocusReason))
        self._nothing_yet = EmptyState(*self._no_pages_words())
        clear = button(self.tr("Clear filters"), self.clear_filters, "primary")
        words = self.tr("No pages match your filters.")
        self._nothing = EmptyState("search", self.tr("No matching pages"), words, clear)
        self._views = stack_of(self.table, self._nothing, self._nothing_yet)

    def _no_pages_words(self) -> tuple[str, str, str]:
        words = self.tr(
            "Add a page, a site or a folder, or ask a connected assistant about a page. Everything it reads appears here."
        )
        return "library", self.tr("No pages yet"), words

    def _place_facets(self) -> None:
        """Show the facets if they are turned on and there is room, or if the user insists."""
        has_room = self.width() >= WIDTH + M + TABLE_WIDTH
        if has_room:
            self._facets_forced = False
        is_shown = self._facets_wanted and (has_room or self._facets_forced)
        self.side.place(is_wanted=is_shown, is_reading=self.is_reading)
        self.facets_button.setChecked(is_shown)
        self.arrange()

    def _escape(self) -> None:
        """Close the search in the page, or if it is closed, return to the list."""
        if self.pane.reader.finder.isHidden():
            self.set_reading(False)
        else:
            self.pane.reader.close_find()

    def _delete(self, rows: list[DocumentSummary]) -> None:
        place = self.model.row_of(rows[0].id) if rows else 0
        if self._detail is not None and self._detail in rows:
            self._read_before = self._detail.id
        self.commands.delete(rows)
        self._select_near(place)
        self.facets.recount()

    def _show_document(self, index: QModelIndex) -> None:
        row = self.model.record_at(index)
        if row is not None:
            self._show_in_detail(row)

    def _show_in_detail(self, row: DocumentSummary | None) -> None:
        self._detail = row
        self.pane.show_document(row)

    def _open_neighbour(self, document_id: int) -> None:
        """Open a page from the graph. The library can have more pages than are listed."""
        self.select_document(document_id)
        if self.model.row_of(document_id) < 0:
            self.context.notifier.say(self.tr("That page is not in the list"))

    def _follow(self) -> None:
        """Update everything around the table."""
        if not self.model.is_loaded and not self.model.total:
            return
        self._stack.setCurrentWidget(self._content if self.model.total or self.side.picker.states else self._empty)
        if not self.model.total:
            self.set_reading(False)
        nothing = self._nothing if self.model.total else self._nothing_yet
        self._views.setCurrentWidget(self.table if self.model.rowCount() else nothing)
        total = self.model.total
        self._show_count()
        chosen = self.facets.chosen
        self.facets_button.setText(self.tr("Filters ({})").format(chosen) if chosen else self.tr("Filters"))
        chunks, tokens = self.model.sums
        words = [
            counted(total, self.tr("1 page"), self.tr("{} pages")),
            counted(chunks, self.tr("1 passage"), self.tr("{} passages")),
            self.tr("{} tokens").format(short_number(tokens)),
        ]
        if self.model.truncated:
            words.append(self.tr("only the newest {} are listed").format(number(MAX_LIBRARY_ROWS)))
        if not self.is_shared:
            self.header.set_subtitle("  ·  ".join(words))
        self._follow_detail()

    def _follow_detail(self) -> None:
        """Keep the current page as long as it is stored, even if the filter hides it."""
        current = self.model.record_at(self.table.currentIndex())
        known = self.model.find(self._detail.id) if self._detail is not None else None
        if current is None and self.model.is_narrowed and self.model.rowCount():
            # The current page is one of the listed pages, so select the first one after filtering.
            self.table.selectRow(0)
            return
        if current is not None and (known is None or current.id == known.id):
            self._detail = current
            self.pane.update_summary(current)
            self.pane.show_document(current)
        elif known is not None:
            self._detail = known
            self.pane.update_summary(known)
        else:
            self._show_in_detail(None)
            self._select_near(0)

    def _select_near(self, place: int) -> None:
        """Select a row unless one is selected."""
        if self.model.rowCount() and not self.table.selected:
            self.table.selectRow(min(max(place, 0), self.model.rowCount() - 1))

    def _show_stale(self) -> None:
        count = len(self.model.stale)
        stale = counted(count, self.tr("Refresh 1 outdated page"), self.tr("Refresh {} outdated pages"))
        unused = self.model.count_unused
        remove = counted(unused, self.tr("Remove 1 unused page…"), self.tr("Remove {} unused pages…"))
        self.stale_button.setVisible(bool(count) and not self.is_shared)
        self.unused_button.setVisible(bool(unused) and not self.is_shared)
        self.header.name_folding({self.stale_button: stale, self.unused_button: remove})

    def _show_count(self) -> None:
        """Show the number of selected and of filtered rows."""
        shown, total, selected = self.model.rowCount(), self.model.total, self.table.count_selected
        words = [self.tr("{} selected").format(number(selected))] if selected > 1 else []
        if shown != total:
            words.append(self.tr("{} of {}").format(number(shown), number(total)))
        self._count.setText("  ·  ".join(words))

    def _try_again(self) -> None:
        self._stack.setCurrentWidget(self._loading)
        self.model.reload()
