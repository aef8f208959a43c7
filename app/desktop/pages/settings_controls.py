"""Fields of the Settings page that do not change their value when the page is scrolled over them."""

from __future__ import annotations

from PySide6.QtCore import QLocale, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSpinBox

NUMBER_WIDTH = 136
CONTROL_WIDTH = 230
DECIMALS = 3


class QuietCombo(QComboBox):
    """A choice that the wheel passes over until it has the focus."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedWidth(CONTROL_WIDTH)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class WholeNumber(QSpinBox):
    """A whole number; the same about the wheel."""

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedWidth(NUMBER_WIDTH)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(7, 4, 7, 4)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class PlainNumber(QDoubleSpinBox):
    """A number that shows no more decimals than it has; the same about the wheel."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFixedWidth(NUMBER_WIDTH)
        self.setKeyboardTracking(False)
        self.lineEdit().setTextMargins(7, 4, 7, 4)

    def textFromValue(self, value: float) -> str:
        return QLocale().toString(value, "f", QLocale.FloatingPointPrecisionOption.FloatingPointShortest)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
