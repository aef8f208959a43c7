"""Every kind of damage that `verify` promises to see is made and seen."""

from __future__ import annotations

import zlib
from pathlib import Path

import apsw
import pytest
import sqlite_vec

from app import caps
from app.corpus import Corpus
from app.corpus.encoding import pack_urls
from app.corpus.job_records import JobItem, JobKind
from app.corpus.records import FileStamp
from tests.corpus.builders import DIMENSION, MODEL, document, embed

BOMB = zlib.compress(bytes(caps.MAX_NAVIGATION_BYTES + 1), 9)
PARTS = [f"a part {n}" for n in range(4)]


@pytest.fixture
def corpus(path: Path) -> Corpus:
    made = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    for name in ("a", "b"):
        ids = made.documents.store(
            document(f"https://example.org/{name}", [f"{name} part {n}" for n in range(4)])
        ).new_chunk_ids
        embed(made, ids[:3])
    folder = made.folders.add("/notes")
    file = document("file:///notes/c.md", ["c"], file=FileStamp(folder.id, 1, 2))
    embed(made, made.documents.store(file).new_chunk_ids)
    made.documents.store(document("https://example.org/a", PARTS, navigation=("https://example.org/menu",)))
    made.documents.note_cited([1], 500.0)
    made.jobs.add_items(made.jobs.add(JobKind.CRAWL, "https://example.org/", "{}").id, [JobItem("https://x.org/", 0)])
    return made


def tampered(path: Path, *statements: str) -> None:
    """Change the file behind the program's back, without foreign keys and triggers."""
    con = apsw.Connection(str(path))
    con.enable_load_extension(True)
    con.load_extension(sqlite_vec.loadable_path())
    for (name,) in con.execute("SELECT name FROM sqlite_schema WHERE type = 'trigger'").fetchall():
        con.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        con.execute(statement)
    con.close()


@pytest.mark.parametrize(
    ("statement", "check", "detail"),
    [
        ("DELETE FROM documents WHERE id = 1", "references", "chunks points at nothing in documents"),
        (
            "DELETE FROM chunks_fts_docsize WHERE id = 2",
            "agreement",
            "1 chunks without an entry in the keyword",
        ),
        ("DELETE FROM chunks WHERE id = 2", "agreement", "1 keyword entries without a chunk: ids 2"),
        ("UPDATE chunks SET text = 'other' WHERE id = 2", "keyword index", "damaged"),
        (
            "DELETE FROM embedding_bits WHERE chunk_id = 2",
            "agreement",
            "1 vectors without a sign code: ids 2",
        ),
        ("DELETE FROM token_vectors WHERE chunk_id = 2", "agreement", "1 vectors without token signs: ids 2"),
        (
            "UPDATE embedding_bits SET document_id = 2 WHERE chunk_id = 1",
            "agreement",
            "another model or document",
        ),
        ("DELETE FROM waiting", "agreement", "2 chunks neither embedded nor waiting: ids 4, 8"),
        ("INSERT INTO waiting VALUES(1, 1)", "agreement", "1 chunks embedded and still waiting: ids 1"),
        ("UPDATE documents SET title = 'x' WHERE id = 1", "agreement", "4 chunks with a title"),
        ("UPDATE chunks SET ord = 7 WHERE id = 2", "agreement", "1 documents whose chunks are not numbered"),
        ("DELETE FROM document_texts WHERE document_id = 1", "agreement", "1 documents without text: ids 1"),
        (
            'UPDATE chunks SET "start" = 1 WHERE id = 2',
            "texts",
            "chunk 2 is not the text of https://example.org/a",
        ),
        ("UPDATE document_texts SET text = 'x'", "texts", "chunk 8 is not the text of https://example.org/b"),
        ("UPDATE embeddings SET vector = x'00' WHERE chunk_id = 2", "vectors", "chunk 2 has 1 bytes"),
        ("UPDATE embeddings SET vector = zeroblob(256) WHERE chunk_id = 2", "vectors", "unit length"),
        (
            "UPDATE embedding_bits SET bits = zeroblob(8) WHERE chunk_id = 2",
            "vectors",
            "sign code of chunk 2",
        ),
        (
            "UPDATE token_vectors SET bits = zeroblob(9) WHERE chunk_id = 2",
            "vectors",
            "token signs of chunk 2",
        ),
        (
            "INSERT INTO aliases VALUES('https://example.org/b', 1)",
            "agreement",
            "1 documents whose address is also another name of a document: ids 2",
        ),
        ("UPDATE documents SET folder_id = 9 WHERE id = 1", "references", "documents points at nothing in folders"),
        ("UPDATE documents SET file_bytes = NULL WHERE id = 3", "agreement", "without the time and size of their file"),
        ("UPDATE documents SET cited_hash = NULL", "agreement", "1 documents cited without a note of the text: ids 1"),
        ("UPDATE navigation SET urls = x'00'", "navigation", "links around document 1 cannot be read"),
        (f"UPDATE navigation SET urls = x'{BOMB.hex()}'", "navigation", "longer than"),
        (f"UPDATE navigation SET urls = x'{pack_urls(['https://x.org/'])[:-1].hex()}'", "navigation", "ends too early"),
        ("CREATE VIEW links_seen AS SELECT * FROM links", "schema", "unexpected view links_seen"),
        (
            "CREATE TRIGGER quiet AFTER INSERT ON chunks BEGIN DELETE FROM waiting; END",
            "schema",
            "unexpected trigger quiet on chunks",
        ),
        ("DROP INDEX links_by_url", "schema", "index links_by_url is missing"),
        (
            "DROP INDEX links_by_url; CREATE INDEX links_by_url ON links(text)",
            "schema",
            "index links_by_url is not the one that this program makes",
        ),
        ("ALTER TABLE meta ADD COLUMN more TEXT", "schema", "table meta is not the one"),
        ("CREATE TABLE more(x)", "schema", "unexpected table more"),
        ("DELETE FROM documents WHERE id = 1", "references", "navigation points at nothing in documents"),
        ("UPDATE jobs SET failed = 1", "agreement", "1 jobs whose counts are not those of their items: ids 1"),
        ("DELETE FROM job_items", "agreement", "1 jobs whose counts are not those of their items: ids 1"),
        ("DELETE FROM jobs", "references", "job_items points at nothing in jobs"),
        ("UPDATE jobs SET state = 'lost'", "jobs", "job 1 is 'lost'"),
        ("UPDATE job_items SET state = 'lost'", "jobs", "item 1 is 'lost'"),
    ],
)
def test_damage_is_seen_and_named(corpus: Corpus, path: Path, statement: str, check: str, detail: str) -> None:
    assert corpus.verify() == []
    tampered(path, statement)
    found = [problem for problem in corpus.verify() if problem.check == check]
    assert any(detail in problem.detail for problem in found), found
    corpus.close()


