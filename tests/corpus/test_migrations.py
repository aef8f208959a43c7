"""The schema of a file: its migrations, how missing ones are applied, and which files are refused."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import apsw
import pytest

from app.corpus import Corpus, migrations, schema
from app.corpus.restore import prepare
from app.corpus.salvage import salvage
from app.corpus.watch import Watch
from app.errors import CorpusError, CorpusTooNewError, DiskFullError, WorkCancelledError
from app.text.terms import query_terms
from tests.corpus.builders import DIMENSION, MODEL, document

URL = "https://example.org/guide"
FIRST = sorted(migration.__name__ for migration in migrations.MIGRATIONS)

FIRST_SCHEMA = "1b013c53036b84ef1b9abe41b1613c32bc5007f8eaf7db2f808146f09043d4ea"
"""SHA-256 of the SQL of the first migration, without comments and line breaks."""


def m901_add_colour(con: apsw.Connection) -> None:
    con.execute("ALTER TABLE documents ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey'")


def m902_add_extra(con: apsw.Connection) -> None:
    con.execute("CREATE TABLE extra(x ANY) STRICT")


def m903_break_down(con: apsw.Connection) -> None:
    m901_add_colour(con)
    raise RuntimeError("broken migration")


NEXT = (*migrations.MIGRATIONS, m901_add_colour, m902_add_extra)


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


@pytest.fixture
def stored(path: Path) -> Path:
    """A closed file with one page."""
    with closing(opened(path)) as corpus:
        corpus.documents.store(document(URL, ("Installing the pump", "Running the pump")))
    return path


@pytest.fixture
def con(stored: Path) -> Iterator[apsw.Connection]:
    """A connection to the file of `stored`."""
    with closing(apsw.Connection(str(stored))) as connection:
        yield connection


@pytest.fixture
def development(path: Path) -> Path:
    """A file of a development version: the first schema with a version number, without migration names."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(apsw.Connection(str(path))) as con:
        con.pragma("journal_mode", "wal")
        migrations.migrate(con, path, migrations.MIGRATIONS[:1])
        columns = "url, title, kind, language, content_hash, last_crawled, changed_at, note"
        con.execute(f"INSERT INTO documents({columns}) VALUES(?, 'Guide', 'html', 'en', 'x', 1.0, 1.0, '')", (URL,))
        con.execute("INSERT INTO document_texts(document_id, text) SELECT id, '' FROM documents")
        con.execute("DROP TABLE migrations")
        con.pragma("user_version", 3)
    return path


def names(con: apsw.Connection) -> list[str]:
    return [str(name) for (name,) in con.execute("SELECT name FROM migrations ORDER BY name")]


def test_the_first_schema_never_changes() -> None:
    words = " ".join(re.sub(r"--.*", "", "\n".join(schema.INITIAL)).split())
    # Line breaks may change: `migrations` compares the schema of a file in the same way.
    found = hashlib.sha256(re.sub(" ?([(),]) ?", r"\1", words).encode()).hexdigest()
    assert found == FIRST_SCHEMA, (
        "released files have this schema: append to MIGRATIONS instead of changing app/corpus/schema.py"
    )


def test_a_new_file_records_its_migrations_without_a_backup(stored: Path) -> None:
    assert [file.name for file in stored.parent.iterdir()] == ["corpus.db"]
    with closing(apsw.Connection(str(stored))) as con:
        assert names(con) == FIRST


def test_missing_migrations_are_applied_after_a_backup(stored: Path, con: apsw.Connection) -> None:
    migrations.migrate(con, stored, NEXT)
    assert names(con) == sorted([*FIRST, "m901_add_colour", "m902_add_extra"])
    assert con.execute("SELECT colour FROM documents").get == "grey"
    migrations.migrate(con, stored, NEXT)
    con.close()
    backup = stored.with_name(f"corpus.db.v{len(FIRST)}.backup")
    assert sorted(file.name for file in stored.parent.iterdir()) == ["corpus.db", backup.name]
    with closing(opened(backup)) as old:
        assert old.documents.get(URL) is not None
        assert old.verify() == []
    with pytest.raises(CorpusTooNewError):
        opened(stored)


