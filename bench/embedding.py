"""The embedding model on pairs of questions and passages: threshold, ranking by vectors and by late interaction, speed.

    python bench/embedding.py --pairs FOLDER... [--model FOLDER...] [--json] [--limit N]
    python bench/embedding.py --signs --pairs FOLDER... [--docqa development] [--cache FOLDER] [--embeddings FILE] [--states FILE] [--json]

FOLDER contains passages.jsonl ("id", "text") and questions.jsonl ("question" and "passage_id", or "rels": the grade of each answering
passage), plain or as .xz. At least 95 % of the pairs must pass the similarity threshold in the model card. Uses one thread. With several
models (default: the bundled one), every model is tested with each set.

--signs compares other formats of stored tokens with the current one (`support/token_signs.py`): size, CPU time of the comparison and, with
sign tests, the ranks of the answers. The passages of --pairs provide the training data of a format and the scale of its cosines. The
questions of bench/docqa are asked in this process as in `answer`, and each format reranks the candidates of the last ranking. The given
files cache vectors and token vectors (110 KB per passage).

Late interaction ranks the NEAREST passages by vectors, as the program does. "joined" adds its standard scores to the vectors' scores.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import json
import lzma
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import QueryEmbedding
from app.embed.onnx import OnnxEmbedder
from app.embed.threads import usable_cores
from app.paths import assets_dir
from app.retrieval.rerank import best_matches, word_share
from support.pairs import sign_test
from support.questions import add_arguments, data_is_missing, read_questions
from support.remembering import CachingEmbedder
from support.report import Row, median, print_report
from support.token_signs import Bits, Done, Spread, Trial, Way, fit_scale, ways
from support.token_states import TokenStates

Matrix = NDArray[np.float32]
Made = TypeVar("Made")
Gold = Sequence[dict[int, float]]
"""For each question, the grades of the answering passages by index."""
Figures = dict[str, Sequence[float]]
"""For each measure, the values of the questions in order."""
WANTED_SHARE = 0.95
NEAREST = 50
TOP = 5
SPEED_PASSAGES = 200
FITTED_QUESTIONS = 300
"""Questions per set of pairs that fit the scale of a format's cosines."""


