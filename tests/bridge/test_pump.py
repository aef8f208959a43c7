"""The bridge process between a client and an instance: eras, concurrency, cancellation, hostile input."""

from __future__ import annotations

import base64
import json
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.serialise import sound
from tests.bridge.fake_instance import MODERN, TOOLS, FakeInstance
from tests.bridge.process import ROOT, BridgeProcess

MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "Modern", "version": "2"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


def test_initialize_is_forwarded_and_its_version_is_sent_with_later_messages(
    bridge: BridgeProcess, instance: FakeInstance
) -> None:
    assert bridge.initialize("2025-03-26")["result"]["protocolVersion"] == "2025-03-26"
    bridge.send("notifications/initialized")
    bridge.send("tools/list", id="a")
    assert bridge.receive() == {"jsonrpc": "2.0", "id": "a", "result": {"tools": TOOLS}}
    headers, _ = instance.bodies("tools/list")[0]
    assert headers["mcp-protocol-version"] == "2025-03-26"
    assert "mcp-method" not in headers
    assert headers["x-webrag-client"] == "Test%20Client/1.0"
    assert headers["x-webrag-bridge"] == str(bridge.process.pid)
    assert "mcp-protocol-version" not in instance.bodies("initialize")[0][0]


def test_messages_pipelined_behind_initialize_wait_for_the_negotiated_version(
    bridge: BridgeProcess, instance: FakeInstance
) -> None:
    info = {"name": "Hasty", "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info}
    bridge.send("initialize", params, id=0)
    for number in range(1, 6):
        bridge.send("tools/list", id=number)
    assert sorted(bridge.receive()["id"] for _ in range(6)) == list(range(6))
    versions = {headers.get("mcp-protocol-version") for headers, _ in instance.bodies("tools/list")}
    assert versions == {"2025-06-18"}


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("echo", "echo"),
        ("kb.search", "kb.search"),
        ("größe", f"=?base64?{base64.b64encode('größe'.encode()).decode()}?="),
        (
            "evil\r\nX-Injected: 1",
            f"=?base64?{base64.b64encode(b'evil' + bytes([13, 10]) + b'X-Injected: 1').decode()}?=",
        ),
        (" padded ", f"=?base64?{base64.b64encode(b' padded ').decode()}?="),
        ("=?base64?eA==?=", f"=?base64?{base64.b64encode(b'=?base64?eA==?=').decode()}?="),
    ],
)
def test_modern_messages_carry_version_method_and_name(
    bridge: BridgeProcess, instance: FakeInstance, name: str, header: str
) -> None:
    bridge.send("tools/call", {"name": name, "arguments": {}, "_meta": MODERN_META}, id=1)
    assert bridge.receive()["id"] == 1
    headers, body = instance.bodies("tools/call")[0]
    assert headers["mcp-protocol-version"] == MODERN
    assert headers["mcp-method"] == "tools/call"
    assert headers["mcp-name"] == header
    assert headers["x-webrag-client"] == "Modern/2"
    assert "x-injected" not in headers
    assert body["params"]["name"] == name


def test_twenty_calls_run_in_parallel_over_persistent_connections(
    bridge: BridgeProcess, instance: FakeInstance
) -> None:
    bridge.know_tools()
    for number in range(20):
        bridge.call("echo", {"seconds": 0.3, "text": f"n{number}"}, id=number)
    replies = {}
    for _ in range(20):
        reply = bridge.receive()
        replies[reply["id"]] = reply["result"]["content"][0]["text"]
    assert replies == {number: f"n{number}" for number in range(20)}
    assert instance.most_at_once == 20
    opened = instance.connections
    for number in range(10):
        bridge.call("echo", {}, id=number)
        bridge.receive()
    assert instance.connections == opened


def test_progress_arrives_before_the_answer(bridge: BridgeProcess, instance: FakeInstance) -> None:
    bridge.initialize()
    bridge.call("progress", id=3)
    note = bridge.receive()
    assert note["method"] == "notifications/progress"
    assert note["params"]["message"] == "half way ½"
    assert bridge.silent(0.1)
    instance.release.set()
    assert bridge.receive()["id"] == 3


