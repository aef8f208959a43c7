"""Start an instance: which commands, how long, and the errors."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.bridge import start
from app.bridge.start import Start, StartLock
from app.errors import NotRunningError
from app.instance import ALREADY_RUNNING_STATUS, Holding, RuntimeInfo, hold_instance, is_outdated, note_holding
from app.paths import program
from tests.bridge.fake_instance import FakeInstance

pytestmark = pytest.mark.real


def command(tmp_path: Path, code: str) -> list[str]:
    script = tmp_path / f"start{len(list(tmp_path.glob('start*.py')))}.py"
    script.write_text(textwrap.dedent(code), encoding="utf-8")
    return [sys.executable, str(script)]


def test_the_tray_is_preferred_with_a_display(tmp_path: Path) -> None:
    windowed, headless = start.start_commands(tmp_path, {"DISPLAY": ":0"}, "linux")
    assert windowed[-3:] == ["--hidden", "--data-dir", str(tmp_path)]
    assert headless[-6:] == [
        "serve",
        "--transport",
        "streamable-http",
        "--while-attached",
        "--data-dir",
        str(tmp_path),
    ]
    assert start.start_commands(tmp_path, {}, "linux") == [headless]
    assert len(start.start_commands(tmp_path, {"WAYLAND_DISPLAY": "wayland-0"}, "linux")) == 2
    assert len(start.start_commands(tmp_path, {}, "darwin")) == 2
    assert len(start.start_commands(tmp_path, {}, "win32")) == 2


def test_executables_are_found_next_to_the_interpreter(tmp_path: Path) -> None:
    python = str(tmp_path / "python")
    assert program("webrag", "app", python) == [python, "-m", "app"]
    (tmp_path / "webrag.exe").touch()
    assert program("webrag", "app", python) == [str(tmp_path / "webrag.exe")]
    (tmp_path / "webrag").touch()
    assert program("webrag", "app", python) == [str(tmp_path / "webrag")]


def test_a_failed_start_reports_the_program_s_error(tmp_path: Path) -> None:
    failing = command(tmp_path, "import sys; sys.exit('the cellar is flooded')")
    with pytest.raises(NotRunningError, match="the cellar is flooded") as caught:
        Start(tmp_path, [failing], 60).run()
    assert "start.log" in caught.value.hint


def test_a_missing_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotRunningError, match="nowhere"):
        Start(tmp_path, [[str(tmp_path / "nowhere")]], 60).run()


def test_a_slow_start_is_given_up(tmp_path: Path) -> None:
    slow = command(tmp_path, "import time; time.sleep(30)")
    started = time.monotonic()
    with pytest.raises(NotRunningError, match="within"):
        Start(tmp_path, [slow], 0.5).run()
    assert time.monotonic() - started < 20


def test_a_window_that_cannot_open_is_replaced_by_the_headless_server(tmp_path: Path) -> None:
    failing = command(tmp_path, "import sys; sys.exit('no display')")
    marker = tmp_path / "second"
    working = command(tmp_path, f"import pathlib, time; pathlib.Path({str(marker)!r}).touch(); time.sleep(10)")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        assert Start(tmp_path, [failing, working], 60).run() == fake.info


def test_losing_the_race_means_waiting_for_the_winner(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({ALREADY_RUNNING_STATUS})")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Timer(0.6, _write, (fake,)).start()
        assert Start(tmp_path, [loser], 60).run() == fake.info


def test_a_command_that_holds_the_data_directory_is_named(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({ALREADY_RUNNING_STATUS})")
    with hold_instance(tmp_path, Holding.COMMAND), pytest.raises(NotRunningError) as caught:
        Start(tmp_path, [loser], 3).run()
    assert f"Another webrag command (process {os.getpid()})" in caught.value.message
    assert "Ctrl+C" in caught.value.hint


def test_a_window_with_its_server_off_is_reported_immediately(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({ALREADY_RUNNING_STATUS})")
    started = time.monotonic()
    with hold_instance(tmp_path, Holding.WINDOW), pytest.raises(NotRunningError, match="MCP_ENABLED"):
        Start(tmp_path, [loser], 60).run()
    assert time.monotonic() - started < 40


def test_a_window_without_its_library_is_reported_immediately(tmp_path: Path) -> None:
    loser = command(tmp_path, f"import sys; sys.exit({ALREADY_RUNNING_STATUS})")
    started = time.monotonic()
    with hold_instance(tmp_path):
        note_holding(tmp_path, Holding.FAILED)
        with pytest.raises(NotRunningError, match="cannot open its library") as caught:
            Start(tmp_path, [loser], 60).run()
    assert time.monotonic() - started < 40
    assert "kill" not in caught.value.hint


def test_a_running_window_with_its_server_off_is_reported_immediately(tmp_path: Path) -> None:
    code = f"""
        import pathlib, sys, time
        sys.path.insert(0, {str(Path(start.__file__).parents[2])!r})
        from app.instance import Holding, RuntimeInfo, hold_instance
        with hold_instance(pathlib.Path({str(tmp_path)!r}), Holding.WINDOW):
            time.sleep(10)
        """
    started = time.monotonic()
    with pytest.raises(NotRunningError, match="MCP_ENABLED"):
        Start(tmp_path, [command(tmp_path, code)], 60).run()
    assert time.monotonic() - started < 40


def test_the_started_process_does_not_keep_our_streams_open(tmp_path: Path) -> None:
    """Its output goes to the log, and it runs in its own session."""
    marker = tmp_path / "session"
    code = f"""
        import os, pathlib, sys, time
        print("hello from the start")
        assert sys.stdin.read() == ""
        pathlib.Path({str(marker)!r}).write_text(f"{{os.getsid(0) == os.getpid()}} {{os.getcwd()}}")
        time.sleep(10)
        """
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        Start(tmp_path, [command(tmp_path, code)], 60).run()
    assert marker.read_text() == f"True {tmp_path}"


def _appear(fake: FakeInstance, marker: Path) -> None:
    deadline = time.monotonic() + 60
    while not (marker.exists() and (marker.stat().st_size or marker.name == "second")):
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)
    _write(fake)


def _write(fake: FakeInstance) -> None:
    from app.instance import write_runtime

    write_runtime(fake.data_dir, fake.info)


def test_output_of_an_earlier_start_is_not_reported_for_this_one(tmp_path: Path) -> None:
    with pytest.raises(NotRunningError, match="the cellar is flooded"):
        Start(tmp_path, [command(tmp_path, "import sys; sys.exit('the cellar is flooded')")], 60).run()
    with pytest.raises(NotRunningError, match="the roof is off") as caught:
        Start(tmp_path, [command(tmp_path, "import sys; sys.exit('the roof is off')")], 60).run()
    assert "flooded" not in caught.value.message


def test_a_missing_program_is_skipped(tmp_path: Path) -> None:
    """The window can be missing although the server is installed."""
    marker = tmp_path / "second"
    working = command(tmp_path, f"import pathlib, time; pathlib.Path({str(marker)!r}).touch(); time.sleep(10)")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        assert Start(tmp_path, [[str(tmp_path / "gone")], working], 20).run() == fake.info


def test_a_removed_program_leads_to_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NotRunningError) as caught:
        Start(tmp_path, [[str(tmp_path / "gone")]], 20).run()
    assert "WebRAG was moved" in caught.value.hint


@pytest.mark.parametrize("blocked", ["data", "data/logs"])
def test_the_program_s_error_is_reported_even_without_a_log(tmp_path: Path, blocked: str) -> None:
    place = tmp_path / blocked
    place.parent.mkdir(exist_ok=True)
    place.touch()
    said = "import sys; print('error: The folder is locked.\\nhint: Unlock it.', file=sys.stderr); sys.exit(1)"
    with pytest.raises(NotRunningError, match=r"The folder is locked\.$") as caught:
        Start(tmp_path / "data", [command(tmp_path, said)], 20).run()
    assert caught.value.hint.startswith("Unlock it. ")


def test_a_full_disk_is_named_if_the_program_cannot_report_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.bridge.start.BRIDGE_FULL_DISK_BYTES", 1 << 60)
    with pytest.raises(NotRunningError) as caught:
        Start(tmp_path, [command(tmp_path, "import sys; sys.exit(1)")], 20).run()
    assert "is full" in caught.value.hint


@pytest.mark.parametrize(
    ("version", "outdated"),
    [("0.9", True), ("1.0", False), ("1", False), ("1.0.1", False), ("0.10.2", True), ("1.1-dev", False), ("", False)],
)
def test_an_earlier_version_is_recognized(version: str, outdated: bool) -> None:
    assert is_outdated(RuntimeInfo("http://127.0.0.1:1/mcp", "t", 1, version), "1.0.0") is outdated


def test_an_application_of_an_earlier_version_is_replaced(tmp_path: Path) -> None:
    marker = tmp_path / "second"
    newer = command(tmp_path, f"import pathlib, time; pathlib.Path({str(marker)!r}).touch(); time.sleep(10)")
    with FakeInstance(tmp_path, version="0.0.1") as old, FakeInstance(tmp_path, write=False) as new:
        old.on_stop = lambda: (tmp_path / "runtime.json").unlink()
        threading.Thread(target=_appear, args=(new, marker), daemon=True).start()
        assert Start(tmp_path, [newer], 20, replaces_outdated=True).run() == new.info
        assert old.controlled == [("/control/stop", {})]


@pytest.mark.parametrize(("version", "asked"), [("0.0.1", 1), ("99.0", 0)])
def test_an_application_that_stays_or_has_a_later_version_is_used_as_it_is(
    tmp_path: Path, version: str, asked: int
) -> None:
    with FakeInstance(tmp_path, version=version) as other:
        assert start.ensure_instance(tmp_path, seconds=20) == other.info
        assert len(other.controlled) == asked


def test_one_bridge_starts_and_the_others_wait_for_it(tmp_path: Path) -> None:
    marker = tmp_path / "second"
    code = f"import os, pathlib, time; pathlib.Path({str(tmp_path)!r}, f'ran{{os.getpid()}}').touch(); "
    starting = command(tmp_path, code + f"pathlib.Path({str(marker)!r}).touch(); time.sleep(10)")
    with FakeInstance(tmp_path, write=False) as fake:
        threading.Thread(target=_appear, args=(fake, marker), daemon=True).start()
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: Start(tmp_path, [starting], 20).run(), range(8)))
        assert found == [fake.info] * 8
    assert len(list(tmp_path.glob("ran*"))) == 1


def test_the_lock_passes_on_when_its_holder_ends(tmp_path: Path) -> None:
    first, second = StartLock(tmp_path), StartLock(tmp_path)
    assert first.take() and first.take() and not second.take()
    first.release()
    assert second.take()
    second.release()


def test_without_a_lock_everyone_may_start(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert StartLock(tmp_path / "file").take() and StartLock(tmp_path / "file").take()
