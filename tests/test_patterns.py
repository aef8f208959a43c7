"""Every regular expression of the program takes linear time, wherever the text comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import thread_time
from typing import Final

import pytest

from app import caps
from app.clients import json_edit
from app.docsets import search
from app.extract import html, selection, source
from tests.support.growth import LINEAR, cost
from tests.support.patterns import Hostile, Used, hostile, used_patterns

SHORT, MIDDLE, LONG = 64, 250, 2_000
"""Sizes of the first measurement: at the smallest, even a cubic pattern returns."""
SUSPICIOUS: Final = 14
"""Allowed growth for a string eight times as long before it is measured again."""
SAMPLE_STEP: Final = 96
QUICK_SECONDS: Final = 0.0002
SLOW_SECONDS: Final = 0.0005
MEASURED_SECONDS: Final = 0.03
MAX_SIZE: Final = 256_000
MAX_SECONDS_AT_CAP: Final = 0.25


@dataclass(frozen=True, slots=True)
class Capped:
    """The patterns that may grow faster, with the reason: their texts are short and prepared in this way."""

    chars: int
    prepared: Callable[[str], str] = str


def one_space(text: str) -> str:
    return " ".join(text.split())


QUESTION: Final = Capped(caps.MAX_QUERY_CHARS)
SPACED_QUESTION: Final = Capped(caps.MAX_QUERY_CHARS, one_space)
"""Questions are short, and the pattern searches their parts with single spaces between the words."""
CAPPED: Final = {
    "app.clients.json_edit.line[search]": Capped(json_edit._INDENT_CHARS),
    "app.docsets.search._NOISE": Capped(search._NARROW_CHARS),
    "app.extract.selection._REQUEST": Capped(selection._MAX_LINE_CHARS),
    "app.extract.html._SAVED_FROM": Capped(html._HEAD_CHARS),
    **{f"app.extract.source._PATTERNS['{outline}']": Capped(source.MAX_MATCHED_CHARS) for outline in source._PATTERNS},
    "app.retrieval.analysis._SENTENCE_START": QUESTION,
    "app.retrieval.analysis._WITH_DIGIT": QUESTION,
    "app.retrieval.analysis.line[findall]": QUESTION,
    "app.text.terms._CODE_WORD": QUESTION,
    "app.text.terms._EXACT_NAME": QUESTION,
    **{
        f"app.retrieval.subqueries._FORMS['{name}']": SPACED_QUESTION
        for name in [
            "difference",
            "versus",
            "than",
            "named_first",
            "named_last",
            "choose",
            "parallel",
            "shared_end",
            "side_end",
        ]
    },
    **{f"app.retrieval.subqueries._COMPARISONS[{place}][0]": SPACED_QUESTION for place in range(7)},
}


EVERY: Final = pytest.mark.parametrize("step", [SAMPLE_STEP, pytest.param(1, marks=pytest.mark.real)])
"""Every run tests some of the strings. Runs with slow tests test all of them."""


def slow_for(used: Used, step: int) -> Hostile | None:
    """Return a string that makes the pattern slow, from one of several groups."""
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
    """In modules, classes, containers and functions: a rule that finds too few of them protects nothing."""
    places = {used.named for used in patterns}
    assert len(patterns) > 500
    assert places >= CAPPED.keys()
    assert {"app.docsets.outline._MARKS", "app.ingest.pieces._PROTECTED"} <= places


@EVERY
def test_no_pattern_grows_faster_than_its_text(patterns: list[Used], step: int) -> None:
    slow = {used.place: found for used in patterns if used.named not in CAPPED if (found := slow_for(used, step))}
    assert not slow


@EVERY
def test_faster_growing_patterns_only_get_short_texts(patterns: list[Used], step: int) -> None:
    slow = {}
    for used in patterns:
        if (cap := CAPPED.get(used.named)) is not None:
            for each in hostile(used.pattern)[::step]:
                text = cap.prepared(each.of(cap.chars)[: cap.chars])
                if min(seconds(used, text) for _ in range(2)) > MAX_SECONDS_AT_CAP:
                    slow[used.place] = each
    assert not slow
