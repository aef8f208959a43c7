"""A corpus of any size from real pages. HTML pages are extracted and split as in the program, and repeated on other sites with other words
until there are enough passages.

Vectors and token vectors are generated (`made_corpus`), because embedding a million passages takes a day and does not change the times.
Without a folder of pages, texts are generated too. Split pages stay in memory. Beyond MAX_CUT passages, pages repeat with each word
exchanged for another of the same length and about the same frequency, so that word frequencies stay the same.
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
"""Maximum passages of pages to read. 20,000 of them take a tenth of a GB."""
EXCHANGED_AMONG: Final = 8
"""Number of words with the same length and similar frequency that are exchanged with each other."""
WORD: Final = re.compile(rf"[A-Za-z]{{{MIN_WORD_CHARS},}}")

CORPUS_FILE: Final = "corpus.db"
QUESTIONS_FILE: Final = "questions.txt"


def make_corpus(folder: Path, texts: Path | None, chunks: int, model: EmbeddingModel) -> Sequence[str]:
    """Create a corpus file with at least this number of passages in a folder, and questions of words in them. Reuses an earlier run."""
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
    """Yield pages with at least this number of passages and generated vectors. Adds questions to `asked`."""
    chance, vectors = random.Random(SEED), _vectors(chunks, dimension)
    signs = np.random.default_rng(SEED).integers(0, 256, (EMBEDDING_BATCH, TOKENS_PER_CHUNK, dimension // 8), np.uint8)
    for number, page in enumerate(_enough(texts, chunks) if texts else _made(chunks), 1):
        # Each page is equally likely to provide a question.
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
    """Yield vectors endlessly, with the number of topics for this number of passages."""
    rng = np.random.default_rng(SEED)
    surface = Surface.of(rng, count, dimension)
    while True:
        yield from surface.vectors(rng, min(BLOCK, count))


def _question(chance: random.Random, page: DocumentIn) -> str:
    """Return some words of a passage in order."""
    passage = chance.choice(page.chunks).text.split()
    words = [word for word in passage if word.isalpha() and len(word) >= MIN_WORD_CHARS] or passage
    places = sorted(chance.sample(range(len(words)), min(WORDS_PER_QUESTION, len(words))))
    return " ".join(words[place] for place in places)


def _made(chunks: int) -> Iterator[DocumentIn]:
    return documents(np.random.default_rng(SEED), -(-chunks // CHUNKS_PER_DOCUMENT))


def _enough(folder: Path, chunks: int) -> Iterator[DocumentIn]:
    """Yield the pages of a folder, then copies of them on other sites with other words until there are enough."""
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
        raise SystemExit(f"{folder} does not contain an HTML page with text.")
    counted = Counter(word for page in known for word in WORD.findall(page.text))
    for number in itertools.count(1):
        exchanged = _exchanged(counted, number)
        for page in known:
            left -= len(page.chunks)
            yield on_another_site(_reworded(page, exchanged), f"copy{number}.")
            if left <= 0:
                return


def _exchanged(counted: Counter[str], number: int) -> Mapping[str, str]:
    """Return another word of the same length and similar frequency for each word."""
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
    """Exchange the words of the page. Every offset stays correct, also of a passage that begins or ends within a word."""

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
    """Yield the HTML files in a folder as documents, first some of each site, without those that have no text."""
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
    """Return an HTML file in a folder as the program stores it, or None without text."""
    url = f"https://docs.example/{file.relative_to(folder).as_posix()}"
    limits = ChunkingLimits(MAX_CHUNK_TOKENS, token_counter(None))
    try:
        return document_of(prepare_here(Body(file.read_bytes(), url, "text/html"), limits), kind="web", crawled=CRAWLED)
    except WebRAGError:
        return None


def on_another_site(page: DocumentIn, site: str) -> DocumentIn:
    """Return the page as on another site, with this prefix of the name."""
    keys = (hashlib.sha256(f"{site} {chunk.key}".encode()).hexdigest() for chunk in page.chunks)
    chunks = tuple(replace(chunk, key=key) for chunk, key in zip(page.chunks, keys, strict=True))
    aliases = tuple(url.replace("//", f"//{site}", 1) for url in page.aliases)
    return replace(page, url=page.url.replace("//", f"//{site}", 1), aliases=aliases, chunks=chunks)
