"""What a page asks of robots, by its X-Robots-Tag header and its own words."""

from __future__ import annotations

from typing import Final

from app.errors import NoIndexError
from app.extract import Page

AGENT: Final = "webrag-desktop"
_VALUED: Final = frozenset(
    {"max-snippet", "max-image-preview", "max-video-preview", "unavailable_after", "unavailable-after"}
)
"""Directives that have a colon themselves; before any other colon stands the name of a robot."""


def directives(header: str) -> frozenset[str]:
    """The directives of a header that are meant for every robot or for this one, in lower case."""
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
    """Whether neither the page nor its header asks to leave its links alone."""
    return not page.nofollow and not directives(header) & {"nofollow", "none"}


def check_index(url: str, page: Page | None, header: str) -> None:
    """Raise NoIndexError, with the links that may be followed, when the page or its header asks not to be indexed.

    `page` is None while there is nothing but the header.
    """
    if not directives(header) & {"noindex", "none"} and not (page is not None and page.noindex):
        return
    follows = page is not None and may_follow(page, header)
    links = (*(link.url for link in page.links), *page.navigation) if page is not None and follows else ()
    raise NoIndexError(f"{url} asks programs not to index it.", url=url, links=tuple(dict.fromkeys(links)))
