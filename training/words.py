"""Estimate which words of passages lead to which words of questions, for app/retrieval/asked_words.py.

    python training/words.py [OUT] [--cache FOLDER]

Writes the table to OUT, by default assets/asked_words.txt. Expectation maximization for model 1 of Brown et al. (1993), with the
distinct words of a passage and a word that stands for everything else. Then it asks the questions about the two held-out sites among
their passages, by late interaction alone and with the table. It prints how often the answer is first and among the first five, and the
mean reciprocal rank. It trains no model and takes a few minutes.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

HERE: Final = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "bench")]

from app.paths import assets_dir  # noqa: E402
from app.retrieval.asked_words import TABLE, count_stems, explain  # noqa: E402
from app.retrieval.rerank import ASKED_SHARE, CEILING, FLOOR, best_matches, word_share  # noqa: E402
from data import QUESTIONS, Passage, read_site, shipped_model  # noqa: E402
from docqa.sites import default_cache  # noqa: E402

HELD_OUT: Final = ("tornado", "varnish")
ROUNDS: Final = 5
LEAST_SITES: Final = 5
"""A word, and a pair of words, must occur in questions about at least so many sites, so that the table has no names."""
LEAST_COUNT: Final = 3
REST_SHARE: Final = 0.1
LEAST_PROBABILITY: Final = 0.01
LEAST_EXPECTED: Final = 1.0
Pair = tuple[str, list[str], list[str]]
HEAD: Final = """\
# Stems of questions, each followed by stems of passages with the probability that they lead to it (app/retrieval/asked_words.py).
# Made by training/words.py from training/questions.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?", default=assets_dir() / TABLE)
    parser.add_argument("--cache", type=Path, default=default_cache())
    options = parser.parse_args()
    names = sorted(file.stem for file in QUESTIONS.glob("*.jsonl"))
    embedder = shipped_model()
    pairs = [
        (name, list(count_stems(question)), list(count_stems(passage.embedded)))
        for name in names
        if name not in HELD_OUT
        for passage in read_site(name, options.cache, embedder)
        for question in passage.questions
    ]
    table = estimate(pairs)
    lines = (" ".join([asked, *(f"{word} {p:.3g}" for word, p in table[asked])]) for asked in sorted(table))
    options.out.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")
    print(f"{len(pairs)} questions, {len(table)} asked words, {sum(map(len, table.values()))} pairs", flush=True)
    judge([passage for name in HELD_OUT for passage in read_site(name, options.cache, embedder)])


def estimate(pairs: list[Pair]) -> dict[str, list[tuple[str, float]]]:
    """Return the words that lead to each asked word, most likely first."""
    asked = _vocabulary((site, words) for site, words, _ in pairs)
    read = _vocabulary((site, words) for site, _, words in pairs)
    sites = {site: number for number, site in enumerate(sorted({site for site, *_ in pairs}))}
    rows, shares, groups, origins = [], [], [], []
    for site, question, passage in pairs:
        words = np.array([0, *(1 + read[word] for word in passage if word in read)])
        share = np.ones(len(words))
        share[0] = REST_SHARE * (len(words) - 1)
        for word in question:
            if word in asked and len(words) > 1:
                rows.append(asked[word] * (len(read) + 1) + words)
                shares.append(share / share.sum())
                groups.append(np.full(len(words), len(groups)))
                origins.append(np.full(len(words), sites[site]))
    keys, links = np.unique(np.concatenate(rows), return_inverse=True)
    share, group = np.concatenate(shares), np.concatenate(groups)
    supporting = np.unique(links * len(sites) + np.concatenate(origins)) // len(sites)
    is_kept = ((np.bincount(supporting) >= LEAST_SITES) | (keys % (len(read) + 1) == 0))[links]
    links, share, group = links[is_kept], share[is_kept], group[is_kept]
    passage_words = keys % (len(read) + 1)
    probability = np.ones(len(keys))
    expected = probability
    for _ in range(ROUNDS):
        likely = probability[links] * share
        likely /= np.bincount(group, likely)[group]
        expected = np.bincount(links, likely, minlength=len(keys))
        probability = expected / np.maximum(np.bincount(passage_words, expected)[passage_words], np.finfo(float).tiny)
    asked_names, read_names = list(asked), list(read)
    table: dict[str, list[tuple[str, float]]] = {}
    for i in np.lexsort((keys, -probability)):
        if passage_words[i] and probability[i] >= LEAST_PROBABILITY and expected[i] >= LEAST_EXPECTED:
            word = asked_names[keys[i] // (len(read) + 1)]
            table.setdefault(word, []).append((read_names[passage_words[i] - 1], float(probability[i])))
    return table


def _vocabulary(texts: Iterator[tuple[str, list[str]]]) -> dict[str, int]:
    """Return numbers for the words that occur often enough and on enough sites."""
    counts: Counter[str] = Counter()
    sites: dict[str, set[str]] = {}
    for site, words in texts:
        counts.update(words)
        for word in words:
            sites.setdefault(word, set()).add(site)
    kept = sorted(word for word, count in counts.items() if count >= LEAST_COUNT and len(sites[word]) >= LEAST_SITES)
    return {word: number for number, word in enumerate(kept)}


def judge(passages: list[Passage]) -> None:
    """Print the places of the answers among the passages."""
    embedder = shipped_model()
    bits = [embedder.embed_passage(passage.embedded).token_bits for passage in passages]
    texts = [passage.embedded for passage in passages]
    places: dict[str, list[int]] = {"late interaction": [], "with the table": []}
    for number, passage in enumerate(passages):
        for question in passage.questions:
            query = embedder.embed_query(question)
            close = best_matches(query.token_vectors, bits) @ word_share(query)
            # Only the candidates of a search are compared by words.
            best = np.argsort(-close)[:80]
            mixed = (close - FLOOR) / (CEILING - FLOOR)
            mixed[best] += ASKED_SHARE * explain(question, [texts[i] for i in best])
            for name, scores in zip(places, (close, mixed), strict=True):
                places[name].append(1 + int((scores > scores[number]).sum()))
    for name, found in places.items():
        place = np.array(found)
        first, five, rank = 100 * (place == 1).mean(), 100 * (place <= 5).mean(), (1 / place).mean()
        print(
            f"{name}: {len(place)} questions, first {first:.1f} %, top five {five:.1f} %, mean reciprocal rank {rank:.3f}"
        )


if __name__ == "__main__":
    main()
