"""The passages of a document: a table of them, and the selected one in full with what is flagged in it."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from app.desktop.flags import flagged, text_flags
from app.desktop.models.details import ChunksModel
from app.desktop.tables import DataTable
from app.desktop.tokens import L, S
from app.desktop.widgets import label


class ChunksView(QSplitter):
    """Table left, text right."""

    def __init__(self, model: ChunksModel) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._model = model
        self.table = DataTable(model, self.tr("Chunks of the page"), (48, 200, 72, 200), 1)
        self.table.setColumnHidden(3, True)
        self.table.current_changed.connect(self._show)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setProperty("role", "beside")
        self.text.document().setDocumentMargin(L)
        self.text.setAccessibleName(self.tr("Text of the chunk"))
        self.flags = label("", "warning", wrap=True)
        self.flags.setContentsMargins(L, S, L, S)
        self.flags.hide()
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)
        self.addWidget(self.table)
        self.addWidget(self._right())
        self.setSizes([400, 440])

    def clear(self) -> None:
        """Show no passage."""
        self.text.clear()
        self.flags.hide()

    def _right(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.flags)
        column.addWidget(self.text, 1)
        return holder

    def _show(self, index: QModelIndex) -> None:
        chunk = self._model.record_at(index)
        self.text.setPlainText(chunk.text if chunk is not None else "")
        words = flagged(text_flags(chunk.text)) if chunk is not None else ""
        self.flags.setText(words)
        self.flags.setVisible(bool(words))
