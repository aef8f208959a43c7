"""The chosen assistant in detail: a column of cards, of which those are shown that say something about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from app.desktop.banners import BannerStack, Notice
from app.desktop.context import Context
from app.desktop.models.assistants import Assistant, Condition, explanation
from app.desktop.models.doctor_run import DoctorRun
from app.desktop.opening import open_local
from app.desktop.pages.clients_by_hand import ByHandCard
from app.desktop.pages.clients_files import FilesCard
from app.desktop.pages.clients_head import AssistantHead
from app.desktop.pages.clients_missing import MissingCard
from app.desktop.pages.clients_results import ResultsCard
from app.desktop.pages.clients_steps import StepsCard
from app.desktop.pages.clients_tools import ToolsCard
from app.desktop.tokens import L, M


class AssistantPane(QScrollArea):
    """Shows what it is given; the actions are the page's."""

    steps_closed = Signal(str)

    def __init__(self, context: Context, run: DoctorRun) -> None:
        super().__init__()
        self.shown: Assistant | None = None
        self.setProperty("role", "page")
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.head = AssistantHead()
        self.head.open_wanted.connect(self._open_broken)
        self.notice = BannerStack()
        self.steps = StepsCard()
        self.steps.closed.connect(self._close_steps)
        self.results = ResultsCard(context, run)
        self.tools = ToolsCard(context)
        self.files = FilesCard(context)
        self.missing = MissingCard()
        self.by_hand = ByHandCard(context)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, M, 0)
        column.setSpacing(L)
        for card in self._cards():
            column.addWidget(card)
        column.addStretch(1)
        self.setWidget(content)

    def _cards(self) -> tuple[QWidget, ...]:
        return (
            self.head,
            self.notice,
            self.steps,
            self.missing,
            self.by_hand,
            self.results,
            self.tools,
            self.files,
        )

    def show_assistant(self, assistant: Assistant, *, alone: bool) -> None:
        """Show another assistant from its top, or the same one as it is now; `alone` where none was found."""
        is_other = self.shown is None or self.shown.name != assistant.name
        self.shown = assistant
        known = assistant.profile is not None
        self.head.show_assistant(assistant, testing=self.results.run.is_running)
        self.notice.show_notices(self._notices(assistant, alone=alone))
        self.steps.show_assistant(assistant)
        self.missing.show_assistant(assistant)
        self.missing.setVisible(known and not assistant.state.found)
        self.by_hand.show_assistant(assistant)
        self.by_hand.setVisible(not known)
        self.results.show_assistant(assistant)
        self.tools.show_assistant(assistant)
        self.tools.setVisible(assistant.is_here)
        self.files.show_files(assistant)
        self.files.setVisible(assistant.state.found)
        if is_other:
            self.verticalScrollBar().setValue(0)

    def _open_broken(self) -> None:
        if self.shown is not None and self.shown.broken_file is not None:
            open_local(self.shown.broken_file)

    def _close_steps(self) -> None:
        if self.shown is not None:
            self.steps_closed.emit(self.shown.name)

    def _notices(self, assistant: Assistant, *, alone: bool) -> tuple[Notice, ...]:
        if alone and assistant.profile is None:
            title = self.tr("No assistant was found on this computer")
            text = self.tr(
                "WebRAG connects itself to the ones listed here: install one and start it once. Any other takes the entry below."
            )
            return (Notice("alone", "info", title, text),)
        text = explanation(assistant)
        if not text:
            return ()
        if assistant.condition is Condition.PROBLEM:
            return (Notice("assistant", "error", self.tr("Its configuration has a problem"), text),)
        return (Notice("assistant", "warning", self.tr("Its entry is not as it should be"), text),)
