"""The local embedder: an ONNX encoder and its tokenizer on this machine's processor, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.embed.audit import audit, sound_text, unit
from app.embed.card import ModelFolder, open_model
from app.embed.embedder import ModelCard, PassageEmbedding, QueryEmbedding, Vector
from app.errors import EmbedderError

MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"

Hidden = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class _Parts:
    """A loaded model. The tokenizer never cuts: a second one that does would be 8 MB."""

    session: Any
    inputs: frozenset[str]
    output: str
    tokenizer: Any


class OnnxEmbedder:
    """Embeds with the model of a folder; see Embedder.

    Making one checks the files' hashes and loads the model in about 0.1 s; raises EmbedderError. One text a
    run: int8 activations are scaled per run, so that in a batch a vector would depend on its neighbours.
    """

    def __init__(self, model_dir: Path) -> None:
        folder = open_model(model_dir)
        self._card = folder.card
        self._parts: _Parts | None = _load(folder)

    @property
    def card(self) -> ModelCard:
        return self._card

    def count_tokens(self, text: str) -> int:
        return self.count_tokens_batch([text])[0]

    def count_tokens_batch(self, texts: Sequence[str]) -> list[int]:
        sound = [sound_text(text) for text in texts]
        encodings = self._loaded().tokenizer.encode_batch_fast(sound, add_special_tokens=False)
        return [len(encoding) for encoding in encodings]

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        prefix = self.card.query_prefix + (f"{sound_text(context)}. " if context else "")
        full = prefix + sound_text(text)
        encoding, hidden = self._run(full)
        own = _own_tokens(encoding, len(prefix))
        vectors = hidden[own]
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        words = _words(encoding, full)
        return QueryEmbedding(
            vector=self._pooled(hidden),
            token_vectors=vectors / np.maximum(norms, np.finfo(np.float32).tiny),
            token_words=tuple(words[index] for index in own),
        )

    def embed_passage(self, text: str) -> PassageEmbedding:
        prefix = self.card.passage_prefix
        encoding, hidden = self._run(prefix + sound_text(text))
        own = _own_tokens(encoding, len(prefix))
        return PassageEmbedding(vector=self._pooled(hidden), token_bits=np.packbits(hidden[own] > 0, axis=1))

    def embed_passages(self, texts: Sequence[str]) -> list[PassageEmbedding]:
        return [self.embed_passage(text) for text in texts]

    def close(self) -> None:
        self._parts = None

    def _run(self, text: str) -> tuple[Any, Hidden]:
        """The encoding and the last hidden states, shape (tokens, dimension), of one text."""
        parts = self._loaded()
        encoding = _encode(parts.tokenizer, text, self.card.max_tokens)
        ids = np.array([encoding.ids], dtype=np.int64)
        feeds = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            states = parts.session.run([parts.output], {name: feeds[name] for name in parts.inputs})[0]
        except Exception as error:
            raise EmbedderError(f"The embedding model failed: {_reason(error)}.") from error
        hidden: Hidden = np.asarray(states[0], dtype=np.float32)
        if hidden.shape != (ids.shape[1], self.card.dimension):
            raise EmbedderError(f"The embedding model gives {hidden.shape}, not {self.card.dimension} dimensions.")
        return encoding, hidden

    def _pooled(self, hidden: Hidden) -> Vector:
        vector = unit(hidden.mean(axis=0) if self.card.pooling == "mean" else hidden[0])
        audit(vector)
        return vector

    def _loaded(self) -> _Parts:
        parts = self._parts
        if parts is None:
            raise EmbedderError("The embedding model was closed.")
        return parts


def _load(folder: ModelFolder) -> _Parts:
    import onnxruntime
    from tokenizers import Tokenizer

    words, model = folder.checked(TOKENIZER_FILE), folder.checked(MODEL_FILE)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.enable_cpu_mem_arena = False  # a pool that only grows: 10 to 20 MB, and no faster
    try:
        tokenizer = Tokenizer.from_file(words)
        session = onnxruntime.InferenceSession(
            model,
            options,
            providers=["CPUExecutionProvider"],
            disabled_optimizers=["SkipLayerNormFusion"],  # the fused kernel is slower than its parts on CPUs
        )
    except Exception as error:
        raise EmbedderError(f"The embedding model cannot be loaded: {_reason(error)}.") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    inputs = frozenset(node.name for node in session.get_inputs())
    if not inputs <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EmbedderError(f"The embedding model wants inputs that are not known: {', '.join(sorted(inputs))}.")
    return _Parts(session, inputs, session.get_outputs()[0].name, tokenizer)


def _encode(tokenizer: Any, text: str, max_tokens: int) -> Any:
    """The tokens of as much of the text as the model takes.

    Word pieces are the longest that fit, from left to right: a text that is cut at the end of a piece keeps the same pieces.
    """
    encoding = tokenizer.encode(text)
    while len(encoding) > max_tokens:
        own = [at for at, special in enumerate(encoding.special_tokens_mask) if not special]
        start, end = encoding.offsets[own[max_tokens - (len(encoding) - len(own)) - 1]]
        text = text[: end if end < len(text) else start]
        encoding = tokenizer.encode(text)
    return encoding


def _own_tokens(encoding: Any, prefix_chars: int) -> list[int]:
    """Positions of the tokens of the text itself, without special tokens and prefix."""
    special, offsets = encoding.special_tokens_mask, encoding.offsets
    return [i for i in range(len(special)) if not special[i] and offsets[i][0] >= prefix_chars]


def _words(encoding: Any, text: str) -> list[str]:
    """For each token the lower-case word of the text that it is a piece of; empty for special tokens."""
    spans: dict[int, tuple[int, int]] = {}
    for word, (start, end) in zip(encoding.word_ids, encoding.offsets, strict=True):
        if word is not None:
            first, last = spans.get(word, (start, end))
            spans[word] = (min(first, start), max(last, end))
    texts = {word: text[start:end].lower() for word, (start, end) in spans.items()}
    return ["" if word is None else texts[word] for word in encoding.word_ids]


def _reason(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
