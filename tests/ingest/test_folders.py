from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from app import caps
from app.errors import FileAccessError
from app.events import DocumentChanged
from app.ingest import preparation
from app.ingest.files import file_url
from app.ingest.folders import watch
from app.ingest.folders.watch import WatchingFailedError
from app.library.job_records import ItemState, JobState
from tests.ingest.workshop import SENTENCE, Workshop, added, moved, note, stored_text, until, workshop

STUCK = [
    sys.executable,
    "-c",
    "import re, sys, app.ingest.worker as w\nw.prepare_here = lambda *_: re.match('(a|a)+$', 'a' * 60 + 'b')\nsys.exit(w.main())",
]
"""A reading process that never finishes."""


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    for name in ("a.md", "b.txt", "sub/c.html"):
        note(folder / name)
    return folder


async def test_the_files_of_a_folder_become_documents(shop: Workshop, notes: Path) -> None:
    job = await shop.done(await shop.jobs.add_folder(notes))
    assert job.state is JobState.DONE and job.counts.stored == 3
    assert shop.urls() == {file_url(notes / name) for name in ("a.md", "b.txt", "sub/c.html")}
    (folder,) = await shop.jobs.folders()
    assert (folder.path, folder.documents) == (str(notes), 3)


async def test_skipped_files_are_counted_in_the_job_and_the_folder(shop: Workshop, notes: Path) -> None:
    for name in ("one.png", "two.png", "tool.exe"):
        (notes / name).write_bytes(b"\x00\x01")
    job = await shop.done(await shop.jobs.add_folder(notes))
    words = "3 files skipped: 2 images, 1 program."
    assert job.state is JobState.DONE and job.detail == words
    (folder,) = await shop.jobs.folders()
    assert folder.left_out == words and shop.jobs.left_out() == (f"{notes}: {words}",)


