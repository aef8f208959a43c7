"""`verify` finds every kind of damage; backup, restore and compacting keep the content."""

from __future__ import annotations

import shutil
import zlib
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.corpus import Corpus
from app.corpus.checks import estimate_reclaimable
from app.corpus.corpus import temporary_folder
from app.corpus.document_writer import MAX_NAVIGATION_BYTES, pack_urls
from app.corpus.restore import describe, kept_copies, prepare, swap
from app.corpus.watch import Watch
from app.errors import CorpusBusyError, CorpusError, FileAccessError, WorkCancelledError
from app.library.job_records import JobItem, JobKind
from app.library.records import FileStamp
from tests.corpus.builders import DIMENSION, MODEL, document, embed

BOMB = zlib.compress(bytes(MAX_NAVIGATION_BYTES + 1), 9)
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
    """Change the file directly, without foreign keys and the triggers of the first version, which a check lists as missing."""
    con = apsw.Connection(str(path))
    of_first = "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name NOT LIKE 'second_%'"
    for (name,) in con.execute(of_first).fetchall():
        con.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        con.execute(statement)
    con.close()


@pytest.mark.parametrize(
    ("statement", "check", "detail"),
    [
        ("DELETE FROM documents WHERE id = 1", "references", "chunks refers to a missing row of documents"),
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
        ("DELETE FROM token_rows WHERE id / 4096 = 2", "agreement", "1 vectors without token vectors: ids 2"),
        ("INSERT INTO token_rows VALUES(99 * 4096, x'')", "agreement", "1 token vectors without a vector: ids 99"),
        (
            "UPDATE embedding_bits SET document_id = 2 WHERE chunk_id = 1",
            "agreement",
            "another model or document",
        ),
        ("DELETE FROM waiting", "agreement", "2 chunks neither embedded nor queued: ids 4, 8"),
        ("INSERT INTO waiting VALUES(1, 1)", "agreement", "1 chunks embedded and still queued: ids 1"),
        ("UPDATE documents SET title = 'x' WHERE id = 1", "agreement", "4 chunks whose title differs"),
        ("UPDATE chunks SET ord = 7 WHERE id = 2", "agreement", "1 documents whose chunk numbers"),
        ("DELETE FROM document_texts WHERE document_id = 1", "agreement", "1 documents without text: ids 1"),
        (
            'UPDATE chunks SET "start" = 1 WHERE id = 2',
            "texts",
            "chunk 2 does not match the text of https://example.org/a",
        ),
        (
            "UPDATE document_texts SET text = 'x', packed = NULL",
            "texts",
            "chunk 8 does not match the text of https://example.org/b",
        ),
        ("UPDATE document_texts SET packed = x'0000'", "texts", "the file is damaged (a text cannot be unpacked"),
        ("UPDATE embeddings SET vector = x'00' WHERE chunk_id = 2", "vectors", "chunk 2 has 1 bytes"),
        ("UPDATE embeddings SET vector = zeroblob(256) WHERE chunk_id = 2", "vectors", "unit length"),
        (
            "UPDATE embedding_bits SET bits = zeroblob(8) WHERE chunk_id = 2",
            "vectors",
            "sign code of chunk 2",
        ),
        (
            "UPDATE token_rows SET bits = zeroblob(9) WHERE id / 4096 = 2",
            "vectors",
            "token vectors of chunk 2",
        ),
        (
            "INSERT INTO token_vectors VALUES(2, zeroblob(9))",
            "vectors",
            "token vectors of chunk 2",
        ),
        (
            "INSERT INTO token_vectors VALUES(2, zeroblob(16))",
            "agreement",
            "1 token vectors stored twice: ids 2",
        ),
        (
            "INSERT INTO aliases VALUES('https://example.org/b', 1)",
            "agreement",
            "1 documents whose address is also an alias: ids 2",
        ),
        (
            "UPDATE documents SET folder_id = 9 WHERE id = 1",
            "references",
            "documents refers to a missing row of folders",
        ),
        ("UPDATE documents SET file_bytes = NULL WHERE id = 3", "agreement", "without file time and size"),
        (
            "UPDATE documents SET cited_hash = NULL",
            "agreement",
            "1 cited documents without a record of the cited text: ids 1",
        ),
        ("UPDATE navigation SET urls = x'00'", "navigation", "links of document 1 cannot be read"),
        (f"UPDATE navigation SET urls = x'{BOMB.hex()}'", "navigation", "exceed"),
        (f"UPDATE navigation SET urls = x'{pack_urls(['https://x.org/'])[:-1].hex()}'", "navigation", "are incomplete"),
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
            "index links_by_url differs from the schema of this program",
        ),
        ("ALTER TABLE meta ADD COLUMN more TEXT", "schema", "table meta differs"),
        ("CREATE TABLE more(x)", "schema", "unexpected table more"),
        ("DELETE FROM documents WHERE id = 1", "references", "navigation refers to a missing row of documents"),
        ("UPDATE jobs SET failed = 1", "agreement", "1 jobs whose counts do not match their items: ids 1"),
        ("DELETE FROM job_items", "agreement", "1 jobs whose counts do not match their items: ids 1"),
        ("DELETE FROM jobs", "references", "job_items refers to a missing row of jobs"),
        ("UPDATE jobs SET state = 'lost'", "jobs", "job 1 is 'lost'"),
        ("UPDATE job_items SET state = 'lost'", "jobs", "item 1 is 'lost'"),
    ],
)
def test_verify_finds_and_names_damage(corpus: Corpus, path: Path, statement: str, check: str, detail: str) -> None:
    assert corpus.verify() == []
    tampered(path, statement)
    found = [problem for problem in corpus.verify() if problem.check == check]
    assert any(detail in problem.detail for problem in found), found
    corpus.close()


