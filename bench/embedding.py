"""The embedding model on question and passage pairs: threshold, ranking by vectors and by late interaction, speed.

    python bench/embedding.py --pairs FOLDER... [--model FOLDER...] [--json] [--limit N]

FOLDER holds passages.jsonl ("id", "text") and questions.jsonl ("question" and "passage_id", or "rels": the grade of each passage that
answers), plain or as .xz. The similarity threshold in the model card is to let at least 95 % of the pairs pass. One thread. With several
models (the bundled one when none is named) each set is asked of all.

Late interaction orders the NEAREST passages by vectors, as the program does; "joined" adds its standard scores to those of the vectors.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from app.retrieval.rerank import best_matches, word_share
from support.report import Row, median, print_report

Matrix = NDArray[np.float32]
Made = TypeVar("Made")
Gold = Sequence[dict[int, float]]
"""Of each question the grades of the passages that answer it, by their place."""
WANTED_SHARE = 0.95
NEAREST = 50


def read_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """The rows of NAME.jsonl or NAME.jsonl.xz; ends the program when there is neither."""
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.xz"
    if plain.is_file():
        text = plain.read_text(encoding="utf-8")
    elif packed.is_file():
        text = lzma.decompress(packed.read_bytes()).decode("utf-8")
    else:
        raise SystemExit(f"{plain} is not there (nor as .xz)")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def grades(question: dict[str, Any], place: dict[str, int]) -> dict[int, float]:
    """The grades of the passages that answer; those that are not in the set are left out."""
    named = question.get("rels") or {question["passage_id"]: 1}
    return {place[name]: float(grade) for name, grade in named.items() if name in place and grade > 0}


def timed(embed: Callable[[str], Made], texts: Sequence[str]) -> tuple[list[Made], list[float]]:
    """What is made of the texts, and the milliseconds each took."""
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
        {"what": "query embedding p50 (ms)", "value": median(query_ms)},
    ]


def _standard(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    spread: NDArray[np.float32] = (scores - scores.mean()) / max(float(scores.std()), 1e-6)
    return spread


def ndcg(scores: Matrix, gold: Gold, depth: int = 10) -> float:
    """Mean normalised discounted cumulative gain of the first `depth` by scores, shape (questions, passages)."""
    discounts = 1 / np.log2(np.arange(depth) + 2)
    gains = []
    for row, grade in zip(scores, gold, strict=True):
        found = [grade.get(int(index), 0.0) for index in np.argsort(-row)[:depth]]
        best = sorted(grade.values(), reverse=True)[:depth]
        gains.append(float(np.dot(found, discounts[: len(found)]) / np.dot(best, discounts[: len(best)])))
    return float(np.mean(gains))


def quality(scores: Matrix, gold: Gold, threshold: float) -> list[Row]:
    """Figures from cosines (questions, passages) and what answers each question."""
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


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure embedding models on question and passage pairs.")
    parser.add_argument("--pairs", type=Path, nargs="+", required=True, help="passages.jsonl and questions.jsonl")
    parser.add_argument(
        "--model", type=Path, nargs="+", default=[assets_dir() / "model"], help="instead of the bundled one"
    )
    parser.add_argument("--limit", type=int, help="use only the first N questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    for folder in args.pairs:
        for model in args.model:
            title = f"Embedding model {model.name} on {folder.name}"
            print_report(measure(folder, model, args.limit), as_json=args.json, title=title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
