"""Answer quality: does the result of `answer` contain the span that answers the question?

    python bench/answers.py --sites FOLDER --questions FILE... [--search] [--misses] [--json] [--write docs/internals/results/answers.md]
    python bench/answers.py --docqa train|development|test|languages [--cache FOLDER] ...

FOLDER contains one folder per site. A FILE contains JSON lines {id, site, seed_path, question, gold, hops, form}. `gold` is the answering
span, a list of spans of which each is enough, or null. --docqa uses the public set (bench/docqa/README.md), whose sites
bench/question_set.py downloads. For its part `test`, the bench only prints tables. Each site is served on its own loopback origin, or with
--one-host as a folder of one host, as projects share a host. The application runs in its own process with one corpus, and every question
goes through the real bridge.

The same table contains baselines, judged by the same rules over the same pages: SQLite FTS5 on the given page, and FTS5 on it and all
linked pages. Both return eight passages, and their times are for the query only. Further baselines are the whole text of the given page and
textbook hybrid search (support/textbook.py) with eight windows and filled to the size of an answer. The cache folder stores its vectors. A
run computes new ones of linked pages for --minutes; questions without them are excluded if links count. Tokens are characters / 4. "other
sites" counts results that cite a site outside the question.

A second table compares `answer` with each baseline, question by question (two-sided sign test). --save stores the outcomes of each system.
--compare compares this run with a saved one, or two saved files without asking anything.

--search asks each question again with `search` over all indexed pages. No request may reach the sites during that. --results saves every
text as JSON lines {id, text, ms, tokens, is_error}.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from support.application import Client, Reply, connected, running_application
from support.baselines import ask_baselines
from support.judging import Outcome, judge, table
from support.pairs import Marks, compared, load, marks_of, save
from support.questions import Question, add_arguments, by_site, data_is_missing, read_questions
from support.report import Row, print_report, write_table
from support.sites import Served, serve_folder
from support.textbook import ask_textbook

TABLE = "answers"
"""Marks of the table in a Markdown file, followed by the part of the public questions, and then by `PAIRS`."""
PAIRS = "pairs"
PAIRS_TITLE = "`answer` (this) against another (that), question by question"
ANSWER = "answer"
PROGRESS = 25
"""Questions between progress messages."""


@dataclass(slots=True)
class Asked:
    """Results. `requests` is the number of requests to the sites while `search` ran."""

    answers: list[Outcome] = field(default_factory=list)
    searches: list[Outcome] = field(default_factory=list)
    requests: int = 0
    replies: list[Reply] = field(default_factory=list)


async def ask_all(questions: Sequence[Question], sites: Path, *, search: bool, one_host: bool) -> Asked:
    """Ask every question through the bridge of a fresh application. With `one_host`, all sites are folders of one host."""
    asked = Asked()
    with contextlib.ExitStack() as stack:
        names = list(by_site(questions))
        hosts = [stack.enter_context(serve_folder(sites)) for _ in (names[:1] if one_host else names)]
        served = dict(zip(names, hosts * len(names), strict=False))
        application = stack.enter_context(running_application())
        async with connected(application) as client:
            for number, question in enumerate(questions, 1):
                url = f"{served[question.site].base}/{question.site}/{question.seed_path}"
                reply = await client.call("answer", url=url, query=question.text)
                asked.replies.append(reply)
                asked.answers.append(judge(question, reply.text, error=reply.is_error, ms=reply.ms))
                if search:
                    await _search(client, question, served, asked)
                if number % PROGRESS == 0:
                    print(f"{number} of {len(questions)} questions", file=sys.stderr, flush=True)
    return asked


async def _search(client: Client, question: Question, served: Mapping[str, Served], asked: Asked) -> None:
    before = sum(each.requests for each in served.values())
    reply = await client.call("search", query=question.text)
    asked.requests += sum(each.requests for each in served.values()) - before
    asked.searches.append(judge(question, reply.text, error=reply.is_error, ms=reply.ms))


def baselines(questions: Sequence[Question], sites: Path, memory: Path, minutes: float) -> dict[str, list[Outcome]]:
    """Return the results of the baselines for the same questions, with one process per processor.

    `memory` is the file of their vectors. All sites together get about `minutes` to compute new vectors of linked pages.
    """
    found: dict[str, list[Outcome]] = {}
    grouped = by_site(questions)
    folders = [sites / site for site in grouped]
    processes = os.cpu_count() or 1
    seconds = 60 * minutes * min(1.0, processes / len(folders))
    with ProcessPoolExecutor(processes) as pool:
        for asked in (
            pool.map(ask_baselines, grouped.values(), folders),
            pool.map(ask_textbook, grouped.values(), folders, repeat(memory), repeat(seconds)),
        ):
            for one_site in asked:
                for name, outcomes in one_site.items():
                    found.setdefault(name, []).extend(outcomes)
    return found


def rows_of(asked: Asked, held_against: dict[str, list[Outcome]]) -> list[Row]:
    """Return the table of all systems."""
    rows = table(ANSWER, asked.answers)
    if asked.searches:
        rows += table("search, after it", asked.searches)
    for name, outcomes in held_against.items():
        rows += table(name, outcomes, by_form=False)
    return rows


def pairs_of(systems: Marks, earlier: Path | None) -> list[Row]:
    """Compare `answer` with every baseline of this run, and with an earlier `answer`."""
    ours = systems[ANSWER]
    rows = [row for name, theirs in systems.items() if name != ANSWER for row in compared(name, ours, theirs)]
    return rows + (compared(earlier.name, ours, load(earlier)[ANSWER]) if earlier is not None else [])


def save_results(file: Path, asked: Asked) -> None:
    """Save every text from `answer` as JSON lines."""
    with file.open("w", encoding="utf-8") as out:
        for outcome, reply in zip(asked.answers, asked.replies, strict=True):
            facts = {"text": reply.text, "ms": reply.ms, "tokens": outcome.tokens, "is_error": reply.is_error}
            out.write(json.dumps({"id": outcome.question.id, **facts}) + "\n")


def print_misses(outcomes: Sequence[Outcome]) -> None:
    """Print the failures, one line per question."""
    for outcome in outcomes:
        question = outcome.question
        if not question.gold and not outcome.said_none:
            print(f"ANSWERED {question.id} {question.text!r}, which no page answers")
        elif question.gold and (outcome.said_none or not outcome.hit):
            kind = "LOST" if outcome.said_none else "MISS"
            print(f"{kind} {question.id} {question.text!r} wanted {question.gold[0][:80]!r}")


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--search", action="store_true", help="also ask `search` after each answer")
    parser.add_argument("--one-host", action="store_true", help="serve all sites as folders of one host")
    parser.add_argument("--no-baselines", action="store_true")
    parser.add_argument("--minutes", type=float, default=20.0, help="minutes for new vectors of linked pages")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true", help="also list the questions that failed")
    parser.add_argument("--results", type=Path, metavar="FILE", help="save the texts")
    parser.add_argument("--save", type=Path, metavar="FILE", help="save the outcome of each system for each question")
    parser.add_argument("--compare", type=Path, metavar="FILE", nargs="+", default=[], help="one or two saved files")
    parser.add_argument("--write", type=Path, metavar="FILE", help="insert the tables into this Markdown file")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    if len(options.compare) > 1:
        ours, theirs = (load(file)[ANSWER] for file in options.compare[:2])
        rows = compared(options.compare[1].name, ours, theirs)
        print_report(rows, as_json=options.json, title=f"{options.compare[0].name} against {options.compare[1].name}")
        return 0
    if data_is_missing(options):
        return 2
    if options.docqa == "test" and (options.misses or options.results):
        print("The part test must not be read: do not use --misses or --results with it.", file=sys.stderr)
        return 2
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    if not questions:
        print("No questions are left.", file=sys.stderr)
        return 2
    report(questions, options)
    return 0


def report(questions: Sequence[Question], options: argparse.Namespace) -> None:
    """Ask the questions, print and save the results."""
    asked = asyncio.run(ask_all(questions, options.sites, search=options.search, one_host=options.one_host))
    memory = options.cache / "textbook.db"
    held_against = {} if options.no_baselines else baselines(questions, options.sites, memory, options.minutes)
    rows = rows_of(asked, held_against)
    title = f"Answers to {len(questions)} questions on {len({q.site for q in questions})} sites"
    if asked.searches:
        title += f"; requests while `search` ran: {asked.requests}"
    print_report(rows, as_json=options.json, title=title)
    systems = {name: marks_of(each) for name, each in {ANSWER: asked.answers, **held_against}.items()}
    pairs = pairs_of(systems, next(iter(options.compare), None))
    if pairs:
        print_report(pairs, as_json=options.json, title=PAIRS_TITLE)
    if options.save:
        save(options.save, systems)
    if options.results:
        save_results(options.results, asked)
    if options.write:
        table = f"{TABLE}-{options.docqa}" if options.docqa else TABLE
        write_table(options.write, table, rows, title=title)
        if held_against:
            write_table(options.write, f"{table}-{PAIRS}", pairs, title=PAIRS_TITLE)
    if options.misses:
        print_misses(asked.answers)


if __name__ == "__main__":
    sys.exit(main())
