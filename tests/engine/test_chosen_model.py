"""A chosen model end to end: 768 dimensions, CLS pooling and prefixes; then its folder is missing, back, and no longer chosen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.cli.calls import vectors_made
from app.engine import build_engine
from app.engine.facade import Engine
from app.engine.models import try_model
from app.errors import EmbedderError
from app.retrieval import second_look
from app.server.render.trace import search_stats
from app.settings import load_settings
from tests.support.models import make_model, make_reranker

NOTE = "# Herz\n\nDas Herz pumpt bei Anstrengung mehr Blut als in Ruhe.\n\n# Teig\n\nDen Teig zugedeckt eine Stunde gehen lassen.\n"
QUESTION = "Wie viel Blut pumpt das Herz?"
WAIT_SECONDS = 120.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("chosen") / "tiny", languages=["en"])


@asynccontextmanager
async def running(data_dir: Path, model: str, reranker: str = "") -> AsyncIterator[Engine]:
    chosen = {"embedding_model_folder": model, "reranker_model": reranker}
    engine = build_engine(load_settings(chosen, data_dir=data_dir, environ={}))
    await engine.start(background=False)
    try:
        yield engine
    finally:
        await engine.stop()


async def embedded(engine: Engine) -> None:
    async with asyncio.timeout(WAIT_SECONDS):
        await vectors_made(engine, lambda _: None)


def move(source: Path, target: Path) -> None:
    source.rename(target)


async def found(engine: Engine) -> str:
    """Return the notes of a search that finds the page."""
    result = await engine.search(QUESTION)
    assert "pumpt" in result.chunks[0].chunk.text
    return " ".join(result.notes)


@pytest.mark.real
async def test_a_chosen_model_is_used_and_never_replaced_silently(folder: Path, tmp_path: Path) -> None:
    data, note, away = tmp_path / "data", tmp_path / "notes.md", tmp_path / "away"
    note.write_text(NOTE, encoding="utf-8")
    async with running(data, str(folder)) as engine:
        await engine.add_file(note)
        await embedded(engine)
        assert engine._corpus.model is not None
        assert (engine.embedder_state.name, engine._corpus.model.dimension) == ("tiny", 768)
        used = engine._corpus.model
        assert "Semantic search is off" not in await found(engine)
    move(folder, away)
    async with running(data, str(folder)) as engine:
        assert not engine.embedder_state.usable
        assert str(folder) in engine.embedder_state.detail
        assert "Semantic search is off" in await found(engine)
        assert engine._corpus.model == used
    move(away, folder)
    async with running(data, str(folder)) as engine:
        assert engine.embedder_state.waiting == 0, "nothing is embedded again"
        assert "Semantic search is off" not in await found(engine)
        assert (await engine.maintenance.check_embedder()).is_sound
    async with running(data, "") as engine:
        await found(engine)
        await embedded(engine)
        assert engine._corpus.model != used
        assert "Semantic search is off" not in await found(engine)


@pytest.mark.real
async def test_a_chosen_reranker_orders_the_final_ranking_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_look, "SECONDS", WAIT_SECONDS)  # so that a busy machine reads all passages
    data, note = tmp_path / "data", tmp_path / "notes.md"
    note.write_text(NOTE, encoding="utf-8")
    reranker = make_reranker(tmp_path / "pairs")
    async with running(data, "") as engine:
        await engine.add_file(note)
        await embedded(engine)
        plain = await engine.search(QUESTION)
    async with running(data, "", str(reranker)) as engine:
        first, again = await engine.search(QUESTION), await engine.search(QUESTION)
        assert first.chunks == again.chunks
        assert "Reranked by: pairs, 20 passages" in search_stats(first)
        quick = await engine.search(QUESTION, at_once=True)
        assert (quick.chunks, quick.reread) == (plain.chunks, "")
        assert "Reranked by" not in search_stats(plain)
        typed = await engine.search(QUESTION, rereads=False)
        assert typed.reread == ""
    move(reranker, tmp_path / "away")
    async with running(data, "", str(reranker)) as engine:
        result = await engine.search(QUESTION)
        assert result.chunks == plain.chunks
        assert f"The chosen reranker is off (No model in {reranker}" in " ".join(result.notes)


def test_a_trial_of_a_reranker_measures_its_speed(tmp_path: Path) -> None:
    tried = try_model(load_settings(data_dir=tmp_path, environ={}), str(make_reranker(tmp_path / "pairs")))
    assert (tried.card.kind, tried.chunks) == ("reranker", 0)
    assert tried.check.question_ms > 0


def test_a_trial_estimates_the_work(folder: Path, tmp_path: Path) -> None:
    tried = try_model(load_settings(data_dir=tmp_path, environ={}), str(folder))
    assert (tried.card.dimension, tried.chunks, tried.check.is_sound) == (768, 0, True)
    with pytest.raises(EmbedderError, match="No model in"):
        try_model(load_settings(data_dir=tmp_path, environ={}), str(tmp_path / "none"))
