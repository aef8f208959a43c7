"""How much is stored, in four numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.desktop.panels import Card
from app.desktop.tokens import L
from app.desktop.widgets import label
from app.desktop.wording import number, short_number, size

if TYPE_CHECKING:
    from app.corpus.records import CorpusTotals

NOTHING = "–"


class NumberTile(Card):
    """A number with its name; the tooltip says what is counted."""

    def __init__(self, name: str, meaning: str) -> None:
        super().__init__(spacing=0)
        self.value: QLabel = label(NOTHING, "number")
        self.body.addWidget(self.value)
        self.body.addWidget(label(name, "muted"))
        self._name, self._meaning = name, meaning
        self.show_value(NOTHING)

    def show_value(self, text: str, exact: str = "") -> None:
        self.value.setText(text)
        self.setAccessibleName(f"{self._name}: {text}")
        self.setToolTip(f"{exact}\n{self._meaning}" if exact and exact != text else self._meaning)


class Tiles(QWidget):
    """Pages, chunks, tokens, bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.documents = NumberTile(self.tr("Pages"), self.tr("Web pages and files in the library."))
        self.chunks = NumberTile(
            self.tr("Chunks"), self.tr("Pages are cut into chunks of a few paragraphs: those are found and quoted.")
        )
        self.tokens = NumberTile(
            self.tr("Tokens"), self.tr("The length of all text as language models count it; about ¾ of a word each.")
        )
        self.file = NumberTile(self.tr("On this disk"), self.tr("The size of the file that holds the library."))
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(L)
        self._all = (self.documents, self.chunks, self.tokens, self.file)
        for tile in self._all:
            line.addWidget(tile, 1)

    def show_totals(self, totals: CorpusTotals) -> None:
        for tile, value in (
            (self.documents, totals.documents),
            (self.chunks, totals.chunks),
            (self.tokens, totals.tokens),
        ):
            tile.show_value(short_number(value), number(value))
        self.file.show_value(size(totals.file_bytes))

    def show_nothing(self) -> None:
        """The library cannot be read."""
        for tile in self._all:
            tile.show_value(NOTHING)
