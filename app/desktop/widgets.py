"""Small widgets shared by all pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from PySide6 import QtWidgets
from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPaintEvent, QResizeEvent, QTextLayout, QTextOption

from app.desktop.qt import Act
from app.desktop.theme import colours, fill_shape, icon, mono_font, pixmap, theme
from app.desktop.tokens import S
from app.desktop.wording import key_text, plain_tip

SEGMENT_PADDING = 12  # Horizontal padding of a segment, as in the style sheet.

_ANYWHERE = QTextOption()
_ANYWHERE.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

Box = TypeVar("Box", bound=QtWidgets.QBoxLayout)

MAX_LINES = 18
BAR = 12  # Height of the horizontal scroll bar.

_LEADING: Final = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter


def label(
    text: str = "",
    role: str = "",
    *,
    wrap: bool = False,
    selectable: bool = False,
    tip: str = "",
    align: Qt.AlignmentFlag = _LEADING,
    margins: tuple[int, int, int, int] = (0, 0, 0, 0),
) -> QtWidgets.QLabel:
    """Create a plain-text label with a role of the style sheet."""
    made = QtWidgets.QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    made.setToolTip(tip)
    made.setAlignment(align)
    made.setContentsMargins(*margins)
    if role:
        made.setProperty("role", role)
    if selectable:
        made.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
    return made


def show_words(made: QtWidgets.QLabel, text: str) -> None:
    """Show a text in a label, or hide the label if there is none."""
    made.setText(text)
    made.setVisible(bool(text))


ICON_GAP: Final = 3  # Additional gap between icon and text, in pixels.


def button(
    text: str, action: Act, role: str = "", icon_name: str = "", *, default: bool = False, name: str = "", tip: str = ""
) -> QtWidgets.QPushButton:
    """Create a push button; roles: primary, danger, link. `name` is its accessible name if not its text."""
    made = QtWidgets.QPushButton(text)
    made.setDefault(default)
    made.setAccessibleName(name)
    made.setToolTip(tip)
    if role:
        made.setProperty("role", role)
    if icon_name:
        made.setIcon(icon(icon_name, "on_accent" if role == "primary" else "muted"))
        made.setIconSize(made.iconSize() + QSize(ICON_GAP, 0))
    made.clicked.connect(lambda: action())
    return made


def icon_button(icon_name: str, name: str, action: Act, shortcut: str = "") -> QtWidgets.QToolButton:
    """Create an icon button; `name` is its accessible name and tooltip."""
    made = QtWidgets.QToolButton()
    made.setProperty("role", "icon")
    made.setIcon(icon(icon_name))
    made.setIconSize(QSize(18, 18))
    made.setAccessibleName(name)
    made.setToolTip(f"{name} ({key_text(shortcut)})" if shortcut else name)
    made.clicked.connect(lambda: action())
    return made


def text_field(
    placeholder: str,
    name: str = "",
    *,
    text: str = "",
    role: str = "",
    icon_name: str = "",
    most: int = 0,
    can_clear: bool = False,
) -> QtWidgets.QLineEdit:
    """Create a text field. `name` is its accessible name, by default the placeholder, and `most` the maximum length."""
    made = QtWidgets.QLineEdit(text, placeholderText=placeholder, clearButtonEnabled=can_clear)
    made.setAccessibleName(name or placeholder)
    if role:
        made.setProperty("role", role)
    if icon_name:
        made.addAction(icon(icon_name), QtWidgets.QLineEdit.ActionPosition.LeadingPosition)
    if most:
        made.setMaxLength(most)
    return made


def take_focus(line: QtWidgets.QLineEdit) -> None:
    """Move the focus to a text field by keyboard shortcut, and select its text."""
    line.setFocus(Qt.FocusReason.ShortcutFocusReason)
    line.selectAll()


def framed(role: str, layout: QtWidgets.QLayout) -> QtWidgets.QFrame:
    """Wrap a layout in a frame with a role of the style sheet."""
    made = QtWidgets.QFrame()
    made.setProperty("role", role)
    made.setLayout(layout)
    return made


def set_up_view(view: QtWidgets.QAbstractItemView, name: str) -> None:
    """Name a read-only list, table or tree for screen readers, and let it scroll smoothly and only vertically."""
    view.setAccessibleName(name)
    view.setEditTriggers(QtWidgets.QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QtWidgets.QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


def restyle(widget: QtWidgets.QWidget) -> None:
    """Reapply the style sheet after a property change."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


