"""The schema of a shared library, as numbered migrations. Never edit a released one: append another. What a later one removes from
older libraries is no longer created.

Row security is a second barrier in addition to the collections in every statement. The word and vector indexes do not use it: it would
prevent PostgreSQL from using the word index and hide rows of the vector index. They return IDs only; all readable data is protected by
row security.
"""

from __future__ import annotations

from typing import Final

ROLES: Final = """
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'webrag_owner') THEN CREATE ROLE webrag_owner NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'webrag_node') THEN CREATE ROLE webrag_node NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'webrag_reader') THEN CREATE ROLE webrag_reader NOLOGIN; END IF;
EXCEPTION WHEN unique_violation OR duplicate_object THEN NULL;
END $$;
GRANT webrag_owner, webrag_node, webrag_reader TO CURRENT_USER;
CREATE EXTENSION IF NOT EXISTS vector;
CREATE SCHEMA IF NOT EXISTS webrag AUTHORIZATION webrag_owner;
GRANT USAGE ON SCHEMA webrag TO webrag_node, webrag_reader;
DO $$ DECLARE place text; BEGIN
  SELECT n.nspname INTO place FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector';
  IF place <> 'public' THEN
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO webrag_owner, webrag_node, webrag_reader', place);
  END IF;
END $$;
"""


def _guard(*tables: str) -> str:
    """Return the statements that protect the rows of tables by their collection."""
    return f"""
DO $$ DECLARE guarded text; BEGIN
  FOREACH guarded IN ARRAY ARRAY{list(tables)} LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', guarded);
    EXECUTE format('CREATE POLICY read ON %I FOR SELECT USING (collection_id = ANY((SELECT readable())::int[]))', guarded);
    EXECUTE format('CREATE POLICY add ON %I FOR INSERT WITH CHECK (collection_id = ANY((SELECT writable())::int[]))', guarded);
    EXECUTE format('CREATE POLICY change ON %I FOR UPDATE USING (collection_id = ANY((SELECT writable())::int[]))', guarded);
    EXECUTE format('CREATE POLICY remove ON %I FOR DELETE USING (collection_id = ANY((SELECT writable())::int[]))', guarded);
  END LOOP;
END $$;
"""


