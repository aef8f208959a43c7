"""A plugin for pytest under Wine: skips tests that Wine cannot run, and ends with a table of the checks, also in RESULT.

.venv/bin/python installer/windows_under_wine.py run -m pytest -p tests.windows.checks tests/windows tests/ground/test_containment.py …
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Final

import pytest

WINE_CANNOT: Final = {
    "test_paths_that_may_lead_out_are_refused_on_every_system[out/secret.md]": "Wine 8 reports symbolic links that it does not create",
    "test_paths_that_may_lead_out_are_refused_on_every_system[out]": "Wine 8 reports symbolic links that it does not create",
    "test_a_memory_bomb_is_an_error[bytearray(4 << 30)]": "Wine 8 accepts the limits of a job but ignores them",
    "test_a_memory_bomb_is_an_error[[bytearray(1 << 20) for _ in range(1 << 12)]]": "Wine 8 accepts the limits of a job but ignores them",
    "test_the_process_that_reads_pages_has_a_low_priority": "Wine 8 starts every process with normal priority",
    "test_only_files_of_the_folder_itself_are_opened": "Wine 8 reports symbolic links that it does not create",
    "test_a_link_inside_is_followed_inside": "Wine 8 reports symbolic links that it does not create",
}
"""Tests that Wine cannot run, with the reason. They run on Windows."""
RESULT: Final = Path("build/windows/checks.txt")
"""A Windows program that ends with its Wine has exit status 0, so only this file proves that the tests ran to the end."""
_MARK: Final = "Wine cannot: "

_counts: defaultdict[str, Counter[str]] = defaultdict(Counter)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if reason := WINE_CANNOT.get(item.name):
            item.add_marker(pytest.mark.skip(reason=f"{_MARK}{reason}"))


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        cannot = report.outcome == "skipped" and _MARK in said
        _counts[report.nodeid.partition("::")[0]]["Wine cannot" if cannot else report.outcome] += 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    table = [f"{'checks':44}{'pass':>6}{'fail':>6}{'Wine cannot':>13}{'not for Windows':>17}"]
    for name, counts in sorted(_counts.items()):
        row = (counts["passed"], counts["failed"], counts["Wine cannot"], counts["skipped"])
        table.append("{:44}{:>6}{:>6}{:>13}{:>17}".format(name, *row))
    terminalreporter.section("under Wine")
    for line in table:
        terminalreporter.write_line(line)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text("\n".join(table) + "\n", encoding="utf-8")
