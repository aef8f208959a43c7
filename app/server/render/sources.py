"""Source numbers and the [SOURCES] section."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC
from email.utils import parsedate_to_datetime
from typing import Final

from app import caps
from app.library.records import Freshness
from app.orchestration.result import SourceFailure
from app.retrieval.records import Origin, RetrievedChunk
from app.server.render.errors import safe
from app.server.render.text import Room, age, day, origin, plural, when
from app.text.page_text import address, one_line
from app.text.shield import address_flags

FETCHED_FROM: Final = ("http://", "https://")
"""Addresses of pages from the web; files are read locally, and the guide is part of the program."""

MAX_HEADINGS: Final = 12  # Headings listed for one source, taken from its most relevant blocks if there are more.
MAX_ORIGIN_CHARS: Final = 80
DAY_SECONDS: Final = 86_400.0
OLDEST_DATE: Final = 631_152_000.0
"""1990-01-01. Servers report earlier dates for files from reproducible builds, whose times were cleared."""


@dataclass(frozen=True, slots=True)
class Source:
    """A numbered page of the result. `fetched_at` is 0 if the page did not come from the web."""

    number: int
    url: str
    title: str
    headings: tuple[str, ...]
    fetched_at: float
    freshness: Freshness | None = None
    origin: Origin | None = None


def number_sources(chunks: Sequence[RetrievedChunk], freshness: Sequence[Freshness] = ()) -> dict[str, Source]:
    """Return the distinct pages by URL, numbered in the order of their first chunk."""
    found: dict[str, list[RetrievedChunk]] = {}
    for item in chunks:
        found.setdefault(item.chunk.url, []).append(item)
    known = {each.url: each for each in freshness}
    return {
        url: Source(
            number,
            url,
            title=next((item.chunk.title for item in items if item.chunk.title.strip()), ""),
            headings=_headings(items),
            fetched_at=max(item.chunk.last_crawled for item in items),
            freshness=known.get(url),
            origin=next((item.origin for item in items if item.origin is not None), None),
        )
        for number, (url, items) in enumerate(found.items(), start=1)
    }


def sources_of_shown(sources: Mapping[str, Source], shown: Sequence[RetrievedChunk]) -> list[Source]:
    """Return all sources with their numbers, but only the headings of the shown blocks."""
    headings = {url: source.headings for url, source in number_sources(shown).items()}
    return [replace(source, headings=headings.get(url, ())) for url, source in sources.items()]


def source_lines(sources: Sequence[Source], *, now: float, headings: bool = True) -> list[str]:
    """Return one entry per source: title, address, headings, age, changes and flags."""
    entries = []
    for source in sources:
        lines = [f"[{source.number}] {origin(source.title, source.url)}"]
        flags = address_flags(source.origin.url if source.origin is not None else source.url)
        flagged = f"flagged: {', '.join(flags)}" if flags else ""
        if headings:
            lines += [f"    § {heading}" for heading in source.headings]
        facts = (shared_text(source.origin), _age(source, now), changes_text(source.freshness), flagged)
        entries.append("\n".join([*lines, *(f"    {fact}" for fact in facts if fact)]))
    return entries


def shared_text(origin: Origin | None) -> str:
    """Return the shared library of a page, who added it, and its web address; "" for the private library."""
    if origin is None:
        return ""
    collection = f", collection {one_line(origin.collection, MAX_ORIGIN_CHARS)}" if origin.collection else ""
    by = f", added by {one_line(origin.added_by, MAX_ORIGIN_CHARS)}" if origin.added_by else ""
    return f"from the shared library {origin.library}{collection}{by}: {address(origin.url)}"


def _age(source: Source, now: float) -> str:
    url = source.origin.url if source.origin is not None else source.url
    if not source.fetched_at or not url.startswith((*FETCHED_FROM, "file:")):
        return ""
    what = "fetched" if url.startswith(FETCHED_FROM) else "read"
    modified = _modified_at(source.freshness)
    known = f", last modified {day(modified)}" if modified is not None else ""
    return f"{what} {when(source.fetched_at)} ({age(now - source.fetched_at)}){known}"


def _modified_at(freshness: Freshness | None) -> float | None:
    """Return the modification time that the page reports, or None if it is missing or not plausible."""
    if freshness is None or not freshness.last_modified:
        return None
    try:
        date = parsedate_to_datetime(freshness.last_modified)
        modified = (date if date.tzinfo is not None else date.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None
    return modified if OLDEST_DATE < modified <= freshness.last_crawled + DAY_SECONDS else None


def changes_text(freshness: Freshness | None) -> str:
    """Return the changes of a page since it was cited, on one line, or ""."""
    if freshness is None or freshness.cited_at is None:
        return ""
    new, gone = freshness.changed_since_cited, freshness.cited_and_changed
    said = [plural(new, "new passage")] if new else []
    said += [f"{plural(gone, 'cited passage')} changed or removed"] if gone else []
    return f"changed since it was last cited {when(freshness.cited_at)} ({'; '.join(said)})" if said else ""


def page_changes_text(freshness: Sequence[Freshness]) -> str:
    """Return the same for the only page of a result, as a sentence."""
    said = " ".join(filter(None, map(changes_text, freshness)))
    return f"The page {said}." if said else ""


def sources_text(sources: Sequence[Source], failures: Sequence[SourceFailure], *, now: float, room: Room) -> str:
    """Return the section: whole if it fits, otherwise without headings, otherwise with the last entries only counted."""
    failed = []
    for failure in failures:
        reason = one_line(safe(failure.reason), caps.MAX_REASON_CHARS_SHOWN)
        told = reason if failure.goes_on else f"not read: {reason} ({failure.code})"
        failed.append(f"- {address(failure.url)} — {told}")
    for headings in (True, False):
        text = "\n".join(["[SOURCES]", *(source_lines(sources, now=now, headings=headings) or ["(none)"]), *failed])
        if room.fits(text):
            return text
    lines = ["[SOURCES]"]
    entries = [*source_lines(sources, now=now, headings=False), *failed]
    for position, entry in enumerate(entries):
        if not room.fits("\n".join([*lines, entry, _more(len(entries))])):
            return "\n".join([*lines, _more(len(entries) - position)])
        lines.append(entry)
    return "\n".join(lines)


def _more(count: int) -> str:
    return f"... and {count} more"


def _headings(items: Sequence[RetrievedChunk]) -> tuple[str, ...]:
    named = [
        (item, one_line(heading, caps.MAX_HEADING_CHARS_SHOWN))
        for item in items
        for heading in item.headings or item.chunk.section_path[-1:]
    ]
    best = sorted(named, key=lambda pair: -pair[0].reranked_score)
    shown = list(dict.fromkeys(heading for _, heading in best if heading))[:MAX_HEADINGS]
    return tuple(heading for heading in dict.fromkeys(heading for _, heading in named) if heading in shown)
