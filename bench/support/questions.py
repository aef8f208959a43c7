"""Questions with the span that answers each, as the benchmarks read them."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the page a person would name and the exact span that answers it (None: no page does).

    `hops` is the number of links between the named page and the one that answers, `form` how the question is worded.
    """

    id: str
    site: str
    seed_path: str
    text: str
    gold: str | None
    hops: int
    form: str


def read_questions(files: Sequence[Path], *, sites: Collection[str] = (), limit: int = 0) -> list[Question]:
    """The questions of JSON-lines files in their order; of `sites` only if any are given, `limit` at most unless it is 0."""
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    questions = [
        Question(row["id"], row["site"], row["seed_path"], row["question"], row.get("gold"), row["hops"], row["form"])
        for row in rows
        if not sites or row["site"] in sites
    ]
    return questions[:limit] if limit else questions


def by_site(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """The questions of each site, sites and questions in their order."""
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.site, []).append(question)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every benchmark over questions takes."""
    parser.add_argument("--sites", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--only-site", nargs="+", default=[], metavar="SITE")
    parser.add_argument("--limit", type=int, default=0, help="the first N questions only")


def data_is_missing(options: argparse.Namespace) -> bool:
    """Whether the sites or a file of questions is not there; says which."""
    for path in (options.sites, *options.questions):
        if not path.exists():
            print(f"{path} is not there: the benchmark reads its data from a path you give.", file=sys.stderr)
            return True
    return False
