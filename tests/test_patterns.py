"""No regular expression of the program takes more than linear time, wherever the text comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time
from typing import Final

import pytest

from app import caps
from app.clients import json_edit
from app.docsets import snippet
from app.extract import articles, html, source
from tests.support.growth import LINEAR, cost
from tests.support.patterns import Hostile, Used, hostile, used_patterns

SHORT, MIDDLE, LONG = 64, 250, 2_000
"""Sizes of a first look: at the shortest, even a cubic pattern comes back."""
SUSPICIOUS: Final = 14
"""A string eight times as long may cost this many times as much before it is looked at again."""
SAMPLE_STEP: Final = 96
QUICK_SECONDS: Final = 0.0002
SLOW_SECONDS: Final = 0.0005
MEASURED_SECONDS: Final = 0.03
MAX_SIZE: Final = 256_000
MAX_SECONDS_AT_CAP: Final = 0.25


@dataclass(frozen=True, slots=True)
class Capped:
    """Why a pattern may grow faster: its text is never longer than this, and how it is prepared."""

    chars: int
    prepared: Callable[[str], str] = str


def one_space(text: str) -> str:
    return " ".join(text.split())


QUESTION: Final = Capped(caps.MAX_QUERY_CHARS)
SPACED_QUESTION: Final = Capped(caps.MAX_QUERY_CHARS, one_space)
"""Questions are short, and their sides are looked for with single spaces between the words."""
CAPPED: Final = {
    "app.clients.json_edit.line[search]": Capped(json_edit._INDENT_CHARS),
    "app.docsets.snippet._NOISE": Capped(snippet._NARROW_CHARS),
    "app.extract.articles._REQUEST": Capped(articles._MAX_LINE_CHARS),
    "app.extract.html._SAVED_FROM": Capped(html._HEAD_CHARS),
    **{f"app.extract.source._PATTERNS['{outline}']": Capped(source.MAX_MATCHED_CHARS) for outline in source._PATTERNS},
    "app.retrieval.analysis._SENTENCE_START": QUESTION,
    "app.retrieval.analysis._WITH_DIGIT": QUESTION,
    "app.retrieval.analysis.line[findall]": QUESTION,
    "app.text.terms._CODE_WORD": QUESTION,
    "app.text.terms._EXACT_NAME": QUESTION,
    **{
        f"app.retrieval.subqueries.{name}": SPACED_QUESTION
        for name in [
            "_DIFFERENCE",
            "_CHOOSE",
            "_THAN",
            "_PARALLEL",
            "_NAMED_FIRST",
            "_NAMED_LAST",
            "_SHARED_END",
            "line[search]",
            "_COMPARISONS[1][0]",
            "_COMPARISONS[6][0]",
        ]
    },
}


EVERY: Final = pytest.mark.parametrize("step", [SAMPLE_STEP, pytest.param(1, marks=pytest.mark.real)])
"""Some of the strings in every run, all of them with the tests that take long."""


def slow_for(used: Used, step: int) -> Hostile | None:
    """A string that costs the pattern more than its length deserves, among every so many."""
    for each in hostile(used.pattern)[::step]:
        size = SHORT
        if seconds(used, each.of(size)) < SLOW_SECONDS:
            size = LONG
            if (taken := seconds(used, each.of(size))) < QUICK_SECONDS:
                continue
            if taken / seconds(used, each.of(MIDDLE)) < SUSPICIOUS:
                continue
        while size < MAX_SIZE and seconds(used, each.of(size)) < MEASURED_SECONDS:
            size *= 2
        if cost(each.of, used.run, size).growth > LINEAR:
            return each
    return None


def seconds(used: Used, text: str) -> float:
    started = thread_time()
    used.run(text)
    return thread_time() - started


@pytest.fixture(scope="module")
def patterns() -> list[Used]:
    return used_patterns()


def test_every_pattern_is_found(patterns: list[Used]) -> None:
    """Those of modules, classes, containers and functions: a rule that finds too few of them protects nothing."""
    places = {used.named for used in patterns}
    assert len(patterns) > 500
    assert places >= CAPPED.keys()
    assert {"app.docsets.outline._MARKS", "app.ingest.pieces._PROTECTED"} <= places


@EVERY
def test_no_pattern_grows_faster_than_its_text(patterns: list[Used], step: int) -> None:
    slow = {used.place: found for used in patterns if used.named not in CAPPED if (found := slow_for(used, step))}
    assert not slow


@EVERY
def test_a_pattern_that_does_is_given_short_texts_only(patterns: list[Used], step: int) -> None:
    slow = {}
    for used in patterns:
        if (cap := CAPPED.get(used.named)) is not None:
            for each in hostile(used.pattern)[::step]:
                text = cap.prepared(each.of(cap.chars)[: cap.chars])
                if min(seconds(used, text) for _ in range(2)) > MAX_SECONDS_AT_CAP:
                    slow[used.place] = each
    assert not slow
