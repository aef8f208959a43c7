"""Running text taken apart: what is shown of it, in which look, and where each piece stands in the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

MAX_STYLED_CHARS: Final = 20_000
"""Longer running text is shown as it is written."""

_TOKEN: Final = re.compile(
    r"(?P<code>(?<!`)(?P<fence>`+)(?!`)(?P<inner>[^\n]+?)(?<!`)(?P=fence)(?!`))"
    r"|(?P<formula>\$\$[^$\n]+\$\$|\$(?![\s$])(?:[^$\n\\]|\\.)+?(?<![\s\\])\$(?!\d))"
    r"|(?P<picture>!\[(?P<alt>[^\[\]\n]*)\]\([^()\s]*(?:\s+\"[^\"\n]*\")?\))"
    r"|(?P<link>\[(?P<words>[^\[\]\n]+)\]\((?P<target>(?:https?://|mailto:)[^()\s]+)(?:\s+\"[^\"\n]*\")?\))"
    r"|(?P<escape>\\[|])"
    r"|(?P<mark>\*{1,3}|~~)"
)
_LINE_ESCAPE: Final = re.compile(r"\\(?=[#>+*\-|`~=]|\d+[.)])")
_NUMBER_ESCAPE: Final = re.compile(r"(\d{1,9})\\(?=[.)])")


class Look(Flag):
    """How a run is shown."""

    PLAIN = 0
    STRONG = auto()
    EMPHASIS = auto()
    STRUCK = auto()
    CODE = auto()
    FORMULA = auto()


_MARKS: Final = {
    "*": Look.EMPHASIS,
    "**": Look.STRONG,
    "***": Look.STRONG | Look.EMPHASIS,
    "~~": Look.STRUCK,
}


@dataclass(frozen=True, slots=True)
class Run:
    """Shown text that stands in the source at [start, end); `target` is the address of a link written there."""

    start: int
    end: int
    look: Look = Look.PLAIN
    target: str = ""


def runs(text: str, lines: Sequence[tuple[int, int]], *, is_cell: bool = False) -> list[list[Run]]:
    """The runs of every line; emphasis may reach over lines."""
    if sum(end - start for start, end in lines) > MAX_STYLED_CHARS:
        return [[Run(start, end)] if end > start else [] for start, end in lines]
    tokens = [_tokens(text, start, end, is_cell=is_cell) for start, end in lines]
    _pair([token for line in tokens for token in line], text)
    return [list(_shown(line, start, end, looks)) for (start, end), line, looks in _with_looks(lines, tokens)]


@dataclass(slots=True)
class _Token:
    """A piece of a line that is more than text; `shown` is what a reader sees of it."""

    start: int
    end: int
    shown: tuple[int, int]
    look: Look = Look.PLAIN
    mark: str = ""
    partner: _Token | None = None
    opens: bool = False
    target: str = ""


def _tokens(text: str, start: int, end: int, *, is_cell: bool) -> list[_Token]:
    found: list[_Token] = []
    if not is_cell and (escaped := _LINE_ESCAPE.match(text, start, end)) is not None:
        found.append(_Token(start, escaped.end(), (escaped.end(), escaped.end())))
    elif not is_cell and (numbered := _NUMBER_ESCAPE.match(text, start, end)) is not None:
        found.append(_Token(start, numbered.end(), (start, numbered.end(1))))
    place = found[-1].end if found else start
    for match in _TOKEN.finditer(text, place, end):
        kind = match.lastgroup
        at = (match.start(), match.end())
        if match["code"] is not None:
            found += _code_tokens(text, match, is_cell=is_cell)
        elif match["formula"] is not None:
            found.append(_Token(*at, at, Look.FORMULA))
        elif match["picture"] is not None:
            found.append(_Token(*at, match.span("alt")))
        elif match["link"] is not None:
            found.append(_Token(*at, match.span("words"), target=match["target"]))
        elif match["escape"] is not None:
            if is_cell:
                found.append(_Token(*at, (match.end() - 1, match.end())))
        elif kind is not None:
            found.append(_Token(*at, at, mark=match["mark"]))
    return found


def _code_tokens(text: str, match: re.Match[str], *, is_cell: bool) -> Iterator[_Token]:
    """A code span without its fence and padding; in a cell its escaped pipes without their backslashes."""
    first, last = match.span("inner")
    if last - first > 2 and text[first] == text[last - 1] == " " and "`" in (text[first + 1], text[last - 2]):
        first, last = first + 1, last - 1
    place, before = first, match.start()
    while is_cell and (pipe := text.find("\\|", place, last)) >= 0:
        yield _Token(before, pipe + 1, (place, pipe), Look.CODE)
        place = before = pipe + 1
    yield _Token(before, match.end(), (place, last), Look.CODE)


def _pair(tokens: list[_Token], text: str) -> None:
    """Find for each mark of emphasis that opens the one that closes it; what has no partner is text."""
    waiting: list[_Token] = []
    for token in tokens:
        if not token.mark:
            continue
        before, after = text[token.start - 1 : token.start], text[token.end : token.end + 1]
        closes = bool(before) and not before.isspace() and not _is_word(after)
        opens = bool(after) and not after.isspace() and not _is_word(before)
        place = next((at for at in range(len(waiting) - 1, -1, -1) if waiting[at].mark == token.mark), -1)
        if closes and place >= 0 and waiting[place].end < token.start:
            waiting[place].partner, token.partner = token, waiting[place]
            waiting[place].opens = True
            del waiting[place:]
        elif opens:
            waiting.append(token)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _with_looks(
    lines: Sequence[tuple[int, int]], tokens: list[list[_Token]]
) -> Iterator[tuple[tuple[int, int], list[_Token], list[Look]]]:
    """Each line with the look that holds after each of its tokens, the first one before all."""
    look = Look.PLAIN
    for line, found in zip(lines, tokens, strict=True):
        looks = [look]
        for token in found:
            if token.partner is not None:
                look = look | _MARKS[token.mark] if token.opens else look & ~_MARKS[token.mark]
            looks.append(look)
        yield line, found, looks


def _shown(tokens: list[_Token], start: int, end: int, looks: list[Look]) -> Iterator[Run]:
    place = start
    for token, look in zip(tokens, looks, strict=False):
        if token.start > place:
            yield Run(place, token.start, look)
        place = token.end
        if token.partner is None and token.shown[1] > token.shown[0]:
            yield Run(*token.shown, look | token.look, token.target)
    if end > place:
        yield Run(place, end, looks[len(tokens)])
