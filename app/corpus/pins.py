"""Pinned passages: whole copies, in the order in which they were pinned."""

from __future__ import annotations

from dataclasses import astuple, fields
from itertools import starmap
from typing import Final

import apsw

from app.corpus.records import PinnedPassage

COLUMNS: Final = ", ".join(f'"{column.name}"' for column in fields(PinnedPassage))
PLACES: Final = ", ".join("?" for _ in fields(PinnedPassage))


def add(con: apsw.Connection, passage: PinnedPassage) -> None:
    """Keep a copy; nothing happens when it is there already."""
    query = f"INSERT INTO pinned_passages({COLUMNS}) VALUES({PLACES}) ON CONFLICT(id) DO NOTHING"
    con.execute(query, astuple(passage))


def remove(con: apsw.Connection, passage_id: str) -> bool:
    con.execute("DELETE FROM pinned_passages WHERE id = ?", (passage_id,))
    return con.changes() > 0


def all_of(con: apsw.Connection) -> list[PinnedPassage]:
    rows = con.execute(f"SELECT {COLUMNS} FROM pinned_passages ORDER BY ord")
    return list(starmap(PinnedPassage, rows))
