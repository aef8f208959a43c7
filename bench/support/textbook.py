"""Textbook retrieval: windows of word pieces, BM25 and vectors combined by reciprocal rank.

Uses the program's model and extraction, so that only retrieval differs, not weights or reading.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from app.embed.embedder import PassageEmbedding
from app.embed.folder import TOKENIZER_FILE
from app.embed.onnx import OnnxEmbedder
from app.extract import Page
from app.paths import assets_dir
from app.text.terms import query_terms
from support.baselines import NOTHING, SiteReader
from support.judging import CHARS_PER_TOKEN, Outcome, judge
from support.questions import Question
from support.remembering import CachingEmbedder

WINDOW_PIECES: Final = 254
OVERLAP_PIECES: Final = 64
WINDOWS: Final = 8
FILLED_TOKENS: Final = 3_000
"""Size of an answer of the program, for the comparison at equal size."""
RRF_K: Final = 60
RANKED_PER_WAY: Final = 100
PAGE_ALONE: Final = "textbook hybrid, page alone"
PAGE_FILLED: Final = f"{PAGE_ALONE}, {FILLED_TOKENS} tokens"
WITH_LINKS: Final = "textbook hybrid, page and its links"
LINKS_FILLED: Final = f"{WITH_LINKS}, {FILLED_TOKENS} tokens"


@dataclass(frozen=True, slots=True)
class Shown:
    """A text with the title of its page."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Window(Shown):
    """A window of a page with its vector."""

    vector: NDArray[np.float32]


class _VectorsAlone(OnnxEmbedder):
    """The model without bits of single tokens, which textbook retrieval does not use and which would fill the file."""

    def embed_passage(self, text: str) -> PassageEmbedding:
        made = super().embed_passage(text)
        return PassageEmbedding(made.vector, made.token_bits[:0])


class Textbook:
    """Splits and embeds each page once. `memory` is a vector cache that several processes can share."""

    def __init__(self, memory: Path) -> None:
        from tokenizers import Tokenizer

        folder = assets_dir() / "model"
        memory.parent.mkdir(parents=True, exist_ok=True)
        self._embedder = CachingEmbedder(_VectorsAlone(folder), memory)
        self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._windows: dict[str, list[Window]] = {}
        self.query = lru_cache(maxsize=None)(self._query)

    def windows(self, pages: Iterable[Page], *, until: float = inf) -> list[Window]:
        """Return the windows of all pages in order. Raises TimeoutError when the clock (time.time) passes `until`."""
        found: list[Window] = []
        for page in pages:
            if page.url not in self._windows:
                if time.time() > until:
                    raise TimeoutError
                texts = cut(page.text, self._tokenizer)
                self._windows[page.url] = [
                    Window(page.title, text, self._embedder.embed_passage(text).vector) for text in texts
                ]
            found += self._windows[page.url]
        return found

    def ranked(self, question: str, windows: Sequence[Window]) -> list[Window]:
        """Return the windows by the sum of 1 / (60 + rank) over both rankings, best first."""
        if not windows:
            return []
        similarity = np.stack([window.vector for window in windows]) @ self.query(question)
        by_meaning = np.argsort(-similarity, kind="stable")[:RANKED_PER_WAY]
        with contextlib.closing(WordIndex(window.text for window in windows)) as words:
            return [windows[number] for number in fused(by_meaning.tolist(), words.ranked(question))]

    def close(self) -> None:
        self._embedder.close()

    def _query(self, question: str) -> NDArray[np.float32]:
        return self._embedder.embed_query(question).vector


def cut(text: str, tokenizer: Any) -> list[str]:
    """Return windows of at most WINDOW_PIECES word pieces that overlap by OVERLAP_PIECES."""
    spans = tokenizer.encode(text, add_special_tokens=False).offsets
    last = max(1, len(spans) - OVERLAP_PIECES)
    starts = range(0, last if spans else 0, WINDOW_PIECES - OVERLAP_PIECES)
    return [text[spans[at][0] : spans[min(at + WINDOW_PIECES, len(spans)) - 1][1]] for at in starts]


class WordIndex:
    """Texts by BM25, each identified by its place."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("create virtual table piece using fts5(text, tokenize='porter unicode61')")
        self._database.executemany("insert into piece (rowid, text) values (?, ?)", enumerate(texts))

    def ranked(self, question: str) -> list[int]:
        """Return the places of the best texts, best first."""
        match = " OR ".join('"' + term.replace('"', "") + '"' for term in query_terms(question))
        query = "select rowid from piece where piece match ? order by bm25(piece), rowid limit ?"
        return [number for (number,) in self._database.execute(query, (match, RANKED_PER_WAY))]

    def close(self) -> None:
        self._database.close()


def fused(*orders: Sequence[int]) -> list[int]:
    """Return the numbers in all orders by the sum of 1 / (60 + rank), best first."""
    scores: defaultdict[int, float] = defaultdict(float)
    for order in orders:
        for rank, number in enumerate(order, 1):
            scores[number] += 1 / (RRF_K + rank)
    return sorted(scores, key=lambda each: (-scores[each], each))


def first_windows(windows: Sequence[Shown], *, tokens: int = 0) -> str:
    """Return the first windows in the form of a result: eight, or as many as fit into `tokens`."""
    blocks: list[str] = []
    room = tokens * CHARS_PER_TOKEN - len("[EVIDENCE]\n")
    for number, window in enumerate(windows, 1):
        block = f"Source [{number}]: {window.title}\n{window.text}\n\n"
        room -= len(block)
        if (number > WINDOWS) if not tokens else (room < 0):
            break
        blocks.append(block)
    return "[EVIDENCE]\n" + ("".join(blocks) or NOTHING)


def ask_textbook(
    questions: Sequence[Question], folder: Path, memory: Path, seconds: float = inf
) -> dict[str, list[Outcome]]:
    """Return the results for the questions of one site with its pages in `folder`. Times are for the query only.

    After `seconds`, linked pages get no more vectors. Questions that need them are left out if links count.
    """
    reader, textbook = SiteReader(folder), Textbook(memory)
    found: dict[str, list[Outcome]] = {name: [] for name in (PAGE_ALONE, PAGE_FILLED, WITH_LINKS, LINKS_FILLED)}
    until = time.time() + seconds
    try:
        for question in questions:
            page = reader.page(question.seed_path)
            own = textbook.windows([page] if page is not None else [])
            _ask(question, textbook, own, (found[PAGE_ALONE], found[PAGE_FILLED]))
            with contextlib.suppress(TimeoutError):
                linked = textbook.windows(reader.linked(question.seed_path), until=until)
                _ask(question, textbook, [*own, *linked], (found[WITH_LINKS], found[LINKS_FILLED]))
    finally:
        textbook.close()
    return found


def _ask(
    question: Question, textbook: Textbook, windows: Sequence[Window], into: tuple[list[Outcome], list[Outcome]]
) -> None:
    """Judge eight windows, and as many as fill an answer."""
    started = time.perf_counter()
    ranked = textbook.ranked(question.text, windows)
    ms = 1000 * (time.perf_counter() - started)
    for outcomes, tokens in zip(into, (0, FILLED_TOKENS), strict=True):
        outcomes.append(judge(question, first_windows(ranked, tokens=tokens), error=False, ms=ms))
