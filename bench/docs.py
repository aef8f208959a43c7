"""Documentation search: times of the index, and how often the correct page is first, with baselines in the same run.

    python bench/docs.py --folder FOLDER --queries FILE.jsonl [--json] [--misses]

FOLDER contains Markdown files. Each line of FILE is an object with `query`, `path` (the page that a reader would choose, relative to
FOLDER), `also` (other correct pages) and `form`. Times are CPU times, with wall clock times next to them. The baselines are the five
weights only (title phrase 100, title word 20, heading phrase 50, heading word 10, occurrence 1) over all words of a query, and SQLite FTS5
with heading weights. Tokens are characters / 4.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.corpus import Corpus
from app.docsets.outline import Outline, outline
from app.embed.folder import load_card
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.engine.components import open_docs
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from app.server.render.text import Budget
from app.server.tools.docs import search_text
from app.settings import load_settings
from app.text.terms import words
from support.in_process import engine_with
from support.report import Row, median, percentile, print_report

LIMIT = 10
CHARS_PER_TOKEN = 4
ENOUGH = Budget(20_000, 48_000, 200_000)
FTS_WEIGHTS = "10.0, 5.0, 1.0"
REPEAT = 7
WAIT_SECONDS = 1_800.0


@dataclass(frozen=True, slots=True)
class Query:
    """A query and its correct pages."""

    text: str
    pages: tuple[str, ...]
    form: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page for the baselines."""

    path: str
    text: str
    outline: Outline


@dataclass(frozen=True, slots=True)
class Spent:
    """Milliseconds of CPU and wall clock time."""

    processor: float
    wall: float


@dataclass(frozen=True, slots=True)
class Answer:
    """The paths of a result in order, its text and its cost."""

    paths: list[str]
    text: str
    spent: Spent


class Timer:
    """Measures time from its creation."""

    def __init__(self) -> None:
        self._processor, self._wall = time.process_time(), time.perf_counter()

    def stopped(self) -> Spent:
        return Spent(1000 * (time.process_time() - self._processor), 1000 * (time.perf_counter() - self._wall))

    def row(self, what: str, goal: str) -> Row:
        """Return a row for one measurement."""
        return row_of(what, goal, [self.stopped()])


def row_of(what: str, goal: str, spent: Sequence[Spent]) -> Row:
    """Return a row for several measurements."""
    processor, wall = [each.processor for each in spent], [each.wall for each in spent]
    row: dict[str, object] = {"what": what, "n": len(spent), "cpu p50": median(processor)}
    return {**row, "p50": median(wall), "p95": percentile(wall, 0.95), "goal": goal}


Ask = Callable[[str], tuple[list[str], str]]


def queries_of(file: Path) -> list[Query]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [Query(row["query"], (row["path"], *row.get("also", ())), row.get("form", "")) for row in rows]


def pages_of(folder: Path) -> list[Page]:
    found = []
    for file in sorted(folder.rglob("*.md")):
        path, text = file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8", errors="replace")
        found.append(Page(path, text, outline(text, path)))
    return found


def five_weights(pages: Sequence[Page]) -> Ask:
    """Score by the weighted sum over every word and occurrence."""
    folded = [(page, page.outline.title.lower(), [s.heading.lower() for s in page.outline.sections]) for page in pages]
    texts = {page.path: page.text.lower() for page in pages}

    def points(page: Page, title: str, headings: Sequence[str], phrase: str) -> int:
        terms = phrase.split()
        total = 100 * (phrase in title) + 50 * sum(phrase in heading for heading in headings)
        total += sum(20 * (term in title) + 10 * sum(term in heading for heading in headings) for term in terms)
        return total + sum(texts[page.path].count(term) for term in terms)

    def ask(query: str) -> tuple[list[str], str]:
        phrase = " ".join(query.lower().split())
        scores = {page.path: points(page, title, headings, phrase) for page, title, headings in folded}
        best = sorted((path for path in scores if scores[path]), key=lambda path: (-scores[path], path))[:LIMIT]
        return best, ""

    return ask


def full_text(pages: Sequence[Page]) -> Ask:
    """Score by BM25 over title, headings and text, with any of the words."""
    database = sqlite3.connect(":memory:")
    database.execute(
        "create virtual table page using fts5(title, headings, text, path unindexed, tokenize='porter unicode61')"
    )
    for page in pages:
        headings = "\n".join(section.heading for section in page.outline.sections)
        database.execute("insert into page values(?, ?, ?, ?)", (page.outline.title, headings, page.text, page.path))

    def ask(query: str) -> tuple[list[str], str]:
        match = " OR ".join(f'"{word}"' for word in words(query))
        found = database.execute(
            f"select path from page where page match ? order by bm25(page, {FTS_WEIGHTS}), path limit ?", (match, LIMIT)
        )
        return [path for (path,) in found], ""

    return ask


