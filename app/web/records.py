"""Inputs and results of this package: the occasion of a fetch, a fetched page, a page renderer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol


class Occasion(Enum):
    """NAMED: a user or a call waits for this page. LISTED: the page is in a list from the user. AUTOMATIC: the program found it."""

    NAMED = 1
    LISTED = 2
    AUTOMATIC = 3

    def __init__(self, number: int) -> None:
        self.is_urgent = number == 1
        """Whether the page precedes background work and ignores the site's rate limit."""
        self.is_unasked = number == 3
        """Whether the site's robots.txt and noindex apply."""


@dataclass(frozen=True, slots=True)
class Validators:
    """Cache validators of an earlier response, for a conditional request."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class FetchResult:
    """A response; after a fetch the final one, after redirects.

    `body` is decompressed and within the limit, and empty unless the status is 2xx. `content_type` is lower case without parameters,
    `charset` comes from the header only. `location` is set for redirects only, `retry_after` is in seconds, `refresh` as sent.
    `fetched_at` is in seconds since the epoch, `elapsed_ms` includes waiting for a slot. `robots_tag` is the X-Robots-Tag header.
    """

    url: str
    status: int
    content_type: str
    charset: str | None
    body: bytes
    validators: Validators
    fetched_at: float = 0.0
    elapsed_ms: float = 0.0
    robots_tag: str = ""
    refresh: str = ""
    location: str | None = None
    retry_after: float | None = None
    is_inside: bool = False  # The response came from an address outside the public internet.


INSTALL_RENDERER: Final = (
    "The page needs JavaScript. Open it in your browser and save it with the WebRAG extension (Settings > Browsers)."
)
SWITCH_ON_RENDERER: Final = (
    "Turn on “JavaScript rendering” in Settings > Crawling, or save the page from your browser with the WebRAG extension "
    "(Settings > Browsers)."
)


class PageRenderer(Protocol):
    """Loads a page as a browser does, with its resources immediately and without the rate limits of crawling."""

    async def render(self, url: str, occasion: Occasion = Occasion.NAMED) -> bytes:
        """Return the page as HTML in UTF-8 after its scripts have run; the `occasion` sets the priority.

        Assumes that fetching the page has already checked the address. Raises RenderError.
        """
