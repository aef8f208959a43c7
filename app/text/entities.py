"""Find the entities of a document (names in code, headings, defined terms and link texts) and the sections that mention them.

All spellings of a name share one folded form: case, accents, plurals, underscores, dashes and camel case make no difference.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, Protocol, TypeAlias

from app import caps
from app.paths import asset_table
from app.text.languages import STOP_WORDS
from app.text.scripts import normalized
from app.text.terms import HUMP

MAX_MENTIONS_PER_DOCUMENT: Final = 6_000
MAX_MENTION_COUNT: Final = 1_000
MAX_ENTITY_TEXT_CHARS: Final = 1_000_000  # The part of a text to search for names; headings and links count beyond it.
BEFORE_SECTIONS: Final = -1  # The section number of the text before the first heading.
_QUALIFIER: Final = re.compile(r".*(?:\.|::|#|->)(?=[^.:#>]+$)", re.DOTALL)
_KEYWORD: Final = re.compile(
    r"(?:(?:abstract|async|classmethod|const|final|public|static|staticmethod|virtual)\s++){0,6}+"
    r"(?:class|command|def|enum|event|exception|fn|func|function|interface|macro|method|module|option|package|property"
    r"|struct|trait|type|variable)\s++(?=[\w$@.:-]++(?:[\s(<\[]|$))"
)
_CALL: Final = re.compile(r"[(<\[=\s{].*", re.DOTALL)
_SYMBOL: Final = re.compile(
    r"--?[A-Za-z][\w-]*"
    r"|[@$%#]?[A-Za-z_][\w$]*(?:(?:\.|::|#|->|-|/)[A-Za-z_][\w$]*)*[!?]?"
    r"|[A-Z][A-Z]+(?: [A-Z]{2,}){1,2}"
)
_ONE_NAME: Final = re.compile(r"\S+(?:\(.*\)|<.*>|\[.*\])?|[A-Z]{2,}(?: [A-Z]{2,}){1,2}", re.DOTALL)
_SHAPED: Final = re.compile(r"\w[._:$#/]\w|[a-z0-9][A-Z]|^[-@$%_]|\w_|\(\)$")
"""Signs of code that plain words of a heading do not have."""
_IN_HEADING: Final = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[A-Za-z]+_\w+|[A-Za-z_]\w*(?=\(\)))")
_OPTION: Final = re.compile(r"`*--?[A-Za-z]")
_OPTION_VALUE: Final = re.compile(r"`|[\s=\[<].*", re.DOTALL)
_DASH: Final = re.compile(r"(?<!\s)\s++[—–-]{1,2}\s++")
_NUMBER: Final = re.compile(
    r"^(?:(?:(?:chapter|section|part|appendix)\s+)?\d{1,3}(?:\.\d{1,3})*[.):]?|(?:appendix\s+)?[a-z](?:\.\d{1,3})*[.):])\s+(?=\S)",
    re.IGNORECASE,
)
_MARKS: Final = re.compile(r"[`*¶§]+|\s+")
_LETTER: Final = re.compile(r"[^\W\d_]")
_ENDS: Final = " .,:;!?()[]{}\"'“”‘’«»…"
_PLAIN: Final = re.compile(r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?")  # The form of most names.
_MAX_WORDS: Final = 8
_MAX_LINK_WORDS: Final = 6
_CACHED: Final = 8192
_CODE_IN_TEXT: Final = re.compile(
    r"^ {0,3}(?P<fence>`{3,}+|~{3,}+)[^\n]*+\n(?:.*?^ {0,3}(?P=fence)[`~]*[^\S\n]*$|.*\Z)"
    r"|(?<!`)(?P<ticks>`{1,2})(?P<code>[^`\n]{2,120})(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
"""Fenced code, which is skipped, and inline code."""
_DEFINED: Final = re.compile(r"^[ \t>]*(?:[-*+] )?\*\*(?P<term>[^*\n]{2,80})\*\*:(?=\s)", re.MULTILINE)
_PART: Final = re.compile(r"\W+")
HEADING_COUNT: Final = 2  # A name in a heading counts as this many occurrences.
_BORDER: Final = re.compile(r"(?<=\w)[\s_-]+(?=\w)")
_WORDS: Final = asset_table("words.toml")["generic"]
_GENERIC: Final = (
    STOP_WORDS | frozenset(_WORDS["code"].split()) | frozenset(word.strip() for word in _WORDS["headings"].split("|"))
)


class EntityKind(StrEnum):
    """The kind of an entity."""

    SYMBOL = "symbol"  # A name in code, as written: `json.dumps`, `--verbose`, `Content-Type`.
    TERM = "term"
    """Words of a heading, a definition or a link. Terms that differ only in case, accents or plural are the same."""


@dataclass(frozen=True, slots=True)
class Entity:
    """Something that documents name. Symbols are equal if their names are equal, terms if they fold to the same form."""

    kind: EntityKind
    name: str

    @property
    def key(self) -> str:
        """Return what identifies the entity among entities of its kind."""
        return self.name if self.kind is EntityKind.SYMBOL else folded_term(self.name)

    @property
    def folded(self) -> str:
        """Return the form that all spellings of the name share."""
        return folded_symbol(self.name) if self.kind is EntityKind.SYMBOL else folded_term(self.name)

    @property
    def tail(self) -> str | None:
        """Return the last part of a qualified name: `dumps` for `json.dumps`."""
        is_qualified = _QUALIFIER.match(self.name) if self.kind is EntityKind.SYMBOL else None
        return self.name[is_qualified.end() :] if is_qualified else None


@dataclass(frozen=True, slots=True)
class Mention:
    """How often a section (its number, or BEFORE_SECTIONS) names an entity. `defines`: its heading or a definition is about the entity."""

    entity: Entity
    section: int
    count: int
    defines: bool


@lru_cache(maxsize=_CACHED)
def symbol(code: str) -> Entity | None:
    """Return the name in a piece of code: `json.dumps` for `json.dumps(obj, *, indent=None)`; None for an expression or a value."""
    plain = _PLAIN.fullmatch(code)
    name = plain.group(1) if plain else ""
    if not plain:  # a name that is more than a plain one
        text = _KEYWORD.sub("", code.strip(), count=1)
        bare = (text if " " in text and text.isupper() else _CALL.sub("", text)).strip(".:,;")
        name = bare if _ONE_NAME.fullmatch(text) and _SYMBOL.fullmatch(bare) else ""
    if not 2 <= len(name) <= caps.MAX_ENTITY_NAME_CHARS or is_generic(name.lower()):
        return None
    return Entity(EntityKind.SYMBOL, name)


def qualified(entity: Entity, anchor: str | None) -> Entity:
    """Return the symbol with the full name from its anchor: `decode` at `#json.JSONDecoder.decode`."""
    name = entity.name
    if not anchor or not anchor.endswith((f".{name}", f":{name}")) or len(anchor) > caps.MAX_ENTITY_NAME_CHARS:
        return entity
    return Entity(EntityKind.SYMBOL, anchor) if _SYMBOL.fullmatch(anchor) else entity


@lru_cache(maxsize=_CACHED)
def term(text: str, words: int = _MAX_WORDS) -> Entity | None:
    """Return the term for a few words; None for generic words and whole sentences."""
    shown = _MARKS.sub(" ", text).strip(_ENDS)
    shown = " ".join(_NUMBER.sub("", shown).split())
    if shown.count("(") > shown.count(")"):
        shown = f"{shown})"
    if not 3 <= len(shown) <= caps.MAX_ENTITY_NAME_CHARS or not _LETTER.search(shown) or shown.count(" ") >= words:
        return None
    return None if is_generic(folded_term(shown)) else Entity(EntityKind.TERM, shown)


def of_heading(heading: str, anchor: str | None) -> list[Entity]:
    """Return the subject of a section: an API by its signature (`class json.JSONDecoder()`), a term, or both (`json — JSON encoder`)."""
    several = heading.split(", ")
    if len(several) > 1 and all(_OPTION.match(each) for each in several):
        found = [symbol(_OPTION_VALUE.sub("", each)) for each in several]
    else:
        found = [_api(part, anchor) or term(part) for part in _DASH.split(heading, maxsplit=1)]
    return [entity for entity in found if entity is not None]


def inside_heading(heading: str) -> list[Entity]:
    """Return the names in code among the words of a heading."""
    if " " not in heading:
        return []
    found = (symbol(match.group()) for match in _IN_HEADING.finditer(heading))
    return [entity for entity in found if entity is not None]


def of_link(text: str, fragment: str) -> list[Entity]:
    """Return the entities that a link names, with the full name from its target, if any."""
    if text.startswith("`") and text.endswith("`") and text.count("`") == 2:
        code = symbol(text[1:-1])
        return [] if code is None else [qualified(code, fragment)]
    if "`" in text:
        return of_heading(text, fragment)
    if text.startswith(("http", "[")) or ("/" in text and " " not in text):
        return []
    if " " not in text and _SHAPED.search(text) and (code := symbol(text)) is not None:
        return [qualified(code, fragment)]
    spoken = term(text, _MAX_LINK_WORDS)
    return [] if spoken is None else [spoken]


def _api(text: str, anchor: str | None) -> Entity | None:
    """Return the symbol of a heading, recognized by its shape, keyword, backticks or anchor."""
    plain = text.replace("`", "").replace("*", "").strip(" ¶")
    if (code := symbol(plain)) is None:
        return None
    name, anchor = code.name, anchor or ""
    by_anchor = anchor == name or (anchor != name.lower() and anchor.endswith((f".{name}", f"-{name}")))
    is_api = by_anchor or text.startswith("`") or _KEYWORD.match(plain) or _SHAPED.search(plain)
    return qualified(code, anchor) if is_api else None


Place: TypeAlias = tuple[int, tuple[EntityKind, str]]  # A section and the key of an entity.


class HasHeading(Protocol):
    """A stored section."""

    @property
    def heading(self) -> str: ...
    @property
    def anchor(self) -> str | None: ...
    @property
    def start(self) -> int: ...


class HasTarget(Protocol):
    """A stored link."""

    @property
    def url(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...


def mentions_of(
    title: str, text: str, sections: Sequence[HasHeading], links: Sequence[HasTarget]
) -> tuple[Mention, ...]:
    """Return the mentions of a document: at most MAX_ENTITIES_PER_SECTION per section and MAX_MENTIONS_PER_DOCUMENT in all, definitions
    and the most frequent first.

    A bare name stands for the qualified one if the document defines exactly one qualified name with that last part.
    """
    starts = [section.start for section in sections]
    # The subjects of sections and definitions, with the number of the section.
    headings = [(number, section.heading, section.anchor) for number, section in enumerate(sections)]
    for match in _DEFINED.finditer(text, 0, MAX_ENTITY_TEXT_CHARS):
        place = bisect_right(starts, match.start()) - 1
        if place < 0 or starts[place] < match.start():
            headings.append((place, match["term"], None))
    if not sections:
        headings.insert(0, (BEFORE_SECTIONS, title, None))
    defined = [(number, entity) for number, words, anchor in headings for entity in of_heading(words, anchor)]
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
    taken: Counter[int] = Counter()
    kept: list[Mention] = []
    for at in sorted(counts, key=lambda at: (at not in defining, -counts[at])):
        section_number, identity = at
        if len(kept) < MAX_MENTIONS_PER_DOCUMENT and taken[section_number] < caps.MAX_ENTITIES_PER_SECTION:
            taken[section_number] += 1
            count = min(counts[at], MAX_MENTION_COUNT)
            kept.append(Mention(entities[identity], section_number, count, at in defining))
    return tuple(kept)


def _named(
    text: str, sections: Sequence[HasHeading], links: Sequence[HasTarget], starts: Sequence[int]
) -> Iterator[tuple[int, Entity]]:
    """Yield the entities that headings, links and inline code name."""
    for number, section in enumerate(sections):
        for entity in inside_heading(section.heading):
            yield number, entity
    for link in links:
        place = bisect_right(starts, link.start) - 1
        for entity in of_link(link.text, link.url.rpartition("#")[2] if "#" in link.url else ""):
            yield place, entity
    linked = {link.start for link in links}
    for match in _CODE_IN_TEXT.finditer(text, 0, MAX_ENTITY_TEXT_CHARS):
        if match["code"] and match.start() not in linked and (code := symbol(match["code"])) is not None:
            yield bisect_right(starts, match.start()) - 1, code


def _full_names(defined: Iterable[Entity]) -> dict[str, Entity]:
    """Return the qualified names that a document defines by their last part, if it is unique.

    Members of classes are excluded: an argument `path` is not the attribute `DirEntry.path`.
    """
    found: dict[str, Entity | None] = {}
    for entity in defined:
        parts = _PART.split(entity.name)
        is_member = len(parts) > 1 and parts[-2][:1].isupper()
        tail = None if is_member else entity.tail
        if tail is not None:
            found[tail] = entity if found.get(tail, entity) == entity else None
    return {tail: entity for tail, entity in found.items() if entity is not None}


@lru_cache(maxsize=_CACHED)
def folded_symbol(name: str) -> str:
    """Fold a name: `maxConnections` and `MAX_CONNECTIONS` give `max connections`; dots, colons and leading dashes remain."""
    return _BORDER.sub(" ", _plain(HUMP.sub(" ", name)))


@lru_cache(maxsize=_CACHED)
def folded_term(text: str) -> str:
    """Fold a term: `Context managers` gives `context manager`."""
    first, space, last = _BORDER.sub(" ", _plain(text)).rpartition(" ")
    if len(last) >= 4 and last.endswith("s") and not last.endswith(("ss", "us", "is", "os")):
        is_long = last.endswith(("xes", "ches", "shes", "sses"))
        last = f"{last[:-3]}y" if last.endswith("ies") and len(last) > 4 else last[: -2 if is_long else -1]
    return f"{first}{space}{last}"


def _plain(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = normalized("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.combining(c)).casefold()


def is_generic(folded: str) -> bool:
    """Whether a folded term or lowercase name is meaningless on its own: `example`, `see also`, `none`."""
    return folded in _GENERIC
