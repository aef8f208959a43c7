"""Changes view: passages added, removed and changed since an earlier version, marked by signs as well as colors."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFont, QResizeEvent, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QComboBox, QTextEdit, QWidget

from app.desktop.pages.parts import stack_of
from app.desktop.panels import EmptyState
from app.desktop.theme import colours, theme
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, column, held, icon_button, label, row, show_words
from app.desktop.wording import assistant_title, counted, full_time, plain_address, plain_tip
from app.text.changes import Change, PassageChange, Run

if TYPE_CHECKING:
    from app.engine.documents import PageHistory

MAX_SHOWN_CHARS: Final = 40_000  # Limit for all changes together, because they are written in one go.
MAX_RUN_CHARS: Final = 3_000
MIN_COMBO_CHARS: Final = 18
_HEADING: Final = re.compile(r"(#{1,6}[ \t]+)\S.*\Z")
"""A passage that consists of one heading. A code line that looks like a heading has other lines next to it."""
TALL: Final = 240  # Below this height, dates are only shown in the tooltip to leave room for the changes.


class ChangesView(QWidget):
    """Changes of a page. `version_wanted` carries the ID of the earlier version to compare with."""

    version_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._history: PageHistory | None = None
        self._places: list[int] = []
        self.empty = EmptyState("clock", "", "")
        self._blank = QWidget()
        self.versions = QComboBox(sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.versions.setAccessibleName(self.tr("Earlier version to compare with"))
        self.versions.setMinimumContentsLength(MIN_COMBO_CHARS)
        self.versions.activated.connect(lambda _place: self.version_wanted.emit(int(self.versions.currentData())))
        since = label(self.tr("Changed since"), "muted")
        since.setBuddy(self.versions)
        self.counts = ElidedLabel("", "strong")
        self.facts = ElidedLabel("", "caption")
        self.steps = (
            icon_button("up", self.tr("Previous change"), lambda: self.go(-1)),
            icon_button("down", self.tr("Next change"), lambda: self.go(1)),
        )
        for widget in (self.versions, *self.steps):
            # On a low page, the list shrinks instead of this view.
            widget.setMinimumHeight(widget.sizeHint().height())
        self.warning = label("", "warning", wrap=True, margins=(L, S, M, S))
        self.text = QTextEdit(readOnly=True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setProperty("role", "plain")
        self.text.setFrameShape(QTextEdit.Shape.NoFrame)
        self.text.document().setDocumentMargin(L)
        self.text.setAccessibleName(self.tr("Changes of the page"))
        head = column(
            row(since, (self.versions, 1), *self.steps), self.counts, self.facts, spacing=XS, margins=(L, S, M, S)
        )
        self._compared = held(column(head, self.warning, (self.text, 1), spacing=0))
        self.states = stack_of(self._blank, self.empty, self._compared)
        column(self.states, parent=self)
        theme().changed.connect(self._write)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.facts.setVisible(self.height() >= TALL)

    def clear(self) -> None:
        self._history = None
        self.text.clear()
        self.states.setCurrentWidget(self._blank)

    def show_history(self, history: PageHistory, url: str, cited_at: float | None) -> None:
        """Show the changes since the earlier version, or why there are none."""
        self._history = history
        if history.since is None:
            title = self.tr("No earlier versions")
            words = self.tr("When the page changes, the differences appear here.")
            if history.versions:
                title = self.tr("Cannot read the earlier versions")
                words = self.tr("Check the library under Settings > Storage.")
            self.empty.show_words(title, words)
            self.states.setCurrentWidget(self.empty)
            return
        self.versions.clear()
        for version in history.versions:
            words = full_time(version.read_at)
            if cited_at is not None and version.read_at <= cited_at < version.replaced_at:
                words = self.tr("{} (last cited)").format(words)
            elif version == history.versions[-1]:
                words = self.tr("{} (oldest version)").format(words)
            self.versions.addItem(words, version.id)
            if version == history.since:
                self.versions.setCurrentIndex(self.versions.count() - 1)
        facts = self.tr("Fetched on {}, changed on {}").format(
            full_time(history.since.read_at), full_time(history.since.replaced_at)
        )
        if history.since.url != url:
            facts = self.tr("{}, then at {}").format(facts, plain_address(history.since.url))
        self.versions.setToolTip(plain_tip(facts))
        self.facts.show_text(facts)
        self._show_words(history)
        self._write()
        self.states.setCurrentWidget(self._compared)

    def go(self, by: int) -> None:
        here = self.text.textCursor().position()
        after = [place for place in self._places if place > here]
        before = [place for place in self._places if place < here]
        place = after[0] if by > 0 and after else before[-1] if by < 0 and before else None
        if place is not None:
            self._go_to(place)

    def _show_words(self, history: PageHistory) -> None:
        changes = history.changes
        parts = (
            (Change.CHANGED, self.tr("1 passage changed"), self.tr("{} passages changed")),
            (Change.ADDED, self.tr("1 passage added"), self.tr("{} passages added")),
            (Change.REMOVED, self.tr("1 passage removed"), self.tr("{} passages removed")),
        )
        counts = [counted(changes.count(kind), one, many) for kind, one, many in parts if changes.count(kind)]
        self.counts.show_text(", ".join(counts) or self.tr("No differences"))
        self.counts.setVisible(not changes.is_too_long)
        warnings = []
        if history.clients:
            names = ", ".join(dict.fromkeys(map(assistant_title, history.clients)))
            warnings.append(self.tr("Passages returned to {} have changed.").format(names))
        if changes.is_rewritten:
            warnings.append(self.tr("The page was rewritten. Almost none of the earlier text remains."))
        if changes.is_too_long:
            warnings.append(self.tr("The page has too many changes to compare its passages."))
        show_words(self.warning, " ".join(warnings))

    def _write(self) -> None:
        """Write all changes up to the limit in the colors of the scheme."""
        if self._history is None or self._history.since is None:
            return
        self.text.clear()
        self._places = []
        cursor = self.text.textCursor()
        cursor.beginEditBlock()
        left, hidden = MAX_SHOWN_CHARS, 0
        for passage in self._history.changes.passages:
            if left <= 0:
                hidden += passage.change is not Change.SAME
                continue
            left -= self._write_passage(cursor, passage)
        if hidden:
            self._write_heading(cursor, counted(hidden, self.tr("1 more change"), self.tr("{} more changes")), "muted")
        cursor.endEditBlock()
        for made in self.steps:
            made.setEnabled(len(self._places) > 1)
        self._go_to(self._places[0] if self._places else 0)

    def _write_passage(self, cursor: QTextCursor, passage: PassageChange) -> int:
        """Write one passage. Return its number of characters."""
        if passage.change is Change.SAME:
            words = counted(passage.count, self.tr("1 unchanged passage"), self.tr("{} unchanged passages"))
            self._write_heading(cursor, f"· {words}", "muted")
            return 0
        title, colour = {
            Change.ADDED: (self.tr("+ Added"), "success"),
            Change.REMOVED: (self.tr("− Removed"), "danger"),
            Change.CHANGED: (self.tr("± Changed"), "accent_text"),
        }[passage.change]
        if passage.was_cited:
            title = self.tr("{}  ·  returned to an assistant").format(title)
        self._places.append(self._write_heading(cursor, title, colour))
        frame = QTextBlockFormat()
        frame.setLeftMargin(M)
        frame.setBottomMargin(S)
        cursor.insertBlock(frame, QTextCharFormat())
        length = 0
        for run in _without_heading_marks(passage.runs):
            words = run.text if len(run.text) <= MAX_RUN_CHARS else f"{run.text[:MAX_RUN_CHARS]} …"
            cursor.insertText(
                words.replace("\n", "\u2028"), _look(run.change, is_marked=passage.change is Change.CHANGED)
            )
            length += len(words)
        return length

    def _write_heading(self, cursor: QTextCursor, words: str, colour: str) -> int:
        """Write a line between passages. Return its position."""
        block, look = QTextBlockFormat(), QTextCharFormat()
        block.setTopMargin(XS)
        look.setForeground(QColor(getattr(colours(), colour)))
        if colour != "muted":
            look.setFontWeight(QFont.Weight.DemiBold)
        if cursor.position():
            cursor.insertBlock(block, look)
        place = cursor.position()
        cursor.insertText(words, look)
        return place

    def _go_to(self, place: int) -> None:
        cursor = self.text.textCursor()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        self.text.setTextCursor(cursor)
        cursor.setPosition(place)
        self.text.setTextCursor(cursor)


def _without_heading_marks(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Remove the heading marks from the runs of a heading, unless its level has changed."""
    first = runs[0]
    marks = _HEADING.match("".join(run.text for run in runs))
    if marks is None or len(first.text) < marks.end(1) or (len(runs) > 1 and first.change is not Change.SAME):
        return runs
    return (replace(first, text=first.text[marks.end(1) :]), *runs[1:])


def _look(change: Change, *, is_marked: bool) -> QTextCharFormat:
    """Return the format of words: removed ones struck out, added ones underlined, each on its own tint."""
    scheme, look = colours(), QTextCharFormat()
    look.setForeground(QColor(scheme.text))
    if change is Change.REMOVED:
        look.setForeground(QColor(scheme.danger))
        look.setBackground(QColor(scheme.danger_soft))
        look.setFontStrikeOut(is_marked)
    elif change is Change.ADDED:
        look.setForeground(QColor(scheme.success))
        look.setBackground(QColor(scheme.success_soft))
        look.setFontUnderline(is_marked)
    return look
