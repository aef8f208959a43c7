"""Calls added up by day and assistant."""

from __future__ import annotations

from datetime import datetime

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import Chunk, DayUsage
from tests.corpus.builders import document


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


def test_a_call_saves_the_rest_of_the_pages_that_it_read(corpus: Corpus) -> None:
    for url, words in (("https://a.example/", 40), ("https://b.example/", 60)):
        corpus.store_document(document(url, [" ".join(["word"] * words)]))
    whole = sum(
        chunk.tokens for url in ("https://a.example/", "https://b.example/") for chunk in chunks_of(corpus, url)
    )

    def saved(tokens: int, *pages: str, reads: bool = True) -> int:
        return corpus.record_activity(
            started_at=1.0, client="c", tool="t", duration_ms=1.0, outcome="ok", tokens=tokens, pages=pages, reads=reads
        ).saved

    both = ("https://a.example/", "https://b.example/")
    assert saved(30, *both) == whole - 30
    assert saved(30, *both, *both) == whole - 30, "a page counts once"
    assert saved(30, "https://b.example/", "https://unknown.example/") < whole - 30
    assert saved(10_000, *both) == 0, "never below zero"
    assert saved(30, *both, reads=False) == 0
    assert [row.saved for row in corpus.usage(0.0)] == [sum(call.saved for call in corpus.activity(9))]


def chunks_of(corpus: Corpus, url: str) -> list[Chunk]:
    summary = corpus.summary(url)
    assert summary is not None
    return corpus.document_chunks(summary.id, limit=9)
