"""From version 2 to 3: documentation pages, the graph, tags of documents, pinned passages, saved tokens, flags."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import apsw

from app.corpus import schema_activity, schema_docs, schema_flags, schema_graph, schema_pins, schema_tags

PARTS: Final[tuple[Callable[[apsw.Connection], None], ...]] = (
    schema_docs.extend,
    schema_tags.extend,
    schema_pins.extend,
    schema_graph.extend,
    schema_activity.extend,
    schema_flags.extend,
)


def extend(con: apsw.Connection) -> None:
    """Everything new, in the caller's transaction."""
    for part in PARTS:
        part(con)
