"""The passages of a document: a table of them, and the selected one in full with what is flagged in it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from app.desktop.flags import flagged, text_flags
from app.desktop.models.details import HEADING, TEXT, ChunksModel
from app.desktop.tables import DataTable
from app.desktop.tokens import XS, L, M, S
from app.desktop.widgets import ElidedLabel, button, label, row


class ChunksView(QSplitter):
    """Table left, text right. `chosen` follows the row in detail with its place in the page, `wanted` asks to see it there."""

    chosen = Signal(int, int)
    wanted = Signal(int, int)

    def __init__(self, model: ChunksModel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._model = model
        self.table = DataTable(model, self.tr("Chunks of the page"), (44, 150, 84, 116, 116, 200), HEADING)
        self.table.setColumnHidden(TEXT, True)
        self.table.hide_when_narrow(3, 4)
        self.table.empty_text = self.tr("This page has no chunks yet")
        self.table.current_changed.connect(self._show)
        self.table.opened.connect(lambda _index: self._want())
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "plain")
        self.text.document().setDocumentMargin(L)
        self.text.setAccessibleName(self.tr("Text of the chunk"))
        self.flags = label("", "warning", wrap=True)
        self.flags.setContentsMargins(L, S, L, S)
        self.flags.hide()
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(self.table)
        self.addWidget(self._right())
        self.setSizes([460, 380])
        self.clear()

    def clear(self) -> None:
        """Show no passage."""
        self.text.clear()
        self.flags.hide()
        self.facts.show_text("")
        self.show_button.setEnabled(False)

    def _right(self) -> QWidget:
        self.facts = ElidedLabel("", "caption")
        self.show_button = button(self.tr("Show in the page"), self._want, "link")
        head = QHBoxLayout()
        head.setContentsMargins(L, S, M, 0)
        head.addWidget(self.facts)
        foot = QWidget()
        line = row(1, self.show_button)
        line.setContentsMargins(L, XS, S, 0)
        foot.setLayout(line)
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self.flags)
        column.addWidget(self.text, 1)
        column.addWidget(foot)
        return holder

    def _show(self, index: QModelIndex) -> None:
        chunk = self._model.record_at(index)
        if chunk is None:
            self.clear()
            return
        self.text.setPlainText(chunk.text)
        words = flagged(text_flags(chunk.text))
        self.flags.setText(words)
        self.flags.setVisible(bool(words))
        self.facts.show_text(self._model.facts_text(chunk))
        self.show_button.setEnabled(True)
        self.chosen.emit(chunk.start, chunk.end)

    def _want(self) -> None:
        chunk = self._model.record_at(self.table.currentIndex())
        if chunk is not None:
            self.wanted.emit(chunk.start, chunk.end)
