"""Names of folders, and the pages of their Markdown files as the documentation tools see them."""

from __future__ import annotations

from typing import Final

import apsw

from app.corpus.folder_names import default_name
from app.corpus.schema import TOKENIZER

NAMES: Final = "ALTER TABLE folders ADD COLUMN name TEXT NOT NULL DEFAULT '' COLLATE NOCASE;"

UNIQUE_NAMES: Final = "CREATE UNIQUE INDEX folders_by_name ON folders(name);"

TABLES: Final = """
-- Without a folder: the bundled guide.
CREATE TABLE docsets(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  revision INTEGER NOT NULL,
  built_at REAL NOT NULL,
  note TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX docsets_by_folder ON docsets(coalesce(folder_id, 0));

-- `url` is the address of the same page in `documents`, `sections` a JSON list of [level, heading, first line, last line, anchor].
CREATE TABLE doc_pages(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  docset_id INTEGER NOT NULL REFERENCES docsets(id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  url TEXT NOT NULL,
  title TEXT NOT NULL,
  category TEXT NOT NULL,
  sections TEXT NOT NULL,
  mtime_ns INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  hash TEXT NOT NULL,
  words INTEGER NOT NULL,
  UNIQUE(docset_id, path)
) STRICT;

-- Apart from its page, so that listing pages never moves megabytes.
CREATE TABLE doc_texts(
  page_id INTEGER PRIMARY KEY REFERENCES doc_pages(id) ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
"""

FULL_TEXT: Final = f"""
CREATE VIRTUAL TABLE doc_words USING fts5(
  title, headings, content, path, identifiers,
  content='', contentless_delete=1, tokenize="{" ".join(TOKENIZER)}"
);
CREATE VIRTUAL TABLE doc_vocabulary USING fts5vocab(doc_words, instance);
"""

TRIGGERS: Final = """
CREATE TRIGGER doc_pages_deleted AFTER DELETE ON doc_pages BEGIN
  DELETE FROM doc_words WHERE rowid = old.id;
END;
"""


def extend(con: apsw.Connection) -> None:
    """Names for the folders there are, and empty tables, in the caller's transaction."""
    con.execute(NAMES)
    taken: list[str] = []
    for folder_id, path in con.execute("SELECT id, path FROM folders ORDER BY id").fetchall():
        taken.append(default_name(str(path), taken))
        con.execute("UPDATE folders SET name = ? WHERE id = ?", (taken[-1], folder_id))
    for part in (UNIQUE_NAMES, TABLES, FULL_TEXT, TRIGGERS):
        con.execute(part)
