"""A library of whole documentation sites. Each page is read, split and embedded as in the program, without network access."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final
from urllib.parse import quote

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.engine.components import _chunking
from app.errors import WebRAGError
from app.ingest.prepared import Body, document_of, prepare_here
from app.library.copying import DocumentCopy, copy_all
from app.library.records import ChunkIn, EmbeddingIn, PassageToEmbed, passage_text
from app.settings import load_settings
from support.real_corpus import CRAWLED

PROGRESS: Final = 100
"""Pages between progress messages."""


def store_site(folder: Path, file: Path, embedder: Embedder) -> None:
    """Store all pages of the site in `folder` in a new corpus file."""
    corpus = Corpus.open(file, dimension=embedder.card.dimension, model=embedder.card.fingerprint)
    started = time.perf_counter()
    try:
        for number, done in enumerate(copy_all(read_site(folder, embedder), corpus), 1):
            if number % PROGRESS == 0:
                print(f"{folder.name}: {number} pages, {done.chunks} passages", file=sys.stderr, flush=True)
        total = corpus.totals()
    finally:
        corpus.close()
    seconds = time.perf_counter() - started
    print(f"{folder.name}: {total.documents} pages, {total.chunks} passages, {seconds:.0f} s", file=sys.stderr)


def read_site(folder: Path, embedder: Embedder) -> Iterator[DocumentCopy]:
    """Yield the pages of a site with the vectors of their passages, without pages that have no text."""
    limits = _chunking(load_settings(data_dir=folder, file=folder / "none.toml", environ={}), embedder, embedder.card)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for number, page in enumerate(sorted(folder.rglob("*.*htm*")), 1):
            url = f"https://{folder.name}.example/{quote(page.relative_to(folder).as_posix())}"
            try:
                prepared = prepare_here(Body(page.read_bytes(), url, "text/html"), limits)
            except WebRAGError:
                continue
            document = document_of(prepared, kind="web", crawled=CRAWLED)
            texts = [embedded_text(document.title, chunk) for chunk in document.chunks]
            made = zip(document.chunks, pool.map(lambda text: embedder.embed_passages([text])[0], texts), strict=True)
            vectors = {chunk.key: EmbeddingIn(0, each.vector, each.token_bits) for chunk, each in made}
            yield DocumentCopy(number, document, vectors)


def embedded_text(title: str, chunk: ChunkIn) -> str:
    """Return the text that the program embeds for a passage."""
    return passage_text(PassageToEmbed(0, 0, title, chunk.section_path, chunk.text))


def fill(corpus: Corpus, files: Iterable[Path]) -> None:
    """Copy the pages of corpus files into one corpus."""
    for file in files:
        source = Corpus.open(file, dimension=0, model="")
        try:
            for _ in copy_all(source.copies(), corpus):
                pass
        finally:
            source.close()
