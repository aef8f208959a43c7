"""`restore`: only a sound backup takes the place of the corpus, and the one before is kept."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from app.cli import main
from app.corpus import Corpus
from app.errors import CorpusError
from app.instance import hold_instance
from tests.bridge.fake_instance import FakeInstance
from tests.corpus.builders import document


def filled(path: Path, *names: str) -> Path:
    corpus = Corpus.open(path, dimension=384, model="m")
    for name in names:
        corpus.store_document(document(f"https://docs.example.org/{name}", [f"About {name}."]))
    corpus.close()
    return path


def addresses(path: Path) -> list[str]:
    corpus = Corpus.open(path, dimension=384, model="m")
    try:
        return sorted(row.url.rpartition("/")[2] for row in corpus.summaries(limit=10))
    finally:
        corpus.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory whose corpus holds one page."""
    folder = tmp_path / "data"
    folder.mkdir()
    filled(folder / "corpus.db", "old")
    return folder


def restore(data: Path, backup: Path, *more: str) -> int:
    return main(["restore", str(backup), "--data-dir", str(data), *more])


def test_a_backup_takes_the_place_of_the_corpus(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = filled(tmp_path / "backup.db", "new", "newer")
    before = backup.read_bytes()
    assert restore(data, backup, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["documents"] == 2
    assert addresses(data / "corpus.db") == ["new", "newer"]
    assert addresses(Path(told["kept"])) == ["old"]
    assert backup.read_bytes() == before
    assert not list(data.glob(".restore*"))


def test_what_a_killed_restore_left_is_removed(data: Path, tmp_path: Path) -> None:
    mine = (".restore.notes.db", ".restore.abcdefgh.txt")
    for name in (".restore.a1b2c3_4.db", ".restore.a1b2c3_4.db-wal", *mine):
        (data / name).write_bytes(b"x")
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    assert sorted(path.name for path in data.glob(".restore.*")) == sorted(mine)


def left_with_a_log(data: Path, tmp_path: Path) -> None:
    """A corpus whose process was killed has its newest pages in the write-ahead log only."""
    con = apsw.Connection(str(data / "corpus.db"))
    con.execute("PRAGMA wal_autocheckpoint = 0")
    con.execute("UPDATE documents SET url = 'https://docs.example.org/renamed'")
    for name in ("corpus.db", "corpus.db-wal"):
        (tmp_path / name).write_bytes((data / name).read_bytes())
    con.close()
    for name in ("corpus.db", "corpus.db-wal"):
        (data / name).write_bytes((tmp_path / name).read_bytes())


def test_what_the_log_holds_is_kept_too(data: Path, tmp_path: Path) -> None:
    left_with_a_log(data, tmp_path)
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    (kept,) = data.glob("corpus-before-*.db")
    assert addresses(kept) == ["renamed"]
    assert addresses(data / "corpus.db") == ["new"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="cuts a copy of the process")
def test_a_restore_that_is_killed_leaves_a_whole_corpus(data: Path, tmp_path: Path) -> None:
    left_with_a_log(data, tmp_path)
    backup = filled(tmp_path / "backup.db", "new")
    command = [sys.executable, "-m", "tests.cli.cut_restore", str(data), str(backup)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    *cut, whole = done.stdout.splitlines()
    assert whole == "0 new"
    assert len(cut) >= 8
    before = cut.count("9 renamed")
    assert cut == ["9 renamed"] * before + ["9 new"] * (len(cut) - before)


def test_nothing_is_restored_while_another_program_has_the_corpus_open(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("app.caps.BUSY_TIMEOUT_MS", 50)
    con = apsw.Connection(str(data / "corpus.db"))
    con.execute("BEGIN")
    con.execute("SELECT count(*) FROM documents").fetchone()
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 1
    con.close()
    assert "Another program" in capsys.readouterr().err
    assert addresses(data / "corpus.db") == ["old"]


def test_a_damaged_corpus_can_be_replaced(data: Path, tmp_path: Path) -> None:
    (data / "corpus.db").write_bytes(b"no database at all" * 1_000)
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    assert addresses(data / "corpus.db") == ["new"]
    (kept,) = data.glob("corpus-before-*.db")
    assert kept.read_bytes().startswith(b"no database")


def test_a_new_data_directory_can_be_filled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert restore(tmp_path / "fresh", filled(tmp_path / "backup.db", "a")) == 0
    assert capsys.readouterr().out == "Restored 1 document with 1 chunk.\n"
    assert addresses(tmp_path / "fresh" / "corpus.db") == ["a"]


def damaged(path: Path) -> None:
    con = apsw.Connection(str(path))
    con.execute("DELETE FROM document_texts")
    con.close()


def with_a_trigger(path: Path) -> None:
    con = apsw.Connection(str(path))
    con.execute("CREATE TRIGGER quiet AFTER INSERT ON chunks BEGIN DELETE FROM documents; END")
    con.close()


def with_a_view(path: Path) -> None:
    con = apsw.Connection(str(path))
    con.execute("ALTER TABLE activity RENAME TO hidden; CREATE VIEW activity AS SELECT * FROM hidden")
    con.close()


def foreign(path: Path) -> None:
    path.unlink()
    con = sqlite3.connect(path)
    con.execute("CREATE TABLE t (x)")
    con.commit()
    con.close()


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (damaged, "is damaged, nothing was changed"),
        (with_a_trigger, "schema: unexpected trigger quiet on chunks"),
        (with_a_view, "schema: unexpected table hidden; schema: unexpected view activity"),
        (foreign, "is a database of another program"),
        (lambda path: path.write_text("notes" * 1_000), "is damaged or is not a corpus"),
        (lambda path: path.write_bytes(b""), "is no backup"),
        (lambda path: path.unlink(), "No such file"),
    ],
)
def test_anything_else_is_refused_and_nothing_is_changed(
    spoil: object, words: str, data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = filled(tmp_path / "backup.db", "new")
    spoil(backup)  # type: ignore[operator]
    assert restore(data, backup) == 1
    printed = capsys.readouterr().err
    assert words in printed
    assert "backup.db" in printed
    assert "hint: " in printed
    assert addresses(data / "corpus.db") == ["old"]
    assert [path.name for path in data.glob("*.db")] == ["corpus.db"]
    assert not list(data.glob(".restore*"))


def test_the_corpus_itself_is_no_backup(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert restore(data, data / "corpus.db") == 1
    assert "is the corpus itself" in capsys.readouterr().err


def test_a_copy_that_cannot_be_written_changes_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.corpus.replacing.shutil.copy2", full)
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 1
    assert "No space left on device" in capsys.readouterr().err
    assert addresses(data / "corpus.db") == ["old"]


def test_nothing_is_restored_under_a_running_instance(
    instance: FakeInstance, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup = filled(tmp_path / "backup" / "b.db", "new")
    assert restore(instance.data_dir, backup) == 1
    assert "WebRAG is running" in capsys.readouterr().err


def test_nothing_is_restored_while_another_command_works(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hold_instance(data):
        assert restore(data, filled(tmp_path / "backup.db", "new")) == 1
    assert "Another WebRAG process" in capsys.readouterr().err


def test_a_newer_backup_is_refused(data: Path, tmp_path: Path) -> None:
    backup = filled(tmp_path / "backup.db", "new")
    con = apsw.Connection(str(backup))
    con.execute("INSERT INTO migrations VALUES('m999_from_the_future', 1.0)")
    con.close()
    assert restore(data, backup) == 1
    with pytest.raises(CorpusError):
        Corpus.open(backup, dimension=384, model="m")
