"""Answer quality: is the span that answers a question in what `answer` returns?

    python bench/answers.py --sites FOLDER --questions FILE [--json] [--misses]

FOLDER holds one folder a site; FILE is JSON lines {id, site, seed_path, answer_path, question, gold, hops, form}. The sites are
served on loopback, the application runs in its own process, and every question goes through the real bridge. The baseline, in
the same run and over the same pages, is SQLite FTS5 on the named page alone, eight passages.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sqlite3
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from app.extract import extract
from app.text.terms import query_terms
from app.text.tokens import estimate_tokens
from support.application import connected, running_application
from support.report import Row, median, percentile, print_report
from support.sites import serve_folder
from support.spans import evidence_blocks, holds, says_nothing_found

BASELINE_PASSAGES = 8
BASELINE_WORDS = 180


@dataclass(frozen=True)
class Question:
    """A question with the page a person would name and the exact span that answers it (None: unanswerable)."""

    id: str
    site: str
    seed_path: str
    text: str
    gold: str | None
    hops: int
    form: str


@dataclass(frozen=True)
class Outcome:
    """How a result did."""

    question: Question
    hit: bool
    top5: bool
    said_none: bool
    error: bool
    tokens: int
    ms: float


def read_questions(file: Path) -> list[Question]:
    """The questions of a file."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        Question(row["id"], row["site"], row["seed_path"], row["question"], row.get("gold"), row["hops"], row["form"])
        for row in rows
    ]


def judge(question: Question, text: str, *, error: bool, ms: float) -> Outcome:
    """Score one result."""
    blocks = evidence_blocks(text)
    gold = question.gold
    return Outcome(
        question,
        hit=gold is not None and not error and holds(text, gold),
        top5=gold is not None and not error and any(holds(block, gold) for block in blocks[:5]),
        said_none=not error and says_nothing_found(text),
        error=error,
        tokens=estimate_tokens(text),
        ms=ms,
    )


async def ask_all(questions: Sequence[Question], sites: Path) -> list[Outcome]:
    """Every question through the bridge of a fresh application."""
    outcomes = []
    with serve_folder(sites) as base, running_application() as application:
        async with connected(application) as client:
            for question in questions:
                url = f"{base}/{question.site}/{question.seed_path}"
                reply = await client.call("answer", url=url, query=question.text)
                outcomes.append(judge(question, reply.text, error=reply.is_error, ms=reply.ms))
    return outcomes


def baseline(questions: Sequence[Question], sites: Path) -> list[Outcome]:
    """FTS5 on the named page alone."""
    outcomes = []
    for question in questions:
        body = (sites / question.site / question.seed_path).read_bytes()
        page = extract(body, url="https://example.invalid/", content_type="text/html", charset=None)
        started = time.perf_counter()
        passages = _keyword_passages(page.text, question.text)
        ms = 1000 * (time.perf_counter() - started)
        text = "[EVIDENCE]\n" + "\n\n".join(f"Source [{i}]:\n{p}" for i, p in enumerate(passages, 1))
        outcomes.append(judge(question, text, error=False, ms=ms))
    return outcomes


def _keyword_passages(text: str, query: str) -> list[str]:
    words = re.findall(r"\S+", text)
    passages = [" ".join(words[i : i + BASELINE_WORDS]) for i in range(0, len(words), BASELINE_WORDS)]
    database = sqlite3.connect(":memory:")
    database.execute("create virtual table passage using fts5(text, tokenize='porter unicode61')")
    database.executemany("insert into passage values (?)", [(passage,) for passage in passages])
    match = " OR ".join('"' + term.replace('"', "") + '"' for term in query_terms(query))
    rows = database.execute(
        "select text from passage where passage match ? order by rank limit ?", (match, BASELINE_PASSAGES)
    )
    return [row[0] for row in rows]


def summary(name: str, group: str, outcomes: Sequence[Outcome]) -> Row:
    """One row of the table."""
    row: dict[str, object] = {"system": name, "questions": group, "n": len(outcomes)}
    if all(outcome.question.gold is None for outcome in outcomes):
        row["said none %"] = 100 * sum(o.said_none for o in outcomes) / len(outcomes)
    else:
        row["hit %"] = 100 * sum(o.hit for o in outcomes) / len(outcomes)
        row["top 5 %"] = 100 * sum(o.top5 for o in outcomes) / len(outcomes)
    times = [outcome.ms for outcome in outcomes]
    return {
        **row,
        "errors": sum(o.error for o in outcomes),
        "tokens": round(sum(o.tokens for o in outcomes) / len(outcomes)),
        "p50 ms": percentile(times, 0.5),
        "p95 ms": percentile(times, 0.95),
    }


def table(name: str, outcomes: Sequence[Outcome]) -> list[Row]:
    """Rows by hops, by form, and for questions without an answer."""
    answerable = [o for o in outcomes if o.question.gold is not None]
    rows = [summary(name, "all answerable", answerable)]
    for hops in sorted({o.question.hops for o in answerable}):
        label = "on the page" if hops == 0 else f"{hops} link away"
        rows.append(summary(name, label, [o for o in answerable if o.question.hops == hops]))
    for form in sorted({o.question.form for o in answerable}):
        rows.append(summary(name, f"form: {form}", [o for o in answerable if o.question.form == form]))
    unanswerable = [o for o in outcomes if o.question.gold is None]
    return [*rows, summary(name, "unanswerable", unanswerable)] if unanswerable else rows


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sites", type=Path, required=True)
    parser.add_argument("--questions", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misses", action="store_true", help="also list the questions whose span was not returned")
    options = parser.parse_args()
    for path in (options.sites, options.questions):
        if not path.exists():
            print(f"{path} is not there: the benchmark reads its data from a path you give.", file=sys.stderr)
            return 2
    questions = read_questions(options.questions)
    outcomes = asyncio.run(ask_all(questions, options.sites))
    rows = [*table("answer", outcomes), *table("FTS5, page alone", baseline(questions, options.sites))]
    print_report(rows, as_json=options.json, title=f"Answers: median {median([o.ms for o in outcomes]):.0f} ms")
    if options.misses:
        for outcome in outcomes:
            if outcome.question.gold is not None and not outcome.hit:
                print(f"MISS {outcome.question.id} {outcome.question.text!r} wanted {outcome.question.gold[:80]!r}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