_TABLES: Final = """
-- `schema` is the number of the newest migration, `model` the fingerprint and dimension of the vectors.
CREATE TABLE meta(key text PRIMARY KEY, value jsonb NOT NULL);

CREATE TABLE collections(id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text NOT NULL UNIQUE);

-- Addresses, tags and paths are compared by code points, whatever the language of the database.
CREATE TABLE documents(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection_id int NOT NULL REFERENCES collections,
  url text COLLATE "C" NOT NULL, title text NOT NULL, kind text NOT NULL, language text NOT NULL,
  content_hash text NOT NULL, etag text, last_modified text, published text, last_crawled float8 NOT NULL,
  changed_at float8 NOT NULL, note text NOT NULL, doc_tag text COLLATE "C" NOT NULL,
  doc_path text COLLATE "C" NOT NULL, is_condemned boolean NOT NULL DEFAULT false,
  UNIQUE (collection_id, url)
);
CREATE INDEX documents_by_url ON documents(url);
CREATE INDEX documents_by_crawl ON documents(collection_id, last_crawled, id);
CREATE INDEX documents_by_tag ON documents(lower(doc_tag));
CREATE INDEX documents_by_path ON documents(left(doc_path, 200));
CREATE INDEX documents_by_change ON documents(changed_at);
CREATE INDEX documents_condemned ON documents(id) WHERE is_condemned;

-- Apart from its document, so that listing and touching documents never moves megabytes.
CREATE TABLE document_texts(
  document_id bigint PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  collection_id int NOT NULL, text text NOT NULL, sections jsonb NOT NULL, images jsonb NOT NULL,
  navigation text[] NOT NULL
);

CREATE TABLE aliases(
  collection_id int NOT NULL, url text COLLATE "C" NOT NULL,
  document_id bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
  PRIMARY KEY (collection_id, url)
);
CREATE INDEX aliases_by_document ON aliases(document_id);

-- `target` stands for the address without its fragment: addresses may be longer than an index entry.
CREATE TABLE links(
  document_id bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
  collection_id int NOT NULL, ord int NOT NULL, url text COLLATE "C" NOT NULL, text text NOT NULL,
  "start" int NOT NULL, "end" int NOT NULL,
  target bigint GENERATED ALWAYS AS (hashtextextended(split_part(url, '#', 1), 0)) STORED,
  PRIMARY KEY (document_id, ord)
);
CREATE INDEX links_by_target ON links(target);

CREATE TABLE chunks(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  document_id bigint NOT NULL REFERENCES documents ON DELETE CASCADE,
  collection_id int NOT NULL, key text NOT NULL, ord int NOT NULL, section_path text[] NOT NULL, anchor text,
  text text NOT NULL, identifiers text NOT NULL, "start" int NOT NULL, "end" int NOT NULL,
  prefix_length int NOT NULL, suffix_length int NOT NULL, tokens int NOT NULL,
  UNIQUE (document_id, key)
);
CREATE INDEX chunks_by_document ON chunks(document_id, ord);
CREATE INDEX chunks_by_collection ON chunks(collection_id);

-- Words of English are stemmed, none is left out: phrases hold small words too.
CREATE TEXT SEARCH DICTIONARY stem(TEMPLATE = pg_catalog.snowball, LANGUAGE = english);
CREATE TEXT SEARCH CONFIGURATION words(COPY = pg_catalog.simple);
ALTER TEXT SEARCH CONFIGURATION words ALTER MAPPING FOR
  asciiword, word, numword, asciihword, hword, numhword, hword_asciipart, hword_part, hword_numpart, int, uint, float, sfloat, version
  WITH stem;

-- What the search by words reads; the weights A to D are title, section path, text and identifiers.
CREATE TABLE chunk_words(
  chunk_id bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  document_id bigint NOT NULL, collection_id int NOT NULL, length int NOT NULL, words tsvector NOT NULL
);
CREATE INDEX chunk_words_by_word ON chunk_words USING gin(words);
CREATE INDEX chunk_words_by_document ON chunk_words(document_id);
CREATE INDEX chunk_words_by_collection ON chunk_words(collection_id);

CREATE TABLE embeddings(
  chunk_id bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  document_id bigint NOT NULL, collection_id int NOT NULL, vector halfvec({dimension}) NOT NULL
);
CREATE INDEX embeddings_by_document ON embeddings(document_id);
CREATE INDEX embeddings_by_collection ON embeddings(collection_id);
CREATE INDEX embeddings_by_vector ON embeddings USING hnsw(vector halfvec_cosine_ops);
-- Earlier versions counted changes of vectors; nodes of theirs may still run beside this one.
CREATE SEQUENCE vector_changes;

-- Not compressed: signs are noise to a compressor.
CREATE TABLE token_signs(
  chunk_id bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  collection_id int NOT NULL, bits bytea NOT NULL
);
ALTER TABLE token_signs ALTER bits SET STORAGE EXTERNAL;

-- Chunks without a vector. A node that embeds one holds it until `lease_until`; what a dead one held is free again then.
CREATE TABLE waiting(
  chunk_id bigint PRIMARY KEY REFERENCES chunks ON DELETE CASCADE,
  document_id bigint NOT NULL, collection_id int NOT NULL, leased_by text, lease_until timestamptz
);
CREATE INDEX waiting_by_document ON waiting(document_id);

CREATE FUNCTION readable() RETURNS int[] LANGUAGE sql STABLE AS
  $$ SELECT string_to_array(nullif(current_setting('webrag.readable', true), ''), ',')::int[] $$;
CREATE FUNCTION writable() RETURNS int[] LANGUAGE sql STABLE AS
  $$ SELECT string_to_array(nullif(current_setting('webrag.writable', true), ''), ',')::int[] $$;

"""
_RIGHTS: Final = """
GRANT SELECT ON ALL TABLES IN SCHEMA webrag TO webrag_node, webrag_reader;
GRANT SELECT ON ALL SEQUENCES IN SCHEMA webrag TO webrag_node, webrag_reader;
GRANT INSERT, UPDATE, DELETE ON documents, document_texts, aliases, links, chunks, chunk_words, embeddings, token_signs, waiting
  TO webrag_node;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA webrag TO webrag_node;
INSERT INTO collections(name) VALUES ('library');
"""

TABLES: Final = _TABLES + _guard("documents", "document_texts", "aliases", "links", "chunks", "token_signs") + _RIGHTS

GRANTS: Final = """
-- Who may do what in a collection. A principal is `user:<issuer>|<subject>` or `group:<name>`.
CREATE TABLE grants(
  collection_id int NOT NULL REFERENCES collections ON DELETE CASCADE,
  principal text COLLATE "C" NOT NULL, role text NOT NULL CHECK (role IN ('reader', 'writer', 'owner')),
  given_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (collection_id, principal)
);
CREATE INDEX grants_by_principal ON grants(principal);

-- Who called what, and how it ended; never what was asked or found.
CREATE TABLE audit(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at timestamptz NOT NULL DEFAULT now(),
  subject text NOT NULL, client text NOT NULL, tool text NOT NULL, collections int[] NOT NULL,
  outcome text NOT NULL, ms real NOT NULL
);
CREATE INDEX audit_by_time ON audit(at);

-- `added_by` is the subject whose text stands there; a quarantined page is shown to nobody until an owner lets it go.
ALTER TABLE documents ADD added_by text NOT NULL DEFAULT '', ADD is_quarantined boolean NOT NULL DEFAULT false;
CREATE INDEX documents_quarantined ON documents(id) WHERE is_quarantined;

GRANT SELECT ON grants, audit TO webrag_node;
GRANT SELECT ON grants TO webrag_reader;
GRANT INSERT, DELETE ON audit TO webrag_node;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA webrag TO webrag_node;
"""

