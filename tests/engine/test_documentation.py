"""Documentation folders in the running program: keyword search first, then semantic search, always in step with the files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from app.engine import Engine, build_engine
from app.errors import InvalidArgumentError
from app.settings import load_settings
from tests.docsets.folders import write

MANUAL = {
    "dogs.md": "# Feeding dogs\n\nGive the puppy its meal twice a day and fresh water at all times.\n",
    "bikes.md": "# Bicycle brakes\n\nReplace the pads when less than two millimetres of rubber are left.\n",
}


@pytest.fixture
async def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SECONDS", 0.0)
    monkeypatch.setattr("app.docsets.indexing.DOC_LOOK_SHARE", 1e9)
    running = build_engine(load_settings(data_dir=tmp_path / "data"))
    await running.start()
    yield running
    await running.stop()


async def searched(engine: Engine, query: str) -> tuple[list[str], tuple[str, ...]]:
    found = await asyncio.to_thread(engine.docs.search, query)
    return [hit.name for hit in found.hits], found.notes


async def embedded(engine: Engine) -> None:
    """Wait until everything stored is embedded."""
    await engine._components.embeddings.embed_now(await asyncio.to_thread(_waiting, engine))  # type: ignore[union-attr]


def _waiting(engine: Engine) -> list[int]:
    return [passage.chunk_id for passage in engine._corpus.vectors.waiting(10_000)]


async def test_the_guide_answers_from_the_start(engine: Engine) -> None:
    names, _ = await searched(engine, "how do I connect Claude Desktop")
    assert names[0] == "guide/02-connect.md"
    await embedded(engine)
    names, notes = await searched(engine, "how do I hook up Claude Desktop")
    assert (names[0], notes) == ("guide/02-connect.md", ())


async def test_a_folder_is_found_by_keyword_first_and_by_meaning_when_embedded(engine: Engine, tmp_path: Path) -> None:
    await embedded(engine)
    engine.set_paused(True)
    folder = write(tmp_path / "manual", MANUAL)
    job = await engine.jobs.add_folder(folder)
    names, notes = await searched(engine, "puppy meal")
    assert names == ["dogs.md"]
    assert notes == ("Keyword search only: 2 of 13 pages are not ready for semantic search yet.",)
    engine.set_paused(False)
    await engine.jobs.wait(job.id, 180)
    await embedded(engine)
    names, notes = await searched(engine, "canine nutrition and diet")
    assert (names[0], notes) == ("dogs.md", ())
    write(folder, {"bikes.md": "# Bicycle bells\n\nOil the lever once a year.\n"})
    assert (await searched(engine, "oil the lever"))[0][0] == "bikes.md"
    (folder / "bikes.md").unlink()
    assert "bikes.md" not in (await searched(engine, "oil the lever"))[0]


async def test_a_renamed_folder(engine: Engine, tmp_path: Path) -> None:
    one, two = write(tmp_path / "a" / "docs", MANUAL), write(tmp_path / "b" / "docs", MANUAL)
    for folder in (one, two):
        await engine.jobs.wait((await engine.jobs.add_folder(folder)).id, 10)
    renamed = await engine.jobs.rename_folder(one, "animals")
    assert [folder.name for folder in await engine.jobs.folders()] == ["animals", "b-docs"]
    assert renamed.path == str(one)
    with pytest.raises(InvalidArgumentError):
        await engine.jobs.rename_folder(two, "Animals")
    assert (await asyncio.to_thread(engine.docs.pages, "animals")).names == ("animals/bikes.md", "animals/dogs.md")
    await engine.jobs.remove_folder(one)
    assert (await asyncio.to_thread(engine.docs.pages, "b-docs")).names == ("bikes.md", "dogs.md")
