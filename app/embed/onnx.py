"""The bundled model: its card and files, ONNX Runtime and tokenizer, on the local processor only.

card.toml next to the model's files describes how to use them and has their SHA-256.
"""

from __future__ import annotations

import hashlib
import math
import threading
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import (
    ModelCard,
    PassageEmbedding,
    QueryEmbedding,
    Vector,
    audit,
    fingerprint_of,
    unit,
)
from app.errors import EmbedderError
from app.text.scripts import has_unspaced
from app.text.sentence import sentence
from app.text.tokens import model_text

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
UNKNOWN: Final = "[UNK]"
"""The tokenizer's piece for an unknown word."""

Hidden = NDArray[np.float32]
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded model."""

    session: Any
    inputs: frozenset[str]
    output: str


class _Loaded(Generic[Part]):
    """A part of the model in memory: released while unused, and reloaded by the next user. Thread-safe."""

    def __init__(self, load: Callable[[], Part]) -> None:
        """Load it for the first time. Raises EmbedderError."""
        self._load = load
        self._part: Part | None = load()
        self._lock = threading.Lock()
        self._used_at = -math.inf
        self._is_closed = False

    @property
    def is_here(self) -> bool:
        return self._part is not None

    def use(self) -> Part:
        """Yield the part. Raises EmbedderError after `close`, and if its file has disappeared or changed."""
        with self._lock:
            if self._is_closed:
                raise EmbedderError(sentence("The embedding model was closed."))
            self._used_at = time.monotonic()
            if self._part is None:
                self._part = self._load()
            return self._part

    def release(self, idle_seconds: float) -> bool:
        """Release the part unless it was used within this time; return whether it was loaded. Current users keep it until they finish."""
        with self._lock:
            if self._part is None or time.monotonic() - self._used_at < idle_seconds:
                return False
            self._part = None
            return True

    def close(self) -> None:
        with self._lock:
            self._part, self._is_closed = None, True


class OnnxEmbedder:
    """Embeds with the model of a folder; see Embedder.

    The constructor checks the files' hashes and loads the model in about 0.1 s; it raises EmbedderError. Each run has one text: int8
    activations are scaled per run, so in a batch a vector would depend on its neighbors.
    """

    def __init__(self, model_dir: Path) -> None:
        folder = open_model(model_dir)
        self.card = folder.card
        # This tokenizer never truncates; a second one that does would take 8 MB.
        self._tokenizer = _Loaded(lambda: _load_tokenizer(folder))
        self._model = _Loaded(lambda: _load_model(folder))

    def count_tokens(self, text: str) -> int:
        return self.count_tokens_batch([text])[0]

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        sound = [model_text(text) for text in texts]
        encodings = self._tokenizer.use().encode_batch_fast(sound, add_special_tokens=False)
        return [len(encoding) for encoding in encodings]

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        prefix = self.card.query_prefix + (f"{model_text(context)}. " if context else "")
        full = prefix + model_text(text)
        encoding, hidden = self._run(full)
        own = _own_tokens(encoding, len(prefix))
        vectors = hidden[own]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        words = _words(encoding, full)
        return QueryEmbedding(
            vector=self._pooled(hidden),
            token_vectors=vectors / np.maximum(norms, np.finfo(np.float32).tiny),
            token_words=tuple(words[index] for index in own),
            known_share=_known_share(encoding, full, own),
        )

    def embed_passage(self, text: str) -> PassageEmbedding:
        prefix = self.card.passage_prefix
        encoding, hidden = self._run(prefix + model_text(text))
        own = _own_tokens(encoding, len(prefix))
        return PassageEmbedding(vector=self._pooled(hidden), token_bits=np.packbits(hidden[own] > 0, axis=1))

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [self.embed_passage(text) for text in texts]

    def release_memory(self, idle_seconds: float) -> bool:
        had_model = self._model.release(idle_seconds)
        return self._tokenizer.release(idle_seconds) or had_model

    def make_ready(self) -> None:
        self._tokenizer.use()
        self._model.use()

    def close(self) -> None:
        self._model.close()
        self._tokenizer.close()

    def _run(self, text: str) -> tuple[Any, Hidden]:
        """Return the encoding and the last hidden states, shape (tokens, dimension), of one text."""
        encoding = _encode(self._tokenizer.use(), text, self.card.max_tokens)
        model = self._model.use()
        ids = np.array([encoding.ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            states = model.session.run([model.output], {name: feeds[name] for name in model.inputs})[0]
        except Exception as error:
            raise EmbedderError(sentence("The embedding model failed: {}.", _reason(error))) from error
        hidden: Hidden = np.asarray(states[0], dtype=np.float32)
        if hidden.shape != (ids.shape[1], self.card.dimension):
            raise EmbedderError(
                sentence("The embedding model returned {} instead of {} dimensions.", hidden.shape, self.card.dimension)
            )
        return encoding, hidden

    def _pooled(self, hidden: Hidden) -> Vector:
        vector = unit(hidden.mean(axis=0) if self.card.pooling == "mean" else hidden[0])
        audit(vector)
        return vector


def _load_tokenizer(folder: ModelFolder) -> Any:
    from tokenizers import Tokenizer

    path = folder.checked(TOKENIZER_FILE)
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:
        raise EmbedderError(sentence("WebRAG cannot load the embedding model: {}.", _reason(error))) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _load_model(folder: ModelFolder) -> _Model:
    import onnxruntime

    path = folder.checked(MODEL_FILE)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False  # the arena only grows, takes 10 to 20 MB and is not faster
    try:
        session = onnxruntime.InferenceSession(
            path,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # the fused kernel is slower than its parts on CPUs
        )
    except Exception as error:
        raise EmbedderError(sentence("WebRAG cannot load the embedding model: {}.", _reason(error))) from error
    inputs = frozenset(node.name for node in session.get_inputs())
    if not inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EmbedderError(sentence("The embedding model needs unknown inputs: {}.", ", ".join(sorted(inputs))))
    return _Model(session, inputs, session.get_outputs()[0].name)


def _encode(tokenizer: Any, text: str, max_tokens: int) -> Any:
    """Return the tokens of the text, truncated to the model's maximum.

    Word pieces are the longest that fit, from left to right, so a text cut at the end of a piece keeps the same pieces.
    """
    encoding = tokenizer.encode(text)
    while len(encoding) > max_tokens:
        own = [at for at, special in enumerate(encoding.special_tokens_mask) if not special]
        start, end = encoding.offsets[own[max_tokens - (len(encoding) - len(own)) - 1]]
        text = text[: end if end < len(text) else start]
        encoding = tokenizer.encode(text)
    return encoding


def _own_tokens(encoding: Any, prefix_chars: int) -> list[int]:
    """Return the positions of the text's own tokens, without special tokens and prefix."""
    special, offsets = encoding.special_tokens_mask, encoding.offsets
    return [i for i in range(len(special)) if not special[i] and offsets[i][0] >= prefix_chars]


