"""Commands with the real engine and server, in this process or in a separate one."""

from __future__ import annotations

import argparse
import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.cli import main
from app.instance import ALREADY_RUNNING_STATUS, RuntimeInfo, find_instance, hold_instance, read_runtime

pytestmark = pytest.mark.real

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "app", *arguments]


@contextmanager
def serving(data_dir: Path, *more: str) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command("serve", "--transport", "streamable-http", "--port", "0", "--data-dir", str(data_dir), *more),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        deadline = time.monotonic() + 60
        while find_instance(data_dir) is None:
            assert process.poll() is None, process.stderr and process.stderr.read().decode()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.communicate()


def test_questions_are_answered_without_a_running_instance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    option = ["--data-dir", str(tmp_path)]
    assert main(["search", "How do I connect Claude Desktop?", "--top-k", "3", "--json", *option]) == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert result["query"] == "How do I connect Claude Desktop?"
    assert any("claude_desktop_config.json" in hit["chunk"]["text"] for hit in result["chunks"])
    assert main(["search", "How do I connect Claude Desktop?", *option]) == 0
    assert capsys.readouterr().out.startswith("[SOURCES]")
    assert main(["verify", *option]) == 0
    assert main(["search", "x", "--mode", "telepathy", *option]) == 1
    assert "telepathy" in capsys.readouterr().err
    with hold_instance(tmp_path):
        assert not (tmp_path / "runtime.json").exists()


