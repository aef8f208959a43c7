"""Fuzz every parser of foreign input: pages, texts, configuration files, JSON-RPC, backups.

    python bench/fuzz.py [--executions N] [--seed N] [--target NAME...] [--corpus FILE] [--json [FILE]]

Every target (`support/fuzz_targets.py`) gets its share of N executions: valid inputs of its format with random damage
(`support/mutation.py`). The same seed creates the same inputs. A target may only raise the errors of its contract and must keep its
promises (offsets, meanings, no leftovers). Each target runs in its own process, so that a crash of native code or a call that never returns
is a finding as well. Each finding is reported once per place in the code, minimized and printed. With --corpus, it is appended to a file
whose lines `--replay FILE` runs again. Prints a row per target; the exit status is 1 if there are findings.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import logging
import multiprocessing
import os
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from types import FrameType
from typing import Any, Final

from support.fuzz_targets import Target, targets
from support.long_inputs import SIZE, long_inputs, slowness
from support.mutation import Mutator, minimised
from support.report import Report, add_json

EXECUTIONS: Final = 1_000_000
LONG_INPUTS: Final = 40
SECONDS_PER_CALL: Final = 60.0
"""A call that takes longer counts as never returning."""
FINDINGS_PER_TARGET: Final = 20
CALLS_PER_PROCESS: Final = 20_000
"""Calls before a new process, so that leaks of native libraries do not add up."""


@dataclass(frozen=True, slots=True)
class Finding:
    """An input that breaks a target. `place` is the error and its location."""

    target: str
    place: str
    data: bytes

    @property
    def line(self) -> str:
        """Return the finding as a line of a corpus file."""
        body = base64.b64encode(self.data).decode("ascii")
        return json.dumps({"target": self.target, "place": self.place, "input": body})


@dataclass(slots=True)
class Row:
    """Results of one target."""

    target: str
    executions: int = 0
    findings: list[Finding] = field(default_factory=list)
    slowest_ms: float = 0.0
    seconds: float = 0.0


class NeverReturnsError(Exception):
    """A call did not return in time."""


def main() -> int:
    """Run the targets and print a row for each."""
    options = _options()
    logging.disable(logging.CRITICAL)
    os.environ["RUST_BACKTRACE"] = "0"  # a panic of a library takes much longer otherwise
    warnings.simplefilter("ignore")
    chosen = [target for target in targets() if not options.target or target.name in options.target]
    if options.replay:
        return _replay(options.replay, {target.name: target for target in chosen})
    whole = sum(target.share for target in chosen)
    rows: list[Row] = []
    report = Report(f"Damaged input (seed {options.seed})", as_json=options.json)
    for target in chosen:
        row = fuzz(target, options.executions * target.share // whole, options.seed)
        row.findings += slow_inputs(target, options.long, options.seed)
        rows.append(row)
        speed = row.executions / max(row.seconds, 0.001)
        report.add({**_counts(row.target, [row]), "slowest ms": row.slowest_ms, "calls/s": speed})
        for finding in row.findings:
            print(f"  {finding.place}\n  {finding.line}", file=sys.stderr, flush=True)
            if options.corpus:
                with options.corpus.open("a", encoding="utf-8") as file:
                    file.write(finding.line + "\n")
    report.add(_counts("all", rows))
    report.end()
    return 1 if any(row.findings for row in rows) else 0


def _counts(name: str, rows: Sequence[Row]) -> dict[str, object]:
    executions, findings = sum(row.executions for row in rows), sum(len(row.findings) for row in rows)
    return {"target": name, "executions": executions, "findings": findings}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz every parser of foreign input.")
    parser.add_argument("--executions", type=int, default=EXECUTIONS, help=f"in total (default {EXECUTIONS})")
    parser.add_argument(
        "--long", type=int, default=LONG_INPUTS, help="long inputs with time measurement, for each target"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of the inputs")
    parser.add_argument("--target", nargs="*", default=(), help="only these targets")
    parser.add_argument("--corpus", type=Path, help="append findings to this file")
    parser.add_argument("--replay", type=Path, help="only run the lines of a corpus file")
    add_json(parser)
    return parser.parse_args()


def _replay(file: Path, known: dict[str, Target]) -> int:
    failed = 0
    for line in file.read_text("utf-8").splitlines():
        entry = json.loads(line)
        place = failure(known[entry["target"]], base64.b64decode(entry["input"]))
        failed += place is not None
        print(f"{entry['target']}: {place or 'ok'}")
    return 1 if failed else 0


def fuzz(target: Target, executions: int, seed: int) -> Row:
    """Run a target this often, in child processes."""
    row = Row(target.name)
    started = time.perf_counter()
    first = 0
    while first < executions and len(row.findings) < FINDINGS_PER_TARGET:
        last = min(executions, first + CALLS_PER_PROCESS)
        first = _in_process(target, range(first, last), seed, row)
    row.executions = first
    row.seconds = time.perf_counter() - started
    return row


def slow_inputs(target: Target, number: int, seed: int) -> list[Finding]:
    """Return the long inputs that fail or take too much time for their length."""
    found: dict[str, Finding] = {}
    for each in long_inputs(target.name, target.seeds, target.tokens, seed, number):
        data = each.of(2 * SIZE)
        place = failure(target, data) or slowness(lambda body: failure(target, body), each.of)
        if place is not None:
            found.setdefault(place, Finding(target.name, place, data))
    return list(found.values())


def _in_process(target: Target, numbers: range, seed: int, row: Row) -> int:
    """Run a batch in a child process and return the number at which to continue."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    at: Any = context.Value("q", numbers.start, lock=False)
    known = {finding.place for finding in row.findings}
    child = context.Process(target=_work, args=(target, numbers, seed, known, at, theirs))
    child.start()
    theirs.close()
    with contextlib.suppress(EOFError):
        while True:
            told = ours.recv()
            if isinstance(told, Finding):
                row.findings.append(told)
            else:
                row.slowest_ms = max(row.slowest_ms, told)
    child.join()
    if child.exitcode == 0:
        return numbers.stop
    data = Mutator(target.name, target.seeds, target.tokens, seed).make(at.value)
    row.findings.append(Finding(target.name, f"the process ended with {child.exitcode}", data))
    return int(at.value) + 1


