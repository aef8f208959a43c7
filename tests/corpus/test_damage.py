"""A damaged file is reported, its readable data is saved, and automatic backups are available."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from app.corpus import Corpus
from app.corpus import restore as module
from app.corpus.database import damage_note
from app.corpus.records import PinnedPassage
from app.corpus.restore import (
    automatic_backups,
    back_up_if_due,
    prepare_newest,
    prepare_salvage,
    remove_automatic_backups,
    swap,
)
from app.errors import CorpusDamagedError, CorpusError, FileAccessError
from app.library.job_records import ItemState, JobItem, JobKind
from app.library.records import PassageIn
from tests.corpus.builders import document, embed

PAGES = 80
PINNED = PassageIn("s1", "tag", "title", "words", "https://a.example/1", document_id=1, document_hash="h", end=5)
PIN = PinnedPassage("p1", PINNED, 1.0)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus in which every table has several SQLite pages."""
    path = tmp_path_factory.mktemp("whole") / "corpus.db"
    corpus = Corpus.open(path, dimension=8, model="m")
    for number in range(PAGES):
        parts = [" ".join(f"word{number}x{place}x{part}" for place in range(60)) for part in range(4)]
        made = corpus.documents.store(document(f"https://a.example/{number}", parts, title="A title " * 20))
        embed(corpus, made.new_chunk_ids, dimension=8)
    corpus.pins.add(PIN.id, PIN.content, PIN.created_at)
    job = corpus.jobs.add(JobKind.CRAWL, "https://a.example/", "{}")
    corpus.jobs.add_items(job.id, [JobItem(f"https://a.example/{n}/{'x' * 100}", 0) for n in range(300)])
    corpus.jobs.finish_item(job.id, f"https://a.example/1/{'x' * 100}", ItemState.STORED)
    corpus.close()
    return path


