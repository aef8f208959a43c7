"""Which documents hold passages that address the assistant."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

import apsw

from app.text.shield import instruction_flags

TEXTS: Final = "SELECT text FROM chunks WHERE document_id = ? ORDER BY ord"
WRITE: Final = """
INSERT INTO document_flags(document_id, flags) VALUES(?, ?) ON CONFLICT(document_id) DO UPDATE SET flags = excluded.flags
"""


def texts(con: apsw.Connection, document_id: int) -> list[str]:
    """The passages of a document."""
    return [row[0] for row in con.execute(TEXTS, (document_id,))]


def flags_of(passages: Sequence[str]) -> tuple[str, ...]:
    """The flags of all passages, each once, in the order in which they are met."""
    return tuple(dict.fromkeys(flag for passage in passages for flag in instruction_flags(passage)))


def write(con: apsw.Connection, document_id: int, flags: Sequence[str]) -> None:
    """Replace what is known of a document."""
    if flags:
        con.execute(WRITE, (document_id, json.dumps(flags)))
    else:
        con.execute("DELETE FROM document_flags WHERE document_id = ?", (document_id,))


def read(stored: str | None) -> tuple[str, ...]:
    """The flags as `write` stored them."""
    return tuple(json.loads(stored)) if stored else ()


def everywhere(con: apsw.Connection) -> dict[int, tuple[str, ...]]:
    """The flags of every document that has any, by its id."""
    rows: list[Any] = con.execute("SELECT document_id, flags FROM document_flags").fetchall()
    return {document_id: read(flags) for document_id, flags in rows}
