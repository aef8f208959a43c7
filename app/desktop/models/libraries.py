"""Joined libraries: the state of each as text, and the pages of one as a table, in the library's order and loaded on scrolling."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

from app.desktop.flags import FLAG_MARK, flagged
from app.desktop.models.rows import Column, Index, RowsModel, moment
from app.desktop.wording import percent, plain_address, translator
from app.paths import joined_file

if TYPE_CHECKING:
    from app.engine import Engine
    from app.engine.libraries import LibraryState
    from app.library.exchange import Collection, PageRow

PAGE_ROWS: Final = 100  # Pages per request.
MAX_ROWS: Final = 5_000  # Maximum number of listed pages. Others are found with the filter.

MAX_HIDDEN_ROWS: Final = 1_000  # Maximum number of hidden pages listed before the others. A note reports further ones.

SHARED_ADDRESS: Final = 5  # The address column. In a narrow table, the address is shown below the title instead.
HIDDEN_MARK: Final = ("eye-off", "muted")

_tr = translator("SharedLibraries")


async def joined_states(engine: Engine) -> tuple[LibraryState, ...]:
    """Return the state of every joined library. Raises SettingsError."""
    if not joined_file(engine.settings.data_dir).exists():
        return ()
    return await asyncio.to_thread(engine.libraries.states)


def state_words(state: LibraryState) -> tuple[str, str]:
    """Return the state of a library in a word or two, and the kind of its badge."""
    if not state.library.is_on:
        return _tr("Off"), ""
    if state.signed_out:
        return _tr("Sign in again"), "warning"
    if state.away:
        return _tr("Not reachable"), "warning"
    return _tr("Connected"), "good"


def away_words(states: Sequence[LibraryState]) -> str:
    """Return which libraries do not respond, as one short sentence. Empty if all do."""
    away = [each.library.title or each.library.name for each in states if each.library.is_on and each.away]
    out = [each.library.title or each.library.name for each in states if each.library.is_on and each.signed_out]
    said = _tr("{} is not reachable").format(", ".join(away)) if away else ""
    return said or (_tr("Sign in again: {}").format(", ".join(out)) if out else "")


def about_words(state: LibraryState, *, with_address: bool = True) -> str:
    """Return the address of a library, the user's name there, and the collection for shared pages."""
    library = state.library
    who = _tr("signed in as {}").format(library.who) if library.who and not state.signed_out else ""
    shares = _tr("shared pages go to {}").format(library.collection) if library.collection else ""
    return " · ".join(filter(None, (library.address if with_address else "", who, shares)))


def writable(collections: Sequence[Collection]) -> list[str]:
    """Return the collections that the user can write to."""
    return [each.name for each in collections if each.role in ("writer", "owner")]


# --- Pages ---


@dataclass(frozen=True, slots=True)
class Shelf:
    """Loaded rows of a library and the start of the next. `subject` is the user, `roles` their role in each collection."""

    pages: tuple[PageRow, ...]
    next: str
    subject: str
    roles: dict[str, str]
    has_more_hidden: bool = False  # More hidden pages exist than are loaded.

    def owns(self, page: PageRow) -> bool:
        """Whether the user owns the page's collection and can hide the page."""
        return self.roles.get(page.collection) == "owner"

    def may_withdraw(self, page: PageRow) -> bool:
        """Whether the user can withdraw a page: owners all pages, writers their own unless hidden."""
        is_own = page.added_by == self.subject and self.roles.get(page.collection) == "writer"
        return self.owns(page) or (is_own and not page.is_quarantined)


NO_SHELF: Final = Shelf((), "", "", {})


async def load_shelf(engine: Engine, library: str, text: str) -> Shelf:
    """Load the first pages whose title or address contains the text, after the hidden ones. Raises LibraryAwayError and subclasses."""
    from app.library.exchange import MAX_PAGE_ROWS  # a window without shared libraries does not need it

    def read() -> Shelf:
        remote, after = engine.libraries.remote(library), ""
        hidden: list[PageRow] = []
        about = remote.describe()
        roles = {each.name: each.role for each in about.collections}
        if "owner" in roles.values():
            for _ in range(MAX_HIDDEN_ROWS // MAX_PAGE_ROWS):
                found = remote.hidden(after)
                hidden += found.pages
                after = found.next
                if not after:
                    break
        wanted = text.casefold()
        known = [page for page in hidden if wanted in page.title.casefold() or wanted in page.url.casefold()]
        found = remote.pages(text, limit=PAGE_ROWS)
        return Shelf((*known, *found.pages), found.next, about.who.subject, roles, bool(after))

    return await asyncio.to_thread(read)


def person(subject: str) -> str:
    """Return the name in a subject. Empty for a shared token."""
    name = subject.rpartition("|")[2]
    return "" if name == "token" else name


def shown_address(url: str) -> str:
    """Return the address to show: for a shared file, only its name."""
    return url.rpartition("/")[2] if url.startswith("file:///") else url


def page_state_words(page: PageRow) -> str:
    """Return the embedding state of a page, rounded down, so that 100% means complete, or that it is hidden."""
    if page.is_quarantined:
        return _tr("Hidden")
    if page.passages_embedded >= page.passages:
        return _tr("Ready")
    return _tr("Embedding {}").format(percent(page.passages_embedded * 100 // page.passages / 100))


class ShelfModel(RowsModel["PageRow"]):
    """One row per page. `more_wanted` requests the next rows."""

    more_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        columns: list[Column[PageRow]] = [
            Column(
                _tr("Title"),
                lambda page: page.title or plain_address(shown_address(page.url)),
                lambda page: page.title.casefold(),
                tip=_tip,
                mark=lambda page: HIDDEN_MARK if page.is_quarantined else FLAG_MARK if page.flags else None,
                below=_below,
            ),
            Column(_tr("Collection"), lambda page: page.collection),
            Column(_tr("Added by"), lambda page: person(page.added_by), lambda page: page.added_by),
            moment(_tr("Fetched"), lambda page: page.last_crawled),
            Column(_tr("State"), page_state_words, lambda page: page.is_quarantined),
            Column(_tr("Address"), _below, lambda p: p.url, tip=lambda p: shown_address(p.url), is_address=True),
        ]
        super().__init__(columns, parent, attrgetter("page_id"))
        self.next = ""

    def add_rows(self, rows: Sequence[PageRow], after: str) -> None:
        self.next = after if self.total + len(rows) < MAX_ROWS else ""
        self.merge(rows)

    def canFetchMore(self, parent: Index | None = None) -> bool:
        return bool(self.next) and not (parent is not None and parent.isValid())

    def fetchMore(self, _parent: Index | None = None) -> None:
        self.more_wanted.emit()


def _tip(page: PageRow) -> str:
    hidden = _tr("Hidden from everyone except owners") if page.is_quarantined else ""
    return "\n".join(filter(None, (page.title, shown_address(page.url), hidden, flagged(page.flags))))


def _below(page: PageRow) -> str:
    """Return the address, and whether the page is hidden, because a narrow table does not show the State column."""
    address = plain_address(shown_address(page.url))
    return _tr("Hidden · {}").format(address) if page.is_quarantined else address