def read_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of NAME.jsonl or NAME.jsonl.xz. Exits if neither exists."""
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.xz"
    if plain.is_file():
        text = plain.read_text(encoding="utf-8")
    elif packed.is_file():
        text = lzma.decompress(packed.read_bytes()).decode("utf-8")
    else:
        raise SystemExit(f"{plain} does not exist (nor as .xz)")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def grades(question: dict[str, Any], place: dict[str, int]) -> dict[int, float]:
    """Return the grades of the answering passages. Ignores passages outside the set."""
    named = question.get("rels") or {question["passage_id"]: 1}
    return {place[name]: float(grade) for name, grade in named.items() if name in place and grade > 0}


def timed(embed: Callable[[str], Made], texts: Sequence[str]) -> tuple[list[Made], list[float]]:
    """Return the results for the texts and the milliseconds of each."""
    made, times = [], []
    for text in texts:
        started = time.perf_counter()
        made.append(embed(text))
        times.append(1000 * (time.perf_counter() - started))
    return made, times


def measure(folder: Path, model: Path, limit: int | None) -> list[Row]:
    """Embed everything and compare each question with every passage."""
    passages, questions = read_rows(folder, "passages"), read_rows(folder, "questions")[:limit]
    place = {row["id"]: index for index, row in enumerate(passages)}
    asked = [(row["question"], gold) for row in questions if (gold := grades(row, place))]
    embedder = OnnxEmbedder(model)
    embedder.embed_query("warm up")
    passage_made, passage_ms = timed(embedder.embed_passage, [row["text"] for row in passages])
    query_made, query_ms = timed(embedder.embed_query, [text for text, _ in asked])
    threshold = embedder.card.similarity_threshold
    speeds = thread_speeds(embedder, [row["text"] for row in passages])
    embedder.close()
    scores = np.array([made.vector for made in query_made]) @ np.array([made.vector for made in passage_made]).T
    late, joined = np.full_like(scores, -np.inf), np.full_like(scores, -np.inf)
    for row, query in enumerate(query_made):
        near = np.argsort(-scores[row])[:NEAREST]
        close = best_matches(query.token_vectors, [passage_made[index].token_bits for index in near]) @ word_share(
            query
        )
        late[row, near] = close
        joined[row, near] = _standard(close) + _standard(scores[row, near])
    graded = [gold for _, gold in asked]
    return [
        *quality(scores, graded, threshold),
        {"what": "nDCG@10, late interaction (%)", "value": 100 * ndcg(late, graded)},
        {"what": "nDCG@10, joined (%)", "value": 100 * ndcg(joined, graded)},
        {"what": "passages per second, one thread", "value": 1000 * len(passage_ms) / sum(passage_ms)},
        *speeds,
        {"what": "query embedding p50 (ms)", "value": median(query_ms)},
    ]


def thread_speeds(embedder: OnnxEmbedder, texts: Sequence[str]) -> list[Row]:
    """Return the speed on more threads, up to the usable cores, and its share of that many times the speed on one.

    The processor time of a passage shows the cost of threads on a busy machine, too.
    """
    rows: list[Row] = []
    single = 0.0
    sample = list(texts[:SPEED_PASSAGES])
    for count in range(1, usable_cores() + 1):
        with ThreadPoolExecutor(count) as threads:
            started, processor = time.perf_counter(), time.process_time()
            list(threads.map(embedder.embed_passages, [sample[start::count] for start in range(count)]))
            speed = len(sample) / (time.perf_counter() - started)
            used = 1000 * (time.process_time() - processor) / len(sample)
        single = single or speed
        rows.append({"what": f"CPU ms per passage, {count} {'threads' if count > 1 else 'thread'}", "value": used})
        if count > 1:
            rows.append({"what": f"passages per second, {count} threads", "value": speed})
            rows.append({"what": f"efficiency of {count} threads (%)", "value": 100 * speed / (count * single)})
    return rows


def _standard(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    spread: NDArray[np.float32] = (scores - scores.mean()) / max(float(scores.std()), 1e-6)
    return spread


def ndcg(scores: Matrix, gold: Gold, depth: int = 10) -> float:
    """Return the mean NDCG of the first `depth` passages by scores, shape (questions, passages)."""
    discounts = 1 / np.log2(np.arange(depth) + 2)
    gains = []
    for row, grade in zip(scores, gold, strict=True):
        found = [grade.get(int(index), 0.0) for index in np.argsort(-row)[:depth]]
        best = sorted(grade.values(), reverse=True)[:depth]
        gains.append(float(np.dot(found, discounts[: len(found)]) / np.dot(best, discounts[: len(best)])))
    return float(np.mean(gains))


def quality(scores: Matrix, gold: Gold, threshold: float) -> list[Row]:
    """Return figures from cosines (questions, passages) and the answers of each question."""
    positive = np.array([row[index] for row, grade in zip(scores, gold, strict=True) for index in grade])
    first = [int(row.argmax()) in grade for row, grade in zip(scores, gold, strict=True)]
    highest = np.quantile(positive, 1 - WANTED_SHARE)
    return [
        {"what": "questions", "value": len(gold)},
        {"what": "threshold in the model card", "value": str(threshold)},
        {"what": "pairs that pass it (%)", "value": 100 * float((positive >= threshold).mean()), "goal": ">= 95"},
        {"what": "highest threshold that 95 % pass", "value": f"{highest:.3f}"},
        {"what": "passages that pass it, per question", "value": float((scores >= threshold).sum(axis=1).mean())},
        {"what": "recall@1, vectors alone (%)", "value": 100 * float(np.mean(first))},
        {"what": "nDCG@10, vectors alone (%)", "value": 100 * ndcg(scores, gold)},
    ]


@dataclass(frozen=True)
class PairSet:
    """One folder of pairs with all embeddings: the tokens of each question and the indexes of the nearest passages."""

    name: str
    gold: Gold
    queries: list[QueryEmbedding]
    scores: Matrix
    near: list[list[int]]
    texts: list[str]


def embedded(folder: Path, embedder: CachingEmbedder, limit: int) -> PairSet:
    passages, questions = read_rows(folder, "passages"), read_rows(folder, "questions")[: limit or None]
    place = {row["id"]: index for index, row in enumerate(passages)}
    asked = [(row["question"], gold) for row in questions if (gold := grades(row, place))]
    texts = [row["text"] for row in passages]
    queries = [embedder.embed_query(text) for text, _ in asked]
    vectors = np.array([embedder.embed_passage(text).vector for text in texts])
    scores = np.array([query.vector for query in queries]) @ vectors.T
    near = [[int(index) for index in np.argsort(-row)[:NEAREST]] for row in scores]
    return PairSet(folder.name, [gold for _, gold in asked], queries, scores, near, texts)


def signs_rows(sets: Sequence[PairSet], states: TokenStates) -> tuple[list[Way], dict[str, list[Row]]]:
    """Return the trained and fitted formats, and rows by set."""
    spread = Spread()
    for text in {text for each in sets for text in each.texts}:
        spread.add(states.of(text))
    kinds = ways(spread)
    made = [_stored(kinds, each.texts, states) for each in sets]
    near = [
        [place + start for place in places]
        for each, start in zip(sets, _starts(sets), strict=True)
        for places in each.near[:FITTED_QUESTIONS]
    ]
    together = {way.name: [bits for each in made for bits in each[way.name]] for way in kinds}
    tokens = [query.token_vectors for each in sets for query in each.queries[:FITTED_QUESTIONS]]
    fit_scale(kinds, tokens, near, together)
    return kinds, {each.name: _pair_rows(kinds, each, bits) for each, bits in zip(sets, made, strict=True)}


def _starts(sets: Sequence[PairSet]) -> list[int]:
    return [sum(len(each.texts) for each in sets[:number]) for number in range(len(sets))]


def _stored(kinds: Sequence[Way], texts: Sequence[str], states: TokenStates) -> dict[str, list[Bits]]:
    found: dict[str, list[Bits]] = {way.name: [] for way in kinds}
    for text in texts:
        own = states.of(text)
        for way in kinds:
            found[way.name].append(way.bits(own))
    return found


def _pair_rows(kinds: Sequence[Way], pairs: PairSet, made: dict[str, list[Bits]]) -> list[Row]:
    rows: list[Row] = []
    today: Figures | None = None
    for way in kinds:
        joined = np.full_like(pairs.scores, -np.inf)
        before = way.seconds
        for row, (query, near) in enumerate(zip(pairs.queries, pairs.near, strict=True)):
            close = way.matches(
                best_matches, query.token_vectors, [made[way.name][place] for place in near]
            ) @ word_share(query)
            joined[row, near] = _standard(close) + _standard(pairs.scores[row, near])
        gains = [ndcg(joined[row : row + 1], pairs.gold[row : row + 1]) for row in range(len(joined))]
        places = [_place(row, grade) for row, grade in zip(joined, pairs.gold, strict=True)]
        figures: Figures = {
            "first %": [place == 1 for place in places],
            "top 5 %": [0 < place <= TOP for place in places],
            "nDCG@10 %": gains,
        }
        today = today or figures
        row_of = _row(way, figures, today)
        rows.append({**row_of, "comparing ms": 1000 * (way.seconds - before) / len(joined)})
    return rows


def _place(scores: NDArray[np.float32], grade: dict[int, float]) -> int:
    order = np.argsort(-scores)[:NEAREST]
    return next((place for place, index in enumerate(order, 1) if int(index) in grade), 0)


def _row(way: Way, figures: Figures, today: Figures) -> Row:
    """Return means in percent, with the numbers of better and worse questions than now, and the p-value."""
    row: dict[str, object] = {"way": way.name, "bytes a passage": f"{way.bytes / max(1, way.passages):.0f}"}
    for name, values in figures.items():
        better = sum(own > other for own, other in zip(values, today[name], strict=True))
        worse = sum(own < other for own, other in zip(values, today[name], strict=True))
        row[name] = 100 * float(np.mean([float(value) for value in values])) if values else 0.0
        row[f"{name[:-2]}: +, -, p"] = f"{better}, {worse}, {sign_test(better, worse):.3f}"
    return row


def docqa_rows(kinds: Sequence[Way], done: dict[str, list[Done]]) -> list[Row]:
    """Return rows for whole questions with an answer, and how many others were reported as not found."""
    figures: dict[str, Figures] = {}
    for name, each in done.items():
        answerable = [one for one in each if one.outcome.question.gold]
        others = [one for one in each if not one.outcome.question.gold]
        figures[name] = {
            "hit %": [one.outcome.hit for one in answerable],
            "first %": [one.outcome.place == 1 for one in answerable],
            "top 5 %": [0 < one.outcome.place <= TOP for one in answerable],
            "nDCG@10 %": [one.gain for one in answerable],
            "said none, no answer %": [one.outcome.said_none for one in others],
        }
    today = figures[kinds[0].name]
    rows = [_row(way, figures[way.name], today) for way in kinds]
    return [
        {**row, "comparing ms": 1000 * way.seconds / max(1, way.questions)}
        for row, way in zip(rows, kinds, strict=True)
    ]


def measure_signs(args: argparse.Namespace) -> None:
    """Print the effect of other formats of stored tokens."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        model = OnnxEmbedder(args.model[0])
        vectors = args.embeddings or Path(folder) / "vectors.db"
        embedder, states = CachingEmbedder(model, vectors), TokenStates(model, args.states)
        kinds, rows = signs_rows([embedded(each, embedder, args.limit) for each in args.pairs], states)
        for name, found in rows.items():
            print_report(found, as_json=args.json, title=f"Ways of storing tokens: {name}")
        if args.docqa or args.questions:
            for way in kinds:
                way.seconds, way.bytes, way.passages, way.questions = 0.0, 0, 0, 0
            questions = read_questions(args.questions, sites=args.only_site, limit=args.limit)
            done = Trial(kinds, states, vectors).ask(questions, args.sites)
            asked = len(done[kinds[0].name])
            print_report(
                docqa_rows(kinds, done), as_json=args.json, title=f"Ways of storing tokens: {asked} whole questions"
            )
        states.close()
        embedder.close()


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure embedding models on question and passage pairs.")
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="passages.jsonl and questions.jsonl")
    parser.add_argument(
        "--model", type=Path, nargs="+", default=[assets_dir() / "model"], help="instead of the bundled one"
    )
    parser.add_argument("--signs", action="store_true", help="compare formats of stored passage tokens")
    parser.add_argument("--embeddings", type=Path, metavar="FILE", help="cache of vectors")
    parser.add_argument("--states", type=Path, metavar="FILE", help="cache of token vectors")
    add_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    if args.signs:
        if args.docqa == "test" or ((args.docqa or args.sites) and data_is_missing(args)):
            return 2
        measure_signs(args)
        return 0
    for folder in args.pairs:
        for model in args.model:
            title = f"Embedding model {model.name} on {folder.name}"
            print_report(measure(folder, model, args.limit or None), as_json=args.json, title=title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
