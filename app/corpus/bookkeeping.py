"""What the corpus keeps beside its documents: when documents were cited."""

from __future__ import annotations

from collections.abc import Sequence

from app.corpus import freshness
from app.corpus.database import Database
from app.corpus.records import Freshness


class Bookkeeping:
    """The part of `Corpus` that needs nothing but the file; what `Corpus` says of its methods holds here too."""

    def __init__(self, database: Database) -> None:
        self._database = database

    # freshness

    def freshness(self, document_ids: Sequence[int]) -> list[Freshness]:
        """How old the documents are, in the order of the ids; ids that no longer exist are left out."""
        with self._database.read() as con:
            return freshness.of_documents(con, document_ids)

    def note_cited(self, document_ids: Sequence[int], now: float) -> None:
        """Remember that the documents were cited at this time, with the text that they have."""
        with self._database.write() as con:
            freshness.note_cited(con, document_ids, now)
