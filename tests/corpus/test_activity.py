"""Recorded calls: pages, limits, erasure, sums by day and assistant."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime

import pytest

from app.corpus import Corpus
from app.corpus.records import ActivityRecord, DayUsage
from app.events import CallFailure, PageRead, Verdict, is_mistake
from app.library.records import Chunk
from tests.corpus.builders import call, document


def add_call(corpus: Corpus, number: int) -> ActivityRecord:
    pages = ("https://example.org/ä", "https://example.org/b")
    return corpus.activity.add(call(*pages, started_at=float(number), tokens=number, characters=4 * number))


def test_calls_are_listed_newest_first_in_pages(corpus: Corpus) -> None:
    made = [add_call(corpus, number) for number in range(5)]
    assert made[0].pages == ("https://example.org/ä", "https://example.org/b")
    assert corpus.activity.recent(3) == made[:1:-1]
    assert corpus.activity.recent(3, before_id=made[2].id) == [made[1], made[0]]
    assert corpus.activity.recent(3, before_id=made[0].id) == []


def test_the_oldest_calls_are_deleted_beyond_the_limit(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.corpus.activity.MAX_ACTIVITY_ROWS", 3)
    made = [add_call(corpus, number) for number in range(5)]
    assert corpus.activity.recent(9) == made[:1:-1]


def test_calls_can_be_erased(corpus: Corpus) -> None:
    first = add_call(corpus, 1)
    corpus.activity.clear()
    assert corpus.activity.recent(9) == []
    assert add_call(corpus, 2).id > first.id


def add_call_on(corpus: Corpus, day: int, client: str, tokens: int, *pages: str) -> None:
    moment = datetime(2026, 3, day, 0, 0, 1).astimezone().timestamp()
    corpus.activity.add(call(*pages, started_at=moment, client=client, tokens=tokens))


def test_calls_are_summed_by_local_day_and_assistant(corpus: Corpus) -> None:
    add_call_on(corpus, 4, "Claude", 100, "https://a.example/", "https://b.example/")
    add_call_on(corpus, 4, "Claude", 50)
    add_call_on(corpus, 4, "Cursor", 900, "https://a.example/")
    add_call_on(corpus, 5, "Claude", 7)
    add_call_on(corpus, 1, "Claude", 1_000)
    since = datetime(2026, 3, 2).astimezone().timestamp()
    assert corpus.activity.usage(since) == [
        DayUsage("2026-03-05", "Claude", 1, 7, 0, questions=1),
        DayUsage("2026-03-04", "Cursor", 1, 900, 1, questions=1),
        DayUsage("2026-03-04", "Claude", 2, 150, 2, questions=2),
    ]


def test_sums_are_limited_and_erased_with_the_calls(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        add_call_on(corpus, 4, f"client {number}", number)
    monkeypatch.setattr("app.corpus.activity.MAX_USAGE_ROWS", 3)
    assert [row.tokens for row in corpus.activity.usage(0.0)] == [4, 3, 2]
    corpus.activity.clear()
    assert corpus.activity.usage(0.0) == []


ONE, OTHER = "https://a.example/", "https://b.example/"


@pytest.fixture
def sizes(corpus: Corpus) -> dict[str, int]:
    """Two stored pages and their tokens."""
    for url, words in ((ONE, 40), (OTHER, 60)):
        corpus.documents.store(document(url, [" ".join(["word"] * words)]))
    return {url: sum(chunk.tokens for chunk in chunks_of(corpus, url)) for url in (ONE, OTHER)}


def test_named_pages_and_the_best_page_of_a_search_count_as_read(corpus: Corpus, sizes: dict[str, int]) -> None:
    searched = corpus.activity.add(call(OTHER, ONE, tokens=30))
    assert [(page.url, page.whole) for page in searched.reads] == [(OTHER, sizes[OTHER]), (ONE, 0)]
    assert searched.saved == sizes[OTHER] - 30
    tomorrow = 1.0 + 86_400
    named = corpus.activity.add(call(ONE, tokens=30, started_at=tomorrow), [ONE, OTHER, "https://unknown.example/"])
    assert [(page.url, page.whole) for page in named.reads] == [(ONE, sizes[ONE]), (OTHER, 0)]
    assert named.saved == sizes[ONE] - 30
    later = corpus.activity.add(call(ONE, OTHER, tokens=30, started_at=tomorrow + 86_400), [ONE, OTHER])
    assert later.saved == sum(sizes.values()) - 30
    assert corpus.activity.recent(3) == [later, named, searched]


def test_a_page_counts_once_a_day_and_later_calls_reduce_the_saved_tokens(
    corpus: Corpus, sizes: dict[str, int]
) -> None:
    made = [corpus.activity.add(call(ONE, tokens=10), named) for named in ([], [ONE], [])]
    assert [entry.saved for entry in made] == [sizes[ONE] - 10, -10, -10]
    assert corpus.activity.add(call(ONE, tokens=10, started_at=1.0 + 2 * 86_400)).saved == sizes[ONE] - 10
    assert sum(day.saved for day in corpus.activity.usage(0.0)) == 2 * sizes[ONE] - 40


def test_a_call_without_a_page_does_not_save_tokens(corpus: Corpus, sizes: dict[str, int]) -> None:
    for tool in ("ingest", "graph.expand", "kb.verify_quote"):
        assert corpus.activity.add(call(ONE, tokens=10, tool=tool), [ONE]).saved == 0
    assert corpus.activity.add(call(tokens=10, tool="status"), [ONE]).saved == 0
    assert corpus.activity.add(call("https://unknown.example/", tokens=10)).saved == 0
    failed = replace(call(tokens=10), outcome="TIMEOUT")
    assert corpus.activity.add(failed, [ONE]).reads == ()


def test_passages_and_the_reason_of_a_failure_are_recorded(corpus: Corpus, sizes: dict[str, int]) -> None:
    used = PageRead(ONE, 0, 0, ((5, 9), (20, 30)))
    corpus.activity.add(replace(call(ONE, tokens=3), reads=(used,)))
    why = CallFailure("Page not found", "x.example has no page at this address (404).", "Check.", "https://x.example/y")
    corpus.activity.add(replace(call(), outcome="BACKEND_UNAVAILABLE", failure=why))
    failed, good = corpus.activity.recent(2)
    assert (failed.failure, good.reads[0].ranges) == (why, used.ranges)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("`top_k` must be at most 50, not how do I sue my boss.", "`top_k` must be at most 50."),
        ("`query` cannot be used: how do I, not her.", "`query` cannot be used."),
        ("`query` is missing.", "`query` is missing."),
    ],
)
def test_the_value_of_a_wrong_argument_is_not_recorded(corpus: Corpus, said: str, kept: str) -> None:
    why = CallFailure("Invalid input", said, argument="x")
    corpus.activity.add(replace(call(), outcome="INVALID_ARGUMENT", failure=why))
    (entry,) = corpus.activity.recent(1)
    assert entry.failure == replace(why, text=kept)


def test_secrets_in_addresses_are_not_recorded_but_their_pages_are(corpus: Corpus) -> None:
    secret = "https://me:hunter2@a.example/x?token=topsecret"
    corpus.documents.store(document(secret, ["word word word"]))
    entry = corpus.activity.add(call(secret, tokens=1), [secret])
    with corpus._database.read() as con:
        row = str(con.execute("SELECT pages FROM activity").get)
    assert "hunter2" not in row and "topsecret" not in row
    assert entry.reads[0].document_id and entry.reads[0].whole
    assert "topsecret" not in entry.pages[0] + entry.reads[0].url


def test_calls_of_older_versions_are_listed_and_counted(corpus: Corpus) -> None:
    entry = corpus.activity.add(call(ONE, OTHER))
    with corpus._database.write() as con:
        con.execute("UPDATE activity SET pages = ?", (json.dumps([ONE, OTHER]),))
    assert corpus.activity.recent(1) == [replace(entry, reads=())]
    assert corpus.activity.usage(0.0)[0].pages == 2


@pytest.mark.parametrize("details", ["7", '"x"', '{"pages": 3, "reads": [1, {"url": 2}], "failure": [1]}', "{}"])
def test_valid_parts_of_a_row_from_a_foreign_file_are_read(corpus: Corpus, details: str) -> None:
    corpus.activity.add(call(ONE))
    with corpus._database.write() as con:
        con.execute("UPDATE activity SET pages = ?", (details,))
    assert [(entry.pages, entry.reads, entry.failure) for entry in corpus.activity.recent(1)] == [((), (), None)]
    corpus.activity.add(call(ONE, tokens=1))


def chunks_of(corpus: Corpus, url: str) -> list[Chunk]:
    summary = corpus.documents.summary(url)
    assert summary is not None
    return corpus.chunks.of_document(summary.id, limit=9)


def test_the_verdict_is_recorded(corpus: Corpus) -> None:
    corpus.activity.add(replace(call("https://a.example/"), verdict=Verdict.CLOSEST))
    corpus.activity.add(call("https://a.example/", started_at=2.0))
    assert [each.verdict for each in corpus.activity.recent(9)] == ["", "closest"]


def test_calls_can_be_listed_by_verdict(corpus: Corpus) -> None:
    for moment, verdict in enumerate((*Verdict, "", *Verdict)):
        corpus.activity.add(replace(call(started_at=float(moment)), verdict=verdict))
    assert len(corpus.activity.between(0, 99, 99)) == 2 * len(Verdict) + 1
    for verdict in Verdict:
        found = corpus.activity.between(0, 99, 99, verdict)
        assert len(found) == 2 and {each.verdict for each in found} == {verdict}
    assert len(corpus.activity.between(0, 99, 1, Verdict.CLOSEST)) == 1
    assert len(corpus.activity.between(0, len(Verdict), 99, Verdict.CLOSEST)) == 1


def test_invalid_calls_do_not_count_as_questions(corpus: Corpus) -> None:
    wrong = CallFailure("Invalid input", "`top_k` must be at least 1, not 0.", argument="top_k")
    closed = CallFailure("Address not allowed", "10.0.0.9 is blocked.", url="http://10.0.0.9/")
    no_address = CallFailure("Not a web address", "bees is not a web address.", url="bees")
    for outcome, failure in (
        ("ok", None),
        ("TIMEOUT", None),
        ("INVALID_ARGUMENT", closed),
        ("INVALID_ARGUMENT", wrong),
        ("INVALID_ARGUMENT", no_address),
        ("SCOPE_VIOLATION", None),
    ):
        corpus.activity.add(replace(call(), outcome=outcome, failure=failure))
    (day,) = corpus.activity.usage(0.0)
    assert (day.calls, day.questions) == (6, 3)
    assert [is_mistake(each.outcome, each.failure) for each in corpus.activity.recent(9)][::-1] == [False] * 3 + [
        True
    ] * 3
