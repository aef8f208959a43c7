"""Evidence quality: does one call of `kb.retrieve_evidence` quote the span that answers a question?

    python bench/evidence.py --sites FOLDER --questions FILE... [--embeddings FILE] [--misses] [--json]

FOLDER contains one folder per site. A FILE contains JSON lines {id, site, seed_path, answer_path, question, gold, hops, form}. The pages of
the questions and answers of one file are indexed into one corpus. Then the bench asks every question about the whole corpus through the
tool. It judges both the text and the structured result as minified JSON, in which quotes count with the text around them. Tokens are
characters / 4.

There are two baselines over the same corpus. The first returns the best chunks of SQLite FTS5 up to the same number of characters, the
second quotes by keywords from the passages of `kb.search`. --embeddings caches vectors of passages, for repeated runs.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from app import caps
from app.embed.embedder import Embedder
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.kb.spans import question_terms, rank_spans
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from app.server.tools.kb.common import KB_EVIDENCE_TOKENS
from app.text.terms import query_terms
from support.in_process import engine_with
from support.judging import CHARS_PER_TOKEN, Outcome, judge, table
from support.questions import Question, add_arguments, data_is_missing, read_questions
from support.remembering import CachingEmbedder
from support.report import Row, print_report
from support.sites import serve_folder

BUDGET_CHARS: Final = CHARS_PER_TOKEN * KB_EVIDENCE_TOKENS
NOTHING: Final = "No relevant content was found."
"""Beginning of a result without evidence."""
CALLER: Final = Caller("bench", charged=True)
TEXT: Final = "kb.retrieve_evidence, text"
STRUCTURED: Final = "kb.retrieve_evidence, structured"
WORDS_ALONE: Final = "quotes by words alone"
CHUNKS: Final = "FTS5, best chunks"


@dataclass(slots=True)
class Asked:
    """Results of each system for the questions."""

    outcomes: dict[str, list[Outcome]] = field(
        default_factory=lambda: {name: [] for name in (TEXT, STRUCTURED, WORDS_ALONE, CHUNKS)}
    )


async def ask_file(file: Path, questions: Sequence[Question], options: argparse.Namespace, asked: Asked) -> None:
    """Index the pages of one file of questions into a corpus and ask the questions."""
    embedder: Embedder = OnnxEmbedder(assets_dir() / "model")
    if options.embeddings is not None:
        embedder = CachingEmbedder(embedder, options.embeddings)
    async with AsyncExitStack() as stack:
        served = stack.enter_context(serve_folder(options.sites))
        engine = await stack.enter_async_context(engine_with(embedder, ALL_STAGES))
        urls = list(dict.fromkeys(f"{served.base}/{path}" for path in pages_of(file, questions)))
        for start in range(0, len(urls), caps.MAX_URLS_PER_CALL):
            await engine.ingest(urls[start : start + caps.MAX_URLS_PER_CALL])
        await asyncio.to_thread(wait_until_embedded, engine)
        dispatcher = Dispatcher(engine, build_registry(engine.settings))
        for question in questions:
            await ask(question, engine, dispatcher, asked)


def wait_until_embedded(engine: Engine) -> None:
    """Return when every chunk has its vectors."""
    while engine._corpus.vectors.count_waiting():
        time.sleep(0.2)


def pages_of(file: Path, questions: Sequence[Question]) -> list[str]:
    """Return site and path of the pages of the questions and answers."""
    wanted = {question.id for question in questions}
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    paths = [(row["site"], row.get(key)) for row in rows if row["id"] in wanted for key in ("seed_path", "answer_path")]
    return [f"{site}/{path}" for site, path in paths if path]


async def ask(question: Question, engine: Engine, dispatcher: Dispatcher, asked: Asked) -> None:
    """Ask every system one question."""
    started = time.perf_counter()
    reply = await dispatcher.call("kb.retrieve_evidence", {"question": question.text}, CALLER)
    ms = 1000 * (time.perf_counter() - started)
    add(asked, TEXT, question, reply.text, ms=ms, error=reply.is_error)
    structured: dict[str, Any] = reply.structured or {}
    quoted = "\n\n".join(f"{q.get('before', '')}{q['quote']}{q.get('after', '')}" for q in structured.get("quotes", ()))
    size = len(json.dumps(structured, ensure_ascii=False, separators=(",", ":")))
    none = f"{NOTHING}\n" if structured.get("nothing_found") else ""
    add(asked, STRUCTURED, question, none + quoted, ms=ms, error=reply.is_error, characters=size)
    started = time.perf_counter()
    text = best_chunks(engine, question.text)
    add(asked, CHUNKS, question, text, ms=1000 * (time.perf_counter() - started))
    found = await dispatcher.call("kb.search", {"query": question.text}, CALLER)
    started = time.perf_counter()
    text = by_words_alone(engine, question.text, found.structured or {})
    add(asked, WORDS_ALONE, question, text, ms=1000 * (time.perf_counter() - started))


def add(
    asked: Asked,
    system: str,
    question: Question,
    text: str,
    *,
    ms: float,
    error: bool = False,
    characters: int | None = None,
) -> None:
    """Judge a result. `characters` is its size if it differs from the judged text."""
    outcome = judge(question, text, error=error, ms=ms)
    outcome = replace(outcome, said_none=text.startswith(NOTHING.removesuffix(".")))
    if characters is not None:
        outcome = replace(outcome, tokens=characters // CHARS_PER_TOKEN)
    asked.outcomes[system].append(outcome)


def best_chunks(engine: Engine, question: str) -> str:
    """Return the best chunks by BM25 that fit."""
    hits = engine._corpus.chunks.lexical(query_terms(question), k=caps.CANDIDATES_PER_RETRIEVER)
    texts: list[str] = []
    for chunk in engine._corpus.chunks.by_ids([hit.chunk_id for hit in hits]):
        if len("\n\n".join([*texts, chunk.text])) > BUDGET_CHARS:
            break
        texts.append(chunk.text)
    return "\n\n".join(texts) or NOTHING


def by_words_alone(engine: Engine, question: str, found: dict[str, Any]) -> str:
    """Return the candidate spans with most words of the question, in the sizes of the tool's quotes."""
    ids = [int(result["section_id"]) for result in found.get("results", ())]
    texts = [chunk.text for chunk in engine._corpus.chunks.by_ids(ids)]
    best = rank_spans(question_terms(question), texts)[: caps.DEFAULT_QUOTES]
    around = CHARS_PER_TOKEN * caps.DEFAULT_CONTEXT_TOKENS
    length = CHARS_PER_TOKEN * caps.DEFAULT_QUOTE_TOKENS
    quotes = [
        texts[each.passage][max(0, each.span.start - around) : min(each.span.end, each.span.start + length) + around]
        for each in best
    ]
    return "\n\n".join(quotes) or NOTHING


def rows_of(asked: Asked) -> list[Row]:
    return [row for name, outcomes in asked.outcomes.items() for row in table(name, outcomes)]


def print_misses(outcomes: Sequence[Outcome]) -> None:
    """Print questions whose span is not in the text."""
    for outcome in outcomes:
        question = outcome.question
        if question.gold and not outcome.hit:
            print(f"MISS {question.id} {question.text!r} wanted {question.gold[0][:80]!r}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--embeddings", type=Path, metavar="FILE", help="cache the vectors of passages in this file")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true", help="also list the questions that failed")
    options = parser.parse_args()
    if data_is_missing(options):
        return 2
    asked = Asked()
    for file in options.questions:
        questions = read_questions([file], sites=options.only_site, limit=options.limit)
        if questions:
            asyncio.run(ask_file(file, questions, options, asked))
    count = len(asked.outcomes[TEXT])
    if not count:
        print("No questions are left.", file=sys.stderr)
        return 2
    print_report(rows_of(asked), as_json=options.json, title=f"Evidence for {count} questions")
    if options.misses:
        print_misses(asked.outcomes[TEXT])
    return 0


if __name__ == "__main__":
    sys.exit(main())
