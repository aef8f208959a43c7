"""A file of version 1 becomes a current one and keeps everything."""

from __future__ import annotations

from pathlib import Path

import apsw
import pytest

from app.corpus import Corpus, migrations, schema
from app.corpus.database import connect
from app.corpus.job_records import ItemState, JobItem, JobKind
from app.corpus.records import FileStamp, LinkRecord
from app.errors import CorpusError
from tests.corpus.builders import DIMENSION, MODEL, document, embed

URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")

ROWS = f"""
INSERT INTO meta VALUES('embedding_model', '{MODEL}'), ('embedding_dim', {DIMENSION});
INSERT INTO models VALUES(1, '{MODEL}', {DIMENSION});
INSERT INTO documents(id, url, title, kind, language, content_hash, last_modified, last_crawled, changed_at, note)
  VALUES(7, '{URL}', 'A page', 'web', 'en', 'a hash', 'Mon', 100.0, 90.0, 'a note');
INSERT INTO document_texts VALUES(7, 'Installing the pump');
INSERT INTO aliases VALUES('http://example.org/guide', 7);
INSERT INTO links VALUES(7, 0, 'https://example.org/next', 'pump', 15, 19);
INSERT INTO chunks(id, document_id, key, ord, title, section_path, text, identifiers, "start", "end",
    prefix_length, suffix_length, tokens, created_at, updated_at)
  VALUES(3, 7, 'key', 0, 'A page', 'Guide', 'Installing the pump', '', 0, 19, 0, 0, 4, 100.0, 100.0);
INSERT INTO activity(started_at, client, tool, duration_ms, outcome, tokens, characters, pages)
  VALUES(1.0, 'a client', 'answer', 2.0, 'ok', 3, 4, '[]');
"""


@pytest.fixture
def old(path: Path) -> Path:
    """A closed file as the first version of the program left it: one document, not embedded."""
    path.parent.mkdir()
    con = connect(path)
    con.pragma("page_size", 8192)
    con.pragma("journal_mode", "wal")
    migrations.migrate(con, path, (schema.create,))
    con.execute(ROWS)
    con.close()
    return path


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


def test_everything_stored_before_is_there_after_the_update(old: Path) -> None:
    corpus = opened(old)
    found = corpus.document("http://example.org/guide")
    assert found is not None
    assert (found.id, found.url, found.note, found.changed_at) == (7, URL, "a note", 90.0)
    assert [hit.chunk_id for hit in corpus.lexical(["pump"], k=9)] == [3]
    assert corpus.outgoing(7) == ["https://example.org/next"]
    assert [passage.chunk_id for passage in corpus.waiting(9)] == [3]
    assert [entry.client for entry in corpus.activity(9)] == ["a client"]
    assert corpus.verify() == []
    corpus.close()


def test_an_updated_file_can_do_everything_that_is_new(old: Path) -> None:
    corpus = opened(old)
    embed(corpus, [3])
    corpus.note_cited([7], 500.0)
    corpus.store_document(document(URL, PARAGRAPHS, links=(LinkRecord(URL + "/x", "pump", 15, 19),), navigation=(URL,)))
    [fresh] = corpus.freshness([7])
    assert (fresh.cited_at, fresh.changed_since_cited) == (500.0, 3)
    assert corpus.outgoing(7) == [URL + "/x", URL]
    folder = corpus.add_folder("/notes")
    corpus.store_document(document("file:///notes/a.md", PARAGRAPHS, file=FileStamp(folder.id, 1, 2)))
    job = corpus.add_job(JobKind.CRAWL, URL, "{}")
    corpus.add_job_items(job.id, [JobItem(URL, 0)])
    assert corpus.finish_job_item(job.id, URL, ItemState.UPDATED, found=[JobItem(URL + "/x", 1)]) == 1
    assert corpus.remove_folder(folder.id)
    assert corpus.totals().documents == 1
    assert corpus.verify() == []
    corpus.close()


def test_an_updated_file_has_the_same_schema_as_a_new_one(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    schemas = []
    for file in (old, new):
        opened(file).close()
        con = apsw.Connection(str(file))
        schemas.append(con.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall())
        con.close()
    assert schemas[0] == schemas[1]


def test_the_file_of_before_is_kept_beside_the_updated_one_and_a_new_one_leaves_none(old: Path, tmp_path: Path) -> None:
    opened(old).close()
    backup = old.with_name("corpus.db.v1.backup")
    assert sorted(file.name for file in old.parent.iterdir()) == ["corpus.db", backup.name]
    con = apsw.Connection(str(backup))
    assert con.pragma("user_version") == 1
    assert con.execute("SELECT url FROM documents").get == URL
    con.close()
    opened(tmp_path / "new" / "corpus.db").close()
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["corpus.db"]


def test_without_room_for_the_backup_nothing_is_updated(old: Path) -> None:
    backup = old.with_name("corpus.db.v1.backup")
    backup.mkdir()
    (backup / "file").write_text("in the way")
    with pytest.raises(CorpusError, match="No copy"):
        opened(old)
    con = apsw.Connection(str(old))
    assert con.pragma("user_version") == 1
    con.close()
