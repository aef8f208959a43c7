from __future__ import annotations

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import ActivityRecord


def call(corpus: Corpus, number: int) -> ActivityRecord:
    return corpus.record_activity(
        started_at=float(number),
        client="Claude",
        tool="answer",
        duration_ms=12.5,
        outcome="ok",
        tokens=number,
        characters=4 * number,
        pages=("https://example.org/ä", "https://example.org/b"),
    )


def test_calls_come_back_newest_first_and_page_by_page(corpus: Corpus) -> None:
    made = [call(corpus, number) for number in range(5)]
    assert made[0].pages == ("https://example.org/ä", "https://example.org/b")
    assert corpus.activity(3) == made[:1:-1]
    assert corpus.activity(3, before_id=made[2].id) == [made[1], made[0]]
    assert corpus.activity(3, before_id=made[0].id) == []


def test_the_ledger_forgets_the_oldest(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_ACTIVITY_ROWS", 3)
    made = [call(corpus, number) for number in range(5)]
    assert corpus.activity(9) == made[:1:-1]


def test_the_ledger_can_be_erased(corpus: Corpus) -> None:
    first = call(corpus, 1)
    corpus.clear_activity()
    assert corpus.activity(9) == []
    assert call(corpus, 2).id > first.id
