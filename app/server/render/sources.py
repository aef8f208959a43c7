"""Numbers for pages and the [SOURCES] section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app import caps
from app.orchestration.result import SourceFailure
from app.retrieval.records import RetrievedChunk
from app.server.render.budget import Room
from app.server.render.errors import safe
from app.server.render.text import age, one_line, title_of, when


@dataclass(frozen=True, slots=True)
class Source:
    """A page of the result under its number. `fetched_at` is 0 for what never came from the web."""

    number: int
    url: str
    title: str
    headings: tuple[str, ...]
    fetched_at: float


def number_sources(chunks: Sequence[RetrievedChunk]) -> dict[str, Source]:
    """The distinct pages by URL, numbered in the order of their first chunk."""
    found: dict[str, list[RetrievedChunk]] = {}
    for item in chunks:
        found.setdefault(item.chunk.url, []).append(item)
    return {url: _source(number, url, items) for number, (url, items) in enumerate(found.items(), start=1)}


def source_lines(sources: Sequence[Source], *, now: float, headings: bool = True) -> list[str]:
    """One entry a source: title and address, its headings, its age."""
    entries = []
    for source in sources:
        lines = [f"[{source.number}] {title_of(source.title)} — {one_line(source.url)}"]
        if headings:
            lines += [f"    § {heading}" for heading in source.headings]
        if source.fetched_at and source.url.startswith(("http://", "https://")):
            lines.append(f"    fetched {when(source.fetched_at)} ({age(now - source.fetched_at)})")
        entries.append("\n".join(lines))
    return entries


def sources_text(sources: Sequence[Source], failures: Sequence[SourceFailure], *, now: float, room: Room) -> str:
    """The section, whole where it fits; else without headings, else with the last entries only counted."""
    failed = [f"- {one_line(failure.url)} — not read: {_reason(failure)} ({failure.code})" for failure in failures]
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


def _reason(failure: SourceFailure) -> str:
    return one_line(safe(failure.reason), caps.MAX_REASON_CHARS_SHOWN)


def _more(count: int) -> str:
    return f"... and {count} more"


def _source(number: int, url: str, items: Sequence[RetrievedChunk]) -> Source:
    headings = (
        one_line(item.chunk.section_path[-1], caps.MAX_HEADING_CHARS_SHOWN) for item in items if item.chunk.section_path
    )
    title = next((item.chunk.title for item in items if item.chunk.title.strip()), "")
    return Source(
        number=number,
        url=url,
        title=title,
        headings=tuple(dict.fromkeys(heading for heading in headings if heading)),
        fetched_at=max(item.chunk.last_crawled for item in items),
    )
