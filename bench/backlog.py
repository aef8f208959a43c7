"""Answers while passages wait for their vectors: `search` and `kb.retrieve_evidence` with 0, 25, 50 and 100 % of the corpus embedded.

    python bench/backlog.py --sites FOLDER --questions FILE... [--shares 0 25 50 100] [--embeddings FILE] [--misses] [--json]

FOLDER, FILE and --embeddings are those of `bench/evidence.py`. The pages that the questions name and those that answer them are read into
one corpus and embedded whole; then the vectors of whole pages are taken away, the same pages in every run, and all questions are asked
through the tools as an assistant calls them. What a question has embedded is taken away again before the next one.

Each share is measured twice: with the passages that a question needs embedded for it at once, and without. `ms` is the median time of a
call, `extra ms` what it takes longer than on the corpus that is embedded whole; `made` is the mean number of passages embedded for one.
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
from app.server.sessions import Caller
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
"""Each with the name of the argument that takes the question."""
NO_VECTORS: Final = "DELETE FROM embeddings WHERE chunk_id IN (SELECT value FROM carray(?))"


class Reading(CachingEmbedder):
    """What a question has embedded is made anew, so that its time counts; the pages before may come from the file."""

    is_asked = False

    def embed_passage(self, text: str) -> PassageEmbedding:
        return self._inner.embed_passage(text) if self.is_asked else super().embed_passage(text)


@dataclass(frozen=True, slots=True)
class Asked:
    """What one tool returned for the questions at one share."""

    outcomes: list[Outcome]
    made: list[int]


async def measure(options: argparse.Namespace, questions: Sequence[Question], *, at_once: bool, report: Report) -> None:
    """Rows for every share, with the stage or without."""
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
    """The program's own model, with the file of vectors before it if there is one."""
    own = OnnxEmbedder(assets_dir() / "model")
    return own if options.embeddings is None else Reading(own, options.embeddings)


def paths_of(options: argparse.Namespace, questions: Sequence[Question]) -> list[str]:
    return list(dict.fromkeys(path for file in options.questions for path in pages_of(file, questions)))


async def read(engine: Engine, urls: Sequence[str]) -> None:
    """Store the pages, embed them, and let nothing be embedded in the background from now on."""
    for start in range(0, len(urls), caps.MAX_URLS_PER_CALL):
        await engine.ingest(urls[start : start + caps.MAX_URLS_PER_CALL])
    await asyncio.to_thread(wait_until_embedded, engine)
    queue = engine._components.embeddings
    assert queue is not None
    queue.set_paused(True)


def pages_in_order(engine: Engine) -> list[list[int]]:
    """The ids of the passages of each page, the pages in an order that has nothing to do with what stands on them."""
    corpus = engine._corpus
    summaries = corpus.documents.summaries(limit=caps.MAX_STATUS_URLS)
    ordered = sorted(summaries, key=lambda each: hashlib.blake2b(each.title.encode()).digest())
    return [
        [chunk.id for chunk in corpus.chunks.of_document(each.id, limit=caps.MAX_CHUNKS_PER_DOCUMENT)]
        for each in ordered
    ]


def beyond(pages: Sequence[Sequence[int]], percent: int) -> list[int]:
    """The passages of the pages behind the first ones that together hold so many per cent of all."""
    total, seen = sum(map(len, pages)), 0
    rest: list[int] = []
    for page in pages:
        seen += len(page)
        if 100 * seen > percent * total:
            rest += page
    return rest


def take_vectors(engine: Engine, chunk_ids: Sequence[int]) -> None:
    """These passages wait again."""
    with engine._corpus._database.write() as con:
        con.execute(NO_VECTORS, (id_list(ids_of(chunk_ids)),))


async def ask_all(engine: Engine, questions: Sequence[Question], tool: str) -> Asked:
    """Every question, on the same state of the corpus."""
    dispatcher = Dispatcher(engine, build_registry(engine.settings))
    found = Asked([], [])
    waiting = waiting_ids(engine)
    for question in questions if not waiting else ():
        await dispatcher.call(tool, {TOOLS[tool]: question.text}, CALLER)  # the vectors of questions are remembered
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
    parser.add_argument("--embeddings", metavar="FILE", help="remember the vectors of passages here")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true", help="also list the questions that went wrong")
    options = parser.parse_args()
    if data_is_missing(options):
        return 2
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    if not questions:
        print("No question is left.", file=sys.stderr)
        return 2
    report = Report(f"Answers to {len(questions)} questions while passages wait for vectors", as_json=options.json)
    for at_once in (False, True):
        asyncio.run(measure(options, questions, at_once=at_once, report=report))
    report.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