async def test_only_changed_files_are_read_again(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    assert (await shop.done(await shop.jobs.refresh_folder(notes))).counts.total == 0
    shop.jobs.set_paused(True)
    note(notes / "a.md", "An entirely different text about valves, taps and the colour of the water in the basin.")
    (notes / "b.txt").unlink()
    note(notes / "new.md")
    job = await shop.jobs.refresh_folder(notes)
    await shop.jobs._watcher.stop()
    shop.jobs.set_paused(False)
    job = await shop.done(job)
    assert (job.counts.updated, job.counts.stored, job.counts.total) == (1, 1, 2)
    assert "valves" in stored_text(shop, notes / "a.md") and not stored_text(shop, notes / "b.txt")


async def test_a_bad_file_does_not_stop_the_others(shop: Workshop, notes: Path) -> None:
    for number in range(30):
        (notes / f"broken-{number}.pdf").write_bytes(b"%PDF-1.7 nothing more")
    (notes / "empty.md").write_text("")
    job = await shop.done(await shop.jobs.add_folder(notes))
    assert job.state is JobState.DONE and job.counts.stored == 3 and job.counts.failed == 30
    failed = await shop.jobs.items(job.id, states=(ItemState.FAILED,), limit=1)
    assert failed[0].reason


@pytest.mark.real
async def test_a_file_that_takes_too_long_is_named_and_skipped_until_it_changes(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "PREPARE_SECONDS", 3.0)
    monkeypatch.setattr(preparation, "worker_command", lambda: STUCK)
    (notes / "ticks.md").write_text("# " + "`" * 30_000)
    async with workshop(tmp_path) as shop:
        job = await shop.done(await shop.jobs.add_folder(notes))
        assert (job.counts.stored, job.counts.failed) == (3, 1)
        (folder,) = await shop.jobs.folders()
        assert len(folder.unread) == 1 and "ticks.md could not be read within 3 seconds" in folder.unread[0]
    async with workshop(tmp_path) as shop:
        again = await shop.done(await shop.jobs.refresh_folder(notes))
        assert (again.counts.failed, shop.pipeline._preparer.process_ids) == (1, ()), "there is no retry"
        assert [file.url for file in shop.jobs.unread()] == [file_url(notes / "ticks.md")]
        note(notes / "ticks.md")
        await until(lambda: file_url(notes / "ticks.md") in shop.urls())
        await until(lambda: not shop.jobs.unread())


async def test_small_files_are_read_before_large_ones(shop: Workshop, notes: Path) -> None:
    note(notes / "0.md", SENTENCE * 500)
    await shop.done(await shop.jobs.add_folder(notes))
    stored = [event.url for event in shop.events if isinstance(event, DocumentChanged)]
    assert stored[-1] == file_url(notes / "0.md")


async def test_a_folder_that_lost_its_disk_keeps_its_documents(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    await shop.jobs._watcher.stop()
    moved(notes, "away")
    job = await shop.done(await shop.jobs.refresh_folder(notes))
    assert job.state is JobState.FAILED and "cannot be read" in job.detail and len(shop.urls()) == 3
    note(notes / "a.md").unlink()
    job = await shop.done(await shop.jobs.refresh_folder(notes))
    assert job.state is JobState.FAILED and "keeps its pages (3)" in job.detail and len(shop.urls()) == 3


async def test_removing_a_folder_keeps_its_files(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    assert await shop.jobs.remove_folder(notes) and not await shop.jobs.remove_folder(notes)
    assert not shop.urls() and not await shop.jobs.folders() and (notes / "a.md").exists()
    deleted = [event for event in shop.events if isinstance(event, DocumentChanged) and event.change == "deleted"]
    assert len(deleted) == 3
    with pytest.raises(FileAccessError):
        await shop.jobs.refresh_folder(notes)


async def test_nested_folders_and_non_folders_are_rejected(shop: Workshop, notes: Path, own_home: Path) -> None:
    await added(shop, notes)
    for path in (notes / "sub", notes.parent, notes / "a.md", notes / "none", Path("/"), own_home):
        with pytest.raises(FileAccessError):
            await shop.jobs.add_folder(path)
    again = await shop.done(await shop.jobs.add_folder(notes))
    assert again.counts.total == 0 and len(await shop.jobs.folders()) == 1


async def test_an_edit_is_read_within_seconds(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    note(notes / "a.md", "Since this morning the valves are painted green, which all neighbors like very much.")
    await until(lambda: "painted green" in stored_text(shop, notes / "a.md"))
    note(notes / "deep" / "er" / "new.md", "A note in a folder that was made a moment ago and holds one file.")
    await until(lambda: "a moment ago" in stored_text(shop, notes / "deep" / "er" / "new.md"))


async def test_deleted_and_renamed_files_follow(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    (notes / "b.txt").unlink()
    (notes / "a.md").rename(notes / "renamed.md")
    await until(lambda: shop.urls() == {file_url(notes / name) for name in ("renamed.md", "sub/c.html")})
    (notes / "sub").rename(notes / "moved")
    await until(lambda: shop.urls() == {file_url(notes / name) for name in ("renamed.md", "moved/c.html")})
    shutil.rmtree(notes / "moved")
    (notes / "renamed.md").unlink()
    await until(lambda: not shop.urls())


async def test_many_changed_files_become_a_job(shop: Workshop, notes: Path) -> None:
    await added(shop, notes)
    for number in range(300):
        note(notes / "many" / f"{number}.md", f"Note number {number}. {SENTENCE}")
    await until(lambda: len(shop.urls()) == 303, 15)
    jobs = await shop.jobs.jobs(10)
    assert 2 <= len(jobs) <= 8 and sum(job.counts.stored for job in jobs) >= 200


async def test_changes_while_the_program_was_off_are_found(
    tmp_path: Path, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.folders.watch.WATCH_CHECK_MS", 200)
    async with workshop(tmp_path) as first:
        await added(first, notes)
    note(notes / "a.md", "Written while WebRAG was not running, about the winter closure of the upper basin.")
    (notes / "b.txt").unlink()
    async with workshop(tmp_path) as second:
        await until(lambda: "WebRAG was not running" in stored_text(second, notes / "a.md"))
        await until(lambda: not stored_text(second, notes / "b.txt"))
        assert len(await second.jobs.jobs(10)) == 1


async def test_a_folder_that_comes_back_is_watched_again(
    shop: Workshop, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.folders.watch.WATCH_CHECK_MS", 200)
    await added(shop, notes)
    away = moved(notes, "away")
    await until(lambda: bool(shop.jobs._watcher._away))
    assert len(shop.urls()) == 3
    note(away / "a.md", "Edited elsewhere, on the other computer, before the disk was connected again.")
    away.rename(notes)
    await until(lambda: "other computer" in stored_text(shop, notes / "a.md"))
    assert len(shop.urls()) == 3


async def test_without_system_events_the_folder_is_scanned(
    shop: Workshop, notes: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*_: object) -> object:
        raise WatchingFailedError("OS file watch limit reached.")

    monkeypatch.setattr(watch, "watch_events", refused)
    monkeypatch.setattr("app.ingest.folders.watch.WATCH_POLL_SECONDS", 0.1)
    await added(shop, notes)
    note(notes / "a.md", "Found by looking, not by an event: the basin is empty until the first of March.")
    await until(lambda: "first of March" in stored_text(shop, notes / "a.md"))
    assert "watch limit" in caplog.text


async def test_an_unreadable_file_is_not_retried_continuously(
    shop: Workshop, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await added(shop, notes)
    broken = notes / "broken.pdf"
    broken.write_bytes(b"%PDF-1.7 nothing more")
    tried: list[Path] = []
    pipeline = shop.jobs._pipeline
    store = pipeline.store_file

    async def counted(path: Path, *, folder_id: int | None, apart: bool) -> object:
        tried.append(path)
        return await store(path, folder_id=folder_id, apart=apart)

    monkeypatch.setattr(pipeline, "store_file", counted)
    await until(lambda: broken in tried)
    note(notes / "a.md", "Another edit, after which the broken file is left alone as long as it is the same.")
    await until(lambda: "left alone" in stored_text(shop, notes / "a.md"))
    assert tried.count(broken) == 1
    assert not stored_text(shop, broken)


async def test_no_thread_watches_without_folders(shop: Workshop, notes: Path) -> None:
    assert shop.jobs._watcher._task is None
    await added(shop, notes)
    assert shop.jobs._watcher._task is not None
    await shop.jobs.remove_folder(notes)
    assert shop.jobs._watcher._task is None


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links")
async def test_a_file_replaced_by_a_link_is_not_read(shop: Workshop, notes: Path, tmp_path: Path) -> None:
    secret = note(tmp_path / "secret.md", "The key is under the third stone of the path to the old mill house.")
    await added(shop, notes)
    (notes / "a.md").unlink()
    (notes / "a.md").symlink_to(secret)
    await until(lambda: not stored_text(shop, notes / "a.md"))
    job = await shop.done(await shop.jobs.refresh_folder(notes))
    assert job.state is JobState.DONE and len(shop.urls()) == 2
