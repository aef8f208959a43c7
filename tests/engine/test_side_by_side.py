"""A multilingual model next to the built-in one: which pages each embeds, which answers a question, and what follows the choice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from app.cli.calls import vectors_made
from app.embed.embedder import SideBySide
from app.engine import build_engine
from app.engine.facade import Engine
from app.library.scope import Filter
from app.retrieval.citations import SentenceCloseness
from app.retrieval.evidence import prepare_question
from app.settings import load_settings
from tests.support.models import make_model

ENGLISH = (
    "# Heart\n\nThe heart pumps more blood while you run than at rest.\n\n# Dough\n\nLet the dough rise for an hour.\n"
)
GERMAN = "# Herz\n\nDas Herz pumpt bei Anstrengung mehr Blut als in Ruhe.\n\n# Teig\n\nDen Teig zugedeckt eine Stunde gehen lassen.\n"
IN_ENGLISH, IN_GERMAN = (
    "How much blood does the heart pump while you run?",
    "Wie viel Blut pumpt das Herz bei Anstrengung?",
)
WAIT_SECONDS = 120.0
pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("second") / "tiny", languages=["de", "en"])


@asynccontextmanager
async def running(data_dir: Path, model: str = "") -> AsyncIterator[Engine]:
    engine = build_engine(load_settings({"embedding_model_folder": model}, data_dir=data_dir, environ={}))
    await engine.start(background=False)
    try:
        yield engine
    finally:
        await engine.stop()


def move(source: Path, target: Path) -> None:
    source.rename(target)


async def with_pages(engine: Engine, folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
        await engine.add_file(folder / f"{name}.md")
    async with asyncio.timeout(WAIT_SECONDS):
        await vectors_made(engine, lambda _: None)
        second = engine._corpus.second
        while second is not None and second.vectors.has_waiting():  # noqa: ASYNC110 - another thread embeds
            await asyncio.sleep(0.05)


def embedded(engine: Engine, table: str) -> set[str]:
    """Return the names of the files of which the table has vectors."""
    query = (
        f"SELECT DISTINCT d.url FROM {table} JOIN chunks c ON c.id = chunk_id JOIN documents d ON d.id = c.document_id"
    )
    with engine._corpus._database.read() as con:
        return {str(url).rpartition("/")[2] for (url,) in con.execute(query) if str(url).startswith("file:")}


async def test_each_model_embeds_its_pages_and_answers_its_questions(folder: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with running(data) as engine:
        await with_pages(engine, tmp_path, english=ENGLISH, german=GERMAN)
        alone = await engine.search(IN_ENGLISH)
        assert embedded(engine, "embeddings") == {"english.md", "german.md"}
    async with running(data, str(folder)) as engine:
        during = await engine.search(IN_ENGLISH)
        assert during.chunks == alone.chunks, "until the second model has embedded a page, the first one compares it"
        await with_pages(engine, tmp_path)
        assert embedded(engine, "embeddings") == {"english.md"}
        assert embedded(engine, "second_embeddings") == {"english.md", "german.md"}
        assert engine._corpus.verify() == []
        both, foreign = await engine.search(IN_ENGLISH), await engine.search(IN_GERMAN)
        assert "pumps" in both.chunks[0].chunk.text
        assert "pumpt" in foreign.chunks[0].chunk.text
        assert (await engine.status(limit=5)).totals.chunks_embedded == (await engine.status(limit=5)).totals.chunks
        assert engine.embedder_state.name.endswith(" + tiny")
        asked, finder = engine._components.asked, engine._components.orchestrator._finder
        assert isinstance(asked, SideBySide)
        before = asked.second.cached_bytes
        for name, by_second in (("english.md", 0), ("german.md", 1)):
            ready = prepare_question(asked, f"{IN_ENGLISH} In short.", has_parts=True)
            evidence = finder.find(ready, Filter(urls=((tmp_path / name).as_uri(),)))
            assert len(evidence.ranked) == 1
            assert len(evidence.by_second) == by_second
            assert (asked.second.cached_bytes > before) == bool(by_second), (
                "the second model reads only what it compares"
            )
            assert SentenceCloseness.of(
                engine._corpus, ready.queries, evidence.ranked, evidence.signs, evidence.by_second
            )
    move(folder, tmp_path / "away")
    async with running(data, str(folder)) as engine:
        assert str(folder) in engine.embedder_state.detail
        assert (await engine.status(limit=0)).is_english_only
        assert (await engine.search(IN_ENGLISH)).chunks[0].chunk.text == both.chunks[0].chunk.text
        assert "Semantic search is off" in " ".join((await engine.search(IN_GERMAN)).notes)
        assert embedded(engine, "second_embeddings") == {"english.md", "german.md"}
    move(tmp_path / "away", folder)
    async with running(data) as engine:
        assert engine._corpus.second is None
        await with_pages(engine, tmp_path)
        assert embedded(engine, "embeddings") == {"english.md", "german.md"}
        assert engine._corpus.verify() == []
        assert (await engine.search(IN_ENGLISH)).chunks == alone.chunks
