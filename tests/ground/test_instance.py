from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest

from app.errors import AlreadyRunningError, SettingsError
from app.instance import (
    CHALLENGE_HEADER,
    Holding,
    ImpostorError,
    InstanceConnection,
    RuntimeInfo,
    command_in_use,
    hold_instance,
    is_healthy,
    proof_of,
    read_runtime,
    remove_runtime,
    silent_holder,
    write_runtime,
)

HOLDER = """
import sys, pathlib, time
from app.instance import hold_instance
with hold_instance(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_only_one_holder_and_a_killed_one_releases_the_directory(tmp_path: Path) -> None:
    holder = subprocess.Popen([sys.executable, "-c", HOLDER, str(tmp_path)], stdout=subprocess.PIPE)
    assert holder.stdout is not None and holder.stdout.readline().strip() == b"held"
    with pytest.raises(AlreadyRunningError, match=re.escape(str(tmp_path))), hold_instance(tmp_path):
        pytest.fail("two processes hold one directory")
    holder.kill()
    holder.wait()
    with hold_instance(tmp_path):
        assert tmp_path.is_dir()


def test_a_command_that_holds_the_directory_is_named_until_it_ends(tmp_path: Path) -> None:
    with hold_instance(tmp_path, Holding.COMMAND):
        with (
            pytest.raises(AlreadyRunningError, match=rf"webrag command \(process {os.getpid()}\)"),
            hold_instance(tmp_path),
        ):
            pytest.fail("held twice")
        assert os.name == "nt" or stat.S_IMODE((tmp_path / "instance.lock").stat().st_mode) == 0o600
    assert command_in_use(tmp_path) is None
    with hold_instance(tmp_path):
        assert command_in_use(tmp_path) is None


def test_a_silent_holder_is_named_with_the_command_that_ends_it(tmp_path: Path) -> None:
    with hold_instance(tmp_path):
        error = silent_holder(tmp_path)
    assert f"process {os.getpid()}" in error.message
    assert f"kill {os.getpid()}" in error.hint or f"/PID {os.getpid()}" in error.hint
    assert "process" in silent_holder(tmp_path).message, "also without a recorded holder"


@pytest.mark.parametrize("content", [b"", b"\0", b"\0\xff\xff", b"\0many command", b"\0 command", b"\0command"])
def test_a_lock_file_without_a_holder_is_not_a_command(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "instance.lock").write_bytes(content)
    assert command_in_use(tmp_path) is None


def test_an_unusable_directory_is_reported(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(SettingsError, match="is not usable"), hold_instance(file / "data"):
        pytest.fail("held a directory below a file")


@pytest.mark.skipif(os.name == "nt", reason="no owner bits")
def test_a_new_data_directory_is_private(tmp_path: Path) -> None:
    with hold_instance(tmp_path / "data"):
        assert stat.S_IMODE((tmp_path / "data").stat().st_mode) == 0o700


def test_runtime_file_is_private_and_round_trips(tmp_path: Path) -> None:
    info = RuntimeInfo("http://127.0.0.1:4321/mcp", "token", os.getpid(), "1")
    write_runtime(tmp_path, info)
    file = tmp_path / "runtime.json"
    assert read_runtime(tmp_path) == info and (info.host, info.port) == ("127.0.0.1", 4321)
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in tmp_path.iterdir()) == ["reserve", "runtime.json"]


def test_a_full_disk_has_space_for_the_runtime_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reserved space is used for it. Without any, the error is reported and no partial file remains."""
    info = RuntimeInfo("http://127.0.0.1:4321/mcp", "token", os.getpid(), "1")
    write_runtime(tmp_path, info)
    remove_runtime(tmp_path)
    reserve, replace = tmp_path / "reserve", Path.replace

    def full(part: Path, target: Path) -> Path:
        if reserve.exists() or not has_reserve:
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(part, target)

    monkeypatch.setattr("app.paths.Path.replace", full)
    has_reserve = True
    write_runtime(tmp_path, info)
    assert read_runtime(tmp_path) == info
    assert not reserve.exists()
    has_reserve = False
    with pytest.raises(OSError, match="No space left"):
        write_runtime(tmp_path, info)
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


