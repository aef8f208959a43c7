"""Rows of the Settings page that edit one setting. They are built from its declaration, validate, save immediately and can be reset."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlsplit

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QAbstractButton, QComboBox, QDoubleSpinBox, QLineEdit, QSpinBox, QWidget

from app.desktop.hot_key.keys import keys_problem
from app.desktop.pages.settings.layout import Row, Section
from app.desktop.qt import Act
from app.desktop.settings_store import SettingsStore
from app.desktop.tokens import XS
from app.desktop.widgets import Badge, Switch, button, label, row
from app.desktop.wording import decimal, declared_text, key_name, key_text, spoken, translator
from app.errors import SettingsError
from app.settings import SETTINGS
from app.settings_schema import Group, RowSpec, SettingValue

_tr = translator("Settings")
NUMBER_WIDTH = 136
CONTROL_WIDTH = 230
DECIMALS = 3
_HOST: Final = re.compile(r"(?:\*\.)?(?!-)[\w-]{1,63}(?:\.(?!-)[\w-]{1,63})*\.?|\[?[0-9a-fA-F:.]+\]?")


class QuietWheel(QObject):
    """Lets the mouse wheel scroll the page unless the watched field has the focus."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_left = event.type() is QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus()
        if is_left:
            event.ignore()
        return is_left or super().eventFilter(watched, event)


def _set_up(control: QWidget, width: int) -> None:
    """Set the width, and accept the focus by Tab and click, not by the mouse wheel."""
    control.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    control.setFixedWidth(width)
    control.installEventFilter(QuietWheel(control))


def _set_up_number(control: QSpinBox | QDoubleSpinBox) -> None:
    """Set up a number field, which applies its value when typing ends."""
    _set_up(control, NUMBER_WIDTH)
    control.setKeyboardTracking(False)
    control.lineEdit().setTextMargins(7, 4, 7, 4)


