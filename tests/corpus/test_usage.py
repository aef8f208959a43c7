"""Calls added up by day and assistant."""

from __future__ import annotations

from datetime import datetime

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import DayUsage


def call(corpus: Corpus, day: int, client: str, tokens: int, *pages: str) -> None:
    moment = datetime(2026, 3, day, 0, 0, 1).astimezone().timestamp()
    corpus.record_activity(
        started_at=moment, client=client, tool="answer", duration_ms=1.0, outcome="ok", tokens=tokens, pages=pages
    )


def test_calls_are_added_up_by_local_day_and_assistant(corpus: Corpus) -> None:
    call(corpus, 4, "Claude", 100, "https://a.example/", "https://b.example/")
    call(corpus, 4, "Claude", 50)
    call(corpus, 4, "Cursor", 900, "https://a.example/")
    call(corpus, 5, "Claude", 7)
    call(corpus, 1, "Claude", 1_000)
    since = datetime(2026, 3, 2).astimezone().timestamp()
    assert corpus.usage(since) == [
        DayUsage("2026-03-05", "Claude", 1, 7, 0),
        DayUsage("2026-03-04", "Cursor", 1, 900, 1),
        DayUsage("2026-03-04", "Claude", 2, 150, 2),
    ]


def test_sums_are_bounded_and_erased_with_the_calls(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        call(corpus, 4, f"client {number}", number)
    monkeypatch.setattr(caps, "MAX_USAGE_ROWS", 3)
    assert [row.tokens for row in corpus.usage(0.0)] == [4, 3, 2]
    corpus.clear_activity()
    assert corpus.usage(0.0) == []
