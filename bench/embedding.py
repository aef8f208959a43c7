"""The embedding model on question and passage pairs: threshold, retrieval by vectors alone, speed.

    python bench/embedding.py --pairs FOLDER [--json] [--limit N]

FOLDER holds passages.jsonl ("id", "text") and questions.jsonl ("question", "passage_id"), plain or as .xz.
The similarity threshold in the model card is to let at least 95 % of the pairs pass. One thread.
"""

from __future__ import annotations

import argparse
import json
import lzma
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from app.embed.onnx import OnnxEmbedder
from app.paths import assets_dir
from support.report import Row, median, print_report

Matrix = NDArray[np.float32]
WANTED_SHARE = 0.95


def read_rows(folder: Path, name: str) -> list[dict[str, str]]:
    """The rows of NAME.jsonl or NAME.jsonl.xz; ends the program when there is neither."""
    plain, packed = folder / f"{name}.jsonl", folder / f"{name}.jsonl.xz"
    if plain.is_file():
        text = plain.read_text(encoding="utf-8")
    elif packed.is_file():
        text = lzma.decompress(packed.read_bytes()).decode("utf-8")
    else:
        raise SystemExit(f"{plain} is not there (nor as .xz)")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def timed_vectors(embed: Callable[[str], Matrix], texts: Sequence[str]) -> tuple[Matrix, list[float]]:
    """Vectors as rows, and the milliseconds each took."""
    rows, times = [], []
    for text in texts:
        started = time.perf_counter()
        rows.append(embed(text))
        times.append(1000 * (time.perf_counter() - started))
    return np.array(rows, np.float32), times


def measure(folder: Path, limit: int | None) -> list[Row]:
    """Embed everything with the model that ships and compare each question with every passage."""
    passages, questions = read_rows(folder, "passages"), read_rows(folder, "questions")[:limit]
    place = {row["id"]: index for index, row in enumerate(passages)}
    answers = np.array([place[row["passage_id"]] for row in questions])
    embedder = OnnxEmbedder(assets_dir() / "model")
    embedder.embed_query("warm up")
    passage_vectors, passage_ms = timed_vectors(
        lambda text: embedder.embed_passage(text).vector, [row["text"] for row in passages]
    )
    query_vectors, query_ms = timed_vectors(
        lambda text: embedder.embed_query(text).vector, [row["question"] for row in questions]
    )
    threshold = embedder.card.similarity_threshold
    embedder.close()
    return [
        *quality(query_vectors @ passage_vectors.T, answers, threshold),
        {"what": "passages per second, one thread", "value": 1000 * len(passage_ms) / sum(passage_ms)},
        {"what": "query embedding p50 (ms)", "value": median(query_ms)},
    ]


def quality(scores: Matrix, answers: NDArray[np.intp], threshold: float) -> list[Row]:
    """Figures from cosines (questions, passages) and the place of each question's own passage."""
    positive = scores[np.arange(len(answers)), answers]
    rank = (scores > positive[:, None]).sum(axis=1)
    gain = np.where(rank < 10, 1 / np.log2(rank + 2), 0.0)
    highest = np.quantile(positive, 1 - WANTED_SHARE)
    return [
        {"what": "pairs", "value": len(answers)},
        {"what": "threshold in the model card", "value": str(threshold)},
        {
            "what": "pairs that pass it (%)",
            "value": 100 * float((positive >= threshold).mean()),
            "goal": ">= 95",
        },
        {"what": "highest threshold that 95 % pass", "value": f"{highest:.3f}"},
        {
            "what": "passages that pass it, per question",
            "value": float((scores >= threshold).sum(axis=1).mean()),
        },
        {"what": "recall@1, vectors alone (%)", "value": 100 * float((rank == 0).mean())},
        {"what": "nDCG@10, vectors alone (%)", "value": 100 * float(gain.mean())},
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure the bundled embedding model on question and passage pairs.")
    parser.add_argument("--pairs", type=Path, required=True, help="folder with passages.jsonl and questions.jsonl")
    parser.add_argument("--limit", type=int, help="use only the first N questions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    print_report(measure(args.pairs, args.limit), as_json=args.json, title="Embedding model")
    return 0


if __name__ == "__main__":
    sys.exit(main())
