"""Rows of the Settings page that are bound to one setting: written at once, checked, resettable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from app.desktop.language import translator
from app.desktop.pages.settings_controls import CONTROL_WIDTH, PlainNumber, QuietCombo, WholeNumber
from app.desktop.pages.settings_layout import Row, Section
from app.desktop.settings_store import SettingsStore
from app.desktop.widgets import Badge, Switch, button, label, row
from app.errors import SettingsError
from app.settings import SettingValue

_tr = translator("SettingRow")

__all__ = ["Row", "Section", "SettingRow", "choice_row", "list_row", "number_row", "switch_row", "text_row"]

Check = Callable[[Any], str]
"""Words for what is wrong with a value; none when it can be used."""


class SettingRow(Row):
    """A row whose control is bound to one setting. `saved` follows every change that was written.

    `shown` puts a value into the control, `words` says a value in words, `check` finds what the file's own rules do not.
    """

    saved = Signal(str)

    def __init__(
        self,
        store: SettingsStore,
        name: str,
        title: str,
        text: str,
        control: QWidget,
        *,
        below: bool = False,
        shown: Callable[[Any], None] | None = None,
        words: Callable[[Any], str] = str,
        check: Check | None = None,
    ) -> None:
        self.variable = store.overridden_by(name)
        if self.variable:
            text = f"{text} {self.tr('Set by the environment variable {}.').format(self.variable)}".strip()
            control.setEnabled(False)
        super().__init__(title, text, control, below=below)
        self._store = store
        self._name = name
        self._shown, self._words, self._check = shown, words, check
        self._known: Any = store.value(name)
        self.control = control
        self.marks: Marks | None = None
        store.changed.connect(self._follow)
        self._mark()

    @property
    def setting(self) -> str:
        """The name of the setting."""
        return self._name

    def save(self, value: SettingValue) -> None:
        """Write the value; an unusable one is explained, stays in its field and is not written."""
        problem = self._check(value) if self._check is not None else ""
        if problem:
            self.complain(problem)
            return
        try:
            self._store.save(self._name, value)
        except SettingsError as error:
            self.complain(_in_words(error))
        else:
            self.complain("")
            self.saved.emit(self._name)

    def reset(self) -> None:
        """Go back to the default."""
        try:
            self._store.reset(self._name)
        except SettingsError as error:
            self.complain(_in_words(error))
            return
        self.complain("")
        self._put(self._store.value(self._name))
        self.saved.emit(self._name)

    def _follow(self) -> None:
        value = self._store.value(self._name)
        if value != self._known:
            self._known = value
            self._put(value)
        self._mark()

    def _put(self, value: Any) -> None:
        if self._shown is not None:
            blocker = QSignalBlocker(self.control)
            self._shown(value)
            blocker.unblock()

    def _mark(self) -> None:
        """Say whether the value is another than the default, and whether it waits for a restart."""
        changed = self._store.is_changed(self._name) and not self.variable
        waits = self._store.is_waiting(self._name)
        if self.marks is None and (changed or waits):
            default = self._words(self._store.default(self._name)) or self.tr("empty")
            self.marks = Marks(self.title, default, self.reset)
            self.head.insertWidget(1, self.marks)
        if self.marks is not None:
            self.marks.show_marks(changed=changed, waits=waits)


class Marks(QWidget):
    """Behind the name of a row: that its value was changed, the way back, and that it waits for a restart."""

    def __init__(self, title: str, default: str, reset: Callable[[], object]) -> None:
        super().__init__()
        self.changed = label(self.tr("changed"), "caption")
        self.undo = button(self.tr("Reset"), reset, "reset")
        self.undo.setAccessibleName(self.tr("Reset “{}” to its default").format(title))
        self.undo.setToolTip(self.tr("Back to the default: {}").format(default))
        self.waits = Badge("", "accent")
        self.setLayout(row(self.changed, self.undo, self.waits))

    def show_marks(self, *, changed: bool, waits: bool) -> None:
        """Show those that hold."""
        self.changed.setVisible(changed)
        self.undo.setVisible(changed)
        self.waits.show_text(self.tr("after the restart") if waits else "", "accent")


def switch_row(store: SettingsStore, name: str, title: str, text: str) -> SettingRow:
    """Yes or no."""
    control = Switch()
    control.setChecked(bool(store.value(name)))
    words = {True: _tr("on"), False: _tr("off")}
    made = SettingRow(
        store, name, title, text, control, shown=control.setChecked, words=lambda value: words[bool(value)]
    )
    control.toggled.connect(made.save)
    return made


def number_row(store: SettingsStore, name: str, title: str, text: str, suffix: str = "", factor: int = 1) -> SettingRow:
    """A number; `factor` turns the unit shown into the unit stored."""
    low, high = store.limits(name)
    if factor == 1 and isinstance(store.default(name), int):
        return _whole_row(store, name, title, text, suffix)
    control = PlainNumber()
    control.setRange(low / factor, high / factor)
    control.setSuffix(suffix)
    control.setValue(store.value(name) / factor)
    is_whole = isinstance(store.default(name), int)
    made = _number(store, name, title, text, control, factor)
    control.valueChanged.connect(lambda value: made.save(round(value * factor) if is_whole else value * factor))
    return made


def _whole_row(store: SettingsStore, name: str, title: str, text: str, suffix: str) -> SettingRow:
    control = WholeNumber()
    low, high = store.limits(name)
    control.setRange(int(low), int(high))
    control.setSuffix(suffix)
    control.setGroupSeparatorShown(name != "mcp_port")
    control.setValue(store.value(name))
    made = _number(store, name, title, text, control, 1)
    control.valueChanged.connect(made.save)
    return made


def _number(
    store: SettingsStore, name: str, title: str, text: str, control: QSpinBox | QDoubleSpinBox, factor: int
) -> SettingRow:
    def show(value: float) -> None:
        control.setValue(value / factor if factor != 1 else value)  # type: ignore[arg-type]

    def words(value: float) -> str:
        return f"{control.textFromValue(value / factor if factor != 1 else value)}{control.suffix()}"  # type: ignore[arg-type]

    return SettingRow(store, name, title, text, control, shown=show, words=words)


def choice_row(store: SettingsStore, name: str, title: str, text: str, words: Mapping[str, str]) -> SettingRow:
    """One of a few; `words` maps the stored values to what is shown."""
    control = QuietCombo()
    for value in store.choices(name):
        control.addItem(words.get(value, value), value)
    control.setCurrentIndex(control.findData(store.value(name)))
    made = SettingRow(
        store,
        name,
        title,
        text,
        control,
        shown=lambda value: control.setCurrentIndex(control.findData(value)),
        words=lambda value: words.get(value, str(value)),
    )
    control.currentIndexChanged.connect(lambda place: made.save(control.itemData(place)))
    return made


def text_row(
    store: SettingsStore, name: str, title: str, text: str, placeholder: str = "", check: Check | None = None
) -> SettingRow:
    """A line of text."""
    return _line_row(store, name, title, text, placeholder, str, lambda typed: typed, check)


def list_row(
    store: SettingsStore, name: str, title: str, text: str, placeholder: str = "", check: Check | None = None
) -> SettingRow:
    """Words separated by commas."""

    def parsed(typed: str) -> SettingValue:
        return tuple(part.strip() for part in typed.replace("\n", ",").split(",") if part.strip())

    return _line_row(store, name, title, text, placeholder, ", ".join, parsed, check, below=True)


def _line_row(
    store: SettingsStore,
    name: str,
    title: str,
    text: str,
    placeholder: str,
    shown: Callable[[Any], str],
    parsed: Callable[[str], SettingValue],
    check: Check | None,
    *,
    below: bool = False,
) -> SettingRow:
    control = QLineEdit(shown(store.value(name)))
    control.setPlaceholderText(placeholder)
    if not below:
        control.setFixedWidth(CONTROL_WIDTH)
    made = SettingRow(
        store,
        name,
        title,
        text,
        control,
        below=below,
        shown=lambda value: control.setText(shown(value)),
        words=shown,
        check=check,
    )
    control.editingFinished.connect(lambda: made.save(parsed(control.text().strip())))
    return made


def _in_words(error: SettingsError) -> str:
    """What is wrong without the name of the setting, which stands above."""
    reason = error.message.partition(" from the settings page: ")[2] or error.message
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}. {error.hint}"