class WholeNumber(QSpinBox):
    """A whole number. `refused` carries the error of the typed value, or an empty string if it is valid."""

    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        _set_up_number(self)
        self.lineEdit().textEdited.connect(lambda _text: self.refused.emit(self._problem()))

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Accept numbers out of range while typing, so that they are rejected with a message instead of cut off."""
        state, fitted, at = super().validate(text, place)
        is_number = state == QValidator.State.Invalid and self._typed(text) is not None
        return QValidator.State.Intermediate if is_number else state, fitted, at

    def fixup(self, text: str) -> str:
        """Replace an invalid value with the previous one."""
        return super().fixup(text) if self._typed(text) is None else self.textFromValue(self.value())

    def _typed(self, text: str) -> int | None:
        bare = text.removesuffix(self.suffix()).removeprefix(self.prefix()).strip()
        number, is_whole = self.locale().toLongLong(bare)
        return number if is_whole else None

    def _problem(self) -> str:
        typed = self._typed(self.text())
        if typed is None or self.minimum() <= typed <= self.maximum():
            return ""
        return _tr("{} is out of range. Enter a number from {} to {}.").format(
            self.lineEdit().text(), self.textFromValue(self.minimum()), self.textFromValue(self.maximum())
        )


class PlainNumber(QDoubleSpinBox):
    """A decimal number without trailing zeros."""

    def __init__(self) -> None:
        super().__init__()
        self.setDecimals(DECIMALS)
        _set_up_number(self)

    def textFromValue(self, value: float) -> str:
        return decimal(value)


Check = Callable[[Any], str]  # A function that returns the error message for a value, or an empty string.


class SettingRow(Row):
    """A row whose control edits one setting. Emits `saved` after each saved change.

    `shown` displays a value in the control, `words` returns it as text, and `check` validates more than the declaration does.
    """

    saved = Signal(str)

    def __init__(
        self,
        store: SettingsStore,
        name: str,
        control: QWidget,
        *,
        below: bool = False,
        shown: Callable[[Any], None] | None = None,
        words: Callable[[Any], str] = str,
        check: Check | None = None,
    ) -> None:
        spec = spec_of(name)
        self.variable = store.overridden_by(name)
        text = declared_text(spec.text)
        if self.variable:
            text = f"{text} {self.tr('Set by the environment variable {}.').format(self.variable)}".strip()
            control.setEnabled(False)
        super().__init__(declared_text(spec.title), text, control, below=below)
        self._store = store
        self.setting = name
        self._shown, self._words, self._check = shown, words, check
        self._known: Any = store.value(name)
        self.control = control
        self.marks: Marks | None = None
        store.changed.connect(self._follow)
        self._mark()

    def save(self, value: SettingValue) -> None:
        """Save the value. An invalid one stays in its field with an error message and is not saved."""
        problem = self._check(value) if self._check is not None else ""
        if problem:
            self.complain(problem)
            return
        try:
            self._store.save(self.setting, value)
        except SettingsError as error:
            self.complain(_in_words(error))
            if isinstance(self.control, QAbstractButton | QComboBox):
                # It would show a value that does not apply.
                self._put(self._store.value(self.setting))
        else:
            self.complain("")
            self.saved.emit(self.setting)

    def reset(self) -> None:
        try:
            self._store.reset(self.setting)
        except SettingsError as error:
            self.complain(_in_words(error))
            return
        self.complain("")
        self._put(self._store.value(self.setting))
        self.saved.emit(self.setting)

    def _follow(self) -> None:
        value = self._store.value(self.setting)
        if value != self._known:
            self._known = value
            self._put(value)
        self._mark()

    def _put(self, value: Any) -> None:
        if self._shown is not None:
            with QSignalBlocker(self.control):
                self._shown(value)

    def _mark(self) -> None:
        """Update the marks for a changed value and a pending restart."""
        changed = self._store.is_changed(self.setting) and not self.variable
        waits = self._store.is_waiting(self.setting)
        if self.marks is None and (changed or waits):
            default = self._words(self._store.default(self.setting)) or self.tr("empty")
            self.marks = Marks(self.title, default, self.reset)
            self.head.insertWidget(1, self.marks)
        if self.marks is not None:
            self.marks.show_marks(changed=changed, waits=waits)


class Marks(QWidget):
    """Marks next to the name of a row: changed, reset, pending restart."""

    def __init__(self, title: str, default: str, reset: Act) -> None:
        super().__init__()
        self.changed = label(self.tr("changed"), "caption")
        self.undo = button(self.tr("Reset"), reset, "reset", name=self.tr("Reset “{}” to its default").format(title))
        self.undo.setToolTip(self.tr("Reset to default: {}").format(default))
        self.waits = Badge("", "accent")
        self.setLayout(row(self.changed, self.undo, self.waits))

    def show_marks(self, *, changed: bool, waits: bool) -> None:
        self.changed.setVisible(changed)
        self.undo.setVisible(changed)
        self.waits.show_text(self.tr("after restart") if waits else "", "accent")


class SettingsSection(Section):
    """A section with the rows of one settings group, in the order of their declarations."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.setting_rows: dict[str, SettingRow] = {}

    def add_settings(
        self, store: SettingsStore, group: Group, after: Mapping[str, Sequence[QWidget]] | None = None
    ) -> None:
        """Append the rows of a group and insert each row of `after` behind the setting that is its key."""
        for name, declared in SETTINGS.items():
            spec = declared.row
            if spec is not None and spec.group == group and spec.format != "custom":
                made = self.setting_rows[name] = setting_row(store, name)
                self.add(made, *(after or {}).get(name, ()))


def spec_of(name: str) -> RowSpec:
    """Return the declared row of a setting. Raises ValueError if it has none."""
    spec = SETTINGS[name].row
    if spec is None:
        raise ValueError(f"{name} does not have a row")
    return spec


def setting_row(store: SettingsStore, name: str) -> SettingRow:
    declared = SETTINGS[name]
    if declared.kind == "bool":
        return _switch_row(store, name)
    if declared.choices:
        return _choice_row(store, name)
    if declared.kind in ("int", "float"):
        return _number_row(store, name)
    return _line_row(store, name)


def host_problem(hosts: tuple[str, ...]) -> str:
    """Return the error message for a list of host names, or an empty string."""
    for host in hosts:
        if "://" in host or "/" in host:
            return _tr("“{}” is a full address. Enter only the site name, for example example.com.").format(host)
        if not _HOST.fullmatch(host):
            return _tr("“{}” is not a site name. Enter one such as example.com.").format(host)
    return ""


def address_problem(url: str) -> str:
    """Return the error message for a server address, or an empty string. An empty address is valid."""
    if not url:
        return ""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    return "" if usable else _tr("“{}” is not a web address. Web addresses start with http:// or https://.").format(url)


