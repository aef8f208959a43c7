"""The ledger of calls: in pages, bounded, erased, added up by day and assistant."""

from __future__ import annotations

from datetime import datetime

import pytest

from app.corpus import Corpus
from app.corpus.records import ActivityRecord, Chunk, DayUsage
from tests.corpus.builders import call, document


def add_call(corpus: Corpus, number: int) -> ActivityRecord:
    pages = ("https://example.org/ä", "https://example.org/b")
    return corpus.activity.add(call(*pages, started_at=float(number), tokens=number, characters=4 * number))


def test_calls_come_back_newest_first_and_page_by_page(corpus: Corpus) -> None:
    made = [add_call(corpus, number) for number in range(5)]
    assert made[0].pages == ("https://example.org/ä", "https://example.org/b")
    assert corpus.activity.recent(3) == made[:1:-1]
    assert corpus.activity.recent(3, before_id=made[2].id) == [made[1], made[0]]
    assert corpus.activity.recent(3, before_id=made[0].id) == []


def test_the_ledger_forgets_the_oldest(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.activity.MAX_ACTIVITY_ROWS", 3)
    made = [add_call(corpus, number) for number in range(5)]
    assert corpus.activity.recent(9) == made[:1:-1]


def test_the_ledger_can_be_erased(corpus: Corpus) -> None:
    first = add_call(corpus, 1)
    corpus.activity.clear()
    assert corpus.activity.recent(9) == []
    assert add_call(corpus, 2).id > first.id


def add_call_on(corpus: Corpus, day: int, client: str, tokens: int, *pages: str) -> None:
    moment = datetime(2026, 3, day, 0, 0, 1).astimezone().timestamp()
    corpus.activity.add(call(*pages, started_at=moment, client=client, tokens=tokens))


def test_calls_are_added_up_by_local_day_and_assistant(corpus: Corpus) -> None:
    add_call_on(corpus, 4, "Claude", 100, "https://a.example/", "https://b.example/")
    add_call_on(corpus, 4, "Claude", 50)
    add_call_on(corpus, 4, "Cursor", 900, "https://a.example/")
    add_call_on(corpus, 5, "Claude", 7)
    add_call_on(corpus, 1, "Claude", 1_000)
    since = datetime(2026, 3, 2).astimezone().timestamp()
    assert corpus.activity.usage(since) == [
        DayUsage("2026-03-05", "Claude", 1, 7, 0),
        DayUsage("2026-03-04", "Cursor", 1, 900, 1),
        DayUsage("2026-03-04", "Claude", 2, 150, 2),
    ]


def test_sums_are_bounded_and_erased_with_the_calls(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        add_call_on(corpus, 4, f"client {number}", number)
    monkeypatch.setattr("app.corpus.activity.MAX_USAGE_ROWS", 3)
    assert [row.tokens for row in corpus.activity.usage(0.0)] == [4, 3, 2]
    corpus.activity.clear()
    assert corpus.activity.usage(0.0) == []


def test_a_call_saves_the_rest_of_the_pages_that_it_read(corpus: Corpus) -> None:
    for url, words in (("https://a.example/", 40), ("https://b.example/", 60)):
        corpus.documents.store(document(url, [" ".join(["word"] * words)]))
    whole = sum(
        chunk.tokens for url in ("https://a.example/", "https://b.example/") for chunk in chunks_of(corpus, url)
    )

    def saved(tokens: int, *pages: str, tool: str = "answer") -> int:
        return corpus.activity.add(call(*pages, tokens=tokens, tool=tool)).saved

    both = ("https://a.example/", "https://b.example/")
    assert saved(30, *both) == whole - 30
    assert saved(30, *both, *both) == whole - 30, "a page counts once"
    assert saved(30, "https://b.example/", "https://unknown.example/") < whole - 30
    assert saved(10_000, *both) == 0, "never below zero"
    assert saved(30, *both, tool="ingest") == 0
    assert [row.saved for row in corpus.activity.usage(0.0)] == [sum(each.saved for each in corpus.activity.recent(9))]


def chunks_of(corpus: Corpus, url: str) -> list[Chunk]:
    summary = corpus.documents.summary(url)
    assert summary is not None
    return corpus.chunks.of_document(summary.id, limit=9)
