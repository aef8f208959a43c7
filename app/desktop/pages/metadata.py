"""What is known of a document, in groups of names and values that can be copied, and what is flagged in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from app.desktop.language import spoken
from app.desktop.models.document_facts import Fact, Group, groups_of
from app.desktop.panels import Line
from app.desktop.preview.links import breakable
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import ThemedIcon, button, icon_button, label, row

if TYPE_CHECKING:
    from app.corpus.records import Document, DocumentSummary
    from app.desktop.flags import FlaggedPassage
    from app.desktop.models.document_loading import Facts

NAME_WIDTH = 132
COPY = 14


class MetadataView(QScrollArea):
    """Groups of facts. `passages_wanted` carries the places of flagged passages to be shown in the text, `copied` what was copied."""

    passages_wanted = Signal(list)
    copied = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setProperty("role", "plain")
        self.setAccessibleName(self.tr("Metadata of the page"))
        self._document: Document | None = None
        self._summary: DocumentSummary | None = None
        self._facts: Facts | None = None
        self._shown: list[Group] = []

    def clear(self) -> None:
        self._document = self._summary = self._facts = None
        self._shown = []
        self.setWidget(QWidget())

    def show_document(self, document: Document, summary: DocumentSummary) -> None:
        """Show what is known; freshness and flags follow with `show_facts`."""
        if self._document is None or self._document.id != document.id:
            self._facts = None
        self._document, self._summary = document, summary
        self._fill()

    def show_facts(self, facts: Facts) -> None:
        """Add what had to be asked for."""
        self._facts = facts
        self._fill()

    def values(self) -> dict[str, str]:
        """The facts in view by their names."""
        return {fact.name: fact.value for group in self._shown for fact in group.facts}

    def _fill(self) -> None:
        if self._document is None or self._summary is None:
            return
        place = self.verticalScrollBar().value()
        self._shown = groups_of(self._document, self._summary, self._facts)
        content = QWidget()
        content.setProperty("role", "plain")
        column = QVBoxLayout(content)
        column.setContentsMargins(XL, L, XL, XL)
        column.setSpacing(M)
        for position, group in enumerate(self._shown):
            if position:
                column.addWidget(Line())
            column.addWidget(self._group(group))
        column.addStretch(1)
        self.setWidget(content)
        self.verticalScrollBar().setValue(place)

    def _group(self, group: Group) -> QWidget:
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, XS, 0, XS)
        grid.setHorizontalSpacing(L)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, NAME_WIDTH)
        grid.addWidget(label(group.title, "strong"), 0, 0, 1, 3)
        for place, fact in enumerate(group.facts, 1):
            self._add_fact(grid, place, fact)
        for passage in group.passages:
            grid.addWidget(self._passage(passage), grid.rowCount(), 0, 1, 3)
        if len(group.passages) > 1:
            spans = [(each.start, each.end) for each in group.passages]
            every = button(self.tr("Show all in the text"), lambda: self.passages_wanted.emit(spans), "link")
            grid.addWidget(every, grid.rowCount(), 0, 1, 3, Qt.AlignmentFlag.AlignLeft)
        return holder

    def _add_fact(self, grid: QGridLayout, place: int, fact: Fact) -> None:
        name = label(fact.name, "muted")
        name.setToolTip(fact.tip)
        value = self._value(fact)
        name.setBuddy(value)
        grid.addWidget(name, place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(value, place, 1, Qt.AlignmentFlag.AlignTop)
        if fact.can_copy:
            copy = icon_button("copy", self.tr("Copy: {}").format(fact.name), lambda: self._copy(fact))
            copy.setIconSize(QSize(COPY, COPY))
            copy.setFixedSize(COPY + 12, COPY + 12)
            grid.addWidget(copy, place, 2, Qt.AlignmentFlag.AlignTop)

    def _value(self, fact: Fact) -> QLabel:
        value = label(breakable(fact.value) if fact.can_copy else fact.value, "", wrap=True, selectable=True)
        value.setAccessibleName(f"{fact.name}: {fact.value}")
        value.setToolTip(fact.tip)
        return value

    def _passage(self, passage: FlaggedPassage) -> QWidget:
        """What a flagged passage does, its first words, and the way to it."""
        made = QFrame()
        made.setProperty("role", "example")
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(label(", ".join(map(spoken, passage.flags)), "strong", wrap=True))
        words.addWidget(label(f"“{passage.words}”", "muted", wrap=True))
        show = button(
            self.tr("Show in text"), lambda: self.passages_wanted.emit([(passage.start, passage.end)]), "link"
        )
        line = row(ThemedIcon("flag", 18, "warning"), spacing=M)
        line.addLayout(words, 1)
        line.addWidget(show)
        line.setContentsMargins(M, S, S, S)
        made.setLayout(line)
        return made

    def _copy(self, fact: Fact) -> None:
        QGuiApplication.clipboard().setText(fact.value)
        self.copied.emit(fact.name)
