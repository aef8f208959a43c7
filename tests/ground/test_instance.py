from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

from app.errors import AlreadyRunningError, SettingsError
from app.instance import (
    Holding,
    RuntimeInfo,
    command_in_use,
    hold_instance,
    is_healthy,
    read_runtime,
    remove_runtime,
    write_runtime,
)

HOLDER = """
import sys, pathlib, time
from app.instance import hold_instance
with hold_instance(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_one_holder_at_a_time_and_a_killed_one_frees_the_directory(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline() == b"held\n"
    with pytest.raises(AlreadyRunningError, match=str(tmp_path)), hold_instance(tmp_path):
        pytest.fail("two processes hold one directory")
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    with hold_instance(tmp_path):
        assert tmp_path.is_dir()


def test_a_command_that_holds_the_directory_is_named_until_it_ends(tmp_path: Path) -> None:
    with hold_instance(tmp_path, Holding.COMMAND):
        with (
            pytest.raises(AlreadyRunningError, match=rf"command in a terminal \(process {os.getpid()}\)"),
            hold_instance(tmp_path),
        ):
            pytest.fail("held twice")
        assert os.name == "nt" or stat.S_IMODE((tmp_path / "instance.lock").stat().st_mode) == 0o600
    assert command_in_use(tmp_path) is None
    with hold_instance(tmp_path):
        assert command_in_use(tmp_path) is None


@pytest.mark.parametrize("content", [b"", b"\0", b"\0\xff\xff", b"\0many command", b"\0 command", b"\0command"])
def test_a_lock_file_that_names_nobody_is_no_command(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "instance.lock").write_bytes(content)
    assert command_in_use(tmp_path) is None


def test_a_directory_that_cannot_be_used_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SettingsError, match="cannot be used"), hold_instance(file / "data"):
        pytest.fail("held a directory below a file")


@pytest.mark.skipif(os.name == "nt", reason="no owner bits")
def test_a_new_data_directory_is_for_the_owner_only(tmp_path: Path) -> None:
    with hold_instance(tmp_path / "data"):
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_runtime_file_is_for_the_owner_only_and_round_trips(tmp_path: Path) -> None:
    info = RuntimeInfo("http://127.0.0.1:4321/mcp", "token", os.getpid(), "1")
    write_runtime(tmp_path, info)
    file = tmp_path / "runtime.json"
    assert read_runtime(tmp_path) == info and (info.host, info.port) == ("127.0.0.1", 4321)
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["runtime.json"]


def test_only_the_writer_removes_the_runtime_file(tmp_path: Path) -> None:
    write_runtime(tmp_path, RuntimeInfo("http://127.0.0.1:1/mcp", "t", os.getpid() + 1, "1"))
    remove_runtime(tmp_path)
    assert read_runtime(tmp_path) is not None
    write_runtime(tmp_path, RuntimeInfo("http://127.0.0.1:1/mcp", "t", os.getpid(), "1"))
    remove_runtime(tmp_path)
    assert read_runtime(tmp_path) is None


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"url": 1}', '{"url": "x", "token": "t", "pid": "many", "version": "1"}']
)
def test_a_damaged_runtime_file_counts_as_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "runtime.json").write_text(content)
    assert read_runtime(tmp_path) is None


def test_nobody_listening_is_not_healthy() -> None:
    assert not is_healthy(RuntimeInfo("http://127.0.0.1:9/mcp", "t", 1, "1"), timeout=0.5)


@pytest.mark.parametrize("body", [b"[]", b"7", b"null", b'"ok"', b"{}", b"no JSON"])
def test_an_answer_that_names_no_process_is_not_healthy(body: bytes) -> None:
    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.handle_request, daemon=True).start()
        assert not is_healthy(RuntimeInfo(f"http://127.0.0.1:{server.server_port}/mcp", "t", os.getpid(), "1"))
