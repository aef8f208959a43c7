"""Sections and rows of the Settings page, and the search for words in them.

The search index is available before the page is built. The texts of declared settings are in assets/settings.toml, all others in
assets/settings_page.toml.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QBoxLayout, QComboBox, QLabel, QLineEdit, QWidget

from app import __version__
from app.desktop.exports import open_local
from app.desktop.panels import Card, Line
from app.desktop.tokens import XL, XS, M, S
from app.desktop.widgets import Badge, ElidedLabel, button, clear_layout, column, label, restyle, row, show_words
from app.desktop.wording import declared_text
from app.errors import WebRAGError
from app.paths import asset_table
from app.settings import SETTINGS

_SECTIONS: Final[Mapping[str, dict[str, Any]]] = asset_table("settings_page.toml")


@dataclass(frozen=True, slots=True)
class Findable:
    """A row with the index of its section, its title, synonyms, buttons and explanation."""

    place: int
    title: str
    words: str
    buttons: tuple[str, ...] = ()
    text: str = ""


def section_texts(name: str) -> tuple[str, str]:
    return declared_text(_SECTIONS[name]["title"]), declared_text(_SECTIONS[name].get("text", ""))


def section_titles() -> tuple[str, ...]:
    return tuple(section_texts(name)[0] for name in _SECTIONS)


def own_row(name: str) -> Findable:
    """Return a row that does not declare a setting. Raises KeyError."""
    return _own_rows()[name]


def findable() -> list[Findable]:
    """Return all rows in the order of the sections."""
    places = {group: place for place, group in enumerate(_SECTIONS)}
    settings = [
        Findable(places[spec.group], declared_text(spec.title), declared_text(spec.words))
        for setting in SETTINGS.values()
        if (spec := setting.row) is not None
    ]
    return sorted((*settings, *_own_rows().values()), key=lambda row: row.place)


def _own_rows() -> dict[str, Findable]:
    return {
        name: Findable(
            place,
            declared_text(row["title"]).format(__version__),
            declared_text(row["words"]),
            tuple(map(declared_text, row.get("buttons", ()))),
            declared_text(row.get("text", "")),
        )
        for place, section in enumerate(_SECTIONS.values())
        for name, row in section.get("rows", {}).items()
    }


T = TypeVar("T")

TEXT_ROOM = 200  # Minimum width of the text in pixels; with less, the control moves below it.


class Column(QWidget):
    """The scrolled content. Its minimum width is 0, so that rows adapt to the page."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


def words_of(widget: QWidget) -> str:
    """Return all visible text of a widget in lower case."""
    texts = [made.text() for made in widget.findChildren(QLabel)]
    texts += [made.full_text for made in widget.findChildren(ElidedLabel)]
    texts += [made.text() for made in widget.findChildren(QAbstractButton)]
    texts += [made.text() or made.placeholderText() for made in widget.findChildren(QLineEdit)]
    for box in widget.findChildren(QComboBox):
        texts += [box.itemText(place) for place in range(box.count())]
    return " ".join([*texts, widget.accessibleDescription()]).casefold()


