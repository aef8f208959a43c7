"""Whole libraries: is the right passage found among all pages of several sites, if the question does not name a page?

    python bench/whole_library.py --docqa development [--sizes 1 5 25] [--cache FOLDER] [--only-site SITE...] [--json]
                                  [--write docs/internals/results/answers.md]
    python bench/whole_library.py --docqa development --sizes 25 --named
    python bench/whole_library.py --sites FOLDER --questions FILE... [--embeddings FILE]

Questions and sites are the same as in bench/answers.py. Every page of each site is read once. For each size, that many sites in turn are
put into one library of an engine in this process, and their questions are asked without an address. Questions with `needs_page` are left
out (bench/docqa/README.md). The first run over a site embeds its passages; the file of vectors in the cache makes later runs fast.

With --named, each question names its site ("In postfix, …", "… (postfix)"), and the program is also asked without narrowing the search to
this site ("…, everywhere"). "narrowed" is the share of the questions whose search was narrowed to a place that they name, "elsewhere" to a
place without their site.

With --reranker, the model in a folder orders the best passages of the program's ways again. Compare with --save and --compare.

The program answers in three ways: `search`, `kb_retrieve_evidence`, and the search of the Ask window. Three baselines rank exactly the same
passages: words (SQLite FTS5), vectors (the program's model), and both fused by reciprocal rank as in textbooks.

"hit" means that the result contains the span. Results of `search`, the Ask window and the baselines have at most 3,000 tokens (characters
/ 4), quotes 900. "first" and "top 5" are places of the passage or quote with the span, "within 100" the share among all passages that a
baseline ranks. Times exclude the vector of the question. The second table compares each way of the program with each baseline (two-sided
sign test). --save stores the outcomes of each system, and --compare compares this run with them. --write leaves out most rows by form and
language, and compares only with the textbook.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final
from unittest.mock import patch

import numpy as np

from app.corpus import Corpus
from app.embed.onnx import OnnxEmbedder
from app.engine import Engine
from app.kb import finder
from app.orchestration import loop
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from evidence import NOTHING
from support.in_process import engine_with
from support.judging import Outcome, figures, judge, share
from support.made_library import embedded_text, fill, store_site
from support.pairs import compared, load, marks_of, save
from support.questions import Question, add_arguments, by_site, data_is_missing, read_questions
from support.remembering import CachingEmbedder
from support.report import Report, Row, load_at_start, print_report, write_table
from support.spans import holds_any
from support.textbook import FILLED_TOKENS, RANKED_PER_WAY, Shown, WordIndex, first_windows, fused

SIZES: Final = (1, 5, 25)
CALLER: Final = Caller("bench", charged=True)
ASK_RESULTS: Final = 8
"""Results in the Ask window (`HITS` there)."""
SEARCH: Final = "search"
EVIDENCE: Final = "kb_retrieve_evidence"
ASK: Final = "Ask window"
TEXTBOOK: Final = "textbook hybrid"
VECTORS: Final = "vectors alone"
WORDS: Final = "words alone"
PROGRAM: Final = (SEARCH, EVIDENCE, ASK)
BASELINES: Final = (TEXTBOOK, VECTORS, WORDS)
TABLE: Final = "whole-library"
COMPARED: Final = ("all answerable", "unanswerable")
IN_DETAIL: Final = (SEARCH, TEXTBOOK)
"""Systems whose rows by form and language are written into a page."""

EVERYWHERE: Final = ", everywhere"
NAMING: Final = {
    "en": (
        "In {site}, {question}",
        "{site}: {question}",
        "{question} ({site})",
        "According to the {site} docs, {question}",
        "I use {site}. {question}",
        "The {site} documentation: {question}",
    ),
    "de": ("In {site}: {question}", "Laut der {site}-Dokumentation: {question}", "{question} ({site})"),
    "fr": ("Dans {site} : {question}", "Selon la documentation de {site} : {question}", "{question} ({site})"),
    "es": ("En {site}: {question}", "Según la documentación de {site}: {question}", "{question} ({site})"),
    "zh": ("{site}：{question}", "{question}（{site}）"),
    "ja": ("{site}：{question}", "{question}（{site}）"),
}
"""Ways to name the site of a question, by language, in turn."""
_LOOKED_IN: Final = re.compile(r"Looked in: (.+)\. To search")

Outcomes = dict[str, list[Outcome]]
"""Outcomes by system."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The outcomes in libraries of `size` sites, with the sum of their passages and the number of libraries."""

    size: int
    libraries: int
    passages: int
    outcomes: Outcomes


