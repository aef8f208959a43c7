"""Limit a library's replies to values that a local store could contain, because a library can be faulty or hostile.

Clamps sizes, numbers and times, and removes line breaks from titles. Leaves out invalid pages. Sentences of a library are quoted, so that
they cannot be mistaken for WebRAG's own.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app import caps
from app.errors import LibraryAwayError
from app.library import exchange
from app.library.records import SectionRecord
from app.text.page_text import one_line, quoted
from app.text.sentence import sentence

MAX_PASSAGE_CHARS: Final = 20_000
MAX_PERSON_CHARS: Final = 300
MAX_NOTES: Final = 3
MAX_NOTE_CHARS: Final = 240
MAX_PATH_PARTS: Final = 8
MAX_COLLECTIONS_SHOWN: Final = 1_000
MAX_FLAGS: Final = 10
MAX_COUNT: Final = (1 << 31) - 1  # Largest number of passages in a page and of pages in a collection.
MAX_PAGE_ID: Final = (1 << 53) - 1  # Larger IDs are not exact in JSON.


def search_reply(given: exchange.SearchReply) -> exchange.SearchReply:
    """Limit passages, likelihood and notes."""
    known = [each for each in given.passages if _is_id(each.page_id) and _is_id(each.chunk_id) and each.text.strip()]
    likelihood = None if given.likelihood is None else _share(given.likelihood)
    notes = tuple(quoted(note, MAX_NOTE_CHARS) for note in given.notes[:MAX_NOTES] if note.strip())
    return replace(
        given, passages=tuple(map(_passage, known[: exchange.MAX_PASSAGES])), likelihood=likelihood, notes=notes
    )


def page_rows(given: exchange.PageRows) -> exchange.PageRows:
    """Limit rows."""
    known = [row for row in given.pages[: exchange.MAX_PAGE_ROWS] if _is_id(row.page_id)]
    return replace(given, pages=tuple(map(_row, known)), next=given.next[: caps.MAX_URL_CHARS])


def whole_page(given: exchange.WholePage) -> exchange.WholePage:
    """Limit a page; its sections are ranges of its text. Raises LibraryAwayError for a page without an ID."""
    if not _is_id(given.row.page_id):
        hint = "Contact the library's administrator."
        raise LibraryAwayError(sentence("The library returned a page without an ID."), hint=hint)
    text = given.text[: caps.MAX_PAGE_CHARS]
    links = given.links[: caps.MAX_LINKS_PER_PAGE]
    size = len(text)
    sections: list[SectionRecord] = []
    for each in given.sections:
        after = sections[-1].start if sections else -1
        if 1 <= each.level <= 6 and after < each.start <= each.end <= size:
            sections.append(replace(each, heading=one_line(each.heading, caps.MAX_HEADING_CHARS)))
    return exchange.WholePage(
        _row(given.row),
        text,
        tuple(sections),
        tuple(link for link in links if 0 <= link.start <= link.end <= len(text)),
        _short(given.published),
        _short(given.last_modified),
    )


def description(given: exchange.NodeDescription) -> exchange.NodeDescription:
    """Limit the names in a description, each on one line."""
    who = exchange.Person(one_line(given.who.subject, MAX_PERSON_CHARS), one_line(given.who.name, MAX_PERSON_CHARS))
    collections = tuple(
        exchange.Collection(each.name, one_line(each.role, exchange.MAX_NAME_CHARS), _count(each.pages))
        for each in given.collections[:MAX_COLLECTIONS_SHOWN]
        if each.name and len(each.name) <= exchange.MAX_NAME_CHARS and one_line(each.name) == each.name
    )
    return replace(given, name=one_line(given.name, MAX_PERSON_CHARS), who=who, collections=collections)


def _passage(found: exchange.FoundPassage) -> exchange.FoundPassage:
    text = found.text[:MAX_PASSAGE_CHARS]
    start = max(0, found.start)
    prefix = min(max(0, found.prefix_length), len(text))
    return replace(
        found,
        collection=one_line(found.collection, exchange.MAX_NAME_CHARS),
        url=found.url[: caps.MAX_URL_CHARS],
        title=one_line(found.title, caps.MAX_TITLE_CHARS),
        text=text,
        start=start,
        end=max(start, found.end),
        relevance=_share(found.relevance),
        section_path=tuple(one_line(part, caps.MAX_HEADING_CHARS) for part in found.section_path[:MAX_PATH_PARTS]),
        anchor=found.anchor[: caps.MAX_HEADING_CHARS] if found.anchor is not None else None,
        prefix_length=prefix,
        suffix_length=min(max(0, found.suffix_length), len(text) - prefix),
        confidence=None if found.confidence is None else _share(found.confidence),
        score=_share(found.score),
        added_by=one_line(found.added_by, MAX_PERSON_CHARS),
        last_crawled=_time(found.last_crawled),
        flags=_flags(found.flags),
    )


def _row(row: exchange.PageRow) -> exchange.PageRow:
    return replace(
        row,
        collection=one_line(row.collection, exchange.MAX_NAME_CHARS),
        url=row.url[: caps.MAX_URL_CHARS],
        title=one_line(row.title, caps.MAX_TITLE_CHARS),
        kind=one_line(row.kind, exchange.MAX_NAME_CHARS),
        language=one_line(row.language, exchange.MAX_NAME_CHARS),
        passages=_count(row.passages),
        passages_embedded=_count(row.passages_embedded),
        last_crawled=_time(row.last_crawled),
        changed_at=_time(row.changed_at),
        added_by=one_line(row.added_by, MAX_PERSON_CHARS),
        flags=_flags(row.flags),
    )


def _is_id(number: int) -> bool:
    return 1 <= number <= MAX_PAGE_ID


def _flags(given: Sequence[str]) -> tuple[str, ...]:
    return tuple(one_line(flag, exchange.MAX_NAME_CHARS) for flag in given[:MAX_FLAGS])


def _count(number: int) -> int:
    return min(max(0, number), MAX_COUNT)


def _share(number: float) -> float:
    return min(1.0, max(0.0, number))


def _time(seconds: float) -> float:
    """Return a time that is not in the future; zero means unknown."""
    return min(max(0.0, seconds), time.time())


def _short(text: str | None) -> str | None:
    return one_line(text, exchange.MAX_NAME_CHARS) if text else None
