"""The state of one fetch on its way through redirects and retries."""

from __future__ import annotations

from dataclasses import dataclass, field

import httpx

from app.web.body import ACCEPT, ACCEPT_ANYTHING, BodyLimits
from app.web.exchange import TimeBudget
from app.web.occasion import Occasion
from app.web.response import Validators


@dataclass(slots=True)
class Errand:
    """What to get and how. A `polite` one keeps to the pace of the site and to the silence that it asks for."""

    occasion: Occasion
    asks_robots: bool
    polite: bool
    limits: BodyLimits
    budget: TimeBudget
    accept: str = ACCEPT
    validators: Validators = field(default_factory=Validators)
    cookies: httpx.Cookies = field(default_factory=httpx.Cookies)
    seen: set[tuple[str, str]] = field(default_factory=set)

    def conditions(self, hops: int) -> dict[str, str]:
        """Conditional headers; only the ETag after a redirect, as a date says nothing of another address."""
        headers = {}
        if self.validators.etag:
            headers["If-None-Match"] = self.validators.etag
        if self.validators.last_modified and not hops:
            headers["If-Modified-Since"] = self.validators.last_modified
        return headers

    def take_anything(self) -> bool:
        """Ask for any kind from now on; False when that was done before."""
        was_choosy = self.accept != ACCEPT_ANYTHING
        self.accept = ACCEPT_ANYTHING
        return was_choosy

    def runs_in_circle(self, url: str) -> bool:
        """Whether this URL was asked for before with the same cookies."""
        state = (url, repr(sorted((c.name, c.value) for c in self.cookies.jar)))
        known = state in self.seen
        self.seen.add(state)
        return known
