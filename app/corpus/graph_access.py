"""The part of `Corpus` that is about the graph."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from app.corpus import entities, filters, passage_flags
from app.corpus.database import Database
from app.corpus.graph.view import GraphView
from app.corpus.records import Filter
from app.text.entities import mentions_of


class GraphAccess:
    """Needs nothing but the file; what `Corpus` says of its methods holds here too."""

    _database: Database

    @contextmanager
    def graph(self, filter: Filter) -> Iterator[GraphView]:
        """One state of the graph as far as the filter lets through. Keep it short: it holds a reader."""
        with self._database.read() as con:
            allowed = filters.documents(con, filter)
            yield GraphView(con, None if allowed is None else frozenset(allowed.tolist()))

    def fill_graph(self, limit: int) -> int:
        """Find the mentions and flags of so many documents that wait for it, oldest first; returns how many there were."""
        with self._database.read() as con:
            waiting = [(document, passage_flags.texts(con, document.id)) for document in entities.waiting(con, limit)]
        found = [
            (
                document,
                mentions_of(document.title, document.text, document.sections, document.links),
                passage_flags.flags_of(passages),
            )
            for document, passages in waiting
        ]
        if found:
            with self._database.write() as con:
                for document, mentions, flags in found:
                    if entities.write_if_unchanged(con, document, mentions):
                        passage_flags.write(con, document.id, flags)
        return len(waiting)

    def has_entities(self) -> bool:
        """Whether there is anything in the graph that sections share."""
        with self._database.read() as con:
            return bool(con.execute("SELECT EXISTS (SELECT 1 FROM entities)").get)

    def count_graph_waiting(self) -> int:
        """How many documents wait for their mentions."""
        with self._database.read() as con:
            return entities.count_waiting(con)
