"""Actions on saved passages: pin, unpin, delete and undo, save, copy, open."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QDir, QObject, QUrl
from PySide6.QtWidgets import QFileDialog, QWidget

from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.exports import file_name, save_text
from app.desktop.models.scratch import KeptPassage, ScratchModel
from app.desktop.pages.page import PendingDeletion
from app.desktop.preview.links import open_outside
from app.desktop.wording import counted, short_title
from app.errors import CorpusError, WebRAGError
from app.library.records import PassageIn


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
            one, many = (
                self.tr("Expired passage unpinned and deleted"),
                self.tr("{} expired passages unpinned and deleted"),
            )
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
        """Save the text to a file that the user chooses."""
        name = QDir.home().filePath(file_name(row.content))
        chosen, _ = QFileDialog.getSaveFileName(self._window, self.tr("Save passage"), name, self.tr("Files (*)"))
        if chosen:
            self._context.run(
                self,
                lambda: save_text(row.content, Path(chosen)),
                lambda path: self._context.notifier.say(self.tr("Saved as {}").format(path.name)),
            )

    def copy_addresses(self, rows: Sequence[KeptPassage]) -> None:
        """Copy the addresses, one per line."""
        if rows:
            said = counted(len(rows), self.tr("Address copied"), self.tr("{} addresses copied"))
            self._context.copy("\n".join(row.passage.uri for row in rows), said)

    def open_page(self, row: KeptPassage) -> None:
        """Show the stored page of the passage at its position, if it still exists."""
        if row.content.document_id is not None:
            self._context.ask(self, lambda engine: _place_of(engine, row.content), self._show_page)

    def _show_page(self, place: _Place) -> None:
        self._context.show_document(place.document_id, place.start, place.end)
        if place.is_changed:
            self._context.notifier.say(self.tr("The page has changed and no longer contains this passage"))

    def open_source(self, row: KeptPassage) -> None:
        """Open the source of the passage in the browser."""
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


@dataclass(frozen=True, slots=True)
class _Place:
    """Range of a passage in its page. Empty if the page no longer contains it."""

    document_id: int
    start: int = 0
    end: int = 0
    is_changed: bool = False


async def _place_of(engine: Engine, content: PassageIn) -> _Place:
    """Find the passage in its page. Raises CorpusError if the page was deleted."""
    document = await engine.documents.get(content.document_id or 0)
    if document is None:
        raise CorpusError(
            "The page of this passage is no longer in the library.", hint="Open it in the browser, or add it again."
        )
    if content.document_hash == document.content_hash:
        return _Place(document.id, content.start, content.end)
    start = document.text.find(content.text)
    if start >= 0:
        return _Place(document.id, start, start + len(content.text))
    return _Place(document.id, is_changed=bool(content.document_hash))
