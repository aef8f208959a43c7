"""What the web room returns for one address."""

from __future__ import annotations

from dataclasses import dataclass


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
    requested_url: str
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
