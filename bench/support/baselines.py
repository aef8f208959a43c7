"""Baselines for evidence: full-text search over the given page, also over linked pages, and the page itself."""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urldefrag

from app.errors import WebRAGError
from app.extract import Page, extract
from app.text.terms import query_terms
from support.judging import Outcome, judge
from support.questions import Question

PASSAGES: Final = 8
PASSAGE_WORDS: Final = 180
MAX_LINKS: Final = 400
HEADING_WEIGHT: Final = 3.0
BASE: Final = "http://site.invalid/"
NOTHING: Final = "No relevant content was found."
PAGE_ALONE: Final = "FTS5, page alone"
WITH_LINKS: Final = "FTS5, page and its links"
PLAIN_FETCH: Final = "plain fetch"


class SiteReader:
    """The extracted pages of one site, each read once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.page = lru_cache(maxsize=None)(self._page)

    def linked(self, path: str) -> list[Page]:
        """Return the linked pages of a page in reading order, without unreadable ones."""
        own = self.page(path)
        if own is None:
            return []
        addresses = dict.fromkeys([*(link.url for link in own.links), *own.navigation])
        paths = dict.fromkeys(unquote(urldefrag(url)[0][len(BASE) :]) for url in addresses if url.startswith(BASE))
        found = (self.page(each) for each in list(paths)[:MAX_LINKS] if each != path)
        return [page for page in found if page is not None]

    def _page(self, path: str) -> Page | None:
        file = self._folder / path
        if file.suffix not in {".html", ".htm"} or not file.is_file():
            return None
        try:
            return extract(file.read_bytes(), url=BASE + path, content_type="text/html", charset=None)
        except WebRAGError:
            return None


class PassageIndex:
    """SQLite FTS5 over passages of pages, with weighted headings."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("create virtual table passage using fts5(heading, text, tokenize='porter unicode61')")
        rows = (passage for page in pages for passage in passages(page))
        self._database.executemany("insert into passage values (?, ?)", rows)

    def result(self, query: str, *, count: int = PASSAGES) -> str:
        """Return the best passages in the form of a result."""
        match = " OR ".join('"' + term.replace('"', "") + '"' for term in query_terms(query))
        rows = self._database.execute(
            "select heading, text from passage where passage match ? order by bm25(passage, ?, 1.0) limit ?",
            (match, HEADING_WEIGHT, count),
        ).fetchall()
        blocks = [f"Source [{number}]: {heading}\n{text}" for number, (heading, text) in enumerate(rows, 1)]
        return "[EVIDENCE]\n" + ("\n\n".join(blocks) or NOTHING)


def ask_baselines(questions: Sequence[Question], folder: Path) -> dict[str, list[Outcome]]:
    """Ask the baselines the questions of one site with its pages in `folder`. Times are for the query only."""
    reader = SiteReader(folder)
    found: dict[str, list[Outcome]] = {PAGE_ALONE: [], WITH_LINKS: [], PLAIN_FETCH: []}
    for question in questions:
        page = reader.page(question.seed_path)
        own = [page] if page is not None else []
        found[PAGE_ALONE].append(_searched(question, PassageIndex(own)))
        found[WITH_LINKS].append(_searched(question, PassageIndex([*own, *reader.linked(question.seed_path)])))
        found[PLAIN_FETCH].append(judge(question, "".join(page.text for page in own), error=not own, ms=0.0))
    return found


def _searched(question: Question, index: PassageIndex) -> Outcome:
    started = time.perf_counter()
    text = index.result(question.text)
    return judge(question, text, error=False, ms=1000 * (time.perf_counter() - started))


def passages(page: Page) -> list[tuple[str, str]]:
    """Return heading and text of passages with at most PASSAGE_WORDS words, split at the page's sections."""
    starts = sorted({0, len(page.text), *(section.start for section in page.sections)})
    headings = {section.start: section.heading for section in page.sections}
    found = []
    for start, end in pairwise(starts):
        words = re.findall(r"\S+", page.text[start:end])
        heading = headings.get(start, page.title)
        found += [(heading, " ".join(words[i : i + PASSAGE_WORDS])) for i in range(0, len(words), PASSAGE_WORDS)]
    return found
