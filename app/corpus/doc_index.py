"""The pages of documentation folders in the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app import caps
from app.corpus import doc_pages, vectors
from app.corpus.binding import ids_of
from app.corpus.database import Database
from app.corpus.doc_records import (
    Centre,
    DocChanges,
    DocPage,
    DocPageHead,
    Docset,
    DocStamp,
    PageChunks,
    WordCounts,
)
from app.corpus.model import Model


class DocIndex:
    """The part of the corpus that the documentation tools read. What `Corpus` says of its methods holds here too."""

    def __init__(self, database: Database, model: Model | None) -> None:
        self._database = database
        self._model = model

    def docsets(self) -> list[Docset]:
        """The bundled guide, then one for each folder by name."""
        with self._database.read() as con:
            is_complete, found = not doc_pages.lacks_some(con), doc_pages.all_of_them(con)
        if is_complete:
            return found
        with self._database.write() as con:
            doc_pages.add_missing(con)
            return doc_pages.all_of_them(con)

    def stamps(self, docset_id: int) -> dict[str, tuple[DocStamp, str]]:
        """Stamp and category of each page, by path."""
        with self._database.read() as con:
            return doc_pages.stamps(con, docset_id)

    def update(self, docset_id: int, version: str, changes: DocChanges) -> bool:
        """Take up what changed in a folder; False when it was removed meanwhile."""
        with self._database.write() as con:
            return doc_pages.update(con, docset_id, version, changes)

    def heads(self, docset_id: int) -> list[DocPageHead]:
        """All pages by path, without their texts."""
        with self._database.read() as con:
            return doc_pages.heads(con, docset_id)

    def page(self, docset_id: int, path: str) -> DocPage | None:
        """The page at a path."""
        with self._database.read() as con:
            return next(doc_pages.pages(con, docset_id, path), None)

    def pages(self, docset_id: int) -> list[DocPage]:
        """All pages with their texts, by path."""
        with self._database.read() as con:
            return list(doc_pages.pages(con, docset_id))

    def texts(self, page_ids: Sequence[int]) -> dict[int, str]:
        """The texts of pages, by id."""
        with self._database.read() as con:
            return doc_pages.texts(con, page_ids)

    def words(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text as the index holds them: folded and stemmed."""
        with self._database.read() as con:
            return [doc_pages.tokens(con, text) for text in texts]

    def counts(self, words: Sequence[str]) -> dict[str, dict[int, WordCounts]]:
        """How often each word of the index stands in the pages that hold it, of all folders."""
        with self._database.read() as con:
            return {word: doc_pages.counts(con, word) for word in words}

    def chunks(self, docset_id: int) -> list[PageChunks]:
        """The chunks of those pages whose document is stored; none has a vector while there is no model."""
        with self._database.read() as con:
            return doc_pages.chunks(con, docset_id, self._model.id if self._model is not None else -1)

    def centres(self, document_ids: Sequence[int]) -> Iterator[tuple[int, Centre]]:
        """The mean direction of the vectors of each document that has some."""
        if self._model is None:
            return
        for start in range(0, len(document_ids), caps.DOC_CENTRES_AT_ONCE):
            part = ids_of(document_ids[start : start + caps.DOC_CENTRES_AT_ONCE])
            with self._database.read() as con:
                yield from doc_pages.centres(con, part, self._model.id).items()

    def last_change(self) -> int:
        """A number that rises whenever vectors come or go."""
        with self._database.read() as con:
            return int(con.execute(vectors.LAST_CHANGE).get or 0)

    def documents_of(self, chunk_ids: Sequence[int]) -> dict[int, int]:
        """The documents of chunks, by chunk."""
        with self._database.read() as con:
            return doc_pages.documents_of(con, chunk_ids)
