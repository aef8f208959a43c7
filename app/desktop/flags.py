"""Flags for possible prompt injections and for links that could leak data, computed for displayed pages."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.desktop.wording import counted, spoken, translator
from app.library.records import Chunk, LinkRecord
from app.text.shield import address_flags, instruction_flags

_tr = translator("Flags")

KEPT: Final = 512  # Number of texts and addresses whose flags are cached for repaints of tables.
MAX_LISTED: Final = 100  # Maximum number of flagged passages to list.
WORDS_CHARS: Final = 160

FLAG_MARK: Final = ("flag", "warning")
_MARKS: Final = re.compile(r"^[ \t]*(?:>[ \t]?)+|^#{1,6}[ \t]+|\*\*|`", re.MULTILINE)
"""Markdown syntax of quotes, headings, emphasis and code."""

text_flags = lru_cache(maxsize=KEPT)(instruction_flags)
url_flags = lru_cache(maxsize=KEPT)(address_flags)


@dataclass(frozen=True, slots=True)
class FlaggedPassage:
    """A flagged passage. `start` and `end` are offsets in the document text, `words` its beginning without Markdown syntax."""

    flags: tuple[str, ...]
    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class DocumentFlags:
    """The flags of a document. `passages` are the first MAX_LISTED, `counts` is the number of chunks per flag."""

    passages: tuple[FlaggedPassage, ...] = ()
    counts: tuple[tuple[str, int], ...] = ()
    links: int = 0
    address: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        chunks = ((flag, counted(count, _tr("1 passage"), _tr("{} passages"))) for flag, count in self.counts)
        words = [_tr("{} ({})").format(spoken(flag), count) for flag, count in chunks]
        if self.links:
            words.append(counted(self.links, _tr("1 link that could leak data"), _tr("{} links that could leak data")))
        return words + [_tr("{} (this address)").format(spoken(flag)) for flag in self.address]


def flag_mark(flags: tuple[str, ...]) -> tuple[str, str] | None:
    return FLAG_MARK if flags else None


def flagged(flags: tuple[str, ...]) -> str:
    """Return a text such as `Flagged: speaks to the assistant`, or an empty string without flags."""
    return _tr("Flagged: {}").format(", ".join(map(spoken, flags))) if flags else ""


def with_flags(tip: str, flags: tuple[str, ...]) -> str:
    return "\n".join(part for part in (tip, flagged(flags)) if part)


async def flags_of(chunks: Sequence[Chunk], links: Sequence[LinkRecord], url: str) -> DocumentFlags:
    passages: list[FlaggedPassage] = []
    counts: Counter[str] = Counter()
    for chunk in chunks:
        flags = instruction_flags(chunk.text)
        counts.update(flags)
        if flags and len(passages) < MAX_LISTED:
            passages.append(narrowed(chunk, flags))
        # Lets the loop serve assistants in the meantime.
        await asyncio.sleep(0)
    suspicious = sum(bool(address_flags(link.url)) for link in links)
    return DocumentFlags(tuple(passages), tuple(counts.items()), suspicious, address_flags(url))


def narrowed(chunk: Chunk, flags: tuple[str, ...]) -> FlaggedPassage:
    """Return the range of lines in a chunk that have its flags on their own, or the whole chunk if there are none."""
    body = chunk.text[chunk.prefix_length : len(chunk.text) - chunk.suffix_length]
    offset, first, last = 0, -1, -1
    for line in body.split("\n"):
        if instruction_flags(line):
            first = offset if first < 0 else first
            last = offset + len(line)
        offset += len(line) + 1
    if first < 0:
        first, last = 0, len(body)
    words = " ".join(_MARKS.sub("", body[first:last]).split())[:WORDS_CHARS]
    return FlaggedPassage(flags, chunk.start + first, min(chunk.end, chunk.start + last), words)
