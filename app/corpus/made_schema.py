"""What the tables, indexes, triggers and views of a corpus must be: those that this program makes, and no others.

A file from elsewhere can bring a trigger that changes what is stored, or a view in the place of a table.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import lru_cache
from typing import Final, TypeAlias

import apsw

from app.corpus.migrations import MIGRATIONS

SHADOW_TABLES: Final = ("chunks_fts_", "doc_words_")
"""The full-text module makes them, in the words of its own version."""

Name: TypeAlias = tuple[str, str, str]
"""Type, name and the table it belongs to."""


def differences(con: apsw.Connection) -> Iterator[str]:
    """What is in the file and not made by this program, missing, or defined in other words."""
    made, found = _made(), _entries(con)
    for kind, name, table in sorted(found.keys() - made.keys()):
        yield f"unexpected {kind} {name} on {table}" if kind == "trigger" else f"unexpected {kind} {name}"
    for kind, name, _ in sorted(made.keys() - found.keys()):
        yield f"{kind} {name} is missing"
    for entry in sorted(made.keys() & found.keys()):
        if found[entry] != made[entry]:
            yield f"{entry[0]} {entry[1]} is not the one that this program makes"


@lru_cache(maxsize=1)
def _made() -> dict[Name, str]:
    """The schema of an empty corpus of this version."""
    with closing(apsw.Connection(":memory:")) as con:
        for step in MIGRATIONS:
            step(con)
        return _entries(con)


def _entries(con: apsw.Connection) -> dict[Name, str]:
    rows = con.execute("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema").fetchall()
    entries = [(str(kind), str(name), str(table), str(sql)) for kind, name, table, sql in rows]
    return {(kind, name, table): _words(name, sql) for kind, name, table, sql in entries if not _is_sqlites(kind, name)}


def _is_sqlites(kind: str, name: str) -> bool:
    """Sequences, statistics and the indexes behind UNIQUE; triggers and views are never SQLite's own."""
    return name.startswith("sqlite_") and kind in ("table", "index")


def _words(name: str, sql: str) -> str:
    return "" if name.startswith(SHADOW_TABLES) else " ".join(sql.split())
