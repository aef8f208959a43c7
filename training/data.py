"""Training data: passages of documentation as the program splits them, questions that they answer, and similar passages.

Similar passages come from all sites, as when a question names no page.
"""

from __future__ import annotations

import json
import logging
import random
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

HERE: Final = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "bench")]

from app.embed.onnx import OnnxEmbedder  # noqa: E402
from app.errors import WebRAGError  # noqa: E402
from app.extract import extract  # noqa: E402
from app.ingest.chunking import chunk_page  # noqa: E402
from app.paths import assets_dir  # noqa: E402
from app.retrieval.rerank import Bits, best_matches, word_share  # noqa: E402
from docqa.sites import folder_of, make, read_sites  # noqa: E402

QUESTIONS: Final = HERE / "questions"
PACKAGES: Final = (HERE.parent / "bench/docqa/packages.toml", HERE / "packages.toml")
PASSAGE_TOKENS: Final = 220
BEGINNING: Final = 80
"""Number of first characters that identify a passage."""
POOL_PER_SITE: Final = 250
"""Additional passages per site without a question, used as wrong answers."""
THREADS: Final = 2
NEAREST: Final = 60
SAME_PAGE: Final = 30
SKIPPED: Final = 2
KEPT: Final = 24
"""Wrong answers per question: those that the shipped model ranks highest. The first two on the page of the answer may be correct."""


@dataclass(slots=True)
class Passage:
    """A passage with its title and headings, the questions that it answers, and the numbers of passages that look like answers."""

    page: str
    title: str
    head: str
    text: str
    place: int
    questions: list[str] = field(default_factory=list)
    wrong: list[int] = field(default_factory=list)
    vector: NDArray[np.float32] | None = None
    """Vector of the shipped model. The trained one must stay close to it."""
    asked: NDArray[np.float32] | None = None
    """Mean vector of its questions by the shipped model."""

    @property
    def embedded(self) -> str:
        return f"{self.head}. {self.text}" if self.head else self.text


def shipped_model() -> OnnxEmbedder:
    return OnnxEmbedder(assets_dir() / "model")


def read_library(names: Sequence[str], cache: Path) -> list[Passage]:
    """Return the passages of all question pages of these sites, with questions and wrong answers."""
    embedder = shipped_model()
    library = [passage for name in names for passage in read_site(name, cache, embedder)]
    _find_wrong(library, embedder)
    return library


def read_site(name: str, cache: Path, embedder: OnnxEmbedder) -> list[Passage]:
    made = {site.name: site for file in PACKAGES for site in read_sites(file).values()}
    make(made[name], cache)
    rows = [json.loads(line) for line in (QUESTIONS / f"{name}.jsonl").read_text("utf-8").splitlines()]
    passages: list[Passage] = []
    for page in sorted({row["page"] for row in rows}):
        passages += _passages(folder_of(cache) / name, page, name, embedder)
    begins: dict[tuple[str, str], list[Passage]] = {}
    for passage in passages:
        begins.setdefault((passage.page, " ".join(passage.text.split())[:BEGINNING]), []).append(passage)
    for row in rows:
        alike = begins.get((f"{name}/{row['page']}", row["begins"]), [])
        if alike:
            min(alike, key=lambda p: abs(p.place - row["place"])).questions = row["questions"]
    rest = [p for p in passages if not p.questions]
    random.Random(name).shuffle(rest)
    return [p for p in passages if p.questions] + rest[:POOL_PER_SITE]


def _passages(folder: Path, page: str, site: str, embedder: OnnxEmbedder) -> Iterator[Passage]:
    url = f"http://{site}.invalid/{page}"
    try:
        read = extract((folder / page).read_bytes(), url=url, content_type="text/html", charset=None)
    except (OSError, WebRAGError) as error:
        logging.getLogger(__name__).warning("%s: %s", url, error)
        return
    chunks = chunk_page(read, url=url, count_tokens=embedder.count_tokens_batch, max_tokens=PASSAGE_TOKENS)
    for place, chunk in enumerate(chunks):
        path = [part for part in chunk.section_path if part != read.title]
        head = " > ".join([read.title, *path] if read.title else path)
        yield Passage(f"{site}/{page}", read.title, head, chunk.text, place)


def _find_wrong(library: Sequence[Passage], embedder: OnnxEmbedder) -> None:
    bits: list[Bits] = []
    pages: dict[str, list[int]] = {}
    with ThreadPoolExecutor(THREADS) as pool:
        embedded = pool.map(embedder.embed_passage, [passage.embedded for passage in library])
    for number, (passage, made) in enumerate(zip(library, embedded, strict=True)):
        passage.vector = made.vector
        bits.append(made.token_bits)
        pages.setdefault(passage.page, []).append(number)
    vectors = np.array([passage.vector for passage in library])
    for number, passage in enumerate(library):
        found: list[int] = []
        asked = [embedder.embed_query(question) for question in passage.questions]
        for query in asked:
            near = np.argpartition(-(vectors @ query.vector), NEAREST)[:NEAREST].tolist()
            candidates = sorted({*near, *pages[passage.page][:SAME_PAGE]} - {number})
            close = best_matches(query.token_vectors, [bits[k] for k in candidates]) @ word_share(query)
            ranked = [candidates[k] for k in np.argsort(-close)]
            doubtful = [k for k in ranked if library[k].page == passage.page][:SKIPPED]
            found += [k for k in ranked if k not in doubtful][:KEPT]
        if asked:
            passage.asked = np.mean([query.vector for query in asked], axis=0)
        passage.wrong = list(dict.fromkeys(found))
