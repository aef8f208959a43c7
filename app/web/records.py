"""What callers of this package give and get: why a page is read, a fetched page, a page renderer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Protocol


class Occasion(Enum):
    """NAMED: a person or a call waits for this page. LISTED: it stands in a list that a person gave. AUTOMATIC: the program found it."""

    NAMED = auto()
    LISTED = auto()
    AUTOMATIC = auto()

    @property
    def is_urgent(self) -> bool:
        """Whether it goes before background work, without regard to the pace of the site."""
        return self is Occasion.NAMED

    @property
    def is_unasked(self) -> bool:
        """Whether the site is asked first: its robots.txt, and noindex."""
        return self is Occasion.AUTOMATIC


def occasion_of(*, automatic: bool, listed: bool) -> Occasion:
    """The occasion of a page; an automatic one stays automatic, whatever list it is on."""
    if automatic:
        return Occasion.AUTOMATIC
    return Occasion.LISTED if listed else Occasion.NAMED


@dataclass(frozen=True, slots=True)
class Validators:
    """Cache validators of an earlier answer, for a conditional request."""

    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True)
class FetchResult:
    """A final answer after redirects.

    `body` is decompressed and within the cap; it is empty when `not_modified`. `content_type` is lower case
    without parameters, `charset` comes from the header only. `fetched_at` is seconds since the epoch,
    `elapsed_ms` wall time with waiting for a turn. `robots_tag` is the X-Robots-Tag header.
    """

    url: str
    status: int
    content_type: str
    charset: str | None
    body: bytes
    validators: Validators
    fetched_at: float
    elapsed_ms: float
    robots_tag: str = ""

    @property
    def not_modified(self) -> bool:
        return self.status == 304


INSTALL_RENDERER: Final = (
    "The page needs JavaScript: open it in your browser and keep it with the WebRAG extension (Settings > Browsers)."
)
SWITCH_ON_RENDERER: Final = (
    "Turn on “Pages built by JavaScript” in Settings > Crawling, or keep the page from your browser with the WebRAG extension "
    "(Settings > Browsers)."
)


class PageRenderer(Protocol):
    """Loads a page as a browser does: what the page needs is loaded at once, without the pace that crawling keeps."""

    async def render(self, url: str, occasion: Occasion = Occasion.NAMED) -> bytes:
        """The page as HTML in UTF-8 once its scripts have run; the `occasion` decides who goes first.

        Whether the address may be read at all was settled when the page itself was fetched. Raises RenderError.
        """
        ...
