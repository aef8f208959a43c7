"""The engine reports a damaged file and a full disk, and writes again automatically when there is space."""

from __future__ import annotations

import asyncio
import shutil
import threading
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from app.corpus import Corpus, database
from app.corpus.database import damage_note
from app.embed.onnx import OnnxEmbedder
from app.engine import build_engine, upkeep
from app.engine.facade import Engine
from app.errors import DiskFullError
from app.events import EngineStateChanged, Event, EventBus
from app.settings import load_settings
from tests.corpus.builders import document
from tests.corpus.test_damage import damage

PATIENCE = 60.0


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "corpus.db"
    corpus = Corpus.open(path, dimension=384, model="")
    for number in range(40):
        parts = [" ".join(f"word{number}x{place}x{part}" for place in range(28, 33)) for part in range(4)]
        corpus.documents.store(document(f"https://a.example/{number}", parts))
    corpus.close()

    async def start_once() -> None:
        """Start once, so that the file knows the model, as after normal use."""
        engine = engine_for(path.parent, [])
        await engine.start(background=False)
        await engine.stop()

    asyncio.run(start_once())
    return path


@pytest.fixture
def data(whole: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(whole, folder / "corpus.db")
    return folder


async def until(ready: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not ready():  # noqa: ASYNC110 - what is waited for has no event
            await asyncio.sleep(0.02)


def engine_for(data: Path, told: list[Event]) -> Engine:
    bus = EventBus()
    bus.subscribe(told.append)
    return build_engine(load_settings(data_dir=data), bus=bus)


async def test_damage_is_reported_in_every_status_and_result(data: Path) -> None:
    damage(data / "corpus.db", "links_by_url", page_in_the_middle=False)
    told: list[Event] = []
    engine = engine_for(data, told)
    await engine.start(background=False)
    try:
        await until(lambda: bool(engine.health.damage))
        await until(lambda: len([each for each in told if isinstance(each, EngineStateChanged)]) > 1)
        assert (await engine.status()).health.damage
        found = await engine.search("word7x30x2")
        assert found.chunks
        assert any("damaged" in note and "restore" in note for note in found.notes)
    finally:
        await engine.stop()


async def test_a_full_disk_can_be_read_and_is_written_again_automatically(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "ROOM_POLL_SECONDS", 0.05)
    has_room = False
    monkeypatch.setattr("app.corpus.database.has_room", lambda *_: has_room)

    def no_room(*_: object) -> None:
        if not has_room:
            raise apsw.FullError("database or disk is full")

    real = database._use_write_ahead_log
    monkeypatch.setattr(database, "_use_write_ahead_log", lambda con: (no_room(), real(con)))
    engine = engine_for(data, [])
    await engine.start(background=False)
    try:
        found = await engine.search("word7x30x2")
        assert found.chunks
        assert any("new ones cannot be stored" in note for note in found.notes)
        assert "full" in (await engine.status()).health.refusal
        with pytest.raises(DiskFullError):
            await engine.documents.delete([1])
        has_room = True
        await until(lambda: not engine.health.refusal)
        assert await engine.documents.delete([1]) == 1
        await until(lambda: not engine._waits_for_room)
    finally:
        await engine.stop()


async def test_an_outdated_note_of_damage_disappears_automatically(data: Path) -> None:
    """The user replaced the damaged file with a sound one; without this, backups would never resume."""
    damage_note(data / "corpus.db").write_text("a page could not be read")
    engine = engine_for(data, [])
    await engine.start(background=False)
    try:
        await until(lambda: not engine.health.damage)
        assert not damage_note(data / "corpus.db").exists()
    finally:
        await engine.stop()


async def test_leftovers_of_killed_backups_are_deleted_at_startup(data: Path) -> None:
    left = data / "backups" / ".corpus-20260101-101010.db.abcdefgh"
    left.parent.mkdir()
    left.write_bytes(b"a whole copy")
    engine = engine_for(data, [])
    await engine.start(background=False)
    await engine.stop()
    assert not left.exists()


async def test_memory_is_released_on_a_thread_of_normal_priority(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Threads that need memory wait for this, which can take long at the lowest priority on a busy machine."""
    threads: list[str] = []
    monkeypatch.setattr(upkeep, "IDLE_SECONDS", 0.01)
    monkeypatch.setattr(upkeep, "release_free_memory", lambda: threads.append(threading.current_thread().name))
    engine = engine_for(data, [])
    await engine.start(background=False)
    try:
        await until(lambda: bool(threads))
    finally:
        await engine.stop()
    assert not threads[0].startswith("upkeep")


async def test_the_model_is_released_when_idle_and_reloaded_for_a_question(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "IDLE_SECONDS", 0.05)
    monkeypatch.setattr(upkeep, "MODEL_IDLE_SECONDS", 0.0)
    engine = engine_for(data, [])
    await engine.start(background=False)
    try:
        model = engine._components.embedder
        assert isinstance(model, OnnxEmbedder)
        await until(lambda: not model._model.is_here)
        found = await engine.search("word7x30x2")
        assert found.chunks and engine.embedder_state.usable
        assert not any("Semantic search is off" in note for note in found.notes)
        await until(lambda: not model._model.is_here)
    finally:
        await engine.stop()