def mistyped(path: Path, table: str, *statements: str) -> None:
    """Store values that the columns of a strict table do not accept."""
    strict = f"UPDATE sqlite_schema SET sql = replace(sql, '{{}}', '{{}}') WHERE name = '{table}'"
    tampered(path, "PRAGMA writable_schema = ON", strict.format("STRICT", "/*loose*/"))
    tampered(path, *statements)
    tampered(path, "PRAGMA writable_schema = ON", strict.format("/*loose*/", "STRICT"))


@pytest.mark.parametrize(
    ("table", "statement", "check", "detail"),
    [
        ("chunks", "UPDATE chunks SET suffix_length = x'00' WHERE id = 2", "texts", "chunk 2 of https://example.org/a"),
        ("document_texts", "UPDATE document_texts SET text = x'00'", "texts", "has the wrong type"),
        ("embeddings", "UPDATE embeddings SET vector = 7 WHERE chunk_id = 2", "vectors", "has the wrong type"),
        ("navigation", "UPDATE navigation SET urls = 7", "navigation", "has the wrong type"),
    ],
)
def test_verify_finds_values_of_the_wrong_type(
    corpus: Corpus, path: Path, table: str, statement: str, check: str, detail: str
) -> None:
    mistyped(path, table, statement)
    found = [problem for problem in corpus.verify() if problem.check == check]
    assert any(detail in problem.detail for problem in found), found
    corpus.close()


def test_verify_finds_a_vector_that_is_not_finite(corpus: Corpus, path: Path) -> None:
    nan = "".join(["0000c07f"] * DIMENSION)
    tampered(path, f"UPDATE embeddings SET vector = x'{nan}' WHERE chunk_id = 2")
    assert any("unit length" in problem.detail for problem in corpus.verify())
    corpus.close()


