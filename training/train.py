"""Train the low-rank difference of the embedding model.

    python training/train.py OUT --weights model.safetensors --tokenizer tokenizer.json [--general FILE...]

Each step uses passages of one site: some with questions that they answer, others that the shipped model mistakes for answers. It compares
every question with all of them. The loss is the loss of the correct passage by late interaction, plus a smaller share by the vectors of
whole texts. Those vectors stay close to the shipped model, because thresholds elsewhere use their cosines. Token states in other texts, the
lines of --general, stay close as well, so that training on documentation does not cost quality elsewhere. From lines with a "|", only the
text after it is used, as in the data files of WordNet. OUT.safetensors contains the difference. --steps 20 is a quick test.
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

from data import QUESTIONS, Passage, read_site  # noqa: E402
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
SAME_PAGE_SHARE: Final = 0.6
GENERAL: Final = 24
"""Other texts per step, of one to seven lines."""
GENERAL_LINES: Final = (1, 1, 2, 4, 7)
GENERAL_SHARE: Final = 6.0
LOSS_SCALE: Final = 1024.0
"""Without it, half-precision gradients vanish."""


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
    names = sorted({*(args.sites or (file.stem for file in QUESTIONS.glob("*.jsonl"))), *HELD_OUT})
    pools = {name: read_site(name, args.cache) for name in names}
    held = {name: pools.pop(name) for name in HELD_OUT}
    learned = [p for p in encoder.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=RATE)
    chance = random.Random(args.seed)
    begun = time.monotonic()
    for step, (pool, asked) in enumerate(_batches(pools, chance)):
        if step % args.every == 0 or step == args.steps:
            encoder.save_difference(args.out.with_suffix(".safetensors"))
            print(f"step {step}, {time.monotonic() - begun:.0f} s:", _held_out(encoder, tokenizer, held), flush=True)
        if step == args.steps:
            break
        warm = min(1.0, (step + 1) / WARM_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = RATE * warm * (1 + math.cos(math.pi * step / args.steps)) / 2
        optimiser.zero_grad()
        loss = _loss(encoder, tokenizer, pool, asked, chance)
        if shipped is not None:
            loss = loss + GENERAL_SHARE * _away(encoder, shipped, tokenizer, general, chance)
        (LOSS_SCALE * loss).backward()
        gradients = [p.grad for p in learned if p.grad is not None]
        if all(bool(torch.isfinite(gradient).all()) for gradient in gradients):
            for gradient in gradients:
                gradient /= LOSS_SCALE
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()


def _batches(pools: dict[str, list[Passage]], chance: random.Random) -> Iterator[tuple[list[Passage], list[int]]]:
    """Yield a pool and the numbers of ASKED of its passages, often from the same pages, endlessly."""
    while True:
        batches = []
        for pool in pools.values():
            asked = [i for i, passage in enumerate(pool) if passage.questions]
            chance.shuffle(asked)
            if chance.random() < SAME_PAGE_SHARE:
                place = {page: chance.random() for page in {passage.page for passage in pool}}
                asked.sort(key=lambda i: place[pool[i].page])
            batches += [(pool, asked[i : i + ASKED]) for i in range(0, len(asked) - ASKED // 2, ASKED)]
        chance.shuffle(batches)
        yield from batches


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
    """Return the mean distance, 1 - cosine, of token states in other texts from the shipped model."""
    starts = [chance.randrange(len(general)) for _ in range(GENERAL)]
    texts = [" ".join(general[start : start + chance.choice(GENERAL_LINES)]) for start in starts]
    now = encode(encoder, tokenizer, texts)
    with torch.no_grad():
        before = encode(shipped, tokenizer, texts)
    far = (1 - F.cosine_similarity(now.hidden, before.hidden, dim=-1)) * now.mask
    return far.sum() / now.mask.sum()


@torch.no_grad()
def _held_out(encoder: Encoder, tokenizer, pools: dict[str, list[Passage]]) -> str:
    """Return how often the correct passage is first and in the top five, and the mean reciprocal rank."""
    ranks = []
    for pool in pools.values():
        asked = [passage for passage in pool if passage.questions]
        texts = [(i, question) for i, passage in enumerate(asked) for question in passage.questions]
        questions = encode(encoder, tokenizer, [text for _, text in texts])
        columns = []
        for start in range(0, len(asked), 32):
            passages = encode(encoder, tokenizer, [p.embedded for p in asked[start : start + 32]])
            columns.append(closeness(questions, [0] * len(texts), passages))
        scores, right = torch.cat(columns, 1), torch.tensor([i for i, _ in texts])
        ranks.append((scores > scores.gather(1, right[:, None])).sum(1))
    rank = torch.cat(ranks).float()
    first, five, mean = (rank < 1).float().mean(), (rank < 5).float().mean(), (1 / (1 + rank)).mean()
    return f"first {first:.3f}, top five {five:.3f}, mean reciprocal rank {mean:.3f} of {len(rank)} questions"


if __name__ == "__main__":
    main()
