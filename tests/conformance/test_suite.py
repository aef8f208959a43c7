"""The protocol's own conformance suite against our HTTP server, for the last revision with sessions and the first one without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from tests.conformance import tools
from tests.conformance.processes import server_with_fixtures

pytestmark = [pytest.mark.real, pytest.mark.timeout(180)]

EXPECTED: Final = Path(__file__).with_name("expected_failures.yml")
VERSIONS: Final = ("2025-11-25", "2026-07-28")
ENTRY: Final = re.compile(r"  - (?P<scenario>[a-z0-9-]+)(?::(?P<check>[a-z0-9-]+))? # (?P<reason>\S.+)")
SCENARIO_FOLDER: Final = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z")

NOT_APPLICABLE: Final = {
    "server-session-delete-accepted": "there are no sessions to delete",
    "server-session-terminated-returns-404": "there are no sessions to end",
}
"""Checks that the suite skips itself, with the reason. Any other skipped check is a gap in this test."""


@dataclass(frozen=True)
class Check:
    """One check of one scenario in the suite's report."""

    scenario: str
    id: str
    status: str
    message: str


def entries() -> list[re.Match[str]]:
    """Return the expected failures. A line without a reason does not count."""
    lines = [line for line in EXPECTED.read_text().splitlines() if line.strip().startswith("- ")]
    found = [ENTRY.fullmatch(line) for line in lines]
    assert all(found), [line for line, match in zip(lines, found, strict=True) if match is None]
    return [match for match in found if match]


def checks_of(folder: Path) -> Iterator[Check]:
    for file in sorted(folder.glob("*/checks.json")):
        named = SCENARIO_FOLDER.fullmatch(file.parent.name)
        assert named, file
        for check in json.loads(file.read_text()):
            yield Check(named["scenario"], check["id"], check["status"], check.get("errorMessage") or "")


def test_every_expected_failure_has_a_reason_and_is_listed_once() -> None:
    names = [(entry["scenario"], entry["check"]) for entry in entries()]
    assert names and len(set(names)) == len(names)


def test_external_programs_are_pinned_by_hash_and_without_a_registry() -> None:
    packages = json.loads(EXPECTED.with_name("package-lock.json").read_text())["packages"]
    wanted = packages.pop("")
    assert all(
        version[0].isdigit() for group in ("dependencies", "optionalDependencies") for version in wanted[group].values()
    )
    assert all(
        package["integrity"].startswith("sha512-") and "resolved" not in package for package in packages.values()
    )


@pytest.mark.skipif(bool(tools.missing()), reason=tools.missing())
def test_the_suite_only_finds_missing_optional_features(tmp_path: Path) -> None:
    met: set[tuple[str, str | None]] = set()
    with server_with_fixtures(tmp_path) as url:
        for version in VERSIONS:
            out = tmp_path / version
            done = tools.run_suite(
                url,
                "--suite",
                "all",
                "--spec-version",
                version,
                "--expected-failures",
                str(EXPECTED),
                "--output-dir",
                str(out),
            )
            checks = list(checks_of(out))
            bad = {(check.scenario, check.id): check for check in checks if check.status in ("FAILURE", "WARNING")}
            met |= bad.keys() | {(scenario, None) for scenario, _ in bad}
            allowed = {(entry["scenario"], entry["check"]) for entry in entries()}
            unexpected = [str(bad[key]) for key in bad if key not in allowed and (key[0], None) not in allowed]
            assert not unexpected, "\n".join(["", *unexpected])
            assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]
            skipped = {check.id for check in checks if check.status == "SKIPPED"}
            assert skipped <= NOT_APPLICABLE.keys(), skipped
            succeeded = sum(check.status == "SUCCESS" for check in checks)
            print(f"{version}: {succeeded} of {len(checks)} checks passed, {len(bad)} expected failures")  # noqa: T201
    assert {(entry["scenario"], entry["check"]) for entry in entries()} <= met


TASK_SCENARIOS: Final = 10
SCENARIOS: Final = {"sep-2640-skills-enumeration": 32, "sep-2640-skills-manifest": 4}
"""Scenarios that neither a suite nor the requirements contain, and the checks that must pass."""


@pytest.mark.skipif(bool(tools.missing()), reason=tools.missing())
def test_the_requirements_of_the_newest_revision_are_met_with_tasks_and_skills(tmp_path: Path) -> None:
    with server_with_fixtures(tmp_path) as url:
        done = tools.run_suite(url, "--requirements", VERSIONS[-1], "--expected-failures", str(EXPECTED))
        assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-1_000:]
        assert len(re.findall(r"✓ .*tasks-", done.stdout)) == TASK_SCENARIOS, done.stdout[-3_000:]
        for scenario, wanted in SCENARIOS.items():
            done = tools.run_suite(url, "--scenario", scenario, "--spec-version", VERSIONS[-1], "--force")
            assert f"Passed: {wanted}/{wanted}, 0 failed" in done.stdout, done.stdout[-3_000:] + done.stderr[-1_000:]