def _work(target: Target, numbers: range, seed: int, known: set[str], at: Any, tell: Connection) -> None:
    slowest = 0.0
    for number, data in _inputs(target, numbers, seed):
        at.value = number
        started = time.thread_time()
        place = failure(target, data)
        slowest = max(slowest, time.thread_time() - started)
        if place is not None and place not in known:
            known.add(place)
            tell.send(Finding(target.name, place, _smallest(target, data, place)))
    tell.send(1000 * slowest)
    tell.close()


def _inputs(target: Target, numbers: range, seed: int) -> Iterator[tuple[int, bytes]]:
    mutator = Mutator(target.name, target.seeds, target.tokens, seed)
    return ((number, mutator.make(number)) for number in numbers)


def _smallest(target: Target, data: bytes, place: str) -> bytes:
    return minimised(data, lambda shorter: failure(target, shorter) == place)


def failure(target: Target, data: bytes) -> str | None:
    """Return the error of an input and its line, or None."""
    with _at_most(SECONDS_PER_CALL):
        try:
            target.run(data)
        except Exception as error:  # noqa: BLE001 - whatever comes out is the finding
            frames = traceback.extract_tb(error.__traceback__)
            frame = next((frame for frame in reversed(frames) if "/app/" in frame.filename), frames[-1])
            return f"{type(error).__name__} in {Path(frame.filename).name}, {frame.name}: {frame.line}"
    return None


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Interrupt the block after this time. Only works in the main thread of some systems."""

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise NeverReturnsError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


if __name__ == "__main__":
    sys.exit(main())
