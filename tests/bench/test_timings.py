"""The time of a result is divided into phases, with a name for the rest."""

from __future__ import annotations

import pytest

from support.application import Reply
from support.timings import phases, timed_row

TEXT = "[STATS]\nTotal time: 100ms (analysis: 10ms, retrieval: 20ms, reranking: 5ms, merge: 1ms)\nNote: none"


def test_unattributed_time_is_other_and_time_beyond_the_engine_is_outside() -> None:
    told = phases(Reply(TEXT, False, 130.0))
    assert told == {"analysis": 10, "retrieval": 20, "reranking": 5, "merge": 1, "other": 64, "outside": 30}


def test_a_row_has_the_medians_of_the_phases() -> None:
    row = timed_row("search", "≤ 40", [Reply(TEXT, False, ms) for ms in (110.0, 120.0, 130.0)])
    assert (row["n"], row["p50 ms"], row["analysis"], row["outside"]) == (3, 120, 10, 20)
    assert "expansion" not in row


def test_a_result_without_an_account_is_refused() -> None:
    with pytest.raises(ValueError, match="no times in"):
        phases(Reply("An error.", True, 1.0))