class Passages:
    """All passages of a library, for the baselines."""

    def __init__(self, corpus: Corpus) -> None:
        self.shown: list[Shown] = []
        vectors, texts = [], []
        for copy in corpus.copies():
            for chunk in copy.document.chunks:
                if chunk.key in copy.vectors:
                    self.shown.append(Shown(copy.document.title, chunk.text))
                    texts.append(embedded_text(copy.document.title, chunk))
                    vectors.append(copy.vectors[chunk.key].vector)
        self._vectors = np.stack(vectors)
        self._words = WordIndex(texts)

    def ask(self, question: Question, vector: np.ndarray) -> Iterator[tuple[str, Outcome]]:
        """Yield the outcome of each baseline."""
        started = time.perf_counter()
        by_vectors = np.argsort(-(self._vectors @ vector), kind="stable")[:RANKED_PER_WAY].tolist()
        after_vectors = time.perf_counter()
        by_words = self._words.ranked(question.text)
        after_words = time.perf_counter()
        both = fused(by_vectors, by_words)
        ended = time.perf_counter()
        orders = {
            VECTORS: (by_vectors, after_vectors - started),
            WORDS: (by_words, after_words - after_vectors),
            TEXTBOOK: (both[:RANKED_PER_WAY], ended - started),
        }
        for name, (order, seconds) in orders.items():
            yield name, judged(question, [self.shown[number] for number in order], ms=1000 * seconds)

    def close(self) -> None:
        self._words.close()


def judged(question: Question, ranked: Sequence[Shown], *, ms: float) -> Outcome:
    """Judge ranked passages: their places, and as many of them as fit into a result."""
    outcome = judge(question, first_windows(ranked, tokens=FILLED_TOKENS), error=False, ms=ms)
    return replace(outcome, place=place_in(question, [passage.text for passage in ranked]))


def place_in(question: Question, texts: Sequence[str]) -> int:
    """Return the place of the first text with a span, from 1 (0: none)."""
    return next((number for number, text in enumerate(texts, 1) if holds_any(text, question.gold)), 0)


async def ask_search(question: Question, dispatcher: Dispatcher) -> Outcome:
    """Ask the tool `search`."""
    started = time.perf_counter()
    reply = await dispatcher.call("search", {"query": question.text}, CALLER)
    outcome = judge(question, reply.text, error=reply.is_error, ms=1000 * (time.perf_counter() - started))
    looked_in = _LOOKED_IN.search(reply.text)
    return replace(outcome, looked_in=looked_in[1] if looked_in is not None else "")


async def ask_evidence(question: Question, dispatcher: Dispatcher) -> Outcome:
    """Ask the tool `kb_retrieve_evidence`. The text around a quote counts for its place."""
    started = time.perf_counter()
    reply = await dispatcher.call("kb.retrieve_evidence", {"question": question.text}, CALLER)
    outcome = judge(question, reply.text, error=reply.is_error, ms=1000 * (time.perf_counter() - started))
    found = (reply.structured or {}).get("quotes", ())
    quotes = [f"{quote.get('before', '')}{quote['quote']}{quote.get('after', '')}" for quote in found]
    said_none = reply.text.startswith(NOTHING.removesuffix("."))
    return replace(outcome, place=place_in(question, quotes), blocks=len(quotes), said_none=said_none)


async def ask_window(question: Question, engine: Engine) -> Outcome:
    """Search as the Ask window does, in its order."""
    started = time.perf_counter()
    # With a reranker, the window completes the first search.
    result = await engine.search(question.text, top_k=ASK_RESULTS, at_once=not engine.settings.reranker_model)
    if not result.chunks:
        result = await engine.search(question.text, top_k=ASK_RESULTS)
    ms = 1000 * (time.perf_counter() - started)
    found = [hit for hit in result.chunks if not hit.is_locality_expanded]
    found.sort(key=lambda hit: (hit.is_apart, -hit.reranked_score))
    outcome = judged(question, [Shown(hit.chunk.title, hit.chunk.text) for hit in found], ms=ms)
    return replace(outcome, said_none=result.nothing_found or not found)


