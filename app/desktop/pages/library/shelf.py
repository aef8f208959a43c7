"""Shared library on the Library page: the list of its pages, and the current one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, QUrl, Signal
from PySide6.QtWidgets import QWidget

from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.dialogs.join_library import JoinLibraryDialog
from app.desktop.engine_thread import Latest
from app.desktop.exports import ask_and_open, is_web, open_document
from app.desktop.models import document as loading
from app.desktop.models import libraries
from app.desktop.pages.page import BELOW, FilterBox
from app.desktop.pages.parts import FailedState, over_details, stack_of
from app.desktop.panels import Card, EmptyState
from app.desktop.preview.panel import PreviewPanel
from app.desktop.preview.stored import linked
from app.desktop.qt import single_shot
from app.desktop.tables import DataTable
from app.desktop.theme import icon
from app.desktop.tokens import L, M, S
from app.desktop.widgets import ElidedLabel, column, held, icon_button, label, row
from app.desktop.wording import counted, full_time, number
from app.errors import LibrarySignInError, WebRAGError
from app.library.scope import LIBRARY_PAGE_TEMPLATE

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.exchange import PageRow, PageRows

TYPING_MS: Final = 300  # Milliseconds after typing before the library is queried.


class SharedPane(Card):
    """A page of a shared library with its actions. `changed` is emitted after the library was changed."""

    changed = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(margin=1, spacing=0)
        self._context = context
        self._library, self._shelf = "", libraries.NO_SHELF
        self._page: PageRow | None = None
        self.loading = Latest(context.thread, self)
        self._title = ElidedLabel("", "strong")
        self._address = ElidedLabel("", "muted", Qt.TextElideMode.ElideMiddle)
        self._about = label("", "muted", wrap=True)
        self._refresh = icon_button("refresh", self.tr("Refresh page"), lambda: None)
        self._refresh.setEnabled(False)
        self._refresh.setToolTip(
            self.tr("A shared library cannot refresh pages. Refresh your own copy and share it again.")
        )
        self._open = icon_button("external", self.tr("Open in browser"), self._open_page)
        self._copy = icon_button("quote", self.tr("Copy citation"), self._copy_citation)
        self._hide = icon_button("eye-off", self.tr("Hide page"), self._hide_or_show)
        self._withdraw = icon_button("trash", self.tr("Withdraw page"), self.withdraw)
        words = column(self._title, self._address, self._about, spacing=0)
        actions = self._refresh, self._open, self._copy, self._hide, self._withdraw
        self._head = held(row((words, 1), *actions, spacing=2, margins=(L, S, S, S)))
        self.reader = PreviewPanel(self.tr("Page text"))
        self.reader.link_clicked.connect(self._follow)
        self.body.addWidget(self._head)
        self.body.addWidget(self.reader, 1)
        self.show_page("", self._shelf, None)

    def show_page(self, library: str, shelf: libraries.Shelf, page: PageRow | None) -> None:
        is_same = page is not None and self._page == page and self._library == library
        self._library, self._shelf, self._page = library, shelf, page
        self._head.setEnabled(page is not None)
        # Tooltips explain the actions that are not allowed.
        self._open.setEnabled(page is not None and is_web(QUrl(page.url)))
        self._copy.setEnabled(page is not None)
        owns = page is not None and self._shelf.owns(page)
        is_hidden = page is not None and page.is_quarantined
        self._hide.setEnabled(owns)
        words = self.tr("Unhide page") if is_hidden else self.tr("Hide page")
        self._hide.setIcon(icon("eye-off" if owns and not is_hidden else "eye"))
        self._hide.setAccessibleName(words)
        self._hide.setToolTip(words if owns else self.tr("Only owners of the collection can hide its pages"))
        may_withdraw = page is not None and self._shelf.may_withdraw(page)
        self._withdraw.setEnabled(may_withdraw)
        refused = self.tr("Only the user who added the page or an owner of the collection can withdraw it")
        self._withdraw.setToolTip(self.tr("Withdraw page") if may_withdraw else refused)
        if is_same:
            return
        self._title.show_text((page.title or page.url) if page is not None else "")
        self._address.show_text(libraries.shown_address(page.url) if page is not None else "")
        self._about.setText(self._facts(page) if page is not None else "")
        self.reader.show_text("")
        self.loading.cancel()
        if page is not None:
            uri, is_hidden = LIBRARY_PAGE_TEMPLATE.format(library=library, page_id=page.page_id), page.is_quarantined
            complain = self._context.notifier.complain
            self.loading.submit(
                lambda engine: loading.read_shared(engine, uri, is_hidden=is_hidden), self._take, complain
            )

    def withdraw(self) -> None:
        page, name = self._page, self._library
        if page is None or not self._withdraw.isEnabled():
            return
        words = self.tr("No one can find {} in the library after that. Your own copy on this computer is kept.")
        question = words.format(page.title or page.url)
        if is_agreed(self.window(), self.tr("Withdraw page?"), question):
            done = self.tr("Page withdrawn")
            self._change(lambda engine: engine.libraries.remote(name).delete(page.page_id), done)

    def _hide_or_show(self) -> None:
        page, name = self._page, self._library
        if page is not None:
            is_hidden = not page.is_quarantined
            done = self.tr("Page hidden") if is_hidden else self.tr("Page visible again")
            self._change(
                lambda engine: engine.libraries.remote(name).set_quarantine(page.page_id, is_quarantined=is_hidden),
                done,
            )

    def _facts(self, page: PageRow) -> str:
        by = libraries.person(page.added_by)
        parts = (
            self.tr("in the collection {}").format(page.collection),
            self.tr("added by {}").format(by) if by else "",
            self.tr("fetched {}").format(full_time(page.last_crawled)) if page.last_crawled else "",
            self.tr("hidden from everyone except owners") if page.is_quarantined else "",
        )
        return " · ".join(filter(None, parts))

    def _change(self, work: Callable[[Engine], None], done: str) -> None:
        def told(_: None) -> None:
            self._context.notifier.say(done)
            self.changed.emit()

        self._context.ask(self, lambda engine: asyncio.to_thread(work, engine), told)

    def _take(self, read: loading.ReadDocument | None) -> None:
        if read is not None:
            self.reader.show_text(read.document.text, read.links, sections=read.document.sections)

    def _follow(self, address: str) -> None:
        if is_web(QUrl(address)):
            ask_and_open(QUrl(address), self)

    def _open_page(self) -> None:
        if self._page is not None:
            open_document(self._page.url)

    def _copy_citation(self) -> None:
        page = self._page
        if page is not None:
            read = f", {full_time(page.last_crawled)}" if page.last_crawled else ""
            self._context.copy(f"{linked(page.title or page.url, page.url)}{read}", self.tr("Citation copied"))


class SharedShelf(QWidget):
    """List of a shared library with a filter that the library applies."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.state: LibraryState | None = None
        self._shelf = libraries.NO_SHELF
        self.loading = Latest(context.thread, self)
        self._signs_in = False
        self.model = libraries.ShelfModel(self)
        self.model.more_wanted.connect(self._load_more)
        self.filter = FilterBox(self.tr("Filter by title or address"), self.tr("Filter the shared library"), 300)
        self._typing = single_shot(self, TYPING_MS, self.reload)
        self.filter.textChanged.connect(self._typing.start)
        self._count = label("", "muted")
        widths = (240, 112, 104, 112, 96, 136)
        self.table = DataTable(self.model, self.tr("Shared library pages"), widths, 0, least=240)
        self.table.move_below_when_narrow(libraries.SHARED_ADDRESS)
        self.table.optional = (4, 2, 1, 3, libraries.SHARED_ADDRESS)
        self.table.horizontalHeader().moveSection(libraries.SHARED_ADDRESS, 1)
        self.table.remember_columns(self._context.memory, "library/shared")
        self.table.current_changed.connect(self._show_page)
        self.pane = SharedPane(self._context)
        self.pane.changed.connect(self.reload)
        self.table.deleted.connect(self.pane.withdraw)
        self._problem = FailedState(self._mend)
        self._nothing = EmptyState("library", "", "")
        self._splitter = over_details(self.table, self.pane, BELOW)
        self._views = stack_of(self._splitter, self._nothing, self._problem)
        column(row(self.filter, 1, self._count, spacing=M), (self._views, 1), spacing=M, parent=self)

    def show_library(self, state: LibraryState) -> None:
        """Show the pages of a library. Reloads a library that has changed or is reachable again."""
        before, self.state = self.state, state
        if before is None or before.library.address != state.library.address:
            self.leave()
            self.state = state
            self.reload()
        elif before != state:
            self.reload()

    def leave(self) -> None:
        """Clear the list when the private library is shown."""
        self.loading.cancel()
        self.state = None
        self.filter.clear()
        self._typing.stop()
        self._take_shelf(libraries.NO_SHELF)

    def reload(self) -> None:
        """Load the first pages again."""
        self.loading.cancel()
        if self.state is not None:
            name, text = self.state.library.name, self.filter.text().strip()
            self._count.setText(self.tr("Loading…"))
            self.loading.submit(lambda engine: libraries.load_shelf(engine, name, text), self._take_shelf, self._fail)

    def _take_shelf(self, shelf: libraries.Shelf) -> None:
        self._shelf = shelf
        self.model.next = shelf.next
        self.model.replace(shelf.pages)
        if shelf.pages:
            self._views.setCurrentWidget(self._splitter)
            if not self.table.currentIndex().isValid():
                self.table.selectRow(0)
            self._show_page(self.table.currentIndex())
        else:
            self._show_page(QModelIndex())
            title = (self.state.library.title or self.state.library.name) if self.state is not None else ""
            if self.filter.text().strip():
                words = self.tr("No page of {} contains these words in its title or address.").format(title)
                self._nothing.show_words(self.tr("No matching pages"), words, "search")
            else:
                words = self.tr("To share pages of your own library, open the menu of a page or collection.")
                self._nothing.show_words(self.tr("No pages you can read"), words, "library")
            self._views.setCurrentWidget(self._nothing)
        self._show_count()

    def _load_more(self) -> None:
        if self.state is None or self.loading.is_running or not self.model.next:
            return
        name, text, after = self.state.library.name, self.filter.text().strip(), self.model.next

        def take(found: PageRows) -> None:
            self.model.add_rows(found.pages, found.next)
            self._show_count()

        self.loading.submit(
            lambda engine: asyncio.to_thread(engine.libraries.remote(name).pages, text, after, libraries.PAGE_ROWS),
            take,
            self._context.notifier.complain,
        )

    def _fail(self, error: WebRAGError) -> None:
        self._count.setText("")
        self._signs_in = isinstance(error, LibrarySignInError)
        self._problem.again.setText(self.tr("Sign in…") if self._signs_in else self.tr("Try again"))
        self._problem.show_error(error)

    def _mend(self) -> None:
        if self._signs_in and self.state is not None:
            JoinLibraryDialog(self._context, parent=self.window(), again=self.state).open_once()
        else:
            self.reload()

    def _show_page(self, index: QModelIndex) -> None:
        name = self.state.library.name if self.state is not None else ""
        self.pane.show_page(name, self._shelf, self.model.record_at(index))

    def _show_count(self) -> None:
        total = self.model.total
        words = counted(total, self.tr("1 page"), self.tr("{} pages"))
        if self.model.next:
            words = self.tr("the newest {} pages").format(number(total))
        elif total >= libraries.MAX_ROWS:
            words = self.tr("the newest {} pages; filter to find others").format(number(total))
        if self._shelf.has_more_hidden:
            more = self.tr("more than {} hidden pages; unhide or withdraw some to see the others")
            words = f"{words} · {more.format(number(libraries.MAX_HIDDEN_ROWS))}"
        self._count.setText(words if total else "")
