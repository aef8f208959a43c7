"""A corpus of any size from real pages: HTML read and cut as the program does it, again on other sites with other words until there are
enough passages.

Vectors and token signs are made (`made_corpus`): to embed a million passages takes a day here and changes nothing of the times. Without a
folder of pages the texts are made too. What is cut is kept in memory: beyond MAX_CUT passages pages come again, each time with their words
exchanged for others as long and about as frequent, so that how often words occur stays as it is.
"""

from __future__ import annotations

import hashlib
import itertools
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from app.corpus import Corpus
from app.errors import WebRAGError
from app.ingest.prepared import Body, document_of, prepare_here
from app.library.copying import DocumentCopy, copy_all
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn, EmbeddingModel
from app.text.tokens import ChunkingLimits, token_counter
from support.made_corpus import (
    BLOCK,
    CHUNKS_PER_DOCUMENT,
    EMBEDDING_BATCH,
    SEED,
    TOKENS_PER_CHUNK,
    Matrix,
    Surface,
    documents,
)

MAX_CHUNK_TOKENS: Final = 220
CRAWLED: Final = 1_750_000_000.0
QUESTIONS: Final = 400
WORDS_PER_QUESTION: Final = 8
MIN_WORD_CHARS: Final = 4
FILES_AT_ONCE: Final = 16
MAX_CUT: Final = 300_000
"""Passages of pages that are read; a tenth of a GB is 20,000 of them."""
EXCHANGED_AMONG: Final = 8
"""So many words of one length, neighbours by how often they occur, take each other's places."""
WORD: Final = re.compile(rf"[A-Za-z]{{{MIN_WORD_CHARS},}}")

CORPUS_FILE: Final = "corpus.db"
QUESTIONS_FILE: Final = "questions.txt"


def make_corpus(folder: Path, texts: Path | None, chunks: int, model: EmbeddingModel) -> Sequence[str]:
    """A corpus file with at least so many passages in a folder, and questions of words that stand in them; those of an earlier run where
    they are there."""
    questions = folder / QUESTIONS_FILE
    if not questions.exists():
        (folder / CORPUS_FILE).unlink(missing_ok=True)
        asked: list[str] = []
        corpus = Corpus.open(folder / CORPUS_FILE, dimension=model.dimension, model=model.fingerprint)
        try:
            for _ in copy_all(made_copies(texts, chunks, model.dimension, asked), corpus):
                pass
        finally:
            corpus.close()
        questions.write_text("\n".join(asked), encoding="utf-8")
    return questions.read_text(encoding="utf-8").splitlines()


