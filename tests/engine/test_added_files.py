"""Single files that a user adds, next to watched folders."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.engine import Engine, build_engine
from app.errors import FileAccessError
from app.ingest.files import file_url
from app.settings import load_settings

TEXT = "# Notes\n\nThe pump is checked every spring before the water is let into the upper basin.\n"


@pytest.fixture
async def engine(guided: Path) -> AsyncIterator[Engine]:
    running = build_engine(load_settings(data_dir=guided))
    await running.start(background=False)
    yield running
    await running.stop()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text(TEXT)
    (folder / ".draft.md").write_text(TEXT + "\nA draft.\n")
    return folder


def files(engine: Engine) -> set[str]:
    return {summary.url for summary in engine._corpus.documents.summaries(limit=100) if summary.kind == "file"}


async def kept(engine: Engine) -> set[str]:
    """Return the addresses of the files in the first folder."""
    (folder, *_) = await engine.jobs.folders()
    return {file.url for file in engine._corpus.folders.files(folder.id)}


async def test_a_file_of_a_folder_stays_in_it_when_added_again(engine: Engine, notes: Path) -> None:
    await engine.jobs.wait((await engine.jobs.add_folder(notes)).id, 20)
    (notes / "a.md").write_text(TEXT + "\nIn winter the basin is empty.\n")
    assert (await engine.add_file(notes / "a.md")).change == "updated"
    assert await kept(engine) == {file_url(notes / "a.md")}
    (notes / "a.md").unlink()
    (notes / "sub" / "b.md").write_text(TEXT)
    await engine.jobs.wait((await engine.jobs.refresh_folder(notes)).id, 20)
    assert files(engine) == {file_url(notes / "sub" / "b.md")}


async def test_a_file_that_its_folder_skips_is_stored_separately(engine: Engine, notes: Path) -> None:
    await engine.jobs.wait((await engine.jobs.add_folder(notes)).id, 20)
    await engine.add_file(notes / ".draft.md")
    await engine.jobs.wait((await engine.jobs.refresh_folder(notes)).id, 20)
    assert file_url(notes / ".draft.md") in files(engine)
    assert file_url(notes / ".draft.md") not in await kept(engine)


async def test_however_a_file_is_spelled_it_is_one_document(
    engine: Engine, notes: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await engine.add_file(notes / "a.md")
    assert (await engine.add_file(notes / "sub" / ".." / "a.md")).change == "unchanged"
    monkeypatch.chdir(notes / "sub")
    assert (await engine.add_file(Path("../a.md"))).change == "unchanged"
    assert files(engine) == {file_url(notes / "a.md")}


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="links")
async def test_a_named_link_means_its_target_file(engine: Engine, notes: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.md"
    link.symlink_to(notes / "a.md")
    assert (await engine.add_file(link)).url == file_url(notes / "a.md")
    assert (await engine.add_file(notes / "a.md")).change == "unchanged"
    broken = tmp_path / "broken.md"
    broken.symlink_to(tmp_path / "nothing.md")
    for path in (broken, tmp_path / "none.md"):
        with pytest.raises(FileAccessError, match="was not found"):
            await engine.add_file(path)
