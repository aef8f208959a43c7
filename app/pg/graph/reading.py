"""Statements of the graph within one scope, in one state of the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from app.library.scope import Filter
from app.pg.connections import Connection, Rights
from app.pg.scopes import DOCUMENTS, Scope, shown

SITES_JOINED_BY: Final = "\x1f"
"""Between the sites of one entity where many are handed over."""


class Reading:
    """A statement names what is in scope as `{d}` (documents d), `{m}` (mentions m) and `{l}` (links l), and its values as `{v0}`, `{v1}` …

    `{readable}` are the documents d that may be read, in scope or not, `{mentions}` their mentions m.
    """

    def __init__(self, con: Connection, rights: Rights, filter: Filter) -> None:
        self._con = con
        self._rights = rights
        self._filter = filter

    async def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a statement; all collections that it reads are those of the rights."""
        is_scoped = any(f"{{{each}}}" in query for each in "dml")
        scope = Scope(self._rights, self._filter) if is_scoped else Scope(self._rights)
        given = {f"v{place}": scope.value(value) for place, value in enumerate(values)}
        text = query.format(
            **given,
            d=scope.documents,
            m=scope.rows("m"),
            l=scope.rows("l"),
            readable=DOCUMENTS,
            mentions=shown("m"),
        )
        found: list[Any] = await self._con.fetch(text, *scope.values)
        return found


def joined(sites: Iterable[str]) -> str:
    """Sites as one value."""
    return SITES_JOINED_BY.join(sites)


def columns(rows: Sequence[Sequence[Any]], width: int) -> list[list[Any]]:
    """Rows as the columns that a statement unnests; `width` is how many there are, also of no row."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(width)]
