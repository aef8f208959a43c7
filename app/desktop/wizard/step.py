"""What a step of the set-up is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.context import Context
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import label


class Step(QWidget):
    """Title, one sentence, content. `changed` follows when what `is_offering` says may differ."""

    changed = Signal()

    def __init__(self, context: Context, title: str, text: str) -> None:
        super().__init__()
        self.context = context
        self.title = title
        self.setAccessibleName(title)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(M)
        words = QVBoxLayout()
        words.setSpacing(XS)
        words.addWidget(label(title, "title"))
        words.addWidget(label(text, "muted", wrap=True))
        self.head = QHBoxLayout()
        self.head.setSpacing(L)
        self.head.addLayout(words, 1)
        self.column.addLayout(self.head)
        self.column.addSpacing(XS)

    @property
    def is_offering(self) -> bool:
        """Whether going on means to leave out what this step offers."""
        return False

    def enter(self) -> None:
        """The step comes into view."""

    def leave(self) -> None:
        """The step goes out of view: what it was doing for the eye ends."""

    def take_focus(self) -> bool:
        """Put the keyboard where it is of use; False where that is the button to go on."""
        return False
