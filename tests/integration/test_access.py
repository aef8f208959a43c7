"""Access to the running program: incomplete requests do not block others, and it does not open to other computers by default."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import socket
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.cli import main
from app.instance import read_runtime
from tests.conftest import with_guide
from tests.integration.application import Application, running

pytestmark = pytest.mark.real

FEW_FILES = 120
HALF_REQUESTS = 300
BEARER = {"Authorization": "Bearer test-token"}


def connect(application: Application) -> http.client.HTTPConnection:
    parts = urlsplit(application.url)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)


def post_call(connection: http.client.HTTPConnection) -> dict[str, object]:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "status", "arguments": {}}}
    headers = {**BEARER, "Content-Type": "application/json"}
    connection.request("POST", "/mcp", json.dumps(call), headers)
    response = connection.getresponse()
    assert response.status == 200
    answer: dict[str, object] = json.loads(response.read())
    return answer


def test_half_requests_do_not_keep_a_client_out_of_a_process_with_few_files(tmp_path: Path, guide_file: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2 * HALF_REQUESTS:
        pytest.skip("the test itself may not open enough files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, 2 * HALF_REQUESTS), hard))
    data_dir = with_guide(tmp_path / "data", guide_file)
    with running(data_dir, files=FEW_FILES) as application, contextlib.ExitStack() as stack:
        attached = connect(application)
        attached.request("GET", "/control/attach?client=first", headers=BEARER)
        line = attached.getresponse()
        assert line.status == 200 and line.readline()
        address = urlsplit(application.url)
        for _ in range(HALF_REQUESTS):
            half = stack.enter_context(socket.create_connection((address.hostname, address.port), timeout=60))
            half.sendall(b"POST /mcp HTTP/1.1\r\nHost: x")
        for _ in range(3):
            with contextlib.closing(connect(application)) as client:
                assert "result" in post_call(client)
        assert line.readline(), "the line of the attached client is still there"
        attached.close()
    log = (tmp_path / "data" / "logs" / "webrag.log").read_text(encoding="utf-8")
    assert "Traceback" not in log and log.count("Too many open files") <= 20


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--token", "in-the-process-list"), "process list"),
        (("--token=x",), "process list"),
        (("--token-file", "FILE", "--transport", "stdio"), "does not work with"),
        (("--token-file", "/nowhere/token"), "Cannot read the token file"),
        (("--host", "0.0.0.0"), "Other machines could reach WebRAG"),
        (("--host", "::"), "Other machines could reach WebRAG"),
        (("--host", "0.0.0.0", "--token-file", "FILE"), "at least 16 characters"),
    ],
)
def test_the_server_does_not_start_with_invalid_options(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    said: str,
) -> None:
    (tmp_path / "token").write_text("short")
    monkeypatch.delenv("MCP_AUTH_TOKEN", raising=False)
    given = [str(tmp_path / "token") if each == "FILE" else each for each in arguments]
    transport = [] if "--transport" in given else ["--transport", "streamable-http"]
    assert main(["serve", "--port", "0", "--data-dir", str(tmp_path / "data"), *transport, *given]) == 1
    told = capsys.readouterr().err
    assert said in told
    assert "MCP_AUTH_TOKEN" in told or "--token-file" in told or "/nowhere/token" in told
    assert not (tmp_path / "data" / "runtime.json").exists()


def test_the_token_file_is_used_the_log_is_private_and_a_taken_port_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    token, data = tmp_path / "token", tmp_path / "data"
    token.write_text("a-token-in-a-file\n")
    logs = data / "logs"
    logs.mkdir(parents=True)
    for name in ("webrag.log", "webrag.log.1"):
        (logs / name).write_text("from an earlier version\n")
        (logs / name).chmod(0o644)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with running(data, "--token-file", str(token), "--port", str(port)) as application:
            info = read_runtime(data)
            assert info is not None and info.token == "a-token-in-a-file"
            assert (info.wanted_port, info.port == port) == (port, False)
            assert main(["status", "--data-dir", str(data)]) == 0
            assert f"Another program uses port {port}." in capsys.readouterr().err
            words = Path(f"/proc/{application.process.pid}/cmdline")
            assert not words.exists() or b"a-token-in-a-file" not in words.read_bytes()
    assert {oct(path.stat().st_mode & 0o777) for path in logs.iterdir()} == {"0o600"}
