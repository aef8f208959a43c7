"""The file itself: opening, updates, refusals, copies and errors."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from app import caps
from app.corpus import Corpus, database
from app.corpus.database import Database, connect, translated
from app.errors import CorpusBusyError, CorpusError, DiskFullError
from tests.corpus.builders import DIMENSION, MODEL, document, embed

URL = "https://example.org/guide"
PARAGRAPHS = ("Installing the pump", "Running the pump", "Cleaning the pump")


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=DIMENSION, model=MODEL)


@pytest.fixture
def stored(path: Path) -> Path:
    """A closed corpus with one embedded document."""
    corpus = opened(path)
    embed(corpus, corpus.documents.store(document(URL, PARAGRAPHS)).new_chunk_ids)
    corpus.close()
    return path


def test_closing_leaves_one_file_with_everything(stored: Path) -> None:
    assert [file.name for file in stored.parent.iterdir()] == ["corpus.db"]
    corpus = opened(stored)
    assert corpus.documents.get(URL) is not None
    assert corpus.vectors.count_waiting() == 0
    corpus.close()


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no mode bits")
def test_the_file_is_for_its_owner_only(stored: Path) -> None:
    assert stat.S_IMODE(stored.stat().st_mode) & 0o077 == 0


def test_a_closed_corpus_raises_an_error(stored: Path) -> None:
    corpus = opened(stored)
    corpus.close()
    corpus.close()
    for call in (corpus.totals, lambda: corpus.documents.store(document(URL, PARAGRAPHS))):
        with pytest.raises(CorpusError, match="closed"):
            call()


def test_closing_waits_for_readers(stored: Path) -> None:
    corpus = opened(stored)
    with corpus._database.read() as con:
        closing = threading.Thread(target=corpus.close)
        closing.start()
        closing.join(0.1)
        assert closing.is_alive()
        assert con.execute("SELECT count(*) FROM chunks").get == 3
    closing.join(5)
    assert not closing.is_alive()


@pytest.mark.parametrize("application_id", [0, 12345])
def test_another_programs_database_is_refused_and_unchanged(path: Path, application_id: int) -> None:
    path.parent.mkdir()
    con = apsw.Connection(str(path))
    con.execute("CREATE TABLE theirs(x)")
    con.pragma("application_id", application_id)
    con.close()
    before = path.read_bytes()
    with pytest.raises(CorpusError, match="another program"):
        opened(path)
    assert path.read_bytes() == before


def test_a_file_that_is_not_a_database_is_refused_and_unchanged(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"Dear diary, " * 1000)
    with pytest.raises(CorpusError, match="damaged, or it is not a WebRAG library"):
        opened(path)
    assert path.read_bytes() == b"Dear diary, " * 1000


def test_a_damaged_file_raises_a_clear_error(stored: Path) -> None:
    data = bytearray(stored.read_bytes())
    size = database.PAGE_BYTES
    for page in range(1, len(data) // size):
        data[page * size : page * size + 200] = b"\xff" * 200
    stored.write_bytes(bytes(data))
    with pytest.raises(CorpusError, match=r"corpus\.db"):
        opened(stored)


def test_a_folder_that_cannot_be_created_raises_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(CorpusError, match="Cannot create"):
        opened(tmp_path / "taken" / "corpus.db")


def test_a_read_only_file_is_reported_as_existing(stored: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "touch", refuse)
    with pytest.raises(CorpusError, match="Cannot write to") as caught:
        opened(stored)
    assert "read and write access" in caught.value.hint


@pytest.fixture
def held(stored: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Corpus]:
    """A corpus whose file another process is writing to."""
    monkeypatch.setattr(caps, "BUSY_TIMEOUT_MS", 50)
    corpus = opened(stored)
    other = apsw.Connection(str(stored))
    other.execute("BEGIN IMMEDIATE")
    yield corpus
    other.execute("ROLLBACK")
    other.close()
    assert corpus.documents.delete([1])
    corpus.close()


def test_another_writer_blocks_writing_but_not_reading(held: Corpus) -> None:
    with pytest.raises(CorpusBusyError, match=r"corpus\.db"):
        held.documents.store(document(URL + "/2", PARAGRAPHS))
    assert held.documents.get(URL) is not None
    assert len(held.chunks.lexical(["pump"], k=9)) == 3


def test_opening_does_not_need_the_writer(held: Corpus, stored: Path) -> None:
    second = opened(stored)
    assert second.totals().documents == 1
    second.close()


def test_a_reader_is_usable_after_an_error(path: Path) -> None:
    base = Database(path)
    for _ in range(2 * caps.READER_CONNECTIONS):
        with pytest.raises(apsw.SQLError), base.read() as con:
            con.execute("SELECT nothing")
    with base.read() as con:
        assert con.execute("SELECT count(*) FROM chunks").get == 0
    base.close()


def test_a_failed_change_is_rolled_back_and_the_next_one_works(path: Path) -> None:
    base = Database(path)
    with pytest.raises(apsw.ConstraintError), base.write() as con:
        con.execute("INSERT INTO meta VALUES('a', 1); INSERT INTO meta VALUES('a', 2)")
    with base.write() as con:
        con.execute("INSERT INTO meta VALUES('b', 2)")
    with base.read() as con:
        assert con.execute("SELECT key FROM meta").fetchall() == [("b",)]
    base.close()


def test_readers_cannot_write(path: Path) -> None:
    base = Database(path)
    with pytest.raises(CorpusError), base.read() as con:
        con.execute("INSERT INTO meta VALUES('a', 1)")
    base.close()


def test_backup_copies_a_corpus_in_use_and_replaces_what_was_there(stored: Path, tmp_path: Path) -> None:
    corpus = opened(stored)
    target = tmp_path / "backups" / "copy.db"
    corpus.backup(target)
    corpus.documents.store(document(URL + "/2", ["Stored later"]))
    corpus.backup(target)
    assert [file.name for file in target.parent.iterdir()] == ["copy.db"]
    corpus.close()
    copy = opened(target)
    assert copy.totals().documents == 2
    assert copy.verify() == []
    copy.close()


def test_a_backup_to_a_full_disk_reports_it(stored: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def small(con: apsw.Connection) -> None:
        if "copy.db" in con.filename:
            con.pragma("max_page_count", 1)

    corpus = opened(stored)
    monkeypatch.setattr(apsw, "connection_hooks", [*apsw.connection_hooks, small])
    with pytest.raises(CorpusError, match="the disk is full") as caught:
        corpus.backup(tmp_path / "copy.db")
    assert "not an error" not in caught.value.message
    assert not list(tmp_path.glob("*copy.db*"))
    corpus.close()


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="the quota is asked with fallocate")
def test_a_quota_counts_as_a_full_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite calls it an I/O error."""
    corpus = opened(path)

    def refuse(*_: object) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    with pytest.raises(CorpusError, match="Cannot read or write"), translated(path):
        raise apsw.IOError("disk I/O error")
    monkeypatch.setattr(os, "posix_fallocate", refuse)
    with pytest.raises(DiskFullError), corpus._database._watched():
        raise apsw.IOError("disk I/O error")
    assert corpus.health.refusal and not corpus._database.resume()
    monkeypatch.undo()
    assert corpus._database.resume() and not corpus.health.refusal
    corpus.close()


