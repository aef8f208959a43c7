"""Pinned passages: whole copies, in the order in which they were pinned."""

from __future__ import annotations

from dataclasses import astuple, fields
from itertools import starmap
from typing import Final

from app.corpus.database import Database
from app.corpus.records import PinnedPassage

COLUMNS: Final = ", ".join(f'"{column.name}"' for column in fields(PinnedPassage))
VALUES: Final = ", ".join("?" for _ in fields(PinnedPassage))


class PinStore:
    """Copies of passages that outlive their pages. What `Corpus` says of threads and errors holds here too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, passage: PinnedPassage) -> None:
        """Keep a copy of a passage; nothing happens when there is one already."""
        query = f"INSERT INTO pinned_passages({COLUMNS}) VALUES({VALUES}) ON CONFLICT(id) DO NOTHING"
        with self._database.write() as con:
            con.execute(query, astuple(passage))

    def remove(self, passage_id: str) -> bool:
        """Forget a pinned passage; False when there was none."""
        with self._database.write() as con:
            con.execute("DELETE FROM pinned_passages WHERE id = ?", (passage_id,))
            return con.changes() > 0

    def all(self) -> list[PinnedPassage]:
        """All pinned passages, the oldest pin first."""
        with self._database.read() as con:
            return list(starmap(PinnedPassage, con.execute(f"SELECT {COLUMNS} FROM pinned_passages ORDER BY ord")))
