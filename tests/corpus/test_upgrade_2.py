"""A file of version 2 becomes a current one, keeps everything and can do all that is new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from app.corpus import Corpus, migrations, schema, schema_2
from app.corpus.database import connect
from app.corpus.doc_records import DocChanges, DocPageIn, DocSection, DocStamp
from app.corpus.graph.records import EdgeType, document_node
from app.corpus.job_records import JobKind
from app.corpus.records import Filter, PinnedPassage
from tests.corpus.builders import DIMENSION, MODEL, document, embed

WEB = "https://docs.example.org/3/pumps.html"
FILE = "file:///srv/manuals/start/first.md"
TEXT = "Call `run_pump()` twice."

ROWS = f"""
INSERT INTO meta VALUES('embedding_model', '{MODEL}'), ('embedding_dim', {DIMENSION});
INSERT INTO models VALUES(1, '{MODEL}', {DIMENSION});
INSERT INTO folders(id, path, added_at) VALUES(4, '/srv/manuals', 1.0);
INSERT INTO documents(id, url, title, kind, language, content_hash, last_crawled, changed_at, note,
    folder_id, file_mtime_ns, file_bytes)
  VALUES(7, '{WEB}', 'Pumps', 'web', 'en', 'a hash', 100.0, 90.0, '', NULL, NULL, NULL),
    (8, '{FILE}', 'First', 'markdown', 'en', 'b hash', 100.0, 95.0, '', 4, 1, 2);
INSERT INTO document_texts VALUES(7, '{TEXT}'), (8, '{TEXT}');
INSERT INTO sections(document_id, ord, level, heading, anchor, "start", "end") VALUES(7, 0, 1, 'Pumps', NULL, 0, {len(TEXT)});
INSERT INTO chunks(id, document_id, key, ord, title, section_path, text, identifiers, "start", "end",
    prefix_length, suffix_length, tokens, created_at, updated_at)
  VALUES(3, 7, 'one', 0, 'Pumps', 'Guide', '{TEXT}', '', 0, {len(TEXT)}, 0, 0, 4, 100.0, 100.0),
    (4, 8, 'two', 0, 'First', 'Guide', '{TEXT}', '', 0, {len(TEXT)}, 0, 0, 4, 100.0, 100.0);
INSERT INTO jobs(kind, target, options, state, detail, created_at) VALUES('crawl', '{WEB}', '{{}}', 'queued', '', 1.0);
"""
PIN = PinnedPassage("p1", "s7.0", "docs.example.org/3", "Pumps", TEXT, WEB, None, "text/plain", 7, "a hash", 0, 4, 5.0)
PAGE = DocPageIn(
    *("start/first.md", FILE, "First", "start", "# First\n\n" + TEXT, (DocSection(1, "First", 1, 3),), "run pump", 4),
    stamp=DocStamp(1, 2, "b hash"),
)


@pytest.fixture
def old(path: Path) -> Path:
    """A closed file of version 2: a web page, a file of a folder and a job that waits."""
    path.parent.mkdir()
    con = connect(path)
    con.pragma("page_size", 8192)
    con.pragma("journal_mode", "wal")
    migrations.migrate(con, path, (schema.create, schema_2.extend))
    con.execute(ROWS)
    con.close()
    return path


@pytest.fixture
def updated(old: Path) -> Iterator[Corpus]:
    corpus = Corpus.open(old, dimension=DIMENSION, model=MODEL)
    yield corpus
    assert corpus.verify() == []
    corpus.close()


def test_what_was_stored_is_there_and_has_its_tag(updated: Corpus) -> None:
    assert {row.url: (row.id, row.doc_tag) for row in updated.summaries(limit=9)} == {
        WEB: (7, "docs.example.org/3"),
        FILE: (8, "manuals/start"),
    }
    inside = Filter(doc_tags=(("manuals",),))
    assert [hit.chunk_id for hit in updated.lexical(["pump"], filter=inside, k=9)] == [4]
    assert [(job.kind, job.target) for job in updated.jobs(limit=9)] == [(JobKind.CRAWL, WEB)]
    embed(updated, [3, 4])
    assert updated.totals().chunks_embedded == 2


def test_passages_can_be_pinned_and_outlive_their_page(updated: Corpus) -> None:
    assert updated.pinned_passages() == []
    updated.pin_passage(PIN)
    updated.delete_document(7)
    assert updated.pinned_passages() == [PIN]
    assert updated.unpin_passage(PIN.id) and updated.pinned_passages() == []


def test_the_folder_has_a_tree_of_pages(updated: Corpus) -> None:
    [_, manuals] = updated.docs.docsets()
    assert (manuals.name, manuals.root) == ("manuals", "/srv/manuals")
    assert updated.docs.heads(manuals.id) == []
    assert updated.docs.update(manuals.id, "1", DocChanges(pages=(PAGE,)))
    stored = updated.docs.page(manuals.id, PAGE.path)
    assert (
        stored is not None
        and PAGE.content in updated.docs.texts([head.id for head in updated.docs.heads(manuals.id)]).values()
    )
    [word] = updated.docs.words(["pump"])
    assert list(updated.docs.counts(word)[word[0]]) == [head.id for head in updated.docs.heads(manuals.id)]


def test_the_graph_waits_for_what_was_stored_and_follows_what_comes(updated: Corpus) -> None:
    assert updated.count_graph_waiting() == 2
    assert updated.fill_graph(9) == 2 and not updated.count_graph_waiting()
    with updated.graph(Filter()) as view:
        [symbol] = view.entities_named("run_pump", 9)
        found = view.neighbours(symbol, types={EdgeType.MENTIONS}, limit=9).edges
        assert found
        assert view.projections([document_node(8)])
    updated.store_document(document("https://docs.example.org/3/valves.html", ["Valves"]))
    assert updated.count_graph_waiting() == 1


def test_the_schema_is_that_of_a_new_file_and_the_old_file_is_kept(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.db"
    schemas = []
    for file in (old, new):
        Corpus.open(file, dimension=DIMENSION, model=MODEL).close()
        con = apsw.Connection(str(file))
        schemas.append(con.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name").fetchall())
        con.close()
    assert schemas[0] == schemas[1]
    con = apsw.Connection(str(old.with_name("corpus.db.v2.backup")))
    assert con.pragma("user_version") == 2
    con.close()
