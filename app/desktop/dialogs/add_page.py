"""Add a page: an address, then what happens to it step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QLineEdit, QProgressBar, QVBoxLayout, QWidget

from app.desktop.banners import Banner, Notice
from app.desktop.context import Context
from app.desktop.engine_thread import Job
from app.desktop.tokens import XL, L, M, S
from app.desktop.widgets import button, label, row
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.orchestration.result import IngestedPage

WIDTH = 520


def address_in(text: str) -> str:
    """The text when it looks like one web address, else nothing."""
    stripped = text.strip()
    is_address = stripped.startswith(("http://", "https://")) and not any(part.isspace() for part in stripped)
    return stripped if is_address and len(stripped) < 2_048 else ""


class AddPageDialog(QDialog):
    """Reads one page into the corpus. `added` gives its document."""

    added = Signal(int)
    _progressed = Signal(str)

    def __init__(self, context: Context, parent: QWidget | None, url: str = "") -> None:
        super().__init__(parent)
        self._context = context
        self._job: Job | None = None
        self.setWindowTitle(self.tr("Add page"))
        self.setMinimumWidth(WIDTH)
        self._build(url or address_in(QGuiApplication.clipboard().text()))
        self._progressed.connect(self._phase.setText, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Read the page; the dialog closes when it is stored."""
        url = self.address.text().strip()
        if not url:
            return
        if "://" not in url:
            url = f"https://{url}"
            self.address.setText(url)
        self._show_problem(None)
        self._set_busy(True)

        async def progress(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._progressed.emit(detail)

        self._job = self._context.thread.submit(
            lambda engine: engine.ensure_ingested(url, progress=progress),
            self._stored,
            self._failed,
            owner=self,
        )

    def reject(self) -> None:
        if self._job is not None:
            self._job.cancel()
        super().reject()

    def _build(self, url: str) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(S)
        column.addWidget(label(self.tr("Add a page to the library"), "heading"))
        column.addWidget(
            label(
                self.tr("WebRAG reads the page once and keeps it on this computer. Its links are not followed."),
                "muted",
                wrap=True,
            )
        )
        column.addSpacing(S)
        self.address = QLineEdit(url)
        self.address.setPlaceholderText("https://")
        self.address.setAccessibleName(self.tr("Address of the page"))
        self.address.setClearButtonEnabled(True)
        self.address.selectAll()
        column.addWidget(self.address)
        self._problem_place = QVBoxLayout()
        column.addLayout(self._problem_place)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._phase = label("", "muted", wrap=True)
        self._phase.setMinimumHeight(self._phase.fontMetrics().lineSpacing() * 2)
        self._phase.setAlignment(Qt.AlignmentFlag.AlignTop)
        column.addWidget(self._bar)
        column.addWidget(self._phase)
        column.addSpacing(M)
        self._add = button(self.tr("Add page"), self.start, "primary")
        self._add.setDefault(True)
        column.addLayout(row(1, button(self.tr("Cancel"), self.reject), self._add))
        self._set_busy(False)

    def _set_busy(self, busy: bool) -> None:
        self.address.setEnabled(not busy)
        self._add.setEnabled(not busy)
        policy = self._bar.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._bar.setSizePolicy(policy)
        self._bar.setVisible(busy)
        if not busy:
            self._phase.setText("")

    def _stored(self, page: IngestedPage) -> None:
        words = self.tr("Added “{}”") if page.change != "unchanged" else self.tr("“{}” was in the library already")
        self._context.notifier.say(words.format(page.title or page.url))
        self.added.emit(page.document_id)
        self.accept()

    def _failed(self, error: WebRAGError) -> None:
        self._set_busy(False)
        self._show_problem(error)
        self.address.setFocus()

    def _show_problem(self, error: WebRAGError | None) -> None:
        while (item := self._problem_place.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        if error is not None:
            notice = Notice("failed", "error", error.title, f"{error.message} {error.hint}".strip())
            self._problem_place.addWidget(Banner(notice))
        self._phase.setVisible(error is None)
        # The wrapped text knows its height only after it got its place.
        QTimer.singleShot(0, self, self._fit)

    def _fit(self) -> None:
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), layout.totalHeightForWidth(self.width()))
