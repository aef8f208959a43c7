"""A button that copies and says so itself: messages of the window are behind the dialog."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton

from app.desktop.icons import icon

TOLD_MS = 1_800


class CopyButton(QToolButton):
    """`text` gives what is copied; `name` says what that is."""

    def __init__(self, name: str, text: Callable[[], str]) -> None:
        super().__init__()
        self._name, self._given = name, text
        self.setProperty("role", "icon")
        self.setIconSize(QSize(18, 18))
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(TOLD_MS)
        self._timer.timeout.connect(self._rest)
        self.clicked.connect(self.copy)
        self._rest()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self._given())
        self.setIcon(icon("ok", "success"))
        self.setAccessibleName(self.tr("Copied"))
        self.setToolTip(self.tr("Copied"))
        self._timer.start()

    def _rest(self) -> None:
        self.setIcon(icon("copy"))
        self.setAccessibleName(self._name)
        self.setToolTip(self._name)
