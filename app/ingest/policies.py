"""Rules for stored pages: whether a new page may replace a copy, robots directives, and when a copy is stale.

A complete copy survives an outage. The response of its own address replaces it, unless it is a page shell. The response of another
address replaces it only if it contains most of its text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl, urlsplit

from app.errors import NoIndexError
from app.extract import Page
from app.library.records import Document
from app.text.sentence import sentence
from app.web.urls import host_of

REFETCH_THROTTLE_SECONDS: Final = 30.0
"""A page fetched less than this ago is not requested again in the same run unless forced."""

BROWSER_KIND: Final = "browser"
"""The kind of a document saved from the user's browser, where a site may show more than to a fetch."""
BROWSER_NOTE: Final = sentence(
    "Saved from the browser, as shown to the user signed in there. WebRAG does not refresh it automatically."
)
SELECTION_NOTE: Final = sentence("Only a selection of the page was saved.")
LIKE_SHARE: Final = 0.8  # The share of a stored text that another address must contain to count as the same page.
COLLAPSED_SHARE: Final = 0.2
"""A page with less than this share of its old text lost the rest to an outage rather than to its author."""
WHOLE_CHARS: Final = 500  # Shorter texts may shrink to anything.
_COMPARED_CHARS: Final = 200_000
_SHINGLE_WORDS: Final = 4
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_INDEX: Final = re.compile(r"/(?:index\.html?)?$")
_CAMPAIGN: Final = re.compile(r"utm_\w+|[gdmt]?clid|fbclid|msclkid|gbraid|wbraid|yclid|igshid|mc_[ce]id|_ga|_hs\w+")
AGENT: Final = "webrag-desktop"
_VALUED: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after", "unavailable-after"}
)
"""Directives that contain a colon; any other colon follows the name of a robot."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """A page that was read: the requested address, the final one, the one to store it under, and the start of reading (Unix time)."""

    requested: str
    final: str
    url: str
    page: Page
    begun: float


def is_skeleton(page: Page) -> bool:
    """Whether the page says that JavaScript builds most of it."""
    from app.extract.html import SKELETON_NOTE

    return SKELETON_NOTE in page.note


def why_kept(arrival: Arrival, stored: Document) -> str:
    """Return why a stored copy is kept, or an empty text if the new page may replace it, absorb it or take over its address."""
    page = arrival.page
    if stored.kind == BROWSER_KIND and arrival.requested != stored.url:
        return sentence("was saved from the browser and can only be replaced under its own address")
    if stored.kind == BROWSER_KIND and stored.last_crawled > arrival.begun:
        return sentence("was saved from the browser while WebRAG was fetching it")
    if len(page.text) < len(stored.text):
        # A notice, a script or a redirect does not replace a text.
        from app.extract.html import FAILURE_NOTE, FORWARD_NOTE, NOT_FOUND_NOTE, SKELETON_NOTE

        notices = {
            NOT_FOUND_NOTE: sentence("now says that it was not found"),
            FAILURE_NOTE: sentence("now seems to show a failure or an outage"),
            SKELETON_NOTE: sentence("now needs JavaScript"),
            FORWARD_NOTE: sentence("now only redirects to another address"),
        }
        found = (said for note, said in notices.items() if note in page.note and note not in stored.note)
        if notice := next(found, ""):
            return notice
    is_elsewhere = stored.url not in (arrival.url, arrival.final)
    was_requested = is_spelling_of(arrival.requested, stored.url)
    # The address of the stored page, in any spelling, is redirected to another page.
    is_sent_away = is_elsewhere and was_requested and not is_spelling_of(arrival.final, stored.url)
    if is_sent_away and surviving(stored.text, page.text) < LIKE_SHARE:
        return sentence("now redirects to {}, which has a different text", arrival.final)
    # An address that led to the stored page is now a page itself; the stored one remains.
    if is_elsewhere and not was_requested and is_spelling_of(arrival.requested, arrival.final):
        return ""
    new, old = len(page.text), len(stored.text)
    if old >= WHOLE_CHARS and new < COLLAPSED_SHARE * old:
        return sentence("is much shorter than before ({} instead of {} characters)", f"{new:,}", f"{old:,}")
    return ""


def is_believed(canonical: str, final: str, page: Page, stored: Document | None, known: Document | None) -> bool:
    """Whether a page found at `final` may be stored under its canonical address.

    `stored` is the copy under that address, `known` the one under `final`. If the addresses differ in more of their query than tracking
    parameters, they are the same page only if they have the same text: many sites distinguish their pages by the query.
    """
    if _query(canonical) != _query(final):
        return stored is not None and stored.text == page.text
    if stored is None or (known is not None and known.id == stored.id):
        return True
    return surviving(stored.text, page.text) >= LIKE_SHARE


def is_spelling_of(first: str, second: str) -> bool:
    """Whether two addresses differ at most in scheme, "www.", a trailing slash and the name of an index file."""
    return _bare(first) == _bare(second) and urlsplit(first).query == urlsplit(second).query


def absorbed_note(stored: Document, url: str) -> str:
    """Return the note for a page stored under another address that now leads to `url` and is merged with it."""
    return sentence("{} was stored before and now leads here.", stored.url) if stored.url != url else ""


def surviving(old: str, new: str) -> float:
    """Return the share of an old text, 0 to 1, that a new one contains, by runs of four words. Only the first part of long texts counts."""
    if old == new:
        return 1.0
    before, after = _words(old), _words(new)
    length = min(_SHINGLE_WORDS, len(before))
    if not length:
        return 1.0
    shingles = _shingles(before, length)
    return len(shingles & _shingles(after, length)) / len(shingles)


def _words(text: str) -> list[str]:
    return _WORD.findall(text[:_COMPARED_CHARS].casefold())


def _shingles(words: list[str], length: int) -> set[tuple[str, ...]]:
    return set(zip(*(words[start:] for start in range(length)), strict=False))


def _bare(url: str) -> tuple[str, int | None, str]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.port, _INDEX.sub("", parts.path)


def _query(url: str) -> list[tuple[str, str]]:
    """Return the query parameters that identify the page, in order."""
    named = parse_qsl(urlsplit(url).query, keep_blank_values=True)
    return sorted((name, value) for name, value in named if not _CAMPAIGN.fullmatch(name))


def directives(header: str) -> frozenset[str]:
    """Return a header's directives for all robots or this one, in lower case."""
    found: set[str] = set()
    agent = ""
    for part in header.lower().split(","):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip() not in _VALUED:
            agent, part = name.strip(), rest
        if agent in ("", "*", AGENT):
            found.add(part.strip())
    return frozenset(found)


