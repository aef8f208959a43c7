"""Watched folders, and their names, from which their documents get tags."""

from __future__ import annotations

import re
import time
from collections.abc import Collection
from itertools import count
from pathlib import PurePath
from typing import Final

import apsw

from app import caps
from app.corpus.database import Store
from app.corpus.document_writer import tag_document
from app.corpus.page_texts import TEXT
from app.corpus.records import Folder, StoredFile
from app.errors import InvalidArgumentError
from app.library.records import FileStamp
from app.text.sentence import sentence

GUIDE: Final = "guide"  # The name of the bundled guide among the folders.
RESERVED: Final = frozenset({GUIDE, "files"})
_UNUSABLE: Final = re.compile(r"[^\w.+-]+")
FOLDERS: Final = """
SELECT f.id, f.path, f.added_at, (SELECT count(*) FROM documents d WHERE d.folder_id = f.id), f.name FROM folders f
"""
DOCUMENTS: Final = "SELECT id, url FROM documents WHERE folder_id = ?"


class FolderStore(Store):
    """Folders and their documents."""

    def add(self, path: str) -> Folder:
        """Return the folder with this absolute path; add it if necessary."""
        with self._database.write() as con:
            con.execute(
                "INSERT INTO folders(path, added_at, name) VALUES(?, ?, ?) ON CONFLICT(path) DO NOTHING",
                (path, time.time(), default_name(path, _names(con))),
            )
            return Folder(*con.execute(FOLDERS + "WHERE f.path = ?", (path,)).get)

    def rename(self, folder_id: int, name: str) -> Folder | None:
        """Rename a folder with the tags of its documents; None if it does not exist. Raises InvalidArgumentError."""
        with self._database.write() as con:
            checked = checked_name(name, _names(con, folder_id))
            con.execute("UPDATE folders SET name = ? WHERE id = ?", (checked, folder_id))
            for document_id, url in con.execute(DOCUMENTS, (folder_id,)).fetchall():
                tag_document(con, int(str(document_id)), str(url), folder_id)
            row = con.execute(FOLDERS + "WHERE f.id = ?", (folder_id,)).fetchone()
            return Folder(*row) if row is not None else None

    def all(self) -> list[Folder]:
        """Return all folders by path."""
        return [Folder(*row) for row in self._rows(FOLDERS + "ORDER BY f.path")]

    def remove(self, folder_id: int) -> bool:
        """Remove the folder with its documents, in several transactions; return False if it does not exist."""
        self._remove_documents("folder_id", folder_id)
        with self._database.write() as con:
            con.execute("DELETE FROM folders WHERE id = ?", (folder_id,))
            return con.changes() > 0

    def files(self, folder_id: int) -> list[StoredFile]:
        """Return the documents from the folder, by address."""
        query = "SELECT id, url, file_mtime_ns, file_bytes FROM documents WHERE folder_id = ? ORDER BY url"
        rows = self._rows(query, folder_id)
        return [StoredFile(number, url, FileStamp(folder_id, *stamp)) for number, url, *stamp in rows]

    def text_of(self, url: str, stamp: tuple[int, int]) -> str | None:
        """Return the stored text of a file with this time and size; None if this version is not stored."""
        query = f"""
SELECT {TEXT} FROM documents d JOIN document_texts t ON t.document_id = d.id
WHERE d.url = ? AND d.file_mtime_ns = ? AND d.file_bytes = ?"""
        text: str | None = self._value(query, url, *stamp)
        return text


def default_name(path: str, taken: Collection[str]) -> str:
    """Return the last part of the path as a name. If taken, adds the part before it, then a number."""
    parts = [plain for part in PurePath(path).parts if (plain := _plain(part))]
    own = parts[-1] if parts else "folder"
    used = {name.casefold() for name in taken} | RESERVED
    choices = [own, *(_plain(f"{parent}-{own}") for parent in parts[-2:-1])]
    free = next((name for name in choices if name.casefold() not in used), None)
    return free or next(name for n in count(2) if (name := f"{own}-{n}").casefold() not in used)


def checked_name(name: str, taken: Collection[str]) -> str:
    """Return the name in its valid form. Raises InvalidArgumentError."""
    plain = _plain(name)
    if not plain or plain != name.strip():
        most = caps.MAX_FOLDER_NAME_CHARS
        hint = sentence("Use letters, digits, dots, dashes and underscores, at most {} characters.", most)
        raise InvalidArgumentError(sentence("{} is not a valid folder name.", repr(name[:most])), hint=hint)
    if plain.casefold() in RESERVED:
        raise InvalidArgumentError(sentence("The name {} is reserved.", plain), hint="Choose another name.")
    if plain.casefold() in {other.casefold() for other in taken}:
        raise InvalidArgumentError(
            sentence("Another folder is already named {}.", plain),
            hint="Choose another name. The command webrag folder list shows all names.",
        )
    return plain


def _plain(text: str) -> str:
    return _UNUSABLE.sub("-", text)[: caps.MAX_FOLDER_NAME_CHARS].strip(".-")


def _names(con: apsw.Connection, but: int = 0) -> list[str]:
    return [name for (name,) in con.execute("SELECT name FROM folders WHERE id <> ?", (but,))]
