"""Prepare a model folder for WebRAG: compute its centre, check its codes, and store reference vectors for the self-test."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import tomlkit
from numpy.typing import NDArray

from app.embed.embedder import REFERENCE_FILE, RERANKER, unit
from app.embed.folder import CARD_FILE, open_model, subjects
from app.embed.onnx import OnnxEmbedder
from app.embed.quick import make_quick
from app.embed.reranker import CrossEncoder
from app.errors import EmbedderError
from app.paths import replace_file
from app.text.sentence import sentence

CENTRE_FILE: Final = "centre.json"
CHOOSE_ANOTHER: Final = "Repair this folder, or choose another model in Settings > Search model."
REFERENCE_TEXTS: Final = 6
LOWEST_ENTROPY: Final = 0.9
LOWEST_RECALL: Final = 0.85
NEAREST: Final = 5
SCANNED_SHARE: Final = 0.1
"""Recall is the share of the nearest texts among this share of all texts with the fewest different signs. The built-in model has 0.91."""
USUAL_COSINE: Final = 0.12
MOST_DEVIATION: Final = 0.07
"""Of late interaction between unrelated texts; the constants of relevance start from this cosine, which the built-in model has."""
COMPARED_TEXTS: Final = 40

Matrix = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Codes:
    """How well signs represent vectors: bits per sign of passages and tokens (1 is best), and the recall of a search by signs."""

    passage_bits: float
    token_bits: float
    recall: float

    @property
    def are_sound(self) -> bool:
        return min(self.passage_bits, self.token_bits) >= LOWEST_ENTROPY and self.recall >= LOWEST_RECALL


def chosen_embedder(folder: Path) -> OnnxEmbedder:
    """Prepare and load a model that the user chose. Raises EmbedderError."""
    try:
        prepare(folder)
        return OnnxEmbedder(folder)
    except EmbedderError as error:
        raise EmbedderError(error.message, hint=CHOOSE_ANOTHER) from error


def prepare(folder: Path, told: Callable[[int, int], object] = lambda done, all_: None) -> None:
    """Add the centre and reference vectors to a folder, unless its card names a centre. A reranker is only tried.

    Takes a few seconds; `told` gets the number of texts done and all. Raises EmbedderError: the card is then as before.
    """
    opened = open_model(folder)
    make_quick(opened)
    if opened.card.kind == RERANKER:
        with closing(CrossEncoder(folder)) as reranker:
            reranker.check()
        return
    if opened.card.centre:
        return
    texts = subjects()
    with closing(OnnxEmbedder(folder)) as embedder:
        states = []
        for number, text in enumerate(texts, 1):
            states.append(embedder.passage_states(text))
            told(number, len(texts))
        asked = [embedder.embed_query(text).vector for text in texts[:REFERENCE_TEXTS]]
    vectors, tokens = np.array([vector for vector, _ in states]), np.concatenate([rows for _, rows in states])
    if not (np.isfinite(vectors).all() and np.isfinite(tokens).all()):
        raise EmbedderError(sentence("The embedding model returned values that are not numbers."))
    centre = vectors.mean(axis=0)
    token_centre = tokens.mean(axis=0) if len(tokens) else np.zeros_like(centre)
    stored = {
        CENTRE_FILE: {"vector": packed(centre, "<f4"), "token": packed(token_centre, "<f4")},
        REFERENCE_FILE: {
            "texts": texts[:REFERENCE_TEXTS],
            "vectors": [packed(unit(vector - centre), "<f2") for vector in asked],
        },
    }
    codes = codes_of(np.array([unit(vector) for vector in vectors - centre]), tokens - token_centre)
    step = max(1, len(states) // COMPARED_TEXTS)
    compared = [rows - token_centre for _, rows in states[::step] if len(rows)]
    has_usual_scale = not compared or abs(unrelated_cosine(compared) - USUAL_COSINE) <= MOST_DEVIATION
    try:
        for name, content in stored.items():
            (folder / name).write_text(json.dumps(content), encoding="utf-8")
        _note(folder, is_calibrated=codes.are_sound and has_usual_scale)
    except OSError as error:
        raise EmbedderError(sentence("WebRAG cannot write to {}: {}.", folder, error.strerror)) from error


def codes_of(vectors: Matrix, tokens: Matrix) -> Codes:
    """Return how well signs represent these vectors of unit length and token vectors; tokens may be missing."""
    likeness, signs = vectors @ vectors.T, vectors > 0
    different = (signs[:, None] != signs[None]).sum(axis=2).astype(np.float32)
    np.fill_diagonal(likeness, -np.inf)
    np.fill_diagonal(different, np.inf)
    scanned = int(len(vectors) * SCANNED_SHARE)
    nearest, few = np.argsort(-likeness)[:, :NEAREST], np.argsort(different, kind="stable")[:, :scanned]
    found = [len(np.intersect1d(*rows)) / NEAREST for rows in zip(nearest, few, strict=True)]
    return Codes(_bits(vectors), _bits(tokens) if len(tokens) else 1.0, float(np.mean(found)))


def unrelated_cosine(texts: Sequence[Matrix]) -> float:
    """Return the median cosine of late interaction between different texts, given by their token vectors."""
    rows, lengths = np.concatenate(texts), np.array([len(text) for text in texts])
    starts = np.cumsum(lengths) - lengths
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True).clip(1e-9) / np.sqrt(rows.shape[1])
    best = np.maximum.reduceat(units @ np.where(rows > 0, 1, -1).astype(np.float32).T, starts, axis=1)
    means = np.add.reduceat(best, starts, axis=0) / lengths[:, None]
    return float(np.median(means[~np.eye(len(texts), dtype=bool)]))


def _bits(rows: Matrix) -> float:
    """Return the mean entropy of a sign."""
    share = (rows > 0).mean(axis=0).clip(1e-9, 1 - 1e-9)
    return float(-(share * np.log2(share) + (1 - share) * np.log2(1 - share)).mean())


def packed(vector: Matrix, kind: str) -> str:
    """Return a vector as text for JSON."""
    return base64.b64encode(vector.astype(kind).tobytes()).decode("ascii")


def _note(folder: Path, *, is_calibrated: bool) -> None:
    """Add the centre and whether likelihoods can be estimated to the card."""
    card = folder / CARD_FILE
    document = tomlkit.parse(card.read_text(encoding="utf-8"))
    files = document.pop("files")
    document["centre"] = CENTRE_FILE
    document["calibrated"] = bool(document.get("calibrated", True)) and is_calibrated
    files[CENTRE_FILE] = hashlib.sha256((folder / CENTRE_FILE).read_bytes()).hexdigest()
    document["files"] = files
    replace_file(card, tomlkit.dumps(document))