def asked(ask: Ask, queries: Sequence[Query]) -> list[Answer]:
    answers = []
    for query in queries:
        timer = Timer()
        paths, text = ask(query.text)
        answers.append(Answer(paths, text, timer.stopped()))
    return answers


def quality_row(name: str, queries: Sequence[Query], answers: Sequence[Answer]) -> Row:
    """Return how often the correct page is first, in the top three and in the top ten, tokens of the result text, and times."""
    ranks = [_rank(query, answer) for query, answer in zip(queries, answers, strict=True)]
    row: dict[str, object] = {"what": name, "n": len(ranks)}
    for form in ("", "paraphrase", "keyword"):
        own = [rank for rank, query in zip(ranks, queries, strict=True) if not form or query.form == form]
        for count in (1, 3, 10) if not form else (1, 3):
            if own:
                row[f"{form or 'all'} top {count} %"] = 100 * sum(rank <= count for rank in own) / len(own)
    tokens = [len(answer.text) / CHARS_PER_TOKEN for answer in answers if answer.text]
    row["tokens"] = sum(tokens) / len(tokens) if tokens else ""
    row["cpu p50 ms"] = median([answer.spent.processor for answer in answers])
    row["p50 ms"] = median([answer.spent.wall for answer in answers])
    return row


def _rank(query: Query, answer: Answer) -> int:
    places = [place for place, path in enumerate(answer.paths, start=1) if path in query.pages]
    return places[0] if places else LIMIT + 1


def index_rows(folder: Path) -> list[Row]:
    """Measure build, load, keyword search and pages, without a model."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as name:
        settings = load_settings(data_dir=Path(name), file=Path(name) / "none.toml", environ={})
        card = load_card(assets_dir() / "model")
        corpus = Corpus.open(settings.data_dir / "corpus.db", dimension=card.dimension, model=card.fingerprint)
        corpus.folders.add(str(folder))
        docs, built = open_docs(corpus, None, settings), Timer()
        names = docs.pages().names
        rows = [built.row("build the index", f"< 800 for 155 pages, {len(names)} here")]
        loads = []
        for _ in range(REPEAT):
            docs, loaded = open_docs(corpus, None, settings), Timer()
            docs.pages()
            loads.append(loaded.stopped())
        rows.append(row_of("load the index in a new process", "< 15", loads))
        reads = []
        for page in names:
            reading = Timer()
            docs.page(page, None, lambda text: len(text) < ENOUGH.characters)
            reads.append(reading.stopped())
        rows.append(row_of("read a page", "< 5", reads))
        docs.stop()
        corpus.close()
    return rows


async def search_answers(folder: Path, queries: Sequence[Query]) -> tuple[list[Answer], list[Answer]]:
    """Return the answers of WebRAG: by keywords before embedding, and after everything is embedded."""
    embedder = OnnxEmbedder(assets_dir() / "model")
    async with engine_with(embedder, ALL_STAGES) as engine:
        docs, settings = engine.docs, engine.settings

        def ask(query: str) -> tuple[list[str], str]:
            found = docs.search(query)
            snippet_chars, count = settings.mcp_snippet_length, engine.count_tokens
            return [hit.name for hit in found.hits], search_text(
                found, snippet_chars=snippet_chars, budget=ENOUGH, count=count
            )

        engine.set_paused(True)
        await asyncio.to_thread(engine._corpus.folders.add, str(folder))
        await asyncio.to_thread(asked, ask, queries)
        by_words = await asyncio.to_thread(asked, ask, queries)
        engine.set_paused(False)
        job = await engine.jobs.add_folder(folder)
        await engine.jobs.wait(job.id, WAIT_SECONDS)
        await asyncio.to_thread(_until_embedded, engine)
        await asyncio.to_thread(asked, ask, queries[:3])
        return by_words, await asyncio.to_thread(asked, ask, queries)


def _until_embedded(engine: Engine) -> None:
    while engine._corpus.vectors.count_waiting():
        time.sleep(0.5)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--queries", type=Path, nargs="+", required=True)
    parser.add_argument("--misses", action="store_true", help="show the queries whose page is not first")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    folder, queries = options.folder.resolve(), [query for file in options.queries for query in queries_of(file)]
    pages = pages_of(folder)
    print_report(index_rows(folder), as_json=options.json, title="Documentation index (milliseconds)")
    by_words, by_both = asyncio.run(search_answers(folder, queries))
    found = {
        "WebRAG": by_both,
        "WebRAG, words alone": by_words,
        "FTS5, heading weights": asked(full_text(pages), queries),
        "five weights, all words": asked(five_weights(pages), queries),
    }
    rows = [quality_row(name, queries, answers) for name, answers in found.items()]
    print_report(rows, as_json=options.json, title=f"Documentation search, {len(pages)} pages")
    if options.misses:
        for query, answer in zip(queries, by_both, strict=True):
            if _rank(query, answer) > 1:
                print(f"{_rank(query, answer)}\t{query.text}\t{query.pages[0]}\t{answer.paths[:3]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
