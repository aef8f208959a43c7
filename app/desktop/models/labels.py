"""Collections and tags in the window: their names, and the actions on them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from PySide6.QtCore import QMimeData, QObject, Signal

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.engine_thread import Engine
from app.desktop.wording import counted, translator
from app.library.records import DocumentSummary

COLLECTION, TAG = LabelKind.COLLECTION, LabelKind.TAG
PAGES_MIME: Final = "application/x-webrag-pages"  # Pages dragged within the window: their IDs, separated by spaces.
ICONS: Final = {COLLECTION: "folder", TAG: "tag"}

_tr = translator("Labels")


def labels_of(row: DocumentSummary, kind: LabelKind) -> tuple[str, ...]:
    """Return the names of a page's collections or tags."""
    return row.collections if kind is COLLECTION else row.tags


def page_mime(document_ids: Sequence[int]) -> QMimeData:
    mime = QMimeData()
    mime.setData(PAGES_MIME, " ".join(map(str, document_ids)).encode())
    return mime


def dragged_pages(mime: QMimeData) -> list[int]:
    """Return the IDs of dragged pages. Empty if something else is dragged."""
    words = bytes(mime.data(PAGES_MIME).data()).decode("ascii", "replace").split()
    return [int(word) for word in words if word.isdecimal()]


class LabelActions(QObject):
    """Actions on collections and tags. Errors are shown by the notifier."""

    renamed = Signal(str, str, str)  # Kind, old name, and new name.

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._deleted: tuple[LabelKind, str, list[int]] | None = None

    def add(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> None:
        """Add a label to pages, or create an empty collection."""
        ids = list(document_ids)

        def done(added: list[int]) -> None:
            if not ids:
                words = _tr("Collection “{}” created").format(name)
            elif not added:
                words = _tr("Nothing to add: “{}” already contains these pages").format(name)
            else:
                words = _tr("{pages} added to “{name}”").format(pages=_pages(added), name=name)
            undo = (lambda: self.remove(kind, name, added)) if added else None
            self._context.notifier.say(words, _tr("Undo") if undo else "", undo)

        self._submit(lambda engine: engine.documents.add_label(kind, name, ids), done)

    def remove(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> None:
        ids = list(document_ids)

        def done(removed: list[int]) -> None:
            words = _tr("{pages} removed from “{name}”").format(pages=_pages(removed), name=name)
            self._context.notifier.say(words, _tr("Undo"), lambda: self.add(kind, name, removed))

        self._submit(lambda engine: engine.documents.remove_label(kind, name, ids), done)

    def rename(self, kind: LabelKind, name: str, new: str) -> None:
        if new != name:
            self._submit(
                lambda engine: engine.documents.rename_label(kind, name, new),
                lambda _ids: self.renamed.emit(kind.value, name, new),
            )

    def delete(self, kind: LabelKind, name: str) -> None:
        """Delete a label but not its pages. Can be undone."""

        def done(ids: list[int]) -> None:
            self._deleted = (kind, name, ids)
            words = (
                _tr("Collection “{}” deleted. Its pages are kept.") if kind is COLLECTION else _tr("Tag “{}” deleted")
            )
            self._context.notifier.say(words.format(name), _tr("Undo"), self.undo)

        self._submit(lambda engine: engine.documents.delete_label(kind, name), done)

    def undo(self) -> bool:
        """Restore the label deleted last. Return False if there is none."""
        deleted, self._deleted = self._deleted, None
        if deleted is None:
            return False
        kind, name, ids = deleted
        self._context.notifier.clear()
        self._submit(lambda engine: engine.documents.add_label(kind, name, ids), lambda _ids: None)
        return True

    def _submit(self, work: Callable[[Engine], Awaitable[list[int]]], done: Callable[[list[int]], None]) -> None:
        self._context.ask(self, work, done)


def _pages(document_ids: Sequence[int]) -> str:
    return counted(len(document_ids), _tr("1 page"), _tr("{} pages"))


def kind_title(kind: LabelKind) -> str:
    return _tr("Collections") if kind is COLLECTION else _tr("Tags")
