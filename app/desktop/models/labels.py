"""Collections, tags and facets: their names and values in the window, and the actions on collections and tags."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import PurePosixPath
from typing import Final

from PySide6.QtCore import QMimeData, QObject, Signal

from app.corpus.records import LabelKind
from app.desktop.context import Context
from app.desktop.models.long_rows import Facets
from app.desktop.wording import DAY, counted, local_path, site_of, spoken, translator
from app.library.records import CameBy, DocumentSummary
from app.library.scope import FILES_ROOT, GUIDE_ROOT, place_of
from app.settings import Settings
from app.settings_schema import site_days
from app.text.media_types import kind_of
from app.text.shield import address_flags
from app.text.terms import folded

COLLECTION, TAG = LabelKind.COLLECTION, LabelKind.TAG
PAGES_MIME: Final = "application/x-webrag-pages"  # Pages dragged within the window: their IDs, separated by spaces.
ICONS: Final = {COLLECTION: "folder", TAG: "tag"}

_tr = translator("Labels")


def labels_of(row: DocumentSummary, kind: LabelKind) -> tuple[str, ...]:
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

        self._context.ask(self, lambda engine: engine.documents.add_label(kind, name, ids), done)

    def remove(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> None:
        ids = list(document_ids)

        def done(removed: list[int]) -> None:
            words = _tr("{pages} removed from “{name}”").format(pages=_pages(removed), name=name)
            self._context.notifier.say(words, _tr("Undo"), lambda: self.add(kind, name, removed))

        self._context.ask(self, lambda engine: engine.documents.remove_label(kind, name, ids), done)

    def rename(self, kind: LabelKind, name: str, new: str) -> None:
        if new != name:
            self._context.ask(
                self,
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

        self._context.ask(self, lambda engine: engine.documents.delete_label(kind, name), done)

    def undo(self) -> bool:
        """Restore the label deleted last. Return False if there is none."""
        deleted, self._deleted = self._deleted, None
        if deleted is None:
            return False
        kind, name, ids = deleted
        self._context.notifier.clear()
        self._context.ask(self, lambda engine: engine.documents.add_label(kind, name, ids), lambda _ids: None)
        return True


def _pages(document_ids: Sequence[int]) -> str:
    return counted(len(document_ids), _tr("1 page"), _tr("{} pages"))


def kind_title(kind: LabelKind) -> str:
    return _tr("Collections") if kind is COLLECTION else _tr("Tags")


FRESH, STALE, CHANGED_SINCE_CITED, CHANGED_SINCE_ADDED = "fresh", "stale", "cited", "added"
BROWSER: Final = "browser"
"""The kind of pages saved from a browser. They never become outdated, because only the user can refresh them."""
READY, EMBEDDING, KEYWORD_ONLY, REMARK = "ready", "embedding", "keyword", "remark"
SPEAKS, UNUSUAL_ADDRESS = "speaks", "address"
UNKNOWN: Final = "unknown"
AGES: Final = (("day", DAY), ("week", 7 * DAY), ("month", 30 * DAY))
PLAIN_ADDRESS_CHARS: Final = 130  # Shorter addresses without a query are never unusual.

PLACES_SHOWN: Final = 7  # Number of sites shown before “Show all”, largest first.
MORE: Final = "\0more"
NEW: Final = "\0new"  # Value of the line that creates a collection.


class Facet(IntEnum):
    """The facets, in the order of the panel."""

    COLLECTION = 0
    TAG = 1
    PLACE = 2
    STATE = 3
    CHANGED = 4
    FRESHNESS = 5
    WAY = 6
    KIND = 7
    FLAGGED = 8


LABEL_FACETS: Final = {Facet.COLLECTION: LabelKind.COLLECTION, Facet.TAG: LabelKind.TAG}
"""Facets whose values the user creates."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Data derived from a page once, on a worker thread: its search text, facets, and cell texts."""

    haystack: str
    facets: Facets
    is_stale: bool
    address_flags: tuple[str, ...]
    site: str

    @property
    def place(self) -> str:
        """The site or folder."""
        return self.facets[Facet.PLACE][0]


def stale_seconds(settings: Settings) -> Callable[[str], float]:
    """Return a function that gives the seconds after which a page is outdated."""
    from app.ingest.policies import StaleAfter

    sites = {site: days * DAY for site, days in site_days(settings.site_stale_after).items()}
    return StaleAfter(settings.stale_after_days * DAY, sites).seconds_for


def facts_of(row: DocumentSummary, seconds_for: Callable[[str], float], now: float) -> Facts:
    """Derive the facts of a page. `seconds_for` gives the seconds after which an address is outdated."""
    is_web = row.url.startswith(("http://", "https://"))
    has_age = is_web and row.kind != BROWSER
    is_stale = has_age and abs(now - row.last_crawled) > seconds_for(row.url)
    unusual = address_flags(row.url) if is_web and ("?" in row.url or len(row.url) > PLAIN_ADDRESS_CHARS) else ()
    tag = row.doc_tag or place_of(row.url).tag
    root, slash, _ = tag.partition("/")
    ages = tuple(name for name, seconds in AGES if now - row.changed_at <= seconds)
    facets = (
        row.collections,
        row.tags,
        (root, tag) if slash else (root,),
        (state_value(row), REMARK) if row.note else (state_value(row),),
        (*ages, *(CHANGED_SINCE_ADDED,) * row.has_versions, *(CHANGED_SINCE_CITED,) * row.is_changed_since_cited),
        (STALE if is_stale else FRESH,) if has_age else (),
        (row.came_by.value or UNKNOWN,) if row.kind != "guide" else (),
        (kind_value(row.kind, row.url),),
        (SPEAKS,) * bool(row.flags) + (UNUSUAL_ADDRESS,) * bool(unusual),
    )
    labels = "\n".join((*row.collections, *row.tags))
    return Facts(
        folded(f"{row.title}\n{local_path(row.url) or row.url}\n{labels}"), facets, is_stale, unusual, site_of(row.url)
    )