@pytest.fixture
def path(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    return Path(shutil.copy(whole, folder / "corpus.db"))


def damage(path: Path, *tables: str, kind: str = "leaf", page_in_the_middle: bool = True) -> None:
    """Overwrite an SQLite page of each of these tables."""
    con = apsw.Connection(str(path))
    size = con.pragma("page_size")
    query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY pageno"
    pages = {table: [row[0] for row in con.execute(query, (table, kind))] for table in tables}
    con.close()
    with path.open("r+b") as stream:
        for found in pages.values():
            stream.seek((found[len(found) // 2 if page_in_the_middle else -1] - 1) * size)
            stream.write(b"\x7f" * size)


def opened(path: Path) -> Corpus:
    return Corpus.open(path, dimension=8, model="m")


@pytest.mark.parametrize(
    "table", ["chunks", "document_texts", "documents", "job_items", "token_vectors", "links_by_url"]
)
def test_the_check_finds_a_damaged_page_and_records_it(path: Path, table: str) -> None:
    damage(path, table, page_in_the_middle=False)
    corpus = opened(path)
    assert corpus.health.damage == ""
    told: list[int] = []
    corpus.follow_health(lambda: told.append(1))
    found = corpus.check()
    assert found
    assert corpus.health.damage == found
    assert told == [1]
    corpus.close()
    again = opened(path)
    assert again.health.damage == found, "also at the next start, before any check"
    again.close()


def test_damage_found_while_reading_is_reported_and_recorded(path: Path) -> None:
    damage(path, "document_texts")
    corpus = opened(path)
    failed = 0
    for summary in corpus.documents.summaries(limit=PAGES):
        try:
            assert corpus.documents.by_id(summary.id) is not None
        except CorpusDamagedError:
            failed += 1
    assert 0 < failed < PAGES
    assert corpus.health.damage
    corpus.close()


def test_invalid_utf_8_counts_as_damage(path: Path) -> None:
    con = apsw.Connection(str(path))
    con.execute("UPDATE document_texts SET text = CAST(x'ff00fe' AS TEXT) WHERE document_id = 1")
    con.close()
    corpus = opened(path)
    with pytest.raises(CorpusDamagedError):
        corpus.documents.by_id(1)
    assert corpus.health.damage
    assert any("invalid UTF-8" in problem.detail for problem in corpus.verify())
    corpus.close()


def test_a_full_check_of_an_intact_file_clears_the_damage(path: Path) -> None:
    damage_note(path).write_text("a page could not be read")
    corpus = opened(path)
    assert corpus.health.damage == "a page could not be read"
    assert corpus.check() == ""
    assert corpus.health.damage, "the quick check does not find everything"
    assert corpus.verify() == []
    assert corpus.health.damage == ""
    corpus.close()
    assert not damage_note(path).exists()


@pytest.mark.parametrize(
    ("tables", "least"),
    [
        (("chunks",), PAGES),
        (("chunks_by_document",), PAGES),
        (("chunks_fts_data",), PAGES),
        (("embeddings", "token_vectors"), PAGES),
        (("sections", "mentions"), PAGES),
        (("document_texts",), PAGES - 20),
        (("documents",), PAGES - 40),
        (("documents", "document_texts", "chunks", "job_items"), PAGES - 60),
    ],
)
def test_readable_data_is_saved(path: Path, tables: tuple[str, ...], least: int) -> None:
    damage(path, *tables)
    prepared = prepare_salvage(path, path)
    saved = prepared.salvaged
    assert saved is not None
    assert saved.documents >= least
    assert saved.documents + saved.lost == PAGES
    assert len(saved.lost_urls) == saved.lost
    assert (saved.pins, saved.jobs) == (1, 1)
    restored = swap(prepared, path)
    assert restored.salvaged == saved
    assert Path(restored.kept).exists()
    corpus = opened(path)
    assert corpus.verify() == []
    assert corpus.totals().documents == saved.documents
    assert corpus.pins.all() == [PIN]
    stored = {summary.url for summary in corpus.documents.summaries(limit=PAGES)}
    assert not stored & set(saved.lost_urls)
    assert corpus.vectors.count_waiting() == corpus.totals().chunks, "all are embedded again"
    for url in stored:
        number = url.rpartition("/")[2]
        assert corpus.chunks.lexical([f"word{number}x30x2"], k=3), "keyword search finds every saved page"
    corpus.close()


def test_a_file_without_its_first_page_is_refused_with_a_message(path: Path) -> None:
    with path.open("r+b") as stream:
        stream.seek(100)
        stream.write(b"\x7f" * 8000)
    with pytest.raises(CorpusError, match="beginning of the file is damaged") as told:
        prepare_salvage(path, path)
    assert "Settings > Storage" in told.value.hint
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".restore")] == []


def aged(path: Path, days: float) -> None:
    when = time.time() - days * 86_400
    os.utime(path, (when, when))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE jobs SET state = 'dome'",
        "UPDATE jobs SET kind = 'crawm'",
        "UPDATE job_items SET state = 'dome' WHERE id = 7",
        "UPDATE documents SET came_by = 'persom' WHERE id = 7",
        "UPDATE documents SET cited_at = 1.0 WHERE id = 7",
        "UPDATE documents SET folder_id = 1 WHERE id = 7",
        "INSERT INTO aliases VALUES('https://a.example/7', 1)",
        "INSERT INTO navigation VALUES(7, x'00')",
        "INSERT INTO versions VALUES(1, 7, 1.0, 2.0, 'https://a.example/7', 'A title', 'h', x'00', 1, x'00')",
    ],
)
def test_one_damaged_value_does_not_prevent_a_salvage(path: Path, statement: str) -> None:
    con = apsw.Connection(str(path))
    con.execute("INSERT INTO folders(id, path, added_at, name) VALUES(1, '/home/a/papers', 1.0, 'papers')")
    con.execute(statement)
    con.close()
    assert opened(path).verify(), "a check finds it"
    prepared = prepare_salvage(path, path)
    swap(prepared, path)
    corpus = opened(path)
    assert corpus.verify() == []
    assert len(corpus.documents.summaries(limit=PAGES + 1)) == PAGES
    found = corpus.jobs.recent(9)
    assert [job.counts.total for job in found] == ([] if "jobs" in statement else [300])
    corpus.close()


