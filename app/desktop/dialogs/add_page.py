"""Add to the library: pages, a site, or files; each with its errors where they were made."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from app.desktop.banners import Banner, Notice
from app.desktop.context import Context
from app.desktop.dialogs.add_files import FilesPanel
from app.desktop.dialogs.add_pages import PagesPanel
from app.desktop.dialogs.add_site import SitePanel
from app.desktop.dialogs.adding import AddPanel, address_in
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import Segments, button, label, row
from app.errors import WebRAGError

__all__ = ["AddPageDialog", "address_in"]

WIDTH = 560
PAGES, SITE, FILES = "pages", "site", "files"


class AddPageDialog(QDialog):
    """Puts something into the corpus. `added` gives the document that was stored, `job_begun` a job in the background."""

    added = Signal(int)
    job_begun = Signal(int)

    def __init__(self, context: Context, parent: QWidget | None, url: str = "", way: str = PAGES) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Add to the library"))
        self.setMinimumWidth(WIDTH)
        url = url or address_in(QGuiApplication.clipboard().text())
        self.pages, self.site, self.files = PagesPanel(context, url), SitePanel(context, url), FilesPanel(context)
        self.panels: dict[str, AddPanel] = {PAGES: self.pages, SITE: self.site, FILES: self.files}
        self._build()
        self.show_way(way)

    @property
    def address(self) -> QLineEdit:
        """The line for the address of a page."""
        return self.pages.address

    @property
    def panel(self) -> AddPanel:
        """The way that is shown."""
        return self.panels[self.way.value]

    def show_way(self, name: str) -> None:
        """Bring a way of adding to the front."""
        self.way.select(name)
        for panel in self.panels.values():
            panel.setVisible(panel is self.panel)
        self._start.setText(self.panel.action)
        self._show_problem(None)
        self.panel.open_up()
        self.panel.take_focus()

    def start(self) -> None:
        """Begin with what was entered; the dialog closes when that is done."""
        self.panel.start()

    def reject(self) -> None:
        for panel in self.panels.values():
            panel.stop()
        super().reject()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(S)
        self.way = Segments(
            self.tr("What to add"),
            (
                (PAGES, self.tr("Page"), self.tr("One page, or a list of pages")),
                (SITE, self.tr("Site"), self.tr("A page and those around it")),
                (FILES, self.tr("Folder or file"), self.tr("What is on this computer")),
            ),
        )
        self.way.chosen.connect(self.show_way)
        column.addLayout(row(label(self.tr("Add to the library"), "heading"), 1, self.way))
        column.addSpacing(S)
        # Not a stack of widgets: that is as high as its highest, and the dialog shall fit what it shows.
        self._holder = QWidget()
        inner = QVBoxLayout(self._holder)
        inner.setContentsMargins(0, 0, 0, 0)
        for panel in self.panels.values():
            inner.addWidget(panel)
            panel.busy.connect(self._show_busy)
            panel.failed.connect(self._show_problem)
            panel.added.connect(self.added)
            panel.job_begun.connect(self.job_begun)
            panel.finished.connect(self.accept)
        column.addWidget(self._holder)
        self._problem_place = QVBoxLayout()
        column.addLayout(self._problem_place)
        self._add_progress(column)
        column.addSpacing(M)
        self._start = button("", self.start, "primary")
        self._start.setDefault(True)
        column.addLayout(row(1, button(self.tr("Cancel"), self.reject), self._start))
        self._show_busy("")

    def _add_progress(self, column: QVBoxLayout) -> None:
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._phase = label("", "muted", wrap=True)
        self._phase.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._phase.hide()
        column.addWidget(self._bar)
        column.addWidget(self._phase)

    def _show_busy(self, words: str) -> None:
        busy = bool(words)
        for widget in (self._holder, self._start, self.way):
            widget.setEnabled(not busy)
        self._bar.setVisible(busy)
        self._phase.setText(words)
        self._phase.setVisible(busy)
        QTimer.singleShot(0, self, self._fit)

    def _show_problem(self, error: WebRAGError | None) -> None:
        while (item := self._problem_place.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        if error is not None:
            notice = Notice("failed", "error", error.title, f"{error.message} {error.hint}".strip())
            self._problem_place.addWidget(Banner(notice))
            self.panel.take_focus()
        # The wrapped text knows its height only after it got its place.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))
