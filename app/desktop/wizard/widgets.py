"""Building blocks of the setup steps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from app.desktop.context import Context
from app.desktop.qt import single_shot
from app.desktop.theme import icon
from app.desktop.tokens import XS, L, M
from app.desktop.widgets import ElidedLabel, Gap, ThemedIcon, column, label, row

ICON = 22

TOLD_MS = 1_800


class Step(QWidget):
    """A title, an introduction and content. Emits `changed` when `is_offering` may have changed."""

    changed = Signal()

    def __init__(self, context: Context, title: str, text: str) -> None:
        super().__init__()
        self.context = context
        self.title = title
        self.setAccessibleName(title)
        words = column(label(title, "title"), label(text, "muted", wrap=True), spacing=XS)
        self.head = row((words, 1), spacing=L)
        self.column = column(self.head, Gap(XS), spacing=M, parent=self)

    @property
    def is_offering(self) -> bool:
        """Whether continuing skips what this step offers."""
        return False

    @property
    def main_button(self) -> QPushButton | None:
        """The button that Enter presses while the step offers something."""
        return None

    def enter(self) -> None:
        """Called when the step opens."""

    def leave(self) -> None:
        """Called when the step closes: end animations and previews."""

    def take_focus(self) -> bool:
        """Set the keyboard focus; return False if it belongs on the Next button."""
        return False


class FactRow(QWidget):
    """A fact whose `text` wraps; a path is a single line, shortened in the middle."""

    def __init__(self, icon_name: str, title: str, text: str = "", *controls: QWidget, path: bool = False) -> None:
        super().__init__()
        self.icon, self.name = ThemedIcon(icon_name, ICON, "accent_text"), label(title, "strong")
        self.text = text
        middle = Qt.TextElideMode.ElideMiddle
        self._line = ElidedLabel(text, "muted", middle) if path else label(text, "muted", wrap=True)
        words = column(self.name, self._line, spacing=2)
        acting = row(*((each, 0, Qt.AlignmentFlag.AlignVCenter) for each in controls))
        icon = (self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row(icon, (words, 1), Gap(M), acting, spacing=L, parent=self)

    def show_text(self, text: str) -> None:
        self.text = text
        if isinstance(self._line, ElidedLabel):
            self._line.show_text(text)
        else:
            self._line.setText(text)


class CopyButton(QToolButton):
    """A button that copies the result of `text`; `name` describes it."""

    def __init__(self, name: str, text: Callable[[], str]) -> None:
        super().__init__()
        self._name, self._given = name, text
        self.setProperty("role", "icon")
        self.setIconSize(QSize(18, 18))
        self._timer = single_shot(self, TOLD_MS, self._rest)
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
