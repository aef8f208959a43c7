"""The box for addresses: one line that grows with what is pasted."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QMimeData, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

from app.desktop.intake.offer import things_in

MAX_LINES = 4
PADDING = 8
"""Above and below the text, with the border that the style sheet draws."""


class AddressBox(QPlainTextEdit):
    """Addresses, one a line. `entered` follows Enter (Shift+Enter begins a line), `pasted` what came from elsewhere."""

    entered = Signal()
    pasted = Signal()

    def __init__(self, text: str, name: str, placeholder: str) -> None:
        super().__init__(text)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.setViewportMargins(0, 0, 0, 0)
        self.textChanged.connect(self._fit)
        self.selectAll()
        self._fit()

    def text(self) -> str:
        """What stands in the box."""
        return self.toPlainText()

    def setText(self, text: str) -> None:
        """Replace what stands in the box, with the caret at its end."""
        self.setPlainText(text)
        self.moveCursor(QTextCursor.MoveOperation.End)

    @property
    def extra_height(self) -> int:
        """What the lines after the first take."""
        return (max(1, min(self.blockCount(), MAX_LINES)) - 1) * QFontMetrics(self.font()).lineSpacing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        is_enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if is_enter and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.entered.emit()
            return
        super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Of a text with addresses in it only the addresses are taken."""
        things = things_in(source)
        lines = [*things.addresses, *map(str, things.paths)]
        self.insertPlainText("\n".join(lines) if lines else source.text().strip())
        # What was pasted is looked at when the text is complete.
        QTimer.singleShot(0, self, self.pasted.emit)

    def _fit(self) -> None:
        policy = Qt.ScrollBarPolicy
        self.setVerticalScrollBarPolicy(
            policy.ScrollBarAsNeeded if self.blockCount() > MAX_LINES else policy.ScrollBarAlwaysOff
        )
        if self.blockCount() <= MAX_LINES:
            # The box followed the caret before it grew.
            QTimer.singleShot(0, self, lambda: self.verticalScrollBar().setValue(0))
        line = QFontMetrics(self.font()).lineSpacing()
        self.setFixedHeight(line + self.extra_height + 2 * PADDING)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()
