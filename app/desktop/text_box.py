"""A few lines of exact text: an entry, a command. As high as its lines, to be selected and copied."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QPlainTextEdit, QSizePolicy

from app.desktop.theme import mono_font
from app.desktop.tokens import S

MAX_LINES = 18
BAR = 12
"""Height of the scroll bar below long lines."""


class TextBox(QPlainTextEdit):
    """Read-only; long lines are scrolled sideways, as breaking them would change the text."""

    def __init__(self, name: str, *, wrap: bool = False) -> None:
        super().__init__()
        self.setProperty("role", "entry")
        self.setReadOnly(True)
        self.setTabChangesFocus(True)
        self.setAccessibleName(name)
        self.setFont(mono_font(0.92))
        mode = QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wrap else mode.NoWrap)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(S)

    def show_text(self, text: str) -> None:
        """Show another text from its beginning."""
        if text != self.toPlainText():
            self.setPlainText(text)
            self._fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self._height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        self.setFixedHeight(self._height())

    def _height(self) -> int:
        every = max(1, round(self.document().size().height()))
        lines = min(every, MAX_LINES)
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(policy.ScrollBarAsNeeded if every > lines else policy.ScrollBarAlwaysOff)
        spacing = QFontMetrics(self.document().defaultFont()).lineSpacing()
        text = lines * spacing + 2 * round(self.document().documentMargin()) + 2 * self.frameWidth()
        return text + (BAR if self.horizontalScrollBar().maximum() > 0 else 0)