def test_a_failed_backup_raises_an_error_and_leaves_nothing_behind(stored: Path, tmp_path: Path) -> None:
    corpus = opened(stored)
    taken = tmp_path / "taken"
    taken.mkdir()
    (taken / "file").write_text("in the way")
    with pytest.raises(CorpusError, match="Could not write the copy"):
        corpus.backup(taken)
    with pytest.raises(CorpusError, match="Could not write the copy"):
        corpus.backup(taken / "file" / "copy.db")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data", "taken"]
    corpus.close()


def test_the_schema_of_a_foreign_file_cannot_do_harm(stored: Path) -> None:
    with closing(connect(stored)) as con:
        assert not con.pragma("trusted_schema")
        for statement in (
            "UPDATE chunks_fts_data SET block = x'00'",
            "PRAGMA writable_schema = 1; DELETE FROM sqlite_schema",
        ):
            with pytest.raises(apsw.SQLError):
                con.execute(statement)
        con.execute("CREATE TRIGGER loud AFTER INSERT ON meta BEGIN SELECT fts5(new.value); END")
        with pytest.raises(apsw.SQLError, match="unsafe use"):
            con.execute("INSERT INTO meta VALUES('key', 1)")


def torn(stored: Path, folder: Path) -> Path:
    """A copy of the file from before a page was replaced, with the write-ahead log from after it."""
    copy = folder / "copied" / "corpus.db"
    copy.parent.mkdir()
    shutil.copy(stored, copy)
    with closing(opened(stored)) as corpus:
        for number in range(40):
            corpus.documents.store(document(f"{URL}/{number}", [f"Part {part} {number}. " * 80 for part in range(9)]))
        corpus._database._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_RESTART)
        corpus.documents.store(document(f"{URL}/7", [f"Part {part}, again. " * 80 for part in range(9)]))
        shutil.copy(stored.with_name("corpus.db-wal"), copy.with_name("corpus.db-wal"))
    return copy


