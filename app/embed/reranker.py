"""A cross-encoder in a folder: reads a question together with a passage and returns one number. On the local processor only."""

from __future__ import annotations

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.embed.embedder import RERANKER
from app.embed.folder import open_model
from app.embed.onnx import Loaded, load_model, load_tokenizer
from app.errors import EmbedderError
from app.text.languages import ENGLISH, language_of, may_be_english
from app.text.sentence import sentence
from app.text.tokens import model_text

MAX_TOKENS: Final = 220
"""Tokens of a pair; a longer passage is cut."""
THREADS: Final = 2
QUESTION: Final = "How do I open a file?"
NEAR: Final = "To open a file, choose it in the dialog and press the button."
FAR: Final = "Whales breathe air and must surface while they sleep."


class CrossEncoder:
    """Compares questions with passages. The constructor checks the files' hashes and loads the model; it raises EmbedderError.

    Each run has one pair, because a score would depend on other pairs of a batch. Thread-safe.
    """

    def __init__(self, folder: Path) -> None:
        opened = open_model(folder, RERANKER)
        self.card = opened.card

        def load_truncating_tokenizer() -> Any:
            tokenizer = load_tokenizer(opened)
            tokenizer.enable_truncation(min(MAX_TOKENS, opened.card.max_tokens), strategy="longest_first")
            return tokenizer

        self._tokenizer = Loaded(load_truncating_tokenizer)
        self._model = Loaded(lambda: load_model(opened))
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="reranker")

    def reads(self, question: str, passages_language: str = "") -> bool:
        """Whether the model was made for the language of the question, and for that of the passages if it is another one."""
        known, asked = self.card.languages, language_of(question)
        if known == (ENGLISH,):
            return not passages_language and asked in ("", ENGLISH) and may_be_english(question)
        return not known or {asked, passages_language} <= {"", *known}

    def scores(self, question: str, passages: Sequence[str], seconds: float) -> list[float | None]:
        """Return how well each passage answers: any numbers, None for those not begun within `seconds`. Raises EmbedderError."""
        end = time.monotonic() + seconds

        def score(passage: str) -> float | None:
            return self._score(question, passage) if time.monotonic() < end else None

        return list(self._threads.map(score, passages))

    def check(self) -> float:
        """Compare a question with two sentences; return the milliseconds. Raises EmbedderError if it prefers the unrelated one."""
        begun = time.perf_counter()
        near, far = self._score(QUESTION, NEAR), self._score(QUESTION, FAR)
        if near <= far and ENGLISH in (self.card.languages or (ENGLISH,)):
            raise EmbedderError(sentence("The model runs, but does not distinguish related from unrelated sentences."))
        return 1000 * (time.perf_counter() - begun)

    def release_memory(self, idle_seconds: float) -> bool:
        """Release the model if it was not used for so long; return whether there was any."""
        had_model = self._model.release(idle_seconds)
        return self._tokenizer.release(idle_seconds) or had_model

    def close(self) -> None:
        self._threads.shutdown(cancel_futures=True)
        self._model.close()
        self._tokenizer.close()

    def _score(self, question: str, passage: str) -> float:
        tokenizer = self._tokenizer.use()
        texts = (tokenizer.encode(model_text(text), add_special_tokens=False) for text in (question, passage))
        output = self._model.use().run(tokenizer.post_process(*texts))
        if output.size != 1:
            raise EmbedderError(sentence("The reranker returned {} numbers instead of one.", output.size))
        if not np.isfinite(output).all():
            raise EmbedderError(sentence("The reranker returned a value that is not a number."))
        return float(output.reshape(()))
