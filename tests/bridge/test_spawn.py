"""Start the application on each system, on Windows with a fake for creating processes."""

from __future__ import annotations

import subprocess
from typing import Any, cast

import pytest

from app.bridge import start


class Recorder:
    """A fake `Popen` that records its arguments. `refused` flags are not granted."""

    def __init__(self, refused: int = 0) -> None:
        self.refused = refused
        self.asked: list[dict[str, Any]] = []

    def __call__(self, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        self.asked.append(options)
        if options.get("creationflags", 0) & self.refused:
            raise PermissionError(5, "Access is denied")
        return cast("subprocess.Popen[bytes]", command)


def test_windows_starts_it_outside_the_client_s_job() -> None:
    popen = Recorder()
    start.spawn_windows(popen, ["webrag.exe"], {"cwd": None})
    (options,) = popen.asked
    flags = options["creationflags"]
    assert flags == start.CREATE_NO_WINDOW | start.CREATE_NEW_PROCESS_GROUP | start.CREATE_BREAKAWAY_FROM_JOB
    assert options["cwd"] is None


def test_windows_starts_it_inside_a_job_without_breakaway() -> None:
    popen = Recorder(refused=start.CREATE_BREAKAWAY_FROM_JOB)
    start.spawn_windows(popen, ["webrag.exe"], {})
    assert len(popen.asked) == 2
    assert popen.asked[1]["creationflags"] == start.CREATE_NO_WINDOW | start.CREATE_NEW_PROCESS_GROUP


def test_windows_reports_a_missing_program() -> None:
    def missing(*_: Any, **__: Any) -> subprocess.Popen[bytes]:
        raise FileNotFoundError(2, "The system cannot find the file specified")

    with pytest.raises(FileNotFoundError):
        start.spawn_windows(missing, ["webrag.exe"], {})


def test_posix_starts_it_in_its_own_session() -> None:
    popen = Recorder()
    start.spawn_posix(popen, ["webrag"], {})
    assert popen.asked == [{"start_new_session": True}]


def test_the_application_prints_utf8_and_a_frozen_one_unpacks_itself_again() -> None:
    assert start.child_environment({"PATH": "x"}, frozen=False) == {"PATH": "x", "PYTHONUTF8": "1"}
    assert start.child_environment({}, frozen=True)["PYINSTALLER_RESET_ENVIRONMENT"] == "1"
