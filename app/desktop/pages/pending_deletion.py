"""Deletion with time to undo: rows are hidden at once and deleted when the time is over."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QObject

from app.desktop.context import Context
from app.desktop.qt import single_shot
from app.desktop.wording import counted
from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine import Engine

UNDO_MS = 6_000

Id = TypeVar("Id", int, str)


class HidingModel(Protocol):
    """A model whose rows can be hidden by their ids."""

    def hide(self, ids: Any) -> None: ...
    def unhide(self, ids: Any) -> None: ...
    def reload(self) -> None: ...


class PendingDeletion(QObject, Generic[Id]):
    """The rows that wait for their deletion; `delete` is the engine's."""

    def __init__(
        self,
        context: Context,
        model: HidingModel,
        delete: Callable[[Engine, Sequence[Id]], Awaitable[object]],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context, self._model = context, model
        self._delete: Callable[[Engine, Sequence[Id]], Awaitable[object]] = delete
        self._pending: dict[Id, None] = {}
        self._timer = single_shot(self, 0, self.delete_now)

    def add(self, ids: Iterable[Id], one: str, many: str, undo: Callable[[], object]) -> None:
        """Hide rows and offer `undo`; `one` and `many` say how many are pending."""
        added = list(ids)
        self._pending.update(dict.fromkeys(added))
        self._model.hide(added)
        self._timer.start(UNDO_MS)
        self._context.notifier.say(counted(len(self._pending), one, many), self.tr("Undo"), undo)

    def undo(self) -> list[Id]:
        """Show the pending rows again; returns their ids."""
        back = self._taken()
        if back:
            self._context.notifier.clear()
            self._model.unhide(back)
        return back

    def delete_now(self) -> None:
        """Carry out the deletion; also called when the window closes."""
        ids = self._taken()
        if ids:
            self._context.thread.submit(
                lambda engine: self._delete(engine, ids),
                None,
                lambda error: self._not_deleted(ids, error),
                owner=self,
                lasting=True,
            )

    def _taken(self) -> list[Id]:
        self._timer.stop()
        ids, self._pending = list(self._pending), {}
        return ids

    def _not_deleted(self, ids: Sequence[Id], error: WebRAGError) -> None:
        """Show again what could not be deleted; what was deleted before the failure is removed by its event."""
        self._model.unhide(ids)
        self._model.reload()
        self._context.notifier.complain(error)
