from __future__ import annotations

import pytest

from app import caps
from app.corpus import Corpus
from app.corpus.records import ActivityRecord
from tests.corpus.builders import call


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
    monkeypatch.setattr(caps, "MAX_ACTIVITY_ROWS", 3)
    made = [add_call(corpus, number) for number in range(5)]
    assert corpus.activity.recent(9) == made[:1:-1]


def test_the_ledger_can_be_erased(corpus: Corpus) -> None:
    first = add_call(corpus, 1)
    corpus.activity.clear()
    assert corpus.activity.recent(9) == []
    assert add_call(corpus, 2).id > first.id
