"""Clickable lines on Home, and a card of as many of them as there is room for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.desktop.panels import Card, card_head
from app.desktop.tips import plain_tip
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, ThemedIcon, label, row

MOST_LINES = 16
SPACING = 2
HEAD = 30


@dataclass(frozen=True, slots=True)
class LineWords:
    """What stands on a line, and what a click does."""

    icon: str
    icon_role: str
    name: str
    detail: str
    below: str
    right: str
    run: Callable[[], object] = field(compare=False)


def line_height(widget: QWidget) -> int:
    """The height of a line in the font of a widget."""
    return 2 * widget.fontMetrics().lineSpacing() + 2 * XS + 2


class HomeLine(QPushButton):
    """Icon, a strong word and what belongs to it, a second line, a word at the right."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "line")
        self.setAutoDefault(False)
        self.words: LineWords | None = None
        self.clicked.connect(self._click)
        line = QHBoxLayout(self)
        line.setContentsMargins(S, XS, S, XS)
        line.setSpacing(M)
        self._icon = ThemedIcon("ok", 18)
        self.lead = label("", "strong")
        self.name = ElidedLabel("", "strong")
        self.detail = ElidedLabel("", "muted")
        self.below = ElidedLabel("", "caption")
        self.right = label("", "muted")
        column = QVBoxLayout()
        column.setSpacing(0)
        what = row(self.lead, self.name, self.detail)
        what.setStretch(1, 1)
        what.setStretch(2, 1)
        column.addLayout(what)
        column.addWidget(self.below)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        line.addLayout(column, 1)
        line.addWidget(self.right)
        for part in (self._icon, self.lead, self.name, self.detail, self.below, self.right):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFixedHeight(line_height(self))

    def _click(self) -> None:
        if self.words is not None:
            self.words.run()

    def show_words(self, words: LineWords) -> None:
        """Write everything anew; unless it stands there already."""
        if words == self.words:
            self.words = words
            return
        self.words = words
        self._icon.show_icon(words.icon, words.icon_role)
        # A short name before a detail keeps its width; alone it takes all the room.
        self.lead.setText(words.name)
        self.lead.setVisible(bool(words.detail))
        self.name.show_text(words.name)
        self.name.setVisible(not words.detail)
        self.detail.show_text(words.detail)
        self.detail.setVisible(bool(words.detail))
        self.below.show_text(words.below)
        self.right.setText(words.right)
        self.setAccessibleName(", ".join(part for part in (words.name, words.detail, words.below, words.right) if part))
        self.setToolTip(plain_tip(words.detail or words.name))


class LinesCard(Card):
    """A heading with a button, and lines; `show_room` says for how many there is room."""

    def __init__(self, title: str, more: QPushButton, none: str) -> None:
        super().__init__(spacing=SPACING)
        # The lines have room at their sides, where the mouse and the keyboard colour them.
        self.body.setContentsMargins(L - S, L, L - S, M)
        head = card_head(title, more)
        head.setContentsMargins(S, 0, S, 0)
        self.body.addWidget(head)
        self.body.addSpacing(S)
        self.lines: list[HomeLine] = []
        self.none = label(none, "muted", wrap=True)
        self.none.setContentsMargins(S, 0, S, 0)
        # Before anything was read it is not known whether there is nothing.
        self.none.hide()
        self._is_known = False
        self.body.addWidget(self.none)
        self.body.addStretch(1)
        self._shown: Sequence[LineWords] = ()
        self._room = 0

    def show_lines(self, lines: Sequence[LineWords]) -> None:
        """What there is to show, the most important first."""
        self._shown = lines[:MOST_LINES]
        self._is_known = True
        self._refresh()

    def show_room(self, height: int, least: int) -> None:
        """Show as many lines as fit into a height, at least `least`."""
        each = line_height(self) + SPACING
        margins = self.body.contentsMargins()
        used = margins.top() + margins.bottom() + HEAD + S + 2 * SPACING
        room = max(least, min(MOST_LINES, (height - used) // each))
        if room != self._room:
            self._room = room
            self._refresh()

    def _refresh(self) -> None:
        count = min(len(self._shown), self._room)
        self.none.setVisible(self._is_known and not self._shown)
        for place in range(max(count, len(self.lines))):
            if place == len(self.lines):
                self._append_line()
            self.lines[place].setVisible(place < count)
            if place < count:
                self.lines[place].show_words(self._shown[place])

    def _append_line(self) -> None:
        """Lines are made as they are needed: most windows show half of them."""
        made = HomeLine()
        self.lines.append(made)
        self.body.insertWidget(self.body.indexOf(self.none), made)
