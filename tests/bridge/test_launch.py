"""Starting an instance: which commands, how long, what is said when it fails."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from pathlib import Path

import pytest

from app.bridge import launch
from app.errors import NotRunningError
from app.instance import Holding, hold_instance
from app.paths import program
from tests.bridge.fake_instance import FakeInstance


def command(tmp_path: Path, code: str) -> list[str]:
    script = tmp_path / f"start{len(list(tmp_path.glob('start*.py')))}.py"
    script.write_text(textwrap.dedent(code), encoding="utf-8")
    return [sys.executable, str(script)]


def test_the_tray_is_preferred_where_there_is_a_display(tmp_path: Path) -> None:
    windowed, headless = launch.start_commands(tmp_path, {"DISPLAY": ":0"}, "linux")
    assert windowed[-3:] == ["--hidden", "--data-dir", str(tmp_path)]
    assert headless[-6:] == [
        "serve",
        "--transport",
        "streamable-http",
        "--while-attached",
        "--data-dir",
        str(tmp_path),
    ]
    assert launch.start_commands(tmp_path, {}, "linux") == [headless]
    assert len(launch.start_commands(tmp_path, {"WAYLAND_DISPLAY": "wayland-0"}, "linux")) == 2
    assert len(launch.start_commands(tmp_path, {}, "darwin")) == 2
    assert len(launch.start_commands(tmp_path, {}, "win32")) == 2


def test_executables_are_found_beside_the_interpreter(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    assert program("webrag", "app", python) == [python, "-m", "app"]
    (tmp_path / "webrag.exe").touch()
    assert program("webrag", "app", python) == [str(tmp_path / "webrag.exe")]
    (tmp_path / "webrag").touch()
    assert program("webrag", "app", python) == [str(tmp_path / "webrag")]


def test_a_start_that_fails_says_what_the_program_said(tmp_path: Path) -> None:
    failing = command(tmp_path, "import sys; sys.exit('the cellar is flooded')")
    with pytest.raises(NotRunningError, match="the cellar is flooded") as caught:
        launch._start_and_wait(tmp_path, [failing], 10)
    assert "start.log" in caught.value.hint


def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotRunningError, match="nowhere"):
        launch._start_and_wait(tmp_path, [[str(tmp_path / "nowhere")]], 10)


def test_a_start_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    slow = command(tmp_path, "import time; time.sleep(3)")
    started = time.monotonic()
    with pytest.raises(NotRunningError, match="within"):
        launch._start_and_wait(tmp_path, [slow], 0.5)
    assert time.monotonic() - started < 2


def test_a_window_that_cannot_open_is_replaced_by_the_headless_server(tmp_path: Path) -> None:
    failing = command(tmp_path, "import sys; sys.exit('no display')")
    marker = tmp_path / "second"
    working = command(tmp_path, f"import pathlib, time; pathlib.Path({str(marker)!r}).touch(); time.sleep(2)")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        assert launch._start_and_wait(tmp_path, [failing, working], 10) == fake.info


def test_losing_the_race_means_waiting_for_the_winner(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({launch.ALREADY_RUNNING_STATUS})")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Timer(0.6, _write, (fake,)).start()
        assert launch._start_and_wait(tmp_path, [loser], 10) == fake.info


def test_a_command_that_keeps_the_data_directory_is_named(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({launch.ALREADY_RUNNING_STATUS})")
    with hold_instance(tmp_path, Holding.COMMAND), pytest.raises(NotRunningError) as caught:
        launch._start_and_wait(tmp_path, [loser], 1)
    assert f"A command in a terminal (process {os.getpid()})" in caught.value.message
    assert "Ctrl+C" in caught.value.hint


def test_a_window_whose_server_is_off_says_so_at_once(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({launch.ALREADY_RUNNING_STATUS})")
    started = time.monotonic()
    with hold_instance(tmp_path, Holding.WINDOW), pytest.raises(NotRunningError, match="MCP_ENABLED"):
        launch._start_and_wait(tmp_path, [loser], 10)
    assert time.monotonic() - started < 5


def test_a_window_that_we_started_with_its_server_off_says_so_at_once(tmp_path: Path) -> None:
    code = f"""
        import pathlib, sys, time
        sys.path.insert(0, {str(Path(launch.__file__).parents[2])!r})
        from app.instance import Holding, hold_instance
        with hold_instance(pathlib.Path({str(tmp_path)!r}), Holding.WINDOW):
            time.sleep(2)
        """
    started = time.monotonic()
    with pytest.raises(NotRunningError, match="MCP_ENABLED"):
        launch._start_and_wait(tmp_path, [command(tmp_path, code)], 10)
    assert time.monotonic() - started < 5


def test_the_started_process_does_not_hold_our_streams(tmp_path: Path) -> None:
    """Its output goes to the log, and it belongs to a session of its own."""
    marker = tmp_path / "session"
    code = f"""
        import os, pathlib, sys, time
        print("hello from the start")
        assert sys.stdin.read() == ""
        pathlib.Path({str(marker)!r}).write_text(f"{{os.getsid(0) == os.getpid()}} {{os.getcwd()}}")
        time.sleep(1)
        """
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        launch._start_and_wait(tmp_path, [command(tmp_path, code)], 10)
    assert marker.read_text() == f"True {tmp_path}"


def _appear(fake: FakeInstance, marker: Path) -> None:
    deadline = time.monotonic() + 5
    while not (marker.exists() and (marker.stat().st_size or marker.name == "second")):
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)
    _write(fake)


def _write(fake: FakeInstance) -> None:
    from app.instance import write_runtime

    write_runtime(fake.data_dir, fake.info)


def test_what_an_earlier_start_said_is_not_blamed_on_this_one(tmp_path: Path) -> None:
    with pytest.raises(NotRunningError, match="the cellar is flooded"):
        launch._start_and_wait(tmp_path, [command(tmp_path, "import sys; sys.exit('the cellar is flooded')")], 10)
    with pytest.raises(NotRunningError, match="the roof is off") as caught:
        launch._start_and_wait(tmp_path, [command(tmp_path, "import sys; sys.exit('the roof is off')")], 10)
    assert "flooded" not in caught.value.message
