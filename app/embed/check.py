"""The self-test of an embedder: whether its vectors are the right ones, and how fast it makes them."""

from __future__ import annotations

import base64
import binascii
import json
import logging
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from app import caps
from app.embed.embedder import Embedder

log = logging.getLogger(__name__)

EMBEDDER_CHECK_PASSAGES: Final = 24

REFERENCE_FILE: Final = "model_reference.json"
LOWEST_COSINE: Final = 0.985
"""The model is quantised; the vectors of a damaged or wrong one are much further off."""
PASSAGE: Final = (
    "The queue keeps every message until a worker has confirmed it. A worker that ends without a word gives its messages back"
    " after a minute, and another one takes them up. Messages that failed five times go to a list of their own, where a person"
    " looks at them. Number {} of the rules says that no message may be larger than a quarter of a megabyte; larger contents are"
    " stored elsewhere, and the message names their place. The time of the first attempt is kept, so that an old message can be"
    " told from a new one, and the order within one topic is that of their arrival."
)
"""As long as the passages of pages are."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Texts and their exact vectors, as rows of unit length."""

    texts: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderCheck:
    """`cosine` is the lowest between the vectors made and the reference; None where there is no reference for the model."""

    question_ms: float
    passages_per_second: float
    cosine: float | None

    @property
    def is_sound(self) -> bool:
        return self.cosine is None or self.cosine >= LOWEST_COSINE


def load_reference(folder: Path) -> Reference | None:
    """The reference beside the bundled model; None where this build has none."""
    try:
        stored = json.loads((folder / REFERENCE_FILE).read_text(encoding="utf-8"))
        rows = [np.frombuffer(base64.b64decode(row), "<f2").astype(np.float32) for row in stored["vectors"]]
        vectors = np.array(rows)
        return Reference(tuple(stored["texts"]), vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    except (OSError, ValueError, KeyError, TypeError, binascii.Error) as error:
        log.info("no reference vectors: %s", error)
        return None


def check(embedder: Embedder, reference: Reference | None) -> EmbedderCheck:
    """Embed the texts of the reference, then passages on as many threads as the program uses. Raises EmbedderError."""
    texts = reference.texts if reference is not None else (PASSAGE.format(0)[:80],)
    embedder.embed_query(texts[0])
    started = time.perf_counter()
    vectors = np.array([embedder.embed_query(text).vector for text in texts])
    question_ms = (time.perf_counter() - started) * 1000 / len(texts)
    cosine = None
    if reference is not None and vectors.shape == reference.vectors.shape:
        cosine = float((vectors * reference.vectors).sum(axis=1).min())
    return EmbedderCheck(question_ms, _passages_per_second(embedder), cosine)


def _passages_per_second(embedder: Embedder) -> float:
    passages = [PASSAGE.format(number) for number in range(EMBEDDER_CHECK_PASSAGES)]
    parts: list[Sequence[str]] = [passages[start :: caps.EMBED_THREADS] for start in range(caps.EMBED_THREADS)]
    started = time.perf_counter()
    with ThreadPoolExecutor(caps.EMBED_THREADS, thread_name_prefix="check") as threads:
        list(threads.map(embedder.embed_passages, parts))
    return len(passages) / max(time.perf_counter() - started, 1e-6)
