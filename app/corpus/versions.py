"""Earlier texts of a page, each stored as its difference from the next one; the newest is based on `document_texts`.

A page has at most VERSIONS_PER_PAGE versions and all pages together VERSIONS_BYTES; beyond that, the oldest are deleted. Every text has a
checksum: a text that cannot be restored byte for byte is reported as unreadable.
"""

from __future__ import annotations

import hashlib
import json
import logging
import zlib
from collections.abc import Iterator
from itertools import starmap
from typing import Any, Final

import apsw

from app import caps
from app.corpus.activity import passages_given
from app.corpus.database import Store
from app.corpus.page_texts import TEXT, read_text
from app.corpus.records import PageVersion
from app.errors import CorpusError
from app.library.records import DocumentIn
from app.text.sentence import sentence

log = logging.getLogger(__name__)

VERSIONS_PER_PAGE: Final = 3
VERSIONS_BYTES: Final = 128 * caps.MIB  # Total size of the differences of all pages.
HINT: Final = "Refresh the page, or restore a backup."
MAX_DIFFERENCE_BYTES: Final = 512 * caps.KIB
MAX_VERSIONED_CHARS: Final = 2_000_000  # A longer text has no versions: it would block the writer.
MAX_UNPACKED_BYTES: Final = 5 * MAX_VERSIONED_CHARS  # Four bytes per character, and positions.
MAX_CALLS_COMPARED: Final = 500  # The newest calls whose passages are compared with the new text.
SHORTEST_COPY_CHARS: Final = 12  # A shorter line takes less space as text than as a reference.
OLD: Final = f"""
SELECT d.url, d.title, d.content_hash, d.changed_at, {TEXT} FROM documents d JOIN document_texts t ON t.document_id = d.id
WHERE d.id = ? AND d.content_hash <> ?
"""
INSERT: Final = """
INSERT INTO versions(document_id, read_at, replaced_at, url, title, content_hash, checksum, bytes, difference)
VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
BEYOND: Final = """
DELETE FROM versions WHERE document_id = ?1
  AND id NOT IN (SELECT id FROM versions WHERE document_id = ?1 ORDER BY id DESC LIMIT ?2)
"""
OLDEST: Final = """
DELETE FROM versions WHERE id IN (
  SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM versions) WHERE before < ?
)
"""
"""Oldest versions of all pages beyond this many bytes."""
RECORDS: Final = "SELECT id, document_id, read_at, replaced_at, url, title, content_hash, bytes FROM versions"


class VersionStore(Store):
    """The earlier texts of pages."""

    def of_document(self, document_id: int) -> list[PageVersion]:
        """Return the earlier texts of a page, newest first."""
        return list(starmap(PageVersion, self._rows(f"{RECORDS} WHERE document_id = ? ORDER BY id DESC", document_id)))

    def changed_documents(self, limit: int, *, cited: bool = False) -> list[int]:
        """Return pages with earlier texts, last changed first; with `cited`, only those that changed since they were cited."""
        since = "JOIN documents d ON d.id = v.document_id WHERE d.cited_at IS NOT NULL AND d.cited_hash IS NOT d.content_hash"
        query = f"SELECT v.document_id FROM versions v {since if cited else ''} GROUP BY v.document_id ORDER BY max(v.id) DESC LIMIT ?"
        return [number for (number,) in self._rows(query, limit)]

    def texts(self, document_id: int) -> dict[int, str]:
        """Return the earlier texts of a page by version ID, newest first, as far as they can be restored."""
        with self._database.read() as con:
            return dict(texts_of(con, document_id))


def count_cited_and_changed(con: apsw.Connection, document_id: int, cited_at: float) -> int:
    """Return the number of passages given to calls from the cited text that the page no longer contains."""
    query = "SELECT id, read_at, replaced_at FROM versions WHERE document_id = ? AND read_at <= ? AND replaced_at > ?"
    row: Any = con.execute(query, (document_id, cited_at, cited_at)).fetchone()
    if row is None or (old := dict(texts_of(con, document_id)).get(row[0])) is None:
        return 0
    text = read_text(con, document_id) or ""
    given = passages_given(con, document_id, row[1], MAX_CALLS_COMPARED)
    quotes = {old[each.start : each.end].strip() for each in given if each.moment < row[2]}
    return sum(quote not in text for quote in quotes)


def keep(con: apsw.Connection, document_id: int, replacement: DocumentIn, replaced_at: float) -> None:
    """Keep the text that is about to be replaced, if possible. Raises apsw.Error if the transaction has ended."""
    con.execute("SAVEPOINT version")
    try:
        _keep(con, document_id, replacement, replaced_at)
    except apsw.Error as error:
        if not con.in_transaction:
            raise
        con.execute("ROLLBACK TO version")
        log.warning("cannot keep the earlier text of document %d: %s", document_id, error)
        _forget(con, document_id)
    con.execute("RELEASE version")


def hand_over(con: apsw.Connection, document_id: int, replacement: DocumentIn, replaced_at: float, heir: int) -> None:
    """Keep the text of a document that is merged into a newly stored one as an earlier text of that one."""
    keep(con, document_id, replacement, replaced_at)
    con.execute("UPDATE OR IGNORE versions SET document_id = ? WHERE document_id = ?", (heir, document_id))


def _forget(con: apsw.Connection, document_id: int) -> None:
    """Delete versions that depend on a deleted text; if this fails too, their checksums reveal it."""
    try:
        con.execute("DELETE FROM versions WHERE document_id = ?", (document_id,))
    except apsw.Error as error:
        log.warning("cannot delete the earlier texts of document %d: %s", document_id, error)


def _keep(con: apsw.Connection, document_id: int, replacement: DocumentIn, replaced_at: float) -> None:
    row = con.execute(OLD, (document_id, replacement.content_hash)).fetchone()
    if row is None or row[-1] == replacement.text:
        return
    url, title, content_hash, read_at, text = row
    packed = difference(text, replacement.text) if max(len(text), len(replacement.text)) <= MAX_VERSIONED_CHARS else b""
    if not 0 < len(packed) <= MAX_DIFFERENCE_BYTES:
        _forget(con, document_id)
        return
    facts = (document_id, read_at, replaced_at, url, title, content_hash)
    con.execute(INSERT, (*facts, checksum(text), len(packed), packed))
    con.execute(BEYOND, (document_id, VERSIONS_PER_PAGE))
    excess: int = con.execute("SELECT coalesce(sum(bytes), 0) FROM versions").get - VERSIONS_BYTES
    if excess > 0:
        con.execute(OLDEST, (excess,))


def texts_of(con: apsw.Connection, document_id: int) -> Iterator[tuple[int, str]]:
    """Yield a page's versions with their texts, newest first, up to one that cannot be restored."""
    text = read_text(con, document_id)
    query = "SELECT id, checksum, difference FROM versions WHERE document_id = ? ORDER BY id DESC"
    for version_id, expected, packed in con.execute(query, (document_id,)):
        if text is None:
            return
        try:
            text = restored(packed, text)
        except CorpusError as error:
            log.warning("version %d of document %d cannot be read: %s", version_id, document_id, error)
            return
        if checksum(text) != expected:
            log.warning("version %d of document %d does not match its checksum", version_id, document_id)
            return
        yield version_id, text


