"""Rankings of questions, recorded once, so that later stages can be tested repeatedly without asking.

Everything runs in this process with a corpus for each site.
"""

from __future__ import annotations

import asyncio
import contextlib
import pickle
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder
from app.errors import WebRAGError
from app.library.records import Document, Freshness
from app.orchestration.assembly import ContextSelector, grouped, images_beside
from app.orchestration.question import Question as Asked
from app.orchestration.result import OrchestrationResult
from app.retrieval import rerank
from app.retrieval.evidence import Evidence
from app.retrieval.passages import CONSIDERED_CHUNKS
from app.retrieval.records import ALL_STAGES, RetrievedChunk
from app.retrieval.rerank import LateInteractionReranker, Ranking
from app.server.calls.limits import effective_budget
from app.server.render.answer import answer_text
from app.server.render.text import Budget, CountTokens
from support.in_process import engine_with
from support.judging import Outcome, judge
from support.questions import Question, by_site
from support.remembering import CachingEmbedder
from support.sites import serve_folder

FOREIGN: Final = "of another site"
"""Form of a question that the site cannot answer, because it is about another site."""
FOREIGN_QUESTIONS: Final = 6
"""Number of these questions per site, without expansion."""
RECORDED_CHUNKS: Final = CONSIDERED_CHUNKS + 20
"""Number of recorded best chunks: all that can be shown or judged."""
NEW_SHARE: Final = 0.05
"""Ask a site again if more than this share of its passages had to be embedded, because that takes time from the questions."""
Matches = dict[int, NDArray[np.float32]]


@dataclass(frozen=True, slots=True)
class Record:
    """The last ranking for a question and its result.

    `cosines` contains the cosines of all candidates with their bonuses, unordered, before they become relevance. `matches` contains the
    best matches of each of the question's `words`, by chunk. `pages` contains the documents of the chunks by ID.
    """

    question: Question
    outcome: Outcome
    result: OrchestrationResult
    evidence: Evidence
    ranking: Ranking
    cosines: NDArray[np.float64]
    matches: Matches
    words: tuple[str, ...]
    pages: dict[int, Document]
    freshness: tuple[Freshness, ...]


@dataclass(slots=True)
class _Heard:
    """Values captured for the current question."""

    cosines: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    matches: Matches = field(default_factory=dict)
    words: tuple[str, ...] = ()
    ranking: Ranking = field(default_factory=lambda: Ranking(()))
    evidence: Evidence | None = None
    pages: dict[int, Document] = field(default_factory=dict)
    freshness: tuple[Freshness, ...] = ()


@contextlib.contextmanager
def _listening() -> Iterator[_Heard]:
    """Capture the ranking and the choice of evidence in this block."""
    heard = _Heard()
    scaled, closeness = rerank._scaled, rerank._closeness
    ranked, chosen = LateInteractionReranker.rerank, ContextSelector.from_pages

    def hear_scaled(cosines: Any) -> Any:
        heard.cosines = cosines
        return scaled(cosines)

    def hear_closeness(queries: Any, *rest: Any) -> Any:
        means, heard.matches = closeness(queries, *rest)
        embedding = queries[0].embedding
        share = rerank.word_share(embedding) if embedding is not None else ()
        heard.words = tuple(w for w, s in zip(embedding.token_words if embedding else (), share, strict=True) if s)
        return means, heard.matches

    def hear_ranked(self: Any, *rest: Any) -> Any:
        heard.ranking = ranked(self, *rest)
        return heard.ranking

    def hear_chosen(self: Any, run: Any, evidence: Evidence, documents: Any) -> Any:
        heard.evidence = evidence
        found = documents.of(item.chunk.document_id for item in evidence.ranked[:RECORDED_CHUNKS])
        heard.pages = dict(found)
        heard.freshness = tuple(self.corpus.documents.freshness(list(found)))
        return chosen(self, run, evidence, documents)

    with (
        patch.object(rerank, "_scaled", hear_scaled),
        patch.object(rerank, "_closeness", hear_closeness),
        patch.object(LateInteractionReranker, "rerank", hear_ranked),
        patch.object(ContextSelector, "from_pages", hear_chosen),
    ):
        yield heard


