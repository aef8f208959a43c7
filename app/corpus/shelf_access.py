"""The part of `Corpus` that lists and removes many documents."""

from __future__ import annotations

from collections.abc import Sequence

from app.corpus import passage_flags, shelf
from app.corpus.database import Database
from app.corpus.records import LibraryRow


class ShelfAccess:
    """Needs nothing but the file; what `Corpus` says of its methods holds here too."""

    _database: Database

    def library_page(self, limit: int, after: shelf.Place = shelf.BEGINNING) -> list[LibraryRow]:
        """Rows of the library, the last read ones first; those that follow the time and id of an earlier page's last row."""
        with self._database.read() as con:
            return shelf.page(con, after, limit)

    def library_rows(self, document_ids: Sequence[int]) -> list[LibraryRow]:
        """The rows of those documents that exist, the last read ones first."""
        with self._database.read() as con:
            return shelf.rows(con, document_ids)

    def flagged_documents(self) -> dict[int, tuple[str, ...]]:
        """What addresses the assistant in the passages of documents, by id; the few that have such passages."""
        with self._database.read() as con:
            return passage_flags.everywhere(con)

    def condemn_documents(self, document_ids: Sequence[int]) -> None:
        """Note that documents are to be deleted: what `delete_documents` has not come to is in `condemned_documents`."""
        with self._database.write() as con:
            shelf.condemn(con, document_ids)

    def condemned_documents(self) -> list[int]:
        """The ids of documents that are still to be deleted."""
        with self._database.read() as con:
            return shelf.condemned(con)

    def delete_documents(self, document_ids: Sequence[int]) -> dict[int, str]:
        """Remove documents in one transaction; returns the addresses of those that there were, by id."""
        with self._database.write() as con:
            return shelf.delete(con, document_ids)
