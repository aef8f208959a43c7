"""Folders whose files are kept in the corpus."""

from __future__ import annotations

import time
from typing import Final

import apsw

from app.corpus.records import FileStamp, Folder, StoredFile

FOLDERS: Final = """
SELECT f.id, f.path, f.added_at, (SELECT count(*) FROM documents d WHERE d.folder_id = f.id) FROM folders f
"""


def add(con: apsw.Connection, path: str) -> Folder:
    con.execute(
        "INSERT INTO folders(path, added_at) VALUES(?, ?) ON CONFLICT(path) DO NOTHING",
        (path, time.time()),
    )
    return Folder(*con.execute(FOLDERS + "WHERE f.path = ?", (path,)).get)


def all_of_them(con: apsw.Connection) -> list[Folder]:
    return [Folder(*row) for row in con.execute(FOLDERS + "ORDER BY f.path")]


def exists(con: apsw.Connection, folder_id: int) -> bool:
    return bool(con.execute("SELECT EXISTS (SELECT 1 FROM folders WHERE id = ?)", (folder_id,)).get)


def thin_out(con: apsw.Connection, folder_id: int, count: int) -> int:
    """Delete this many documents of the folder; returns how many there were."""
    con.execute(
        "DELETE FROM documents WHERE id IN (SELECT id FROM documents WHERE folder_id = ? LIMIT ?)", (folder_id, count)
    )
    return con.changes()


def remove(con: apsw.Connection, folder_id: int) -> bool:
    con.execute("DELETE FROM folders WHERE id = ?", (folder_id,))
    return con.changes() > 0


def files(con: apsw.Connection, folder_id: int) -> list[StoredFile]:
    query = "SELECT id, url, file_mtime_ns, file_bytes FROM documents WHERE folder_id = ? ORDER BY url"
    return [
        StoredFile(document_id, url, FileStamp(folder_id, mtime_ns, size))
        for document_id, url, mtime_ns, size in con.execute(query, (folder_id,))
    ]
