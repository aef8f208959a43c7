"""The same passages and questions in a private and in a shared library: are the results equally good?

    python bench/stores.py [--pairs FOLDER...] [--sites FOLDER --questions FILE...] [--docqa development] [--cache FOLDER]
        [--embeddings FILE] [--limit N] [--json [FILE]]

FOLDER of --pairs is the same as in bench/embedding.py, with each passage as a page. From the sites, the bench indexes the pages of the
questions and answers; each passage with a span is correct. Every set is stored with the same vectors in SQLite and in a test PostgreSQL.
Each question is asked in both with keyword search, hybrid search, and hybrid search with reranking. The last column is the advantage of the
shared library in points. --embeddings caches vectors for another run.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import math
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.embed.onnx import OnnxEmbedder
from app.library.protocol import LibraryWriter
from app.library.records import ChunkIn, DocumentIn, EmbeddingIn, EmbeddingModel, passage_text
from app.library.scope import EVERYTHING
from app.paths import assets_dir
from app.pg.library import PgLibrary
from app.retrieval.candidates import find_candidates, keywords
from app.retrieval.evidence import EvidenceFinder, SearchArea, prepare_question
from app.retrieval.records import ALL_STAGES
from embedding import read_rows
from evidence import pages_of
from support.library_figures import library
from support.library_reads import within_all
from support.pairs import sign_test
from support.questions import add_arguments, data_is_missing, read_questions
from support.real_corpus import read_page
from support.remembering import CachingEmbedder
from support.report import Report, Row, add_json
from support.spans import holds_any
from tests.support.postgres import PostgresServer

DEPTH: Final = 10
ASKED_FOR: Final = 100
AT_ONCE: Final = 64
WAYS: Final = ("words", "fused", "reranked")
PRIVATE: Final = "SQLite"
SHARED: Final = "PostgreSQL"

Grades = Mapping[str, float]
"""Grades of answering passages, by key."""


@dataclass(frozen=True)
class Trial:
    """Pages, and questions with their answers."""

    name: str
    pages: Sequence[DocumentIn]
    questions: Sequence[tuple[str, Grades]]


def of_pairs(folder: Path, limit: int) -> Trial:
    """Return a set of passages with questions."""
    pages = [_page_of(row["id"], row.get("title", ""), row["text"]) for row in read_rows(folder, "passages")]
    keys = {page.url: page.chunks[0].key for page in pages}
    asked = []
    for row in read_rows(folder, "questions"):
        # The judges of Cranfield used 5 for passages that do not answer.
        named = {name: grade for name, grade in (row.get("rels") or {row["passage_id"]: 1}).items() if 0 < grade < 5}
        grades = {keys[_url(name)]: float(grade) for name, grade in named.items() if _url(name) in keys}
        if grades:
            asked.append((row["question"], grades))
    return Trial(folder.name, pages, asked[:limit] if limit else asked)


def of_sites(options: argparse.Namespace) -> Trial:
    """Return questions of the public set or of given files, with the pages of questions and answers."""
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    named = dict.fromkeys(path for file in options.questions for path in pages_of(file, questions))
    read = [read_page(options.sites / path, options.sites) for path in named if (options.sites / path).is_file()]
    pages = list({page.url: page for page in read if page is not None}.values())
    asked = []
    for question in questions:
        own = [page for page in pages if f"/{question.site}/" in page.url]
        chunks = (chunk for page in own for chunk in page.chunks)
        grades = {chunk.key: 1.0 for chunk in chunks if holds_any(chunk.text, question.gold)}
        if grades:
            asked.append((question.text, grades))
    return Trial(options.docqa or "questions", pages, asked)


def _url(name: str) -> str:
    return f"https://pairs.example/{name}"


def _page_of(name: str, title: str, text: str) -> DocumentIn:
    key = hashlib.sha256(f"{name}|{text}".encode()).hexdigest()
    chunk = ChunkIn(key, (title,) if title else (), None, text, 0, len(text), 0, 0, len(text.split()))
    return DocumentIn(_url(name), title or name, text, key, "web", (chunk,))


def fill(store: LibraryWriter, pages: Sequence[DocumentIn], embedder: Embedder) -> None:
    """Store the pages with their vectors."""
    for page in pages:
        store.documents.store(page)
    while waiting := store.vectors.waiting(AT_ONCE):
        made = embedder.embed_passages([passage_text(each) for each in waiting])
        store.vectors.store(
            [EmbeddingIn(each.chunk_id, one.vector, one.token_bits) for each, one in zip(waiting, made, strict=True)]
        )


def ask(store: LibraryWriter, trial: Trial, embedder: Embedder) -> dict[str, list[Sequence[str]]]:
    """For each kind of search, return the keys of the best passages by question."""
    finder = EvidenceFinder(store, ALL_STAGES)
    found: dict[str, list[Sequence[str]]] = {way: [] for way in WAYS}
    for text, _ in trial.questions:
        ready = prepare_question(embedder, text, has_parts=ALL_STAGES.sub_queries)
        by_words = store.chunks.lexical(keywords(store, text), k=ASKED_FOR)
        fused = find_candidates(store, ready.queries, filter=EVERYTHING, limit=ASKED_FOR)
        candidates = finder.collect(ready.queries, SearchArea((EVERYTHING,)))
        ranked = finder.rank(ready.analysis, ready.queries, candidates, in_context=ready.in_context).ranked
        best = {
            "words": [hit.chunk_id for hit in by_words[:DEPTH]],
            "fused": [each.chunk_id for each in fused[:DEPTH]],
            "reranked": [item.chunk.id for item in ranked[:DEPTH]],
        }
        keys = {chunk.id: chunk.key for chunk in store.chunks.by_ids(sorted({i for ids in best.values() for i in ids}))}
        for way, ids in best.items():
            found[way].append([keys[each] for each in ids])
    return found


def gain(found: Sequence[str], grades: Grades) -> float:
    """Return the normalized discounted cumulative gain."""
    got = sum(grades.get(key, 0.0) / math.log2(place + 2) for place, key in enumerate(found))
    ideal = sorted(grades.values(), reverse=True)[:DEPTH]
    return got / sum(grade / math.log2(place + 2) for place, grade in enumerate(ideal))


@contextlib.contextmanager
def opened(
    folder: Path, model: EmbeddingModel, server: PostgresServer, number: int
) -> Iterator[dict[str, LibraryWriter]]:
    """Yield an empty library of each kind."""
    corpus = Corpus.open(folder / f"{number}.db", dimension=model.dimension, model=model.fingerprint)
    address = server.new_database(f"stores{number}")
    library("init", address)
    shared = PgLibrary.open("team", address, model)
    try:
        yield {PRIVATE: corpus, SHARED: within_all(shared)}
    finally:
        shared.close()
        corpus.close()


def rows_of(trial: Trial, found: Mapping[str, Mapping[str, Sequence[Sequence[str]]]]) -> Iterator[Row]:
    """Yield a row for each kind of search and measure."""
    golds = [grades for _, grades in trial.questions]
    for way in WAYS:
        gains = {name: [gain(*each) for each in zip(of[way], golds, strict=True)] for name, of in found.items()}
        firsts = {
            name: [float(bool(keys) and keys[0] in gold) for keys, gold in zip(of[way], golds, strict=True)]
            for name, of in found.items()
        }
        for measure, values in ((f"nDCG@{DEPTH} %", gains), ("first right %", firsts)):
            mean = {name: 100 * sum(each) / len(golds) for name, each in values.items()}
            better = sum(one > other for one, other in zip(values[SHARED], values[PRIVATE], strict=True))
            worse = sum(one < other for one, other in zip(values[SHARED], values[PRIVATE], strict=True))
            yield {
                "set": trial.name,
                "questions": len(golds),
                "by": way,
                "measure": measure,
                **mean,
                "points": mean[SHARED] - mean[PRIVATE],
                "better": better,
                "worse": worse,
                "p": sign_test(better, worse),
            }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--pairs", type=Path, nargs="+", metavar="FOLDER", default=[])
    parser.add_argument("--embeddings", type=Path, metavar="FILE", help="cache of vectors")
    add_json(parser)
    return parser.parse_args()


def main() -> int:
    options = arguments()
    asks_sites = bool(options.docqa or options.sites or options.questions)
    if (asks_sites and data_is_missing(options)) or not (asks_sites or options.pairs):
        print("Use --pairs, or --sites and --questions, or --docqa.", file=sys.stderr)
        return 2
    trials = [of_pairs(folder, options.limit) for folder in options.pairs]
    trials += [of_sites(options)] if asks_sites else []
    report = Report("A private library and a shared one", as_json=options.json)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name, contextlib.ExitStack() as held:
        server = PostgresServer()
        held.callback(server.close)
        embedder = CachingEmbedder(
            OnnxEmbedder(assets_dir() / "model"), options.embeddings or Path(name) / "vectors.db"
        )
        held.callback(embedder.close)
        model = EmbeddingModel(embedder.card.fingerprint, embedder.card.dimension)
        for number, trial in enumerate(trials):
            found = {}
            with opened(Path(name), model, server, number) as stores:
                for kind, store in stores.items():
                    fill(store, trial.pages, embedder)
                    found[kind] = ask(store, trial, embedder)
            for row in rows_of(trial, found):
                report.add(row)
    report.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
