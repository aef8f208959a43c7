"""After an entry was written: how far the assistant has come, so that one sees that it works."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.language import spoken
from app.desktop.models.assistants import Assistant
from app.desktop.panels import Card, card_head
from app.desktop.tokens import M
from app.desktop.widgets import ThemedIcon, icon_button, label


class Step(QWidget):
    """One thing to happen: done, waited for, or to come."""

    def __init__(self) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(M)
        self._icon = ThemedIcon("ok", 20, "success")
        self._title, self._text = label("", "strong", wrap=True), label("", "muted", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)

    def show_step(self, title: str, text: str, *, done: bool, waiting: bool = False) -> None:
        """`waiting` is the one step that is waited for now."""
        self._icon.show_icon("ok" if done else "clock", "success" if done else "accent_text" if waiting else "muted")
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))

    @property
    def words(self) -> str:
        return self._title.text()


class StepsCard(Card):
    """Written, started again, first question. `closed` when the person has seen enough."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__(spacing=M)
        self.body.addWidget(
            card_head(
                self.tr("Getting connected"), icon_button("close", self.tr("Close these steps"), self.closed.emit)
            )
        )
        self.written, self.started, self.asked = Step(), Step(), Step()
        for step in (self.written, self.started, self.asked):
            self.body.addWidget(step)

    def show_assistant(self, assistant: Assistant) -> None:
        """Show how far it has come; hidden where nothing is waited for."""
        progress = assistant.connecting
        self.setVisible(progress is not None)
        if progress is None or assistant.profile is None:
            return
        title = assistant.title
        self.written.show_step(self.tr("The entry is written"), "", done=True)
        if progress.attached:
            self.started.show_step(self.tr("{} found WebRAG").format(title), "", done=True)
        else:
            advice = spoken(assistant.profile.after_change)
            self.started.show_step(self.tr("Waiting for {}…").format(title), advice, done=False, waiting=True)
        if progress.tool:
            words = self.tr("It works: {} made its first call").format(title)
            self.asked.show_step(words, self.tr("It used the tool {}.").format(progress.tool), done=True)
            return
        text = self.tr("Ask it something, for example: “Use WebRAG to read this page and tell me what it says.”")
        self.asked.show_step(self.tr("Its first question"), text, done=False, waiting=progress.attached)