def test_many_problems_of_a_kind_are_shortened(corpus: Corpus, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.checks.MAX_PROBLEMS_PER_CHECK", 3)
    tampered(path, "UPDATE document_texts SET text = 'x', packed = NULL")
    found = [problem.detail for problem in corpus.verify() if problem.check == "texts"]
    assert len(found) == 4
    assert found[-1] == "… and more"
    corpus.close()


def test_verify_finds_damaged_pages(corpus: Corpus, path: Path) -> None:
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


def test_changes_after_a_search_do_not_count_as_damage(corpus: Corpus) -> None:
    url = "https://example.org/again"
    for number in range(40):
        corpus.documents.store(document(url, [f"version {number} part {n}" for n in range(3 + number % 5)]))
        if number == 5:
            assert corpus.chunks.lexical(["version"], k=1)
        assert corpus.verify() == []
    corpus.close()


def filled(path: Path, count: int, words: int = 400) -> Path:
    corpus = Corpus.open(path, dimension=8, model="m")
    for number in range(count):
        text = " ".join(f"word{number}x{place}" for place in range(words))
        corpus.documents.store(document(f"https://a.example/{number}", [text]))
    corpus.close()
    return path


@pytest.fixture(scope="module")
def big(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus file of some hundred SQLite pages."""
    return filled(tmp_path_factory.mktemp("big") / "corpus.db", 60)


class EndsAt(Watch):
    """Cancels the work once a share of it is done."""

    def __init__(self, share: float) -> None:
        super().__init__()
        self.seen: list[float] = []
        self._last = share

    def at(self, share: float) -> None:
        self.seen.append(share)
        if share >= self._last:
            self.cancel()
        super().at(share)

    def part(self, start: float, end: float) -> Watch:
        part = Watch(lambda share: self.at(start + share * (end - start)))
        part._cancelled = self._cancelled
        return part


def test_a_backup_reports_its_progress(big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.migrations.PAGES_COPIED_AT_ONCE", 8)
    seen: list[float] = []
    corpus = Corpus.open(big, dimension=8, model="m")
    corpus.backup(tmp_path / "b.db", Watch(seen.append))
    corpus.close()
    assert seen == sorted(seen)
    assert len(seen) > 5
    assert seen[-1] == 1
    assert describe(tmp_path / "b.db").documents == 60


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(share=st.floats(0, 0.95))
def test_a_canceled_backup_leaves_the_older_one_intact(big: Path, tmp_path: Path, share: float) -> None:
    target = tmp_path / "b.db"
    filled(target, 1) if not target.exists() else None
    before = target.read_bytes()
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("app.corpus.migrations.PAGES_COPIED_AT_ONCE", 4)
        with pytest.raises(WorkCancelledError):
            corpus.backup(target, EndsAt(share))
    corpus.close()
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.db"]


@pytest.mark.parametrize("share", [0.0, 0.3, 0.6, 0.9])
def test_a_canceled_restore_does_not_change_anything(
    big: Path, tmp_path: Path, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.corpus.restore.BYTES_COPIED_AT_ONCE", 64 * 1024)
    corpus = filled(tmp_path / "corpus.db", 1)
    before = corpus.read_bytes()
    with pytest.raises(WorkCancelledError):
        swap(prepare(big, corpus, EndsAt(share)), corpus)
    assert corpus.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["corpus.db"]


def test_a_restore_is_prepared_while_the_corpus_is_in_use(big: Path, tmp_path: Path) -> None:
    corpus = Corpus.open(tmp_path / "corpus.db", dimension=8, model="m")
    prepared = prepare(big, tmp_path / "corpus.db")
    corpus.documents.store(document("https://a.example/meanwhile", ["Words."]))
    assert corpus.totals().documents == 1
    assert prepared.totals.documents == 60
    prepared.discard()
    corpus.close()
    assert not list(tmp_path.glob(".restore*"))


def test_a_running_check_can_be_canceled(big: Path) -> None:
    corpus = Corpus.open(big, dimension=8, model="m")
    watch = Watch()
    watch.cancel()
    with pytest.raises(WorkCancelledError):
        corpus.verify(watch)
    assert corpus.verify() == []
    corpus.close()


def test_compacting_frees_space_and_keeps_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = Corpus.open(filled(tmp_path / "corpus.db", 60), dimension=8, model="m")
    for row in corpus.documents.summaries(limit=50):
        corpus.documents.delete([row.id])
    assert corpus.storage().unused > 100_000
    assert corpus.measure() == 0, "not worth it"
    monkeypatch.setattr("app.corpus.checks.COMPACT_BYTES", 100_000)
    assert corpus.measure() == corpus.reclaimable == estimate_reclaimable(corpus.path) >= 100_000
    left = [row.url for row in corpus.documents.summaries(limit=50)]
    done = corpus.compact()
    assert done.after < done.before - 100_000
    assert corpus.storage().unused == corpus.reclaimable == 0
    assert corpus.verify() == []
    assert [row.url for row in corpus.documents.summaries(limit=50)] == left
    corpus.close()


class EndsAtLook(Watch):
    """Cancels the work at its n-th check."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self._left = looks

    @property
    def is_cancelled(self) -> bool:
        self._left -= 1
        return self._left <= 0


@pytest.mark.parametrize("looks", [1, 2, 20, 200])
def test_canceled_compacting_does_not_lose_anything(big: Path, looks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.watch.STEPS_BETWEEN_LOOKS", 50)
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.raises(WorkCancelledError):
        corpus.compact(EndsAtLook(looks))
    assert corpus.verify() == []
    assert corpus.totals().documents == 60
    corpus.close()


def test_compacting_is_refused_without_enough_space(big: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.corpus.COMPACT_LOG", 1e12)
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.raises(CorpusError, match="Not enough disk space"):
        corpus.compact()
    corpus.close()


def test_the_temporary_copy_of_compacting_needs_space_too(
    big: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite may choose another disk for it."""
    elsewhere = tmp_path / "temporary"
    elsewhere.mkdir()
    monkeypatch.setenv("SQLITE_TMPDIR", str(elsewhere))
    assert temporary_folder() == elsewhere
    usual = shutil.disk_usage(big.parent)
    monkeypatch.setattr(
        "app.corpus.corpus.shutil.disk_usage",
        lambda place: usual if Path(place) != elsewhere else usual._replace(free=1000),
    )
    monkeypatch.setattr("app.corpus.corpus.is_on_one_disk", lambda *_: False)
    corpus = Corpus.open(big, dimension=8, model="m")
    with pytest.raises(CorpusError, match="Not enough disk space") as told:
        corpus.compact()
    assert str(elsewhere) in told.value.message
    corpus.close()


@pytest.mark.real
def test_compacting_does_not_copy_the_file_to_memory(tmp_path: Path) -> None:
    corpus = Corpus.open(filled(tmp_path / "corpus.db", 2), dimension=8, model="m")
    with corpus._database.write() as con:
        con.execute("CREATE TABLE large(content)")
        con.executemany("INSERT INTO large VALUES(zeroblob(?))", [(8_000_000,)] * 20)
    before = apsw.memory_used()
    apsw.memory_high_water(True)
    done = corpus.compact()
    assert done.after > 160_000_000
    assert apsw.memory_high_water() - before < 120_000_000
    corpus.close()


def test_sizes_add_up_to_the_file(big: Path) -> None:
    corpus = Corpus.open(big, dimension=8, model="m")
    use = corpus.storage()
    corpus.close()
    assert use.total == big.stat().st_size
    assert use.texts > 0 and use.indexes > 0
    assert use.vectors == 9 * 8192, "no embeddings: only the empty tables"


def test_a_second_backup_to_the_same_file_waits_for_its_turn(big: Path, tmp_path: Path) -> None:
    """Each backup deletes the leftovers of killed ones, which could be the file of the other."""
    corpus, target = Corpus.open(big, dimension=8, model="m"), tmp_path / "b.db"
    refused: list[str] = []

    def again(_share: float) -> None:
        if not refused:
            with pytest.raises(CorpusBusyError) as told:
                corpus.backup(target)
            refused.append(told.value.message)

    corpus.backup(target, Watch(again))
    assert str(target) in refused[0]
    assert describe(target).documents == 60
    corpus.backup(target)
    corpus.close()


def test_describing_a_backup_does_not_change_it(big: Path, tmp_path: Path) -> None:
    copy = tmp_path / "b.db"
    copy.write_bytes(big.read_bytes())
    facts = describe(copy)
    assert (facts.documents, facts.file_bytes) == (60, copy.stat().st_size)
    assert facts.newest > 0
    assert [path.name for path in tmp_path.iterdir()] == ["b.db"]
    assert copy.read_bytes() == big.read_bytes()


def test_the_folders_and_projects_of_a_backup_are_described(tmp_path: Path) -> None:
    """WebRAG reads the files of both after a restore, also from another computer: `\\\\server\\share`."""
    with closing(Corpus.open(tmp_path / "b.db", dimension=8, model="m")) as made:
        made.folders.add("/home/a/papers")
        made.packages.keep_project("/home/a/app", [])
        made.packages.keep_project("/home/a/papers", [])
    assert describe(tmp_path / "b.db").folders == ("/home/a/app", "/home/a/papers")
    with closing(apsw.Connection(str(tmp_path / "b.db"))) as con:
        con.execute("DROP TABLE project_packages; DROP TABLE projects")
    assert describe(tmp_path / "b.db").folders == ("/home/a/papers",)


@pytest.mark.parametrize("content", [b"", b"notes" * 100, None])
def test_other_files_are_not_described(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "b.db"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(FileAccessError):
        describe(file)


def test_only_copies_of_the_corpus_are_listed_as_copies(tmp_path: Path) -> None:
    for name in ("corpus.db", "corpus-before-20250101-101010.db", "corpus.db.v2.backup", "corpus-notes.db", "other.db"):
        (tmp_path / name).write_bytes(b"x")
    assert [path.name for path in kept_copies(tmp_path / "corpus.db")] == [
        "corpus-before-20250101-101010.db",
        "corpus.db.v2.backup",
    ]


def foreign(path: Path, *statements: str) -> Path:
    """An intact backup with rows that its author inserted by hand."""
    made = Corpus.open(path, dimension=8, model="m")
    for name in ("a", "b", "c"):
        made.documents.store(document(f"https://a.example/{name}", [f"About {name}."]))
    made.close()
    con = apsw.Connection(str(path))
    con.pragma("foreign_keys", True)
    for statement in statements:
        con.execute(statement)
    con.close()
    return path


DOC_PAGE = """
INSERT INTO docsets(version, revision, built_at, note) VALUES('1', 1, 1.0, '');
INSERT INTO doc_pages(docset_id, path, url, title, category, sections, mtime_ns, bytes, hash, words)
VALUES(1, 'a.md', 'https://a.example/a', 'A', 'docs', '{}', 1, 1, '', 1);
INSERT INTO doc_texts VALUES(1, 'A'); INSERT INTO doc_words(rowid, title) VALUES(1, 'A')
"""
PACKAGE = """
INSERT INTO packages(ecosystem, name, version, source, is_current, added_at, asked_at) VALUES('pypi', {}, '1', 'installed', 1, 1.0, 1.0);
INSERT INTO symbols(package_id, name, last, kind, signature, summary, file, line, page, leads_to)
VALUES(1, 'Flask', 'Flask', 'class', '', {}, '', 1, '', '')
"""
PACKAGES_JOB = """
INSERT INTO jobs(kind, target, options, state, detail, created_at) VALUES('packages', 'flask', '{}', 'queued', '', 1.0)
"""


@pytest.mark.parametrize(
    ("statement", "said", "left"),
    [
        ("UPDATE documents SET url = 'javascript:alert(1)' WHERE id = 1", "neither on the web nor a local file", 2),
        ("UPDATE documents SET url = 'file:///etc/passwd' WHERE id = 1", "neither on the web nor a local file", 2),
        (
            "UPDATE documents SET url = 'file://server/share/a', file_mtime_ns = 1, file_bytes = 1 WHERE id = 1",
            "neither on the web nor a local file",
            2,
        ),
        (
            "UPDATE documents SET url = 'file:////server/share/a', file_mtime_ns = 1, file_bytes = 1 WHERE id = 1",
            "neither on the web nor a local file",
            2,
        ),
        ("UPDATE documents SET title = hex(zeroblob(2000000)) WHERE id = 1", "1 pages larger than", 2),
        ("UPDATE documents SET etag = hex(zeroblob(2000000)) WHERE id = 1", "1 pages larger than", 2),
        ("INSERT INTO aliases VALUES('vbscript:x', 1)", "1 page aliases", 3),
        ("INSERT INTO links VALUES(1, 0, 'javascript:x', 'text', 0, 1)", "1 page links", 3),
        ("INSERT INTO folders(path, added_at) VALUES(hex(zeroblob(900000)), 1.0)", "1 folders", 3),
        ("INSERT INTO activity VALUES(1, 1, 'a', 'a', 1, 'ok', 1, 1, '[no json', 0, '')", "1 recorded calls", 3),
        (
            "INSERT INTO activity VALUES(1, 1, hex(zeroblob(2000000)), 'a', 1, 'ok', 1, 1, '[]', 0, '')",
            "1 recorded calls",
            3,
        ),
        ("INSERT INTO document_flags VALUES(1, '[no json')", "1 page flags", 3),
        ("INSERT INTO document_flags VALUES(1, '{\"a\": 1}')", "1 page flags", 3),
        ("INSERT INTO document_flags VALUES(1, '[\"a\", 1]')", "1 page flags", 3),
        ("INSERT INTO meta VALUES('pending_deletions', '[no json')", "1 lists of pages to delete", 3),
        ("INSERT INTO meta VALUES('pending_deletions', '[\"a\"]')", "1 lists of pages to delete", 3),
        (DOC_PAGE.format("[no json"), "1 documentation pages", 3),
        (DOC_PAGE.format("[7]"), "1 documentation pages", 3),
        (DOC_PAGE.format('[[1, "a", 1, 2]]'), "1 documentation pages", 3),
        (PACKAGES_JOB.format("[no json"), "1 jobs", 3),
        (PACKAGES_JOB.format("[]"), "1 jobs", 3),
        (PACKAGE.format("hex(zeroblob(200000))", "''"), "1 packages", 3),
        (PACKAGE.format("'flask'", "hex(zeroblob(2000000))"), "1 names of packages", 3),
        ("INSERT INTO projects(root, read_at) VALUES(hex(zeroblob(9000)), 1.0)", "1 projects", 3),
    ],
)
def test_rows_that_webrag_could_not_store_are_left_out_of_a_restore(
    tmp_path: Path, statement: str, said: str, left: int
) -> None:
    corpus = tmp_path / "data" / "corpus.db"
    corpus.parent.mkdir()
    restored = swap(prepare(foreign(tmp_path / "b.db", statement), corpus), corpus)
    assert len(restored.removed) == 1
    assert said in restored.removed[0]
    assert restored.documents == left
    opened = Corpus.open(corpus, dimension=8, model="m")
    assert opened.verify() == []
    assert opened.totals().documents == left
    opened.close()


def test_normally_stored_data_is_restored_completely(corpus: Corpus, path: Path, tmp_path: Path) -> None:
    corpus.backup(tmp_path / "b.db")
    documents = corpus.totals().documents
    corpus.close()
    restored = swap(prepare(tmp_path / "b.db", path), path)
    assert (restored.documents, restored.removed) == (documents, ())


@pytest.mark.parametrize(
    "statements",
    [
        ("PRAGMA user_version = -1", "DROP TABLE migrations"),
        ("PRAGMA user_version = 1", "DROP TABLE migrations"),
        ("DROP TABLE migrations", "CREATE TABLE migrations(other)"),
        ("DELETE FROM migrations", "INSERT INTO migrations VALUES('m000_before', 1.0)"),
        ("DELETE FROM migrations",),
        ("PRAGMA foreign_keys = OFF", "DROP TABLE document_texts"),
    ],
)
def test_another_file_is_refused_with_a_message_and_leaves_nothing_behind(
    tmp_path: Path, statements: tuple[str, ...]
) -> None:
    corpus = filled(tmp_path / "data" / "corpus.db", 1)
    before = corpus.read_bytes()
    with pytest.raises(CorpusError) as told:
        swap(prepare(foreign(tmp_path / "b.db", *statements), corpus), corpus)
    assert told.value.hint
    assert [path.name for path in corpus.parent.iterdir()] == ["corpus.db"]
    assert corpus.read_bytes() == before


def test_interrupted_copies_are_deleted_and_few_replaced_corpora_are_kept(tmp_path: Path) -> None:
    corpus = filled(tmp_path / "data" / "corpus.db", 1)
    left = (".restore._atf6ss_.db.v1.backup", ".restore._atf6ss_.db-journal", ".corpus.db.v1.backup.ab_12345")
    for name in left:
        (corpus.parent / name).write_bytes(b"x")
    (corpus.parent / "notes.db").write_bytes(b"mine")
    backup = filled(tmp_path / "b.db", 2)
    for day in range(1, 6):
        (corpus.parent / f"corpus-before-2026010{day}-000000.db").write_bytes(b"x")
        (corpus.parent / f"corpus-before-2026010{day}-000000.db-wal").write_bytes(b"x")
    swap(prepare(backup, corpus), corpus)
    names = sorted(path.name for path in corpus.parent.iterdir())
    assert [name for name in names if name.startswith(".")] == []
    assert "notes.db" in names
    assert len([name for name in names if "-before-" in name and name.endswith(".db")]) == 3
    assert "corpus-before-20260103-000000.db-wal" not in names
