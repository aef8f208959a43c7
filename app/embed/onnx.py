"""The model of a folder, with ONNX Runtime and its tokenizer, on the local processor only."""

from __future__ import annotations

import math
import threading
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import PassageEmbedding, QueryEmbedding, TokenBits, Vector, audit, unit
from app.embed.folder import TOKENIZER_FILE, Centre, ModelFolder, load_centre, open_model
from app.embed.quick import mapped_model, quick_tokenizer
from app.errors import EmbedderError
from app.paths import model_dir
from app.text.languages import ENGLISH
from app.text.scripts import is_latin
from app.text.sentence import sentence
from app.text.tokens import model_text

UNKNOWN: Final = frozenset({"[UNK]", "<unk>"})
"""The pieces of tokenizers for an unknown word."""
INPUTS: Final = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})
SENTENCE_ENDS: Final = frozenset(".:?!")
"""Marks with vectors of their own, which say something about their sentence, if space follows."""
TOKEN_OUTPUTS: Final = ("last_hidden_state", "token_embeddings")
TOKEN_RANK: Final = 3
"""The axes of an output with token vectors: batch, token and dimension."""

Hidden = NDArray[np.float32]
Part = TypeVar("Part")


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A loaded model."""

    session: Any
    inputs: frozenset[str]
    output: str
    has_tokens: bool
    """Whether the output has token vectors; otherwise it is the vector of the text."""

    def run(self, encoding: Any) -> Hidden:
        """Return the output for one text or pair of texts, float32. Raises EmbedderError."""
        ids = np.array([encoding.ids], dtype=np.int64)
        feeds = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.array([encoding.type_ids], dtype=np.int64),
            "position_ids": np.arange(ids.size, dtype=np.int64)[None],
        }
        try:
            states = self.session.run([self.output], {name: feeds[name] for name in self.inputs})[0]
        except Exception as error:
            raise EmbedderError(sentence("The model failed: {}.", reason_of(error))) from error
        return np.asarray(states[0], dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Read:
    """The model's output for a text. `pieces`, `spans` and `tokens` omit special tokens and the prefix."""

    text: str
    pieces: Sequence[str]
    spans: Sequence[tuple[int, int]]
    vector: Vector
    tokens: Hidden

    def centred(self, centre: Centre | None) -> _Read:
        """Return the same relative to the centre of the model. Raises EmbedderError if the vector is not sound."""
        vector = self.vector if centre is None else unit(self.vector - centre.vector)
        audit(vector)
        return replace(self, vector=vector, tokens=self.tokens if centre is None else self.tokens - centre.token)


class Loaded(Generic[Part]):
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

    def __init__(self, folder: Path) -> None:
        opened = open_model(folder, "")
        self.card = opened.card
        self._centre = load_centre(opened)
        # This tokenizer never truncates; a second one that does would take 8 MB.
        self._tokenizer = Loaded(lambda: load_tokenizer(opened))
        self._model = Loaded(lambda: load_model(opened))
        self._knows_letters = any(language != "en" for language in self.card.languages)

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        sound = [model_text(text) for text in texts]
        return [len(encoding) for encoding in self._tokenizer.use().encode_batch_fast(sound, add_special_tokens=False)]

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        prefix = self.card.query_prefix + (f"{model_text(context)}. " if context else "")
        read = self._read(prefix, model_text(text)).centred(self._centre)
        norms = np.linalg.norm(read.tokens, axis=1, keepdims=True)
        return QueryEmbedding(
            vector=read.vector,
            token_vectors=read.tokens / np.maximum(norms, np.finfo(np.float32).tiny),
            token_words=_words(read.text, read.spans) if len(read.tokens) else (),
            known_share=self._known_share(read),
            languages=self.card.languages or (ENGLISH,),
        )

    def embed_passage(self, text: str) -> PassageEmbedding:
        read = self._read(self.card.passage_prefix, model_text(text)).centred(self._centre)
        bits = np.packbits(read.tokens > 0, axis=1)
        return PassageEmbedding(read.vector, bits[_kept(read.text, read.spans)] if len(bits) else bits)

    def with_marks_merged(self, text: str, token_bits: TokenBits) -> TokenBits:
        """Return token vectors from an earlier version of the program as `embed_passage` makes them, without running the model."""
        full = self.card.passage_prefix + model_text(text)
        _, _, spans = self._split(full, len(self.card.passage_prefix))
        return token_bits[_kept(full, spans)] if len(spans) == len(token_bits) > 0 else token_bits

    def passage_states(self, text: str) -> tuple[Vector, Hidden]:
        """Return the vector of a passage and the last hidden states of its own tokens, before centering."""
        read = self._read(self.card.passage_prefix, model_text(text))
        return read.vector, read.tokens

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

    def _read(self, prefix: str, text: str) -> _Read:
        """Return what the model makes of one text."""
        full = prefix + text
        encoding, own, spans = self._split(full, len(prefix))
        model = self._model.use()
        hidden = model.run(encoding)
        if hidden.shape != (len(encoding.ids), self.card.dimension)[not model.has_tokens :]:
            raise EmbedderError(
                sentence("The embedding model returned {} instead of {} dimensions.", hidden.shape, self.card.dimension)
            )
        pieces = list(map(encoding.tokens.__getitem__, own))  # each access of `tokens` makes the list again
        if not model.has_tokens:
            return _Read(full, pieces, spans, unit(hidden), np.empty((0, self.card.dimension), np.float32))
        pooling = self.card.pooling
        vector: Vector = hidden.mean(axis=0) if pooling == "mean" else hidden[0 if pooling == "cls" else -1]
        return _Read(full, pieces, spans, unit(vector), hidden[own])

    def _split(self, text: str, prefix_chars: int) -> tuple[Any, list[int], list[tuple[int, int]]]:
        """Return the tokens of a text, and the positions and places of those after the prefix."""
        encoding = _encode(self._tokenizer.use(), text, self.card.max_tokens)
        spans = []
        for start, end in encoding.offsets:
            # Some tokenizers include the white space around a token.
            piece = text[start:end]
            last = start + len(piece.rstrip()) if piece.strip() else start
            spans.append((start + len(piece) - len(piece.lstrip()), last))
        special = encoding.special_tokens_mask
        own = [at for at, (start, end) in enumerate(spans) if not special[at] and prefix_chars <= start < end]
        return encoding, own, [spans[at] for at in own]

    def _known_share(self, read: _Read) -> float:
        """Return the share of letters in meaningful pieces.

        Unknown pieces are not, and for English models, neither are single letters of other scripts.
        """
        letters = known = 0
        for piece, span in zip(read.pieces, read.spans, strict=True):
            text = read.text[slice(*span)]
            count = sum(map(str.isalpha, text))
            letters += count
            if piece not in UNKNOWN and (self._knows_letters or count > 1 or is_latin(text)):
                known += count
        return known / letters if letters else 1.0


