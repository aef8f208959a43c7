"""One instance per data directory: a second start shows the first one's window and ends."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.desktop import __main__ as entry
from app.desktop.application import DesktopApp
from app.desktop.handover import Handover, ShowListener, ask_to_show, socket_name
from app.instance import RuntimeInfo, hold_instance, write_runtime

ROOT = Path(__file__).resolve().parents[2]


def second_start(data_dir: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app.desktop", "--data-dir", str(data_dir), *options]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)


def test_second_process_raises_the_first(desktop: DesktopApp, qtbot: QtBot) -> None:
    data_dir = desktop.settings.running.data_dir
    with hold_instance(data_dir):
        desktop.window.hide()
        process = second_start(data_dir)
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
        assert process.returncode == 0, process.stderr and process.stderr.read()
        qtbot.waitUntil(desktop.window.isVisible)


def test_hidden_second_process_leaves_the_first_alone(desktop: DesktopApp, qtbot: QtBot) -> None:
    data_dir = desktop.settings.running.data_dir
    with hold_instance(data_dir):
        desktop.window.hide()
        process = second_start(data_dir, "--hidden")
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
        assert process.returncode == 0
        assert not desktop.window.isVisible()


def test_socket_left_by_a_dead_process_is_taken_over(tmp_path: Path, qtbot: QtBot) -> None:
    from PySide6.QtNetwork import QLocalServer

    left_over = QLocalServer()
    assert left_over.listen(socket_name(tmp_path))
    shown: list[int] = []
    listener = ShowListener(tmp_path, lambda: shown.append(1))
    assert listener.is_listening
    code = f"from pathlib import Path; from app.desktop.handover import ask_to_show; print(ask_to_show(Path({str(tmp_path)!r})))"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
    assert process.stdout is not None
    assert process.stdout.read().strip() == Handover.SHOWN
    assert shown == [1]
    listener.close()


@pytest.fixture
def instance(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """A running instance that answers /control/show with the given status."""
    status, seen = request.param, list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            seen.append(f"{self.path} {self.headers['Authorization']}")
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            return

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    write_runtime(tmp_path, RuntimeInfo(f"http://127.0.0.1:{server.server_address[1]}/mcp", "secret", 1, "0"))
    yield seen
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("instance", "outcome"),
    [(200, Handover.SHOWN), (409, Handover.HEADLESS), (401, Handover.SILENT)],
    indirect=["instance"],
)
def test_instance_without_a_local_socket_is_asked_over_http(
    instance: list[str], outcome: Handover, tmp_path: Path, qtbot: QtBot
) -> None:
    assert ask_to_show(tmp_path) is outcome
    assert instance == ["/control/show Bearer secret"]


def test_instance_that_does_not_answer_is_an_error(
    tmp_path: Path, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    with hold_instance(tmp_path):
        process = second_start(tmp_path)
        _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "does not answer" in errors


def test_settings_that_cannot_be_read_are_told(own_home: Path, tmp_path: Path) -> None:
    (own_home / "config.toml").write_text("[server]\nmcp_port = 'many'\n")
    process = second_start(tmp_path)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "mcp_port" in errors


def test_options() -> None:
    options = entry._parser().parse_args(["--hidden", "--data-dir", "/x"])
    assert options.hidden
    assert options.data_dir == Path("/x")
    assert not options.selftest