def test_an_unused_port_is_not_healthy() -> None:
    assert not is_healthy(RuntimeInfo("http://127.0.0.1:9/mcp", "t", 1, "1"), timeout=0.5)


@pytest.mark.parametrize("body", [b"[]", b"7", b"null", b'"ok"', b"{}", b"no JSON"])
def test_a_response_without_a_process_is_not_healthy(body: bytes) -> None:
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


class Listener:
    """A program that took the port of an instance, with everything it received. `answer` creates the body for a nonce."""

    def __init__(self, answer: Callable[[str], object]) -> None:
        self.heads: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                outer.heads.append(str(self.headers))
                body = json.dumps(answer(self.headers.get(CHALLENGE_HEADER, ""))).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_port

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


TOKEN = "secret-token-of-the-instance"


@pytest.mark.parametrize(
    "answer",
    [
        lambda nonce: {"status": "ok", "pid": os.getpid()},
        lambda nonce: {"proof": ""},
        lambda nonce: {"proof": nonce},
        lambda nonce: {"proof": proof_of("another token", nonce, 1)},
        lambda nonce: [nonce],
    ],
)
def test_a_program_without_proof_never_receives_the_token(answer: Callable[[str], object]) -> None:
    with Listener(answer) as impostor:
        info = RuntimeInfo(f"http://127.0.0.1:{impostor.port}/mcp", TOKEN, os.getpid(), "1")
        assert not is_healthy(info)
        connection = InstanceConnection(info, timeout=5)
        with pytest.raises(ImpostorError):
            connection.request("POST", "/mcp", b"{}", connection.authorisation)
        assert impostor.heads
        assert not any(TOKEN in head for head in impostor.heads)


def test_a_proof_for_another_port_is_invalid() -> None:
    """A program that relays the challenge to the real instance gets a proof for the instance's port."""
    with Listener(lambda nonce: {"proof": proof_of(TOKEN, nonce, 1)}) as relay:
        info = RuntimeInfo(f"http://127.0.0.1:{relay.port}/mcp", TOKEN, os.getpid(), "1")
        with pytest.raises(ImpostorError):
            InstanceConnection(info, timeout=5).connect()


def test_the_token_holder_must_prove_itself_on_each_connection() -> None:
    asked: list[str] = []

    def answer(nonce: str) -> object:
        if nonce:
            asked.append(nonce)
        return {"pid": os.getpid(), "proof": proof_of(TOKEN, nonce, instance.port)}

    with Listener(answer) as instance:
        info = RuntimeInfo(f"http://127.0.0.1:{instance.port}/mcp", TOKEN, os.getpid(), "1")
        connection = InstanceConnection(info, timeout=5)
        for _ in range(2):
            for _ in range(2):
                connection.request("GET", "/healthz", headers=connection.authorisation)
                assert connection.getresponse().read()
            connection.close()
        assert len(asked) == len(set(asked)) == 2
        assert is_healthy(info)


def test_a_partial_runtime_file_of_a_killed_process_is_removed(tmp_path: Path) -> None:
    for name in ("runtime.json", "runtime.json.4711", "runtime.json.mine"):
        (tmp_path / name).write_text('{"token": "secr')
    with hold_instance(tmp_path):
        assert sorted(path.name for path in tmp_path.glob("runtime*")) == ["runtime.json", "runtime.json.mine"]


@pytest.mark.parametrize("drop", [b"X-Pad: 1\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n", b"x", b""])
def test_single_bytes_now_and_then_do_not_delay_the_client_forever(drop: bytes) -> None:
    over = threading.Event()

    def drip(listener: socket.socket) -> None:
        taken, _ = listener.accept()
        with taken, contextlib.suppress(OSError):
            taken.sendall(b"HTTP/1.1 200 OK\r\n")
            while not over.wait(0.02):
                taken.sendall(drop)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        dripping = threading.Thread(target=drip, args=(listener,))
        dripping.start()
        info = RuntimeInfo(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", TOKEN, os.getpid(), "1")
        answers: list[bool] = []
        asking = threading.Thread(target=lambda: answers.append(is_healthy(info, timeout=0.3)), daemon=True)
        asking.start()
        asking.join(60)
        over.set()
        dripping.join()
    assert answers == [False]