def _words(encoding: Any, text: str) -> list[str]:
    """Return, for each token, the lowercase word that contains it; "" for special tokens."""
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if word is not None:
            first, last = spans.get(word, (start, end))
            spans[word] = (min(first, start), max(last, end))
    texts = {word: text[start:end].lower() for word, (start, end) in spans.items()}
    return ["" if word is None else texts[word] for word in encoding.word_ids]


def _known_share(encoding: Any, text: str, own: Sequence[int]) -> float:
    """Return the share of letters in meaningful pieces: unknown pieces are not, nor are single letters of scripts without spaces."""
    letters = known = 0
    for index in own:
        piece = text[slice(*encoding.offsets[index])]
        count = sum(map(str.isalpha, piece))
        letters += count
        if encoding.tokens[index] != UNKNOWN and not (count < 2 and has_unspaced(piece)):
            known += count
    return known / letters if letters else 1.0


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# --- Card ---

CARD_FILE: Final = "card.toml"
POOLINGS: Final = ("mean", "cls")

_KINDS: Final[Mapping[str, type]] = {
    "name": str,
    "revision": str,
    "dimension": int,
    "pooling": str,
    "normalise": bool,
    "query_prefix": str,
    "passage_prefix": str,
    "max_tokens": int,
    "similarity_threshold": float,
    "licence": str,
}


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model on disk: its card and the SHA-256 of each file."""

    path: Path
    card: ModelCard
    hashes: Mapping[str, str]

    def checked(self, name: str) -> str:
        """Return the path of a file. Raises EmbedderError if it is missing or does not match the card."""
        path = self.path / name
        try:
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, error.strerror)) from error
        if digest != self.hashes.get(name):
            raise EmbedderError(sentence("{} is damaged or does not match {}.", path, CARD_FILE))
        return str(path)


def load_card(model_dir: Path) -> ModelCard:
    """Return the card of the model in a folder without checking its files. Raises EmbedderError."""
    return open_model(model_dir).card


def open_model(model_dir: Path) -> ModelFolder:
    """Return the card and file hashes of a folder. Raises EmbedderError that names the problem in card.toml."""
    path = model_dir / CARD_FILE
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise EmbedderError(sentence("No embedding model in {}: {}.", model_dir, error.strerror)) from error
    except ValueError as error:
        raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, error)) from error
    values: dict[str, Any] = {}
    for name, kind in _KINDS.items():
        value = raw.get(name)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise EmbedderError(sentence("{}: {} is missing or not of type {}.", path, name, kind.__name__))
        values[name] = value
    hashes = raw.get("files")
    if not isinstance(hashes, dict) or not all(isinstance(digest, str) for digest in hashes.values()):
        raise EmbedderError(sentence("{} does not list the hashes of the model's files.", path))
    if values["pooling"] not in POOLINGS:
        raise EmbedderError(sentence("{}: pooling must be one of {}.", path, ", ".join(POOLINGS)))
    if values["dimension"] < 8 or values["dimension"] % 8:
        raise EmbedderError(sentence("{}: dimension must be a multiple of 8.", path))
    if values["max_tokens"] < 8:
        raise EmbedderError(sentence("{}: {} is too small.", path, "max_tokens"))
    if not values["normalise"]:
        raise EmbedderError(sentence("{}: only models with normalized output can be used.", path))
    # Name, revision, threshold and license are omitted: they do not change vectors.
    names = ("dimension", "pooling", "normalise", "query_prefix", "passage_prefix", "max_tokens")
    fingerprint = fingerprint_of({**{name: values[name] for name in names}, "files": dict(hashes)})
    return ModelFolder(model_dir, ModelCard(**values, fingerprint=fingerprint), hashes)
