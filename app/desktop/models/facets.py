"""Facets that filter the library, and a tree model to choose from them."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.corpus.records import LabelKind
from app.desktop.models.long_rows import Facets
from app.desktop.qt import reported
from app.desktop.wording import DAY, counted, local_path, number, plain_tip, site_of, spoken, translator
from app.library.records import CameBy
from app.library.scope import FILES_ROOT, GUIDE_ROOT, place_of
from app.text.media_types import kind_of
from app.text.shield import address_flags
from app.text.terms import folded

if TYPE_CHECKING:
    from app.library.records import DocumentSummary
    from app.settings import Settings

_tr = translator("LibraryFacets")

FRESH, STALE, CHANGED_SINCE_CITED, CHANGED_SINCE_ADDED = "fresh", "stale", "cited", "added"
BROWSER: Final = "browser"
"""The kind of pages saved from a browser. They never become outdated, because only the user can refresh them."""
READY, EMBEDDING, KEYWORD_ONLY, REMARK = "ready", "embedding", "keyword", "remark"
SPEAKS, UNUSUAL_ADDRESS = "speaks", "address"
UNKNOWN: Final = "unknown"
AGES: Final = (("day", DAY), ("week", 7 * DAY), ("month", 30 * DAY))
PLAIN_ADDRESS_CHARS: Final = 130  # Shorter addresses without a query are never unusual.

Index = QModelIndex | QPersistentModelIndex

COUNT_ROLE: Final = int(Qt.ItemDataRole.UserRole) + 1  # The number of pages with a value, as text. Empty for headings.
CHOSEN_ROLE: Final = COUNT_ROLE + 1  # The number of selected values of a heading.

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
    from app.settings_schema import site_days

    sites = {site: days * DAY for site, days in site_days(settings.site_stale_after).items()}
    return StaleAfter(settings.stale_after_days * DAY, sites).seconds_for


def facts_of(row: DocumentSummary, seconds_for: Callable[[str], float], now: float | None = None) -> Facts:
    """Derive the facts of a page. `seconds_for` gives the seconds after which an address is outdated."""
    moment = time.time() if now is None else now
    is_web = row.url.startswith(("http://", "https://"))
    has_age = is_web and row.kind != BROWSER
    is_stale = has_age and abs(moment - row.last_crawled) > seconds_for(row.url)
    is_unusual = "?" in row.url or len(row.url) > PLAIN_ADDRESS_CHARS
    unusual = address_flags(row.url) if is_web and is_unusual else ()
    freshness = (STALE if is_stale else FRESH,) if has_age else ()
    facets = (
        row.collections,
        row.tags,
        _places(row),
        (state_value(row), REMARK) if row.note else (state_value(row),),
        _changes(row, moment),
        freshness,
        (row.came_by.value or UNKNOWN,) if row.kind != "guide" else (),
        (kind_value(row.kind, row.url),),
        (SPEAKS,) * bool(row.flags) + (UNUSUAL_ADDRESS,) * bool(unusual),
    )
    labels = "\n".join((*row.collections, *row.tags))
    return Facts(
        folded(f"{row.title}\n{local_path(row.url) or row.url}\n{labels}"), facets, is_stale, unusual, site_of(row.url)
    )


def _places(row: DocumentSummary) -> tuple[str, ...]:
    """Return the site or folder, and the folder below it if there is one."""
    tag = row.doc_tag or place_of(row.url).tag
    root, slash, _ = tag.partition("/")
    return (root, tag) if slash else (root,)


def _changes(row: DocumentSummary, now: float) -> tuple[str, ...]:
    ages = tuple(name for name, seconds in AGES if now - row.changed_at <= seconds)
    changed = ((CHANGED_SINCE_ADDED, row.has_versions), (CHANGED_SINCE_CITED, row.is_changed_since_cited))
    return (*ages, *(name for name, is_changed in changed if is_changed))


def state_value(row: DocumentSummary) -> str:
    """Return the embedding state of a page."""
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
    """Return the value of the kind facet as text."""
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


@dataclass(slots=True, eq=False)
class Node:
    """A facet (no value), one of its values, or the line that shows the rest of them."""

    facet: Facet
    value: str
    words: str
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    count: int = 0

    @property
    def row(self) -> int:
        return self.parent.children.index(self) if self.parent is not None else 0


class FacetTree(QAbstractItemModel):
    """Tree of facets and values. `chosen` carries a facet and its selected values; pages match any of them.

    `new_wanted` requests a new collection. `collections` are the names of all collections, also the empty ones.
    """

    chosen = Signal(int, object)
    new_wanted = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: list[Node] = []
        self._values: dict[Facet, set[str]] = {}
        self._offered: list[tuple[Facet, tuple[str, ...]]] = []
        self._unfolded: set[Facet] = set()
        self.collections: tuple[str, ...] = ()

    def values(self, facet: Facet) -> frozenset[str]:
        return frozenset(self._values.get(facet, ()))

    def show_totals(self, totals: Mapping[Facet, Counter[str]], pages: int) -> bool:
        """Show the values of all `pages` pages. Return True if the tree was rebuilt."""
        of_facets = {facet: _offered(facet, totals[facet], pages, self.values(facet)) for facet in Facet}
        of_facets[Facet.COLLECTION] = (*self.collections, NEW)
        offered = [(facet, values) for facet, values in of_facets.items() if values]
        if offered == self._offered:
            return False
        self._offered = offered
        self._drop_unknown(totals)
        self._build()
        return True

    def show_counts(self, facet: Facet, counts: Counter[str]) -> None:
        """Update how many pages match each value of a facet."""
        for group in self._groups:
            if group.facet is not facet:
                continue
            changed = False
            for node in _values_below(group):
                count = counts.get(node.value, 0)
                changed |= count != node.count
                node.count = count
            if changed:
                self._repaint(group)

    def toggle(self, index: Index) -> None:
        """Select or deselect a value. Selecting a site deselects its folders and the other way round."""
        node = self.node(index)
        if node is None or node.parent is None:
            return
        if node.value == MORE:
            self._unfolded.add(node.facet)
            self._build()
            return
        if node.value == NEW:
            self.new_wanted.emit()
            return
        values = self._values.setdefault(node.facet, set())
        if node.value in values:
            values.remove(node.value)
        else:
            values.difference_update(child.value for child in node.children)
            values.discard(node.parent.value)
            values.add(node.value)
        self._repaint(next(group for group in self._groups if group.facet is node.facet))
        self.chosen.emit(int(node.facet), frozenset(values))

    def choose(self, facet: Facet, values: Sequence[str]) -> None:
        self._values[facet] = set(values)
        for group in self._groups:
            self._repaint(group)
        self.chosen.emit(int(facet), frozenset(values))

    def clear(self) -> None:
        """Deselect everything without emitting a signal."""
        self._values.clear()
        for group in self._groups:
            self._repaint(group)

    def node(self, index: Index) -> Node | None:
        found = index.internalPointer() if index.isValid() else None
        return found if isinstance(found, Node) else None

    def index_of(self, facet: Facet, value: str = "") -> QModelIndex:
        """Return the index of a facet or of one of its values. Invalid if it is not shown."""
        for group in self._groups:
            if group.facet is facet:
                found = group if not value else next((n for n in _values_below(group) if n.value == value), None)
                return self._index(found) if found is not None else QModelIndex()
        return QModelIndex()

    def index(self, row: int, column: int, parent: Index | None = None) -> QModelIndex:
        above = self.node(parent) if parent is not None else None
        siblings = above.children if above is not None else self._groups
        return self.createIndex(row, column, siblings[row]) if 0 <= row < len(siblings) else QModelIndex()

    def parent(self, index: Index | None = None) -> Any:
        if index is None:
            return super().parent()
        node = self.node(index)
        return self._index(node.parent) if node is not None and node.parent is not None else QModelIndex()

    def rowCount(self, parent: Index | None = None) -> int:
        above = self.node(parent) if parent is not None else None
        return len(above.children) if above is not None else len(self._groups)

    def columnCount(self, parent: Index | None = None) -> int:
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self.node(index)
        plain = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        is_value = node is not None and _is_value(node)
        return plain | Qt.ItemFlag.ItemIsUserCheckable if is_value else plain

    @reported(None)
    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self.node(index)
        if node is None:
            return None
        is_value = _is_value(node)
        if role == Qt.ItemDataRole.DisplayRole:
            return node.words
        if role == Qt.ItemDataRole.ToolTipRole:
            has_tip = is_value and (node.facet is Facet.PLACE or node.facet in LABEL_FACETS)
            return plain_tip(node.value) if has_tip else None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            pages = counted(node.count, self.tr("1 page"), self.tr("{} pages"))
            return f"{node.words}, {pages}" if is_value else node.words
        if role == Qt.ItemDataRole.CheckStateRole and is_value:
            return Qt.CheckState.Checked if node.value in self.values(node.facet) else Qt.CheckState.Unchecked
        if role == COUNT_ROLE:
            return number(node.count) if is_value else None
        return len(self.values(node.facet)) if role == CHOSEN_ROLE and node.parent is None else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        self.toggle(index)
        return True

    def _build(self) -> None:
        # Keep the old numbers until each facet is counted again.
        before = {(node.facet, node.value): node.count for group in self._groups for node in _values_below(group)}
        self.beginResetModel()
        self._groups = [self._group(facet, values) for facet, values in self._offered]
        for node in (node for group in self._groups for node in _values_below(group)):
            node.count = before.get((node.facet, node.value), 0)
        self.endResetModel()

    def _group(self, facet: Facet, values: Sequence[str]) -> Node:
        group = Node(facet, "", facet_title(facet))
        below = [value for value in values if facet is Facet.PLACE and "/" in value]
        above = [value for value in values if value not in below and value != NEW]
        shown = above if facet in self._unfolded or facet not in FOLDED else above[:PLACES_SHOWN]
        shown += [value for value in above[len(shown) :] if any(_is_at(each, value) for each in self.values(facet))]
        for value in shown:
            node = Node(facet, value, value_words(facet, value), group)
            folders = [each for each in below if _is_at(each, value)]
            node.children = [Node(facet, each, value_words(facet, each), node) for each in folders]
            group.children.append(node)
        if facet is Facet.COLLECTION:
            group.children.append(Node(facet, NEW, self.tr("New collection…"), group))
        if len(shown) < len(above):
            group.children.append(Node(facet, MORE, self.tr("Show all {}…").format(number(len(above))), group))
        return group

    def _drop_unknown(self, totals: Mapping[Facet, Counter[str]]) -> None:
        """Deselect values that no longer exist. They would hide everything for no visible reason."""
        for facet, values in self._values.items():
            known = {
                value
                for value in values
                if totals[facet].get(value) or value in (self.collections if facet is Facet.COLLECTION else ())
            }
            if known != values:
                self._values[facet] = known
                self.chosen.emit(int(facet), frozenset(known))

    def _index(self, node: Node) -> QModelIndex:
        row = self._groups.index(node) if node.parent is None else node.row
        return self.createIndex(row, 0, node)

    def _repaint(self, group: Node) -> None:
        here = self._index(group)
        self.dataChanged.emit(here, here)
        for node in (group, *(child for child in group.children if child.children)):
            if node.children:
                self.dataChanged.emit(self._index(node.children[0]), self._index(node.children[-1]))


def _offered(facet: Facet, totals: Counter[str], pages: int, chosen: frozenset[str]) -> tuple[str, ...]:
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


def _is_at(value: str, root: str) -> bool:
    return value == root or value.startswith(f"{root}/")


def _values_below(group: Node) -> list[Node]:
    return [node for child in group.children if _is_value(child) for node in (child, *child.children)]


def _is_value(node: Node) -> bool:
    return node.parent is not None and node.value not in (MORE, NEW)
