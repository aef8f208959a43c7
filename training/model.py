"""all-MiniLM-L6-v2 in PyTorch with low-rank adaptation (LoRA, Hu et al. 2021) and the late interaction of the program."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Encoding, Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

LAYERS: Final = 6
HEADS: Final = 12
HIDDEN: Final = 384
WIDE: Final = 1536
EPSILON: Final = 1e-12
MAX_TOKENS: Final = 256
FROZEN: Final = 2
"""Frozen bottom layers. They save a third of the time per step without a visible loss."""
RANK: Final = 32
SCALE: Final = 2.0
PARTS: Final = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "projection": "attention.output.dense",
    "wider": "intermediate.dense",
    "narrower": "output.dense",
}
NORMS: Final = {"attended": "attention.output.LayerNorm", "done": "output.LayerNorm"}
TABLES: Final = {"words": "word_embeddings", "places": "position_embeddings", "kinds": "token_type_embeddings"}
MASKED: Final = -1e4


class LowRank(nn.Module):
    """A frozen layer with a trained difference of rank RANK."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        self.down = nn.Parameter(torch.randn(RANK, layer.in_features) / math.sqrt(layer.in_features))
        self.up = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, x: Tensor) -> Tensor:
        return self.layer(x) + F.linear(F.linear(x, self.down.to(x.dtype)), (SCALE * self.up).to(x.dtype))


class Layer(nn.Module):
    """One BERT layer."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.projection = (nn.Linear(HIDDEN, HIDDEN) for _ in range(4))
        self.wider, self.narrower = nn.Linear(HIDDEN, WIDE), nn.Linear(WIDE, HIDDEN)
        self.attended, self.done = (nn.LayerNorm(HIDDEN, EPSILON) for _ in range(2))

    def forward(self, x: Tensor, bias: Tensor) -> Tensor:
        rows, tokens, _ = x.shape
        query, key, value = (
            part(x).view(rows, tokens, HEADS, -1).transpose(1, 2) for part in (self.query, self.key, self.value)
        )
        # Written out, because the fused kernel takes twice as long backwards on a CPU.
        shares = torch.softmax(query @ key.transpose(-1, -2) / math.sqrt(HIDDEN / HEADS) + bias, -1)
        x = self.attended(x + self.projection((shares @ value).transpose(1, 2).reshape(rows, tokens, HIDDEN)))
        return self.done(x + self.narrower(F.gelu(self.wider(x))))


class Encoder(nn.Module):
    """Map token IDs to the last hidden states, float32 (texts, tokens, HIDDEN). Multiplies matrices in bfloat16.

    Processors with AVX512_BF16 do so four times as fast as in single precision, and 20 times as fast as in half precision.
    """

    def __init__(self, weights: Path, *, low_rank: bool = True) -> None:
        super().__init__()
        self.words, self.places, self.kinds = (nn.Embedding(n, HIDDEN) for n in (30_522, 512, 2))
        self.norm = nn.LayerNorm(HIDDEN, EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self._fill(load_file(weights))
        self.requires_grad_(requires_grad=False)
        for layer in self.layers[FROZEN:] if low_rank else ():
            for part in PARTS:
                setattr(layer, part, LowRank(getattr(layer, part)))

    def _fill(self, stored: dict[str, Tensor]) -> None:
        self.load_state_dict({own: stored[name] for own, name in self.names().items()})

    def names(self) -> dict[str, str]:
        """Return the official name of each weight."""
        names = {f"{own}.weight": f"embeddings.{name}.weight" for own, name in TABLES.items()}
        for end in ("weight", "bias"):
            names[f"norm.{end}"] = f"embeddings.LayerNorm.{end}"
            for i in range(LAYERS):
                for own, name in {**PARTS, **NORMS}.items():
                    names[f"layers.{i}.{own}.{end}"] = f"encoder.layer.{i}.{name}.{end}"
        return names

    def forward(self, ids: Tensor, mask: Tensor, kinds: Tensor | None = None) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return self._states(ids, mask, torch.zeros_like(ids) if kinds is None else kinds)

    def _states(self, ids: Tensor, mask: Tensor, kinds: Tensor) -> Tensor:
        x = self.norm(self.words(ids) + self.places.weight[: ids.shape[1]] + self.kinds(kinds))
        bias = torch.zeros_like(mask, dtype=x.dtype).masked_fill(mask == 0, MASKED)[:, None, None, :]
        for i, layer in enumerate(self.layers):
            with torch.set_grad_enabled(torch.is_grad_enabled() and i >= FROZEN):
                x = layer(x, bias)
        return x.float()

    def difference(self) -> dict[str, Tensor]:
        """Return the trained matrices by the official name of the weight. The trained weight is weight + up @ down."""
        found = {}
        for i in range(FROZEN, LAYERS):
            for part, name in PARTS.items():
                low = getattr(self.layers[i], part)
                found[f"encoder.layer.{i}.{name}.up"] = (SCALE * low.up.detach()).half().contiguous()
                found[f"encoder.layer.{i}.{name}.down"] = low.down.detach().half().contiguous()
        return found

    def save_difference(self, file: Path) -> None:
        save_file(self.difference(), file)

    def load_difference(self, file: Path) -> None:
        stored = load_file(file)
        for i in range(FROZEN, LAYERS):
            for part, name in PARTS.items():
                low = getattr(self.layers[i], part)
                low.up.data.copy_(stored[f"encoder.layer.{i}.{name}.up"].float() / SCALE)
                low.down.data.copy_(stored[f"encoder.layer.{i}.{name}.down"].float())


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts with their hidden states (texts, tokens, HIDDEN) and a mask of tokens."""

    encodings: Sequence[Encoding]
    hidden: Tensor
    mask: Tensor

    def vectors(self) -> Tensor:
        """Return mean-pooled unit vectors."""
        summed = (self.hidden * self.mask[..., None]).sum(1)
        return F.normalize(summed / self.mask.sum(1, keepdim=True), dim=-1)


