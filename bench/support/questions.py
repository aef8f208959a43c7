"""Questions with their answering spans, from files or from the public set of bench/docqa."""

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
    """A question with the given page and the exact spans that answer it (none: no page does).

    `hops` is the number of links between the given page and the answering one, `form` the wording of the question or the kind of the
    answer. `paraphrase`: whether the question uses other words than the page, if known. `language` is the language of the question,
    `page_language` of the pages, if the public set contains them. `needs_page`: the question makes no sense without the given page.
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
    needs_page: bool = False

    @property
    def asked_in(self) -> str:
        """Return the language of question and pages, or both if they differ."""
        return (
            self.language if self.language == self.page_language else f"{self.language} of {self.page_language} pages"
        )


def read_questions(files: Sequence[Path], *, sites: Collection[str] = (), limit: int = 0) -> list[Question]:
    """Return the questions of JSON lines files in order, only about `sites` if given, and at most `limit` unless it is 0."""
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
            row.get("needs_page", False),
        )
        for row in rows
        if not sites or row["site"] in sites
    ]
    return questions[:limit] if limit else questions


def _spans(gold: str | list[str] | None) -> tuple[str, ...]:
    """Return the spans of a record with one, several or none."""
    return (gold,) if isinstance(gold, str) else tuple(gold or ())


def by_site(questions: Sequence[Question]) -> dict[str, list[Question]]:
    """Return the questions of each site, in order."""
    found: dict[str, list[Question]] = {}
    for question in questions:
        found.setdefault(question.site, []).append(question)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of every benchmark with questions."""
    parser.add_argument("--sites", type=Path, metavar="FOLDER")
    parser.add_argument("--questions", type=Path, nargs="+", metavar="FILE", default=[])
    parser.add_argument("--docqa", choices=SPLITS, help="public questions of this part, instead of both")
    parser.add_argument(
        "--cache",
        type=Path,
        default=default_cache(),
        metavar="FOLDER",
        help="folder of the sites from bench/question_set.py",
    )
    parser.add_argument("--only-site", nargs="+", default=[], metavar="SITE")
    parser.add_argument("--limit", type=int, default=0, help="only the first N questions")


def data_is_missing(options: argparse.Namespace) -> bool:
    """Whether the sites or a file of questions are missing. Prints which.

    With `--docqa`, first sets `sites` and `questions` to the available sites, and prints missing ones.
    """
    if options.docqa:
        _take_public_set(options)
    if options.sites is None or not options.questions:
        print("Use --sites and --questions, or --docqa for the public set.", file=sys.stderr)
        return True
    for path in (options.sites, *options.questions):
        if not path.exists():
            print(f"{path} does not exist. Pass the path of the data.", file=sys.stderr)
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
        print(f"Missing: run bench/question_set.py make {' '.join(missing)}", file=sys.stderr)
