"""The main window: sidebar, banners, pages, status line and keyboard shortcuts."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6 import QtGui
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QScrollArea, QWidget

from app.desktop.context import Context
from app.desktop.dialogs.add.dialog import PAGES, SITE, AddPageDialog
from app.desktop.drag_and_drop import Intake
from app.desktop.help import ShortcutsDialog, show_guide
from app.desktop.models.rows import AwaitedRow
from app.desktop.notices import BannerStack, FolderNews, Toast, notices_for
from app.desktop.offer import Offer
from app.desktop.pages.activity.page import ActivityPage
from app.desktop.pages.clients.page import ClientsPage
from app.desktop.pages.home.page import HomePage
from app.desktop.pages.library.page import LibraryPage
from app.desktop.pages.packages.page import PackagesPage
from app.desktop.pages.page import Page
from app.desktop.pages.scratch.page import ScratchPage
from app.desktop.pages.search.page import SearchPage
from app.desktop.palette.commands import commands_of
from app.desktop.palette.overlay import Palette
from app.desktop.panels import PageStack, fit_size, resize_to_fit, scrolled
from app.desktop.qt import Act, repeating
from app.desktop.sidebar import Sidebar
from app.desktop.status import StatusLine
from app.desktop.theme import app_icon
from app.desktop.tokens import XL, M
from app.desktop.widgets import column, held, row
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.desktop.models.activity import Call
    from app.desktop.pages.settings.page import SettingsPage
    from app.desktop.wizard.wizard import Wizard
    from app.engine import Engine
    from app.events import Event

REWRITE_TIMES_MS = 20_000  # Milliseconds between updates of relative times, whose smallest unit is minutes.

LAST_PAGE: Final = "page"
WIDTH, HEIGHT = 1100, 720
MIN_WIDTH, MIN_HEIGHT = 640, 420
NARROW: Final = 860  # Width in pixels below which the sidebar shows only icons.


class _SettingsPlace(Page):
    """Placeholder for the Settings page until it is built."""

    name = "settings"
    icon_name = "settings"

    def __init__(self, context: Context) -> None:
        super().__init__(context, QCoreApplication.translate("SettingsPage", "Settings"))


class MainWindow(QMainWindow):
    """The main window. Emits `close_wanted` to let the application decide how to close it."""

    close_wanted = Signal()
    quit_wanted = Signal()
    library_deleted = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self._engine: Engine | None = None
        self._failure: WebRAGError | None = None
        self.left_at = 0.0  # Monotonic time when another window took the focus.
        self.setWindowTitle(QApplication.applicationDisplayName())
        self.setWindowIcon(app_icon())
        self.setMinimumSize(fit_size(self, QSize(MIN_WIDTH, MIN_HEIGHT)))
        resize_to_fit(self, WIDTH, HEIGHT)
        self.adding: AddPageDialog | None = None
        self.wizard: Wizard | None = None
        # Pages can show messages before they are visible, so messages come first.
        central = QWidget()
        self.setCentralWidget(central)
        self.toast = Toast(central)
        context.notifier = self.toast
        context.go_to = self.go_to
        context.show_document = self.show_document
        context.add_page = self.add_page
        context.add_site = self.add_site
        context.show_client = self.show_client
        context.show_client_tools = self._show_client_tools
        context.show_call = self.show_call
        context.show_job = self.show_job
        context.show_folder = self._show_folder
        context.show_settings = self.show_settings
        context.repair = self.repair
        context.show_wizard = self.show_wizard
        context.show_help = partial(show_guide, context, self)
        context.show_row = self.show_row
        context.show_shortcuts = self.show_shortcuts
        context.leave = self.quit_wanted.emit
        context.search_for = self._search_for
        self._make_pages()
        self._added = AwaitedRow(self.library.model, self.library.select_document, self)
        self._begun = AwaitedRow(self.activity.jobs.model, self.activity.jobs.select_job, self)
        self._folder_news = FolderNews(context, self)
        context.follow_job = self._folder_news.follow
        self._lay_out(central)
        self.finder = Palette(context, self, lambda: commands_of(context, self.page_icons), self._search_for)
        self.library_deleted.connect(self.finder.finder.forget)
        self._make_shortcuts()
        self.intake = Intake(context, self, self.add_offer)
        self._status_line = StatusLine(context.status, lambda: self.show_settings("embedder"))
        self.setStatusBar(self._status_line)
        context.status.changed.connect(self._follow_status)
        context.settings.changed.connect(self._look_for_updates)
        context.config_watch.changed.connect(self._follow_status)
        context.thread.failed.connect(self.toast.complain)
        self._times = repeating(self, REWRITE_TIMES_MS, self.rewrite_times)
        self._times.start()
        self._follow_status()
        if saved := context.memory.get("geometry", ""):
            self.restoreGeometry(QByteArray.fromBase64(saved.encode()))
            self.resize(fit_size(self, self.size()))
        # The last open page, or Home at the first start or if the page no longer exists.
        last = context.memory.get(LAST_PAGE, "")
        self.go_to(last if last in self.pages else "home")

    def go_to(self, name: str) -> None:
        if name == "settings" and self._settings is None:
            self._make_settings()
        page = self.pages[name]
        if page is not self.library:
            self.library.set_reading(False)
        self._stack.setCurrentWidget(page)
        page.rewrite_times()
        # Home lists the same problems.
        self._banner_place.setVisible(name != "home")
        self.sidebar.select(name)
        self.context.memory.set(LAST_PAGE, name)
        page.activate()

    @property
    def settings(self) -> SettingsPage:
        """The complete Settings page, built on first use because it has almost half of all controls."""
        page = self._settings or self._make_settings()
        page.complete()
        return page

    @property
    def current_page(self) -> Page:
        return next(page for page in self.pages.values() if page is self._stack.currentWidget())

    def rewrite_times(self) -> None:
        if self.isVisible():
            self.current_page.rewrite_times()

    def bring_up(self) -> None:
        """Show the window and bring it to the front, unless the application is exiting."""
        if self.context.ending.is_begun:
            return
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def on_events(self, events: list[Event]) -> None:
        """Pass a batch of events to every page."""
        for page in self.pages.values():
            page.on_events(events)
        self._folder_news.on_events(events)
        self.finder.finder.titles.on_events(events)

    def add_page(self, url: str = "") -> None:
        """Open the Add dialog, or add the address to those in the open one. A second dialog would look like the first."""
        dialogs = (each for each in self.findChildren(AddPageDialog) if each.isVisible() and each.pages.isEnabled())
        if (adding := next(dialogs, None)) is None:
            self._open_adding(url)
            return
        adding.show_way(PAGES)
        if url and url not in adding.pages.urls:
            adding.pages.address.setText(f"{adding.pages.address.text()}\n{url}".strip())

    def add_site(self, url: str) -> None:
        """Open the Add dialog with the preview of a site."""
        self._open_adding(url, way=SITE)
        if self.adding is not None:
            self.adding.site.preview()

    def add_offer(self, offer: Offer) -> None:
        """Open the Add dialog with dropped, pasted or command-line items. On the page Packages, folders are projects."""
        if offer.folders and self.current_page is self.packages:
            self.packages.add_projects(offer.folders)
        elif self.adding is not None and self.adding.isVisible() and self.adding.pages.isEnabled():
            self.adding.take(offer)
        else:
            self._open_adding(offer=offer)

    def show_document(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """Show a stored page with a marked passage."""
        self.go_to("library")
        self.library.select_document(document_id, start, end)

    def show_client(self, name: str) -> None:
        self.go_to("clients")
        self.clients.select_client(name)

    def show_call(self, call: Call | None) -> None:
        self.go_to("activity")
        self.activity.show_view("calls")
        if call is not None:
            self.activity.calls.select_call(call.key)

    def show_job(self, job_id: int) -> None:
        self.go_to("activity")
        self.activity.show_view("jobs")
        self._begun.want(job_id)

    @property
    def page_icons(self) -> dict[str, tuple[str, str]]:
        return {name: (page.title, page.icon_name) for name, page in self.pages.items()}

    def show_row(self, place: int, title: str = "", button: str = "") -> None:
        """Show a settings section, or a row in it and possibly one of its buttons."""
        self.go_to("settings")
        if title:
            self.settings.show_row(place, title, button)
        else:
            self.settings.show_section(self.settings.sections[place])

    def show_settings(self, name: str, setting: str = "") -> None:
        self.go_to("settings")
        section = self.settings.named[name]
        self.settings.show_section(section)
        if setting:
            self.settings.show_setting(section, setting)

    def repair(self, way: str) -> None:
        """Show the row of one repair, which then tells its result, and ask for confirmation, or compact the library immediately."""
        self.show_settings("storage")
        storage = self.settings.storage
        repairs = {"newest": storage.automatic, "salvage": storage.repair, "empty": storage.empty}
        row = {"compact": storage.compact, **repairs}[way]
        self.settings.show_row(self.settings.sections.index(storage), row.title)
        if way == "compact":
            storage.run_compact()
        else:
            storage.ask_repair(way)

    def show_shortcuts(self) -> None:
        self._overview = ShortcutsDialog(self, self.context.settings.value("ask_hot_key"))
        self._overview.open()

    def show_wizard(self, *, alone: bool = False) -> None:
        """Open the setup at its first step; `alone` at the first start, when the window opens afterwards."""
        from app.desktop.wizard.wizard import Wizard

        for earlier in self.findChildren(Wizard):
            earlier.deleteLater()
        self.wizard = Wizard(self.context, self)
        self.wizard.finished.connect(lambda _result: self.clients.model.reload())
        self.wizard.assistants.written.connect(lambda name: self.clients.note_entry(name, True))
        if alone and not self.isVisible():
            self.wizard.setWindowFlags(Qt.WindowType.Window)
            self.wizard.finished.connect(lambda _result: self.bring_up())
        self.wizard.open()

    def finish(self) -> None:
        """Complete pending work and save the window position. Called before the engine stops."""
        self.library.commands.deletion.delete_now()
        self.scratch.commands.deletion.delete_now()
        self.context.memory.set("geometry", self.saveGeometry().toBase64().toStdString())
        self.context.memory.close()

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        super().showEvent(event)
        self.rewrite_times()

    def resizeEvent(self, event: QtGui.QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.set_collapsed(self.width() < NARROW)
        for overlay in (self.toast, self.finder, self.intake.overlay):
            if overlay.isVisible():
                overlay.place()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() is QEvent.Type.ActivationChange and not self.isActiveWindow():
            self.left_at = time.monotonic()
        super().changeEvent(event)

    def dropEvent(self, event: QtGui.QDropEvent) -> None:
        self.intake.hover_or_drop(event)

    dragEnterEvent = dragMoveEvent = dropEvent

    def dragLeaveEvent(self, _event: QtGui.QDragLeaveEvent) -> None:
        self.intake.leave()

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        if self.context.ending.is_begun:
            super().closeEvent(event)
            return
        event.ignore()
        self.close_wanted.emit()

    def _make_pages(self) -> None:
        context = self.context
        self.activity = ActivityPage(context)
        self.library = LibraryPage(context)
        self.packages = PackagesPage(context, self.activity.jobs.model)
        self.search = SearchPage(context)
        self.clients = ClientsPage(context)
        self.scratch = ScratchPage(context, self.clients.model)
        self._settings: SettingsPage | None = None
        self.home = HomePage(context, self.activity.model, self.clients.model)
        # The list of first steps stays hidden once it is complete or dismissed.
        checklist, key = self.home.checklist, "home/started"
        if self.context.memory.get(key, False):
            checklist.keep_hidden()
        checklist.finished.connect(lambda: self.context.memory.set(key, True))
        ordered: tuple[Page, ...] = (self.home, self.library, self.packages, self.search, self.scratch)
        self.pages = {each.name: each for each in (*ordered, self.activity, self.clients, _SettingsPlace(context))}
        self.library.reading_changed.connect(self._make_room)
        self.activity.erased.connect(self.clients.model.forget_calls)
        self.context.erase_calls = self.activity.erase
        self.context.erase_questions = self.activity.conversation.ask_erase_all
        self.library_deleted.connect(self.activity.forget)
        self.library_deleted.connect(self.search.forget)
        self.activity.jobs.model.layoutChanged.connect(self._count_jobs)

    def _make_settings(self) -> SettingsPage:
        """Create the page without its sections and replace the placeholder."""
        from app.desktop.pages.settings.page import SettingsPage

        made = self._settings = SettingsPage(self.context)
        made.completed.connect(self._follow_settings)
        place = self.pages[made.name]
        self.pages[made.name] = made
        self._stack.insertWidget(self._stack.indexOf(place), made)
        self._stack.removeWidget(place)
        place.deleteLater()
        return made

    def _follow_settings(self) -> None:
        self.settings.privacy.library_deleted.connect(self.library_deleted)
        # Tab order follows creation order; the status line comes after the page.
        last = self.previousInFocusChain()
        if last is not None:
            QWidget.setTabOrder(last, self._status_line.meaning)

    def _look_for_updates(self) -> None:
        """Run the weekly update check if it is turned on and due."""
        if self._engine is not None and self.context.settings.value("update_check_weekly"):
            self.settings.complete()

    def _lay_out(self, central: QWidget) -> None:
        self.sidebar = Sidebar(list(self.pages.values()))
        self.sidebar.chosen.connect(self.go_to)
        self.banners = BannerStack()
        self.banners.setContentsMargins(XL, M, XL, 0)
        self._banner_place = held(column(self.banners))
        self._stack = PageStack()
        for page in self.pages.values():
            self._stack.addWidget(page)
        content = column(self._banner_place, (scrolled(self._stack), 1), spacing=0)
        row(self.sidebar, (content, 1), spacing=0, parent=central)

    def _make_shortcuts(self) -> None:
        shortcuts: dict[str, Act] = {
            **{f"Ctrl+{place}": partial(self.go_to, name) for place, name in enumerate(self.pages, 1)},
            "Ctrl+K": self.finder.open_up,
            "F1": self.context.show_help,
            "Ctrl+/": self.show_shortcuts,
            "Ctrl+N": self.add_page,
            "Ctrl+F": lambda: self.current_page.focus_filter(),
            "Ctrl+L": partial(self.go_to, "activity"),
            "Ctrl+,": partial(self.go_to, "settings"),
            "Ctrl+W": self.close,
            "Ctrl+Q": self.quit_wanted.emit,
        }
        for keys, run in shortcuts.items():
            action = QtGui.QAction(self, shortcut=QtGui.QKeySequence(keys))
            action.triggered.connect(lambda _checked, run=run: run())
            self.addAction(action)

    def _open_adding(self, url: str = "", offer: Offer | None = None, *, way: str = PAGES) -> None:
        dialog = AddPageDialog(self.context, self, url, way, offer=offer)
        dialog.added.connect(self._show_added)
        dialog.job_begun.connect(self.show_job)
        dialog.folder_begun.connect(self._folder_news.follow)
        dialog.setModal(True)
        dialog.open()
        self.adding = dialog

    def _show_client_tools(self) -> None:
        from app.desktop.pages.settings.server import ClientToolsRow

        self.go_to("settings")
        row = self.settings.findChild(ClientToolsRow)
        above: QWidget | None = row
        while above is not None and not isinstance(above, QScrollArea):
            above = above.parentWidget()
        if row is not None and above is not None:
            row.line.setFocus()
            above.ensureWidgetVisible(row)

    def _search_for(self, question: str) -> None:
        self.go_to("search")
        self.search.query.setText(question)
        self.search.search()

    def _make_room(self, is_reading: bool) -> None:
        """Hide everything around the document while reading it in the whole window, or show it again."""
        for widget in (self.sidebar, self._banner_place, self.statusBar()):
            widget.setVisible(not is_reading)

    def _follow_status(self) -> None:
        status = self.context.status
        self.banners.show_notices(notices_for(self.context))
        if status.backend.error is not self._failure:
            self._failure = status.backend.error
            for page in self.pages.values():
                page.engine_failed(self._failure)
        if status.engine is not None and status.engine is not self._engine:
            self._engine = status.engine
            self._look_for_updates()
            for page in self.pages.values():
                page.engine_ready()
            self.finder.finder.titles.engine_changed()

    def _count_jobs(self) -> None:
        jobs = self.activity.jobs.model
        self.context.status.set_jobs(jobs.going_on, jobs.share)
        self.sidebar.set_count("activity", jobs.going_on)

    def _show_folder(self, path: str) -> None:
        self.go_to("library")
        self.library.show_folder(path)

    def _show_added(self, document_id: int) -> None:
        self.go_to("library")
        self._added.want(document_id)
