"""Rows of the Settings page: a name, an explanation, a control that writes its setting at once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.desktop.panels import Card, Line
from app.desktop.settings_store import SettingsStore
from app.desktop.tokens import XL, M, S
from app.desktop.widgets import Switch, label
from app.errors import SettingsError
from app.settings import SettingValue

CONTROL_WIDTH = 230


class Section(QWidget):
    """A heading and a card of rows."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.title = title
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, XL)
        column.setSpacing(M)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(title, "heading"))
        if text:
            words.addWidget(label(text, "muted", wrap=True))
        column.addLayout(words)
        self.card = Card(spacing=M)
        column.addWidget(self.card)

    def add(self, widget: QWidget) -> None:
        """Append a row, with a hairline above all but the first."""
        if self.card.body.count():
            self.card.body.addWidget(Line())
        self.card.body.addWidget(widget)


class Row(QWidget):
    """Name and explanation left, control right or, where it is wide, below; then a problem."""

    def __init__(self, title: str, text: str, control: QWidget | None = None, *, below: bool = False) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        line = QHBoxLayout()
        line.setSpacing(XL)
        words = QVBoxLayout()
        words.setSpacing(1)
        self.name = label(title, "strong")
        words.addWidget(self.name)
        self.text = label(text, "muted", wrap=True)
        self.text.setVisible(bool(text))
        words.addWidget(self.text)
        line.addLayout(words, 1)
        if control is not None:
            self.name.setBuddy(control)
            if not control.accessibleName():
                control.setAccessibleName(title)
            if not below:
                line.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        column.addLayout(line)
        if control is not None and below:
            column.addSpacing(S)
            column.addWidget(control)
        self.problem: QLabel = label("", "problem", wrap=True)
        self.problem.hide()
        column.addWidget(self.problem)

    def complain(self, text: str) -> None:
        """Show what is wrong with the value, or nothing."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))


class SettingRow(Row):
    """A row whose control is bound to one setting. `saved` follows every change that was written."""

    saved = Signal(str)

    def __init__(
        self, store: SettingsStore, name: str, title: str, text: str, control: QWidget, *, below: bool = False
    ) -> None:
        variable = store.overridden_by(name)
        if variable:
            text = f"{text} {self.tr('Set by the environment variable {}.').format(variable)}"
            control.setEnabled(False)
        super().__init__(title, text, control, below=below)
        self._store = store
        self._name = name
        self.control = control

    def save(self, value: SettingValue) -> None:
        """Write the value; an unusable one is explained and not written."""
        try:
            self._store.save(self._name, value)
        except SettingsError as error:
            self.complain(f"{error.message} {error.hint}")
        else:
            self.complain("")
            self.saved.emit(self._name)


def switch_row(store: SettingsStore, name: str, title: str, text: str) -> SettingRow:
    """Yes or no."""
    control = Switch()
    control.setChecked(bool(store.value(name)))
    made = SettingRow(store, name, title, text, control)
    control.toggled.connect(made.save)
    return made


def number_row(store: SettingsStore, name: str, title: str, text: str, suffix: str = "", factor: int = 1) -> SettingRow:
    """A whole number; `factor` turns the unit shown into the unit stored."""
    control = QSpinBox()
    low, high = store.limits(name)
    control.setRange(max(int(low) // factor, 1 if low > 0 else 0), int(high) // factor)
    control.setValue(int(store.value(name)) // factor)
    control.setSuffix(suffix)
    control.setFixedWidth(124)
    control.setKeyboardTracking(False)
    control.setGroupSeparatorShown(name != "mcp_port")
    control.lineEdit().setTextMargins(7, 4, 7, 4)
    made = SettingRow(store, name, title, text, control)
    control.valueChanged.connect(lambda value: made.save(value * factor))
    return made


def choice_row(store: SettingsStore, name: str, title: str, text: str, words: dict[str, str]) -> SettingRow:
    """One of a few; `words` maps the stored values to what is shown."""
    control = QComboBox()
    for value in store.choices(name):
        control.addItem(words.get(value, value), value)
    control.setCurrentIndex(control.findData(store.value(name)))
    control.setFixedWidth(CONTROL_WIDTH)
    made = SettingRow(store, name, title, text, control)
    control.currentIndexChanged.connect(lambda place: made.save(control.itemData(place)))
    return made


def text_row(store: SettingsStore, name: str, title: str, text: str, placeholder: str = "") -> SettingRow:
    """A line of text."""
    return _line_row(store, name, title, text, placeholder, str(store.value(name)), lambda typed: typed)


def list_row(store: SettingsStore, name: str, title: str, text: str, placeholder: str = "") -> SettingRow:
    """Words separated by commas."""
    shown = ", ".join(store.value(name))

    def parsed(typed: str) -> SettingValue:
        return tuple(part.strip() for part in typed.split(",") if part.strip())

    return _line_row(store, name, title, text, placeholder, shown, parsed)


def _line_row(
    store: SettingsStore,
    name: str,
    title: str,
    text: str,
    placeholder: str,
    shown: str,
    parsed: Callable[[str], SettingValue],
) -> SettingRow:
    control = QLineEdit(shown)
    control.setPlaceholderText(placeholder)
    control.setFixedWidth(CONTROL_WIDTH)
    made = SettingRow(store, name, title, text, control)
    control.editingFinished.connect(lambda: made.save(parsed(control.text().strip())))
    return made