@pytest.fixture
def plenty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate free disk space, and allow several backups in one second."""
    monkeypatch.setattr(module, "ROOM_BESIDE_BACKUPS", 0)
    made = iter(range(100))
    monkeypatch.setattr("app.corpus.restore.time.strftime", lambda *_: f"20260101-{next(made):06d}")


def test_a_backup_is_made_on_each_day_with_changes(path: Path, plenty: None) -> None:
    corpus = opened(path)
    first = back_up_if_due(corpus)
    assert first is not None
    assert back_up_if_due(corpus) is None, "at most once a day"
    aged(first, 2)
    assert back_up_if_due(corpus) is None, "nothing changed"
    for number in range(5):
        corpus.documents.store(document(f"https://b.example/{number}", ["New."]))
        aged(automatic_backups(path)[0], 2)
        assert back_up_if_due(corpus) is not None
    assert len(automatic_backups(path)) == 3
    assert first not in automatic_backups(path)
    corpus.close()
    assert all(opened_count(backup) > PAGES for backup in automatic_backups(path))


def opened_count(path: Path) -> int:
    corpus = opened(path)
    try:
        return corpus.totals().documents
    finally:
        corpus.close()


def test_deleted_data_disappears_from_the_backups_after_some_days(path: Path, plenty: None) -> None:
    corpus = opened(path)
    first = back_up_if_due(corpus)
    assert first is not None
    corpus.documents.delete([1])
    aged(first, 2)
    updates = [path.with_name(f"{path.name}.v{version}.backup") for version in (3, 9)]
    for update in updates:
        update.write_bytes(b"copy")
    second = back_up_if_due(corpus)
    assert second is not None
    aged(first, module.BACKUP_DAYS + 1)
    aged(updates[0], module.BACKUP_DAYS + 1)
    assert back_up_if_due(corpus) is None
    assert automatic_backups(path) == [second]
    assert [update.exists() for update in updates] == [False, True]
    aged(second, 365)
    assert back_up_if_due(corpus) is None
    assert automatic_backups(path) == [second], "the newest is kept whatever its age"
    assert remove_automatic_backups(path) == 1
    assert not updates[1].exists()
    assert automatic_backups(path) == []
    corpus.close()


def test_a_damaged_library_neither_adds_nor_deletes_backups(path: Path, plenty: None) -> None:
    corpus = opened(path)
    first = back_up_if_due(corpus)
    assert first is not None
    corpus.documents.store(document("https://b.example/", ["New."]))
    corpus.close()
    damage(path, "token_vectors")
    corpus = opened(path)
    aged(first, 2)
    with pytest.raises(CorpusDamagedError):
        back_up_if_due(corpus)
    assert corpus.health.damage
    assert automatic_backups(path) == [first]
    assert back_up_if_due(corpus) is None
    corpus.close()


def test_a_backup_never_takes_the_last_free_space(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM_BESIDE_BACKUPS", 2**60)
    corpus = opened(path)
    with pytest.raises(CorpusError, match="Not enough disk space"):
        back_up_if_due(corpus)
    assert automatic_backups(path) == []
    corpus.close()


def test_the_newest_intact_backup_is_found(path: Path, plenty: None) -> None:
    with pytest.raises(CorpusError, match="No automatic backup"):
        prepare_newest(path)
    corpus = opened(path)
    for number in range(2):
        corpus.documents.store(document(f"https://b.example/{number}", ["New."]))
        assert back_up_if_due(corpus) is not None
        aged(automatic_backups(path)[0], 2)
    corpus.close()
    newest, older = automatic_backups(path)
    damage(newest, "chunks")
    taken, prepared, passed = prepare_newest(path)
    assert taken == older
    assert len(passed) == 1
    assert str(newest) in passed[0]
    assert swap(prepared, path).documents == PAGES + 1


def test_a_clock_that_was_ahead_does_not_disturb_automatic_backups(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROOM_BESIDE_BACKUPS", 0)
    ahead = time.time() + 400 * 86_400
    corpus = opened(path)
    first = back_up_if_due(corpus)
    assert first is not None
    early = first.with_name(f"corpus-{time.strftime('%Y%m%d-%H%M%S', time.localtime(ahead))}.db")
    first.rename(early)
    os.utime(early, (ahead, ahead))
    corpus.documents.store(document("https://b.example/", ["New."]))
    made = back_up_if_due(corpus)
    assert made is not None
    corpus.documents.store(document("https://c.example/", ["New."]))
    assert back_up_if_due(corpus) is None, "at most once a day"
    assert automatic_backups(path)[0] == made
    corpus.close()


def test_other_files_among_the_backups_are_kept(path: Path, plenty: None) -> None:
    corpus = opened(path)
    first = back_up_if_due(corpus)
    assert first is not None
    mine = first.with_name("mine-20200101-000000.db")
    shutil.copy(first, mine)
    aged(mine, 100)
    assert back_up_if_due(corpus) is None
    assert automatic_backups(path) == [first]
    assert remove_automatic_backups(path) == 1
    assert mine.exists()
    corpus.close()


@pytest.mark.parametrize("kind", ["file", "dangling link", "unreadable"])
def test_an_unusable_backup_folder_is_reported(
    path: Path, plenty: None, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    folder = path.parent / module.AUTOMATIC_FOLDER
    if kind == "file":
        folder.write_text("")
    elif kind == "dangling link":
        folder.symlink_to(path.parent / "nowhere")
    else:
        folder.mkdir()
        real = Path.iterdir

        def refused(self: Path) -> Iterator[Path]:
            if self == folder:
                raise PermissionError(13, "Permission denied")
            return real(self)

        monkeypatch.setattr(Path, "iterdir", refused)
    corpus = opened(path)
    with pytest.raises(FileAccessError) as told:
        back_up_if_due(corpus)
    assert str(folder) in told.value.message
    assert told.value.hint
    corpus.close()


def test_a_file_without_readable_pages_does_not_replace_the_corpus(path: Path) -> None:
    con = apsw.Connection(str(path))
    pages = [row[0] for row in con.execute("SELECT pageno FROM dbstat WHERE name = 'document_texts'")]
    size = con.pragma("page_size")
    con.close()
    with path.open("r+b") as stream:
        for page in pages:
            stream.seek((page - 1) * size)
            stream.write(b"\x7f" * size)
    with pytest.raises(CorpusError, match="Cannot read any page") as told:
        prepare_salvage(path, path)
    assert "Settings > Storage" in told.value.hint
    assert [each.name for each in path.parent.iterdir() if each.name.startswith(".restore")] == []


FULL = """
import shutil, sys, threading
from pathlib import Path
from app.corpus import Corpus
from app.errors import DiskFullError
from tests.corpus.builders import document