class ThemedIcon(QtWidgets.QLabel):
    """An inline icon that follows color scheme and screen scale."""

    def __init__(self, name: str, size: int, role: str = "muted") -> None:
        super().__init__()
        self._name, self._size, self._role = name, size, role
        self.setFixedSize(size, size)
        theme().changed.connect(self._draw)
        self._draw()

    def show_icon(self, name: str, role: str) -> None:
        self._name, self._role = name, role
        self._draw()

    def _draw(self) -> None:
        self.setPixmap(pixmap(self._name, self._size, self._role, ratio=self.devicePixelRatioF()))


class Badge(QtWidgets.QLabel):
    """A short word in a colored pill; kinds: good, warning, error, accent or none."""

    def __init__(self, text: str = "", kind: str = "") -> None:
        super().__init__()
        self.setProperty("role", "badge")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Maximum, QtWidgets.QSizePolicy.Policy.Maximum)
        self.show_text(text, kind)

    def show_text(self, text: str, kind: str = "") -> None:
        self.setText(text)
        self.setVisible(bool(text))
        if self.property("kind") != kind:
            self.setProperty("kind", kind)
            restyle(self)


class Switch(QtWidgets.QCheckBox):
    """A check box drawn as a switch."""

    WIDTH, HEIGHT = 38, 22
    TARGET = 24  # The clickable area is slightly taller than the drawing.

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(self.WIDTH, self.TARGET)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def hitButton(self, position: QPoint) -> bool:
        return self.rect().contains(position)

    def paintEvent(self, _event: QPaintEvent) -> None:
        scheme = colours()
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            track = QRectF(1, (self.TARGET - self.HEIGHT) / 2 + 1, self.WIDTH - 2, self.HEIGHT - 2)
            on, enabled = self.isChecked(), self.isEnabled()
            fill = (scheme.accent if on else scheme.sunken) if enabled else scheme.border
            edge = scheme.text if self.hasFocus() else scheme.accent if on else scheme.muted
            fill_shape(painter, track, fill, track.height() / 2, edge=edge)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(scheme.on_accent if on else scheme.muted))
            left = track.right() - track.height() + 3 if on else track.left() + 3
            painter.drawEllipse(QRectF(left, track.top() + 3, track.height() - 6, track.height() - 6))


class ElidedLabel(QtWidgets.QLabel):
    """A label that elides in the middle or at the end instead of widening its parent."""

    def __init__(
        self, text: str = "", role: str = "", mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, *, lines: int = 1
    ) -> None:
        super().__init__()
        self.full_text, self._mode, self._lines = text, mode, lines
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Preferred)
        self._shorten()

    def show_text(self, text: str) -> None:
        if text != self.full_text:
            self.full_text = text
            self._shorten()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._shorten()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._shorten()

    def _shorten(self) -> None:
        *above, rest = self._broken(self.width())
        shown = QFontMetrics(self.font()).elidedText(rest, self._mode, self.width())
        self.setText("\n".join([*above, shown]))
        self.setToolTip(plain_tip(self.full_text) if shown != rest else "")

    def _broken(self, width: int) -> list[str]:
        """Split the text into the allowed number of lines; the rest stays in the last one."""
        if self._lines == 1:
            return [self.full_text]
        layout = QTextLayout(self.full_text, self.font())
        layout.setTextOption(_ANYWHERE)
        layout.beginLayout()
        starts = [0]
        while len(starts) < self._lines and (line := layout.createLine()).isValid():
            line.setLineWidth(width)
            starts.append(line.textStart() + line.textLength())
        layout.endLayout()
        ends = [*starts[1:], len(self.full_text)]
        parts = [self.full_text[start:end].rstrip() for start, end in zip(starts, ends, strict=True)]
        return [part for part in parts if part] or [""]


