"""The trials of packages become the table of docs/install.md."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import try_release

LINES = (
    "ok    system: Debian GNU/Linux 12 (bookworm) (20 s)",
    "ok    install (4 s)",
    "ok    start: self-tests passed (9 s)",
    "a line of a program",
    "FAIL  ask: no answer 3",
)


def test_the_page_shows_the_results_and_the_package_is_small_enough() -> None:
    facts = json.loads(try_release.FACTS.read_text("utf-8"))
    assert try_release.table(facts) in try_release.PAGE.read_text("utf-8"), "run installer/try_release.py --table"
    assert all(each["bytes"] <= try_release.MAX_DEB_BYTES for each in facts["files"] if each["kind"] == "deb")


def test_steps_and_the_failure_are_read_from_the_lines_of_a_trial() -> None:
    assert try_release.result(LINES, 1) == {"steps": ["install", "start"], "failed": "ask: no answer 3"}
    assert try_release.result(LINES[:3], 75) == {"steps": ["install", "start"], "failed": "exit status 75"}


def test_the_table_has_a_line_for_each_trial_and_each_missing_kind() -> None:
    trial = {"kind": "deb", "date": "2026-11-29"}
    facts = {
        "files": [
            {"file": "a.deb", "kind": "deb", "bytes": 123_400_000},
            {"file": "b.mcpb", "kind": "mcpb", "bytes": 6_000},
        ],
        "missing": {"dmg": "this can only be built on macOS"},
        "trials": [
            {**trial, "system": "bookworm", "steps": list(try_release.STEPS), "failed": ""},
            {**trial, "system": "trixie", "steps": ["install"], "failed": "start: no"},
        ],
    }
    assert try_release.table(facts).splitlines()[2:] == [
        "| `a.deb` | 123.4 MB | Debian 12, 2026-11-29 | ✓ | ✓ | ✓ | ✓ | ✓ |",
        "| `a.deb` | 123.4 MB | Debian 13, 2026-11-29 | ✓ | ✗ | ✗ | ✗ | ✗ |",
        "| `b.mcpb` | 0.01 MB |  |  |  |  |  |  |",
        "| dmg | not built | this can only be built on macOS |  |  |  |  |  |",
    ]


def test_an_older_wheel_has_the_lower_version_everywhere(tmp_path: Path) -> None:
    number = try_release.version()
    file = tmp_path / f"webrag_desktop-{number}-py3-none-any.whl"
    info = f"webrag_desktop-{number}.dist-info"
    with zipfile.ZipFile(file, "w") as wheel:
        wheel.writestr("app/__init__.py", "")
        wheel.writestr(f"{info}/METADATA", f"Name: webrag-desktop\nVersion: {number}\n")
        wheel.writestr(f"{info}/RECORD", f"app/__init__.py,,\n{info}/METADATA,,\n")
    (tmp_path / "older").mkdir()
    with zipfile.ZipFile(try_release.older_wheel(file, tmp_path / "older")) as wheel:
        older = f"webrag_desktop-{try_release.OLDER}.dist-info"
        assert wheel.read(f"{older}/METADATA").decode().splitlines()[1] == f"Version: {try_release.OLDER}"
        listed = {line.partition(",")[0] for line in wheel.read(f"{older}/RECORD").decode().splitlines()}
        assert listed | {f"{older}/RECORD"} == set(wheel.namelist())