def mistyped(path: Path, table: str, *statements: str) -> None:
    """Store values that the columns of a strict table do not take."""
    strict = f"UPDATE sqlite_schema SET sql = replace(sql, '{{}}', '{{}}') WHERE name = '{table}'"
    tampered(path, "PRAGMA writable_schema = ON", strict.format("STRICT", "/*loose*/"))
    tampered(path, *statements)
    tampered(path, "PRAGMA writable_schema = ON", strict.format("/*loose*/", "STRICT"))


@pytest.mark.parametrize(
    ("table", "statement", "check", "detail"),
    [
        ("chunks", "UPDATE chunks SET suffix_length = x'00' WHERE id = 2", "texts", "chunk 2 of https://example.org/a"),
        ("document_texts", "UPDATE document_texts SET text = x'00'", "texts", "holds a value of another kind"),
        ("embeddings", "UPDATE embeddings SET vector = 7 WHERE chunk_id = 2", "vectors", "not of the kind"),
        ("navigation", "UPDATE navigation SET urls = 7", "navigation", "not of the kind"),
    ],
)
def test_values_of_a_wrong_kind_are_seen(
    corpus: Corpus, path: Path, table: str, statement: str, check: str, detail: str
) -> None:
    mistyped(path, table, statement)
    found = [problem for problem in corpus.verify() if problem.check == check]
    assert any(detail in problem.detail for problem in found), found
    corpus.close()


def test_a_vector_that_is_not_finite_is_seen(corpus: Corpus, path: Path) -> None:
    nan = "".join(["0000c07f"] * DIMENSION)
    tampered(path, f"UPDATE embeddings SET vector = x'{nan}' WHERE chunk_id = 2")
    assert any("unit length" in problem.detail for problem in corpus.verify())
    corpus.close()


def test_many_problems_of_a_kind_are_cut(corpus: Corpus, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_PROBLEMS_PER_CHECK", 3)
    tampered(path, "UPDATE document_texts SET text = 'x'")
    found = [problem.detail for problem in corpus.verify() if problem.check == "texts"]
    assert len(found) == 4
    assert found[-1] == "… and more"
    corpus.close()


def test_damaged_pages_are_seen(corpus: Corpus, path: Path) -> None:
    for number in range(60):
        corpus.documents.store(document(f"https://example.org/{number}", [f"{n} " * 300 for n in range(4)]))
    with corpus._database.read() as con:
        root = con.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'chunks_by_document'").get
        size = con.pragma("page_size")
    corpus.close()
    data = bytearray(path.read_bytes())
    data[(root - 1) * size + 8 : (root - 1) * size + 200] = b"\x7f" * 192
    path.write_bytes(bytes(data))
    damaged = Corpus.open(path, dimension=DIMENSION, model=MODEL)
    assert {problem.check for problem in damaged.verify()} >= {"file"}
    damaged.close()


def test_changes_after_a_search_are_no_damage(corpus: Corpus) -> None:
    url = "https://example.org/again"
    for number in range(40):
        corpus.documents.store(document(url, [f"version {number} part {n}" for n in range(3 + number % 5)]))
        if number == 5:
            assert corpus.chunks.lexical(["version"], k=1)
        assert corpus.verify() == []
    corpus.close()
