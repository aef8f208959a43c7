"""From version 2 to 3: documentation pages, the graph, tags of documents, pinned passages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import apsw

PARTS: Final[tuple[Callable[[apsw.Connection], None], ...]] = ()


def extend(con: apsw.Connection) -> None:
    """Everything new, in the caller's transaction."""
    for part in PARTS:
        part(con)
