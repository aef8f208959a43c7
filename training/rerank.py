"""Train a cross-encoder that reads a question together with a passage, starting from the weights of the bundled model.

    python training/rerank.py OUT --weights model.safetensors --tokenizer tokenizer.json [--steps 600]

Each step uses questions with the passage that answers them and WRONG passages that the shipped model mistakes for answers, of any site. The
score of a pair is the mean best match of the question's tokens among those of the passage, after both were read together, plus a linear
function of the first token. The loss is that of the right passage among those of its question. The held-out sites measure the progress, and
OUT, a folder, gets the model that did best: model.onnx in 8 bits, tokenizer.json and card.toml, as `webrag models add` takes it.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import torch
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional as F

HERE: Final = Path(__file__).parent
sys.path.insert(0, str(HERE))

from data import QUESTIONS, Passage, best_matches, read_library, shipped_model, word_share  # noqa: E402
from docqa.sites import default_cache  # noqa: E402
from model import FROZEN, HIDDEN, MASKED, Encoder, open_tokenizer  # noqa: E402
from pair_graph import MAX_TOKENS, write_pairs  # noqa: E402
from train import HELD_OUT  # noqa: E402

ASKED: Final = 8
WRONG: Final = 3
TRAINED_TOKENS: Final = 128
"""Tokens of a pair while training, fewer than later in use, because time is scarce."""
RATE: Final = 1e-4
WARM_STEPS: Final = 40
SHARPNESS: Final = 40.0
RUNS: Final = 3
"""Batches per step, by length."""
HELD_QUESTIONS: Final = 120
HELD_WRONG: Final = 11
HELD_POOL: Final = 20
MIXES: Final = (0.25, 0.5, 0.75)
"""Shares of the cross-encoder in an order by both, for the table of the held-out sites."""
CARD: Final = """\
kind = "reranker"
name = "{name}"
revision = "1"
max_tokens = {tokens}
languages = ["en"]
licence = "Apache-2.0"

