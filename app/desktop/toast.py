"""A short message over the bottom of the window that goes away by itself."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsDropShadowEffect,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.desktop.tokens import L, M, S
from app.desktop.widgets import ThemedIcon, button, icon_button, label
from app.errors import WebRAGError

SHOWN_MS = 6_000
ERROR_MS = 15_000


class Toast(QFrame):
    """One message at a time; the next one replaces it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("role", "toast")
        self.setAccessibleName(self.tr("Message"))
        line = QHBoxLayout(self)
        line.setContentsMargins(M, S, S, S)
        line.setSpacing(M)
        self._icon = ThemedIcon("ok", 20, "success")
        self._title, self._text = label("", "strong"), label("", "muted", wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._title)
        words.addWidget(self._text)
        self.action = button(self.tr("Undo"), self._act, "link")
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(words, 1)
        line.addWidget(self.action)
        line.addWidget(icon_button("close", self.tr("Close this message"), self.hide))
        self._area = parent
        self._run: Callable[[], object] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.hide)
        shadow = QGraphicsDropShadowEffect(self)
        shadow.setBlurRadius(24)
        shadow.setOffset(0, 4)
        shadow.setColor(QColor(0, 0, 0, 60))
        self.setGraphicsEffect(shadow)
        parent.installEventFilter(self)
        self.hide()

    def say(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Tell what happened."""
        self._icon.show_icon("ok", "success")
        self._show(text, "", action, run, SHOWN_MS)

    def clear(self) -> None:
        """Take the message away: what it offered is done."""
        self.hide()

    def complain(self, error: WebRAGError) -> None:
        """Tell what failed, why, and what to do next."""
        self._icon.show_icon("error", "danger")
        self._show(error.title, f"{error.message} {error.hint}".strip(), "", None, ERROR_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def _show(self, title: str, text: str, action: str, run: Callable[[], object] | None, milliseconds: int) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._run = run
        self.action.setText(action)
        self.action.setVisible(run is not None)
        self.show()
        self.raise_()
        self._place()
        self._timer.start(milliseconds)

    def _act(self) -> None:
        self.hide()
        if self._run is not None:
            self._run()

    def _place(self) -> None:
        parent = self._area
        room = parent.width() - 4 * L
        self.setFixedWidth(min(room, 560) if self._text.isVisibleTo(self) else min(room, self.sizeHint().width()))
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 2 * L)
