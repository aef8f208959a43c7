"""Results of a running instance, `restore` and `extract` in a terminal.

Results arrive as the same dataclasses. Only an intact backup replaces the corpus, and the previous one is kept. `extract` runs as the real
program, with a file, a page and unreadable input.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.cli import main
from app.corpus import Corpus
from app.corpus.records import CorpusStatus
from app.corpus.restore import clear_leftovers
from app.errors import CorpusError
from app.ingest.outcome import IngestedPage
from app.instance import hold_instance
from app.library.records import Chunk, CorpusTotals, DocumentState, DocumentSummary, ImageRecord
from app.orchestration.result import (
    CorpusStats,
    Decision,
    ExpansionStep,
    OrchestrationResult,
    SourceFailure,
    SourceImage,
    Timing,
)
from app.retrieval.records import CitationSpan, Intent, QueryAnalysis, RetrievedChunk
from app.serialise import from_jsonable, to_jsonable
from tests.bridge.fake_instance import FakeInstance
from tests.corpus.builders import document
from tests.extract.pdf_maker import column, make_pdf
from tests.support.site import Site

CHUNK = Chunk(1, 2, "k", 0, "u", "t", ("A", "B"), None, "text", 0, 4, 0, 0, 3, 1.5)
RESULT = OrchestrationResult(
    query="why",
    analysis=QueryAnalysis("why", Intent.FACTUAL, ("why", "how")),
    mode="chunk",
    chunks=(
        RetrievedChunk(CHUNK, 0.5, 0.75, matched=("keyword",)),
        RetrievedChunk(CHUNK, 0.1, 0.2, 0.3, 0.4, "how"),
    ),
    citations=(CitationSpan(1, 2, "text", 0, 4, "u", "t", "A"),),
    corpus_stats=CorpusStats(1, ("u",), 3),
    timing=Timing(total_ms=12.5),
    final_decision=Decision("enough"),
    seed_url="u",
    expansion_steps=(ExpansionStep("v", "u", 1, 1, 2, 0.1, 0.2, 3.0),),
    expansion_budget=3,
    images=(SourceImage("u", ImageRecord("i", "alt", "", 7)),),
    failures=(SourceFailure("w", "TIMEOUT", "slow"),),
    notes=("note",),
)
SUMMARY = DocumentSummary(1, "u", "t", "html", "", DocumentState.TEXT, 1, 0, 2, 1.0, 2.0, "")
STATUS = CorpusStatus(CorpusTotals(1, 2, 3, 4, 5), (SUMMARY,), omitted=1)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (OrchestrationResult, RESULT),
        (OrchestrationResult, replace(RESULT, chunks=(), seed_url=None, expansion_budget=None)),
        (CorpusStatus, STATUS),
        (tuple[IngestedPage, ...], (IngestedPage("u", "t", "stored", 1, 2, 3),)),
        (list[IngestedPage], []),
        (tuple[tuple[str, int], ...], (("https://a.test/", 2), ("https://b.test/", 1))),
    ],
)
def test_a_result_survives_conversion_to_json(kind: Any, value: Any) -> None:
    assert from_jsonable(kind, json.loads(json.dumps(to_jsonable(value)))) == value


def test_fields_of_another_version_are_ignored() -> None:
    assert from_jsonable(CorpusTotals, {**to_jsonable(STATUS.totals), "later": [1]}) == STATUS.totals


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (CorpusTotals, {"documents": 1}),
        (CorpusTotals, {**to_jsonable(STATUS.totals), "documents": "1"}),
        (CorpusTotals, {**to_jsonable(STATUS.totals), "documents": 1 << 62}),
        (CorpusTotals, {**to_jsonable(STATUS.totals), "documents": True}),
        (tuple[tuple[str, int], ...], [["a"]]),
        (tuple[tuple[str, int], ...], [[1, "a"]]),
        (CorpusTotals, [1, 2]),
        (tuple[CorpusTotals, ...], {"documents": 1}),
        (DocumentSummary, {**to_jsonable(SUMMARY), "state": "nowhere"}),
    ],
)
def test_another_structure_is_refused(kind: Any, value: Any) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the kinds of mistakes have no words in common
        from_jsonable(kind, value)


def filled(path: Path, *names: str, model: str = "m") -> Path:
    corpus = Corpus.open(path, dimension=384, model=model)
    for name in names:
        corpus.documents.store(document(f"https://docs.example.org/{name}", [f"About {name}."]))
    corpus.close()
    return path


def addresses(path: Path) -> list[str]:
    corpus = Corpus.open(path, dimension=384, model="m")
    try:
        return sorted(row.url.rpartition("/")[2] for row in corpus.documents.summaries(limit=10))
    finally:
        corpus.close()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Create a data directory whose corpus contains one page."""
    folder = tmp_path / "data"
    folder.mkdir()
    filled(folder / "corpus.db", "old")
    return folder


def restore(data: Path, backup: Path, *more: str) -> int:
    return main(["restore", str(backup), "--data-dir", str(data), *more])


