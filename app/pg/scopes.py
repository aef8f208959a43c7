"""Scopes and rights as an SQL condition on documents, the start of every statement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from app.errors import UnknownLabelError
from app.library.scope import BEHIND_SLASH, EVERYTHING, LAST_CHARACTER, Filter, label_named
from app.pg.sessions import Rights
from app.text.sentence import sentence

INDEXED_PATH_CHARS: Final = 200
DOCUMENTS: Final = "d.collection_id = ANY($1) AND NOT d.is_quarantined"
"""The visible rows of `documents d`; the first parameter is the readable collections."""


def shown(table: str) -> str:
    """Return the condition for a table with collection and document in each row. Excludes quarantined pages."""
    hidden = "SELECT q.id FROM documents q WHERE q.is_quarantined AND q.collection_id = ANY($1)"
    return f"{table}.collection_id = ANY($1) AND {table}.document_id <> ALL(ARRAY({hidden}))"


class Scope:
    """A condition on `documents d` with its parameters; the first is the readable collections, `value` adds more."""

    def __init__(self, rights: Rights, filter: Filter = EVERYTHING) -> None:
        self.values: list[Any] = [list(rights.readable)]
        parts = list(self._parts(filter))
        self.is_restricted = bool(parts)
        self.documents = " AND ".join([DOCUMENTS, *parts])

    def value(self, value: object) -> str:
        """Add a parameter and return its name."""
        self.values.append(value)
        return f"${len(self.values)}"

    def rows(self, table: str) -> str:
        """Return the condition for a table with collection and document in each row."""
        if not self.is_restricted:
            return shown(table)
        inside = f"SELECT d.id FROM documents d WHERE {self.documents}"
        return f"{table}.collection_id = ANY($1) AND {table}.document_id IN ({inside})"

    def _parts(self, wanted: Filter) -> Iterator[str]:
        if wanted.document_ids:
            yield f"d.id = ANY({self.value(list(wanted.document_ids))})"
        if wanted.urls:
            urls = self.value(storable(wanted.urls))
            aliases = f"SELECT a.document_id FROM aliases a WHERE a.collection_id = ANY($1) AND a.url = ANY({urls})"
            yield f"(d.url = ANY({urls}) OR d.id IN ({aliases}))"
        if wanted.url_prefix:
            yield self._begins("d.url", wanted.url_prefix)
        if wanted.path_prefix:
            indexed = f"left(d.doc_path, {INDEXED_PATH_CHARS})"
            yield self._begins(indexed, wanted.path_prefix[:INDEXED_PATH_CHARS])
            yield f"starts_with(d.doc_path, {self.value(wanted.path_prefix)})"
        for group in wanted.doc_tags:
            yield f"({' OR '.join(self._tagged(each) for each in group) or 'false'})"
        if wanted.changed_after is not None:
            yield f"d.changed_at >= {self.value(wanted.changed_after)}"

    def _begins(self, column: str, prefix: str) -> str:
        low, high = self.value(prefix), self.value(prefix + LAST_CHARACTER)
        return f'{column} COLLATE "C" >= {low} AND {column} COLLATE "C" < {high}'

    def _tagged(self, tag: str | int) -> str:
        if isinstance(tag, int):
            return f"d.id = {self.value(tag)}"
        label = label_named(tag)
        if label is not None:
            kind, name = label
            raise UnknownLabelError(
                sentence("{}:{} does not exist in a shared library.", kind, repr(name)),
                hint="Private collections and tags exist only in the private library.",
            )
        own = self.value(tag.lower())
        low, high = self.value(f"{tag.lower()}/"), self.value(f"{tag.lower()}/"[:-1] + BEHIND_SLASH)
        folded = "lower(d.doc_tag)"
        return f"({folded} = {own} OR ({folded} >= {low} AND {folded} < {high}))"


def storable(texts: tuple[str, ...]) -> list[str]:
    """Return the texts that PostgreSQL can store; others cannot match anything."""
    return [text for text in texts if "\0" not in text]
