"""`serve --transport stdio` for its client: lines that are not messages, batches, and other output of the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.cli.stdio import PipeClient
from app.serialise import read_json

ROOT = Path(__file__).resolve().parents[2]
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
NOISY = """
import os, sys
from app.cli import main
import threading, time
def make_noise():
    while True:
        print("noise of a library")
        os.write(1, b"noise of its C part\\n")
        time.sleep(0.1)
class Late:
    def find_spec(self, name, *_):
        if name == "app.cli.parser":
            threading.Thread(target=make_noise, daemon=True).start()
            sys.meta_path.remove(self)
sys.meta_path.insert(0, Late())
sys.exit(main())
"""


async def answers(*sent: bytes) -> list[Any]:
    """Return the responses to a client's lines from a server that answers each request with its method's name."""
    from_client, to_server = os.pipe()
    from_server, to_client = os.pipe()
    client = PipeClient(from_client, to_client, lambda: None)
    os.write(to_server, b"\n".join(sent))
    os.close(to_server)
    async for message in client.messages():
        if "id" in message and "method" in message:
            await client.write({"jsonrpc": "2.0", "id": message["id"], "result": message["method"]})
    os.close(to_client)
    with os.fdopen(from_server, "rb") as stream:
        lines = [read_json(line) for line in stream.read().splitlines()]
    os.close(from_client)
    return lines


@pytest.mark.parametrize(
    ("line", "message_id", "code"),
    [
        (b"{bad json", None, -32700),
        (b'"\xff"', None, -32700),
        (b"[" * 50_000, None, -32700),
        (b"[]", None, -32600),
        (b'"x"', None, -32600),
        (b"3", None, -32600),
        (b'{"id":9,"method":"ping"}', 9, -32600),
        (b'{"jsonrpc":"2.0","id":9}', 9, -32600),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":[]}', 9, -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    ],
)
async def test_each_invalid_line_gets_a_response(line: bytes, message_id: object, code: int) -> None:
    refused, pong = await answers(line, json.dumps(PING).encode())
    assert (refused["id"], refused["error"]["code"]) == (message_id, code)
    assert pong["result"] == "ping"


async def test_half_a_surrogate_pair_is_read_as_the_replacement() -> None:
    (answer,) = await answers(rb'{"jsonrpc":"2.0","id":"\ud800","method":"\udc00"}')
    assert (answer["id"], answer["result"]) == ("\ufffd", "\ufffd")


async def test_blank_lines_responses_and_a_byte_order_mark_get_none() -> None:
    line = b"\xef\xbb\xbf" + json.dumps(PING).encode() + b"\r"
    assert len(await answers(b"", b"  ", b'{"jsonrpc":"2.0","id":4,"result":{}}', line)) == 1


async def test_the_responses_to_a_batch_arrive_together() -> None:
    other = {**PING, "id": "b"}
    batch = [PING, 5, {"jsonrpc": "2.0", "method": "notifications/initialized"}, other]
    together, alone = await answers(json.dumps(batch).encode(), json.dumps({**PING, "id": 2}).encode())
    assert sorted(str(each["id"]) for each in together) == ["1", "None", "b"]
    assert alone["id"] == 2


def test_an_oversized_line_is_refused_with_its_id() -> None:
    (refused,) = _piped(json.dumps({**PING, "params": {"x": "a" * caps.BRIDGE_MESSAGE_BYTES}}).encode())
    assert (refused["id"], refused["error"]["code"]) == (1, -32600)
    assert "can have at most" in refused["error"]["message"]


def _piped(line: bytes) -> list[Any]:
    code = (
        "import asyncio\nfrom app.cli.stdio import PipeClient\n"
        "async def run():\n    async for _ in PipeClient(0, 1, lambda: None).messages(): pass\nasyncio.run(run())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, input=line, capture_output=True, check=True, timeout=180
    )
    return [json.loads(each) for each in done.stdout.splitlines()]


@pytest.mark.real
def test_only_the_protocol_reaches_the_client_even_during_the_start(tmp_path: Path) -> None:
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    lines = (b"{bad json", json.dumps({**PING, "method": "initialize", "params": hello}).encode(), b"")
    done = subprocess.run(
        [sys.executable, "-c", NOISY, "--data-dir", str(tmp_path), "serve"],
        cwd=ROOT,
        input=b"\n".join(lines),
        capture_output=True,
        check=False,
        timeout=180,
        env={**os.environ, "MCP_TRANSPORT": "stdio"},
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [None, 1]
    assert b"noise of its C part" in done.stderr
    assert b"noise of a library" in done.stderr


def test_help_is_still_printed(capfd: pytest.CaptureFixture[str]) -> None:
    from app.cli import main

    assert main(["serve", "--help"]) == 0
    assert "--transport" in capfd.readouterr().out
