"""Images of stored pages: a size-limited cache in a separate file next to the corpus; the oldest are deleted first.

Separate, so that backups, checks and copies of the library stay as small and fast as its texts. The cache can be rebuilt: a file that is
damaged or has another version is replaced by an empty one. An image is stored once per address, however many pages show it, and deleted
with the last of them.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import apsw

from app import caps
from app.corpus.database import connect, translated
from app.corpus.migrations import remove_all
from app.corpus.records import PictureIn, PictureUse
from app.corpus.restore import SIDE_FILES
from app.errors import CorpusDamagedError, CorpusError
from app.library.records import KeptPicture
from app.text.sentence import sentence

log = logging.getLogger(__name__)

PICTURES_FILE: Final = "pictures.db"
VERSION: Final = 1  # Schema version. A file with another one is replaced.
_SCHEMA: Final = """
CREATE TABLE pictures(
  url TEXT PRIMARY KEY, media_type TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
  bytes INTEGER NOT NULL, etag TEXT, last_modified TEXT, fetched_at REAL NOT NULL
) STRICT;
CREATE INDEX pictures_by_age ON pictures(fetched_at, bytes);
-- Apart from the rest, so that listing never moves megabytes.
CREATE TABLE contents(url TEXT PRIMARY KEY REFERENCES pictures(url) ON DELETE CASCADE, content BLOB NOT NULL) STRICT;
CREATE TABLE uses(
  page TEXT NOT NULL,
  url TEXT NOT NULL REFERENCES pictures(url) ON DELETE CASCADE,
  PRIMARY KEY(page, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX uses_by_picture ON uses(url);
"""
_OF_PAGE: Final = """
SELECT p.url, p.media_type, p.width, p.height, c.content
FROM uses u JOIN pictures p ON p.url = u.url JOIN contents c ON c.url = u.url WHERE u.page = ?
"""


class PictureStore:
    """The file and its only connection. Thread-safe and blocking. Raises CorpusError if the file cannot be used."""

    def __init__(self, path: Path, max_bytes: int) -> None:
        self._path = path
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._con = self._opened()
        # Damage clears the cache, so that there is space.
        with suppress(CorpusDamagedError), self._writing():
            self._make_room(0)

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._con.close()

    def keep(self, page: str, picture: PictureIn) -> bool:
        """Save an image for the page that shows it, evicting the oldest; return False if it exceeds the whole limit."""
        size = len(picture.content)
        if size > self._max_bytes:
            return False
        with self._writing() as con:
            pages = {page, *(each for (each,) in con.execute("SELECT page FROM uses WHERE url = ?", (picture.url,)))}
            con.execute("DELETE FROM pictures WHERE url = ?", (picture.url,))
            self._make_room(size)
            facts = (picture.media_type, picture.width, picture.height, size, picture.etag, picture.last_modified)
            con.execute("INSERT INTO pictures VALUES(?, ?, ?, ?, ?, ?, ?, ?)", (picture.url, *facts, time.time()))
            con.execute("INSERT INTO contents VALUES(?, ?)", (picture.url, picture.content))
            con.executemany("INSERT INTO uses VALUES(?, ?)", [(each, picture.url) for each in pages])
        return True

    def use(self, page: str, url: str) -> None:
        """Record that a page shows a saved image."""
        with self._writing() as con:
            con.execute(
                "INSERT INTO uses SELECT ?1, url FROM pictures WHERE url = ?2 ON CONFLICT DO NOTHING", (page, url)
            )

    def touch(self, url: str) -> None:
        """Record that a saved image was requested and has not changed."""
        with self._writing() as con:
            con.execute("UPDATE pictures SET fetched_at = ? WHERE url = ?", (time.time(), url))

    def known(self, urls: Iterable[str]) -> dict[str, PictureUse]:
        """Return what is known about these addresses, without the images."""
        query = "SELECT url, bytes, etag, last_modified, fetched_at FROM pictures WHERE url = ?"
        with self._reading() as con:
            rows = [row for url in urls for row in con.execute(query, (url,))]
        return {row[0]: PictureUse(*row) for row in rows}

    def of_page(self, page: str) -> dict[str, KeptPicture]:
        """Return the images of a page by address, at most MAX_PAGE_PICTURE_BYTES."""
        found: dict[str, KeptPicture] = {}
        left = caps.MAX_PAGE_PICTURE_BYTES
        with self._reading() as con:
            for row in con.execute(_OF_PAGE, (page,)):
                left -= len(row[4])
                if left < 0:
                    break
                found[row[0]] = KeptPicture(*row)
        return found

    def shown_by(self, page: str) -> frozenset[str]:
        """Return the addresses of a page's saved images."""
        with self._reading() as con:
            return frozenset(url for (url,) in con.execute("SELECT url FROM uses WHERE page = ?", (page,)))

    def picture(self, page: str, url: str) -> KeptPicture | None:
        """Return one image of a page."""
        with self._reading() as con:
            row = con.execute(f"{_OF_PAGE} AND u.url = ?", (page, url)).fetchone()
        return KeptPicture(*row) if row is not None else None

    def forget_page(self, page: str, but: Iterable[str] = ()) -> None:
        """Delete images that only this page shows, except those at the addresses `but`."""
        kept = set(but)
        with self._writing() as con:
            shown = [url for (url,) in con.execute("SELECT url FROM uses WHERE page = ?", (page,))]
            gone = [(page, url) for url in shown if url not in kept]
            con.executemany("DELETE FROM uses WHERE page = ? AND url = ?", gone)
            unused = "DELETE FROM pictures WHERE url = ?1 AND NOT EXISTS (SELECT 1 FROM uses WHERE url = ?1)"
            con.executemany(unused, [(url,) for _page, url in gone])

    def pages(self) -> list[str]:
        """Return the addresses of all pages with images."""
        with self._reading() as con:
            return [page for (page,) in con.execute("SELECT DISTINCT page FROM uses")]

    @property
    def bytes(self) -> int:
        """Return the total size of the images in bytes."""
        with self._reading() as con:
            return int(con.execute("SELECT coalesce(sum(bytes), 0) FROM pictures").get)

    def _make_room(self, wanted: int) -> None:
        """Delete the oldest images until `wanted` more bytes fit; in the caller's transaction."""
        over = self._con.execute("SELECT coalesce(sum(bytes), 0) FROM pictures").get + wanted - self._max_bytes
        going: list[str] = []
        for url, size in self._con.execute("SELECT url, bytes FROM pictures ORDER BY fetched_at, url"):
            if over <= 0:
                break
            going.append(url)
            over -= size
        self._con.executemany("DELETE FROM pictures WHERE url = ?", [(url,) for url in going])

    @contextmanager
    def _reading(self) -> Iterator[apsw.Connection]:
        """Open the connection; damage clears the cache and is raised."""
        with self._lock:
            try:
                with translated(self._path):
                    yield self._con
            except CorpusDamagedError as error:
                log.warning("the image cache is cleared: %s", error)
                self._con.close()
                remove_pictures(self._path.parent)
                self._con = self._opened()
                raise
            except apsw.ConnectionClosedError as error:  # For example, the new file could not be opened.
                raise CorpusError(sentence("Cannot read or write {} ({}).", self._path, error)) from error

    @contextmanager
    def _writing(self) -> Iterator[apsw.Connection]:
        with self._reading() as con, con:
            yield con

    def _opened(self) -> apsw.Connection:
        """Open the file; replace one that is damaged or has another version."""
        try:
            return _connect(self._path)
        except CorpusDamagedError as error:
            log.warning("the image cache is cleared: %s", error)
            remove_pictures(self._path.parent)
            return _connect(self._path)


def _connect(path: Path) -> apsw.Connection:
    with translated(path), ExitStack() as opened:
        con = connect(path)
        opened.callback(con.close)
        # Overwrites deleted images and frees their space immediately.
        con.pragma("secure_delete", True)
        con.pragma("auto_vacuum", "full")
        version = con.pragma("user_version")
        has_tables = con.execute("SELECT count(*) FROM sqlite_schema").get
        if version != VERSION and has_tables:
            raise CorpusDamagedError(f"version {version}")
        if not has_tables:
            with con:
                con.execute(_SCHEMA)
                con.pragma("user_version", VERSION)
        opened.pop_all()
        return con


def picture_files(data_dir: Path) -> list[Path]:
    """Return the paths of the image file and SQLite's files next to it, existing or not."""
    return [data_dir / f"{PICTURES_FILE}{suffix}" for suffix in ("", *SIDE_FILES)]


def remove_pictures(data_dir: Path) -> None:
    """Delete all images. The store must be closed."""
    remove_all(picture_files(data_dir))


def open_pictures(data_dir: Path, max_bytes: int) -> PictureStore | None:
    """Return the store, or None if it cannot be used: the library works without this cache."""
    try:
        return PictureStore(data_dir / PICTURES_FILE, max_bytes)
    except CorpusError as error:
        log.error("images cannot be saved: %s", error)
        return None
