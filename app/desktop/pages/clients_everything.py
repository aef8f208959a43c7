"""Everything tried at once: this computer, this installation, and the connection of every assistant."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QFrame, QScrollArea, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.models.doctor_run import DoctorRun
from app.desktop.pages.clients_results import ResultsCard
from app.desktop.tokens import XL, L, M
from app.desktop.widgets import button, row

WIDTH, HEIGHT = 720, 560


class EverythingCard(ResultsCard):
    """Shows every check, also what is well on this computer."""

    def start_all(self) -> None:
        """Try everything anew."""
        self._clear()
        self.run.start_all(self._context.settings.running.data_dir)
        self._show_state()

    def _is_passed_over(self, tried: object) -> bool:
        return False

    def _running_words(self) -> str:
        return self.tr("First this computer, then each assistant: its entry is started the way it does that itself.")


class CheckEverythingDialog(QDialog):
    """Each check appears as it comes, and a check that failed is brought into view at the end."""

    def __init__(self, context: Context, run: DoctorRun, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Check everything"))
        self.setMinimumSize(520, 360)
        self.resize(WIDTH, HEIGHT)
        self.run = run
        self.results = EverythingCard(context, self.run, self.tr("This computer and every assistant"))
        self._again = button(self.tr("Check again"), self.begin, "", "refresh")
        close = button(self.tr("Close"), self.reject)
        close.setDefault(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(XL, XL, XL, L)
        column.setSpacing(M)
        column.addWidget(self._scrolled(), 1)
        column.addLayout(row(self._again, 1, close))
        self.run.tried.connect(self._follow)
        self.run.ended.connect(self._end)
        self.run.failed.connect(self._end)
        self.finished.connect(self.run.stop)

    def begin(self) -> None:
        """Try everything, once more."""
        self._again.setEnabled(False)
        self.results.start_all()

    def _scrolled(self) -> QScrollArea:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, M, 0)
        column.addWidget(self.results)
        column.addStretch(1)
        self._area = QScrollArea()
        self._area.setProperty("role", "page")
        self._area.setWidgetResizable(True)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setWidget(content)
        return self._area

    def _follow(self) -> None:
        self._bring(self.results.lines[-1])

    def _end(self) -> None:
        self._again.setEnabled(True)
        failed = [line for line, tried in zip(self.results.lines, self.run.checks, strict=False) if not tried.check.ok]
        self._bring(failed[0] if failed else self.results.summary)

    def _bring(self, shown: QWidget) -> None:
        # A line that was just added has its place only after the next layout.
        QTimer.singleShot(0, shown, lambda: self._area.ensureWidgetVisible(shown))
