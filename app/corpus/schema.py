"""The schema of a new corpus. The data is in plain tables; triggers update full-text indexes, `waiting`, `changes` and the job counts.

Triggers do not use parent rows, because a cascade has already deleted them. `embeddings` and their dependents are deleted and inserted,
never updated. Change the schema with a migration (`app.corpus.migrations`), not here.
"""

from __future__ import annotations

from typing import Final

TOKENIZER: Final = ("porter", "unicode61", "remove_diacritics", "2")
COLUMN_WEIGHTS: Final = (10.0, 5.0, 1.0, 2.0)  # BM25 weights of title, section path, text and identifiers.

TABLES: Final = """
CREATE TABLE meta(key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;

CREATE TABLE models(id INTEGER PRIMARY KEY, fingerprint TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL) STRICT;

CREATE TABLE folders(
  id INTEGER PRIMARY KEY AUTOINCREMENT, path TEXT NOT NULL UNIQUE, added_at REAL NOT NULL,
  name TEXT NOT NULL DEFAULT '' COLLATE NOCASE
) STRICT;
CREATE UNIQUE INDEX folders_by_name ON folders(name);

-- `cited_hash` is the hash of the text that was cited. `doc_tag` and `doc_path` say where a document belongs, so that a scope is an
-- index range; tags are compared without case: people and assistants write "FastAPI" for the folder fastapi.
CREATE TABLE documents(
  id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT NOT NULL UNIQUE, title TEXT NOT NULL, kind TEXT NOT NULL,
  language TEXT NOT NULL, content_hash TEXT NOT NULL, etag TEXT, last_modified TEXT, published TEXT,
  last_crawled REAL NOT NULL, changed_at REAL NOT NULL, note TEXT NOT NULL,
  folder_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,
  file_mtime_ns INTEGER, file_bytes INTEGER, cited_at REAL, cited_hash TEXT,
  doc_tag TEXT NOT NULL DEFAULT '' COLLATE NOCASE, doc_path TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX documents_by_crawl ON documents(last_crawled);
CREATE INDEX documents_by_folder ON documents(folder_id) WHERE folder_id IS NOT NULL;
CREATE INDEX documents_by_tag ON documents(doc_tag);
CREATE INDEX documents_by_path ON documents(doc_path);
CREATE INDEX documents_by_change ON documents(changed_at);

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
  ord INTEGER NOT NULL, level INTEGER NOT NULL, heading TEXT NOT NULL, anchor TEXT, "start" INTEGER NOT NULL,
  "end" INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;

CREATE TABLE links(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ord INTEGER NOT NULL, url TEXT NOT NULL, text TEXT NOT NULL, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_url ON links(url);

CREATE TABLE images(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  ord INTEGER NOT NULL, url TEXT NOT NULL, alt TEXT NOT NULL, caption TEXT NOT NULL, position INTEGER NOT NULL,
  PRIMARY KEY(document_id, ord)
) STRICT, WITHOUT ROWID;

-- The other links of a page, of menus and footers. Compressed, because the pages of a site repeat the same menu.
CREATE TABLE navigation(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  urls BLOB NOT NULL
) STRICT;

-- What was found in the passages of a document that addresses the assistant. Only documents with a flag; `flags` is a JSON array of words.
CREATE TABLE document_flags(
  document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE,
  flags TEXT NOT NULL
) STRICT;

-- `title` repeats the document's title: external-content full text needs it in the row.
CREATE TABLE chunks(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  key TEXT NOT NULL, ord INTEGER NOT NULL, title TEXT NOT NULL, section_path TEXT NOT NULL, anchor TEXT,
  text TEXT NOT NULL, identifiers TEXT NOT NULL, "start" INTEGER NOT NULL, "end" INTEGER NOT NULL,
  prefix_length INTEGER NOT NULL, suffix_length INTEGER NOT NULL, tokens INTEGER NOT NULL,
  created_at REAL NOT NULL, updated_at REAL NOT NULL,
  UNIQUE(document_id, key)
) STRICT;
CREATE INDEX chunks_by_document ON chunks(document_id, ord, tokens);

CREATE TABLE embeddings(
  chunk_id INTEGER PRIMARY KEY REFERENCES chunks(id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL REFERENCES models(id), vector BLOB NOT NULL
) STRICT;

CREATE TABLE embedding_bits(
  chunk_id INTEGER PRIMARY KEY REFERENCES embeddings(chunk_id) ON DELETE CASCADE,
  model_id INTEGER NOT NULL, document_id INTEGER NOT NULL, bits BLOB NOT NULL
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
  id INTEGER PRIMARY KEY AUTOINCREMENT, started_at REAL NOT NULL, client TEXT NOT NULL, tool TEXT NOT NULL,
  duration_ms REAL NOT NULL, outcome TEXT NOT NULL, tokens INTEGER NOT NULL, characters INTEGER NOT NULL,
  pages TEXT NOT NULL, saved INTEGER NOT NULL DEFAULT 0
) STRICT;

-- Passages that the person keeps for good.
CREATE TABLE pinned_passages(
  ord INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, section_id TEXT NOT NULL, doc_tag TEXT NOT NULL,
  title TEXT NOT NULL, text TEXT NOT NULL, source_uri TEXT NOT NULL, anchor TEXT, media_type TEXT NOT NULL,
  -- No reference: the copy outlives its document.
  document_id INTEGER, document_hash TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
  created_at REAL NOT NULL
) STRICT;
"""