def test_words_of_scripts_without_spaces_are_found_in_older_passages(path: Path, tmp_path: Path) -> None:
    text = "数据库检索系统 stores ＡＢＣ１２３."
    with closing(opened(path)) as corpus:
        corpus.documents.store(document(URL, (text, "Installing the pump")))
    with closing(apsw.Connection(str(path))) as con:
        con.execute("UPDATE chunks SET identifiers = 'max size'")
        con.execute("DELETE FROM migrations WHERE name = 'unseen_words_indexed'")
    salvage(path, tmp_path / "new.db")
    for file in (path, tmp_path / "new.db"):
        with closing(opened(file)) as corpus:
            hits = [corpus.chunks.lexical(query_terms(words), k=5) for words in ("检索", "ABC123", "max", "pump")]
            assert [len(found) for found in hits] == [1, 1, 2, 1]
            assert text in corpus.chunks.by_ids([hits[0][0].chunk_id])[0].text
            assert corpus.verify() == []


def test_a_failed_migration_does_not_change_the_file(stored: Path, con: apsw.Connection) -> None:
    with pytest.raises(RuntimeError, match="broken migration"):
        migrations.migrate(con, stored, (*migrations.MIGRATIONS, m903_break_down))
    con.close()
    with closing(opened(stored)) as corpus:
        assert corpus.verify() == []
        assert corpus.documents.get(URL) is not None


def test_without_space_for_the_backup_the_file_is_unchanged(stored: Path, con: apsw.Connection) -> None:
    backup = stored.with_name(f"corpus.db.v{len(FIRST)}.backup")
    backup.mkdir()
    (backup / "file").write_text("in the way")
    with pytest.raises(CorpusError, match="Could not write the copy"):
        migrations.migrate(con, stored, NEXT)
    assert names(con) == FIRST


def test_a_newer_file_is_refused_and_unchanged(stored: Path, con: apsw.Connection) -> None:
    con.execute("INSERT INTO migrations VALUES('m999_from_the_future', 1.0)")
    con.close()
    before = stored.read_bytes()
    with pytest.raises(CorpusTooNewError, match="m999_from_the_future"):
        opened(stored)
    assert stored.read_bytes() == before


def test_a_development_file_with_the_same_schema_is_accepted(development: Path) -> None:
    for _ in range(2):
        with closing(opened(development)) as corpus:
            assert corpus.documents.get(URL) is not None
            assert corpus.verify() == []
    with closing(apsw.Connection(str(development))) as con:
        assert names(con) == FIRST


def test_a_column_added_later_gives_the_same_schema(development: Path) -> None:
    with closing(apsw.Connection(str(development))) as con:
        con.execute("ALTER TABLE activity DROP COLUMN saved")
        con.execute("ALTER TABLE activity ADD COLUMN saved INTEGER NOT NULL DEFAULT 0")
    with closing(opened(development)) as corpus:
        assert corpus.verify() == []


@pytest.mark.parametrize(
    "change",
    [
        "PRAGMA user_version = 2",
        "ALTER TABLE activity DROP COLUMN saved",
        "DROP TABLE document_flags",
        "DROP TRIGGER job_items_moved",
    ],
)
def test_a_development_file_with_another_schema_is_refused_and_unchanged(development: Path, change: str) -> None:
    with closing(apsw.Connection(str(development))) as con:
        con.execute(change)
    before = development.read_bytes()
    with pytest.raises(CorpusError, match="development version") as raised:
        opened(development)
    assert "Move the file" in str(raised.value.hint)
    assert development.read_bytes() == before


@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_log_and_journal_of_a_newer_file_are_unchanged(stored: Path, journal: str) -> None:
    """A copy made by a backup has another journal mode, the file of a killed program a write-ahead log."""
    with closing(apsw.Connection(str(stored))) as con:
        con.pragma("journal_mode", journal)
        con.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        con.execute("INSERT INTO migrations VALUES('m999_from_the_future', 1.0)")
    stored.with_name("corpus.db-shm").unlink(missing_ok=True)
    before = {path.name: path.read_bytes() for path in stored.parent.iterdir()}
    assert ("corpus.db-wal" in before) == (journal == "wal")
    for _ in range(2):
        with pytest.raises(CorpusTooNewError, match="m999_from_the_future"):
            opened(stored)
    after = {path.name: path.read_bytes() for path in stored.parent.iterdir() if not path.name.endswith("-shm")}
    assert after == before


