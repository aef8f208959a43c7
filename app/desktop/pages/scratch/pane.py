"""Details of one saved passage: its text, exact characters, source and facts. Actions on passages: pin, unpin, delete, save, copy, open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QDir, QObject, Qt, QUrl
from PySide6.QtWidgets import QFileDialog, QTabWidget, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.exports import ask_and_open, file_name, open_outside, save_text
from app.desktop.models.details import anchor_words
from app.desktop.models.scratch import KeptPassage, ScratchModel, kept_text, kept_tip, readable, title_text
from app.desktop.pages.page import PendingDeletion
from app.desktop.pages.parts import FactsArea, text_box
from app.desktop.panels import Card
from app.desktop.preview.panel import PreviewPanel
from app.desktop.qt import Act
from app.desktop.tokens import XL, XS, L, M, S
from app.desktop.widgets import held, icon_button, label, row, show_words
from app.desktop.wording import assistant_title, counted, full_time, key_text, local_path, number, short_title, size
from app.errors import CorpusError, WebRAGError
from app.library.records import PassageIn

EXACT_CHARS: Final = 200_000  # Longer exact texts are cut here. The preview and the saved file contain the full text.


class FactsView(FactsArea):
    """The known facts. A newer state of the same passage updates the labels in place."""

    def __init__(self) -> None:
        super().__init__((XL, L, XL, L))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setAccessibleName(self.tr("Passage details"))

    def show_passage(self, row: KeptPassage | None) -> None:
        self.show_facts(self._facts(row) if row is not None else ())

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

    def __init__(self, **run: Act) -> None:
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
        note = self.tr("Deleted or expired") if self._is_gone else ""
        if row is not None and not note and len(row.content.text) > EXACT_CHARS:
            note = self.tr("Exact text: the first {} characters").format(number(EXACT_CHARS))
        show_words(self._note, note)
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
        self._pin.setToolTip(f"{words} ({key_text('Ctrl+P')})")
        self._pin.setAccessibleName(words)


class ScratchActions(QObject):
    """Acts on the passages it is given. `deletion` holds the deleted ones until the time to undo has passed."""

    def __init__(self, context: Context, model: ScratchModel, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._model = model
        self._window = parent
        self.deletion = PendingDeletion[str](
            context, model, lambda engine, ids: _for_each(engine.scratch.delete, ids), self
        )

    def pin(self, rows: Sequence[KeptPassage]) -> None:
        """Keep passages permanently."""
        ids = [row.id for row in rows if not row.is_pinned]
        words = counted(len(ids), self.tr("Passage pinned"), self.tr("{} passages pinned"))
        self._change(lambda engine: _for_each(engine.scratch.pin, ids), words)

    def unpin(self, rows: Sequence[KeptPassage]) -> None:
        """Let passages expire again. Expired ones are deleted immediately, with undo."""
        pinned = [row for row in rows if row.is_pinned]
        lasting = [row.id for row in pinned if row.expires_at is not None]
        last = [row for row in pinned if row.expires_at is None]
        if lasting:
            words = counted(len(lasting), self.tr("Passage unpinned"), self.tr("{} passages unpinned"))
            self._change(lambda engine: _for_each(engine.scratch.unpin, lasting), words)
        if last:
            one = self.tr("Expired passage unpinned and deleted")
            many = self.tr("{} expired passages unpinned and deleted")
            self.deletion.add((row.id for row in last), one, many, self.deletion.undo)

    def delete(self, rows: Sequence[KeptPassage]) -> None:
        """Hide passages, and delete them when the time to undo has passed."""
        if rows:
            one = self.tr("Passage of “{}” deleted").format(
                short_title(rows[0].content.title or rows[0].content.source_uri)
            )
            many = self.tr("{} passages deleted")
            self.deletion.add((row.id for row in rows), one, many, self.deletion.undo)

    def save(self, row: KeptPassage) -> None:
        name = QDir.home().filePath(file_name(row.content))
        chosen, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save passage"), name, self.tr("Files (*)"))
        if chosen:
            self._context.run(
                self,
                lambda: save_text(row.content.text, Path(chosen)),
                lambda path: self._context.notifier.say(self.tr("Saved as {}").format(path.name)),
            )

    def copy_addresses(self, rows: Sequence[KeptPassage]) -> None:
        if rows:
            said = counted(len(rows), self.tr("Address copied"), self.tr("{} addresses copied"))
            self._context.copy("\n".join(row.passage.uri for row in rows), said)

    def open_page(self, row: KeptPassage) -> None:
        """Show the stored page of the passage at its position, if it still exists."""
        if row.content.document_id is not None:

            def show(place: tuple[int, int, int, bool]) -> None:
                *where, is_changed = place
                self._context.show_document(*where)
                if is_changed:
                    self._context.notifier.say(self.tr("The page has changed and no longer contains this passage"))

            self._context.ask(self, lambda engine: _place_of(engine, row.content), show)

    def open_source(self, row: KeptPassage) -> None:
        open_outside(QUrl(row.content.source_uri))

    def open(self, row: KeptPassage) -> bool:
        """Open the source in the Library, otherwise in the browser. Return False if it has none."""
        if row.content.document_id is not None:
            self.open_page(row)
        elif can_browse(row):
            self.open_source(row)
        else:
            return False
        return True

    def _change(self, work: Callable[[Engine], Awaitable[None]], words: str) -> None:
        def done(_: None) -> None:
            self._context.notifier.say(words)
            self._model.reload()

        self._context.ask(self, work, done, self._failed)

    def _failed(self, error: WebRAGError) -> None:
        self._context.notifier.complain(error)
        self._model.reload()


def can_browse(row: KeptPassage) -> bool:
    """Whether the passage is from the web."""
    return row.content.source_uri.startswith(("http://", "https://"))


async def _for_each(act: Callable[[str], object], ids: Sequence[str]) -> None:
    for passage_id in ids:
        await asyncio.to_thread(act, passage_id)


async def _place_of(engine: Engine, content: PassageIn) -> tuple[int, int, int, bool]:
    """Return the page of a passage, the range there, and whether the page no longer contains it; then the range is empty.

    Raises CorpusError if the page was deleted.
    """
    document = await engine.documents.get(content.document_id or 0)
    if document is None:
        raise CorpusError(
            "The page of this passage is no longer in the library.", hint="Open it in the browser, or add it again."
        )
    if content.document_hash == document.content_hash:
        return document.id, content.start, content.end, False
    start = document.text.find(content.text)
    if start >= 0:
        return document.id, start, start + len(content.text), False
    return document.id, 0, 0, bool(content.document_hash)