def open_tokenizer(file: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(MAX_TOKENS)
    return tokenizer


def encode(encoder: Encoder, tokenizer: Tokenizer, texts: Sequence[str], runs: int = 3) -> Encoded:
    """Encode the texts in a few batches by length. In a single batch, half would be padding."""
    encodings = tokenizer.encode_batch(list(texts))
    order = sorted(range(len(texts)), key=lambda i: -len(encodings[i].ids))
    longest = len(encodings[order[0]].ids)
    size = math.ceil(len(order) / runs)
    hidden, masks = [], []
    for start in range(0, len(order), size):
        chosen = [encodings[i].ids for i in order[start : start + size]]
        ids = torch.zeros(len(chosen), len(chosen[0]), dtype=torch.long)
        mask = torch.zeros(ids.shape)
        for row, own in enumerate(chosen):
            ids[row, : len(own)] = torch.tensor(own)
            mask[row, : len(own)] = 1
        missing = longest - ids.shape[1]
        hidden.append(F.pad(encoder(ids, mask), (0, 0, 0, missing)))
        masks.append(F.pad(mask, (0, missing)))
    back = torch.tensor(sorted(range(len(order)), key=order.__getitem__))
    return Encoded(encodings, torch.cat(hidden)[back], torch.cat(masks)[back])


def closeness(questions: Encoded, skipped: Sequence[int], passages: Encoded) -> Tensor:
    """Return the mean best match of each question's words in each passage, shape (questions, passages).

    Passages use the signs of their tokens, as stored; the gradient ignores the signs (Bengio et al. 2013). The first `skipped` characters
    of each question, a title, are encoded but not compared.
    """
    shares = torch.zeros(questions.mask.shape)
    for row, (encoding, skip) in enumerate(zip(questions.encodings, skipped, strict=True)):
        own = torch.tensor([_counts(encoding, i, skip) for i in range(len(encoding.ids))], dtype=torch.float32)
        shares[row, : len(own)] = own / own.sum().clamp(min=1)
    tokens = F.normalize(passages.hidden, dim=-1)
    signs = torch.where(tokens > 0, 1.0, -1.0) / math.sqrt(HIDDEN)
    tokens = tokens + (signs - tokens).detach()
    inner = passages.mask.clone()
    inner[:, 0] = 0
    inner[torch.arange(len(inner)), passages.mask.sum(1).long() - 1] = 0
    compared = shares > 0
    products = F.normalize(questions.hidden, dim=-1)[compared] @ tokens.reshape(-1, HIDDEN).T
    best = products.view(-1, *inner.shape).masked_fill(inner[None] == 0, -1.0).amax(2)
    rows = compared.nonzero()[:, 0]
    return torch.zeros(len(shares), len(inner)).index_add(0, rows, best * shares[compared][:, None])


def _counts(encoding: Encoding, token: int, skip: int) -> float:
    begin, _ = encoding.offsets[token]
    own = not encoding.special_tokens_mask[token] and begin >= skip
    return float(own and any(c.isalnum() for c in encoding.tokens[token]))