def may_follow(page: Page, header: str) -> bool:
    """Whether neither the page nor its header disallows following its links."""
    return not page.nofollow and not directives(header) & {"nofollow", "none"}


def check_index(url: str, page: Page | None, header: str) -> None:
    """Raise NoIndexError, with the links that may be followed, if the page or its header disallows indexing.

    `page` is None if only the header is known.
    """
    if not directives(header) & {"noindex", "none"} and not (page is not None and page.noindex):
        return
    follows = page is not None and may_follow(page, header)
    links = (*(link.url for link in page.links), *page.navigation) if page is not None and follows else ()
    raise NoIndexError(
        sentence("{} does not allow programs to index it.", url), url=url, links=tuple(dict.fromkeys(links))
    )


@dataclass(frozen=True, slots=True)
class StaleAfter:
    """`seconds` for every site, `sites` with exceptions by host; "www." before a host is ignored."""

    seconds: float
    sites: Mapping[str, float] = field(default_factory=dict)

    def seconds_for(self, url: str) -> float:
        """Return how long the copy of a page is fresh; at least the throttle within a run."""
        host = host_of(url)
        bare = host.removeprefix("www.")
        own = next((self.sites[name] for name in (host, bare, f"www.{bare}") if name in self.sites), self.seconds)
        return max(own, REFETCH_THROTTLE_SECONDS)
