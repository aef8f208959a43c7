"""After how long a stored page is asked for again, for all sites or for some."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from app import caps
from app.web.urls import host_of


@dataclass(frozen=True, slots=True)
class StaleAfter:
    """`seconds` for every site, `sites` with times of their own by host; "www." before a host makes no difference."""

    seconds: float
    sites: Mapping[str, float] = field(default_factory=dict)

    def seconds_for(self, url: str) -> float:
        """How long the copy of a page is as good as the page; never less than a run's own throttle."""
        host = host_of(url)
        own = next((self.sites[name] for name in _spellings(host) if name in self.sites), self.seconds)
        return max(own, caps.REFETCH_THROTTLE_SECONDS)


def _spellings(host: str) -> tuple[str, str, str]:
    bare = host.removeprefix("www.")
    return host, bare, f"www.{bare}"
