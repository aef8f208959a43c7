from __future__ import annotations

import time

import pytest

from app import caps
from app.retrieval.analysis.analyse import analyse
from app.retrieval.analysis.specifics import specifics


def test_names_quoted_words_and_words_with_digits_are_specific() -> None:
    found = specifics(analyse('Does plan-1234 of "blue river" set max_size to 42?'))
    assert set(found) == {"max_size", "blue river", "plan-1234", "42"}
    assert specifics(analyse("How large is the pool?")) == ()


def test_they_are_bounded() -> None:
    assert len(specifics(analyse(" ".join(f"item-{n}" for n in range(200))))) == caps.MAX_EXACT_NAMES


@pytest.mark.parametrize("part", ["a", "a-", "_", "1a"])
def test_hostile_questions_cost_little(part: str) -> None:
    analysis = analyse("why " + part * 900)
    started = time.process_time()
    specifics(analysis)
    assert time.process_time() - started < 0.2