ITEM_STATES: Final = ("waiting", "stored", "updated", "unchanged", "skipped", "failed")  # Each is a column of `jobs`.
JOBS: Final = """
-- The counts follow the items by triggers; items are never deleted apart from their job.
CREATE TABLE jobs(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, target TEXT NOT NULL, options TEXT NOT NULL,
  state TEXT NOT NULL, detail TEXT NOT NULL, created_at REAL NOT NULL, started_at REAL, finished_at REAL,
  waiting INTEGER NOT NULL DEFAULT 0, stored INTEGER NOT NULL DEFAULT 0, updated INTEGER NOT NULL DEFAULT 0,
  unchanged INTEGER NOT NULL DEFAULT 0, skipped INTEGER NOT NULL DEFAULT 0, failed INTEGER NOT NULL DEFAULT 0
) STRICT;

-- The id of an item is also the order of arrival.
CREATE TABLE job_items(
  id INTEGER PRIMARY KEY,
  job_id INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
  url TEXT NOT NULL, depth INTEGER NOT NULL, state TEXT NOT NULL, reason TEXT NOT NULL,
  UNIQUE(job_id, url)
) STRICT;
CREATE INDEX job_items_by_arrival ON job_items(job_id, id);
CREATE INDEX job_items_waiting ON job_items(job_id, depth, id) WHERE state = 'waiting';
"""

DOCSETS: Final = """
-- Without a folder: the bundled guide.
CREATE TABLE docsets(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  folder_id INTEGER REFERENCES folders(id) ON DELETE CASCADE,
  version TEXT NOT NULL, revision INTEGER NOT NULL, built_at REAL NOT NULL, note TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX docsets_by_folder ON docsets(coalesce(folder_id, 0));

-- `url` is the address of the same page in `documents`, `sections` a JSON list of [level, heading, first line, last line, anchor].
CREATE TABLE doc_pages(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  docset_id INTEGER NOT NULL REFERENCES docsets(id) ON DELETE CASCADE,
  path TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, category TEXT NOT NULL, sections TEXT NOT NULL,
  mtime_ns INTEGER NOT NULL, bytes INTEGER NOT NULL, hash TEXT NOT NULL, words INTEGER NOT NULL,
  UNIQUE(docset_id, path)
) STRICT;

-- Apart from its page, so that listing pages never moves megabytes.
CREATE TABLE doc_texts(
  page_id INTEGER PRIMARY KEY REFERENCES doc_pages(id) ON DELETE CASCADE,
  content TEXT NOT NULL
) STRICT;
"""

GRAPH: Final = """
-- An entity goes with its last mention. All other edges follow from sections and links.
CREATE TABLE entities(
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, tail TEXT
) STRICT;
-- Two symbols are one when their names are equal, two terms when they fold alike.
CREATE UNIQUE INDEX symbols_by_name ON entities(name) WHERE kind = 'symbol';
CREATE UNIQUE INDEX terms_by_folded ON entities(folded) WHERE kind = 'term';
CREATE INDEX symbols_by_folded ON entities(folded) WHERE kind = 'symbol';
CREATE INDEX entities_by_tail ON entities(tail) WHERE tail IS NOT NULL;

-- `section` is the ord of the section, -1 for what stands before the first heading.
CREATE TABLE mentions(
  document_id INTEGER NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
  section INTEGER NOT NULL,
  entity_id INTEGER NOT NULL REFERENCES entities(id),
  count INTEGER NOT NULL, defines INTEGER NOT NULL,
  PRIMARY KEY(document_id, section, entity_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX mentions_by_entity ON mentions(entity_id, defines, count, document_id, section);

CREATE TABLE graph_waiting(document_id INTEGER PRIMARY KEY REFERENCES documents(id) ON DELETE CASCADE) STRICT;
"""

FULL_TEXT: Final = f"""
CREATE VIRTUAL TABLE chunks_fts USING fts5(
  title, section_path, text, identifiers,
  content='chunks', content_rowid='id', tokenize="{" ".join(TOKENIZER)}"
);
INSERT INTO chunks_fts(chunks_fts, rank) VALUES('rank', 'bm25({", ".join(map(str, COLUMN_WEIGHTS))})');
CREATE VIRTUAL TABLE chunks_vocabulary USING fts5vocab(chunks_fts, row);

CREATE VIRTUAL TABLE doc_words USING fts5(
  title, headings, content, path, identifiers,
  content='', contentless_delete=1, tokenize="{" ".join(TOKENIZER)}"
);
CREATE VIRTUAL TABLE doc_vocabulary USING fts5vocab(doc_words, instance);
"""

_COUNTED: Final = ", ".join(f"{state} = {state} + (new.state = '{state}')" for state in ITEM_STATES)
_MOVED: Final = ", ".join(
    f"{state} = {state} + (new.state = '{state}') - (old.state = '{state}')" for state in ITEM_STATES
)
TRIGGERS: Final = f"""
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

CREATE TRIGGER job_items_inserted AFTER INSERT ON job_items BEGIN
  UPDATE jobs SET {_COUNTED} WHERE id = new.job_id;
END;

CREATE TRIGGER job_items_moved AFTER UPDATE OF state ON job_items WHEN old.state <> new.state BEGIN
  UPDATE jobs SET {_MOVED} WHERE id = new.job_id;
END;

CREATE TRIGGER doc_pages_deleted AFTER DELETE ON doc_pages BEGIN
  DELETE FROM doc_words WHERE rowid = old.id;
END;

CREATE TRIGGER mentions_deleted AFTER DELETE ON mentions BEGIN
  DELETE FROM entities WHERE id = old.entity_id
    AND NOT EXISTS (SELECT 1 FROM mentions WHERE entity_id = old.entity_id);
END;
"""

INITIAL: Final = (TABLES, JOBS, DOCSETS, GRAPH, FULL_TEXT, TRIGGERS)  # In this order.
