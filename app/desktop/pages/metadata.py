"""What is known of a document, as names and values that can be copied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from app.desktop.models.library import kind_text, state_text
from app.desktop.tokens import XL, L, S
from app.desktop.widgets import label
from app.desktop.wording import full_time, number

if TYPE_CHECKING:
    from app.corpus.records import Document, DocumentSummary


class MetadataView(QScrollArea):
    """A two-column list; empty facts are left out."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setProperty("role", "plain")
        self.setAccessibleName(self.tr("Metadata of the page"))

        self._flags: dict[int, str] = {}
        self._flags_shown = label()

    def clear(self) -> None:
        self._flags.clear()
        self._flags_shown = label()
        self.setWidget(QWidget())

    def show_flags(self, document_id: int, flags: str) -> None:
        """Say what is flagged in a document; an empty text when nothing is."""
        self._flags = {document_id: flags or self.tr("None")}
        self._flags_shown.setText(self._flags[document_id])

    def show_document(self, document: Document, summary: DocumentSummary) -> None:
        facts = [
            (self.tr("Address"), document.url),
            (self.tr("Title"), document.title),
            (self.tr("Kind"), kind_text(document.kind)),
            (self.tr("Language"), document.language),
            (self.tr("State"), state_text(summary)),
            (self.tr("Note"), document.note),
            (self.tr("Flags"), self._flags.get(document.id, "…")),
            (self.tr("Fetched"), full_time(document.last_crawled)),
            (self.tr("Text changed"), full_time(document.changed_at)),
            (self.tr("Published"), document.published or ""),
            (self.tr("Last modified"), document.last_modified or ""),
            (
                self.tr("Size"),
                self.tr("{} characters, {} tokens").format(number(len(document.text)), number(summary.tokens)),
            ),
            (
                self.tr("Chunks"),
                self.tr("{}, {} with vectors").format(number(summary.chunks), number(summary.chunks_embedded)),
            ),
            (self.tr("Sections"), number(len(document.sections))),
            (self.tr("Images"), number(len(document.images))),
            (self.tr("Entity tag"), document.etag or ""),
            (self.tr("Content hash"), document.content_hash),
        ]
        content = QWidget()
        content.setProperty("role", "plain")
        grid = QGridLayout(content)
        grid.setContentsMargins(XL, L, XL, L)
        grid.setHorizontalSpacing(XL)
        grid.setVerticalSpacing(S)
        grid.setColumnStretch(1, 1)
        for place, (name, value) in enumerate((name, value) for name, value in facts if value):
            grid.addWidget(label(name, "muted"), place, 0, Qt.AlignmentFlag.AlignTop)
            shown = label(value, "", wrap=True, selectable=True)
            grid.addWidget(shown, place, 1)
            if name == self.tr("Flags"):
                self._flags_shown = shown
        grid.setRowStretch(len(facts), 1)
        self.setWidget(content)
