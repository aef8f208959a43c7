"""Tests of the single instance: a second start shows the window of the first one and exits."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtNetwork import QLocalSocket
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.desktop import __main__ as entry
from app.desktop.application import DesktopApp
from app.desktop.dialogs.add.dialog import AddPageDialog
from app.desktop.single_instance import MAX_REQUEST_BYTES, Handover, ShowListener, ask_to_show, socket_name
from app.errors import AlreadyRunningError
from app.instance import CHALLENGE_HEADER, RuntimeInfo, hold_instance, proof_of, write_runtime
from tests.integration.application import TELLS_IMPORTS, imported

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]


def second_start(data_dir: Path, *options: str, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "app.desktop", "--data-dir", str(data_dir), *options]
    return subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment})


def test_a_second_process_raises_the_first(desktop: DesktopApp, qtbot: QtBot) -> None:
    data_dir = desktop.settings.running.data_dir
    with hold_instance(data_dir):
        desktop.window.hide()
        process = second_start(data_dir, **TELLS_IMPORTS)
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
        errors = process.communicate()[1]
        assert process.returncode == 0, errors
        qtbot.waitUntil(desktop.window.isVisible)
    assert not {"PySide6.QtWidgets", "app.desktop.wording"} & imported(errors), "it asks before it loads a window"


@pytest.mark.parametrize(
    ("given", "offered"), [("https://docs.example/a?b=ü", "https://docs.example/a?b=ü"), ("not an address", "")]
)
def test_a_page_from_a_second_start_is_offered(given: str, offered: str, desktop: DesktopApp, qtbot: QtBot) -> None:
    QGuiApplication.clipboard().clear()
    data_dir = desktop.settings.running.data_dir
    code = (
        "import sys; from pathlib import Path; from app.desktop.single_instance import ask_to_show; "
        "ask_to_show(Path(sys.argv[1]), sys.argv[2])"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(data_dir), given], cwd=ROOT)
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
    qtbot.waitUntil(lambda: bool(desktop.window.findChildren(AddPageDialog)))
    assert desktop.window.findChildren(AddPageDialog)[-1].pages.address.text() == offered


def test_an_endless_request_is_not_accepted(tmp_path: Path, qtbot: QtBot) -> None:
    asked: list[str] = []
    listener = ShowListener(tmp_path, asked.append)
    socket = QLocalSocket()
    socket.connectToServer(socket_name(tmp_path))
    assert socket.waitForConnected(1_000)
    for _ in range(10):
        socket.write(b"x" * MAX_REQUEST_BYTES)
    socket.flush()
    qtbot.waitUntil(lambda: socket.state() is QLocalSocket.LocalSocketState.UnconnectedState)
    assert asked == []
    listener.close()


def test_a_window_that_hung_gets_repeated_requests_once(tmp_path: Path, qtbot: QtBot) -> None:
    asked: list[str] = []
    listener = ShowListener(tmp_path, asked.append)
    starts = [QLocalSocket() for _ in range(3)]
    for start, address in zip(starts, ("https://a.example/", "https://a.example/", "https://b.example/"), strict=True):
        start.connectToServer(socket_name(tmp_path))
        assert start.waitForConnected(1_000)
        start.write(f"{address}\n".encode())
        start.flush()
    qtbot.waitUntil(lambda: all(start.bytesAvailable() for start in starts))
    assert asked == ["https://a.example/", "https://b.example/"]
    listener.close()


def test_an_error_of_a_start_by_a_bridge_is_for_its_assistant(tmp_path: Path) -> None:
    """Without a dialog, of which each try of the assistant would open another one."""
    (tmp_path / "file").touch()
    process = second_start(tmp_path / "file" / "webrag", "--hidden")
    errors = process.communicate(timeout=240)[1]
    assert process.returncode == 1
    assert errors.startswith("error: The data folder") and "\nhint: Start WebRAG Desktop" in errors


def test_a_hidden_second_process_does_not_raise_the_first(desktop: DesktopApp, qtbot: QtBot) -> None:
    data_dir = desktop.settings.running.data_dir
    with hold_instance(data_dir):
        desktop.window.hide()
        process = second_start(data_dir, "--hidden", **TELLS_IMPORTS)
        qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
        assert "PySide6.QtWidgets" not in imported(process.communicate()[1])
        assert process.returncode == 0
        assert not desktop.window.isVisible()


def test_the_socket_of_a_dead_process_is_taken_over(tmp_path: Path, qtbot: QtBot) -> None:
    from PySide6.QtNetwork import QLocalServer

    left_over = QLocalServer()
    assert left_over.listen(socket_name(tmp_path))
    shown: list[str] = []
    listener = ShowListener(tmp_path, shown.append)
    assert listener.is_listening
    code = f"from pathlib import Path; from app.desktop.single_instance import ask_to_show; print(ask_to_show(Path({str(tmp_path)!r})))"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    qtbot.waitUntil(lambda: process.poll() is not None, timeout=15_000)
    assert process.stdout is not None
    assert process.stdout.read().strip() == Handover.SHOWN
    assert shown == [""]
    listener.close()


@pytest.fixture
def instance(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """A running instance that responds to /control/show with the given status."""
    status, seen = request.param, list[str]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            proof = proof_of("secret", self.headers[CHALLENGE_HEADER], server.server_port)
            body = json.dumps({"proof": proof}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

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
def test_an_instance_without_a_local_socket_is_contacted_over_http(
    instance: list[str], outcome: Handover, tmp_path: Path, qtbot: QtBot
) -> None:
    assert ask_to_show(tmp_path) is outcome
    assert instance == ["/control/show Bearer secret"]


def test_an_unresponsive_instance_is_an_error(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "ANSWER_WAIT_SECONDS", 0.3)
    options = entry._parser().parse_args(["--data-dir", str(tmp_path)])
    with hold_instance(tmp_path), pytest.raises(AlreadyRunningError, match="does not respond"):
        entry._run(qapp, options)


@pytest.mark.parametrize("is_wanted", [True, False])
def test_an_unresponsive_process_is_ended_after_confirmation(
    is_wanted: bool, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = tmp_path / "webrag-desktop"
    script.write_text(
        "import sys, time, pathlib\nfrom app.instance import hold_instance\n"
        "with hold_instance(pathlib.Path(sys.argv[1])):\n    print('held', flush=True)\n    time.sleep(60)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    holder = subprocess.Popen(
        [sys.executable, str(script), str(tmp_path / "data")], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(f"{box.text()} {box.informativeText()}")
        wanted = QMessageBox.ButtonRole.AcceptRole if is_wanted else QMessageBox.ButtonRole.RejectRole
        next(each for each in box.buttons() if box.buttonRole(each) is wanted).click()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", answer)
    monkeypatch.setattr("app.desktop.qt.SILENT_PLATFORMS", frozenset())
    monkeypatch.setattr(entry, "ANSWER_WAIT_SECONDS", 0.3)
    monkeypatch.setattr(entry, "_show", lambda *_: 7)
    options = entry._parser().parse_args(["--data-dir", str(tmp_path / "data")])
    try:
        if is_wanted:
            assert entry._run(qapp, options) == 7
            assert not psutil.pid_exists(holder.pid)
        else:
            with pytest.raises(AlreadyRunningError, match=f"process {holder.pid}"):
                entry._run(qapp, options)
            assert holder.poll() is None
        assert f"{holder.pid}" in asked[0] and str(script) in asked[0]
    finally:
        holder.kill()
        holder.communicate()


def test_an_instance_that_exits_instead_of_responding_is_replaced(tmp_path: Path, qtbot: QtBot) -> None:
    with hold_instance(tmp_path):
        assert ask_to_show(tmp_path) is Handover.SILENT
    assert entry._ask_until_answered(tmp_path, "") is None


def test_five_simultaneous_starts_have_one_winner_that_can_be_replaced_when_killed(
    tmp_path: Path, qtbot: QtBot
) -> None:
    """With real processes: all but one hand over and exit with 0; kill -9 leaves socket and runtime.json."""

    def start() -> subprocess.Popen[str]:
        return second_start(tmp_path, MCP_PORT="0", QT_QPA_PLATFORM="offscreen")

    processes = [start() for _ in range(5)]
    try:
        qtbot.waitUntil(lambda: sum(process.poll() is not None for process in processes) == 4, timeout=40_000)
        assert [process.returncode for process in processes if process.returncode is not None] == [0] * 4
        winner = next(process for process in processes if process.returncode is None)
        assert ask_to_show(tmp_path) is Handover.SHOWN
        winner.kill()
        winner.wait(10)
        heir = start()
        processes.append(heir)
        qtbot.waitUntil(lambda: ask_to_show(tmp_path) is Handover.SHOWN, timeout=30_000)
        heir.terminate()
        assert heir.wait(20) == 0
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def test_unreadable_settings_are_reported(own_home: Path, tmp_path: Path) -> None:
    (own_home / "config.toml").write_text("[server]\nmcp_port = 'many'\n")
    process = second_start(tmp_path)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 1
    assert "mcp_port" in errors


def test_options_are_parsed() -> None:
    options = entry._parser().parse_args(["--hidden", "--data-dir", "/x", "https://a.example/"])
    assert options.things == ["https://a.example/"]
    assert options.hidden
    assert options.data_dir == Path("/x")
    assert not options.selftest
