"""Train the low-rank difference of the embedding model.

    python training/train.py OUT --weights model.safetensors --tokenizer tokenizer.json [--general FILE...]

Each step uses passages of all sites: some with questions that they answer, often about the same subject, and others that the shipped
model mistakes for answers. It compares every question with all of them. The loss is the loss of the correct passage by late interaction,
plus a smaller share by the vectors of whole texts. Those vectors stay close to the shipped model, because thresholds elsewhere use their
cosines. Token states and vectors of other texts, the lines of --general, stay close as well, so that training on documentation does not
cost quality elsewhere. From lines with a "|", only the text after it is used, as in the data files of WordNet.
OUT.safetensors contains the difference. --steps 20 is a quick test.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
import torch
from torch.nn import functional as F

HERE: Final = Path(__file__).parent
sys.path.insert(0, str(HERE))

from data import QUESTIONS, Passage, read_library  # noqa: E402
from docqa.sites import default_cache  # noqa: E402
from model import Encoder, closeness, encode, open_tokenizer  # noqa: E402

HELD_OUT: Final = ("tornado", "varnish")
ASKED: Final = 16
WRONG: Final = 16
RATE: Final = 5e-4
WARM_STEPS: Final = 40
SHARPNESS: Final = 40.0
VECTOR_SHARPNESS: Final = 20.0
VECTOR_SHARE: Final = 0.3
NEAR_SHARE: Final = 0.7
TITLE_SHARE: Final = 0.3
"""Share of questions that follow the title of the page, as in the second pass of the program."""
ALIKE_SHARE: Final = 0.6
"""Share of steps whose questions are about the same subject, so that the other answers are wrong answers that are hard to tell apart."""
GENERAL: Final = 24
"""Other texts per step, of one to seven lines."""
GENERAL_LINES: Final = (1, 1, 2, 4, 7)
GENERAL_SHARE: Final = 2.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument(
        "--general", type=Path, nargs="*", default=[], help="lines of other texts whose token states must not change"
    )
    parser.add_argument("--start", type=Path, help="difference to continue from")
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--steps", type=int, default=1_500)
    parser.add_argument("--every", type=int, default=250, help="steps between evaluations on the held-out sites")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", nargs="*", help="only these sites, and the held-out ones")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    tokenizer, encoder = open_tokenizer(args.tokenizer), Encoder(args.weights)
    if args.start:
        encoder.load_difference(args.start)
    general = [line for file in args.general for line in _lines(file)]
    shipped = Encoder(args.weights) if general else None
    names = sorted({*(args.sites or (file.stem for file in QUESTIONS.glob("*.jsonl")))} - {*HELD_OUT})
    held = read_library(HELD_OUT, args.cache)
    library = read_library(names, args.cache)
    print(f"{len(library)} passages, {sum(len(p.questions) for p in library)} questions", flush=True)
    learned = [p for p in encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=RATE)
    chance = random.Random(args.seed)
    begun = time.monotonic()
    for step, asked in enumerate(_batches(library, chance)):
        if step % args.every == 0 or step == args.steps:
            encoder.save_difference(args.out.with_suffix(".safetensors"))
            print(f"step {step}, {time.monotonic() - begun:.0f} s:", _held_out(encoder, tokenizer, held), flush=True)
        if step == args.steps:
            break
        warm = min(1.0, (step + 1) / WARM_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = RATE * warm * (1 + math.cos(math.pi * step / args.steps)) / 2
        optimiser.zero_grad()
        loss = _loss(encoder, tokenizer, library, asked, chance)
        if shipped is not None:
            loss = loss + GENERAL_SHARE * _away(encoder, shipped, tokenizer, general, chance)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()


def _batches(library: list[Passage], chance: random.Random) -> Iterator[list[int]]:
    """Yield the numbers of ASKED passages with questions, endlessly: at random, or those whose questions are alike."""
    asked = [i for i, passage in enumerate(library) if passage.questions]
    vectors = np.array([library[i].asked for i in asked])
    while True:
        left = list(range(len(asked)))
        chance.shuffle(left)
        while len(left) >= ASKED:
            if chance.random() < ALIKE_SHARE:
                near = np.argsort(-(vectors[left] @ vectors[left[0]]))[:ASKED]
                chosen = [left[k] for k in near]
            else:
                chosen = left[:ASKED]
            left = [k for k in left if k not in set(chosen)]
            yield [asked[k] for k in chosen]


def _loss(encoder: Encoder, tokenizer, pool: list[Passage], asked: list[int], chance: random.Random) -> torch.Tensor:
    others = sorted({i for number in asked for i in pool[number].wrong} - set(asked))
    shown = [*asked, *chance.sample(others, min(WRONG, len(others)))]
    texts, skipped, right = [], [], []
    for place, number in enumerate(asked):
        for question in pool[number].questions:
            title = f"{pool[number].title}. " if chance.random() < TITLE_SHARE else ""
            texts.append(title + question)
            skipped.append(len(title))
            right.append(place)
    target = torch.tensor(right)
    passages = encode(encoder, tokenizer, [pool[i].embedded for i in shown])
    questions = encode(encoder, tokenizer, texts)
    by_words = F.cross_entropy(SHARPNESS * closeness(questions, skipped, passages), target)
    vectors = passages.vectors()
    by_vectors = F.cross_entropy(VECTOR_SHARPNESS * questions.vectors() @ vectors.T, target)
    shipped = torch.tensor(np.array([pool[i].vector for i in shown]))
    away = (1 - (vectors * shipped).sum(1)).mean()
    return by_words + VECTOR_SHARE * by_vectors + NEAR_SHARE * away


def _lines(file: Path) -> list[str]:
    return [
        line.rpartition("|")[2].strip() for line in file.read_text("utf-8").splitlines() if not line.startswith("  ")
    ]


def _away(encoder: Encoder, shipped: Encoder, tokenizer, general: list[str], chance: random.Random) -> torch.Tensor:
    """Return the mean distance, 1 - cosine, of token states and vectors of other texts from the shipped model."""
    starts = [chance.randrange(len(general)) for _ in range(GENERAL)]
    texts = [" ".join(general[start : start + chance.choice(GENERAL_LINES)]) for start in starts]
    now = encode(encoder, tokenizer, texts)
    with torch.no_grad():
        before = encode(shipped, tokenizer, texts)
    far = (1 - F.cosine_similarity(now.hidden, before.hidden, dim=-1)) * now.mask
    return far.sum() / now.mask.sum() + (1 - (now.vectors() * before.vectors()).sum(1)).mean()


@torch.no_grad()
def _held_out(encoder: Encoder, tokenizer, library: list[Passage]) -> str:
    """Return how often the correct passage is first and in the top five, and the mean reciprocal rank."""
    asked = [passage for passage in library if passage.questions]
    texts = [(i, question) for i, passage in enumerate(asked) for question in passage.questions]
    questions = encode(encoder, tokenizer, [text for _, text in texts])
    columns, vectors = [], []
    for start in range(0, len(asked), 32):
        passages = encode(encoder, tokenizer, [p.embedded for p in asked[start : start + 32]])
        columns.append(closeness(questions, [0] * len(texts), passages))
        vectors.append(passages.vectors())
    right = torch.tensor([i for i, _ in texts])
    by_vectors = questions.vectors() @ torch.cat(vectors).T
    return f"{_places(torch.cat(columns, 1), right)}; by vectors {_places(by_vectors, right)} of {len(texts)} questions"


def _places(scores: torch.Tensor, right: torch.Tensor) -> str:
    rank = (scores > scores.gather(1, right[:, None])).sum(1).float()
    first, five, mean = (rank < 1).float().mean(), (rank < 5).float().mean(), (1 / (1 + rank)).mean()
    return f"first {first:.3f}, top five {five:.3f}, mean reciprocal rank {mean:.3f}"


if __name__ == "__main__":
    main()