@pytest.mark.parametrize("meta", [None, MODERN_META], ids=["handshake era", "modern era"])
def test_cancellation_closes_the_stream_and_is_not_answered(
    bridge: BridgeProcess, instance: FakeInstance, meta: dict[str, Any] | None
) -> None:
    bridge.initialize()
    bridge.send("tools/call", {"name": "hang", "arguments": {}, **({"_meta": meta} if meta else {})}, id="x")
    assert instance.entered.wait(30)
    bridge.send("notifications/cancelled", {"requestId": "other"})
    bridge.send("notifications/cancelled", {"requestId": "x", "reason": "changed my mind"})
    assert instance.cancelled.wait(30)
    assert bridge.silent(0.2)
    bridge.call("echo", {"text": "still here"}, id="y")
    assert bridge.receive()["id"] == "y"


def test_only_messages_for_the_client_reach_stdout(bridge: BridgeProcess) -> None:
    bridge.initialize()
    bridge.call("noise", id=9)
    assert bridge.receive() == {"jsonrpc": "2.0", "id": 9, "result": {"content": []}}
    assert bridge.silent(0.1)
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in bridge.lines)


def test_prints_of_a_library_do_not_reach_the_client(instance: FakeInstance, tmp_path: Any) -> None:
    noisy = tmp_path / "noisy"
    noisy.mkdir()
    (noisy / "sitecustomize.py").write_text(
        "import threading, os\n"
        "def shout():\n"
        "    for _ in range(50):\n"
        "        print('noise', flush=True); os.write(1, b'raw noise\\n'); __import__('time').sleep(0.02)\n"
        "import app.bridge.stdio as stdio\n"
        "claim = stdio.claim_stdio\n"
        "def claimed():\n"
        "    ends = claim(); threading.Thread(target=shout, daemon=True).start(); return ends\n"
        "stdio.claim_stdio = claimed\n",
        encoding="utf-8",
    )
    with BridgeProcess(instance.data_dir, PYTHONPATH=f"{noisy}") as bridge:
        bridge.initialize()
        for number in range(5):
            bridge.call("echo", {"seconds": 0.1}, id=number)
            bridge.receive()
        bridge.close_input()
        assert bridge.process.stderr is not None
        assert b"raw noise" in bridge.process.stderr.read()
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in bridge.lines)


def test_error_answers_of_the_server_get_the_id_of_the_request(bridge: BridgeProcess) -> None:
    bridge.initialize()
    bridge.send("no/such", id="mine")
    assert bridge.receive() == {
        "jsonrpc": "2.0",
        "id": "mine",
        "error": {"code": -32601, "message": "Method not found"},
    }


@pytest.mark.parametrize("status", [404, 413, 500])
def test_an_http_error_page_becomes_a_json_rpc_error(bridge: BridgeProcess, status: int) -> None:
    bridge.initialize()
    bridge.call("page", {"status": status}, id=4)
    reply = bridge.receive()
    assert reply["id"] == 4
    assert reply["error"]["code"] == -32000
    assert "html" not in reply["error"]["message"]


def test_a_batch_is_answered_as_one_array(bridge: BridgeProcess, instance: FakeInstance) -> None:
    bridge.initialize()
    batch = [
        {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "tools/call",
            "params": {"name": "echo", "arguments": {"seconds": 0.1}},
        },
        {"jsonrpc": "2.0", "id": 7, "result": {}},
        17,
    ]
    bridge.send_raw(json.dumps(batch).encode() + b"\n")
    answers = bridge.receive()
    assert sorted((str(answer["id"]), "error" in answer) for answer in answers) == [
        ("1", False),
        ("2", False),
        ("None", True),
    ]
    assert len(instance.bodies("notifications/initialized")) == 1


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{not json", -32700),
        (b"\xff\xfe\x00", -32700),
        (b'{"jsonrpc":"2.0","id":' + b"1" * 5000 + b"}", -32700),
        (b"[" * 200_000, -32700),
        (b"17", -32600),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"x","params":"' + b"a" * caps.BRIDGE_MESSAGE_BYTES + b'"}',
            -32600,
        ),
    ],
    ids=lambda value: repr(value[:24]) if isinstance(value, bytes) else None,
)
def test_hostile_lines_get_an_error_and_do_no_harm(bridge: BridgeProcess, line: bytes, code: int) -> None:
    bridge.send_raw(line + b"\n")
    assert bridge.receive()["error"]["code"] == code
    assert bridge.initialize()["id"] == 0


