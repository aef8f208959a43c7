"""The names in the index of a docset (Dash, Zeal, doc2dash), an SQLite database. It is read from memory and nothing in it is trusted."""

from __future__ import annotations

import time
from typing import Any, Final

import apsw

from app import caps
from app.errors import FileAccessError
from app.text.sentence import sentence

INDEX_SECONDS: Final = 5.0
INDEX_STEPS: Final = 10_000  # SQLite steps between two checks of the time.
LARGEST_NAME: Final = 500
PLAIN: Final = "SELECT name, type, path, '' FROM searchIndex LIMIT ?"
CORE_DATA: Final = """
SELECT n.ZTOKENNAME, t.ZTYPENAME, f.ZPATH, coalesce(m.ZANCHOR, '') FROM ZTOKEN n
JOIN ZTOKENMETAINFORMATION m ON m.Z_PK = n.ZMETAINFORMATION JOIN ZFILEPATH f ON f.Z_PK = m.ZFILE
JOIN ZTOKENTYPE t ON t.Z_PK = n.ZTOKENTYPE LIMIT ?
"""
# Marks of the write-ahead log, which a database in memory cannot have.
_JOURNAL_MODE: Final = slice(18, 20)


def read_docset_index(content: bytes) -> list[tuple[str, str, str]]:
    """Return name, type, and path with anchor of at most `caps.MAX_API_SYMBOLS` entries. Raises FileAccessError."""
    image = bytearray(content)
    image[_JOURNAL_MODE] = b"\x01\x01"
    deadline = time.monotonic() + INDEX_SECONDS
    con = apsw.Connection(":memory:")
    try:
        con.deserialize("main", bytes(image))
        con.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        con.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        con.set_progress_handler(lambda: time.monotonic() > deadline, INDEX_STEPS)
        names = {str(name).lower() for (name,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        rows: list[Any] = con.execute(
            PLAIN if "searchindex" in names else CORE_DATA, (caps.MAX_API_SYMBOLS,)
        ).fetchall()
    except (apsw.Error, UnicodeDecodeError) as error:
        raise FileAccessError(
            sentence("The index of the docset is damaged ({}).", type(error).__name__),
            hint="Download the docset again.",
        ) from error
    finally:
        con.close()
    texts = ((name, kind, path, anchor) for name, kind, path, anchor in rows if isinstance(name, str))
    return [
        (name, str(kind), f"{path}#{anchor}" if anchor else str(path))
        for name, kind, path, anchor in texts
        if 0 < len(name) <= LARGEST_NAME
    ]
