"""Read and join the files inside another file: the members of an archive, the messages of a mailbox, the attachments of an email."""

from __future__ import annotations

import logging
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from time import process_time
from typing import Final

from app import caps
from app.errors import WebRAGError
from app.extract.characters import collapse, storable
from app.extract.page import Page, Section, closed, moved
from app.text.sentence import joined

log = logging.getLogger(__name__)

MAX_LEVEL: Final = 6
MAX_NOTES: Final = 5  # The number of different notes of members that are kept.
INNER_MARK: Final = "!/"
"""Separates a file and a file inside it in an address. Archives and messages in these are skipped."""
READ_SECONDS: Final = caps.PREPARE_SECONDS / 2
"""The processor time for the files inside one file. More would end the process that reads it, and all of them would be lost."""
_ENDS: Final = ContextVar("_ENDS", default=math.inf)


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside another file, with its heading and the anchor of its place."""

    heading: str
    anchor: str
    page: Page


def read_member(body: bytes | Callable[[], object], *, url: str, content_type: str) -> Page | None:
    """Return the page of a file inside another one, or None if it cannot be read. No error of one file affects the others."""
    from app.extract import extract

    if process_time() > _ENDS.get():
        return None
    try:
        content = body() if callable(body) else body
        if isinstance(content, bytes):
            return extract(content, url=url, content_type=content_type, charset=None)
    except WebRAGError as error:
        log.info("cannot read a file inside another one: %s", error)
    except Exception:
        log.exception("reading a file inside another one failed")
    return None


def with_members(page: Page, members: Iterable[Member | None], *, level: int) -> tuple[Page, int]:
    """Return a page followed by a section of this level for each member, and the number of those left out.

    These are unreadable (None), beyond the size of a page, or read after READ_SECONDS. The headings of a member are below its own heading.
    Images of members are omitted because they have no address.
    """
    parts = [page.text] if page.text else []
    length = len(page.text)
    sections, links, left_out = list(page.sections), list(page.links), 0
    notes = {page.note: None}
    token = _ENDS.set(min(_ENDS.get(), process_time() + READ_SECONDS))
    try:
        for member in members:
            inner = _deepened(member.page, level) if member is not None else None
            if member is None or inner is None or length + len(inner.text) > caps.MAX_PAGE_CHARS:
                left_out += 1
                continue
            heading = collapse(storable(member.heading))[: caps.MAX_HEADING_CHARS].rstrip()
            notes[inner.note] = None
            start = length + 2 if parts else 0
            opening = f"{'#' * level} {heading}\n\n"
            by = start + len(opening)
            sections.append(Section(level, heading, member.anchor, start, by + len(inner.text)))
            for each in (inner := moved(inner, by)).sections:
                anchor = f"{member.anchor}&{each.anchor}" if each.anchor else member.anchor
                sections.append(replace(each, anchor=anchor))
            links += inner.links
            parts.append(opening + inner.text)
            length = by + len(inner.text)
    finally:
        _ENDS.reset(token)
    kept = tuple(links[: caps.MAX_LINKS_PER_PAGE])
    note = joined(list(notes)[:MAX_NOTES])
    return replace(page, text="\n\n".join(parts), sections=closed(sections, length), links=kept, note=note), left_out


def _deepened(page: Page, level: int) -> Page:
    """Return a page whose headings are `level` levels deeper, at most MAX_LEVEL."""
    places: list[int] = []
    shifts = [0]  # before the first place, and after each one
    parts: list[str] = []
    for section in page.sections:
        marks = min(level, MAX_LEVEL - section.level) if page.text.startswith("#", section.start) else 0
        if marks > 0:
            parts += [page.text[places[-1] if places else 0 : section.start], "#" * marks]
            places.append(section.start)
            shifts.append(shifts[-1] + marks)
    if not places:
        return page
    parts.append(page.text[places[-1] :])

    def moved(offset: int, *, is_start: bool = False) -> int:
        return offset + shifts[bisect_right(places, offset - 1 if is_start else offset)]

    return replace(
        page,
        text="".join(parts),
        sections=tuple(
            replace(
                each,
                level=min(each.level + level, MAX_LEVEL),
                start=moved(each.start, is_start=True),
                end=moved(each.end, is_start=True),
            )
            for each in page.sections
        ),
        links=tuple(replace(each, start=moved(each.start), end=moved(each.end)) for each in page.links),
    )
