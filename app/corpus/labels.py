"""Collections and tags: groups of pages named by the user. A page can have any number of both."""

from __future__ import annotations

import time
import unicodedata
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Final

import apsw

from app import caps
from app.corpus.database import Store, id_list
from app.corpus.records import Label, LabelKind
from app.errors import InvalidArgumentError, UnknownLabelError
from app.text.scripts import normalized
from app.text.sentence import sentence

MAX_LABELS: Final = {LabelKind.COLLECTION: caps.MAX_COLLECTIONS, LabelKind.TAG: caps.MAX_TAGS}
ALL: Final = """
SELECT l.kind, l.name, count(p.document_id) FROM labels l LEFT JOIN labelled p ON p.label_id = l.id
GROUP BY l.id ORDER BY l.kind, l.folded
"""
ADD: Final = """
INSERT INTO labelled(document_id, label_id, added_at)
SELECT d.id, ?2, ?3 FROM documents d WHERE d.id IN (SELECT value FROM carray(?1))
ON CONFLICT DO NOTHING RETURNING document_id
"""
REMOVE: Final = """
DELETE FROM labelled WHERE label_id = ?2 AND document_id IN (SELECT value FROM carray(?1)) RETURNING document_id
"""
FORGET_UNUSED: Final = "DELETE FROM labels WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM labelled WHERE label_id = ?1)"
FULL: Final = """
SELECT count(*) FROM (
  SELECT document_id FROM labelled WHERE document_id IN (SELECT value FROM carray(?1))
  GROUP BY document_id HAVING count(*) > ?2
)
"""


class LabelStore(Store):
    """Labels by kind and name; names are not case-sensitive."""

    def all(self) -> list[Label]:
        """Return collections, then tags, by name, with their numbers of pages."""
        return [Label(LabelKind(kind), name, pages) for kind, name, pages in self._rows(ALL)]

    def add(self, kind: LabelKind, name: str, document_ids: Sequence[int] = ()) -> list[int]:
        """Give pages a label, new if necessary; return the IDs of those that lacked it. Raises InvalidArgumentError."""
        _check_count(document_ids)
        with self._database.write() as con:
            label = known_or_new(con, kind, name)
            added = [row[0] for row in con.execute(ADD, (id_list(document_ids), label, time.time()))]
            full = con.execute(FULL, (id_list(added), caps.MAX_LABELS_PER_PAGE)).get
            if full:
                raise InvalidArgumentError(
                    sentence("A page can have at most {} collections and tags.", caps.MAX_LABELS_PER_PAGE),
                    hint="Remove the page from some of them first.",
                )
            if kind is LabelKind.TAG:
                con.execute(FORGET_UNUSED, (label,))
            return added

    def remove(self, kind: LabelKind, name: str, document_ids: Sequence[int]) -> list[int]:
        """Remove a label from pages; return the IDs of those that had it. Raises UnknownLabelError."""
        _check_count(document_ids)
        with self._database.write() as con:
            return [row[0] for row in con.execute(REMOVE, (id_list(document_ids), known_label(con, kind, name)))]

    def rename(self, kind: LabelKind, name: str, new: str) -> list[int]:
        """Rename a label; return the IDs of its pages. Raises UnknownLabelError, InvalidArgumentError for a name in use."""
        checked = checked_name(new)
        with self._database.write() as con:
            label = known_label(con, kind, name)
            if _find(con, kind, checked) not in (None, label):
                raise InvalidArgumentError(
                    sentence("The name {} is already in use.", repr(checked)), hint="Choose another name."
                )
            con.execute("UPDATE labels SET name = ?, folded = ? WHERE id = ?", (checked, folded_label(checked), label))
            return _documents(con, label)

    def delete(self, kind: LabelKind, name: str) -> list[int]:
        """Delete a label but not its pages; return the IDs of the pages that had it. Raises UnknownLabelError."""
        with self._database.write() as con:
            label = known_label(con, kind, name)
            document_ids = _documents(con, label)
            con.execute("DELETE FROM labels WHERE id = ?", (label,))
            return document_ids


def known_or_new(con: apsw.Connection, kind: LabelKind, name: str) -> int:
    """Return the number of a label, creating it if necessary. Raises the errors of `LabelStore.add`."""
    checked = checked_name(name)
    label = _find(con, kind, checked)
    if label is None:
        count: int = con.execute("SELECT count(*) FROM labels WHERE kind = ?", (kind,)).get
        if count >= MAX_LABELS[kind]:
            raise InvalidArgumentError(sentence("The maximum of {} is reached.", count), hint="Delete one first.")
        query = "INSERT INTO labels(kind, name, folded, created_at) VALUES(?, ?, ?, ?) RETURNING id"
        label = con.execute(query, (kind, checked, folded_label(checked), time.time())).get
    return label


def checked_name(name: str) -> str:
    """Return the name as it is stored: composed and trimmed. Raises InvalidArgumentError if it is invalid."""
    plain = " ".join(normalized("NFC", name).split()).strip("/ ")
    if not plain:
        raise InvalidArgumentError(sentence("A collection or tag needs a name."))
    if len(plain) > caps.MAX_LABEL_CHARS:
        raise InvalidArgumentError(
            sentence("The name has {} characters; at most {} are allowed.", len(plain), caps.MAX_LABEL_CHARS)
        )
    odd = next((sign for sign in plain if not sign.isprintable()), "")
    if odd:
        name_of = unicodedata.name(odd, f"U+{ord(odd):04X}").lower()
        raise InvalidArgumentError(
            sentence("The name contains an invisible character ({}).", name_of),
            hint="Type the name instead of pasting it. Use only simple emoji: families and flags contain invisible characters.",
        )
    return plain


def folded_label(name: str) -> str:
    """Return the form in which names are compared."""
    return normalized("NFKC", " ".join(name.split()).strip("/ ")).casefold()


def _find(con: apsw.Connection, kind: str, name: str) -> int | None:
    query = "SELECT id FROM labels WHERE kind = ? AND folded = ?"
    found: int | None = con.execute(query, (kind, folded_label(name))).get
    return found


def known_label(con: apsw.Connection, kind: str, name: str) -> int:
    """Return the number of a label. Raises UnknownLabelError with similar names."""
    label = _find(con, kind, name)
    if label is None:
        rows = con.execute("SELECT folded, name FROM labels WHERE kind = ? ORDER BY folded", (kind,))
        known = {str(folded): str(each) for folded, each in rows}
        wanted = folded_label(name)
        close = get_close_matches(wanted, known, caps.LABELS_SUGGESTED, 0.5)
        close += [each for each in known if wanted in each and each not in close]
        named = ", ".join(repr(known[each]) for each in close[: caps.LABELS_SUGGESTED])
        hint = "Check the spelling." if known else "Create it first, or leave it out."
        if named:
            hint = sentence("Similar names: {}.", named)
        raise UnknownLabelError(sentence("{}:{} does not exist.", kind, repr(name[: caps.MAX_LABEL_CHARS])), hint=hint)
    return label


def _documents(con: apsw.Connection, label: int) -> list[int]:
    query = "SELECT document_id FROM labelled WHERE label_id = ? ORDER BY document_id"
    return [row[0] for row in con.execute(query, (label,))]


def _check_count(document_ids: Sequence[int]) -> None:
    if len(document_ids) > caps.MAX_PAGES_LABELLED:
        raise InvalidArgumentError(
            sentence("{} pages exceed the limit of {}.", f"{len(document_ids):,}", f"{caps.MAX_PAGES_LABELLED:,}")
        )
