"""Sharing stored pages, or a collection of them, with a library of a team: their texts travel, vectors are made there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.icons import icon
from app.desktop.models.libraries import joined_states
from app.desktop.wording import number, speak
from app.errors import InvalidArgumentError, WebRAGError
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.records import DocumentSummary

MAX_SHARED: Final = 2_000
"""Pages of a collection that are shared at once."""
SHARED_UNASKED: Final = 20
"""More pages are shared after a question."""


@dataclass(frozen=True, slots=True)
class Shared:
    """How many pages are in the library now, and why others are not."""

    stored: int
    errors: tuple[WebRAGError, ...]


class Sharing(QObject):
    """Offers to share in menus, for each joined library that has a collection for it."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self._states: tuple[LibraryState, ...] = ()

    def look(self) -> None:
        """Find out which libraries there are."""
        self._context.thread.submit(joined_states, self._take, lambda _error: None, owner=self)

    def add_to(self, menu: QMenu, rows: Sequence[DocumentSummary]) -> None:
        """Offer to share pages."""
        ids = [row.id for row in rows]

        async def given(_engine: Engine) -> list[int]:
            return ids

        one, many, count = self.tr("Share with {}"), self.tr("Share {0} pages with {1}"), number(len(ids))
        if ids:
            self._add(menu, lambda title: one.format(title) if len(ids) == 1 else many.format(count, title), given)

    def add_label_to(self, menu: QMenu, kind: LabelKind, name: str) -> None:
        """Offer to share all pages of a collection."""

        async def found(engine: Engine) -> list[int]:
            rows = await engine.documents.find(limit=MAX_SHARED + 1, label=f"{kind}:{name}")
            if len(rows) > MAX_SHARED:
                raise InvalidArgumentError(
                    sentence(
                        "{} has more than {} pages; of a collection no more are shared at once.",
                        name,
                        number(MAX_SHARED),
                    ),
                    hint="Select pages of it in the Library and share those, some at a time.",
                )
            return [row.id for row in rows]

        self._add(menu, self.tr("Share its pages with {}").format, found)

    def _add(self, menu: QMenu, words: Callable[[str], str], pages: Callable[[Engine], Awaitable[list[int]]]) -> None:
        on = [state for state in self._states if state.library.is_on]
        if not on:
            return
        if not menu.isEmpty():
            menu.addSeparator()
        for state in on:
            title = state.library.title or state.library.name
            action = menu.addAction(icon("external"), words(title).replace("&", "&&"))
            if state.library.collection:
                action.triggered.connect(lambda _checked=False, state=state: self._find(state, pages))
            else:
                # Writes go only where the person chose.
                action.triggered.connect(lambda _checked=False: self._context.show_settings("libraries"))
                action.setToolTip(self.tr("Choose in Settings where shared pages go"))

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        self._states = states

    def _find(self, state: LibraryState, pages: Callable[[Engine], Awaitable[list[int]]]) -> None:
        self._context.ask(self, pages, lambda ids: self._begin(state, ids))

    def _begin(self, state: LibraryState, ids: list[int]) -> None:
        library = state.library
        title = library.title or library.name
        if len(ids) > SHARED_UNASKED:
            question = self.tr("The texts of {0} pages go to the collection {1} of {2}. Others can read them there.")
            words = question.format(number(len(ids)), library.collection, title)
            if not is_agreed(self._window, self.tr("Share pages"), words, QMessageBox.StandardButton.Yes):
                return
        self._context.notifier.say(self.tr("Sharing with {}…").format(title))
        self._context.ask(
            self,
            lambda engine: share(engine, ids, library.name, library.collection),
            lambda shared: self._told(title, library.collection, shared),
        )

    def _told(self, title: str, collection: str, shared: Shared) -> None:
        if shared.errors and not shared.stored:
            self._context.notifier.complain(speak(shared.errors[0]))
            return
        one, many = self.tr("The page is in {0} of {1} now"), self.tr("{0} pages are in {1} of {2} now")
        words = one.format(collection, title)
        if shared.stored != 1:
            words = many.format(number(shared.stored), collection, title)
        if shared.errors:
            why = speak(shared.errors[0]).message
            words += self.tr("; {0} could not be shared: {1}").format(number(len(shared.errors)), why)
        self._context.notifier.say(words)


async def share(engine: Engine, ids: Sequence[int], library: str, collection: str) -> Shared:
    """Share pages one after the other; ends early where the library does not answer or lets nothing be written."""
    stored, errors = 0, list[WebRAGError]()
    for document_id in ids:
        document = await engine.documents.get(document_id)
        if document is None:
            continue
        links = await engine.documents.links(document_id)
        try:
            await asyncio.to_thread(engine.libraries.share, library, collection, document, links)
            stored += 1
        except InvalidArgumentError as error:
            errors.append(error)
        except WebRAGError as error:
            errors += [error] * (len(ids) - stored - len(errors))
            break
    return Shared(stored, tuple(errors))
