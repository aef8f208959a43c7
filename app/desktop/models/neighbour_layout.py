"""Where the pages around a document are drawn: what links to it on an arc at the left, what it links to at the right."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.desktop.models.neighbours import Way

if TYPE_CHECKING:
    from app.desktop.models.neighbours import Neighbour, Neighbours

NEAR: Final = 1.3
"""How far the ends of an arc stand from the middle, in widths of a node."""
END: Final = 1.15
"""An arc ends before its ellipse does, by so much."""
BULGE, LARGEST_BULGE = 0.04, 0.36
"""How much farther an arc reaches at its height: so much for every node, but never more."""
RELATED_ROWS: Final = 1.7
"""How far above or below the middle the first related page stands at least, in rows."""


@dataclass(frozen=True, slots=True)
class Place:
    """The middle of a node: `x` in widths of a node, `y` in rows, both from the document in the middle."""

    x: float
    y: float


def placed(found: Neighbours) -> dict[int, Place]:
    """A place for every neighbour by its document; the same for the same neighbours, and no two in one place."""
    places = _arc(found.of(Way.IN), -1)
    places |= _arc(found.of(Way.OUT, Way.BOTH), 1)
    return places | _above_and_below(found.of(Way.RELATED))


def _arc(nodes: Sequence[Neighbour], side: int) -> dict[int, Place]:
    """From top to bottom on half an ellipse; the middle of the arc is farthest out."""
    half = max(1.0, (len(nodes) - 1) / 2)
    height = min(LARGEST_BULGE, BULGE * len(nodes))
    places: dict[int, Place] = {}
    for order, each in enumerate(nodes):
        y = order - (len(nodes) - 1) / 2
        bulge = math.sqrt(max(0.0, 1 - (y / half / END) ** 2))
        places[each.document_id] = Place(side * (NEAR + height * bulge), y)
    return places


def _above_and_below(nodes: Sequence[Neighbour]) -> dict[int, Place]:
    """In turn above and below the middle."""
    return {
        each.document_id: Place(0.0, (-1 if order % 2 == 0 else 1) * (RELATED_ROWS + order // 2))
        for order, each in enumerate(nodes)
    }
