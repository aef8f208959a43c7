"""What of a passage can be quoted by itself: whole sentences, entries, table rows and lines of code, as exact spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from app import caps
from app.text.spans import Span, sentence_spans
from app.text.terms import words

MIN_QUOTE_WORDS: Final = 3
MIN_QUOTE_BYTES: Final = 24
"""A sentence in a script without spaces counts as one word; so many bytes say that it is more."""

_FENCE: Final = re.compile(r"`{3,}|~{3,}")
_BEFORE: Final = re.compile(r"(?:[ \t]*>)*\s*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\s*")
_RULE: Final = re.compile(r"[\s|:-]*")
_MARKS: Final = ("`", "**", "~~")


@dataclass(frozen=True, slots=True)
class Quotable:
    """A span of at most MAX_CITATION_CHARS."""

    span: Span
    is_code: bool = False


def quotables(text: str) -> list[Quotable]:
    """What can be quoted, in order: nothing that cuts a word or the text between two marks, no headings."""
    found = (
        Quotable(part, is_code) for span, is_code in _units(text) for part in _fitting(text, span, is_code=is_code)
    )
    return [quotable for quotable in found if _says_something(text[quotable.span.start : quotable.span.end])]


def _units(text: str) -> Iterator[tuple[Span, bool]]:
    """Sentences, joined where a mark stands open between them or both are of one table row; lines of code."""
    pending: Span | None = None
    for span in sentence_spans(text):
        if pending is not None and _belong_together(text, pending, span):
            pending = Span(pending.start, span.end)
            continue
        if pending is not None:
            yield _without_item_mark(text, pending), False
        pending = None if _FENCE.match(text, span.start) else span
        if pending is None:
            yield from ((lines, True) for lines in _lines_of_code(text, span))
    if pending is not None:
        yield _without_item_mark(text, pending), False


def _belong_together(text: str, first: Span, second: Span) -> bool:
    if "\n" in text[first.end : second.start] or second.end - first.start > caps.MAX_CITATION_CHARS:
        return False
    return text[first.start] == "|" or not _is_balanced(text[first.start : first.end])


def _without_item_mark(text: str, span: Span) -> Span:
    mark = _BEFORE.match(text, span.start, span.end)
    return Span(mark.end(), span.end) if mark else span


def _lines_of_code(text: str, fence: Span) -> Iterator[Span]:
    """The lines inside a fence, as many together as fit into a quote."""
    part: Span | None = None
    start = fence.start
    for content in text[fence.start : fence.end].split("\n"):
        line = Span(start, start + len(content))
        start = line.end + 1
        if _FENCE.match(content.lstrip()) or not content.strip():
            continue
        if part is not None and line.end - part.start > caps.MAX_CITATION_CHARS:
            yield part
            part = None
        part = Span(part.start if part is not None else line.start, line.end)
    if part is not None:
        yield part


def _fitting(text: str, span: Span, *, is_code: bool) -> Iterator[Span]:
    """The span, or its longest head of a quote's size that ends with a whole word and, in prose, leaves no mark open."""
    if span.end - span.start <= caps.MAX_CITATION_CHARS:
        if is_code or _is_balanced(text[span.start : span.end]):
            yield span
        return
    head = text[span.start : span.start + caps.MAX_CITATION_CHARS + 1]
    for space in reversed([found.start() for found in re.finditer(r"\s", head)]):
        if is_code or _is_balanced(head[:space]):
            yield Span(span.start, span.start + len(head[:space].rstrip()))
            return


def _is_balanced(text: str) -> bool:
    return all(text.count(mark) % 2 == 0 for mark in _MARKS)


def _says_something(text: str) -> bool:
    if text.startswith("#") or _RULE.fullmatch(text):
        return False
    return len(words(text)) >= MIN_QUOTE_WORDS or len(text.encode()) >= MIN_QUOTE_BYTES
