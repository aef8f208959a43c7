"""Questions with the spans that answer each, as the benchmarks read them: from files, or from the public set of bench/docqa."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from docqa.sites import QUESTIONS, SPLITS, default_cache, folder_of, is_made, read_sites


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the page a person would name and the exact spans of which each answers it (none: no page does).

    `hops` is the number of links between the named page and the one that answers, `form` how the question is worded or what
    the answer stands in. `paraphrase`: whether it is asked in other words than the page's, where that is known. `language` is that of
    the question, `page_language` that of the pages, where the public set names them.
    """

    id: str
    site: str
    seed_path: str
    text: str
    gold: tuple[str, ...]
    hops: int
    form: str
    paraphrase: bool | None = None
    language: str = "en"
    page_language: str = "en"

    @property
    def asked_in(self) -> str:
        """The language of question and pages, or both where they differ."""
        return (
            self.language if self.language == self.page_language else f"{self.language} of {self.page_language} pages"
        )


def read_questions(files: Sequence[Path], *, sites: Collection[str] = (), limit: int = 0) -> list[Question]:
    """The questions of JSON-lines files in their order; of `sites` only if any are given, `limit` at most unless it is 0."""
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    pages = {site.name: site.language for site in read_sites().values()}
    questions = [
        Question(
            row["id"],
            row["site"],
            row["seed_path"],
            row["question"],
            _spans(row.get("gold")),
            row["hops"],
            row["form"],
            row.get("paraphrase"),
            row.get("language", "en"),
            pages.get(row["site"], "en"),
        )
        for row in rows
        if not sites or row["site"] in sites
    ]
    return questions[:limit] if limit else questions


def _spans(gold: str | list[str] | None) -> tuple[str, ...]:
    """The spans of a record, which may name one, several or none."""
    return (gold,) if isinstance(gold, str) else tuple(gold or ())


def by_site(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """The questions of each site, sites and questions in their order."""
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.site, []).append(question)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What every benchmark over questions takes."""
    parser.add_argument("--sites", type=Path, metavar="FOLDER")
    parser.add_argument("--questions", type=Path, nargs="+", metavar="FILE", default=[])
    parser.add_argument("--docqa", choices=SPLITS, help="the public questions of this part, in place of both")
    parser.add_argument(
        "--cache",
        type=Path,
        default=default_cache(),
        metavar="FOLDER",
        help="where bench/question_set.py put its sites",
    )
    parser.add_argument("--only-site", nargs="+", default=[], metavar="SITE")
    parser.add_argument("--limit", type=int, default=0, help="the first N questions only")


def data_is_missing(options: argparse.Namespace) -> bool:
    """Whether the sites or a file of questions is not there; says which.

    With `--docqa` it first sets `sites` and `questions` to those of the sites that are there, and says which are not.
    """
    if options.docqa:
        _take_public_set(options)
    if options.sites is None or not options.questions:
        print("Give --sites and --questions, or --docqa for the public set.", file=sys.stderr)
        return True
    for path in (options.sites, *options.questions):
        if not path.exists():
            print(f"{path} is not there: the benchmark reads its data from a path you give.", file=sys.stderr)
            return True
    return False


def _take_public_set(options: argparse.Namespace) -> None:
    chosen = [site for site in read_sites().values() if site.split == options.docqa]
    asked = [site for site in chosen if (QUESTIONS / f"{site.name}.jsonl").is_file()]
    there = [site for site in asked if is_made(site, options.cache)]
    options.sites = folder_of(options.cache)
    options.questions = [QUESTIONS / f"{site.name}.jsonl" for site in there]
    print(f"{len(there)} of {len(chosen)} sites of the part {options.docqa} are served.", file=sys.stderr)
    missing = [site.name for site in asked if site not in there]
    if missing:
        print(f"Not there: run bench/question_set.py make {' '.join(missing)}", file=sys.stderr)
