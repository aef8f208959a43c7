"""The last step: something of one's own, a question answered on the screen, and how to ask from an assistant."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QLineEdit, QVBoxLayout

from app import caps
from app.desktop.context import Context
from app.desktop.engine_thread import Job
from app.desktop.tokens import XS, M, S
from app.desktop.widgets import button, label, row
from app.desktop.wizard.answer_card import AnswerCard, best_evidence
from app.desktop.wizard.content_row import ContentRow
from app.desktop.wizard.copy_button import CopyButton
from app.desktop.wizard.step import Step
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.orchestration.result import OrchestrationResult

PASSAGES = 3

# The guide is English; a question in its words finds it best.
SUGGESTIONS = ("What leaves this computer?", "How do I read a whole site?", "How do I add a folder of notes?")


class FirstQuestionStep(Step):
    """The bundled guide is there to ask, whatever else is added. `document_wanted` asks for a page and its passage."""

    document_wanted = Signal(int, int, int)

    def __init__(self, context: Context) -> None:
        super().__init__(
            context,
            self.tr("Ask a first question"),
            self.tr("The guide is in your library already. Add a page of your own, or ask right away."),
        )
        self._job: Job | None = None
        self.content = ContentRow(context)
        self.question = QLineEdit()
        self.content.added.connect(lambda: self.question.setFocus())
        self.question.setPlaceholderText(self.tr("A question about the guide, or about what you added"))
        self.question.setAccessibleName(self.tr("Question"))
        self.question.setMaxLength(caps.MAX_QUERY_CHARS)
        self.question.returnPressed.connect(self.ask)
        self.ask_button = button(self.tr("Ask"), self.ask, "primary")
        self.answer = AnswerCard()
        self.answer.opened.connect(self.document_wanted)
        self._build()

    def enter(self) -> None:
        if not self.question.text():
            self.answer.say(self.tr("The answer appears here, with the exact words of the page."))

    def leave(self) -> None:
        self.content.stop()
        self._stop()

    def take_focus(self) -> bool:
        self.question.setFocus()
        return True

    def ask_for(self, question: str) -> None:
        """Put a question into the line and ask it."""
        self.question.setText(question)
        self.ask()

    def ask(self) -> None:
        """Let the engine answer; a question that runs is dropped."""
        question = self.question.text().strip()
        if not question:
            self.question.setFocus()
            return
        self._stop()
        self.answer.say(self.tr("Looking…"))
        self._job = self.context.thread.submit(
            lambda engine: engine.search(question, top_k=PASSAGES), self._show, self._fail, owner=self
        )

    def _build(self) -> None:
        self.column.addWidget(self.content)
        asking = QVBoxLayout()
        asking.setSpacing(XS)
        asking.addWidget(label(self.tr("Ask the library"), "caption"))
        line = row(self.question, self.ask_button)
        line.setStretch(0, 1)
        asking.addLayout(line)
        self.column.addLayout(asking)
        chips = row(spacing=S)
        self.chips = [button(text, partial(self.ask_for, text), "chip") for text in SUGGESTIONS]
        for chip in self.chips:
            chips.addWidget(chip)
        chips.addStretch(1)
        self.column.addLayout(chips)
        self.column.addWidget(self.answer, 1)
        self.column.addWidget(self._example())

    def _example(self) -> QFrame:
        """What to say to an assistant."""
        frame = QFrame()
        frame.setProperty("role", "example")
        self.example = self.tr(
            "Use WebRAG to read https://docs.python.org/3/library/asyncio-task.html: how do I cancel a task?"
        )
        line = row(spacing=M)
        line.setContentsMargins(M, S, S, S)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(self.tr("Then ask your assistant, for example"), "caption"))
        words.addWidget(label(self.example, "", wrap=True, selectable=True))
        line.addLayout(words, 1)
        self.copy_button = CopyButton(self.tr("Copy the example question"), lambda: self.example)
        line.addWidget(self.copy_button)
        frame.setLayout(line)
        return frame

    def _show(self, result: OrchestrationResult) -> None:
        self._job = None
        evidence = best_evidence(result)
        if evidence is None:
            self.answer.say(
                self.tr("Nothing in the library answers this. Add the page that should, or ask in other words.")
            )
        else:
            self.answer.show_evidence(evidence)

    def _fail(self, error: WebRAGError) -> None:
        self._job = None
        self.answer.say(f"{error.title}: {error.message} {error.hint}")

    def _stop(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
