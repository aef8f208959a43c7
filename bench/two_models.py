"""Two models side by side: is one library of English and foreign pages better served by the built-in model, another, or both?

    python bench/two_models.py --model FOLDER [--passages 600] [--cache FOLDER] [--embeddings FILE] [--parts development languages]
    python bench/two_models.py --model FOLDER --program [--passages 0]
    python bench/two_models.py --model FOLDER --sites FOLDER --questions FILE...

Sites and questions are those of bench/answers.py. Each site gives its pages with answers, then other pages in a fixed random order, up to
--passages. All passages are in one library. A model ranks passages as the program does: the best by its vectors and by words, fused by
reciprocal rank, then by late interaction with its token vectors.

| system | ranks |
|---|---|
| built-in; other | every passage |
| by the language of the page | the built-in model English pages, the other model all others |
| English pages by both | both models English pages, the other model all others |
| by the language of the question | as by the language of the page for English questions, the other model every passage for all others |

Systems with both models fuse the two orders by reciprocal rank, or by score. The last one, too, needs the vectors of English pages from
both models. The second table compares each system with the built-in
and the other model, question by question (two-sided sign test).

With --program, the tool `search` answers instead, in a library with the built-in model alone, the other one alone, and both side by side.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final

import numpy as np

from app.embed.embedder import PassageEmbedding, QueryEmbedding
from app.embed.folder import load_card
from app.embed.onnx import OnnxEmbedder
from app.engine.components import _chunking
from app.errors import WebRAGError
from app.ingest.prepared import Body, document_of, prepare_here
from app.library.records import DocumentIn
from app.paths import assets_dir
from app.retrieval.records import ALL_STAGES
from app.retrieval.rerank import best_matches
from app.server.calls.dispatch import Dispatcher
from app.server.tools import build_registry
from app.settings import load_settings
from docqa.sites import SPLITS, read_sites
from support.in_process import engine_with
from support.judging import Outcome, judge, share
from support.made_library import embedded_text
from support.pairs import GROUPS, compared, marks_of
from support.questions import Question, add_arguments, by_site, data_is_missing, read_questions
from support.real_corpus import CRAWLED
from support.remembering import CachingEmbedder
from support.report import Report, Row, load_at_start, print_report, write_table
from support.spans import holds_any
from support.textbook import FILLED_TOKENS, RANKED_PER_WAY, RRF_K, Shown, WordIndex, first_windows, fused
from whole_library import ask_search

BUILT_IN: Final = "built-in"
OTHER: Final = "other"
CANDIDATES: Final = 80
SIDE_BY_SIDE: Final = "side by side"
TABLE: Final = "two-models"
PROGRAM_TABLE: Final = "two-models-in-the-program"
POLL_SECONDS: Final = 0.2
FEWEST: Final = 10
"""Questions of a row."""
LANGUAGE_GROUPS: Final[Mapping[str, Callable[[Question], bool]]] = {
    "English": lambda q: q.language == q.page_language == "en",
    "another language": lambda q: q.language == q.page_language != "en",
    "across languages": lambda q: q.language != q.page_language,
}
Scores = dict[int, float]
"""Scores by passage."""


@dataclass(frozen=True, slots=True)
class Library:
    """All passages, whether their pages are English, and their vectors by model."""

    shown: list[Shown]
    texts: list[str]
    is_english: list[bool]
    made: dict[str, list[PassageEmbedding]]


def read_pages(
    questions: Sequence[Question], options: argparse.Namespace, embedder: CachingEmbedder
) -> Iterator[tuple[str, DocumentIn]]:
    """Yield the chosen pages of each site."""
    for site, own in by_site(questions).items():
        yield from ((site, document) for document in _documents(options.sites / site, own, embedder, options))


def read_library(
    questions: Sequence[Question], options: argparse.Namespace, models: Mapping[str, CachingEmbedder]
) -> Library:
    """Read the chosen pages of each site, and embed their passages with both models."""
    library = Library([], [], [], {})
    languages = {site.name: site.language for site in read_sites().values()}
    for site, document in read_pages(questions, options, models[BUILT_IN]):
        for chunk in document.chunks:
            library.shown.append(Shown(document.title, chunk.text))
            library.texts.append(embedded_text(document.title, chunk))
            library.is_english.append(languages.get(site, "en") == "en")
    with ThreadPoolExecutor(2) as pool:
        for name, model in models.items():
            library.made[name] = list(pool.map(model.embed_passage, library.texts))
            print(f"{name}: {len(library.texts)} passages embedded", file=sys.stderr, flush=True)
    return library


def _documents(
    folder: Path, questions: Sequence[Question], embedder: CachingEmbedder, options: argparse.Namespace
) -> Iterator[DocumentIn]:
    """Yield all pages with answers, then others."""
    rows = [json.loads(line) for file in options.questions for line in file.read_text("utf-8").splitlines()]
    wanted = {row["id"]: row.get("answer_path") or row["seed_path"] for row in rows}
    answering = dict.fromkeys(folder / wanted[question.id].partition("#")[0] for question in questions)
    others = sorted(page for page in folder.rglob("*.*htm*") if page not in answering)
    random.Random(0).shuffle(others)
    limits = _chunking(load_settings(data_dir=folder, file=folder / "none.toml", environ={}), embedder, embedder.card)
    count = 0
    for page in (*answering, *others):
        if count >= options.passages and page not in answering:
            return
        url = f"https://{folder.name}.example/{page.relative_to(folder).as_posix()}"
        try:
            document = document_of(
                prepare_here(Body(page.read_bytes(), url, "text/html"), limits), kind="web", crawled=CRAWLED
            )
        except WebRAGError:
            continue
        count += len(document.chunks)
        yield document


class Ranking:
    """Ranks some passages of a library with one model."""

    def __init__(self, library: Library, model: str, places: Sequence[int]) -> None:
        self._made = library.made[model]
        self._places = list(places)
        self._vectors = np.array([self._made[place].vector for place in places])
        self._words = WordIndex(library.texts[place] for place in places)

    def candidates(self, question: str, asked: QueryEmbedding) -> list[int]:
        if not self._places:
            return []
        by_vectors = np.argsort(-(self._vectors @ asked.vector), kind="stable")[:RANKED_PER_WAY].tolist()
        return [self._places[at] for at in fused(by_vectors, self._words.ranked(question))[:CANDIDATES]]

    def scores(self, asked: QueryEmbedding, places: Sequence[int]) -> Scores:
        """Return the mean of the best cosines of the question's tokens."""
        if not places:
            return {}
        cosines = best_matches(asked.token_vectors, [self._made[place].token_bits for place in places])
        return dict(zip(places, cosines.mean(axis=1).tolist(), strict=True))


