"""A strict parser of result texts that separates WebRAG's text from page text by structure only. Any other line is an error."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

MARK: Final = "> "
TITLE: Final = r'(?:Untitled|"(?P<title>[^"]*)")'
SECTION: Final = re.compile(r"\[(SOURCES|EVIDENCE|IMAGES|EXPANSION TRACE|CITATIONS|STATS)\]")
SOURCE: Final = re.compile(rf"\[(?P<number>\d+)\] {TITLE} — (?P<url>\S+)")
FLAGGED: Final = r"(?: \[flagged: [a-z ,]+\])?"
BLOCK: Final = re.compile(
    r"Source \[(?P<number>\d+)\] \(relevance: \d\.\d\d(?:, confidence: \d\.\d\d)?(?:, sub-query: \"[^\"]*\")?\)"
    rf"(?: \[adjacent context\])?(?: \[keyword match only; [a-z ]+\])?{FLAGGED}(?: \[beginning only: the rest did not fit\])?:"
)
QUOTE: Final = re.compile(r"\[(?P<number>\d+)\] (?P<quote>\".*)", re.DOTALL)
ORIGIN: Final = re.compile(rf"    — {TITLE}, (?P<url>\S+)(?: § .*)?")
OTHERS: Final = {
    "SOURCES": re.compile(
        r"\(none\)|    § .*|    (?:fetched|read) \d{4}-\d\d-\d\d .*|    changed since .*|    flagged: [a-z ,]+"
        r"|- \S+ — .*|\.\.\. and \d+ more"
    ),
    "EVIDENCE": re.compile(
        r"No relevant content was found for this query in the (?:specified URL|indexed pages)\.(?: The closest passages follow.*)?"
        r"|Nothing to search yet: .*"
        r"|\.\.\. \(showing \d+ of \d+ chunks — remaining \d+ omitted due to response budget\)"
    ),
    "IMAGES": re.compile(rf"- \[[^\[\]]*\]\([^\s)]+\)(?: — \"[^\"]*\")? \(from Source \[\d+\]\){FLAGGED}"),
    "EXPANSION TRACE": re.compile(
        r"Base: \S+|[│├└─ ]*\S+ \((?:seed|external|depth)\b.*|[│├└─ ]*\.\.\. and .*|[│ ]*\[stopped: .*\]"
        r"|\[Expansion trace omitted — .*"
    ),
    "CITATIONS": re.compile(r"\.\.\. \(\d+ of \d+ quotes omitted due to response budget\)"),
    "STATS": re.compile(
        r"(?:Mode|Documents searched|Documents matched|Chunks evaluated|Expansion iterations|URLs ingested|URLs failed"
        r"|URLs still being indexed|Stop reason|Total time|Note): .*"
    ),
}
FLAGGED_PAGE: Final = "Note: flagged ("
CUT: Final = "... (cut here: the rest did not fit into one result)"


@dataclass
class ResultText:
    """The content of the text of `answer` or `search`. Page text is without marks and empty lines."""

    sections: list[str] = field(default_factory=list)
    sources: list[tuple[int, str, str]] = field(default_factory=list)
    blocks: list[tuple[int, list[str]]] = field(default_factory=list)
    quotes: list[tuple[int, list[str], str]] = field(default_factory=list)


def read_result(text: str) -> ResultText:
    """Parse a result. Raises ValueError for a line that WebRAG does not write at this position."""
    said = ResultText()
    page: list[str] | None = None
    for line in _whole(text.splitlines()):
        section = said.sections[-1] if said.sections else ""
        if not line:
            continue
        if line.startswith(MARK):
            if page is None:
                raise ValueError(f"page text where none may stand: {line!r}")
            page.append(line.removeprefix(MARK))
        elif found := SECTION.fullmatch(line):
            said.sections.append(found[1])
            page = None
        elif section == "SOURCES" and (found := SOURCE.fullmatch(line)):
            said.sources.append((int(found["number"]), found["title"] or "", found["url"]))
        elif section == "EVIDENCE" and (found := BLOCK.fullmatch(line)):
            page = []
            said.blocks.append((int(found["number"]), page))
        elif section == "CITATIONS" and page is None and (found := QUOTE.fullmatch(line)):
            page = [found["quote"]]
            said.quotes.append((int(found["number"]), page, ""))
        elif section == "CITATIONS" and page is not None and (found := ORIGIN.fullmatch(line)):
            said.quotes[-1] = (*said.quotes[-1][:2], found["url"])
            page = None
        elif section and OTHERS[section].fullmatch(line):
            page = None
        else:
            raise ValueError(f"in [{section}] there is no line like {line!r}")
    return said


def own_lines(text: str) -> list[str]:
    """Return WebRAG's own lines without quoted page text, the same for all pages with one structure."""
    lines = (line for line in text.splitlines() if line and not line.startswith((MARK, FLAGGED_PAGE)))
    return [
        re.sub(rf"{FLAGGED}|, flagged: [a-z ,]+(?=\))", "", re.sub(r" § .*", " §", re.sub(r'"[^"]*"', '""', line)))
        for line in lines
    ]


def page_lines(text: str) -> list[str]:
    """Return the lines of pages without marks."""
    return [line.removeprefix(MARK) for line in text.splitlines() if line.startswith(MARK)]


def _whole(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines without the last one before a cut, which is incomplete."""
    given = list(lines)
    yield from given[:-2] if given and given[-1] == CUT else given
