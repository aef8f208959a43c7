"""What bench/soak.py counts as a finding."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.assistants import OK, Seen, judged
from support.soak_clients import Account
from support.soak_folder import Gardener
from support.soak_program import SHIFTED, Home
from support.soak_watch import LogReader
from support.soak_weather import Spell, Weather, plan


def weather() -> Weather:
    unused: Any = None
    return Weather(unused, unused, 60.0, lambda: None)


def test_two_hours_have_thirty_restarts_and_a_quiet_middle() -> None:
    planned = plan(120, random.Random(1))
    restarts = [each.share for each in planned if each.what == "restart"]
    assert len(restarts) == 30
    assert not [share for share in restarts if 0.33 < share < 0.67]
    assert [each.share for each in planned] == sorted(each.share for each in planned)
    assert {(each.what, each.kind) for each in plan(2, random.Random(1))} == {
        (each.what, each.kind) for each in planned
    }


def test_a_failure_needs_a_code_a_hint_and_an_event() -> None:
    told = Seen("[ERROR]\nNo.\n\nError type: FetchError (BACKEND_UNAVAILABLE)\nNext step: Wait.", {}, True)
    bare = Seen('{"error":{"code":"TIMEOUT","message":"Late.","details":{}}}', {}, True)
    account, skies = Account(), weather()
    now = time.monotonic()
    skies.spells.append(Spell("network: hangs", now, now + 1))
    event = skies.at(now, now + 0.1)
    assert event == "network: hangs" and not skies.at(now + 100, now + 101)
    account.note("answer", judged(told)[1], 1.0, event)
    account.note("answer", OK, 1.0, "")
    assert not account.findings
    account.note("answer", judged(told)[1], 1.0, "")
    account.note("kb_search", judged(bare)[1], 1.0, event)
    account.note("search", "does not contain 'X'", 1.0, event)
    assert len(account.findings) == 3


def test_the_log_is_read_on_through_a_rotation(tmp_path: Path) -> None:
    class Program:
        home = Home(tmp_path, is_mounted=False)

    (logs := Program.home.data / "logs").mkdir(parents=True)
    reader = LogReader(Program(), weather())  # type: ignore[arg-type]
    file = logs / "webrag.log"
    file.write_text("2026-11-29 20:00:00,000 INFO a: fine\n2026-11-29 20:00:00,000 ERROR a.b: job 7 failed\n", "utf-8")
    reader.read()
    with file.open("a") as stream:
        stream.write("2026-11-29 20:00:01,000 ERROR a.b: job 8 failed\n    Traceback (most recent call last):\n")
    file.rename(logs / "webrag.log.1")
    file.write_text("2026-11-29 20:00:02,000 ERROR a.b: job 9 failed\n", "utf-8")
    reader.read()
    reader.read()
    assert dict(reader.kinds) == {("ERROR", "a.b: job … failed", ""): 3}
    assert len(reader.tracebacks) == 1


@pytest.mark.real
def test_a_program_with_a_shifted_clock_is_ahead(tmp_path: Path) -> None:
    place = Home(tmp_path, is_mounted=False)
    place.clock.write_bytes(bytes(16))
    place.shift_clocks(3_600.0, 60.0)
    code = "import time; print(time.time(), time.monotonic())"
    environment = {"PYTHONPATH": str(SHIFTED), "WEBRAG_SHIFTED_CLOCK": str(place.clock)}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    wall, monotonic = map(float, run.stdout.split())
    assert 3_500 < wall - time.time() < 3_700
    assert 50 < monotonic - time.monotonic() < 70


def test_the_gardener_knows_every_file_that_must_be_stored(tmp_path: Path) -> None:
    gardener = Gardener(tmp_path, random.Random(3))
    gardener.begin()
    for act in (gardener._add, gardener._rename, gardener._delete, gardener._change, gardener._odd) * 20:
        act()
    others = {"empty.md", "noise.md", "outside.md"}
    assert {path for path in tmp_path.rglob("*.md") if path.name not in others} == set(gardener.versions)