def state_value(row: DocumentSummary) -> str:
    if row.chunks_embedded >= row.chunks:
        return READY
    return EMBEDDING if row.chunks_embedded else KEYWORD_ONLY


def facet_title(facet: Facet) -> str:
    return {
        Facet.COLLECTION: _tr("Collections"),
        Facet.TAG: _tr("Tags"),
        Facet.PLACE: _tr("Site or folder"),
        Facet.STATE: _tr("State"),
        Facet.CHANGED: _tr("New or changed"),
        Facet.FRESHNESS: _tr("Freshness"),
        Facet.WAY: _tr("Added by"),
        Facet.KIND: _tr("Kind"),
        Facet.FLAGGED: _tr("Flagged"),
    }[facet]


def kind_value(kind: str, url: str) -> str:
    """Return the kind of a document: the format of a file, or of a page in a file format such as PDF, otherwise `kind`."""
    found = kind_of(PurePosixPath(url.partition("?")[0])) if kind in ("file", "web") else None
    return found.label if found is not None and (kind == "file" or found.is_apart) else kind


def kind_words(kind: str) -> str:
    words = spoken(kind)
    return {
        "web": _tr("Web"),
        "file": _tr("File"),
        "guide": _tr("Guide"),
        "package": _tr("Package"),
        "browser": _tr("Browser"),
    }.get(kind, words[:1].upper() + words[1:])


def way_words(came_by: str) -> str:
    """Return who or what added a page."""
    return {
        CameBy.PERSON: _tr("You"),
        CameBy.ASSISTANT: _tr("Assistant"),
        CameBy.LINK: _tr("Followed link"),
        CameBy.CRAWL: _tr("Crawl"),
        CameBy.BROWSER: _tr("Browser"),
    }.get(CameBy(came_by), _tr("Unknown"))


def value_words(facet: Facet, value: str) -> str:
    """Return a value as the panel shows it."""
    if facet is Facet.PLACE:
        root, slash, folder = value.partition("/")
        if slash:
            return folder
        return {GUIDE_ROOT: _tr("Guide"), FILES_ROOT: _tr("Single files")}.get(root, root.removeprefix("www."))
    if facet in LABEL_FACETS:
        return value
    if facet is Facet.KIND:
        return kind_words(value)
    if facet is Facet.WAY:
        return way_words(value if value != UNKNOWN else "")
    return {
        READY: _tr("Ready"),
        EMBEDDING: _tr("Embedding"),
        KEYWORD_ONLY: _tr("Keyword search only"),
        REMARK: _tr("With a note"),
        "day": _tr("In the last day"),
        "week": _tr("In the last week"),
        "month": _tr("In the last month"),
        CHANGED_SINCE_ADDED: _tr("Since it was added"),
        CHANGED_SINCE_CITED: _tr("Since it was cited"),
        FRESH: _tr("Up to date"),
        STALE: _tr("Outdated"),
        SPEAKS: _tr("Speaks to the assistant"),
        UNUSUAL_ADDRESS: _tr("Unusual address"),
    }.get(value, value)


FOLDED: Final = frozenset((Facet.PLACE, Facet.TAG, Facet.KIND))  # Facets that show only their largest values at first.
FIXED_ORDER: Final[dict[Facet, tuple[str, ...]]] = {
    Facet.STATE: (READY, EMBEDDING, KEYWORD_ONLY, REMARK),
    Facet.CHANGED: ("day", "week", "month", CHANGED_SINCE_ADDED, CHANGED_SINCE_CITED),
    Facet.FRESHNESS: (FRESH, STALE),
    Facet.WAY: (*(each.value for each in CameBy if each), UNKNOWN),
    Facet.FLAGGED: (SPEAKS, UNUSUAL_ADDRESS),
}  # Values with a fixed order. Others are ordered by number of pages.


def offered_values(facet: Facet, totals: Counter[str], pages: int, chosen: frozenset[str]) -> tuple[str, ...]:
    """Return the values to show, in order. None if they do not distinguish pages."""
    order = FIXED_ORDER.get(facet)
    ranked = sorted(totals, key=lambda value: (-totals[value], value)) if order is None else order
    values = tuple(value for value in ranked if totals.get(value))
    if facet is Facet.CHANGED:
        return tuple(value for value in values if totals[value] < pages or value in chosen)
    if facet in (Facet.FLAGGED, Facet.TAG):
        return values
    tells_apart = len(values) > 1 and not all(totals[value] == pages for value in values)
    return values if tells_apart or chosen else ()
