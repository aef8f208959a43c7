"""Run the whole suite in several processes, and run failed tests once more, alone and in one process.

    python tests/suite.py --tier quick --jobs 2 [arguments of pytest]

The tier `quick` excludes tests marked `real` and tries a quarter of the examples of each property, at most 25. The tier `rest` runs the
marked tests, and the properties with all examples.

A test may fail because the others kept the computer busy. It counts as passed if it passes alone, and its name is printed at the end. The
same applies to a test whose process crashed. The run fails if a test fails again, if too many tests failed for such a coincidence, and
after a second crash, a collection error or an internal error of pytest.

The slowest files come first, so that no process is left with one at the end. The run prints the time of each file and the processor usage:
tests wait for the programs that they start, which allows more processes than processors.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Any, Final

import pytest

MOST_REPEATED: Final = 20
"""If more tests fail, the cause is not chance, and no second run helps."""

SECONDS: Final = {
    "bench/test_crash.py": 40,
    "bench/test_every_bench.py": 90,
    "bridge/test_launch.py": 20,
    "bridge/test_real_server.py": 40,
    "bridge/test_whole.py": 10,
    "cli/test_real.py": 30,
    "cli/test_real_jobs.py": 20,
    "desktop/pages/test_activity.py": 12,
    "desktop/pages/test_library_actions.py": 11,
    "desktop/pages/test_settings_page.py": 16,
    "desktop/test_add_dialog.py": 12,
    "desktop/test_leaving.py": 30,
    "desktop/test_real_engine.py": 20,
    "desktop/test_single_instance.py": 15,
    "desktop/test_states.py": 20,
    "desktop/test_tray_session.py": 32,
    "docs/test_docs.py": 12,
    "extension/test_chromium.py": 40,
    "extension/test_firefox.py": 7,
    "ingest/test_background.py": 20,
    "ingest/test_policies.py": 10,
    "ingest/test_preparation.py": 10,
    "ingest/test_preparation_cost.py": 20,
    "installer/test_appimage.py": 10,
    "integration/test_access.py": 15,
    "integration/test_nodes_killed.py": 30,
    "integration/test_program.py": 75,
    "integration/test_same_everywhere.py": 12,
    "integration/test_switches.py": 12,
    "integration/test_team.py": 25,
    "pg/test_setup.py": 15,
    "remote/test_tools.py": 10,
    "server/test_forgery.py": 8,
    "server/test_kb_tools.py": 8,
}
"""Approximate seconds of files with few slow tests on a quiet computer. They only affect the order."""
QUICK_SECONDS: Final = {
    "assets/test_catalogue.py": 8,
    "bridge/test_pump.py": 8,
    "cli/test_files.py": 11,
    "corpus/test_checks.py": 8,
    "corpus/test_faults.py": 7,
    "desktop/pages/test_activity.py": 7,
    "desktop/pages/test_conversation.py": 7,
    "desktop/pages/test_library_actions.py": 7,
    "desktop/test_accessibility.py": 8,
    "desktop/test_flood.py": 6,
    "desktop/test_leaving.py": 5,
    "desktop/test_states.py": 6,
    "desktop/test_tray.py": 6,
    "desktop/test_walk.py": 7,
    "desktop/test_wizard.py": 6,
    "ingest/test_jobs.py": 7,
    "ingest/test_policies.py": 11,
    "ingest/test_preparation.py": 10,
    "server/node/test_endpoints.py": 7,
    "server/test_verdicts.py": 7,
}
"""The same without the tests that are marked `real`."""
SECONDS_OF_A_TEST: Final = 0.04
SECONDS_OF_A_WINDOW: Final = 0.12
"""Seconds per test of the other files, for the order. Desktop tests start an engine for each window."""
LONGEST_TOLD: Final = 25

_EXAMPLES: Final = "_hypothesis_internal_use_settings"
_SHARE_OF_EXAMPLES: Final = 4
_FEWEST_EXAMPLES: Final = 10
_MOST_EXAMPLES: Final = 25

_UNUSED: Final = ("anyio", "xdist")
"""Plugins of pytest that act in every test and that no test needs."""
_RECORD: Final = "SUITE_RECORD"
_TIER: Final = "SUITE_TIER"
_PASSED, _TESTS_FAILED = 0, 1
_ROOT: Final = Path(__file__).resolve().parents[1]


def main(arguments: list[str]) -> int:
    """Run the suite and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("--jobs", type=int, default=2, help="number of processes; each file runs in a single one")
    parser.add_argument("--tier", choices=["quick", "rest", "all"], default="all", help="selection of tests")
    options, rest = parser.parse_known_args(arguments)
    begun, used = time.monotonic(), _processor_seconds()
    status, record = _run(rest, options.jobs, options.tier)
    _tell_times(record["seconds"], time.monotonic() - begun, _processor_seconds() - used)
    failed = sorted(record["failed"])
    if status != _TESTS_FAILED or not failed or record["broken"] or len(failed) > MOST_REPEATED:
        _say("not run again, because the run itself failed", record["broken"])
        return status
    _say("run again, alone", failed)
    again, second = _run(failed)
    lost = sorted(set(failed) - set(second["passed"]))
    _say("failed with others, passed alone", sorted(set(failed) - set(lost)))
    _say("failed twice", lost)
    return again or (_TESTS_FAILED if lost or second["broken"] else _PASSED)


