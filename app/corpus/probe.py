"""Whether this build's SQLite has what the corpus stands on."""

from __future__ import annotations

from pathlib import Path

import apsw

from app.corpus.database import connect, translated
from app.errors import CorpusError

IN_MEMORY = Path(":memory:")


def probe_database() -> str:
    """The versions of SQLite and sqlite-vec, after a vector and a word were found in memory. Raises CorpusError."""
    with translated(IN_MEMORY):
        con = connect(IN_MEMORY)
        try:
            nearest = _nearest(con)
            if nearest != 2 or not _word_is_found(con):
                raise CorpusError("SQLite does not find what was just stored.", hint="Reinstall the application.")
            return f"SQLite {apsw.sqlite_lib_version()}, FTS5, sqlite-vec {con.execute('SELECT vec_version()').get}"
        except apsw.SQLError as error:
            raise CorpusError(f"SQLite lacks a part: {error}", hint="Reinstall the application.") from error
        finally:
            con.close()


def _nearest(con: apsw.Connection) -> object:
    con.execute("CREATE VIRTUAL TABLE vectors USING vec0(vector float[3])")
    con.execute("INSERT INTO vectors (rowid, vector) VALUES (1, '[1, 0, 0]'), (2, '[0, 1, 0]')")
    return con.execute("SELECT rowid FROM vectors WHERE vector MATCH '[0.1, 1, 0]' AND k = 1").get


def _word_is_found(con: apsw.Connection) -> bool:
    con.execute("CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'unicode61')")
    con.execute("INSERT INTO words (text) VALUES ('a cracked seal'), ('a dry valve')")
    found: object = con.execute("SELECT text FROM words WHERE words MATCH 'seal'").get
    return found == "a cracked seal"