def ordered(scores: Scores) -> list[int]:
    return sorted(scores, key=lambda place: (-scores[place], place))


def ranks_of(scores: Scores) -> Scores:
    """Return 1 / (60 + rank) for each passage."""
    return {place: 1 / (RRF_K + rank) for rank, place in enumerate(ordered(scores), 1)}


def mean_of(first: Scores, second: Scores) -> Scores:
    """Return the means; a passage that only the second has keeps its value."""
    return {place: (value + first.get(place, value)) / 2 for place, value in second.items()}


class Systems:
    """The orders of all systems in one library."""

    def __init__(self, library: Library) -> None:
        every = range(len(library.texts))
        self._is_english = library.is_english
        self._english = [place for place in every if self._is_english[place]]
        foreign = [place for place in every if not self._is_english[place]]
        self._all = {name: Ranking(library, name, every) for name in (BUILT_IN, OTHER)}
        self._parts = {BUILT_IN: Ranking(library, BUILT_IN, self._english), OTHER: Ranking(library, OTHER, foreign)}

    def orders(self, question: str, language: str, asked: Mapping[str, QueryEmbedding]) -> dict[str, list[int]]:
        """Return the ranked passages of each system."""
        alone = {name: self._scored(self._all, name, question, asked) for name in self._all}
        parts = {name: self._scored(self._parts, name, question, asked) for name in self._parts}
        places = list(dict.fromkeys([*parts[BUILT_IN], *alone[OTHER]]))
        other = self._all[OTHER].scores(asked[OTHER], places)
        english = [place for place in places if self._is_english[place]]
        built_in = self._all[BUILT_IN].scores(asked[BUILT_IN], english)
        found = {
            **alone,
            "by the language of the page, ranks": ranks_of(parts[BUILT_IN]) | ranks_of(parts[OTHER]),
            "by the language of the page, scores": parts[BUILT_IN] | parts[OTHER],
            "English pages by both, ranks": mean_of(ranks_of(built_in), ranks_of(other)),
            "English pages by both, scores": mean_of(built_in, other),
            "by the language of the question": parts[BUILT_IN] | parts[OTHER] if language == "en" else alone[OTHER],
        }
        return {name: ordered(scores) for name, scores in found.items()}

    @staticmethod
    def _scored(
        rankings: Mapping[str, Ranking], name: str, question: str, asked: Mapping[str, QueryEmbedding]
    ) -> Scores:
        return rankings[name].scores(asked[name], rankings[name].candidates(question, asked[name]))


