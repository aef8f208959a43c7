"""Many concurrent askers, in a small measurement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.errors import CorpusBusyError
from store import OLD_READERS, Table, UnfairPool, measure_askers


def test_askers_at_once_are_counted_and_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("Askers", as_json=True)
    measure_askers(table, tmp_path, 40, 384, 3, 6)
    table.report.end()
    _, _, before, now = json.loads(capsys.readouterr().out)["rows"]
    assert before["what"].startswith("6 concurrent askers, before") and now["what"].startswith(
        "6 concurrent askers, fair"
    )
    for row in (before, now):
        assert (row["questions"], row["refused"]) == ("48", "0")
        assert 0 < row["p50 ms"] <= row["p95 ms"] <= row["max ms"]


def test_the_pool_of_before_refuses_when_its_readers_stay_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.OLD_WAIT_SECONDS", 0.01)
    pool = UnfairPool()
    for asker in range(OLD_READERS):
        pool.enter(asker, is_background=False, seconds=60)
    with pytest.raises(CorpusBusyError):
        pool.enter(9, is_background=False, seconds=60)
    pool.leave()
    pool.enter(9, is_background=False, seconds=60)
