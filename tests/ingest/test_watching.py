"""Watching folders with problems: in the system, the program, the corpus, a disk or the list of folders."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import pytest

from app.corpus.records import Folder
from app.errors import CorpusBusyError, FileAccessError
from app.ingest.files import file_url
from app.ingest.folders import watch
from app.ingest.folders.files import Attempts, FolderFiles
from app.ingest.folders.scan import check_kept, is_taken
from app.ingest.folders.watch import WatchingFailedError
from app.ingest.outcome import IngestOutcome
from app.library.job_records import JobState
from tests.ingest.workshop import Workshop, added, moved, note, open_corpus, stored_text, until, workshop


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    for name in ("a.md", "b.md"):
        note(tmp_path / "notes" / name)
    return tmp_path / "notes"


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.folders.watch.WATCH_POLL_SECONDS", 0.1)
    monkeypatch.setattr("app.ingest.folders.watch.WATCH_CHECK_MS", 150)


@pytest.fixture
def untold(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that does not report changes."""

    def refused(*_: object) -> object:
        raise WatchingFailedError("OS file watch limit reached.")

    monkeypatch.setattr(watch, "watch_events", refused)


def linked(path: Path, target: Path) -> None:
    path.symlink_to(target)


async def test_a_defect_does_not_stop_watching(
    shop: Workshop, notes: Path, untold: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await added(shop, notes)
    changes = FolderFiles.changes
    failures = iter(range(3))

    async def broken(self: FolderFiles, **options: bool) -> object:
        if next(failures, None) is not None:
            raise ZeroDivisionError
        return await changes(self, **options)

    monkeypatch.setattr(FolderFiles, "changes", broken)
    note(notes / "a.md", "Written after the program stumbled: the basin is empty until the first of March.")
    await until(lambda: "first of March" in stored_text(shop, notes / "a.md"))
    assert "ZeroDivisionError" in caplog.text
    assert next(failures, None) is None


async def test_a_failing_folder_does_not_block_the_others(
    shop: Workshop, notes: Path, tmp_path: Path, untold: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    note(tmp_path / "first" / "c.md")
    await added(shop, tmp_path / "first")
    await added(shop, notes)
    changes = FolderFiles.changes

    async def broken(self: FolderFiles, **options: bool) -> object:
        if self.root.name == "first":
            raise ZeroDivisionError
        return await changes(self, **options)

    monkeypatch.setattr(FolderFiles, "changes", broken)
    note(notes / "a.md", "The second folder has its turn, even if the folder before it fails in every way.")
    await until(lambda: "has its turn" in stored_text(shop, notes / "a.md"))


async def test_an_unavailable_folder_is_detected_without_system_events(
    shop: Workshop, notes: Path, untold: None, caplog: pytest.LogCaptureFixture
) -> None:
    await added(shop, notes)
    away = moved(notes, "gone")
    await until(lambda: "is unavailable; its documents are kept" in caplog.text)
    assert len(shop.urls()) == 2
    note(away / "a.md", "Edited while it was away, at the other end of the valley.")
    moved(away, "notes")
    await until(lambda: "end of the valley" in stored_text(shop, notes / "a.md"))


@pytest.mark.parametrize("is_told", [True, False])
async def test_a_change_found_while_the_corpus_is_busy_is_read_later(
    shop: Workshop, notes: Path, is_told: bool, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if not is_told:
        request.getfixturevalue("untold")
    await added(shop, notes)
    pipeline = shop.jobs._pipeline
    store, busy = pipeline.store_file, iter(range(2))

    async def stored(path: Path, *, folder_id: int | None, apart: bool) -> IngestOutcome:
        if next(busy, None) is not None:
            raise CorpusBusyError("Another process writes.")
        return await store(path, folder_id=folder_id, apart=apart)

    monkeypatch.setattr(pipeline, "store_file", stored)
    note(notes / "a.md", "A change that came while another process was writing to the corpus file.")
    await until(lambda: "another process" in stored_text(shop, notes / "a.md"))


def test_only_attempts_at_differing_files_are_remembered() -> None:
    attempts = Attempts()
    for number in range(5):
        attempts.note(f"file:///{number}", (number, 1))
    assert attempts.untried({"file:///1": (1, 1), "file:///2": (9, 1), "file:///9": (9, 1)}) == {
        "file:///2": (9, 1),
        "file:///9": (9, 1),
    }
    assert set(attempts._stamps) == {"file:///1"}


async def test_an_unresponsive_disk_does_not_delay_anything(
    shop: Workshop, notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.folders.watch.FOLDER_ANSWER_SECONDS", 0.2)
    dead, answers = tmp_path / "share", threading.Event()
    note(dead / "c.md")
    identity, asked = watch.identity, list[Path]()

    def hanging(path: Path) -> watch.Identity:
        asked.append(path)
        if path == dead:
            answers.wait(30)
        return identity(path)

    await added(shop, dead)
    await added(shop, notes)
    monkeypatch.setattr(watch, "identity", hanging)
    try:
        await until(lambda: len(shop.jobs._watcher._away) == 1)
        late = 0.0
        for _ in range(20):
            began = asyncio.get_running_loop().time()
            await asyncio.sleep(0.02)
            late = max(late, asyncio.get_running_loop().time() - began)
        assert late < 15, "the loop waited for the network share"
        note(notes / "a.md", "The other folder keeps working in spite of the dead network share in the cellar.")
        await until(lambda: "in the cellar" in stored_text(shop, notes / "a.md"))
        assert asked.count(dead) == 1, "an unresponsive folder is checked again"
    finally:
        answers.set()
    await until(lambda: not shop.jobs._watcher._away)
    assert len(shop.urls()) == 3


async def test_an_unchecked_folder_is_not_read(tmp_path: Path, own_home: Path) -> None:
    secret = note(own_home / "diary.md", "This must not be read, and no corpus from another computer may change that.")
    corpus = open_corpus(tmp_path)
    corpus.folders.add(str(own_home))
    corpus.close()
    for _ in range(2):
        async with workshop(tmp_path) as shop:
            await until(lambda: bool(shop.corpus.jobs.recent(5)))
            (job,) = await shop.jobs.jobs(5)
            ended = await shop.done(job)
            assert ended.state is JobState.FAILED and "too large to add" in ended.detail
            assert shop.jobs._watcher._task is None and shop.jobs.folder_of(secret) is None
            assert not stored_text(shop, secret)
    async with workshop(tmp_path) as shop:
        assert await shop.jobs.remove_folder(own_home)


@pytest.mark.parametrize("path", ["/", "notes", "/srv/notes/.."])
def test_root_folders_and_relative_paths_are_rejected(path: str) -> None:
    with pytest.raises(FileAccessError):
        check_kept(Path(path))


async def test_a_stored_folder_that_became_a_link_is_unavailable(shop: Workshop, notes: Path, tmp_path: Path) -> None:
    secret = note(tmp_path / "private" / "key.md", "The key is under the third stone of the path to the mill.")
    await added(shop, notes)
    moved(notes, "moved")
    linked(notes, secret.parent)
    await until(lambda: bool(shop.jobs._watcher._away))
    job = await shop.done(await shop.jobs.refresh_folder(notes))
    assert job.state is JobState.FAILED and len(shop.urls()) == 2


async def test_only_files_of_the_folder_itself_are_opened(shop: Workshop, notes: Path, tmp_path: Path) -> None:
    secret = note(tmp_path / "key.md")
    linked(notes / "out", tmp_path)
    shop.corpus.folders.add(str(notes))
    folder = Folder(1, str(notes), 0.0, 0)
    files = shop.jobs._files_of(folder)
    winding = file_url(notes / "a.md").replace("a.md", "../key.md")
    for url in (file_url(secret), winding, file_url(notes / "out" / "key.md"), "https://a.example/key.md"):
        with pytest.raises(FileAccessError):
            await files.store(url)
    odd = note(notes / ("What # is 'this'%.md" if sys.platform == "win32" else 'What: is "this"?.md'))
    await files.store(file_url(odd))
    assert shop.urls() == {file_url(odd)}


def test_a_path_is_accepted_if_a_scan_would_find_it(tmp_path: Path) -> None:
    for name, taken in (
        ("a.md", True),
        ("x/b.txt", True),
        (".c.md", False),
        ("node_modules/d.md", False),
        ("e.exe", False),
    ):
        assert is_taken(tmp_path, tmp_path / name) is taken
    assert not is_taken(tmp_path / "x", tmp_path / "a.md")