def test_a_copy_removes_leftovers_of_killed_copies(stored: Path, con: apsw.Connection) -> None:
    target = stored.with_name("backup.db")
    for name in (".backup.db.abcdefgh", ".backup.db.abcdefgh-journal", "backup.db-wal", ".other.db.abcdefgh"):
        stored.with_name(name).write_bytes(b"left")
    migrations.copy(con, target)
    con.close()
    assert sorted(path.name for path in stored.parent.iterdir()) == [".other.db.abcdefgh", "backup.db", "corpus.db"]
    with closing(opened(target)) as copied:
        assert copied.documents.get(URL) is not None


def calls_before_verdicts(path: Path) -> None:
    """Add a call to a new file of the version without verdicts."""
    before = migrations.MIGRATIONS[: migrations.MIGRATIONS.index(migrations.call_verdicts)]
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(apsw.Connection(str(path))) as con:
        con.pragma("journal_mode", "wal")
        migrations.migrate(con, path, before)
        columns = "started_at, client, tool, duration_ms, outcome, tokens, characters, pages"
        for outcome in ("TIMEOUT", "cancelled", "ok"):
            con.execute(f"INSERT INTO activity({columns}) VALUES(1.0, 'c', 'answer', 1.0, ?, 1, 4, '[]')", (outcome,))


def test_calls_of_an_earlier_version_have_a_verdict_only_if_they_failed(path: Path) -> None:
    calls_before_verdicts(path)
    with closing(opened(path)) as corpus:
        assert [call.verdict for call in corpus.activity.recent(9)] == ["", "", "failed"]
        assert corpus.verify() == []


def test_calls_are_salvaged_from_a_damaged_file(path: Path, tmp_path: Path) -> None:
    calls_before_verdicts(path)
    salvaged = salvage(path, tmp_path / "new.db")
    assert salvaged.lost_rows == 0
    with closing(opened(tmp_path / "new.db")) as corpus:
        calls = [(call.outcome, call.verdict) for call in corpus.activity.recent(9)]
        assert calls == [("ok", ""), ("cancelled", ""), ("TIMEOUT", "failed")]


def test_an_update_reports_its_progress_and_ends_when_canceled(path: Path) -> None:
    calls_before_verdicts(path)
    shares: list[float] = []
    watch = Watch(shares.append)
    with closing(apsw.Connection(str(path))) as con, pytest.raises(WorkCancelledError):
        migrations.migrate(con, path, (*migrations.MIGRATIONS, lambda _: watch.cancel()), watch=watch)
    assert shares[0] == 0.0
    assert shares == sorted(shares)
    assert 0.5 <= shares[-1] < 1
    with closing(apsw.Connection(str(path))) as con:
        assert "call_verdicts" not in names(con)
        migrations.migrate(con, path)
        assert names(con) == FIRST
        migrations.migrate(con, path, watch=watch)  # Nothing to do, nothing to report.


def test_without_disk_space_an_update_does_not_begin(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls_before_verdicts(path)
    before = path.read_bytes()
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=path.stat().st_size))
    with pytest.raises(DiskFullError, match="Not enough disk space to update the library") as refused:
        opened(path)
    assert "Free 5 MB in" in refused.value.hint
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*.backup*"))


def test_a_restored_backup_of_an_earlier_version_is_updated_without_another_backup(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls_before_verdicts(path)
    monkeypatch.setattr(migrations, "copy", pytest.fail)
    prepared = prepare(path, tmp_path / "corpus.db")
    with closing(apsw.Connection(str(prepared.copy))) as con:
        assert names(con) == FIRST
    prepared.discard()
    assert not [file.name for file in tmp_path.iterdir() if file.is_file()]


def test_pages_of_an_earlier_version_are_salvaged_without_later_columns(path: Path, tmp_path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(apsw.Connection(str(path))) as con:
        migrations.migrate(con, path, migrations.MIGRATIONS[:1])
        columns = "url, title, kind, language, content_hash, last_crawled, changed_at, note"
        con.execute(f"INSERT INTO documents({columns}) VALUES(?, 'Guide', 'html', 'en', 'x', 1.0, 1.0, '')", (URL,))
        con.execute("INSERT INTO document_texts VALUES(1, 'Installing the pump.')")
    assert salvage(path, tmp_path / "new.db").documents == 1
    with closing(apsw.Connection(str(tmp_path / "new.db"))) as con:
        assert con.execute("SELECT url, came_by, package_id FROM documents").get == (URL, "", None)
