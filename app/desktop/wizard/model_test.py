"""The third step: the model that comes with WebRAG shows on the screen that it works here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Job
from app.desktop.panels import Card, Line
from app.desktop.tokens import L, S
from app.desktop.widgets import button, label
from app.desktop.wizard.widgets import FactRow, Step
from app.desktop.wording import duration
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine.maintenance import EmbedderTrial

BAR_STEPS = 1_000

# The model reads English best, so these are not for translation.
QUESTION = "How do I stop a task that is running?"
NEAR = "Call cancel() and the job ends at its next pause."
FAR = "Bananas ripen faster in a paper bag."


class ModelTestStep(Step):
    """Runs by itself when it comes into view."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            context,
            self.tr("Does search by meaning work here?"),
            self.tr("A small language model came with WebRAG. It finds passages that say the same in other words."),
        )
        self._job: Job | None = None
        self.is_passed = False
        self.again = button(self.tr("Test again"), self.test, "", "refresh")
        self.verdict = FactRow("clock", self.tr("Testing…"), "", self.again)
        card = Card(spacing=L)
        card.body.addWidget(self.verdict)
        card.body.addWidget(Line())
        card.body.addWidget(self._comparison())
        self.column.addWidget(card)
        self.column.addStretch(1)

    @property
    def is_offering(self) -> bool:
        return self._job is not None and self._job.is_running

    def enter(self) -> None:
        if not self.is_passed:
            self.test()

    def leave(self) -> None:
        if self._job is not None:
            self._job.cancel()

    def test(self) -> None:
        """Let the model read the sentences now."""
        self.leave()
        self.is_passed = False
        self.again.setEnabled(False)
        self._say("clock", "muted", self.tr("Testing…"), self.tr("The model reads three sentences."))
        for bar in (self.near_bar, self.far_bar):
            bar.setValue(0)
        self._job = self.context.thread.submit(
            lambda engine: engine.maintenance.try_embedder(QUESTION, NEAR, FAR), self._pass, self._fail, owner=self
        )
        self.changed.emit()

    def _comparison(self) -> QWidget:
        """The question, and the two sentences with how close to it each was found."""
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(0, 1)
        grid.addWidget(label(self.tr("The question"), "caption"), 0, 0)
        grid.addWidget(label(QUESTION, "strong", wrap=True), 1, 0, 1, 2)
        grid.setRowMinimumHeight(2, S)
        grid.addWidget(label(self.tr("Two sentences"), "caption"), 3, 0)
        grid.addWidget(label(self.tr("How close in meaning"), "caption"), 3, 1)
        self.near_bar, self.far_bar = _bar(NEAR), _bar(FAR)
        for place, (text, bar) in enumerate(((NEAR, self.near_bar), (FAR, self.far_bar)), start=4):
            grid.addWidget(label(text, wrap=True), place, 0)
            grid.addWidget(bar, place, 1, Qt.AlignmentFlag.AlignVCenter)
        return holder

    def _pass(self, trial: EmbedderTrial) -> None:
        self._job, self.is_passed = None, True
        self.again.setEnabled(True)
        words = self.tr("Three sentences read in {} by {}. Nothing left this computer.")
        if self.context.settings.running.embedding_server_url:
            words = self.tr("Three sentences read in {} by {}, the embedding server of your settings.")
        self._say("ok", "success", self.tr("It works"), words.format(duration(trial.milliseconds), trial.name))
        for bar, likeness in ((self.near_bar, trial.near), (self.far_bar, trial.far)):
            bar.setValue(round(max(0.0, min(1.0, likeness)) * BAR_STEPS))
            bar.setToolTip(f"{likeness:.2f}")
        self.changed.emit()

    def _fail(self, error: WebRAGError) -> None:
        self._job = None
        self.again.setEnabled(True)
        means = self.tr(
            "WebRAG works without it: it then finds passages by their words only, and says so in its answers."
        )
        self._say("alert", "warning", error.title, f"{error.message} {error.hint} {means}")
        self.changed.emit()

    def _say(self, icon: str, role: str, title: str, text: str) -> None:
        self.verdict.icon.show_icon(icon, role)
        self.verdict.name.setText(title)
        self.verdict.show_text(text)


def _bar(sentence: str) -> QProgressBar:
    bar = QProgressBar()
    bar.setRange(0, BAR_STEPS)
    bar.setTextVisible(False)
    bar.setFixedWidth(180)
    bar.setAccessibleName(sentence)
    return bar
