"""Sentence spans of Markdown text with exact offsets, for quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from app.text.markdown_blocks import fences

_BLOCK_END = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+]|\d+[.)])[ \t])|\n(?=\|)|\n(?=#{1,6}[ \t])")
_HEADING = re.compile(r"\s*#{1,6}[ \t]")
_SENTENCE_END = re.compile(r"[.?!。？！][\"'”’)\]]*(?=\s|$)|[。？！]")
_LONGEST_CHARS = 16
"""No abbreviation and no number of a list item is longer; looking further back would make long paragraphs quadratic."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|fig|eq|no|dr|mr|mrs|ms|st|approx|resp)|\b[A-Z])$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of text by offsets, end exclusive."""

    start: int
    end: int


def sentence_spans(text: str) -> list[Span]:
    """Sentences, list items, table rows and whole code fences, in order, without surrounding white space."""
    spans: list[Span] = []
    for start, end, is_code in _regions(text):
        if is_code:
            _append(spans, text, start, end)
            continue
        for block_start, block_end in _split(text, start, end, _BLOCK_END):
            for sentence_start, sentence_end in _sentences(text, block_start, block_end):
                _append(spans, text, sentence_start, sentence_end)
    return spans


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    """The stretches between fenced blocks and these blocks, each with whether it is code."""
    position = 0
    for fence in fences(text):
        if fence.start > position:
            yield position, fence.start, False
        yield fence.start, fence.end, True
        position = fence.end
    if position < len(text):
        yield position, len(text), False


def _split(text: str, start: int, end: int, border: re.Pattern[str]) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    position = start
    for match in border.finditer(text, start, end):
        parts.append((position, match.start()))
        position = match.end()
    parts.append((position, end))
    return [piece for part in parts for piece in _heading_apart(text, *part)]


def _heading_apart(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A heading line is a block of its own even without a blank line after it."""
    heading = _HEADING.match(text, start, end)
    newline = text.find("\n", heading.end(), end) if heading else -1
    return [(start, newline), (newline + 1, end)] if newline >= 0 else [(start, end)]


def _sentences(text: str, start: int, end: int) -> list[tuple[int, int]]:
    parts: list[tuple[int, int]] = []
    position = start
    for match in _SENTENCE_END.finditer(text, start, end):
        if match.group().startswith(".") and _no_end(text, position, match.start()):
            continue
        parts.append((position, match.end()))
        position = match.end()
    parts.append((position, end))
    return parts


def _no_end(text: str, start: int, stop: int) -> bool:
    """An abbreviation, an initial or the number of a list item stands before the full stop."""
    if stop - start <= _LONGEST_CHARS and text[start:stop].strip().isdigit():
        return True
    return _ABBREVIATION.search(text, max(start, stop - _LONGEST_CHARS), stop) is not None


def _append(spans: list[Span], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append(Span(start, end))
