"""Start the application on each system, on Windows with a fake for creating processes."""

from __future__ import annotations

import os
import subprocess
from types import SimpleNamespace
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


def started(monkeypatch: pytest.MonkeyPatch, popen: Any, platform: str, *, frozen: bool = False) -> None:
    monkeypatch.setattr(subprocess, "Popen", popen)
    monkeypatch.setattr(start, "sys", SimpleNamespace(platform=platform, frozen=frozen))
    start.spawn(["webrag"], None, None)


def test_windows_starts_it_outside_the_client_s_job(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = Recorder()
    started(monkeypatch, popen, "win32")
    (options,) = popen.asked
    flags = options["creationflags"]
    assert flags == start.CREATE_NO_WINDOW | start.CREATE_NEW_PROCESS_GROUP | start.CREATE_BREAKAWAY_FROM_JOB
    assert options["cwd"] is None


def test_windows_starts_it_inside_a_job_without_breakaway(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = Recorder(refused=start.CREATE_BREAKAWAY_FROM_JOB)
    started(monkeypatch, popen, "win32")
    assert len(popen.asked) == 2
    assert popen.asked[1]["creationflags"] == start.CREATE_NO_WINDOW | start.CREATE_NEW_PROCESS_GROUP


def test_windows_reports_a_missing_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: Any, **__: Any) -> subprocess.Popen[bytes]:
        raise FileNotFoundError(2, "The system cannot find the file specified")

    with pytest.raises(FileNotFoundError):
        started(monkeypatch, missing, "win32")


def test_posix_starts_it_in_its_own_session(monkeypatch: pytest.MonkeyPatch) -> None:
    popen = Recorder()
    started(monkeypatch, popen, "linux")
    (options,) = popen.asked
    assert options["start_new_session"] is True and "creationflags" not in options


def test_the_application_prints_utf8_and_a_frozen_one_unpacks_itself_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"PATH": "x"})
    popen = Recorder()
    started(monkeypatch, popen, "linux")
    started(monkeypatch, popen, "linux", frozen=True)
    assert [options["env"] for options in popen.asked] == [
        {"PATH": "x", "PYTHONUTF8": "1"},
        {"PATH": "x", "PYTHONUTF8": "1", "PYINSTALLER_RESET_ENVIRONMENT": "1"},
    ]