def ask(
    library: Library, questions: Sequence[Question], models: Mapping[str, CachingEmbedder]
) -> dict[str, list[Outcome]]:
    """Return the outcomes of each system."""
    systems = Systems(library)
    outcomes: dict[str, list[Outcome]] = {}
    for question in questions:
        asked = {name: model.embed_query(question.text) for name, model in models.items()}
        answers = cache(lambda place, gold=question.gold: holds_any(library.shown[place].text, gold))
        for name, order in systems.orders(question.text, question.language, asked).items():
            ranked = [library.shown[place] for place in order]
            outcome = judge(question, first_windows(ranked, tokens=FILLED_TOKENS), error=False, ms=0.0)
            place = next((number for number, each in enumerate(order, 1) if answers(each)), 0)
            outcomes.setdefault(name, []).append(replace(outcome, place=place))
    return outcomes


async def ask_program(
    questions: Sequence[Question], options: argparse.Namespace, open_model: Callable[[str], CachingEmbedder]
) -> dict[str, list[Outcome]]:
    """Return the outcomes of `search` with each model alone and with both."""
    reading = open_model(BUILT_IN)
    documents = [document for _, document in read_pages(questions, options, reading)]
    reading.close()
    outcomes: dict[str, list[Outcome]] = {}
    for name in (BUILT_IN, OTHER, SIDE_BY_SIDE):
        first = open_model(OTHER if name == OTHER else BUILT_IN)
        second = (str(options.model.absolute()), open_model(OTHER)) if name == SIDE_BY_SIDE else None
        async with engine_with(first, ALL_STAGES, second=second) as engine:
            corpus, queue = engine._corpus, engine._components.embeddings
            assert queue is not None
            for document in documents:
                corpus.documents.store(document)
            queue.wake()
            started = time.perf_counter()
            views = [each for each in (corpus, corpus.second) if each is not None]
            while any(view.vectors.has_waiting() for view in views):  # noqa: ASYNC110 - another thread embeds
                await asyncio.sleep(POLL_SECONDS)
            seconds, totals = time.perf_counter() - started, corpus.totals()
            made = f"{seconds:.0f} s, {corpus.storage().vectors / totals.chunks:.0f} bytes of vectors per passage"
            print(f"{name}: {totals.chunks} passages, {made}", file=sys.stderr, flush=True)
            dispatcher = Dispatcher(engine, build_registry(engine.settings))
            outcomes[name] = [await ask_search(question, dispatcher) for question in questions]
    return outcomes


