"""Run the whole suite in several processes; what failed there is run once more, alone and in one process.

    python tests/suite.py --jobs 2 [arguments of pytest]

A test may fail because the machine was busy with the others. It counts as passed if it passes alone, and its name is
printed at the end; so does one whose process crashed. The run is red when it fails again, when more tests failed than such
chance explains, and whatever else ends a run: a second crash, an error while tests were collected, an internal error of pytest.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from xdist.scheduler import LoadFileScheduling

MOST_REPEATED: Final = 20
"""When more tests fail, something is broken that no second run mends."""

_RECORD: Final = "SUITE_RECORD"
_PASSED, _TESTS_FAILED = 0, 1
_ROOT: Final = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    """Run the suite; the result is the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=2, help="processes that share the tests, a file to one of them")
    options, rest = parser.parse_known_args(arguments)
    status, record = _run(["-n", str(options.jobs), "--dist", "loadfile", *rest])
    failed = sorted(record["failed"])
    if status != _TESTS_FAILED or not failed or record["broken"] or len(failed) > MOST_REPEATED:
        _say("not run again, the run itself broke", record["broken"])
        return status
    _say("run again, alone", failed)
    again, second = _run(failed)
    lost = sorted(set(failed) - set(second["passed"]))
    _say("failed beside others, passed alone", sorted(set(failed) - set(lost)))
    _say("failed twice", lost)
    return again or (_TESTS_FAILED if lost or second["broken"] else _PASSED)


def _run(arguments: list[str]) -> tuple[int, dict[str, list[str]]]:
    """Run pytest; its exit status, and which tests failed, which passed, and what broke."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        command = [sys.executable, "-m", "pytest", "-p", "tests.suite", *arguments]
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        environment = {**os.environ, _RECORD: str(record), "PYTHONPATH": path}
        # The tests start hundreds of processes: each would compile the whole application anew.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        status = subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False).returncode
        if not record.is_file():
            return status or 3, {"failed": [], "passed": [], "broken": ["pytest ended without a record"]}
        return status, json.loads(record.read_text("utf-8"))


def _say(heading: str, names: Iterable[str]) -> None:
    if listed := list(names):
        print(f"\n{heading}:", *(f"  {name}" for name in listed), sep="\n", flush=True)  # noqa: T201


# the same file as a plugin of pytest, which writes the record


class _Recorder:
    """What became of each test, over all processes."""

    def __init__(self) -> None:
        self.failed: dict[str, None] = {}
        self.passed: dict[str, None] = {}
        self.broken: list[str] = []

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.failed:
            self.failed[report.nodeid] = None
        elif report.passed and report.when == "call":
            self.passed[report.nodeid] = None

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            self.broken.append(f"{report.nodeid} (could not be collected)")

    def pytest_internalerror(self, excrepr: Any) -> None:
        self.broken.append(f"pytest itself: {excrepr}")

    def pytest_sessionfinish(self) -> None:
        passed = [name for name in self.passed if name not in self.failed]
        record = {"failed": list(self.failed), "passed": passed, "broken": self.broken}
        Path(os.environ[_RECORD]).write_text(json.dumps(record), "utf-8")


class _Scheduling(LoadFileScheduling):
    """A file to one process; files that a crashed process had ended are not handed out again.

    They would go out as nothing to do, which no process answers: at the end all wait for one another.
    """

    def _assign_work_unit(self, node: Any) -> None:
        for file in [file for file, tests in self.workqueue.items() if all(tests.values())]:
            del self.workqueue[file]
        if self.workqueue:
            super()._assign_work_unit(node)
        else:
            node.shutdown()


def pytest_xdist_make_scheduler(config: Any, log: Any) -> _Scheduling:
    return _Scheduling(config, log)


def pytest_configure(config: Any) -> None:
    """Record in the process that the others report to."""
    if os.environ.get(_RECORD) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(_Recorder(), "suite-recorder")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
