"""A long Markdown source in stretches that can be parsed one after the other: a parser's tokens take a hundred times its memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

STRETCH_CHARS: Final = 192 * 1024
"""A stretch ends at the first good place behind this many characters."""
_FORCED_CHARS: Final = 2 * STRETCH_CHARS
"""Behind so many it ends wherever a line or a word does."""
_DENSE: Final = 0.3
_SIGNS: Final = re.compile(r"[\[\]*_`!$&]|<(?![a-zA-Z/])")
_FENCE: Final = re.compile(r"[ \t]*(?:>[ \t]?)*+(`{3,}|~{3,})([^`]*)")
_TABLE_RULE: Final = re.compile(r"[ \t]*+\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)++\|?[ \t]*+")
_DEFINITION: Final = re.compile(r"^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*\S[^\n]{0,2000}$", re.MULTILINE)
_MAX_DEFINITIONS: Final = 5_000
_MAX_HEADER_CHARS: Final = 2_000


def stretches(source: str) -> Iterator[str]:
    """The source in order, cut before headings, paragraphs and items, else before lines; a table's header is repeated."""
    if len(source) <= _FORCED_CHARS:
        yield source
        return
    scan = _Scan()
    begin = place = 0
    opening = ""
    for line in _lines(source):
        size = place - begin
        if size > STRETCH_CHARS and scan.may_cut(line, is_forced=size > _FORCED_CHARS):
            yield opening + source[begin:place]
            begin, opening = place, scan.header_before(line)
        scan.see(line)
        place += len(line)
    yield opening + source[begin:]


def definitions(source: str) -> str:
    """The link definitions of a source that is parsed in stretches: they count for all of them."""
    found = (match.group() for match in _DEFINITION.finditer(source))
    return "\n".join(line for line, _ in zip(found, range(_MAX_DEFINITIONS), strict=False))


def is_dense(stretch: str) -> bool:
    """Whether a stretch is full of signs that mark up nothing: data or noise, which a parser is slow to refuse."""
    return len(_SIGNS.findall(stretch)) > _DENSE * len(stretch)


def _lines(source: str) -> Iterator[str]:
    """Its lines with their ends; endless ones in parts, at words where there are any."""
    place = 0
    while place < len(source):
        end = source.find("\n", place) + 1 or len(source)
        if end - place > STRETCH_CHARS:
            word = source.rfind(" ", place + STRETCH_CHARS // 2, place + STRETCH_CHARS) + 1
            end = word or place + STRETCH_CHARS
        yield source[place:end]
        place = end


class _Scan:
    """What is known of the place between two lines: within a fence, behind a blank line, in a table."""

    def __init__(self) -> None:
        self._fence = ""
        self._header = ""
        self._last = ""

    def see(self, line: str) -> None:
        mark = _FENCE.match(line)
        if self._fence:
            is_end = mark and mark.group(1).startswith(self._fence) and not mark.group(2).strip()
            self._fence = "" if is_end else self._fence
        elif mark:
            self._fence = mark.group(1)
        elif "|" not in line:
            self._header = ""
        elif not self._header and "|" in self._last and _TABLE_RULE.fullmatch(line.rstrip("\n")):
            self._header = self._last + line
        self._last = line

    def may_cut(self, line: str, *, is_forced: bool) -> bool:
        if self._fence:
            return False
        if line.startswith("#"):
            return True
        is_behind_blank = not self._last.strip()
        return is_forced or (is_behind_blank and bool(line.strip()) and not line[0].isspace())

    def header_before(self, line: str) -> str:
        """The header of the table that goes on with a line."""
        goes_on = self._header and "|" in line and len(self._header) <= _MAX_HEADER_CHARS
        return self._header if goes_on else ""
