"""Damaged input: every target keeps its promises, and failures are found, named and minimized."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

import fuzz
from support.fuzz_targets import Target, targets
from support.mutation import Mutator, minimised

EXECUTIONS = 40
FOUND = Path(__file__).with_name("found.jsonl")
TARGETS = {target.name: target for target in targets()}


@pytest.mark.parametrize("name", TARGETS)
def test_every_fuzz_target_survives_damaged_input(name: str) -> None:
    target = TARGETS[name]
    mutator = Mutator(target.name, target.seeds, target.tokens, seed=7)
    assert all(target.run(seed) is None for seed in target.seeds)  # type: ignore[func-returns-value]
    for number in range(EXECUTIONS):
        data = mutator.make(number)
        assert (fuzz.failure(target, data), data) == (None, data)


@pytest.mark.parametrize("line", FOUND.read_text("utf-8").splitlines())
def test_found_defects_stay_fixed(line: str) -> None:
    entry = json.loads(line)
    assert fuzz.failure(TARGETS[entry["target"]], base64.b64decode(entry["input"])) is None


def test_a_finding_is_reported_once_and_minimized() -> None:
    def breaks(body: bytes) -> None:
        if b"<!--" in body:
            raise KeyError("comment")

    target = Target("made up", 1, breaks, (b"some words and more of them",), (b"<!--",))
    row = fuzz.fuzz(target, 400, seed=1)
    assert [finding.data for finding in row.findings] == [b"<!--"]
    assert row.executions == 400
    assert "KeyError" in row.findings[0].place


def test_a_process_that_dies_is_a_finding() -> None:
    def dies(body: bytes) -> None:
        if b"\x00" in body:
            raise SystemExit(9)

    row = fuzz.fuzz(Target("made up", 1, dies, (b"words",), (b"\x00",)), 40, seed=1)
    assert row.executions == 40
    assert any("ended with" in finding.place for finding in row.findings)


def test_the_smallest_input_still_fails() -> None:
    assert minimised(b"abcXdefYgh", lambda data: b"X" in data and b"Y" in data) == b"XY"


def test_inputs_are_the_same_in_every_process() -> None:
    first, second = (Mutator("json", (b"{}",), (b"[",), seed=3) for _ in range(2))
    assert [first.make(number) for number in range(50)] == [second.make(number) for number in range(50)]


def test_an_input_whose_time_grows_too_fast_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("support.long_inputs.LOOKS", 1)

    def quadratic(body: bytes) -> None:
        for start in range(len(body)):
            for sign in b"\0\1\2\3":
                body.count(sign, start)

    slow = fuzz.slow_inputs(Target("made up", 1, quadratic, (b"words",)), 1, seed=1)
    assert ["for twice as much" in finding.place for finding in slow] == [True]
    assert not fuzz.slow_inputs(Target("made up", 1, lambda body: None, (b"words",)), 20, seed=1)