def named(question: Question, number: int) -> Question:
    """Return the question so that it names its site."""
    ways = NAMING.get(question.language, NAMING["en"])
    text = ways[number % len(ways)].format(site=question.site, question=question.text)
    return replace(question, text=text)


async def ask_library(
    questions: Sequence[Question], files: Sequence[Path], vectors: Path, *, is_named: bool = False, reranker: str = ""
) -> tuple[Outcomes, int]:
    """Ask the questions about the pages of all files in one library. Returns the outcomes and the number of passages.

    With `is_named`, they are also asked without narrowing the search to the site that they name.
    """
    systems = (*PROGRAM, *(f"{name}{EVERYWHERE}" for name in PROGRAM if is_named), *BASELINES)
    outcomes: Outcomes = {name: [] for name in systems}
    async with engine_with(open_embedder(vectors), ALL_STAGES, reranker) as engine:
        fill(engine._corpus, files)
        passages = Passages(engine._corpus)
        dispatcher = Dispatcher(engine, build_registry(engine.settings))
        embedder = engine._components.asked
        assert embedder is not None
        for question in questions:
            vector = embedder.embed_query(question.text).vector
            for suffix in ("", EVERYWHERE) if is_named else ("",):
                with ExitStack() as stack:
                    for module in (loop, finder) if suffix else ():
                        stack.enter_context(patch.object(module, "narrow", lambda found, *_: found))
                    outcomes[SEARCH + suffix].append(await ask_search(question, dispatcher))
                    outcomes[EVIDENCE + suffix].append(await ask_evidence(question, dispatcher))
                    outcomes[ASK + suffix].append(await ask_window(question, engine))
            for name, outcome in passages.ask(question, vector):
                outcomes[name].append(outcome)
        passages.close()
    return outcomes, len(passages.shown)


def ask_in_libraries(questions: Sequence[Question], options: argparse.Namespace) -> Iterator[Asked]:
    """Store each site once, and yield the outcomes in libraries of each size."""
    grouped = by_site(questions)
    vectors = options.embeddings or options.cache / "passages.db"
    vectors.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        embedder = open_embedder(vectors)
        files = {site: Path(folder) / f"{site}.db" for site in grouped}
        for site, file in files.items():
            store_site(options.sites / site, file, embedder)
        embedder.close()
        for size in sorted({min(size, len(files)) for size in options.sizes}):
            asked = Asked(size, 0, 0, {})
            for start in range(0, len(files), size):
                sites = list(files)[start : start + size]
                own = [question for site in sites for question in grouped[site]]
                asked_now = ask_library(
                    own, [files[site] for site in sites], vectors, is_named=options.named, reranker=options.reranker
                )
                outcomes, passages = asyncio.run(asked_now)
                together = {name: [*asked.outcomes.get(name, ()), *each] for name, each in outcomes.items()}
                asked = Asked(size, asked.libraries + 1, asked.passages + passages, together)
            yield asked


def open_embedder(vectors: Path) -> CachingEmbedder:
    return CachingEmbedder(OnnxEmbedder(assets_dir() / "model"), vectors)


