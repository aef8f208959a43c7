"""`status` and `ingest`."""

from __future__ import annotations

from dataclasses import replace

from app.corpus.records import CorpusStatus, CorpusTotals
from app.server.render.budget import Budget
from app.server.render.status import ingest_text, status_text
from tests.server import results
from tests.server.golden import assert_golden
from tests.server.results import HIVES, OTHER, ROOMY, WINTER, count, document, status

HIVES_ROW = document(1, HIVES, "Choosing a hive")
WINTER_ROW = document(2, WINTER, "", chunks=31, tokens=8_210)


def shown(of: CorpusStatus, *, include_urls: bool = True, budget: Budget = ROOMY) -> str:
    return status_text(of, include_urls=include_urls, budget=budget, count=count)


def test_status_reads_as_agreed() -> None:
    assert_golden("status.txt", shown(status(HIVES_ROW, WINTER_ROW)))
    assert_golden("status_more.txt", shown(status(HIVES_ROW, omitted=1_234)))
    assert_golden("status_not_indexed.txt", shown(status(asked_url=OTHER)))
    assert_golden("status_empty.txt", shown(CorpusStatus(CorpusTotals(0, 0, 0, 0, 0), ())))


def test_status_of_a_file_names_what_the_user_can_do() -> None:
    text = shown(status(asked_url="file:///home/ada/notes.md"))
    assert "webrag import" in text
    assert "`ingest`" not in text


def test_status_without_urls_is_counts_only() -> None:
    assert len(shown(status(HIVES_ROW), include_urls=False).splitlines()) == 4


def test_status_of_one_page_shows_it_even_without_the_list() -> None:
    assert HIVES in shown(status(HIVES_ROW, asked_url=HIVES), include_urls=False)


def test_chunks_without_vectors_are_mentioned() -> None:
    waiting = replace(status(HIVES_ROW), totals=CorpusTotals(12, 847, 198_432, 800, 0))
    assert "Note: 47 chunks are searchable by keyword only until they are embedded." in shown(waiting)


def test_status_counts_what_the_budget_left_out() -> None:
    rows = [document(number, f"{WINTER}?page={number}", "Wintering") for number in range(100)]
    text = shown(status(*rows, omitted=5), budget=Budget(1_000, 48_000, 65_536))
    listed = text.count("\n- ")
    assert 0 < listed < 100
    assert text.endswith(f"... and {105 - listed} more (use source_url)")
    assert count(text) <= 1_000


def test_ingest_reads_as_agreed() -> None:
    pages = (results.READ, results.UNCHANGED, results.UNREAD)
    assert_golden("ingest.txt", ingest_text(pages, budget=ROOMY, count=count))
    assert_golden("ingest_failed.txt", ingest_text((results.UNREAD,), budget=ROOMY, count=count))


def test_a_failed_page_names_the_class_of_its_error() -> None:
    denied = replace(results.UNREAD, failure_type="AddressDeniedError", failure_code="INVALID_ARGUMENT")
    text = ingest_text((denied,), budget=ROOMY, count=count)
    assert "Error type: AddressDeniedError (INVALID_ARGUMENT)" in text
