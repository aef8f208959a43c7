"""Sections and rows of the Settings page, and finding words in them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QComboBox, QLabel, QLineEdit, QWidget

from app.desktop.pages.settings.index import words_of_section
from app.desktop.panels import Card, Line
from app.desktop.tokens import XL, XS, M, S
from app.desktop.widgets import ElidedLabel, Gap, add_parts, column, held, label, restyle, row
from app.errors import WebRAGError

TEXT_ROOM = 200
"""A control goes below its name where less than this is left for the words."""


class Column(QWidget):
    """The scrolled content; its minimum width is 0, so rows fit themselves to the page."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def words_of(widget: QWidget) -> str:
    """Everything that can be read in a widget, in lower case."""
    texts = [made.text() for made in widget.findChildren(QLabel)]
    texts += [made.full_text for made in widget.findChildren(ElidedLabel)]
    texts += [made.text() for made in widget.findChildren(QAbstractButton)]
    texts += [made.text() or made.placeholderText() for made in widget.findChildren(QLineEdit)]
    for box in widget.findChildren(QComboBox):
        texts += [box.itemText(place) for place in range(box.count())]
    return " ".join([*texts, widget.accessibleDescription()]).casefold()


class Section(QWidget):
    """A heading and a card of rows."""

    def __init__(self, title: str, text: str = "") -> None:
        super().__init__()
        self.title = title
        self.rows: list[QWidget] = []
        self._lines: list[QWidget] = []
        words = column(label(title, "heading"), spacing=2)
        self._text = text
        if text:
            words.addWidget(label(text, "muted", wrap=True))
        self.card = Card(spacing=M)
        column(words, self.card, spacing=M, margins=(0, 0, 0, XL), parent=self)

    def add(self, *widgets: QWidget) -> None:
        """Append rows, with a hairline above all but the first."""
        for widget in widgets:
            line = Line()
            if not self.rows:
                line.hide()
            self.card.body.addWidget(line)
            self.card.body.addWidget(widget)
            self._lines.append(line)
            self.rows.append(widget)

    def show_matching(self, wanted: Sequence[str]) -> int:
        """Show the rows that hold all words, or all rows where the heading does; how many are shown."""
        heading, others = self.title.casefold(), words_of_section(self.title)
        every = all(word in heading for word in wanted)
        shown = 0
        for line, widget in zip(self._lines, self.rows, strict=True):
            text = f"{heading} {words_of(widget)} {others.get(getattr(widget, 'title', ''), '')}" if not every else ""
            matches = every or all(word in text for word in wanted)
            widget.setVisible(matches)
            line.setVisible(matches and shown > 0)
            shown += matches
        self.setVisible(shown > 0)
        return shown


class Row(QWidget):
    """Name and explanation left, control right or, where it is wide, below; then a problem."""

    SHOWN_MS = 2_500

    def __init__(self, title: str, text: str, control: QWidget | None = None, *, below: bool = False) -> None:
        super().__init__()
        self.title = title
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._beside = None if below else control
        line = self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        line.setSpacing(XL)
        self.name = label(title, "strong")
        self.head = row(self.name, 1, spacing=S)
        self.text = label(text, "muted", wrap=True)
        if not text:
            self.text.hide()
        words = self.words = column(self.head, self.text, spacing=1)
        line.addLayout(words, 1)
        if control is not None:
            self.name.setBuddy(control)
            if not control.accessibleName():
                control.setAccessibleName(title)
            if not control.accessibleDescription():
                control.setAccessibleDescription(text)
            if not below:
                line.addWidget(control, 0, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self._layout = column(line, spacing=2, parent=self)
        if control is not None and below:
            add_parts(self._layout, Gap(XS), control)
        self.problem: QLabel = label("", "problem", wrap=True)
        self.problem.hide()
        self._layout.addWidget(self.problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside is None:
            return
        room = max(TEXT_ROOM, self.head.sizeHint().width())
        narrow = event.size().width() < self._beside.sizeHint().width() + XL + room
        wanted = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if wanted is not self._line.direction():
            self._line.setDirection(wanted)
            self._line.setSpacing(S if narrow else XL)

    def point_out(self, button: str = "") -> None:
        """Colour the row for a moment, and give the focus to this button of it or else to its control."""
        self._set_found(True)
        QTimer.singleShot(self.SHOWN_MS, self, lambda: self._set_found(False))
        made = next((each for each in self.findChildren(QAbstractButton) if button and each.text() == button), None)
        none = Qt.FocusPolicy.NoFocus
        stops = [each for each in self.findChildren(QWidget) if each.focusPolicy() != none and each.isVisibleTo(self)]
        target = made or next(iter(stops), None)
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _set_found(self, found: bool) -> None:
        self.setProperty("found", found)
        restyle(self)

    def show_text(self, text: str) -> None:
        """Another explanation."""
        self.text.setText(text)
        self.text.setVisible(bool(text))

    def append(self, widget: QWidget) -> None:
        """Add a widget below everything else."""
        self._layout.addWidget(widget)

    def complain(self, text: str) -> None:
        """Show what is wrong with the value, or nothing."""
        self.problem.setText(text)
        self.problem.setVisible(bool(text))

    def fail(self, error: WebRAGError) -> None:
        """Show what went wrong, and what to do."""
        self.complain(f"{error.message} {error.hint}")


class PathRow(Row):
    """A file or folder, shortened in its middle where there is no room."""

    def __init__(self, title: str, path: str, control: QWidget) -> None:
        super().__init__(title, "", control)
        self.path = ElidedLabel(path, "muted", Qt.TextElideMode.ElideMiddle)
        self.words.addWidget(self.path)


def side_by_side(*widgets: QWidget) -> QWidget:
    """Controls in one line, as one control of a row."""
    return held(row(*widgets))