[files]
"model.onnx" = "{model}"
"tokenizer.json" = "{tokenizer}"
"""


class CrossEncoder(nn.Module):
    """Maps pairs of a question and a passage to a score, float32 (pairs,)."""

    def __init__(self, weights: Path) -> None:
        super().__init__()
        self.encoder = Encoder(weights, low_rank=False)
        self.encoder.layers[FROZEN:].requires_grad_()
        self.head = nn.Linear(HIDDEN, 1)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        hidden = self.encoder(ids, mask, kinds)
        unit = F.normalize(hidden, dim=-1)
        asked = (1 - kinds) * mask
        asked[:, 0] = 0
        cosines = unit @ unit.transpose(1, 2) + MASKED * (1 - kinds * mask)[:, None, :]
        best = (cosines.amax(2) * asked).sum(1) / asked.sum(1)
        return SHARPNESS * best + self.head(hidden[:, 0])[:, 0]

    def weights(self) -> dict[str, Tensor]:
        """Return all weights by their official names, and those of the head."""
        stored = self.encoder.state_dict()
        found = {name: stored[own].float().contiguous() for own, name in self.encoder.names().items()}
        return found | {"head.weight": self.head.weight.detach(), "head.bias": self.head.bias.detach()}


@dataclass(frozen=True, slots=True)
class Held:
    """A held-out question with passages, the right one first, and their closeness by the shipped model."""

    question: str
    passages: tuple[str, ...]
    close: np.ndarray


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--cache", type=Path, default=default_cache())
    parser.add_argument("--steps", type=int, default=600)
    parser.add_argument("--minutes", type=float, default=math.inf, help="time, if that ends before the steps")
    parser.add_argument("--every", type=int, default=100, help="steps between evaluations on the held-out sites")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sites", nargs="*", help="only these sites, and the held-out ones")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    names = sorted({*(args.sites or (file.stem for file in QUESTIONS.glob("*.jsonl")))} - {*HELD_OUT})
    held, library = read_library(HELD_OUT, args.cache), read_library(names, args.cache)
    train(CrossEncoder(args.weights), open_tokenizer(args.tokenizer), library, _questions(held), args)


def train(model: CrossEncoder, tokenizer, library: list[Passage], held: list[Held], args) -> None:
    tokenizer.enable_truncation(TRAINED_TOKENS, strategy="longest_first")
    asked = [passage for passage in library if passage.questions and len(passage.wrong) >= WRONG]
    print(f"{len(library)} passages, {sum(len(p.questions) for p in asked)} questions", flush=True)
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW(learned, lr=RATE, weight_decay=0.01)
    chance, begun, best = random.Random(args.seed), time.monotonic(), 0.0
    for step in range(args.steps + 1):
        done = max(step / args.steps, (time.monotonic() - begun) / (60 * args.minutes))
        if step % args.every == 0 or done >= 1:
            mean, figures = _held_out(model, tokenizer, held)
            print(f"step {step}, {time.monotonic() - begun:.0f} s: {figures}", flush=True)
            if mean > best:
                best = mean
                _save(model, args.out, args.tokenizer)
        if done >= 1:
            break
        warm = min(1.0, (step + 1) / WARM_STEPS)
        for group in optimiser.param_groups:
            group["lr"] = RATE * warm * (1 + math.cos(math.pi * done)) / 2
        optimiser.zero_grad()
        pairs = []
        for passage in chance.sample(asked, ASKED):
            question = chance.choice(passage.questions)
            wrong = chance.sample(passage.wrong, WRONG)
            pairs += [(question, each.embedded) for each in (passage, *(library[k] for k in wrong))]
        scores = scores_of(model, tokenizer, pairs).view(ASKED, -1)
        F.cross_entropy(scores, torch.zeros(ASKED, dtype=torch.long)).backward()
        torch.nn.utils.clip_grad_norm_(learned, 1.0)
        optimiser.step()


def scores_of(model: CrossEncoder, tokenizer, pairs: list[tuple[str, str]]) -> Tensor:
    """Return the scores of pairs, read in a few batches by length."""
    encodings = tokenizer.encode_batch(pairs)
    order = sorted(range(len(pairs)), key=lambda i: -len(encodings[i].ids))
    size = math.ceil(len(order) / RUNS)
    scores = []
    for start in range(0, len(order), size):
        chosen = [encodings[i] for i in order[start : start + size]]
        ids, mask, kinds = (torch.zeros(len(chosen), len(chosen[0].ids), dtype=torch.long) for _ in range(3))
        for row, each in enumerate(chosen):
            ids[row, : len(each.ids)] = torch.tensor(each.ids)
            kinds[row, : len(each.ids)] = torch.tensor(each.type_ids)
            mask[row, : len(each.ids)] = 1
        scores.append(model(ids, mask, kinds))
    back = torch.tensor(sorted(range(len(order)), key=order.__getitem__))
    return torch.cat(scores)[back]


def _questions(library: list[Passage]) -> list[Held]:
    """Return held-out questions with the passages that the shipped model ranks highest, and the right one."""
    embedder, found = shipped_model(), []
    asked = [(passage, question) for passage in library for question in passage.questions]
    for passage, question in random.Random(0).sample(asked, HELD_QUESTIONS):
        texts = [each.embedded for each in (passage, *(library[k] for k in passage.wrong[:HELD_POOL]))]
        query = embedder.embed_query(question)
        close = best_matches(query.token_vectors, [each.token_bits for each in embedder.embed_passages(texts)])
        close = close @ word_share(query)
        shown = [0, *(1 + np.argsort(-close[1:])[:HELD_WRONG]).tolist()]
        found.append(Held(question, tuple(texts[k] for k in shown), close[shown]))
    return found


@torch.no_grad()
def _held_out(model: CrossEncoder, tokenizer, held: list[Held]) -> tuple[float, str]:
    """Return the best mean reciprocal rank, and the figures of the shipped model, the cross-encoder and mixes of both."""
    rows = []
    for each in held:
        scores = scores_of(model, tokenizer, [(each.question, text) for text in each.passages]).numpy()
        close, scores = ((x - x.mean()) / (x.std() + 1e-9) for x in (each.close, scores))
        orders = [close, scores, *(share * scores + (1 - share) * close for share in MIXES)]
        rows.append([int((order > order[0]).sum()) for order in orders])
    places = np.array(rows)
    firsts, means = (places == 0).mean(axis=0), (1 / (1 + places)).mean(axis=0)
    names = ("shipped", "cross", *(f"mix {share}" for share in MIXES))
    told = [f"{name} {first:.3f}, {mean:.3f}" for name, first, mean in zip(names, firsts, means, strict=True)]
    return float(means[1:].max()), "; ".join(told)


def _save(model: CrossEncoder, folder: Path, tokenizer: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    weights = model.weights()
    save_file(weights, folder.with_suffix(".safetensors"))
    write_pairs({name: value.numpy() for name, value in weights.items()}, SHARPNESS, folder / "model.onnx")
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    model_hash, tokenizer_hash = (
        hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")
    )
    card = CARD.format(name=folder.name, tokens=MAX_TOKENS, model=model_hash, tokenizer=tokenizer_hash)
    (folder / "card.toml").write_text(card, "utf-8")


if __name__ == "__main__":
    main()
