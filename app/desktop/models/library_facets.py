"""What the pages of the library can be narrowed down by: the values of a page, their words, and how old is too old."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from app.desktop.language import translator
from app.desktop.models.long_rows import Facets, folded
from app.desktop.wording import DAY, local_path, site_of
from app.text.doc_tags import FILES_ROOT, GUIDE_ROOT, place_of
from app.text.shield import address_flags

if TYPE_CHECKING:
    from app.corpus.records import LibraryRow
    from app.settings import Settings

_tr = translator("LibraryFacets")

FRESH, STALE, CHANGED_SINCE_CITED = "fresh", "stale", "cited"
READY, EMBEDDING, KEYWORD_ONLY, REMARK = "ready", "embedding", "keyword", "remark"
SPEAKS, UNUSUAL_ADDRESS = "speaks", "address"
AGES: Final = (("day", DAY), ("week", 7 * DAY), ("month", 30 * DAY))
PLAIN_ADDRESS_CHARS: Final = 130
"""Shorter addresses without a query are never unusual."""


class Facet(IntEnum):
    """In the order in which they are offered."""

    PLACE = 0
    STATE = 1
    CHANGED = 2
    FRESHNESS = 3
    KIND = 4
    FLAGGED = 5


@dataclass(frozen=True, slots=True)
class Facts:
    """What is worked out of a page once, on a worker: the text it is found by, its facets, and what its cells say."""

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
    """After how many seconds the page of an address is asked for again when an answer needs it."""
    from app.ingest.staleness import StaleAfter
    from app.settings_schema import site_days

    sites = {site: days * DAY for site, days in site_days(settings.site_stale_after).items()}
    return StaleAfter(settings.stale_after_days * DAY, sites).seconds_for


def facts_of(row: LibraryRow, seconds_for: Callable[[str], float], now: float | None = None) -> Facts:
    """`seconds_for` tells after how long a page is stale."""
    moment = time.time() if now is None else now
    is_web = row.url.startswith(("http://", "https://"))
    is_stale = is_web and moment - row.last_crawled > seconds_for(row.url)
    is_unusual = "?" in row.url or len(row.url) > PLAIN_ADDRESS_CHARS
    unusual = address_flags(row.url) if is_web and is_unusual else ()
    freshness = (STALE if is_stale else FRESH,) if is_web else ()
    facets = (
        _places(row),
        (state_value(row), REMARK) if row.note else (state_value(row),),
        _changes(row, moment),
        freshness,
        (row.kind,),
        (SPEAKS,) * bool(row.flags) + (UNUSUAL_ADDRESS,) * bool(unusual),
    )
    return Facts(folded(f"{row.title}\n{local_path(row.url) or row.url}"), facets, is_stale, unusual, site_of(row.url))


def _places(row: LibraryRow) -> tuple[str, ...]:
    """The site or folder, and what is below it."""
    tag = row.doc_tag or place_of(row.url).tag
    root, slash, _ = tag.partition("/")
    return (root, tag) if slash else (root,)


def _changes(row: LibraryRow, now: float) -> tuple[str, ...]:
    ages = tuple(name for name, seconds in AGES if now - row.changed_at <= seconds)
    return (*ages, CHANGED_SINCE_CITED) if row.is_changed_since_cited else ages


def state_value(row: LibraryRow) -> str:
    """How far a page is."""
    if row.chunks_embedded >= row.chunks:
        return READY
    return EMBEDDING if row.chunks_embedded else KEYWORD_ONLY


def facet_title(facet: Facet) -> str:
    """The heading of a facet."""
    return {
        Facet.PLACE: _tr("Site or folder"),
        Facet.STATE: _tr("State"),
        Facet.CHANGED: _tr("New or changed"),
        Facet.FRESHNESS: _tr("Freshness"),
        Facet.KIND: _tr("Kind"),
        Facet.FLAGGED: _tr("Flagged"),
    }[facet]


def kind_words(kind: str) -> str:
    """A document's kind in one word."""
    return {
        "web": _tr("Web"),
        "file": _tr("File"),
        "markdown": _tr("Markdown"),
        "text": _tr("Text"),
        "pdf": "PDF",
        "guide": _tr("Guide"),
    }.get(kind, kind)


def value_words(facet: Facet, value: str) -> str:
    """A value as the panel shows it."""
    if facet is Facet.PLACE:
        return _place_words(value)
    if facet is Facet.KIND:
        return kind_words(value)
    return {
        READY: _tr("Ready"),
        EMBEDDING: _tr("Being embedded"),
        KEYWORD_ONLY: _tr("Keyword only"),
        REMARK: _tr("With a remark"),
        "day": _tr("In the last day"),
        "week": _tr("In the last week"),
        "month": _tr("In the last month"),
        CHANGED_SINCE_CITED: _tr("Since it was cited"),
        FRESH: _tr("Fresh"),
        STALE: _tr("Stale"),
        SPEAKS: _tr("Addresses the assistant"),
        UNUSUAL_ADDRESS: _tr("Unusual address"),
    }.get(value, value)


def _place_words(value: str) -> str:
    root, slash, folder = value.partition("/")
    if slash:
        return folder
    return {GUIDE_ROOT: _tr("Guide"), FILES_ROOT: _tr("Single files")}.get(root, root.removeprefix("www."))


FIXED_ORDER: Final[dict[Facet, tuple[str, ...]]] = {
    Facet.STATE: (READY, EMBEDDING, KEYWORD_ONLY, REMARK),
    Facet.CHANGED: ("day", "week", "month", CHANGED_SINCE_CITED),
    Facet.FRESHNESS: (FRESH, STALE),
    Facet.FLAGGED: (SPEAKS, UNUSUAL_ADDRESS),
}
"""Values that have an order of their own; others are ordered by how many pages have them."""
