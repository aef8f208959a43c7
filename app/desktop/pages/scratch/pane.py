"""Details of one saved passage: its text, its exact characters, its source, facts to copy, and actions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Qt, QUrl
from PySide6.QtWidgets import QTabWidget

from app.desktop.models.details import anchor_words
from app.desktop.models.scratch import KeptPassage, kept_text, kept_tip, readable, title_text
from app.desktop.pages.parts import FactGrid, Scrolled, text_box
from app.desktop.pages.scratch.actions import can_browse
from app.desktop.panels import Card
from app.desktop.preview.links import ask_and_open
from app.desktop.preview.panel import PreviewPanel
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import column, held, icon_button, label, row
from app.desktop.wording import assistant_title, full_time, local_path, number, size

EXACT_CHARS: Final = 200_000  # Longer exact texts are cut here. The preview and the saved file contain the full text.


class FactsView(Scrolled):
    """Two-column list without empty facts. A newer state of the same passage updates the labels in place."""

    def __init__(self) -> None:
        super().__init__("plain")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Passage details"))
        self._grid = FactGrid()
        self._grid.setContentsMargins(XL, L, XL, L)
        self._grid.setHorizontalSpacing(XL)
        content = held(column(self._grid, 1))
        content.setProperty("role", "plain")
        self.setWidget(content)
        self.values = self._grid.values

    def show_passage(self, row: KeptPassage | None) -> None:
        self._grid.show_facts(self._facts(row) if row is not None else ())

    def _facts(self, row: KeptPassage) -> list[tuple[str, str]]:
        content = row.content
        length = self.tr("{} characters, {}").format(number(len(content.text)), size(row.passage.size_bytes))
        return [
            (self.tr("Title"), title_text(row)),
            (self.tr("Source"), local_path(content.source_uri) or content.source_uri),
            (self.tr("Place"), anchor_words(content.source_uri.partition("#")[2])),
            (self.tr("Assistant"), assistant_title(row.client)),
            (self.tr("Found"), full_time(row.passage.created_at)),
            (self.tr("Expires in"), f"{kept_text(row)}. {kept_tip(row)}"),
            (self.tr("Size"), length),
            (self.tr("Format"), content.media_type),
            (self.tr("Documentation"), content.doc_tag),
            (self.tr("Address"), row.passage.uri),
        ]


class ScratchPane(Card):
    """One passage. `run` has the actions of the page: pin, page, source, save, copy and delete."""

    def __init__(self, **run: Callable[[], object]) -> None:
        super().__init__(margin=1, spacing=0)
        self.body.setContentsMargins(1, 1, 1, S)
        self.shown: KeptPassage | None = None
        self._is_gone = False
        self.reader = PreviewPanel(self.tr("Passage text"))
        self.preview = self.reader.preview
        self.reader.link_clicked.connect(lambda address: ask_and_open(QUrl(address), self))
        self.exact = text_box(self.tr("Exact text of the passage"), mono=1)
        self.facts = FactsView()
        self.tabs = QTabWidget(documentMode=True)
        self.tabs.addTab(self.reader, self.tr("Preview"))
        self.tabs.addTab(self.exact, self.tr("Exact text"))
        self.tabs.addTab(self.facts, self.tr("Details"))
        self._pin = icon_button("pin", self.tr("Pin"), run["pin"])
        self._pin.setCheckable(True)
        self._page = icon_button("library", self.tr("Open in Library"), run["page"], self.tr("Enter"))
        self._source = icon_button("external", self.tr("Open in browser"), run["source"])
        self._save = icon_button("export", self.tr("Save as file…"), run["save"], "Ctrl+S")
        self._copy = icon_button("copy", self.tr("Copy passage address"), run["copy"], "Ctrl+C")
        self._delete = icon_button("trash", self.tr("Delete passage"), run["delete"], self.tr("Del"))
        actions = self._pin, self._page, self._source, self._copy, self._save, self._delete
        self.tabs.setCornerWidget(held(row(*actions, spacing=2, margins=(0, 0, S, 0))), Qt.Corner.TopRightCorner)
        self.body.addWidget(self.tabs, 1)
        self._note = label("", "caption", margins=(M, XS, M, XS))
        self.body.addWidget(self._note)
        self._show()

    def show_passage(self, row: KeptPassage | None) -> None:
        """Show another passage, a newer state of the same one, or none."""
        is_other = row is None or self.shown is None or row.id != self.shown.id
        self.shown, self._is_gone = row, False
        if is_other:
            text = self.shown.content.text if self.shown is not None else ""
            self.reader.show_text(readable(self.shown.content) if self.shown is not None else "")
            self.exact.setPlainText(text[:EXACT_CHARS])
        self._show()

    @property
    def kept(self) -> KeptPassage | None:
        """The current passage, unless it was deleted."""
        return None if self._is_gone else self.shown

    def show_gone(self) -> None:
        """Mark the current passage as deleted. Its text can still be read and saved."""
        if self.shown is not None and not self._is_gone:
            self._is_gone = True
            self._show()

    def _show(self) -> None:
        row = self.shown
        self.tabs.setEnabled(row is not None)
        self._note.setText(self._note_text())
        self._note.setVisible(bool(self._note.text()))
        self.facts.show_passage(row)
        is_kept = row is not None and not self._is_gone
        for made in (self._pin, self._delete, self._copy):
            made.setEnabled(is_kept)
        self._save.setEnabled(row is not None)
        self._page.setEnabled(row is not None and row.content.document_id is not None)
        self._source.setEnabled(row is not None and can_browse(row))
        is_pinned = row is not None and row.is_pinned
        words = self.tr("Unpin") if is_pinned else self.tr("Pin")
        self._pin.setChecked(is_pinned)
        self._pin.setToolTip(f"{words} (Ctrl+P)")
        self._pin.setAccessibleName(words)

    def _note_text(self) -> str:
        if self.shown is None:
            return ""
        if self._is_gone:
            return self.tr("Deleted or expired")
        length = len(self.shown.content.text)
        if length > EXACT_CHARS:
            return self.tr("Exact text: the first {} characters").format(number(length))
        return ""
