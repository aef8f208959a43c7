"""A row of a step: icon, what it is about, what there is to know, a control."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.desktop.tokens import L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, label

ICON = 22


class FactRow(QWidget):
    """`text` wraps; a path is one line that is shortened in its middle."""

    def __init__(self, icon_name: str, title: str, text: str = "", *controls: QWidget, path: bool = False) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(L)
        self.icon = ThemedIcon(icon_name, ICON, "accent_text")
        line.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        self.name: QLabel = label(title, "strong")
        words.addWidget(self.name)
        self._path = ElidedLabel(text, "muted", Qt.TextElideMode.ElideMiddle)
        self._text = label(text, "muted", wrap=True)
        words.addWidget(self._path if path else self._text)
        line.addLayout(words, 1)
        holder = QHBoxLayout()
        holder.setSpacing(S)
        for control in controls:
            holder.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addSpacing(M)
        line.addLayout(holder)

    def show_text(self, text: str) -> None:
        self._text.setText(text)
        self._path.show_text(text)

    @property
    def text(self) -> str:
        return self._text.text()