@pytest.mark.parametrize(
    "message",
    [
        {"params": [1, 2]},
        {"params": {"name": 7, "_meta": "none"}},
        {
            "params": {
                "name": "echo",
                "arguments": [],
                "_meta": {"io.modelcontextprotocol/protocolVersion": 5},
            }
        },
        {"params": {"name": "x\ud800y", "_meta": MODERN_META}},
    ],
)
def test_odd_parameters_are_forwarded_for_the_server_to_judge(
    bridge: BridgeProcess, instance: FakeInstance, message: dict[str, Any]
) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", **message}
    bridge.send_raw(json.dumps(body).encode() + b"\n")
    assert bridge.receive()["error"]["code"] == -32601
    assert instance.bodies("resources/read")[0][1] == sound(body)


def test_blank_lines_carriage_returns_and_a_byte_order_mark_are_ignored(bridge: BridgeProcess) -> None:
    bridge.send_raw(b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"tools/list"}\r\n\r\n\n  \n')
    assert bridge.receive()["id"] == 1
    assert bridge.silent(0.1)


def test_a_message_of_ten_megabytes_is_refused_and_the_next_one_accepted(bridge: BridgeProcess) -> None:
    text = b"a" * 10_000_000
    bridge.send_raw(b'{"jsonrpc":"2.0","id":"large","method":"tools/call","params":{"text":"' + text + b'"}}\n')
    answer = bridge.receive()
    assert (answer["id"], answer["error"]["code"]) == ("large", -32600)
    assert str(caps.BRIDGE_MESSAGE_BYTES) in answer["error"]["message"]
    bridge.send("tools/list", id=2)
    assert bridge.receive()["id"] == 2


@pytest.mark.parametrize(
    ("kind", "size", "said"),
    [("long", caps.BRIDGE_MESSAGE_BYTES, "too large for the bridge"), ("deep", 200_000, "")],
)
def test_a_response_that_cannot_be_forwarded_is_an_error(
    bridge: BridgeProcess, kind: str, size: int, said: str
) -> None:
    bridge.call("odd", {"kind": kind, "size": size}, id=1)
    answer = bridge.receive()
    assert answer["id"] == 1 and said in answer["error"]["message"]
    bridge.call("echo", {"text": "x" * 2_000_000}, id=2)
    assert len(bridge.receive()["result"]["content"][0]["text"]) == 2_000_000


def test_a_message_may_arrive_in_parts_or_with_others(bridge: BridgeProcess) -> None:
    line = '{"jsonrpc":"2.0","id":"é","method":"tools/list"}\n'.encode()
    for place in range(0, len(line), 7):
        bridge.send_raw(line[place : place + 7])
        time.sleep(0.005)
    assert bridge.receive()["id"] == "é"
    bridge.send_raw(line + line + line[:-1])
    assert [bridge.receive()["id"] for _ in range(2)] == ["é"] * 2
    assert bridge.silent(0.1)
    bridge.send_raw(b"\r\n")
    assert bridge.receive()["id"] == "é"


@pytest.mark.parametrize("message_id", [0, -1, 2**53, "", "a b", "7"])
def test_every_id_is_returned_unchanged(bridge: BridgeProcess, message_id: int | str) -> None:
    bridge.send("tools/list", id=message_id)
    answer = bridge.receive()
    assert answer["id"] == message_id and type(answer["id"]) is type(message_id)