JOBS: Final = """
-- What is read for a collection. A node that runs a job holds it until `lease_until`, and each page that it has in hand too.
CREATE TABLE jobs(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  collection_id int NOT NULL REFERENCES collections ON DELETE CASCADE,
  subject text NOT NULL, kind text NOT NULL, target text NOT NULL, options text NOT NULL, state text NOT NULL,
  detail text NOT NULL, created_at float8 NOT NULL, started_at float8, finished_at float8,
  waiting int NOT NULL DEFAULT 0, stored int NOT NULL DEFAULT 0, updated int NOT NULL DEFAULT 0,
  unchanged int NOT NULL DEFAULT 0, skipped int NOT NULL DEFAULT 0, failed int NOT NULL DEFAULT 0,
  leased_by text, lease_until timestamptz
);
CREATE INDEX jobs_by_end ON jobs(finished_at, id);

-- Addresses may be longer than an index entry: their hash stands for them.
CREATE TABLE job_items(
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  job_id bigint NOT NULL REFERENCES jobs ON DELETE CASCADE,
  collection_id int NOT NULL, url text COLLATE "C" NOT NULL,
  hash uuid GENERATED ALWAYS AS (md5(url)::uuid) STORED,
  depth int NOT NULL, state text NOT NULL, reason text NOT NULL, leased_by text, lease_until timestamptz,
  UNIQUE (job_id, hash)
);
CREATE INDEX job_items_waiting ON job_items(job_id, depth, id) WHERE state = 'waiting';
CREATE INDEX job_items_in_order ON job_items(job_id, id);
"""

FLAGS: Final = f"""
-- What was found in the passages of a document that addresses the assistant. Only documents with a flag.
CREATE TABLE document_flags(
  document_id bigint PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  collection_id int NOT NULL, flags text[] NOT NULL
);

-- Documents whose flags are not known yet; leased like `waiting`.
CREATE TABLE graph_waiting(
  document_id bigint PRIMARY KEY REFERENCES documents ON DELETE CASCADE,
  collection_id int NOT NULL, leased_by text, lease_until timestamptz
);
INSERT INTO graph_waiting(document_id, collection_id) SELECT id, collection_id FROM documents;

{_guard("jobs", "job_items", "document_flags")}
GRANT SELECT ON jobs, job_items, document_flags, graph_waiting TO webrag_node, webrag_reader;
GRANT INSERT, UPDATE, DELETE ON jobs, job_items, document_flags, graph_waiting TO webrag_node;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA webrag TO webrag_node;
"""

JOB_RIGHTS: Final = """
-- By whose grants a job writes: it ends when none of them lets it any more. NULL for jobs of the program and of who has its token.
ALTER TABLE jobs ADD principals text[];
"""

NOTHING: Final = "SELECT 1"  # Changed a part that a later migration removes.

OLD_JOBS: Final = """
-- Jobs of people from before the grants of jobs were noted write by what the person was given by name; groups are not known any more.
UPDATE jobs SET principals = ARRAY[subject] WHERE principals IS NULL AND starts_with(subject, 'user:');
"""

COMMON_WORDS: Final = """
-- How common a word is in a large library is read from these statistics: whoever asks first waits while one that they lack is counted.
ALTER TABLE chunk_words ALTER words SET STATISTICS 400;
ANALYZE chunk_words;
"""

NO_TEXT_SEARCH: Final = """
-- Earlier versions copied words for the extension pg_textsearch, which found no better passages.
DROP FUNCTION IF EXISTS ranked(text, int), bare(tsvector);
DROP FUNCTION IF EXISTS follow_words() CASCADE;
DROP TABLE IF EXISTS ranked_words, ranked_gap;
"""

NO_GRAPH: Final = """
-- Earlier versions had a graph, which changed no answers. The flags of pages stay.
DROP TABLE IF EXISTS mentions, entities, entity_sites, site_links CASCADE;
DROP FUNCTION IF EXISTS entities_of(text[], text[], text[], text[]);
ALTER TABLE documents DROP COLUMN IF EXISTS site;
ALTER TABLE graph_waiting RENAME TO flags_waiting;
"""

MIGRATIONS: Final = (
    TABLES,
    GRANTS,
    JOBS + FLAGS,
    JOB_RIGHTS,
    NOTHING,
    OLD_JOBS,
    COMMON_WORDS,
    NO_TEXT_SEARCH,
    NO_GRAPH,
)
"""In order, from number 1. `{dimension}` is replaced by the dimension of the vectors."""
