"""The schema, version 1. Truth is in plain tables; `chunks_fts`, `waiting` and `changes` follow by triggers.

No trigger needs a parent row, because in a cascade the parent is already gone. `embeddings` and what hangs on
them are deleted and inserted, never updated.
"""

from __future__ import annotations

from typing import Final

import apsw

TOKENIZER: Final = ("porter", "unicode61", "remove_diacritics", "2")

COLUMN_WEIGHTS: Final = (10.0, 5.0, 1.0, 2.0)
"""BM25 weights of title, section path, text and identifiers."""

TABLES: Final = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE models(
  id INTEGER PRIMARY KEY,
  fingerprint TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL
) STRICT;

CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  url TEXT NOT NULL UNIQUE,
  title TEXT NOT NULL,
  kind TEXT NOT NULL,
  language TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  etag TEXT,
  last_modified TEXT,
  published TEXT,
  last_crawled REAL NOT NULL,
  changed_at REAL NOT NULL,
  note TEXT NOT NULL
) STRICT;
CREATE INDEX documents_by_crawl ON documents(last_crawled);

-- Apart from its document, so that listing and touching documents never moves megabytes.
CREATE TABLE document_texts(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE aliases(
  url TEXT PRIMARY KEY,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_by_document ON aliases(document_id);

CREATE TABLE sections(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ord INTEGER NOT NULL,
  level INTEGER NOT NULL,
  heading TEXT NOT NULL,
  anchor TEXT,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE links(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ord INTEGER NOT NULL,
  url TEXT NOT NULL,
  text TEXT NOT NULL,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_url ON links(url);

CREATE TABLE images(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ord INTEGER NOT NULL,
  url TEXT NOT NULL,
  alt TEXT NOT NULL,
  caption TEXT NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;

-- `title` repeats the document's title: external-content full text needs it in the row.
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  ord INTEGER NOT NULL,
  title TEXT NOT NULL,
  section_path TEXT NOT NULL,
  anchor TEXT,
  text TEXT NOT NULL,
  identifiers TEXT NOT NULL,
  "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  prefix_length INTEGER NOT NULL,
  suffix_length INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  created_at REAL NOT NULL,
  updated_at REAL NOT NULL,
  UNIQUE(document_id, key)
) STRICT;
CREATE INDEX chunks_by_document ON chunks(document_id, ord, tokens);

CREATE TABLE embeddings(
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES models(id),
  vector BLOB NOT NULL
) STRICT;

CREATE TABLE embedding_bits(
  chunk_id INTEGER PRIMARY KEY REFERENCES embeddings(chunk_id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL,
  document_id INTEGER NOT NULL,
  bits BLOB NOT NULL
) STRICT;

CREATE TABLE token_vectors(
  chunk_id INTEGER PRIMARY KEY REFERENCES embeddings(chunk_id) ON DELETE CASCADE,
  bits BLOB NOT NULL
) STRICT;

-- Chunks without a vector of the model named in `meta`.
CREATE TABLE waiting(
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  document_id INTEGER NOT NULL
) STRICT;
CREATE INDEX waiting_by_document ON waiting(document_id);

-- What happened to embedding_bits, for the copies that processes hold in memory.
CREATE TABLE changes(seq INTEGER PRIMARY KEY AUTOINCREMENT, chunk_id INTEGER NOT NULL) STRICT;

CREATE TABLE activity(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at REAL NOT NULL,
  client TEXT NOT NULL,
  tool TEXT NOT NULL,
  duration_ms REAL NOT NULL,
  outcome TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  pages TEXT NOT NULL
) STRICT;
"""

FULL_TEXT: Final = f"""
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  title, section_path, text, identifiers,
  content='chunks', content_rowid='id', tokenize="{" ".join(TOKENIZER)}"
);
INSERT INTO chunks_fts(chunks_fts, rank) VALUES('rank', 'bm25({", ".join(map(str, COLUMN_WEIGHTS))})');
CREATE VIRTUAL TABLE chunks_vocabulary USING fts5vocab(chunks_fts, row);
"""

TRIGGERS: Final = """
CREATE TRIGGER chunks_inserted AFTER INSERT ON chunks BEGIN
  INSERT INTO chunks_fts(rowid, title, section_path, text, identifiers)
    VALUES(new.id, new.title, new.section_path, new.text, new.identifiers);
  INSERT INTO waiting(chunk_id, document_id) VALUES(new.id, new.document_id);
END;

CREATE TRIGGER chunks_deleted AFTER DELETE ON chunks BEGIN
  INSERT INTO chunks_fts(chunks_fts, rowid, title, section_path, text, identifiers)
    VALUES('delete', old.id, old.title, old.section_path, old.text, old.identifiers);
END;

CREATE TRIGGER chunks_updated AFTER UPDATE OF title, section_path, text, identifiers ON chunks
WHEN (old.title, old.section_path, old.text, old.identifiers)
  IS NOT (new.title, new.section_path, new.text, new.identifiers)
BEGIN
  INSERT INTO chunks_fts(chunks_fts, rowid, title, section_path, text, identifiers)
    VALUES('delete', old.id, old.title, old.section_path, old.text, old.identifiers);
  INSERT INTO chunks_fts(rowid, title, section_path, text, identifiers)
    VALUES(new.id, new.title, new.section_path, new.text, new.identifiers);
END;

CREATE TRIGGER documents_retitled AFTER UPDATE OF title ON documents WHEN old.title <> new.title BEGIN
  UPDATE chunks SET title = new.title WHERE document_id = new.id;
END;

CREATE TRIGGER embeddings_inserted AFTER INSERT ON embeddings BEGIN
  DELETE FROM waiting WHERE chunk_id = new.chunk_id;
END;

CREATE TRIGGER embeddings_deleted AFTER DELETE ON embeddings BEGIN
  INSERT OR IGNORE INTO waiting(chunk_id, document_id)
    SELECT id, document_id FROM chunks WHERE id = old.chunk_id;
END;

CREATE TRIGGER embedding_bits_inserted AFTER INSERT ON embedding_bits BEGIN
  INSERT INTO changes(chunk_id) VALUES(new.chunk_id);
END;

CREATE TRIGGER embedding_bits_deleted AFTER DELETE ON embedding_bits BEGIN
  INSERT INTO changes(chunk_id) VALUES(old.chunk_id);
END;
"""


def create(con: apsw.Connection) -> None:
    """Everything, in the caller's transaction."""
    for part in (TABLES, FULL_TEXT, TRIGGERS):
        con.execute(part)
