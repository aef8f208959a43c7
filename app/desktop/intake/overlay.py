"""Tells, while something is dragged over the window, what dropping it will do."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.desktop.intake.offer import Offer, offer_text, offer_title
from app.desktop.theme import colours
from app.desktop.tokens import XL, XS, L
from app.desktop.widgets import ElidedLabel, ThemedIcon, label

WIDTH = 400
BORDER = 3
DIMMED = QColor(10, 14, 20, 150)


class DropOverlay(QWidget):
    """Covers its parent; neither mouse nor drag ends at it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._area = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAccessibleName(self.tr("Drop to add"))
        self._refuses = False
        self._card = QFrame(self)
        self._card.setProperty("role", "toast")
        self._card.setFixedWidth(WIDTH)
        line = QHBoxLayout(self._card)
        line.setContentsMargins(XL, L, XL, L)
        line.setSpacing(L)
        self._icon = ThemedIcon("export", 28, "accent_text")
        self.title = ElidedLabel("", "heading")
        self.text = label("", "muted", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addWidget(self.text)
        line.addWidget(self._icon)
        line.addLayout(words, 1)
        self.hide()

    def show_waiting(self) -> None:
        """Cover the window while it is found out what is dragged."""
        self._show(self.tr("Add to the library"), self.tr("Looking at what you hold…"), refuses=False)

    def show_offer(self, offer: Offer) -> None:
        """Say what dropping does, or why it does nothing."""
        self._show(offer_title(offer), offer_text(offer), refuses=not offer)

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = colours()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), DIMMED)
        painter.setPen(QPen(QColor(scheme.danger if self._refuses else scheme.accent), BORDER))
        edge = BORDER / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), XS, XS)
        painter.end()

    def _show(self, title: str, text: str, *, refuses: bool) -> None:
        self._refuses = refuses
        self._icon.show_icon("error" if refuses else "export", "danger" if refuses else "accent_text")
        self.title.show_text(title)
        self.text.setText(text)
        area = self._area.rect()
        self.setGeometry(area)
        # Shown first: a layout whose parts were never shown can be taken for empty.
        self.show()
        self.raise_()
        layout = self._card.layout()
        height = layout.totalHeightForWidth(WIDTH) if layout is not None else 0
        self._card.setGeometry((area.width() - WIDTH) // 2, (area.height() - height) // 2, WIDTH, height)
        self.update()
