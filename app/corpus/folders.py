"""Folders whose files are kept in the corpus."""

from __future__ import annotations

import time
from typing import Final

import apsw

from app.corpus.folder_names import checked_name, default_name
from app.corpus.job_records import Folder, StoredFile
from app.corpus.records import FileStamp

FOLDERS: Final = """
SELECT f.id, f.path, f.added_at, (SELECT count(*) FROM documents d WHERE d.folder_id = f.id), f.name FROM folders f
"""


def add(con: apsw.Connection, path: str) -> Folder:
    con.execute(
        "INSERT INTO folders(path, added_at, name) VALUES(?, ?, ?) ON CONFLICT(path) DO NOTHING",
        (path, time.time(), default_name(path, _names(con))),
    )
    return Folder(*con.execute(FOLDERS + "WHERE f.path = ?", (path,)).get)


def rename(con: apsw.Connection, folder_id: int, name: str) -> Folder | None:
    """Give the folder a name; None when there is none. Raises InvalidArgumentError for a name that cannot be used."""
    con.execute("UPDATE folders SET name = ? WHERE id = ?", (checked_name(name, _names(con, folder_id)), folder_id))
    row = con.execute(FOLDERS + "WHERE f.id = ?", (folder_id,)).fetchone()
    return Folder(*row) if row is not None else None


def _names(con: apsw.Connection, but: int = 0) -> list[str]:
    """The names of all folders but one."""
    return [name for (name,) in con.execute("SELECT name FROM folders WHERE id <> ?", (but,))]


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
