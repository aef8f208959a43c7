"""The main window: sidebar, banners, pages, status line, and the keyboard."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSettings, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from app.desktop.banners import BannerStack
from app.desktop.context import Context
from app.desktop.dialogs.add_page import AddPageDialog
from app.desktop.icons import app_icon
from app.desktop.notices import notices_for
from app.desktop.pages.activity import ActivityPage
from app.desktop.pages.home import HomePage
from app.desktop.pages.library import LibraryPage
from app.desktop.pages.page import Page
from app.desktop.pages.scratch import ScratchPage
from app.desktop.pages.search import SearchPage
from app.desktop.pages.settings import SettingsPage
from app.desktop.sidebar import Sidebar
from app.desktop.status_line import StatusLine
from app.desktop.toast import Toast
from app.desktop.tokens import XL, M

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import Event

WIDTH, HEIGHT = 1100, 720


class MainWindow(QMainWindow):
    """Shows one page at a time. `close_wanted` asks the application what closing means now."""

    close_wanted = Signal()
    quit_wanted = Signal()

    def __init__(self, context: Context, geometry: QSettings) -> None:
        super().__init__()
        self._context = context
        self._geometry = geometry
        self._engine: Engine | None = None
        self.setWindowTitle(QApplication.applicationDisplayName())
        self.setWindowIcon(app_icon())
        self.setMinimumSize(860, 560)
        self.resize(WIDTH, HEIGHT)
        self._dialog: AddPageDialog | None = None
        # Pages may speak before they are on the screen, so the messages come first.
        central = QWidget()
        self.setCentralWidget(central)
        self.toast = Toast(central)
        context.notifier = self.toast
        context.go_to = self.go_to
        context.show_document = self.show_document
        context.add_page = self.add_page
        self._make_pages()
        self._lay_out(central)
        self._make_shortcuts()
        self.setStatusBar(StatusLine(context.status))
        context.status.changed.connect(self._follow_status)
        context.thread.failed.connect(self.toast.complain)
        self.go_to("home")
        self._follow_status()
        self._restore_geometry()

    def go_to(self, name: str) -> None:
        """Bring a page to the front."""
        page = self.pages[name]
        self._stack.setCurrentWidget(page)
        self.sidebar.select(name)
        page.activate()

    @property
    def current_page(self) -> Page:
        return next(page for page in self.pages.values() if page is self._stack.currentWidget())

    def bring_up(self) -> None:
        """Show the window in front of the others, wherever it was."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def take(self, events: list[Event]) -> None:
        """Hand a batch of events to every page."""
        for page in self.pages.values():
            page.take(events)

    def add_page(self, url: str = "") -> None:
        """Open the dialog that puts pages, a site or files into the corpus."""
        dialog = AddPageDialog(self._context, self, url)
        dialog.added.connect(self._show_added)
        dialog.job_begun.connect(self.show_job)
        dialog.setModal(True)
        dialog.open()
        self._dialog = dialog

    def show_document(self, document_id: int, start: int = 0, end: int = 0) -> None:
        """Bring a stored page into view, with a passage of it marked."""
        self.go_to("library")
        self.library.select_document(document_id, start, end)

    def show_job(self, job_id: int) -> None:
        """Bring a job in the background into view."""
        self.go_to("activity")
        self.activity.show_view("jobs")
        # The row follows with the event of the job.
        QTimer.singleShot(200, self, lambda: self.activity.jobs.select_job(job_id))

    def open_search(self) -> None:
        self.bring_up()
        self.go_to("search")
        self.pages["search"].focus_filter()

    def finish(self) -> None:
        """Carry out what waits, and remember the window's place; called before the engine stops."""
        self.library.delete_now()
        self.scratch.commands.delete_now()
        self._geometry.setValue("geometry", self.saveGeometry())

    def closeEvent(self, event: QCloseEvent) -> None:
        event.ignore()
        self.close_wanted.emit()

    def _make_pages(self) -> None:
        context = self._context
        self.activity = ActivityPage(context)
        self.library = LibraryPage(context)
        self.search = SearchPage(context)
        self.scratch = ScratchPage(context)
        self.settings = SettingsPage(context)
        self.home = HomePage(context, self.activity.model)
        ordered: list[Page] = [self.home, self.library, self.search, self.scratch, self.activity, self.settings]
        self.pages = {page.name: page for page in ordered}
        self.search.document_wanted.connect(self.show_document)
        self.scratch.commands.document_wanted.connect(self.show_document)
        self.activity.jobs.model.layoutChanged.connect(self._count_jobs)

    def _lay_out(self, central: QWidget) -> None:
        self.sidebar = Sidebar(list(self.pages.values()))
        self.sidebar.chosen.connect(self.go_to)
        self.banners = BannerStack()
        self.banners.setContentsMargins(XL, M, XL, 0)
        self._stack = QStackedWidget()
        for page in self.pages.values():
            self._stack.addWidget(page)
        content = QVBoxLayout()
        content.setSpacing(0)
        content.addWidget(self.banners)
        content.addWidget(self._stack, 1)
        line = QHBoxLayout(central)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(0)
        line.addWidget(self.sidebar)
        line.addLayout(content, 1)

    def _make_shortcuts(self) -> None:
        for place, name in enumerate(self.pages):
            self._shortcut(f"Ctrl+{place + 1}", partial(self.go_to, name))
        self._shortcut("Ctrl+K", self.open_search)
        self._shortcut("Ctrl+N", self.add_page)
        self._shortcut("Ctrl+F", lambda: self.current_page.focus_filter())
        self._shortcut("Ctrl+L", lambda: self.go_to("activity"))
        self._shortcut("Ctrl+,", lambda: self.go_to("settings"))
        self._shortcut("Ctrl+W", self.close)
        self._shortcut("Ctrl+Q", self.quit_wanted.emit)

    def _shortcut(self, keys: str, run: Callable[[], object]) -> None:
        action = QAction(self)
        action.setShortcut(QKeySequence(keys))
        action.triggered.connect(lambda: run())
        self.addAction(action)

    def _follow_status(self) -> None:
        status = self._context.status
        self.banners.show_notices(notices_for(self._context))
        if status.engine is not None and status.engine is not self._engine:
            self._engine = status.engine
            for page in self.pages.values():
                page.engine_ready()

    def _count_jobs(self) -> None:
        going_on = self.activity.jobs.model.going_on
        self._context.status.set_jobs(going_on)
        self.sidebar.set_count("activity", going_on)

    def _show_added(self, document_id: int) -> None:
        self.show_document(document_id)
        # The row follows with the event of the stored page.
        QTimer.singleShot(400, self, lambda: self.library.select_document(document_id))

    def _restore_geometry(self) -> None:
        saved = self._geometry.value("geometry")
        if isinstance(saved, QByteArray):
            self.restoreGeometry(saved)