path, torn = Path(sys.argv[1]) / "corpus.db", sys.argv[2] == "torn"
corpus = Corpus.open(path, dimension=8, model="m")
for number in range(20):
    corpus.documents.store(document(f"https://a.example/{number}", ["word " * 200]))
if torn:  # as a killed process leaves it
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{path.parent}/kept{suffix}")
corpus.close()
if torn:
    for suffix in ("", "-wal"):
        (path.parent / f"kept{suffix}").replace(f"{path}{suffix}")
ballast = path.parent / "ballast"
with ballast.open("wb", buffering=0) as stream:
    try:
        while True:
            stream.write(bytes(4096))
    except OSError:
        pass
assert shutil.disk_usage(path.parent).free == 0
corpus = Corpus.open(path, dimension=8, model="m")
assert corpus.is_read_only and "full" in corpus.health.refusal
assert corpus.totals().documents == 20
assert len(corpus.chunks.lexical(["word"], k=5)) == 5
try:
    corpus.documents.store(document("https://a.example/new", ["words"]))
    raise AssertionError
except DiskFullError as error:
    assert error.hint
assert not corpus.resume()
failures, ended = [], threading.Event()
def read():
    while not ended.is_set():  # without a pause: the opening for writing must find its turn all the same
        try:
            assert corpus.totals().documents >= 20
        except Exception as error:
            failures.append(error)
readers = [threading.Thread(target=read) for _ in range(8)]
for reader in readers:
    reader.start()
ballast.unlink()
assert corpus.resume() and not corpus.is_read_only and not corpus.health.refusal
corpus.documents.store(document("https://a.example/new", ["words"]))
ended.set()
for reader in readers:
    reader.join()
assert failures == [], failures
assert corpus.totals().documents == 21 and corpus.verify() == []
corpus.close()
print("sound")
"""


def can_mount() -> bool:
    """Whether a process can have its own mounts here."""
    tried = ["unshare", "-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    try:
        return subprocess.run(tried, capture_output=True, timeout=60, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


@pytest.mark.skipif(not can_mount(), reason="no disk of its own may be mounted here")
@pytest.mark.parametrize("end", ["closed", "torn"])
def test_a_full_disk_is_readable_and_writable_again_with_free_space(tmp_path: Path, end: str) -> None:
    mounted = f'mount -t tmpfs -o size=16m tmpfs "{tmp_path}" && exec "{sys.executable}" -c "$0" "{tmp_path}" {end}'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mounted, FULL], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "sound"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps open files in place")
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_that_is_gone_takes_no_pages(path: Path, is_replaced: bool) -> None:
    corpus = opened(path)
    shutil.copy(path, path.with_name("copy"))
    path.unlink()
    if is_replaced:
        path.with_name("copy").replace(path)
    assert corpus.totals().documents == PAGES
    with pytest.raises(CorpusError, match="was deleted, moved or replaced"):
        corpus.documents.delete([1])
    corpus.close()


@pytest.mark.skipif(not can_mount(), reason="no disk of its own may be mounted here")
def test_a_new_file_on_a_full_disk_says_that_the_disk_is_full(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from app.corpus import Corpus;"
        'Corpus.open(Path(sys.argv[1]) / "corpus.db", dimension=8, model="m")'
    )
    mounted = f'mount -t tmpfs -o size=600k tmpfs "{tmp_path}" && exec "{sys.executable}" -c \'{code}\' "{tmp_path}"'
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", mounted], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.stderr.splitlines()[-1].startswith("app.errors.DiskFullError"), done.stderr


def fails(error: type[Exception]) -> Callable[..., object]:
    def fail(*_: object) -> object:
        raise error("no room")

    return fail


def test_a_full_disk_without_space_for_the_log_is_opened_read_only(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without mounts: simulates SQLite's error on a full disk."""
    monkeypatch.setattr("app.corpus.database._use_write_ahead_log", fails(apsw.FullError))
    monkeypatch.setattr("app.corpus.database.has_room", lambda *_: False)
    corpus = opened(path)
    assert corpus.is_read_only
    assert corpus.totals().documents == PAGES
    with pytest.raises(CorpusError, match="full"):
        corpus.documents.delete([1])
    monkeypatch.undo()
    corpus.documents.delete([1])
    assert not corpus.is_read_only
    assert corpus.verify() == []
    corpus.close()
