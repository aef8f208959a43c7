"""The entities of a document and the sections that mention them, from what is stored of it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from app import caps
from app.text.entities import naming
from app.text.entities.records import BEFORE_SECTIONS, Entity, EntityKind, Mention

_CODE: Final = re.compile(
    r"^ {0,3}(?P<fence>`{3,}|~{3,})[^\n]*\n(?:.*?^ {0,3}(?P=fence)[`~]*[^\S\n]*$|.*\Z)"
    r"|(?<!`)(?P<ticks>`{1,2})(?P<code>[^`\n]{2,120})(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
"""Fenced code, which is passed over, and code in a line."""
_DEFINED: Final = re.compile(r"^[ \t>]*(?:[-*+] )?\*\*(?P<term>[^*\n]{2,80})\*\*:(?=\s)", re.MULTILINE)
_PART: Final = re.compile(r"\W+")
HEADING_COUNT: Final = 2
"""A name in a heading counts as if it were named so often."""


Place: TypeAlias = tuple[int, tuple[EntityKind, str]]
"""A section and what tells an entity from others."""


class HasHeading(Protocol):
    """A section as it is stored."""

    @property
    def heading(self) -> str: ...
    @property
    def anchor(self) -> str | None: ...
    @property
    def start(self) -> int: ...


class HasTarget(Protocol):
    """A link as it is stored."""

    @property
    def url(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...


def mentions_of(
    title: str, text: str, sections: Sequence[HasHeading], links: Sequence[HasTarget]
) -> tuple[Mention, ...]:
    """At most MAX_ENTITIES_PER_SECTION of a section and MAX_MENTIONS_PER_DOCUMENT in all, definitions and the most frequent first.

    A bare name stands for the qualified one that the document defines, if it defines one of that name only.
    """
    starts = [section.start for section in sections]
    defined = list(_definitions(title, text, sections, starts))
    full_names = _full_names(entity for _, entity in defined)
    counts: Counter[Place] = Counter()
    entities: dict[tuple[EntityKind, str], Entity] = {}
    for number, entity in defined:
        identity = entity.kind, entity.key
        entities.setdefault(identity, entity)
        counts[number, identity] += HEADING_COUNT
    defining = frozenset(counts)
    for number, entity in _named(text, sections, links, starts):
        resolved = full_names.get(entity.name, entity)
        identity = resolved.kind, resolved.key
        entities.setdefault(identity, resolved)
        counts[number, identity] += 1
    return tuple(_bounded(counts, defining, entities))


def _definitions(
    title: str, text: str, sections: Sequence[HasHeading], starts: Sequence[int]
) -> Iterator[tuple[int, Entity]]:
    """What sections and definitions are about, with the number of the section."""
    for number, section in enumerate(sections):
        for entity in naming.of_heading(section.heading, section.anchor):
            yield number, entity
    if not sections:
        for entity in naming.of_heading(title, None):
            yield BEFORE_SECTIONS, entity
    for match in _DEFINED.finditer(text, 0, caps.MAX_ENTITY_TEXT_CHARS):
        place = bisect_right(starts, match.start()) - 1
        if place < 0 or starts[place] < match.start():
            for entity in naming.of_heading(match["term"], None):
                yield place, entity


def _named(
    text: str, sections: Sequence[HasHeading], links: Sequence[HasTarget], starts: Sequence[int]
) -> Iterator[tuple[int, Entity]]:
    """What headings, links and code in lines name."""
    for number, section in enumerate(sections):
        for entity in naming.inside_heading(section.heading):
            yield number, entity
    for link in links:
        place = bisect_right(starts, link.start) - 1
        for entity in naming.of_link(link.text, link.url.rpartition("#")[2] if "#" in link.url else ""):
            yield place, entity
    linked = {link.start for link in links}
    for match in _CODE.finditer(text, 0, caps.MAX_ENTITY_TEXT_CHARS):
        if match["code"] and match.start() not in linked:
            code = naming.symbol(match["code"])
            if code is not None:
                yield bisect_right(starts, match.start()) - 1, code


def _full_names(defined: Iterable[Entity]) -> dict[str, Entity]:
    """The qualified names that a document defines, by their last part, where it is the last part of one only.

    Members of classes are left out: an argument `path` is not the attribute `DirEntry.path`.
    """
    found: dict[str, Entity | None] = {}
    for entity in defined:
        tail = None if _is_member(entity.name) else entity.tail
        if tail is not None:
            found[tail] = entity if found.get(tail, entity) == entity else None
    return {tail: entity for tail, entity in found.items() if entity is not None}


def _is_member(name: str) -> bool:
    """Whether the part before the last is the name of a class."""
    parts = _PART.split(name)
    return len(parts) > 1 and parts[-2][:1].isupper()


def _bounded(
    counts: Counter[Place], defining: frozenset[Place], entities: Mapping[tuple[EntityKind, str], Entity]
) -> list[Mention]:
    taken: Counter[int] = Counter()
    kept: list[Mention] = []
    for place in sorted(counts, key=lambda place: (place not in defining, -counts[place])):
        section, identity = place
        if len(kept) == caps.MAX_MENTIONS_PER_DOCUMENT:
            break
        if taken[section] < caps.MAX_ENTITIES_PER_SECTION:
            taken[section] += 1
            count = min(counts[place], caps.MAX_MENTION_COUNT)
            kept.append(Mention(entities[identity], section, count, place in defining))
    return kept
