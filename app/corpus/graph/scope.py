"""One state of the graph in one scope: which documents count, and where the sections of documents begin."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

import apsw

from app import caps

STARTS: Final = 'SELECT "start" FROM sections WHERE document_id = ? ORDER BY ord'


class GraphScope:
    """`allowed` are the documents in scope, None for all."""

    def __init__(self, con: apsw.Connection, allowed: frozenset[int] | None) -> None:
        self.con = con
        self.allowed = allowed
        self.frequencies: dict[int, int] = {}
        """In how many sections entities stand, as far as that was asked."""
        self._starts: dict[int, list[int]] = {}

    def passes(self, document_id: int) -> bool:
        """Whether the document is in scope."""
        return self.allowed is None or document_id in self.allowed

    def starts(self, document_id: int) -> list[int]:
        """Where each section of the document begins, by its number."""
        known = self._starts.get(document_id)
        if known is None:
            known = [row[0] for row in self.con.execute(STARTS, (document_id,))]
            self._starts[document_id] = known
        return known

    def section_at(self, document_id: int, position: int) -> int:
        """The number of the section that holds this place of the text, -1 before the first heading."""
        return bisect_right(self.starts(document_id), position) - 1

    def rows(self, query: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, at most GRAPH_SCAN_ROWS."""
        return islice(self.con.execute(query, values), caps.GRAPH_SCAN_ROWS)

    def count(self, documents: str, *values: object) -> int:
        """How many rows of a query for document ids are in scope, not counting beyond MAX_DEGREE_COUNTED."""
        if self.allowed is None:
            counted = f"SELECT count(*) FROM ({documents} LIMIT {caps.MAX_DEGREE_COUNTED})"
            return int(self.con.execute(counted, values).get)
        passing = (1 for (document_id,) in self.rows(documents, *values) if document_id in self.allowed)
        return sum(islice(passing, caps.MAX_DEGREE_COUNTED))