def test_a_node_without_any_way_to_sign_in_does_not_start(tmp_path: Path) -> None:
    environ = {
        **{name: value for name, value in os.environ.items() if name != "MCP_AUTH_TOKEN"},
        "WEBRAG_LIBRARY": "postgresql://nobody@127.0.0.1:1/library",
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    done = subprocess.run(
        command("serve", "--transport", "streamable-http", "--port", "0", "--data-dir", str(tmp_path)),
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "neither an access token nor an issuer" in done.stderr and "Set MCP_AUTH_TOKEN" in done.stderr


def test_a_server_prints_its_address_and_ends_cleanly_on_a_signal(tmp_path: Path) -> None:
    token_file = tmp_path / "token"
    token_file.write_text("given\n")
    with serving(tmp_path, "--token-file", str(token_file)) as process:
        info = read_runtime(tmp_path)
        assert info is not None
        assert (info.token, info.pid) == ("given", process.pid)
        second = subprocess.run(
            command("serve", "--transport", "streamable-http", "--port", "0", "--data-dir", str(tmp_path)),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert second.returncode == ALREADY_RUNNING_STATUS
        assert info.url in second.stderr
        stdio = subprocess.run(
            command("serve", "--transport", "stdio", "--data-dir", str(tmp_path)),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "webrag mcp" in stdio.stderr
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0
        assert out == b""
        assert [line for line in err.decode().splitlines() if "listening on" in line] == [f"listening on {info.url}"]
        assert not (tmp_path / "runtime.json").exists()


def listed_tools(info: RuntimeInfo) -> int:
    """Return the number of tools offered to an assistant."""
    connection = http.client.HTTPConnection(info.host, info.port, timeout=30)
    headers = {"Authorization": f"Bearer {info.token}", "Content-Type": "application/json"}
    connection.request("POST", "/mcp", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', headers)
    listed = json.loads(connection.getresponse().read())["result"]["tools"]
    connection.close()
    return len(listed)


def test_a_server_applies_a_tool_profile_and_stops_on_request(
    own_home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(tmp_path) as process:
        info = read_runtime(tmp_path)
        assert info is not None
        before = listed_tools(info)
        assert main(["settings", "mcp_tool_profile", "research", "--data-dir", str(tmp_path)]) == 0
        assert "starts again" not in capsys.readouterr().err
        assert listed_tools(info) < before
        assert main(["settings", "mcp_tool_profile", "--default", "--data-dir", str(tmp_path)]) == 0
        assert listed_tools(info) == before
        connection = http.client.HTTPConnection(info.host, info.port, timeout=5)
        connection.request("POST", "/control/stop", headers={"Authorization": f"Bearer {info.token}"})
        assert connection.getresponse().status == 200
        connection.close()
        assert process.wait(60) == 0


async def test_a_server_for_bridges_ends_after_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio

    from app.cli.serve import AttachmentWatch
    from app.events import ClientsChanged, EventBus

    monkeypatch.setattr("app.cli.serve.ATTACH_GRACE_SECONDS", 0.15)
    bus, stopping = EventBus(), asyncio.Event()
    watch = AttachmentWatch(bus, stopping)
    await asyncio.sleep(0.1)
    bus.publish(ClientsChanged(("Claude",)))
    await asyncio.sleep(0.3)
    assert not stopping.is_set()
    bus.publish(ClientsChanged(("Claude", "Cursor")))
    bus.publish(ClientsChanged(()))
    await asyncio.sleep(0.05)
    assert not stopping.is_set()
    await asyncio.wait_for(stopping.wait(), 60)
    watch.end()


async def test_a_signal_stops_the_server_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    import asyncio
    from types import SimpleNamespace

    from app.cli import serve

    monkeypatch.setattr(serve, "sys", SimpleNamespace(platform="win32"))
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    monkeypatch.setattr(serve, "end_after_signals", lambda: None)
    stopping = asyncio.Event()
    try:
        serve._stop_on_signals(stopping)
        signal.raise_signal(signal.SIGINT)
        await asyncio.wait_for(stopping.wait(), 10)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def test_a_server_stops_before_the_library_is_updated() -> None:
    import asyncio

    from app.cli.serve import _is_started

    class Updating:
        async def start(self, **_: object) -> None:
            await asyncio.Event().wait()

    stopping = asyncio.Event()
    asyncio.get_running_loop().call_later(0.05, stopping.set)
    async with asyncio.timeout(60):
        assert not await _is_started(Updating(), stopping, None)  # type: ignore[arg-type]


def test_the_server_over_stdio_ends_with_its_input(tmp_path: Path) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        },
    }
    process = subprocess.Popen(
        command("serve", "--transport", "stdio", "--data-dir", str(tmp_path)),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(hello).encode() + b"\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    rest, _ = process.communicate(timeout=60)
    assert rest == b""
    assert process.returncode == 0


def test_the_tour_asks_the_guide_through_the_bridge_and_leaves_nothing_running(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.cli.serve import TOUR_QUESTIONS

    monkeypatch.delenv("DISPLAY", raising=False)
    assert main(["tour", "--data-dir", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    for question, page in zip(TOUR_QUESTIONS, ("privacy", "sites-and-folders", "sites-and-folders"), strict=True):
        told = printed.partition(question)[2].partition("\n\n")[0]
        assert f"webrag://guide/{page} § {question.removesuffix('?')}" in told
        assert '[1] "' in told
    assert '"mcpServers"' in printed
    assert "claude mcp add" in printed
    assert "code --add-mcp" in printed
    with hold_instance(tmp_path):
        assert find_instance(tmp_path) is None


def test_the_selftest_checks_every_part(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["--selftest"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) >= 5
    assert all(line.startswith("ok ") for line in lines)
    monkeypatch.setattr("app.paths.assets_dir", lambda: Path("/nowhere"))
    assert main(["--selftest"]) == 1
    assert "FAIL  model" in capsys.readouterr().out


def test_output_into_a_closed_pipe_prints_no_traceback(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        command("search", "connect", "--data-dir", str(tmp_path)),
        cwd=ROOT,
        stdout=write_end,
        stderr=subprocess.PIPE,
        check=False,
    )
    os.close(write_end)
    assert done.returncode == 1
    assert done.stderr == b""


def test_a_text_created_here_is_counted_by_the_tokenizer_of_the_engine(tmp_path: Path) -> None:
    from app.cli.calls import Fitted, call_method
    from app.corpus.records import CorpusStatus
    from app.embed.onnx import OnnxEmbedder
    from app.paths import assets_dir
    from app.text.terms import estimate_tokens

    text = "Überwinterungsvölker: 18 kg, 8 mm."
    options = argparse.Namespace(data_dir=tmp_path, json=False)
    show: Fitted[CorpusStatus] = Fitted(lambda _result, _budget, count: str(count(text)))
    result, shown = call_method(options, "status", {}, CorpusStatus, show)
    assert result.totals.documents > 0
    embedder = OnnxEmbedder(assets_dir() / "model")
    assert int(shown) == embedder.count_tokens_batch([text])[0] != estimate_tokens(text)
    embedder.close()