def _switch_row(store: SettingsStore, name: str) -> SettingRow:
    control = Switch()
    control.setChecked(bool(store.value(name)))
    words = {True: _tr("on"), False: _tr("off")}
    made = SettingRow(store, name, control, shown=control.setChecked, words=lambda value: words[bool(value)])
    control.toggled.connect(made.save)
    return made


def _choice_row(store: SettingsStore, name: str) -> SettingRow:
    spec = spec_of(name)
    words = {**spec.names, **{value: declared_text(label) for value, label in spec.labels.items()}}
    control = QComboBox()
    _set_up(control, CONTROL_WIDTH)
    for value in SETTINGS[name].choices:
        control.addItem(words.get(value, value), value)
    control.setCurrentIndex(control.findData(store.value(name)))

    def shown(value: str) -> None:
        control.setCurrentIndex(control.findData(value))

    made = SettingRow(store, name, control, shown=shown, words=lambda value: words.get(value, str(value)))
    control.currentIndexChanged.connect(lambda place: made.save(control.itemData(place)))
    return made


def _number_row(store: SettingsStore, name: str) -> SettingRow:
    """Build the row of a number. The factor of the row converts the displayed unit to the stored one."""
    declared, spec = SETTINGS[name], spec_of(name)
    low, high = declared.low or 0, declared.high or 0
    is_whole, factor = declared.kind == "int", spec.factor
    control: WholeNumber | PlainNumber
    if is_whole and factor == 1:
        control = WholeNumber()
        control.setRange(int(low), int(high))
        control.setGroupSeparatorShown(spec.format != "port")
        control.setSuffix(declared_text(spec.suffix))
        control.setValue(store.value(name))
    else:
        control = PlainNumber()
        control.setRange(low / factor, high / factor)
        control.setSuffix(declared_text(spec.suffix))
        control.setValue(store.value(name) / factor)

    def shown(value: float) -> Any:
        return value / factor if factor != 1 else value

    made = SettingRow(
        store,
        name,
        control,
        shown=lambda value: control.setValue(shown(value)),
        words=lambda value: f"{control.textFromValue(shown(value))}{control.suffix()}",
    )
    control.valueChanged.connect(lambda value: made.save(round(value * factor) if is_whole else value * factor))
    if isinstance(control, WholeNumber):
        control.refused.connect(made.complain)
    return made


def _line_row(store: SettingsStore, name: str) -> SettingRow:
    """Build the row of a text or a comma-separated list."""
    spec, is_list = spec_of(name), SETTINGS[name].kind.startswith("tuple")
    shown: Callable[[Any], str] = ", ".join if is_list else str
    # On macOS, Qt's Ctrl is the Command key, but the Ask window shortcut means Control.
    is_key = spec.format == "keys" and sys.platform != "darwin"
    if is_key:
        shown = key_text
    control = QLineEdit(shown(store.value(name)))
    control.setPlaceholderText(key_text(spec.placeholder) if is_key else spec.placeholder)
    if not is_list:
        control.setFixedWidth(CONTROL_WIDTH)
    made = SettingRow(
        store,
        name,
        control,
        below=is_list,
        shown=lambda value: control.setText(shown(value)),
        words=shown,
        check=CHECKS.get(spec.format),
    )

    def typed() -> SettingValue:
        text = control.text().strip()
        return words_in(text) if is_list else key_name(text) if is_key else text

    control.editingFinished.connect(lambda: made.save(typed()))
    if spec.warning:
        warning = label(declared_text(spec.warning), "warning", wrap=True, margins=(XS * 2, XS, XS * 2, XS))
        made.append(warning)

        def show() -> None:
            warning.setVisible(bool(store.value(name)))

        store.changed.connect(show)
        show()
    return made


def words_in(typed: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in typed.replace("\n", ",").split(",") if part.strip())


def _in_words(error: SettingsError) -> str:
    """Return the error message without the setting name, which the row already shows."""
    reason = error.message.partition(" from the settings page: ")[2] or error.message
    reason = spoken(reason)
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}. {error.hint}"


CHECKS: Final[Mapping[str, Check]] = {"hosts": host_problem, "url": address_problem, "keys": keys_problem}
"""Additional validation by row format."""
