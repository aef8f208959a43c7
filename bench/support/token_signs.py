"""Other formats of stored token vectors than the sign of every value of every token, and their effect on questions.

Neighbors are merged into one token by position or similarity, or fewer signs are stored for each. Punctuation has signs of its own. The
statistics of a format (mean, directions of variance, scale of its cosines) come from passages outside the questions.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.errors import WebRAGError
from app.library.records import Chunk, Passages, PassageToEmbed, passage_text
from app.orchestration.assembly import ContextSelector, grouped, images_beside
from app.orchestration.question import Question as Asked
from app.paths import assets_dir
from app.retrieval import evidence, rerank
from app.retrieval.evidence import likelihood
from app.retrieval.records import ALL_STAGES
from app.retrieval.rerank import LateInteractionReranker, Ranking
from app.server.calls.limits import effective_budget
from app.server.render.answer import answer_text
from support.in_process import engine_with
from support.judging import Outcome, judge
from support.questions import Question, by_site
from support.remembering import CachingEmbedder
from support.sites import serve_folder
from support.spans import holds_any
from support.token_states import States, TokenStates

Bits = NDArray[np.uint8]
Matrix = NDArray[np.float32]
BestMatches = Callable[[Matrix, Sequence[Bits]], Matrix]
DEPTH: Final = 10
SEED: Final = 2026


# Fewer tokens


def every(states: States) -> States:
    return states


def by_position(count: int) -> Callable[[States], States]:
    """Merge each `count` consecutive tokens."""

    def pooled(states: States) -> States:
        starts = np.arange(0, len(states), count)
        return np.asarray(np.add.reduceat(_unit(states), starts), np.float32) if len(states) else states

    return pooled


def by_likeness(count: int, *, neighbours: bool) -> Callable[[States], States]:
    """Merge the two most similar tokens until one of `count` is left, with `neighbours` only consecutive ones."""

    def pooled(states: States) -> States:
        sums, units = _unit(states), _unit(states)
        alive = np.ones(len(sums), bool)
        alike = units @ units.T
        np.fill_diagonal(alike, -np.inf)
        for _ in range(len(sums) - -(-len(sums) // count)):
            first, second = _most_alike(alike, alive) if neighbours else divmod(int(alike.argmax()), len(sums))
            sums[first] += sums[second]
            units[first] = _unit(sums[first])
            alive[second] = False
            row = units @ units[first]
            row[~alive] = row[first] = -np.inf
            alike[second] = alike[:, second] = -np.inf
            alike[first] = alike[:, first] = row
        return sums[alive]

    def begun(states: States) -> States:
        return pooled(states) if len(states) > 1 else states

    return begun


def _most_alike(alike: Matrix, alive: NDArray[np.bool_]) -> tuple[int, int]:
    """Return the most similar consecutive pair."""
    places = np.flatnonzero(alive)
    best = int(alike[places[:-1], places[1:]].argmax())
    return int(places[best]), int(places[best + 1])


def _unit(rows: Matrix) -> Matrix:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9), np.float32)


# Number of signs


@dataclass(slots=True)
class Spread:
    """Statistics of tokens: mean, and the variance of each value and each direction."""

    count: int = 0
    total: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    products: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))

    def add(self, states: States) -> None:
        rows = _unit(states).astype(np.float64)
        if not self.count:
            self.total, self.products = np.zeros(rows.shape[1]), np.zeros((rows.shape[1],) * 2)
        self.count += len(rows)
        self.total += rows.sum(axis=0)
        self.products += rows.T @ rows

    @property
    def mean(self) -> NDArray[np.float64]:
        return self.total / self.count

    @property
    def covariance(self) -> NDArray[np.float64]:
        return self.products / self.count - np.outer(self.mean, self.mean)

    def values(self, count: int) -> Matrix:
        """Return the `count` values with the largest variance as columns."""
        chosen = np.sort(np.argsort(-np.diag(self.covariance))[:count])
        return np.asarray(np.eye(len(self.total))[:, chosen], np.float32)

    def directions(self, count: int) -> Matrix:
        """Return the `count` directions with the largest variance, rotated randomly, so that all carry equal information."""
        _, found = np.linalg.eigh(self.covariance)
        turn, _ = np.linalg.qr(np.random.default_rng(SEED).normal(size=(count, count)))
        return np.asarray(found[:, ::-1][:, :count] @ turn, np.float32)


@dataclass(slots=True)
class Way:
    """One storage format. `scale` and `offset` map its cosines to the range of the current format, for which all bonuses are made."""

    name: str
    pooled: Callable[[States], States] = every
    columns: Matrix | None = None
    mean: Matrix | None = None
    scale: float = 1.0
    offset: float = 0.0
    seconds: float = 0.0
    """Time of comparisons, in one thread."""
    questions: int = 0
    bytes: int = 0
    passages: int = 0

    def bits(self, states: States) -> Bits:
        """Return the stored form: uint8 (tokens, signs / 8)."""
        rows = self.pooled(states)
        if self.mean is not None:
            rows = _unit(rows) - self.mean
        made = np.packbits((rows if self.columns is None else rows @ self.columns) > 0, axis=1)
        self.bytes += made.nbytes
        self.passages += 1
        return made

    def matches(self, best_matches: BestMatches, vectors: Matrix, passages: Sequence[Bits]) -> Matrix:
        """Return the result of `best_matches` for passages in this format."""
        started = time.thread_time()
        own = vectors if self.columns is None else _unit(vectors @ self.columns)
        found = best_matches(own, passages)
        self.seconds += time.thread_time() - started
        return np.asarray(self.scale * found + self.offset, np.float32)


def ways(spread: Spread) -> list[Way]:
    """Return the formats, the current one first."""
    mean = np.asarray(spread.mean, np.float32)
    found = [Way("as it is: all tokens, 384 signs")]
    found += [Way(f"{count}:1 by position", by_position(count)) for count in (2, 3)]
    found += [Way(f"{count}:1, neighbours alike", by_likeness(count, neighbours=True)) for count in (2, 3)]
    found += [Way(f"{count}:1, any alike", by_likeness(count, neighbours=False)) for count in (2, 3)]
    found += [Way(f"{count} signs: values", columns=spread.values(count)) for count in (256, 192, 128)]
    found += [Way(f"{n} signs: directions", columns=spread.directions(n), mean=mean) for n in (256, 192, 128)]
    found.append(
        Way("2:1, any similar, 256 directions", by_likeness(2, neighbours=False), spread.directions(256), mean)
    )
    return found


def fit_scale(
    kinds: Sequence[Way], queries: Sequence[Matrix], near: Sequence[Sequence[int]], made: Mapping[str, Sequence[Bits]]
) -> None:
    """Map the cosines of each format to the mean and variance of the current format among the nearest passages of these questions."""
    means: dict[str, list[Matrix]] = {way.name: [] for way in kinds}
    for vectors, places in zip(queries, near, strict=True):
        for way in kinds:
            found = way.matches(rerank.best_matches, vectors, [made[way.name][place] for place in places])
            means[way.name].append(found.mean(axis=1))
    today = means[kinds[0].name]
    for way in kinds:
        own = means[way.name]
        way.scale = float(np.mean([each.std() for each in today]) / np.mean([each.std() for each in own]))
        way.offset = float(np.mean(np.concatenate(today)) - way.scale * np.mean(np.concatenate(own)))
        way.seconds = 0.0


# Whole questions


@dataclass(frozen=True, slots=True)
class Done:
    """Outcome of one question with one format: the result for the assistant, and the graded order of passages."""

    outcome: Outcome
    gain: float


@dataclass(slots=True)
class _Last:
    """The last ranking of the current question, and the chosen evidence."""

    ranked: tuple[Any, ...] = ()
    chosen: tuple[Any, ...] = ()


@contextmanager
def _listening() -> Iterator[_Last]:
    last = _Last()
    ranked, chosen = LateInteractionReranker.rerank, ContextSelector.from_pages

    def hear_ranked(*given: Any) -> Ranking:
        last.ranked = given
        return ranked(*given)

    def hear_chosen(*given: Any) -> Any:
        last.chosen = given
        return chosen(*given)

    with (
        patch.object(LateInteractionReranker, "rerank", hear_ranked),
        patch.object(ContextSelector, "from_pages", hear_chosen),
    ):
        yield last


@dataclass(slots=True)
class Trial:
    """Asks questions in the engine and reranks the candidates of each in every format, including the current one."""

    kinds: Sequence[Way]
    states: TokenStates
    vectors: Path
    _made: dict[str, dict[str, Bits]] = field(default_factory=dict)

    def ask(self, questions: Sequence[Question], sites: Path) -> dict[str, list[Done]]:
        """Return the outcomes by format. Prints errors on stderr and leaves them out everywhere."""
        found: dict[str, list[Done]] = {way.name: [] for way in self.kinds}
        with serve_folder(sites) as served:
            for site, group in by_site(questions).items():
                started, before = time.perf_counter(), self.states.made
                self._made = {way.name: {} for way in self.kinds}
                for each in asyncio.run(self._of_site(group, served.base)):
                    for name, done in each.items():
                        found[name].append(done)
                seconds, made = time.perf_counter() - started, self.states.made - before
                print(f"{site}: {len(group)} asked, tokens of {made} passages made, {seconds:.0f} s", file=sys.stderr)
        return found

    async def _of_site(self, questions: Sequence[Question], base: str) -> list[dict[str, Done]]:
        found = []
        embedder = CachingEmbedder(OnnxEmbedder(assets_dir() / "model"), self.vectors)
        async with engine_with(embedder, ALL_STAGES) as engine:
            for question in questions:
                with _listening() as last:
                    try:
                        asked = Asked((f"{base}/{question.site}/{question.seed_path}",), question.text)
                        result = await engine.run(asked)
                    except WebRAGError as error:
                        print(f"{question.id}: {error}", file=sys.stderr)
                        continue
                if last.chosen and last.ranked:
                    found.append({way.name: self._again(way, engine, question, last, result) for way in self.kinds})
        return found

    def _again(self, way: Way, engine: Engine, question: Question, last: _Last, result: Any) -> Done:
        selector, run, before, documents = last.chosen
        analysis, queries, candidates, *rest = last.ranked[1:]
        own, best_matches = LateInteractionReranker._bits, rerank.best_matches
        origins = rest[0] if rest else rerank.ANYWHERE

        def bits(reranker: LateInteractionReranker, found: Passages) -> dict[int, Bits]:
            seen = own(reranker, found)
            return self._bits(way, [chunk for chunk in found.chunks if chunk.id in seen])

        with (
            patch.object(LateInteractionReranker, "_bits", bits),
            patch.object(rerank, "best_matches", lambda *given: way.matches(best_matches, *given)),
        ):
            ranking = LateInteractionReranker.rerank(last.ranked[0], analysis, queries, candidates, *rest)
        way.questions += 1
        ranked = evidence._each_text_once(ranking.chunks, origins)
        likely = likelihood(analysis.query, ranking) if before.likelihood is not None else None
        mode, chosen = ContextSelector.from_pages(
            selector, run, replace(before, ranked=ranked, likelihood=likely), documents
        )
        shown = documents.of(item.chunk.document_id for item in chosen)
        # Without quotes, which were chosen with the current tokens.
        images = images_beside(chosen, shown)
        again = replace(result, mode=mode, chunks=grouped(chosen), citations=(), images=images)
        budget = effective_budget(engine.settings, "")
        text = answer_text(again, budget=budget, count=engine.count_tokens, now=time.time())
        order = [holds_any(item.chunk.text, question.gold) for item in ranked]
        return Done(judge(question, text, error=False, ms=0.0), gain(order))

    def _bits(self, way: Way, chunks: Iterable[Chunk]) -> dict[int, Bits]:
        known, found = self._made[way.name], {}
        for chunk in chunks:
            text = passage_text(
                PassageToEmbed(chunk.id, chunk.document_id, chunk.title, chunk.section_path, chunk.text)
            )
            if text not in known:
                states = self.states.of(text)
                for each in self.kinds:
                    self._made[each.name][text] = each.bits(states)
            found[chunk.id] = known[text]
        return {chunk_id: made for chunk_id, made in found.items() if len(made)}


def gain(order: Sequence[bool], depth: int = DEPTH) -> float:
    """Return the normalized discounted cumulative gain of ranked passages, by whether each answers."""
    discounts = 1 / np.log2(np.arange(depth) + 2)
    best = float(discounts[: sum(order)].sum())
    return float(np.dot(order[:depth], discounts[: len(order[:depth])])) / best if best else 0.0