def rows_of(asked: Asked) -> list[Row]:
    """Return rows for each system: all answerable questions, each form and language, and questions without an answer."""
    return [
        {"sites": asked.size, "passages": asked.passages // asked.libraries, "system": name, "questions": group}
        | figures_of(found, has_all=name in BASELINES)
        for name, outcomes in asked.outcomes.items()
        for group, found in groups_of(outcomes)
        if found
    ]


def groups_of(outcomes: Sequence[Outcome]) -> Iterator[tuple[str, list[Outcome]]]:
    answerable = [o for o in outcomes if o.question.gold]
    yield "all answerable", answerable
    for form in sorted({o.question.form for o in answerable}):
        yield f"form: {form}", [o for o in answerable if o.question.form == form]
    languages = sorted({o.question.asked_in for o in answerable}, key=lambda name: (len(name), name))
    for language in languages if len(languages) > 1 else ():
        yield f"language: {language}", [o for o in answerable if o.question.asked_in == language]
    yield "unanswerable", [o for o in outcomes if not o.question.gold]


def figures_of(outcomes: Sequence[Outcome], *, has_all: bool) -> dict[str, object]:
    """Return the figures of a row. `has_all`: the places are among all ranked passages, not only among those in the result."""
    known, is_answerable = figures(outcomes), bool(outcomes[0].question.gold)
    shares: dict[str, object] = dict.fromkeys(("first %", "top 5 %", f"within {RANKED_PER_WAY} %"), "")
    if is_answerable:
        shares["first %"] = share(outcomes, lambda o: o.place == 1)
        shares["top 5 %"] = share(outcomes, lambda o: 0 < o.place <= 5)
        if has_all:
            shares[f"within {RANKED_PER_WAY} %"] = share(outcomes, lambda o: o.place > 0)
    if any(o.looked_in for o in outcomes):
        shares["narrowed %"] = share(outcomes, lambda o: bool(o.looked_in))
        shares["elsewhere %"] = share(outcomes, lambda o: bool(o.looked_in) and o.question.site not in o.looked_in)
    kept = ("said none %", "false none %", "errors", "tokens", "p50 ms")
    return {"n": known["n"], "hit %": known["hit %"], **shares, **{name: known[name] for name in kept}}


def pairs_of(asked: Asked, earlier: Path | None) -> list[Row]:
    """Compare each way of the program with each baseline, and with the same way of an earlier run."""
    marks = {name: marks_of(each) for name, each in asked.outcomes.items()}
    before = load(earlier) if earlier is not None else {}
    return [
        {"sites": asked.size, "system": name, **row}
        for name in PROGRAM
        for against, theirs in (
            *((each, marks[each]) for each in (f"{name}{EVERYWHERE}", *BASELINES) if each in marks),
            ("earlier", before.get(saved_name(name, asked), [])),
        )
        for row in compared(against, marks[name], theirs)
        if row["questions"] in COMPARED
    ]


def saved_name(system: str, asked: Asked) -> str:
    return f"{system}, {asked.size} sites"


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="N", help="sites in one library")
    parser.add_argument("--named", action="store_true", help="let each question name its site")
    parser.add_argument(
        "--embeddings", type=Path, metavar="FILE", help="cache of vectors; default: in the cache folder"
    )
    parser.add_argument("--reranker", default="", metavar="FOLDER", help="the folder of a reranker")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the outcome of each system for each question")
    parser.add_argument("--compare", type=Path, metavar="FILE", help="a saved file")
    parser.add_argument("--write", type=Path, metavar="FILE", help="insert the tables into this Markdown file")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if data_is_missing(options):
        return 2
    given = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    questions = [question for question in given if not question.needs_page]
    if options.named:
        questions = [named(question, number) for number, question in enumerate(questions)]
    if not questions or min(options.sizes) < 1:
        print("No questions are left, or a size is less than 1.", file=sys.stderr)
        return 2
    title = (
        f"{len(questions)} questions without an address about {', '.join(by_site(questions))}; "
        f"{len(given) - len(questions)} that need their page are left out; {load_at_start()}"
    )
    pairs_title = "The program (this) against a baseline (that), question by question"
    found, report = [], Report(title, as_json=options.json)
    for asked in ask_in_libraries(questions, options):
        found.append(asked)
        for row in rows_of(asked):
            report.add(row)
    report.end()
    pairs = [row for asked in found for row in pairs_of(asked, options.compare)]
    print_report(pairs, as_json=options.json, title=pairs_title)
    if options.save:
        systems = {saved_name(name, asked): marks_of(each) for asked in found for name, each in asked.outcomes.items()}
        save(options.save, systems)
    if options.write:
        rows = [row for row in report.rows if row["system"] in IN_DETAIL or row["questions"] in COMPARED]
        part = f"{TABLE}-{options.docqa}" if options.docqa else TABLE
        write_table(options.write, part, rows, title=title)
        pairs = [row for row in pairs if row["against"] == TEXTBOOK]
        write_table(options.write, f"{part}-pairs", pairs, title=pairs_title)
    return 0


if __name__ == "__main__":
    sys.exit(main())
