"""Numbers and times as a reader likes them."""

from __future__ import annotations

import pytest

from app.desktop import wording

NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (7_300, "2 hours ago"),
        (90_000, "yesterday"),
        (200_000, "2 days ago"),
    ],
)
def test_ago(seconds: float, words: str) -> None:
    assert wording.ago(NOW - seconds, now=NOW) == words


def test_long_ago_is_a_date_and_never_is_never() -> None:
    assert "ago" not in wording.ago(NOW - 90 * 86_400, now=NOW)
    assert wording.ago(0.0, now=NOW) == "never"


@pytest.mark.parametrize(
    ("milliseconds", "words"), [(0.4, "0 ms"), (999, "999 ms"), (1_234, "1.2 s"), (125_000, "2 min 5 s")]
)
def test_duration(milliseconds: float, words: str) -> None:
    assert wording.duration(milliseconds) == words


def test_addresses_are_short() -> None:
    assert wording.site_of("https://www.a.example:8080/x") == "a.example"
    assert wording.plain_address("https://a.example/x/") == "a.example/x"


def test_one_and_many() -> None:
    assert wording.counted(1, "1 page", "{} pages") == "1 page"
    assert wording.counted(0, "1 page", "{} pages") == "0 pages"