def checksum(text: str) -> bytes:
    """Return a checksum of a text."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()


def difference(old: str, new: str) -> bytes:
    """Encode `old` as pieces of `new` and text of its own, in linear time."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    pieces = _Pieces()
    pieces.copy(0, head)
    end = len(new) - tail
    # In between, a line of new[head:end] by its position, continuing after the last match.
    known: dict[str, int] = {}
    place = head
    for line in new[head:end].splitlines(keepends=True):
        known.setdefault(line, place)
        place += len(line)
    expected = head
    for line in old[head : len(old) - tail].splitlines(keepends=True):
        if expected + len(line) <= end and new.startswith(line, expected):
            found = expected
        else:
            found = known.get(line, -1) if len(line) >= SHORTEST_COPY_CHARS else -1
        if found < 0:
            pieces.write(line)
        else:
            pieces.copy(found, len(line))
            expected = found + len(line)
    pieces.copy(end, tail)
    return zlib.compress(f"{json.dumps(pieces.places, separators=(',', ':'))}\n{''.join(pieces.own)}".encode())


def restored(packed: bytes, new: str) -> str:
    """Restore the text that `difference` encoded against `new`. Raises CorpusError for invalid data."""
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(packed, MAX_UNPACKED_BYTES)
        if not inflater.eof:
            raise CorpusError(sentence("An earlier version of the page is too long."), hint=HINT)
        head, _, own = content.decode().partition("\n")
        parts: list[str] = []
        used = length = 0
        for start, copied, written in json.loads(head):
            length += copied + written
            if min(start, copied, written) < 0 or length > MAX_VERSIONED_CHARS:
                raise ValueError("a position outside the text")
            parts += [new[start : start + copied], own[used : used + written]]
            used += written
        return "".join(parts)
    except (zlib.error, ValueError, TypeError, RecursionError) as error:
        raise CorpusError(sentence("An earlier version of the page is damaged ({}).", error), hint=HINT) from error


class _Pieces:
    """Pieces in order: the start of a piece in the other text, its length, and the number of characters from `own` after it."""

    def __init__(self) -> None:
        self.places: list[list[int]] = []
        self.own: list[str] = []

    def copy(self, start: int, length: int) -> None:
        last = self.places[-1] if self.places else None
        if last is not None and not last[2] and last[0] + last[1] == start:
            last[1] += length
        elif length:
            self.places.append([start, length, 0])

    def write(self, text: str) -> None:
        if not self.places:
            self.places.append([0, 0, 0])
        self.places[-1][2] += len(text)
        self.own.append(text)


def _common(first: str, second: str) -> int:
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
