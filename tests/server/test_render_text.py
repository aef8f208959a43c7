"""Page text cannot imitate a part of a result; error texts contain nothing private; `status` and `ingest`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app import caps
from app.corpus.records import CorpusStatus
from app.errors import BusyError, CorpusError, FetchTimeoutError, InvalidArgumentError
from app.library.packages import StoredProject
from app.library.records import CorpusTotals
from app.server.render import errors
from app.server.render.text import Budget, age, when
from app.server.tools.ingest import ingest_text
from app.server.tools.status import status_text
from app.text.page_text import one_line, tame, tame_json
from tests.server import results
from tests.server.golden import assert_golden
from tests.server.results import HIVES, NOW, OTHER, ROOMY, WINTER, count, document, status


def test_one_line_has_no_breaks_and_no_controls() -> None:
    assert one_line("a\n b\u2028c\x1b[31m\td") == "a b c[31m d"
    assert one_line("abcdef", 4) == "abc…"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3 * 3_600, "3 hours ago"),
        (86_400, "1 day ago"),
        (59 * 86_400, "59 days ago"),
        (90 * 86_400, "3 months ago"),
        (800 * 86_400, "2 years ago"),
    ],
)
def test_age(seconds: float, words: str) -> None:
    assert age(seconds) == words


def test_times_are_given_in_utc() -> None:
    assert when(NOW) == "2026-02-22 16:30 UTC"


STEERING = [
    "\x1b]0;title\x07",
    "\x9b31m",
    "\x90q\x9c",
    "a\rb",
    "\u202etxt.exe\u202c",
    "\u2066right\u2069",
    "\x7f",
    "\0",
]


@pytest.mark.parametrize("text", STEERING)
def test_a_line_contains_no_control_or_direction_characters(text: str) -> None:
    assert one_line(f"Bees {text}\nand hives").isprintable()
    assert all(letter.isprintable() or letter in "\n\t" for letter in tame(f"a\tb\n{text}"))
    shown = tame_json(json.dumps(text, ensure_ascii=False))
    assert shown.isprintable()
    assert json.loads(shown) == text


@given(st.text())
def test_a_line_stays_one_line_and_normal_text_is_unchanged(text: str) -> None:
    line = one_line(text)
    assert len(line.splitlines()) <= 1
    assert one_line(line) == line
    words = "".join(letter for letter in text if letter.isprintable() or letter == " ")
    assert one_line(words) == " ".join(words.split())
    assert json.loads(tame_json(json.dumps(text, ensure_ascii=False))) == text


def test_templates() -> None:
    timeout = FetchTimeoutError("https://docs.example.org/ did not respond within 20 s.")
    assert_golden("error_failure.txt", errors.failure_text(timeout))
    assert_golden("error_internal.txt", errors.internal_text("call 7"))
    assert_golden("error_timeout.txt", errors.timeout_text(120.0))
    assert_golden("error_argument.txt", errors.argument_text(InvalidArgumentError("`query` is missing.")))
    busy = BusyError("16 calls are already waiting.", retry_after=5, hint="Wait 5 s and call again.")
    assert_golden("error_busy.txt", errors.busy_text(busy))


def test_fractions_of_a_second_are_shown() -> None:
    assert "timed out after 0.5s." in errors.timeout_text(0.5)


def test_error_without_a_hint_has_no_next_step() -> None:
    assert "Next step" not in errors.failure_text(CorpusError("broken", hint=""))


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("cannot open /home/anna/.local/share/webrag/corpus.db", "cannot open [path]"),
        (r"cannot open C:\Users\Anna Berg\webrag\corpus.db: denied", "cannot open [path]: denied"),
        (r"cannot open \\server\share\x.db", "cannot open [path]"),
        ("~/notes/a.md is missing", "[path] is missing"),
        ("https://user:secret@host.example/x failed", "https://[redacted]@host.example/x failed"),
        ("Authorization: Bearer abc.def failed", "Authorization: Bearer [redacted] failed"),
        (
            "https://host.example/home/page and /etc are fine",
            "https://host.example/home/page and /etc are fine",
        ),
        ("first\n[EVIDENCE]\nsecond", "first [EVIDENCE] second"),
    ],
)
def test_details_are_safe_to_show(raw: str, shown: str) -> None:
    assert errors.safe(raw) == shown


def test_details_are_bounded() -> None:
    assert len(errors.safe("x" * 10_000)) == caps.MAX_DETAIL_CHARS


HIVES_ROW = document(1, HIVES, "Choosing a hive")
WINTER_ROW = document(2, WINTER, "", chunks=31, tokens=8_210)


def shown(of: CorpusStatus, *, include_urls: bool = True, budget: Budget = ROOMY) -> str:
    return status_text(of, include_urls=include_urls, budget=budget, count=count)


def test_the_text_of_status_matches_the_golden_file() -> None:
    assert_golden("status.txt", shown(status(HIVES_ROW, WINTER_ROW, names=("bees.example", "collection:Winter"))))
    known = (StoredProject("/home/ann/shop", NOW, 84, 12), StoredProject("/home/ann/site", NOW, 1, 0))
    assert_golden("status_projects.txt", shown(status(HIVES_ROW, projects=known)))
    assert_golden("status_more.txt", shown(status(HIVES_ROW, omitted=1_234)))
    assert_golden("status_not_indexed.txt", shown(status(asked_url=OTHER)))
    assert_golden("status_empty.txt", shown(CorpusStatus(CorpusTotals(0, 0, 0, 0, 0), ())))


def test_a_page_of_one_chunk_is_counted_in_the_singular() -> None:
    assert "(1 chunk, 1 token, fetched" in shown(status(document(1, HIVES, "Hives", 1, 1)))


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
    assert "Note: 47 passages are searchable by keyword only until embedded." in shown(waiting)
    assert "until embedded (about 3 min)." in shown(replace(waiting, seconds_left=200.0))


def test_status_counts_what_the_budget_left_out() -> None:
    rows = [document(number, f"{WINTER}?page={number}", "Wintering") for number in range(100)]
    text = shown(status(*rows, omitted=5), budget=Budget(1_000, 48_000, 65_536))
    listed = text.count("\n- ")
    assert 0 < listed < 100
    assert text.endswith(f"... and {105 - listed} more (use source_url)")
    assert count(text) <= 1_000


def test_the_text_of_ingest_matches_the_golden_file() -> None:
    pages = (results.READ, results.UNCHANGED, results.UNREAD)
    assert_golden("ingest.txt", ingest_text(pages, budget=ROOMY, count=count))
    assert_golden("ingest_failed.txt", ingest_text((results.UNREAD,), budget=ROOMY, count=count))


def test_a_failed_page_names_the_class_of_its_error() -> None:
    denied = replace(results.UNREAD, failure_type="AddressDeniedError", failure_code="INVALID_ARGUMENT")
    text = ingest_text((denied,), budget=ROOMY, count=count)
    assert "Error type: AddressDeniedError (INVALID_ARGUMENT)" in text
