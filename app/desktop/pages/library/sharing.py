"""Share stored pages or a collection with a shared library. Only texts are sent; the library embeds them itself."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu, QMessageBox, QWidget

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.dialogs.confirm import is_agreed
from app.desktop.models.libraries import joined_states
from app.desktop.theme import icon
from app.desktop.wording import number, speak
from app.errors import InvalidArgumentError, WebRAGError
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.records import DocumentSummary

MAX_SHARED: Final = 2_000  # Maximum number of pages of a collection to share at once.
SHARED_UNASKED: Final = 20  # Maximum number of pages to share without confirmation.


@dataclass(frozen=True, slots=True)
class Shared:
    """Number of pages now in the library, and the errors of the others."""

    stored: int
    errors: tuple[WebRAGError, ...]


class Sharing(QObject):
    """Adds the sharing entries of each joined library that has a collection for shared pages to menus."""

    def __init__(self, context: Context, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._window = parent
        self._states: tuple[LibraryState, ...] = ()

    def look(self) -> None:
        """Load the joined libraries."""
        self._context.ask(self, joined_states, self._take, lambda _error: None)

    def add_to(self, menu: QMenu, rows: Sequence[DocumentSummary]) -> None:
        """Add entries to share pages."""
        ids = [row.id for row in rows]

        async def given(_engine: Engine) -> list[int]:
            return ids

        one, many, count = self.tr("Share with {}"), self.tr("Share {0} pages with {1}"), number(len(ids))
        if ids:
            self._add(menu, lambda title: one.format(title) if len(ids) == 1 else many.format(count, title), given)

    def add_label_to(self, menu: QMenu, kind: LabelKind, name: str) -> None:
        """Add entries to share all pages of a collection."""

        async def found(engine: Engine) -> list[int]:
            rows = await engine.documents.find(limit=MAX_SHARED + 1, label=f"{kind}:{name}")
            if len(rows) > MAX_SHARED:
                raise InvalidArgumentError(
                    sentence("{} has more than {} pages, the maximum to share at once.", name, number(MAX_SHARED)),
                    hint="Select some of its pages in the Library and share them in several steps.",
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
                begin = partial(self._begin, state)
                action.triggered.connect(lambda _=False, begin=begin: self._context.ask(self, pages, begin))
            else:
                # Pages are only shared with the collection that the user has chosen.
                action.triggered.connect(lambda _checked=False: self._context.show_settings("libraries"))
                action.setToolTip(self.tr("Choose in Settings where to share pages"))

    def _take(self, states: tuple[LibraryState, ...]) -> None:
        self._states = states

    def _begin(self, state: LibraryState, ids: list[int]) -> None:
        library = state.library
        title = library.title or library.name
        if len(ids) > SHARED_UNASKED:
            question = self.tr("Share {0} pages with the collection {1} of {2}? Other users can then read their texts.")
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
        one, many = self.tr("The page is now in {0} of {1}"), self.tr("{0} pages are now in {1} of {2}")
        words = one.format(collection, title)
        if shared.stored != 1:
            words = many.format(number(shared.stored), collection, title)
        if shared.errors:
            why = speak(shared.errors[0]).message
            words += self.tr("; {0} could not be shared: {1}").format(number(len(shared.errors)), why)
        self._context.notifier.say(words)


async def share(engine: Engine, ids: Sequence[int], library: str, collection: str) -> Shared:
    """Share pages one by one. Stops if the library does not respond or refuses writing."""
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
