"""With an embedder that cannot be loaded or fails, keyword search still works and every result says so. With a busy one, urgent
questions do not wait.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from app.embed.embedder import QueryEmbedding
from app.embed.onnx import OnnxEmbedder
from app.engine import build_engine
from app.engine.facade import Engine
from app.errors import EmbedderError
from app.events import EmbedderChanged, Event, EventBus
from app.paths import assets_dir
from app.secrets import SecretStore
from app.server.render.text import Budget
from app.server.tools.status import status_text
from app.settings import load_settings
from tests.support.one_model import models_apart

NOTE = "# Harbour\n\nEvery vessel keeps a distance of seven metres and reports to the pilot.\n"


async def status_of(engine: Engine) -> str:
    budget = Budget(2_000, 20_000, 20_000)
    return status_text(await engine.status(), include_urls=False, budget=budget, count=engine.count_tokens)


async def add_note(engine: Engine, folder: Path) -> None:
    note = folder / "harbour.md"
    note.write_text(NOTE)
    await engine.add_file(note)


async def test_with_a_truncated_model_keyword_search_still_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "assets" / "model"
    broken.mkdir(parents=True)
    for each in (assets_dir() / "model").iterdir():
        (broken / each.name).write_bytes(each.read_bytes()[:50_000])
    monkeypatch.setattr("app.embed.model_dir", lambda: broken)
    engine = build_engine(load_settings(data_dir=tmp_path / "data"), bus=EventBus())
    await engine.start(background=False)
    try:
        await add_note(engine, tmp_path)
        found = await engine.search("distance of a vessel")
        assert found.chunks and any("Semantic search is off" in note for note in found.notes)
        assert not engine.embedder_state.usable
        said = await status_of(engine)
        assert "Semantic search is off (" in said and "damaged" in said
    finally:
        await engine.stop()


class _Failing:
    """The bundled embedder, whose session raises while `fails`."""

    def __init__(self, embedder: Any) -> None:
        self._embedder = embedder
        self.fails = True

    def __getattr__(self, name: str) -> Any:
        return getattr(self._embedder, name)

    def close(self) -> None:
        """Do nothing: it is shared with other tests."""

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        if self.fails:
            raise EmbedderError("The embedding model failed: no memory.")
        made: QueryEmbedding = self._embedder.embed_query(text, context)
        return made


async def test_a_failing_session_is_reported_until_it_works_again(tmp_path: Path, embedder: Any) -> None:
    told: list[Event] = []
    bus, failing = EventBus(), _Failing(embedder)
    bus.subscribe(told.append)
    engine = Engine(load_settings(data_dir=tmp_path / "data"), SecretStore(), bus, make_embedder=lambda *_: failing)
    await engine.start(background=False)
    try:
        await add_note(engine, tmp_path)
        assert engine.embedder_state.usable
        found = await engine.search("distance of a vessel")
        assert found.chunks and any("no memory" in note for note in found.notes)
        assert not engine.embedder_state.usable and engine.embedder_state.detail.endswith("no memory.")
        assert "no memory" in await status_of(engine)
        assert any(isinstance(event, EmbedderChanged) for event in told)
        failing.fails = False
        await engine.search("distance of a ship")
        assert engine.embedder_state.usable
        assert "Semantic search is off" not in await status_of(engine)
    finally:
        await engine.stop()


class _Watched(_Failing):
    """Records for each question whether background embedding is paused."""

    def __init__(self, embedder: Any) -> None:
        super().__init__(embedder)
        self.fails = False
        self.is_held = lambda: False
        self.held: list[bool] = []

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        self.held.append(self.is_held())
        return super().embed_query(text, context)


async def test_an_urgent_question_precedes_background_embedding(tmp_path: Path) -> None:
    with models_apart():
        watched = _Watched(OnnxEmbedder(assets_dir() / "model"))
    settings = load_settings(data_dir=tmp_path / "data")
    engine = Engine(settings, SecretStore(), EventBus(), make_embedder=lambda *_: watched)
    await engine.start(background=False)
    try:
        await add_note(engine, tmp_path)
        queue = engine._components.embeddings
        assert queue is not None
        watched.is_held = queue.is_asked
        found = await engine.search("distance of a vessel", at_once=True)
        assert not found.chunks or any(hit.is_waiting for hit in found.chunks)
        assert watched.held and all(watched.held) and not queue.is_asked()
        complete = await engine.search("distance of a vessel")
        assert [(hit.chunk.title, hit.is_waiting) for hit in complete.chunks] == [("Harbour", False)]
    finally:
        await engine.stop()