def load_tokenizer(folder: ModelFolder) -> Any:
    from tokenizers import Tokenizer

    path = folder.checked(TOKENIZER_FILE)
    if (quick := quick_tokenizer(folder)) is not None:
        return quick
    try:
        tokenizer = Tokenizer.from_file(path)
    except Exception as error:
        raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, reason_of(error))) from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def load_model(folder: ModelFolder) -> LoadedModel:
    import onnxruntime

    path = folder.checked_model()
    mapped = mapped_model(Path(path))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    if folder.path != model_dir():
        # Files for processors with VNNI have 8-bit weights, which saturate on others; the built-in model has 7-bit weights.
        options.add_session_config_entry("session.x64quantprecision", "1")
    if mapped is not None:
        options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(folder.path))
    options.enable_cpu_mem_arena = False  # the arena only grows, takes 10 to 20 MB and is not faster
    try:
        session = onnxruntime.InferenceSession(
            mapped or path,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # the fused kernel is slower than its parts on CPUs
        )
    except Exception as error:
        raise EmbedderError(sentence("WebRAG cannot read {}: {}.", path, reason_of(error))) from error
    inputs = frozenset(node.name for node in session.get_inputs())
    if not inputs <= INPUTS:
        raise EmbedderError(sentence("The model needs unknown inputs: {}.", ", ".join(sorted(inputs - INPUTS))))
    outputs = session.get_outputs()
    with_tokens = [node.name for node in outputs if len(node.shape) == TOKEN_RANK]
    named = [name for name in TOKEN_OUTPUTS if name in with_tokens]
    output = next(iter([*named, *with_tokens]), outputs[0].name)
    return LoadedModel(session, inputs, output, bool(with_tokens))


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


def _kept(text: str, spans: Sequence[tuple[int, int]]) -> NDArray[np.intp]:
    """Return, for each token, the one whose vector counts: its own, for punctuation that ends no sentence the one before.

    The store keeps equal neighbors once (docs/internals/measurements.md).
    """
    is_kept = [
        any(map(str.isalnum, text[start:end])) or (text[start:end] in SENTENCE_ENDS and not text[end : end + 1].strip())
        for start, end in spans
    ]
    first = is_kept.index(True) if any(is_kept) else 0
    places = np.where(is_kept, np.arange(len(spans)), first)
    return np.asarray(np.maximum.accumulate(places), np.intp)


def _words(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """Return, for each token, the lowercase word that contains most of it.

    Every model has the words of BERT, so that signs are words of their own: many tokenizers split at white space only.
    """
    from tokenizers import PreTokenizedString, normalizers, pre_tokenizers

    split = PreTokenizedString(text)
    split.normalize(normalizers.BertNormalizer(strip_accents=False, lowercase=False).normalize)
    pre_tokenizers.BertPreTokenizer().pre_tokenize(split)
    borders = [span for _, span, _ in split.get_splits("original", "char")]
    starts = [start for start, _ in borders]
    words = []
    for start, end in spans:
        near = borders[max(0, bisect_right(starts, start) - 1) : bisect_left(starts, end)]
        word = max(near, key=lambda border: min(end, border[1]) - max(start, border[0]), default=(start, end))
        words.append(text[slice(*word)].lower())
    return tuple(words)


def reason_of(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
