"""Answers while passages wait for vectors: `search` and `kb.retrieve_evidence` with 0, 25, 50 and 100 % of the corpus embedded.

    python bench/backlog.py --sites FOLDER --questions FILE... [--shares 0 25 50 100] [--embeddings FILE] [--misses] [--json]

FOLDER, FILE and --embeddings are the same as in `bench/evidence.py`. The pages of the questions and answers are indexed into one corpus and
embedded. Then the bench removes the vectors of whole pages, the same ones in every run, and asks all questions through the tools. It
removes vectors that a question added before the next one.

Each share is measured twice: with and without embedding the passages that a question needs immediately. `ms` is the median time of a call,
`extra ms` the difference to the embedded corpus, `made` the mean number of passages embedded per question.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Final

from app import caps
from app.corpus.database import id_list, ids_of
from app.embed.embedder import Embedder, PassageEmbedding
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from evidence import pages_of, print_misses, wait_until_embedded
from support.in_process import engine_with
from support.judging import Outcome, judge, share
from support.questions import Question, add_arguments, data_is_missing, read_questions
from support.remembering import CachingEmbedder
from support.report import Report, median
from support.sites import serve_folder

CALLER: Final = Caller("bench", charged=True)
WHOLE: Final = 100
SHARES: Final = (0, 25, 50, WHOLE)
TOOLS: Final = {"search": "query", "kb.retrieve_evidence": "question"}
"""Tools, with the argument for the question."""
NO_VECTORS: Final = "DELETE FROM embeddings WHERE chunk_id IN (SELECT value FROM carray(?))"


class Reading(CachingEmbedder):
    """Embeds the passages of a question again, so that the time counts. Earlier pages can come from the file."""

    is_asked = False

    def embed_passage(self, text: str) -> PassageEmbedding:
        return self._inner.embed_passages([text])[0] if self.is_asked else super().embed_passage(text)


@dataclass(frozen=True, slots=True)
class Asked:
    """Results of one tool for the questions at one share."""

    outcomes: list[Outcome]
    made: list[int]


async def measure(options: argparse.Namespace, questions: Sequence[Question], *, at_once: bool, report: Report) -> None:
    """Add rows for every share, with or without the stage."""
    embedder = open_embedder(options)
    with ExitStack() as stack:
        served = stack.enter_context(serve_folder(options.sites))
        async with engine_with(embedder, replace(ALL_STAGES, embed_first=at_once)) as engine:
            await read(engine, [f"{served.base}/{path}" for path in paths_of(options, questions)])
            if isinstance(embedder, Reading):
                embedder.is_asked = True
            pages = pages_in_order(engine)
            whole: dict[str, float] = {}
            for percent in sorted({*options.shares, WHOLE}, reverse=True):
                take_vectors(engine, beyond(pages, percent))
                for tool in TOOLS:
                    asked = await ask_all(engine, questions, tool)
                    ms = median([each.ms for each in asked.outcomes])
                    answerable = [each for each in asked.outcomes if each.question.gold]
                    report.add(
                        {
                            "tool": tool,
                            "embedded %": percent,
                            "at once": "yes" if at_once else "no",
                            "n": len(answerable),
                            "hit %": share(answerable, lambda o: o.hit),
                            "false none %": share(answerable, lambda o: o.said_none),
                            "errors": sum(each.error for each in asked.outcomes),
                            "made": sum(asked.made) / len(asked.made),
                            "ms": ms,
                            "extra ms": ms - whole.setdefault(tool, ms),
                        }
                    )
                    if options.misses:
                        print_misses(asked.outcomes)


def open_embedder(options: argparse.Namespace) -> Embedder:
    """Return the program's model, with the file of cached vectors if there is one."""
    own = OnnxEmbedder(assets_dir() / "model")
    return own if options.embeddings is None else Reading(own, options.embeddings)


def paths_of(options: argparse.Namespace, questions: Sequence[Question]) -> list[str]:
    return list(dict.fromkeys(path for file in options.questions for path in pages_of(file, questions)))


async def read(engine: Engine, urls: Sequence[str]) -> None:
    """Store and embed the pages, then stop background embedding."""
    for start in range(0, len(urls), caps.MAX_URLS_PER_CALL):
        await engine.ingest(urls[start : start + caps.MAX_URLS_PER_CALL])
    await asyncio.to_thread(wait_until_embedded, engine)
    queue = engine._components.embeddings
    assert queue is not None
    queue.set_paused(True)


def pages_in_order(engine: Engine) -> list[list[int]]:
    """Return the passage IDs of each page, in an order that does not depend on the content."""
    corpus = engine._corpus
    summaries = corpus.documents.summaries(limit=caps.MAX_STATUS_URLS)
    ordered = sorted(summaries, key=lambda each: hashlib.blake2b(each.title.encode()).digest())
    return [
        [chunk.id for chunk in corpus.chunks.of_document(each.id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)]
        for each in ordered
    ]


def beyond(pages: Sequence[Sequence[int]], percent: int) -> list[int]:
    """Return the passages of the pages after the first ones that contain this percentage of all passages."""
    total, seen = sum(map(len, pages)), 0
    rest: list[int] = []
    for page in pages:
        seen += len(page)
        if 100 * seen > percent * total:
            rest += page
    return rest


def take_vectors(engine: Engine, chunk_ids: Sequence[int]) -> None:
    """Delete the vectors of these passages."""
    with engine._corpus._database.write() as con:
        con.execute(NO_VECTORS, (id_list(ids_of(chunk_ids)),))


async def ask_all(engine: Engine, questions: Sequence[Question], tool: str) -> Asked:
    """Ask every question with the same state of the corpus."""
    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    found = Asked([], [])
    waiting = waiting_ids(engine)
    for question in questions if not waiting else ():
        await dispatcher.call(tool, {TOOLS[tool]: question.text}, CALLER)  # cached vectors of questions
    for question in questions:
        take_vectors(engine, sorted(waiting - waiting_ids(engine)))
        started = time.perf_counter()
        reply = await dispatcher.call(tool, {TOOLS[tool]: question.text}, CALLER)
        ms = 1000 * (time.perf_counter() - started)
        found.outcomes.append(judge(question, reply.text, error=reply.is_error, ms=ms))
        found.made.append(len(waiting - waiting_ids(engine)))
    take_vectors(engine, sorted(waiting - waiting_ids(engine)))
    return found


def waiting_ids(engine: Engine) -> set[int]:
    return {passage.chunk_id for passage in engine._corpus.vectors.waiting(sys.maxsize)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--shares", type=int, nargs="+", default=SHARES, choices=range(WHOLE + 1), metavar="PERCENT")
    parser.add_argument("--embeddings", metavar="FILE", help="cache the vectors of passages in this file")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true", help="also list the questions that failed")
    options = parser.parse_args()
    if data_is_missing(options):
        return 2
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    if not questions:
        print("No questions are left.", file=sys.stderr)
        return 2
    report = Report(f"Answers to {len(questions)} questions while passages wait for vectors", as_json=options.json)
    for at_once in (False, True):
        asyncio.run(measure(options, questions, at_once=at_once, report=report))
    report.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
