"""A corpus of any size from real pages: HTML read and cut as the program does it, again on other sites until there are enough passages.

Vectors and token signs are made (`made_corpus`): to embed a million passages takes a day here and changes nothing of the times. Without a
folder of pages the texts are made too.
"""

from __future__ import annotations

import hashlib
import itertools
import random
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from app.corpus import Corpus
from app.errors import WebRAGError
from app.ingest.prepared import Body, document_of, prepare_here
from app.library.records import DocumentIn, EmbeddingModel
from app.text.tokens import ChunkingLimits, token_counter
from support.made_corpus import CHUNKS_PER_DOCUMENT, SEED, documents, make_vectors, store_vectors

MAX_CHUNK_TOKENS: Final = 220
CRAWLED: Final = 1_750_000_000.0
QUESTIONS: Final = 400
WORDS_PER_QUESTION: Final = 8
MIN_WORD_CHARS: Final = 4
FILES_AT_ONCE: Final = 16

CORPUS_FILE: Final = "corpus.db"
QUESTIONS_FILE: Final = "questions.txt"


def make_corpus(folder: Path, texts: Path | None, chunks: int, model: EmbeddingModel) -> Sequence[str]:
    """A corpus file with at least so many passages in a folder, and questions of words that stand in them; those of an earlier run where
    they are there."""
    questions = folder / QUESTIONS_FILE
    if not questions.exists():
        (folder / CORPUS_FILE).unlink(missing_ok=True)
        corpus = Corpus.open(folder / CORPUS_FILE, dimension=model.dimension, model=model.fingerprint)
        try:
            asked = _fill(corpus, folder, _enough(texts, chunks) if texts else _made(chunks), model.dimension)
        finally:
            corpus.close()
        questions.write_text("\n".join(asked), encoding="utf-8")
    return questions.read_text(encoding="utf-8").splitlines()


def _fill(corpus: Corpus, folder: Path, pages: Iterator[DocumentIn], dimension: int) -> list[str]:
    """Store the pages with made vectors; returns questions."""
    chance = random.Random(SEED)
    ids: list[int] = []
    asked: list[str] = []
    for number, page in enumerate(pages, 1):
        ids.extend(corpus.documents.store(page).new_chunk_ids)
        # Each page is as likely as any other to give a question.
        if len(asked) < QUESTIONS:
            asked.append(_question(chance, page))
        elif (place := chance.randrange(number)) < QUESTIONS:
            asked[place] = _question(chance, page)
    vectors, _ = make_vectors(folder, len(ids), 1, dimension)
    store_vectors(corpus, ids, vectors)
    return asked


def _question(chance: random.Random, page: DocumentIn) -> str:
    """Some words of a passage, in their order."""
    passage = chance.choice(page.chunks).text.split()
    words = [word for word in passage if word.isalpha() and len(word) >= MIN_WORD_CHARS] or passage
    places = sorted(chance.sample(range(len(words)), min(WORDS_PER_QUESTION, len(words))))
    return " ".join(words[place] for place in places)


def _made(chunks: int) -> Iterator[DocumentIn]:
    return documents(np.random.default_rng(SEED), -(-chunks // CHUNKS_PER_DOCUMENT))


def _enough(folder: Path, chunks: int) -> Iterator[DocumentIn]:
    """The pages of a folder, and copies of them on other sites while they do not suffice."""
    known: list[DocumentIn] = []
    left = chunks
    for page in _pages(folder):
        if left <= 0:
            return
        known.append(page)
        left -= len(page.chunks)
        yield page
    if not known:
        raise SystemExit(f"{folder} holds no HTML page with text.")
    for number, page in ((number, page) for number in itertools.count(1) for page in known):
        if left <= 0:
            return
        left -= len(page.chunks)
        yield on_another_site(page, f"copy{number}.")


def _pages(folder: Path) -> Iterator[DocumentIn]:
    """The HTML files below a folder as documents, without those that hold no text."""
    files = sorted(folder.rglob("*.html"))
    with ProcessPoolExecutor() as pool:
        for page in pool.map(_page, files, itertools.repeat(folder), chunksize=FILES_AT_ONCE):
            if page is not None:
                yield page


def _page(file: Path, folder: Path) -> DocumentIn | None:
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
