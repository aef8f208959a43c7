"""Spans of a passage and how many words of a question each holds: exact, deterministic, without a model."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from app import caps
from app.text.markdown_blocks import Span

MIN_TERM_CHARS: Final = 3
_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_RUN: Final = re.compile(rf"(?P<cjk>[{_CJK}]+)|[^\W_{_CJK}]+")
_FENCE: Final = re.compile(r"^[ \t]*(?P<mark>`{3,}|~{3,})", re.MULTILINE)
_BORDER: Final = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:[-*+•]|\d{1,9}[.)])[ \t])|(?<=[.?!])(?=\s)|(?<=[。？！])")
_TITLE: Final = re.compile(r"(?:#{1,6}[ \t].*|[\s|:=*_-]*)")


@dataclass(frozen=True, slots=True)
class ScoredSpan:
    """A span of one of several passages with the share of the question's words that it holds."""

    passage: int
    span: Span
    score: float

    @property
    def order(self) -> tuple[float, int, int, int]:
        """Best first: score, then the shorter, then the earlier one."""
        return -self.score, self.span.end - self.span.start, self.passage, self.span.start


def question_terms(question: str) -> frozenset[str]:
    """Lower-case runs of letters and digits from three characters on; of scripts without spaces every two neighbours."""
    found: set[str] = set()
    for run in _RUN.finditer(question.lower()):
        text = run.group()
        if run["cjk"]:
            found.update(text[i : i + 2] for i in range(max(1, len(text) - 1)))
        elif len(text) >= MIN_TERM_CHARS:
            found.add(text)
    return frozenset(sorted(found)[: caps.MAX_QUERY_TERMS])


def split_spans(text: str) -> list[Span]:
    """Fenced code as one span each; all else split at blank lines, list items and ends of sentences; without space around."""
    return [
        span for start, end, is_code in _regions(text) for span in _trimmed(text, _parts(text, start, end, is_code))
    ]


def score(terms: Collection[str], text: str) -> float:
    """The share of the terms that stand in the text."""
    low = text.lower()
    return sum(term in low for term in terms) / max(1, len(terms))


def rank_spans(terms: Collection[str], texts: Iterable[str]) -> list[ScoredSpan]:
    """The spans of all passages that say something, best first."""
    scored = [
        ScoredSpan(number, span, score(terms, text[span.start : span.end]))
        for number, text in enumerate(texts)
        for span in split_spans(text)
        if not _TITLE.fullmatch(text, span.start, span.end)
    ]
    return sorted(scored, key=lambda each: each.order)


def _regions(text: str) -> Iterator[tuple[int, int, bool]]:
    position = 0
    while (opening := _FENCE.search(text, position)) is not None:
        yield position, opening.start(), False
        mark = opening["mark"]
        closing = re.compile(rf"^[ \t]*{mark}[ \t]*$", re.MULTILINE).search(text, opening.end())
        position = closing.end() if closing is not None else len(text)
        yield opening.start(), position, True
    yield position, len(text), False


def _parts(text: str, start: int, end: int, is_code: bool) -> Iterator[Span]:
    for border in _BORDER.finditer(text, start, end) if not is_code else ():
        yield Span(start, border.start())
        start = border.end()
    yield Span(start, end)


def _trimmed(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    for span in spans:
        part = text[span.start : span.end]
        start = span.start + len(part) - len(part.lstrip())
        if part.strip():
            yield Span(start, start + len(part.strip()))
