"""An engine in this process with its own corpus, to measure single stages."""

from __future__ import annotations

import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from app.embed.embedder import Embedder
from app.engine import Engine
from app.errors import WebRAGError
from app.events import EventBus
from app.memory import limit_arenas
from app.orchestration.question import Question
from app.retrieval.records import Stages
from app.secrets import SecretStore
from app.server.calls.limits import effective_budget
from app.server.render.answer import answer_text
from app.server.render.errors import failure_text
from app.settings import Settings, load_settings
from support.judging import Outcome, judge
from support.questions import Question as BenchQuestion


@contextlib.asynccontextmanager
async def engine_with(
    embedder: Embedder, stages: Stages, reranker: str = "", second: tuple[str, Embedder] | None = None
) -> AsyncIterator[Engine]:
    """Yield a started engine with an empty corpus and access to loopback. It closes the embedders when it stops.

    `reranker` is the folder of one, or empty. `second` is a multilingual model with its folder.
    """
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        environment = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}
        chosen = {"reranker_model": reranker, "embedding_model_folder": second[0] if second is not None else ""}
        settings = load_settings(chosen, data_dir=Path(folder), file=Path(folder) / "none.toml", environ=environment)
        limit_arenas()

        def made(chosen: Settings, *_: object) -> Embedder:
            return second[1] if second is not None and chosen.embedding_model_folder else embedder

        engine = Engine(settings, SecretStore(), EventBus(), stages, made)
        await engine.start(background=False)
        try:
            yield engine
        finally:
            await engine.stop()


async def ask_engine(
    engine: Engine, questions: Sequence[BenchQuestion], base: str, *, expansion_budget: int | None
) -> list[Outcome]:
    """Ask the questions in order and render each result as for an assistant. With None, the engine chooses the budget."""
    budget = effective_budget(engine.settings, "")
    outcomes = []
    for question in questions:
        started = time.perf_counter()
        try:
            url = f"{base}/{question.site}/{question.seed_path}"
            asked = Question((url,), question.text, expansion_budget=expansion_budget)
            result = await engine.run(asked)
            text, error = answer_text(result, budget=budget, count=engine.count_tokens, now=time.time()), False
        except WebRAGError as failure:
            text, error = failure_text(failure), True
        outcomes.append(judge(question, text, error=error, ms=1000 * (time.perf_counter() - started)))
    return outcomes