def rows_of(outcomes: Mapping[str, Sequence[Outcome]]) -> Iterator[Row]:
    for name, found in outcomes.items():
        languages = sorted({outcome.question.asked_in for outcome in found}, key=lambda each: (len(each), each))
        groups = {"all": found}
        groups |= {group: [o for o in found if takes(o.question)] for group, takes in LANGUAGE_GROUPS.items()}
        groups |= {language: [o for o in found if o.question.asked_in == language] for language in languages}
        for group, own in groups.items():
            if len(own) >= FEWEST or group == "all":
                yield {
                    "system": name,
                    "questions": group,
                    "n": len(own),
                    "hit %": share(own, lambda o: o.hit),
                    "first %": share(own, lambda o: o.place == 1),
                    "top 5 %": share(own, lambda o: 0 < o.place <= 5),
                    "p50 ms": round(median(o.ms for o in own), 1),
                }


def pairs_of(outcomes: Mapping[str, Sequence[Outcome]]) -> Iterator[Row]:
    for name, found in outcomes.items():
        for against in (BUILT_IN, OTHER):
            for group, takes in LANGUAGE_GROUPS.items():
                ours, theirs = ([o for o in each if takes(o.question)] for each in (found, outcomes[against]))
                is_new = name != against and (name, against) != (BUILT_IN, OTHER) and len(ours) >= FEWEST
                rows = compared(against, marks_of(ours), marks_of(theirs)) if is_new else []
                yield from (
                    {"system": name, **row, "questions": group} for row in rows if row["questions"] == GROUPS[0][0]
                )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument(
        "--model",
        type=Path,
        default=assets_dir() / "model",
        metavar="FOLDER",
        help="prepared folder of the other model; default: the built-in one again, for a trial",
    )
    parser.add_argument(
        "--parts", nargs="+", choices=SPLITS, default=["development", "languages"], help="instead of --docqa"
    )
    parser.add_argument("--program", action="store_true", help="ask the tool `search`")
    parser.add_argument("--passages", type=int, default=600, help="passages of a site")
    parser.add_argument(
        "--embeddings", type=Path, metavar="FILE", help="cache of vectors; default: in the cache folder"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="insert the tables into this Markdown file")
    options = parser.parse_args()
    files = list(options.questions)
    for part in () if files else options.parts:
        options.docqa = part
        if data_is_missing(options):
            return 2
        files += options.questions
    options.docqa, options.questions = None, files
    if data_is_missing(options):
        return 2
    given = read_questions(files, sites=options.only_site, limit=options.limit)
    questions = [question for question in given if question.gold and not question.needs_page]
    vectors = options.embeddings or options.cache / "two-models.db"
    vectors.parent.mkdir(parents=True, exist_ok=True)
    folders = {BUILT_IN: assets_dir() / "model", OTHER: options.model}
    load = load_at_start()

    def open_model(name: str) -> CachingEmbedder:
        return CachingEmbedder(OnnxEmbedder(folders[name]), vectors)

    if options.program:
        outcomes, size = asyncio.run(ask_program(questions, options, open_model)), ""
    else:
        models = {name: open_model(name) for name in folders}
        library = read_library(questions, options, models)
        outcomes, size = ask(library, questions, models), f"{len(library.texts)} passages of "
        for model in models.values():
            model.close()
    title = (
        f"{len(questions)} answerable questions without an address, {size}{len(by_site(questions))} sites in one library; "
        f"the other model is {load_card(options.model).name}; {load}"
    )
    report = Report(title, as_json=options.json)
    for row in rows_of(outcomes):
        report.add(row)
    report.end()
    pairs = list(pairs_of(outcomes))
    print_report(pairs, as_json=options.json, title="Each system (this) against one model (that), question by question")
    if options.write:
        table = PROGRAM_TABLE if options.program else TABLE
        write_table(options.write, table, report.rows, title=title)
        write_table(options.write, f"{table}-pairs", pairs, title="Each system (this) against one model (that)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
