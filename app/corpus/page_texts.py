"""Texts of pages, compressed where that saves space. SQL reads them by a function that `add_function` adds to a connection.

`document_texts.text` is empty if `packed` contains the text, and `chars` is then its length. Versions before the migration
`pages_packed` stored every text as it is.
"""

from __future__ import annotations

import zlib
from typing import Any, Final

import apsw

from app import caps

MAX_TEXT_BYTES: Final = 4 * caps.MAX_PAGE_CHARS  # UTF-8 takes up to four bytes per character.
TEXT: Final = "page_text(text, packed)"  # The text of a row of `document_texts`.
WRITE: Final = """
INSERT INTO document_texts(document_id, text, packed, chars) VALUES(?, ?, ?, ?) ON CONFLICT(document_id) DO UPDATE
SET (text, packed, chars) = (excluded.text, excluded.packed, excluded.chars) WHERE (text, packed) IS NOT (excluded.text, excluded.packed)
"""


def write_text(con: apsw.Connection, document_id: int, text: str) -> None:
    """Store the text of a document, unless it is stored already."""
    plain = text.encode()
    packed = zlib.compress(plain)
    values = ("", packed, len(text)) if len(packed) < len(plain) else (text, None, None)
    con.execute(WRITE, (document_id, *values))


def read_text(con: apsw.Connection, document_id: int) -> str | None:
    """Return the text of a document, or None without one."""
    text: str | None = con.execute(f"SELECT {TEXT} FROM document_texts WHERE document_id = ?", (document_id,)).get
    return text


def add_function(con: apsw.Connection) -> None:
    """Add the SQL function that returns stored texts."""
    con.create_scalar_function("page_text", page_text, 2, deterministic=True)


def page_text(*stored: Any) -> Any:
    """Return the text of the two columns. Raises apsw.CorruptError and UnicodeDecodeError."""
    text, packed = stored
    if packed is None:
        return text
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(packed, MAX_TEXT_BYTES + 1)
    except (zlib.error, TypeError) as error:
        raise apsw.CorruptError(f"a text cannot be unpacked: {error}") from error
    if not inflater.eof:
        raise apsw.CorruptError("a text is incomplete or too long")
    return plain.decode()
