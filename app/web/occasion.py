"""Why a page is read, on which depends who goes first and what is asked of the site before."""

from __future__ import annotations

from enum import Enum, auto


class Occasion(Enum):
    """NAMED: somebody waits for this page. LISTED: a person named it, among others, and nobody waits. AUTOMATIC: nobody named it."""

    NAMED = auto()
    LISTED = auto()
    AUTOMATIC = auto()

    @property
    def is_urgent(self) -> bool:
        """Whether it goes before all that nobody waits for, without regard to the pace of the site."""
        return self is Occasion.NAMED

    @property
    def is_unasked(self) -> bool:
        """Whether the site is asked first: its robots.txt, and noindex."""
        return self is Occasion.AUTOMATIC


def occasion_of(*, automatic: bool, listed: bool) -> Occasion:
    """What nobody named stays automatic, whatever list it is on."""
    if automatic:
        return Occasion.AUTOMATIC
    return Occasion.LISTED if listed else Occasion.NAMED