class Segments(QtWidgets.QFrame):
    """A choice between a few exclusive modes. Emits `chosen` with the value."""

    chosen = Signal(str)

    def __init__(self, name: str, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self.setProperty("role", "segments")
        self.setAccessibleName(name)
        buttons = row(spacing=2, margins=(3, 3, 3, 3), parent=self)
        self._buttons: dict[str, QtWidgets.QPushButton] = {}
        group = QtWidgets.QButtonGroup(self)
        for value, text, hint in choices:
            made = QtWidgets.QPushButton(text)
            made.setProperty("role", "segment")
            made.setCheckable(True)
            made.setToolTip(hint)
            # Reserve space for the bold text of a selected segment, so that selecting does not cut or move anything.
            bold = QFont(made.font())
            bold.setWeight(QFont.Weight.DemiBold)
            made.setMinimumWidth(QFontMetrics(bold).horizontalAdvance(text) + 2 * (SEGMENT_PADDING + 1) + 2)
            made.clicked.connect(lambda _checked, value=value: self.chosen.emit(value))
            group.addButton(made)
            buttons.addWidget(made)
            self._buttons[value] = made
        self.select(choices[0][0])

    @property
    def value(self) -> str:
        return next(value for value, made in self._buttons.items() if made.isChecked())

    def select(self, value: str) -> None:
        """Select a mode without emitting a signal."""
        self._buttons[value].setChecked(True)

    def offer(self, values: Sequence[str]) -> None:
        """Show only these modes and select the first one, without emitting a signal."""
        for value, made in self._buttons.items():
            made.setVisible(value in values)
        if values:
            self.select(values[0])


def clear_layout(layout: QtWidgets.QLayout) -> None:
    """Remove and hide all widgets of a layout."""
    while (item := layout.takeAt(0)) is not None:
        if (widget := item.widget()) is not None:
            widget.hide()
            widget.deleteLater()


class Gap(int):
    """A gap between two parts of a row or column, in device-independent pixels."""


Placed = tuple[QtWidgets.QWidget, int] | tuple[QtWidgets.QWidget, int, Qt.AlignmentFlag] | tuple[QtWidgets.QLayout, int]
Part = QtWidgets.QWidget | QtWidgets.QLayout | int | Placed
"""A widget or layout, optionally with stretch and alignment; a Gap; or a stretch weight."""
Parts = Sequence[Part]
Margins = tuple[int, int, int, int]


def row(
    *parts: Part, spacing: int = S, margins: Margins = (0, 0, 0, 0), parent: QtWidgets.QWidget | None = None
) -> QtWidgets.QHBoxLayout:
    """Lay out parts side by side, in `parent` if given."""
    made = QtWidgets.QHBoxLayout(parent) if parent is not None else QtWidgets.QHBoxLayout()
    return _fill(made, parts, spacing, margins)


def column(
    *parts: Part, spacing: int = S, margins: Margins = (0, 0, 0, 0), parent: QtWidgets.QWidget | None = None
) -> QtWidgets.QVBoxLayout:
    """Lay out parts vertically, in `parent` if given."""
    made = QtWidgets.QVBoxLayout(parent) if parent is not None else QtWidgets.QVBoxLayout()
    return _fill(made, parts, spacing, margins)


def _fill(made: Box, parts: Sequence[Part], spacing: int, margins: Margins) -> Box:
    made.setContentsMargins(*margins)
    made.setSpacing(spacing)
    add_parts(made, *parts)
    return made


def add_parts(layout: QtWidgets.QBoxLayout, *parts: Part) -> None:
    for part in parts:
        if isinstance(part, Gap):
            layout.addSpacing(part)
        elif isinstance(part, int):
            layout.addStretch(part)
        else:
            thing, stretch, *where = part if isinstance(part, tuple) else (part, 0)
            if isinstance(thing, QtWidgets.QLayout):
                layout.addLayout(thing, stretch)
            else:
                layout.addWidget(thing, stretch, *where)


def held(layout: QtWidgets.QLayout) -> QtWidgets.QWidget:
    """Wrap a layout in a widget, so that it can be shown and hidden as a unit."""
    made = QtWidgets.QWidget()
    made.setLayout(layout)
    return made


def progress_bar(width: int, steps: int = 0) -> QtWidgets.QProgressBar:
    """Create a progress bar without a number; without steps, it is indeterminate."""
    made = QtWidgets.QProgressBar(minimum=0, maximum=steps, textVisible=False)
    made.setFixedWidth(width)
    return made


class TextBox(QtWidgets.QPlainTextEdit):
    """A read-only text box. Long lines scroll horizontally, because line breaks would change the text."""

    def __init__(self, name: str, *, wrap: bool = False) -> None:
        super().__init__(readOnly=True, tabChangesFocus=True)
        self.setProperty("role", "entry")
        self.setAccessibleName(name)
        self.setFont(mono_font(0.92))
        mode = QtWidgets.QPlainTextEdit.LineWrapMode
        self.setLineWrapMode(mode.WidgetWidth if wrap else mode.NoWrap)
        self.setSizePolicy(QtWidgets.QSizePolicy.Policy.Ignored, QtWidgets.QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(S)

    def show_text(self, text: str) -> None:
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
