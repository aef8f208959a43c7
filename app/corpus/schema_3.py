"""From version 2 to 3: documentation pages, the graph, tags of documents, pinned passages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import apsw

from app.corpus import schema_docs, schema_graph, schema_pins, schema_tags

PARTS: Final[tuple[Callable[[apsw.Connection], None], ...]] = (
    schema_docs.extend,
    schema_tags.extend,
    schema_pins.extend,
    schema_graph.extend,
)


def extend(con: apsw.Connection) -> None:
    """Everything new, in the caller's transaction."""
    for part in PARTS:
        part(con)