def _processor_seconds() -> float:
    """Return the processor time of all ended child processes."""
    spent = os.times()
    return spent.children_user + spent.children_system


def _tell_times(seconds: dict[str, float], whole: float, used: float) -> None:
    longest = Counter(seconds).most_common(LONGEST_TOLD)
    _say("the files that took longest", (f"{taken:6.1f} s  {file}" for file, taken in longest if taken >= 1))
    _say("processors", [f"{used:.0f} s used in {whole:.0f} s on {os.cpu_count()} of them"])


def _run(arguments: list[str], jobs: int = 1, tier: str = "all") -> tuple[int, dict[str, Any]]:
    """Run pytest, and return its exit status, the failed and passed tests, errors, and the seconds of each file."""
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "record.json"
        plugins = ("tests.suite", "tests.workers", *(f"no:{name}" for name in _UNUSED))
        command = [sys.executable, "-m", "pytest", *(part for name in plugins for part in ("-p", name)), *arguments]
        path = os.pathsep.join(filter(None, (str(_ROOT), os.environ.get("PYTHONPATH", ""))))
        environment = {**os.environ, _RECORD: str(record), "WORKERS": str(jobs), _TIER: tier, "PYTHONPATH": path}
        # The tests start hundreds of processes, and each would compile the whole application again.
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        status = subprocess.run(command, stdin=subprocess.DEVNULL, env=environment, check=False).returncode
        if not record.is_file():
            return status or 3, {"failed": [], "passed": [], "broken": ["pytest ended without a record"], "seconds": {}}
        return status, json.loads(record.read_text("utf-8"))


def _say(heading: str, names: Iterable[str]) -> None:
    if listed := list(names):
        print(f"\n{heading}:", *(f"  {name}" for name in listed), sep="\n", flush=True)  # noqa: T201


# The same file as a plugin of pytest, which writes the record.


class _Recorder:
    """The outcome of each test, over all processes."""

    def __init__(self) -> None:
        self.failed: dict[str, None] = {}
        self.passed: dict[str, None] = {}
        self.broken: list[str] = []
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.seconds[_file(report.nodeid)] += report.duration
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
        record = {"failed": list(self.failed), "passed": passed, "broken": self.broken, "seconds": self.seconds}
        Path(os.environ[_RECORD]).write_text(json.dumps(record), "utf-8")


def _file(test: str) -> str:
    return test.partition("::")[0]


def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Return the tests of the tier, in order of execution: the slowest files first, each file as a unit."""
    tier = os.environ.get(_TIER, "all")
    _keep_tier(config, items, tier)
    tests = Counter(_file(item.nodeid) for item in items)
    seconds = QUICK_SECONDS if tier == "quick" else SECONDS
    expected = {file: _expected(file.removeprefix("tests/"), count, seconds) for file, count in tests.items()}
    items.sort(key=lambda item: (-expected[_file(item.nodeid)], _file(item.nodeid)))


def _keep_tier(config: pytest.Config, items: list[Any], tier: str) -> None:
    """Deselect the tests of the other tier. The quick one tries fewer examples of each property."""
    properties = {item: settings for item in items if (settings := getattr(item.obj, _EXAMPLES, None))}
    if tier == "quick":
        for item, settings in properties.items():
            share = max(_FEWEST_EXAMPLES, settings.max_examples // _SHARE_OF_EXAMPLES)
            most = min(_MOST_EXAMPLES, share, settings.max_examples)
            setattr(getattr(item.obj, "__func__", item.obj), _EXAMPLES, type(settings)(settings, max_examples=most))
    wanted = {
        "quick": lambda item: item.get_closest_marker("real") is None,
        "rest": lambda item: item in properties or item.get_closest_marker("real") is not None,
        "all": lambda item: True,
    }[tier]
    left_out = [item for item in items if not wanted(item)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if wanted(item)]


def _expected(file: str, tests: int, seconds: dict[str, int]) -> float:
    return seconds.get(file, tests * (SECONDS_OF_A_WINDOW if file.startswith("desktop/") else SECONDS_OF_A_TEST))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Generator[None, object, object]:
    """Exclude nine thousand tests and their imports from garbage collections, each of which would take a quarter of a second."""
    gc.disable()
    collected = yield
    gc.enable()
    gc.collect()
    gc.freeze()
    return collected


def pytest_configure(config: Any) -> None:
    """Record the outcomes of the tests."""
    if os.environ.get(_RECORD):
        config.pluginmanager.register(_Recorder(), "suite-recorder")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