@pytest.mark.parametrize("message_id", ["null", "1.5", "true", "[1]", '{"a":1}', "1e400"])
def test_other_ids_are_refused(bridge: BridgeProcess, message_id: str) -> None:
    bridge.send_raw(f'{{"jsonrpc":"2.0","id":{message_id},"method":"tools/list"}}\n'.encode())
    answer = bridge.receive()
    assert answer["id"] is None and answer["error"]["code"] == -32600


def test_the_last_line_counts_without_its_ending_and_pending_replies_arrive(bridge: BridgeProcess) -> None:
    bridge.initialize()
    call = {
        "jsonrpc": "2.0",
        "id": 8,
        "method": "tools/call",
        "params": {"name": "echo", "arguments": {"seconds": 0.4}},
    }
    bridge.send_raw(json.dumps(call).encode())
    assert bridge.close_input() == 0
    assert bridge.receive()["id"] == 8


def test_end_of_input_ends_an_idle_process_immediately(bridge: BridgeProcess) -> None:
    bridge.initialize()
    started = time.monotonic()
    assert bridge.close_input() == 0
    assert time.monotonic() - started < caps.BRIDGE_DRAIN_SECONDS


def test_end_of_input_does_not_wait_forever(instance: FakeInstance, tmp_path: Path) -> None:
    hook = tmp_path / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text("import app.caps\napp.caps.BRIDGE_DRAIN_SECONDS = 0.7\n", encoding="utf-8")
    with BridgeProcess(instance.data_dir, PYTHONPATH=str(hook)) as bridge:
        bridge.initialize()
        bridge.call("hang", id=1)
        assert instance.entered.wait(30)
        started = time.monotonic()
        assert bridge.close_input() == 0
        assert 0.6 < time.monotonic() - started < 20
        assert instance.cancelled.wait(30)


def test_a_client_that_stops_reading_ends_the_bridge(instance: FakeInstance) -> None:
    with BridgeProcess(instance.data_dir, collect=False) as bridge:
        assert bridge.process.stdout is not None
        bridge.process.stdout.close()
        bridge.call("echo", {}, id=1)
        assert bridge.process.wait(30) == 0


def test_the_lifeline_names_the_client(bridge: BridgeProcess, instance: FakeInstance) -> None:
    bridge.initialize()
    deadline = time.monotonic() + 60
    while not instance.attached and time.monotonic() < deadline:
        time.sleep(0.02)
    assert instance.attached == [{"client": "Test Client/1.0", "pid": str(bridge.process.pid)}]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads /proc")
def test_a_bridge_stays_small(bridge: BridgeProcess) -> None:
    status = Path(f"/proc/{bridge.process.pid}/status")
    bridge.initialize()
    for number in range(20):
        bridge.call("echo", {"seconds": 0.1, "text": "x" * 10_000}, id=number)
    for _ in range(20):
        bridge.receive()
    peak = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    assert int(peak.split()[1]) <= 30 * 1024


def test_a_client_without_stderr_gets_clean_messages_too(instance: FakeInstance) -> None:
    line = shlex.join([sys.executable, "-m", "app", "mcp", "--data-dir", str(instance.data_dir)])
    message = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
    done = subprocess.run(["sh", "-c", f"exec {line} 2>&-"], cwd=ROOT, input=message, capture_output=True, check=True)
    assert json.loads(done.stdout)["id"] == 1


def test_the_bridge_loads_the_standard_library_and_little_more() -> None:
    """Every additional import would cost every client time at every start."""
    code = "import sys, app.bridge.pump; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    own = {name for name in done.stdout.split() if name.split(".")[0] == "app"}
    allowed = {"app", "app.instance", "app.paths", "app.errors", "app.caps", "app.extensions"}
    assert {name for name in own if not name.startswith("app.bridge")} == allowed
    assert not {"asyncio", "argparse", "subprocess", "logging", "httpx", "numpy"} & set(done.stdout.split())