class Section(QWidget):
    """A heading with a card of rows. `name` is its table in assets/settings_page.toml."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._place = list(_SECTIONS).index(name)
        self.title, text = section_texts(name)
        self.rows: list[QWidget] = []
        self._lines: list[QWidget] = []
        words = column(label(self.title, "heading"), spacing=2)
        if text:
            words.addWidget(label(text, "muted", wrap=True))
        self.card = Card(spacing=M)
        column(words, self.card, spacing=M, margins=(0, 0, 0, XL), parent=self)
        # Qt computes the height of wrapped text for the minimum width, if that is larger than the available width.
        for part in (self, self.card):
            part.setMinimumWidth(1)

    def add(self, *widgets: QWidget) -> None:
        """Append rows, with a separator above all but the first."""
        for widget in widgets:
            line = Line()
            if not self.rows:
                line.hide()
            self.card.body.addWidget(line)
            self.card.body.addWidget(widget)
            widget.setMinimumWidth(1)
            self._lines.append(line)
            self.rows.append(widget)

    def show_matching(self, wanted: Sequence[str]) -> int:
        """Show the rows that contain all words, or all rows if the heading does. Return the number of visible rows."""
        heading = self.title.casefold()
        others = {row.title: row.words.casefold() for row in findable() if row.place == self._place}
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
    """A name and explanation on the left, a control on the right or below, and an error message."""

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
            self._layout.addSpacing(XS)
            self._layout.addWidget(control)
        self.problem = label("", "problem", wrap=True)
        self.problem.hide()
        self._layout.addWidget(self.problem)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._beside is None:
            return
        room = max(TEXT_ROOM, self.head.sizeHint().width())
        control = max(self._beside.sizeHint().width(), self._beside.minimumWidth())
        narrow = event.size().width() < control + XL + room
        wanted = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if wanted is not self._line.direction():
            self._line.setDirection(wanted)
            self._line.setSpacing(S if narrow else XL)

    def point_out(self, button: str = "") -> None:
        """Highlight the row briefly and focus the named button or, without one, the control."""
        self._set_found(True)
        QTimer.singleShot(self.SHOWN_MS, self, lambda: self._set_found(False))
        made = next((each for each in self.findChildren(QAbstractButton) if button and each.text() == button), None)
        none = Qt.FocusPolicy.NoFocus
        stops = [each for each in self.findChildren(QWidget) if each.focusPolicy() != none and each.isVisibleTo(self)]
        target = made or next(iter(stops), None)
        if target is not None:
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Keep the focus of a button that is disabled. Qt would focus the next enabled one, and the page would scroll there."""
        left: object = self.window().focusWidget()
        if self.isEnabled() and isinstance(left, QWidget) and not left.isEnabled():
            self.setAccessibleName(self.title)
            self.setFocus()
            return True
        return super().focusNextPrevChild(next)

    def _set_found(self, found: bool) -> None:
        self.setProperty("found", found)
        restyle(self)

    def show_text(self, text: str) -> None:
        show_words(self.text, text)

    def append(self, widget: QWidget) -> None:
        """Add a widget at the bottom of the row."""
        self._layout.addWidget(widget)

    def complain(self, text: str) -> None:
        """Show an error message, or hide it if `text` is empty."""
        show_words(self.problem, text)

    def fail(self, error: WebRAGError) -> None:
        self.complain(f"{error.message} {error.hint}")


class OwnRow(Row):
    """A row that does not declare a setting, with a badge next to its title. `name` is its table in assets/settings_page.toml."""

    def __init__(self, name: str, control: QWidget | None = None, *, below: bool = False) -> None:
        spec = own_row(name)
        super().__init__(spec.title, spec.text, control, below=below)
        self.badge = Badge()
        self.head.insertWidget(1, self.badge)

    def begin(self, made: QWidget, text: str) -> None:
        """Show that the work of a button is running, instead of the last result."""
        made.setEnabled(False)
        self.badge.show_text("")
        self.complain("")
        self.show_text(text)


class ListRow(OwnRow, Generic[T]):
    """A row with one line per item."""

    def __init__(self, name: str) -> None:
        holder = QWidget()
        self._column = column(spacing=M, parent=holder)
        self.items: tuple[T, ...] | None = None
        super().__init__(name, holder, below=True)

    @abstractmethod
    def entry(self, item: T, /) -> tuple[QWidget, Sequence[QWidget]]:
        """Return the line of an item and its controls."""

    def show_items(self, items: tuple[T, ...], before: QWidget) -> None:
        """Show these items, unless nothing has changed. `before` comes before their controls in the tab order."""
        if items == self.items:
            return
        self.items = items
        clear_layout(self._column)
        for item in items:
            line, controls = self.entry(item)
            self._column.addWidget(line)
            for control in controls:
                # New widgets would otherwise come last in the tab order.
                QWidget.setTabOrder(before, control)
                before = control
        self.show_text("" if items else self.tr("None yet."))


class PathRow(OwnRow):
    """A file or folder with a button that opens `folder`. The path is shortened in the middle if necessary."""

    def __init__(self, name: str, path: Path, folder: Path, tip: str = "") -> None:
        show = button(own_row(name).buttons[0], lambda: open_local(folder), "", "folder", name=tip)
        super().__init__(name, show)
        self.path = ElidedLabel(str(path), "muted", Qt.TextElideMode.ElideMiddle)
        self.words.addWidget(self.path)