def made_copies(texts: Path | None, chunks: int, dimension: int, asked: list[str]) -> Iterator[DocumentCopy]:
    """Pages with at least so many passages and made vectors for them; questions are left in `asked`."""
    chance, vectors = random.Random(SEED), _vectors(chunks, dimension)
    signs = np.random.default_rng(SEED).integers(0, 256, (EMBEDDING_BATCH, TOKENS_PER_CHUNK, dimension // 8), np.uint8)
    for number, page in enumerate(_enough(texts, chunks) if texts else _made(chunks), 1):
        # Each page is as likely as any other to give a question.
        if len(asked) < QUESTIONS:
            asked.append(_question(chance, page))
        elif (place := chance.randrange(number)) < QUESTIONS:
            asked[place] = _question(chance, page)
        made = {
            chunk.key: EmbeddingIn(0, next(vectors), signs[place % len(signs)])
            for place, chunk in enumerate(page.chunks)
        }
        yield DocumentCopy(number, page, made)


def _vectors(count: int, dimension: int) -> Iterator[Matrix]:
    """Vectors without end, of as many topics as so many passages have."""
    rng = np.random.default_rng(SEED)
    surface = Surface.of(rng, count, dimension)
    while True:
        yield from surface.vectors(rng, min(BLOCK, count))


def _question(chance: random.Random, page: DocumentIn) -> str:
    """Some words of a passage, in their order."""
    passage = chance.choice(page.chunks).text.split()
    words = [word for word in passage if word.isalpha() and len(word) >= MIN_WORD_CHARS] or passage
    places = sorted(chance.sample(range(len(words)), min(WORDS_PER_QUESTION, len(words))))
    return " ".join(words[place] for place in places)


def _made(chunks: int) -> Iterator[DocumentIn]:
    return documents(np.random.default_rng(SEED), -(-chunks // CHUNKS_PER_DOCUMENT))


def _enough(folder: Path, chunks: int) -> Iterator[DocumentIn]:
    """The pages of a folder, and copies of them on other sites with other words while they do not suffice."""
    known: list[DocumentIn] = []
    left = chunks
    for page in _pages(folder):
        known.append(page)
        left -= len(page.chunks)
        yield page
        if left <= 0:
            return
        if chunks - left >= MAX_CUT:
            break
    if not known:
        raise SystemExit(f"{folder} holds no HTML page with text.")
    counted = Counter(word for page in known for word in WORD.findall(page.text))
    for number in itertools.count(1):
        exchanged = _exchanged(counted, number)
        for page in known:
            left -= len(page.chunks)
            yield on_another_site(_reworded(page, exchanged), f"copy{number}.")
            if left <= 0:
                return


def _exchanged(counted: Counter[str], number: int) -> Mapping[str, str]:
    """For each word another one as long that occurs about as often."""
    chance, of_length = random.Random(number), defaultdict[int, list[str]](list)
    for word, _ in counted.most_common():
        of_length[len(word)].append(word)
    exchanged: dict[str, str] = {}
    for words in of_length.values():
        for start in range(0, len(words), EXCHANGED_AMONG):
            some = words[start : start + EXCHANGED_AMONG]
            exchanged.update(zip(some, chance.sample(some, len(some)), strict=True))
    return exchanged


def _reworded(page: DocumentIn, exchanged: Mapping[str, str]) -> DocumentIn:
    """The page with its words exchanged; every offset stays right, that of a passage which begins or ends within a word too."""

    def other(text: str) -> str:
        return WORD.sub(lambda found: exchanged.get(found[0], found[0]), text)

    def of_passage(chunk: ChunkIn) -> ChunkIn:
        prefix, suffix = chunk.text[: chunk.prefix_length], chunk.text[len(chunk.text) - chunk.suffix_length :]
        return replace(chunk, text=f"{other(prefix)}{text[chunk.start : chunk.end]}{other(suffix)}")

    text = other(page.text)
    chunks = tuple(of_passage(chunk) for chunk in page.chunks)
    content_hash = hashlib.sha256(text.encode()).hexdigest()
    return replace(page, text=text, content_hash=content_hash, chunks=chunks)


def _pages(folder: Path) -> Iterator[DocumentIn]:
    """The HTML files below a folder as documents, some of each site first, without those that hold no text."""
    files = sorted(folder.rglob("*.html"))
    random.Random(SEED).shuffle(files)
    with ProcessPoolExecutor() as pool:
        try:
            for page in pool.map(read_page, files, itertools.repeat(folder), chunksize=FILES_AT_ONCE):
                if page is not None:
                    yield page
        finally:
            pool.shutdown(cancel_futures=True)


def read_page(file: Path, folder: Path) -> DocumentIn | None:
    """An HTML file below a folder as the program stores it; None for one that holds no text."""
    url = f"https://docs.example/{file.relative_to(folder).as_posix()}"
    limits = ChunkingLimits(MAX_CHUNK_TOKENS, token_counter(None))
    try:
        return document_of(prepare_here(Body(file.read_bytes(), url, "text/html"), limits), kind="web", crawled=CRAWLED)
    except WebRAGError:
        return None


def on_another_site(page: DocumentIn, site: str) -> DocumentIn:
    """The page as another site has it, whose name begins so."""
    keys = (hashlib.sha256(f"{site} {chunk.key}".encode()).hexdigest() for chunk in page.chunks)
    chunks = tuple(replace(chunk, key=key) for chunk, key in zip(page.chunks, keys, strict=True))
    aliases = tuple(url.replace("//", f"//{site}", 1) for url in page.aliases)
    return replace(page, url=page.url.replace("//", f"//{site}", 1), aliases=aliases, chunks=chunks)