def test_a_backup_replaces_the_corpus(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    backup = filled(tmp_path / "backup.db", "new", "newer")
    before = backup.read_bytes()
    assert restore(data, backup, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["documents"] == 2
    assert addresses(data / "corpus.db") == ["new", "newer"]
    assert addresses(Path(told["kept"])) == ["old"]
    assert backup.read_bytes() == before
    assert not list(data.glob(".restore*"))


def test_leftovers_of_a_killed_restore_are_removed(data: Path, tmp_path: Path) -> None:
    mine = (".restore.notes.db", ".restore.abcdefgh.txt")
    for name in (".restore.a1b2c3_4.db", ".restore.a1b2c3_4.db-wal", *mine):
        (data / name).write_bytes(b"x")
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    assert sorted(path.name for path in data.glob(".restore.*")) == sorted(mine)


def test_the_newest_intact_backup_is_used(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["restore", "--data-dir", str(data)]) == 2
    assert "Automatic backups in" in capsys.readouterr().err
    (data / "backups").mkdir()
    sound = filled(data / "backups" / "corpus-20260101-000000.db", "older")
    overwritten(filled(data / "backups" / "corpus-20260102-000000.db", "newer"))
    assert main(["restore", "--newest", "--data-dir", str(data)]) == 0
    told = capsys.readouterr()
    assert "Skipped: " in told.err
    assert str(sound) in told.err
    assert "Restored 1 document" in told.out
    assert addresses(data / "corpus.db") == ["older"]


def overwritten(path: Path, table: str = "chunks_by_document") -> Path:
    con = apsw.Connection(str(path))
    (page,) = con.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    size = con.pragma("page_size")
    con.close()
    with path.open("r+b") as stream:
        stream.seek((page - 1) * size)
        stream.write(b"\x7f" * size)
    return path


@pytest.mark.real
def test_damage_is_reported_by_every_command_and_the_rest_is_saved(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overwritten(data / "corpus.db", "activity")
    assert main(["status", "--data-dir", str(data)]) == 0
    assert "The library on this computer is damaged" in capsys.readouterr().out
    assert main(["folder", "list", "--data-dir", str(data)]) == 0
    assert "The library on this computer is damaged" in capsys.readouterr().err
    overwritten(data / "corpus.db", "chunks")
    assert main(["restore", "--salvage", "--data-dir", str(data)]) == 0
    told = capsys.readouterr().out
    assert "Restored 12 documents" in told
    assert "Rebuilt from stored text" in told
    assert main(["status", "--data-dir", str(data)]) == 0
    assert "damaged" not in capsys.readouterr().out
    assert main(["verify", "--data-dir", str(data)]) == 0


def test_deleting_mentions_backups_and_deletes_them_too(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "backups").mkdir()
    backup = filled(data / "backups" / "corpus-20260101-000000.db", "old")
    assert main(["delete", "https://docs.example.org/old", "--data-dir", str(data)]) == 0
    assert "for up to 14 days" in capsys.readouterr().err
    assert main(["erase", "library", "--yes", "--data-dir", str(data)]) == 0
    assert "webrag erase backups" in capsys.readouterr().err
    assert backup.exists()
    assert main(["erase", "backups", "--yes", "--data-dir", str(data)]) == 0
    assert not backup.exists()


def left_with_a_log(data: Path, tmp_path: Path) -> None:
    """Create a corpus whose process was killed, so that its newest pages are only in the write-ahead log."""
    con = apsw.Connection(str(data / "corpus.db"))
    con.execute("PRAGMA wal_autocheckpoint = 0")
    con.execute("UPDATE documents SET url = 'https://docs.example.org/renamed'")
    for name in ("corpus.db", "corpus.db-wal"):
        (tmp_path / name).write_bytes((data / name).read_bytes())
    con.close()
    for name in ("corpus.db", "corpus.db-wal"):
        (data / name).write_bytes((tmp_path / name).read_bytes())


def test_the_content_of_the_log_is_kept_too(data: Path, tmp_path: Path) -> None:
    left_with_a_log(data, tmp_path)
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    (kept,) = data.glob("corpus-before-*.db")
    assert addresses(kept) == ["renamed"]
    assert addresses(data / "corpus.db") == ["new"]


@pytest.mark.real
@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks and kills the process")
def test_a_killed_restore_leaves_a_complete_corpus(data: Path, tmp_path: Path) -> None:
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


def test_restores_in_the_same_second_keep_each_previous_corpus(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time()
    monkeypatch.setattr("app.corpus.restore.time.time", lambda: now)
    monkeypatch.setattr("app.corpus.restore.time.localtime", lambda seconds=now: time.gmtime(seconds))
    for name in ("new", "newer"):
        assert restore(data, filled(tmp_path / f"{name}.db", name)) == 0
    assert sorted(addresses(path) for path in data.glob("corpus-before-*.db")) == [["new"], ["old"]]


def test_the_previous_corpus_is_kept_even_if_the_clock_went_back(data: Path, tmp_path: Path) -> None:
    """Copies with later dates are older all the same."""
    for day in range(1, 5):
        filled(data / f"corpus-before-2999010{day}-000000.db", f"day-{day}")
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 0
    kept = [addresses(path) for path in data.glob("corpus-before-*.db")]
    assert ["old"] in kept
    assert len(kept) == 3


def test_a_partial_copy_of_the_previous_corpus_never_has_its_name(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(source: Path, target: Path) -> None:
        target.write_bytes(source.read_bytes()[:5_000])
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("app.corpus.restore.shutil.copy2", cut)
    assert restore(data, filled(tmp_path / "backup.db", "new")) == 1
    assert not list(data.glob("corpus-before-*"))
    assert addresses(data / "corpus.db") == ["old"]


def test_a_backup_includes_the_log_next_to_it(data: Path, tmp_path: Path) -> None:
    """It is a copy of the folder of a killed program."""
    other = tmp_path / "other"
    other.mkdir()
    filled(other / "corpus.db", "new")
    left_with_a_log(other, tmp_path)
    assert restore(data, other / "corpus.db") == 0
    assert addresses(data / "corpus.db") == ["renamed"]


def test_an_empty_journal_is_removed_and_another_stays_for_sqlite(data: Path) -> None:
    for name, content in (
        ("corpus.db-journal", b""),
        ("corpus-1.db-journal", bytes(4096)),
        ("other.db-journal", b"rows"),
        (".corpus.db.v1.backup.abcdefgh", b"x"),
    ):
        (data / name).write_bytes(content)
    clear_leftovers(data)
    assert sorted(path.name for path in data.iterdir()) == ["corpus.db", "other.db-journal"]


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
    assert capsys.readouterr().out == "Restored 1 document with 1 passage.\n"
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
        (damaged, "is damaged ("),
        (with_a_trigger, "schema: unexpected trigger quiet on chunks"),
        (with_a_view, "schema: unexpected table hidden; schema: unexpected view activity"),
        (foreign, "belongs to another program"),
        (lambda path: path.write_text("notes" * 1_000), "is damaged, or it is not a WebRAG library"),
        (lambda path: path.write_bytes(b""), "is not a WebRAG backup"),
        (lambda path: path.unlink(), "No such file"),
    ],
)
def test_anything_else_is_refused_without_changes(
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


def test_the_corpus_itself_is_not_a_backup(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert restore(data, data / "corpus.db") == 1
    assert "is the current library" in capsys.readouterr().err


def test_a_copy_that_cannot_be_written_changes_nothing(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.corpus.restore.shutil.copy2", full)
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


ROOT = Path(__file__).resolve().parents[2]
PAGE = (
    "<html lang='en'><head><title>Bread</title><meta name='robots' content='nofollow'></head><body><nav><a href='/menu'>Menu</a></nav>"
    "<main><h1 id='top'>Bread</h1><p>Bake <a href='/oven'>hot</a>.</p></main></body></html>"
)


def program(*arguments: str, data_dir: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app", "extract", *arguments, "--data-dir", str(data_dir)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
        check=False,
    )


@pytest.mark.real
def test_a_web_page_is_printed_and_described(tmp_path: Path) -> None:
    with Site() as site:
        site.page("/bread", PAGE)
        allowed = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}
        shown = program(site.url("/bread"), data_dir=tmp_path, **allowed)
        assert shown.stdout == f"# Bread\n\nBake [hot]({site.url('/oven')}).\n"
        described = program(site.url("/bread"), "--json", data_dir=tmp_path, **allowed)
        denied = program(site.url("/bread"), data_dir=tmp_path)
    result: dict[str, Any] = json.loads(described.stdout)
    assert (result["title"], result["language"], result["text"]) == ("Bread", "en", "# Bread\n\nBake hot.")
    assert result["sections"][0] == {"level": 1, "heading": "Bread", "anchor": "top", "start": 0, "end": 18}
    assert (result["robots"], result["navigation_links"]) == ({"noindex": False, "nofollow": True, "header": ""}, 1)
    assert (result["content_type"], result["bytes"]) == ("text/html", len(PAGE))
    assert set(result["milliseconds"]) == {"read", "extract"}
    assert (denied.returncode, denied.stdout) == (1, "")
    assert "error: 127.0.0.1 is blocked" in denied.stderr
    assert not list(tmp_path.iterdir())


def test_a_file_is_read_without_the_network(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "the book.pdf"
    file.write_bytes(make_pdf([column("first page"), column("second page")], title="A Book"))
    assert main(["extract", str(file), "--json", "--data-dir", str(tmp_path / "data")]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["url"], result["title"]) == (file.as_uri(), "A Book")
    assert [section["anchor"] for section in result["sections"]] == ["page=1", "page=2"]


def test_errors_match_those_of_other_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--data-dir", str(tmp_path)]
    assert main(["extract", str(tmp_path / "none.md"), *option]) == 1
    assert "File not found" in capsys.readouterr().err
    empty = tmp_path / "empty.html"
    empty.write_text("<html><body></body></html>")
    assert main(["extract", str(empty), "--json", *option]) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["code"], error["title"]) == ("BACKEND_UNAVAILABLE", "No readable text on this page")
    assert main(["extract", "ftp://h.example/x", *option]) == 1
    assert "http" in capsys.readouterr().err