def test_a_copy_with_a_log_of_another_state_is_refused_and_unchanged(stored: Path, tmp_path: Path) -> None:
    copy = torn(stored, tmp_path)
    before = [copy.read_bytes(), copy.with_name("corpus.db-wal").read_bytes()]
    for _ in range(2):
        with pytest.raises(CorpusError, match=r"damaged|inconsistent copy"):
            opened(copy)
    assert [copy.read_bytes(), copy.with_name("corpus.db-wal").read_bytes()] == before


def test_an_intact_copy_with_its_log_is_accepted(stored: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copied" / "corpus.db"
    copy.parent.mkdir()
    with closing(opened(stored)) as corpus:
        corpus.documents.store(document(f"{URL}/2", PARAGRAPHS))
        for suffix in ("", "-wal"):
            shutil.copy(stored.with_name(f"corpus.db{suffix}"), copy.with_name(f"corpus.db{suffix}"))
    for _ in range(2):
        with closing(opened(copy)) as corpus:
            assert corpus.totals().documents == 2


def test_cached_pages_are_freed_when_the_file_is_idle(path: Path) -> None:
    corpus = opened(path)
    for number in range(40):
        corpus.documents.store(document(f"{URL}/{number}", [f"{text} {number}. " * 40 for text in PARAGRAPHS]))
    assert not corpus.release_memory(idle_seconds=60), "it was used just now"
    before = apsw.memory_used()
    assert corpus.release_memory(idle_seconds=0)
    assert apsw.memory_used() < before - 100 * caps.KIB
    assert not corpus.release_memory(idle_seconds=0), "it has been idle since"
    assert corpus.documents.get(f"{URL}/7") is not None
    assert corpus.release_memory(idle_seconds=0)
    corpus.close()


def test_memory_can_be_freed_during_reads_and_writes(path: Path) -> None:
    file = Database(path)
    with file.write() as writer:
        writer.execute("CREATE TABLE notes(text)")
        writer.execute("INSERT INTO notes VALUES ('kept')")
        with ThreadPoolExecutor(1) as other:
            assert other.submit(file.release_memory, 0).result(60)
    with file.read() as reader, ThreadPoolExecutor(1) as other:
        assert other.submit(file.release_memory, 0).result(60)
        assert reader.execute("SELECT text FROM notes").fetchall() == [("kept",)]
    file.close()