def record(questions: Sequence[Question], sites: Path, vectors: Path, folder: Path, model: Path) -> list[Record]:
    """Return the records of the questions with the model of a folder. Records of a site are stored in `folder` and reused."""
    folder.mkdir(parents=True, exist_ok=True)
    found: list[Record] = []
    with serve_folder(sites) as served:
        for site, group in by_site(questions).items():
            file = folder / f"{site}.pickle"
            if not file.is_file():
                asked = [*group, *_foreign(site, questions)]
                file.write_bytes(pickle.dumps(asyncio.run(_asked(asked, served.base, vectors, model))))
            found += pickle.loads(file.read_bytes())  # noqa: S301 - written by this program
    return found


def _foreign(site: str, questions: Sequence[Question]) -> list[Question]:
    """Return paraphrased questions about other sites, each for a page of this site that answers something."""
    pages = [question.seed_path for question in questions if question.site == site and question.gold]
    others = [group for name, group in by_site(questions).items() if name != site] if pages else []
    found = []
    for place, group in enumerate(others[:FOREIGN_QUESTIONS]):
        reworded = [question for question in group if question.gold and question.paraphrase] or group
        asked = reworded[3 * place % len(reworded)]
        page = pages[7 * place % len(pages)]
        found.append(replace(asked, id=f"{site}-{asked.id}", site=site, seed_path=page, gold=(), hops=0, form=FOREIGN))
    return found


async def _asked(questions: Sequence[Question], base: str, vectors: Path, model: Path) -> list[Record]:
    while True:
        embedder = CachingEmbedder(OnnxEmbedder(model), vectors)
        started = time.perf_counter()
        records = await _records(questions, base, embedder)
        seconds, made = time.perf_counter() - started, embedder.made
        print(f"{questions[0].site}: {len(records)} recorded, {made} embedded, {seconds:.0f} s", file=sys.stderr)
        if made <= NEW_SHARE * embedder.remembered:
            return records


async def _records(questions: Sequence[Question], base: str, embedder: CachingEmbedder) -> list[Record]:
    records = []
    async with engine_with(embedder, ALL_STAGES) as engine:
        budget = effective_budget(engine.settings, "")
        for question in questions:
            with _listening() as heard:
                started = time.perf_counter()
                url = f"{base}/{question.site}/{question.seed_path}"
                rounds = 0 if question.form == FOREIGN else None
                try:
                    result = await engine.run(Asked((url,), question.text, expansion_budget=rounds))
                except WebRAGError as error:
                    print(f"{question.id}: {error}", file=sys.stderr)
                    continue
            text = answer_text(result, budget=budget, count=engine.count_tokens, now=time.time())
            outcome = judge(question, text, error=False, ms=1000 * (time.perf_counter() - started))
            if heard.evidence is not None:
                records.append(_record(question, outcome, result, heard, heard.evidence))
    return records


def _record(
    question: Question, outcome: Outcome, result: OrchestrationResult, heard: _Heard, evidence: Evidence
) -> Record:
    best = heard.ranking.chunks[:RECORDED_CHUNKS]
    return Record(
        question,
        outcome,
        result,
        replace(evidence, ranked=evidence.ranked[:RECORDED_CHUNKS]),
        replace(heard.ranking, chunks=best),
        heard.cosines,
        {item.chunk.id: heard.matches[item.chunk.id] for item in best if item.chunk.id in heard.matches},
        heard.words,
        heard.pages,
        heard.freshness,
    )


def rendered(record: Record, chosen: Sequence[RetrievedChunk], budget: Budget, count: CountTokens) -> Outcome:
    """Return the outcome of the question with these passages chosen. The quotes come from the recorded result."""
    shown = {item.chunk.document_id: record.pages[item.chunk.document_id] for item in chosen}
    result = replace(
        record.result, chunks=grouped(chosen), images=images_beside(chosen, shown), freshness=record.freshness
    )
    text = answer_text(result, budget=budget, count=count, now=time.time())
    return judge(record.question, text, error=False, ms=0.0)
