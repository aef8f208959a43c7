"""The bridge outlives the instance: restarts, crashes during a response, and missing instances."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from app.instance import RuntimeInfo, hold_instance, read_runtime, write_runtime
from tests.bridge.fake_instance import FakeInstance
from tests.bridge.process import BridgeProcess


def test_calls_continue_after_a_restart_with_another_port_and_token(
    instance: FakeInstance, bridge: BridgeProcess
) -> None:
    bridge.initialize()
    first = instance.info
    instance.stop()
    instance.token = "another"
    instance.start()
    assert instance.info.port != first.port
    bridge.call("echo", {"text": "after"}, id=1)
    assert bridge.receive()["result"]["content"][0]["text"] == "after"


def test_a_new_token_at_the_same_address_is_picked_up(instance: FakeInstance, bridge: BridgeProcess) -> None:
    bridge.initialize()
    instance.token = "rotated"
    write_runtime(instance.data_dir, instance.info)
    bridge.call("echo", {"text": "after"}, id=1)
    assert bridge.receive()["result"]["content"][0]["text"] == "after"


def test_the_bridge_waits_for_a_restarting_instance(instance: FakeInstance, bridge: BridgeProcess) -> None:
    bridge.initialize()
    instance.stop()
    bridge.call("echo", {"text": "patient"}, id=1)
    time.sleep(0.4)
    instance.start()
    assert bridge.receive()["result"]["content"][0]["text"] == "patient"
    assert len(instance.bodies("tools/call")) == 1


def test_an_incomplete_response_is_requested_again(instance: FakeInstance, bridge: BridgeProcess) -> None:
    bridge.know_tools()
    bridge.call("die_once", {"text": "second try"}, id=1)
    assert bridge.receive()["result"]["content"][0]["text"] == "second try"
    assert len(instance.bodies("tools/call")) == 2


def test_an_instance_that_keeps_failing_gives_an_error_with_a_next_step(
    instance: FakeInstance, bridge: BridgeProcess
) -> None:
    bridge.know_tools()
    bridge.call("page", {"status": 503}, id=1)
    reply = bridge.receive()
    assert reply["error"]["code"] == -32000
    assert "Start WebRAG Desktop" in reply["error"]["message"]
    assert len(instance.bodies("tools/call")) == 2


def test_two_bridges_share_one_instance(instance: FakeInstance, bridge: BridgeProcess) -> None:
    with BridgeProcess(instance.data_dir) as second:
        bridge.initialize()
        second.initialize()
        bridge.call("echo", {"seconds": 0.2, "text": "one"}, id=1)
        second.call("echo", {"seconds": 0.2, "text": "two"}, id=1)
        assert bridge.receive()["result"]["content"][0]["text"] == "one"
        assert second.receive()["result"]["content"][0]["text"] == "two"
    assert {headers["x-webrag-bridge"] for headers, _ in instance.bodies("tools/call")} == {
        str(bridge.process.pid),
        str(second.process.pid),
    }


def test_the_lifeline_is_restored_without_a_call(instance: FakeInstance, bridge: BridgeProcess) -> None:
    bridge.initialize()
    _wait_for_attachments(instance, 1)
    instance.stop()
    instance.start()
    _wait_for_attachments(instance, 2)


def test_a_stale_file_of_a_dead_instance_is_not_trusted(tmp_path: Path) -> None:
    with hold_instance(tmp_path), FakeInstance(tmp_path, write=False) as running:
        dead = RuntimeInfo("http://127.0.0.1:9/mcp", "t", 1, "0")
        write_runtime(tmp_path, dead)
        with BridgeProcess(tmp_path) as bridge:
            info = {"name": "c", "version": "1"}
            bridge.send("initialize", {"protocolVersion": "2025-06-18", "clientInfo": info}, id=0)
            time.sleep(0.2)
            write_runtime(tmp_path, running.info)
            assert bridge.receive()["id"] == 0
        assert read_runtime(tmp_path) == running.info


def test_a_call_that_may_have_run_is_never_repeated(instance: FakeInstance, bridge: BridgeProcess) -> None:
    """The error says that the call can be repeated and may have run already."""
    bridge.know_tools()
    bridge.call("store", id=1)
    error = bridge.receive()["error"]
    assert error["data"] == {"retryable": True, "mayHaveRun": True}
    assert "check before you call it again" in error["message"]
    assert len(instance.bodies("tools/call")) == 1
    bridge.call("store", id=2)
    assert bridge.receive()["id"] == 2
    assert len(instance.bodies("tools/call")) == 2


def test_an_undelivered_call_is_sent_again_even_if_it_writes(instance: FakeInstance, bridge: BridgeProcess) -> None:
    bridge.know_tools()
    instance.stop()
    instance.start()
    bridge.call("noise", id=1)
    assert bridge.receive()["id"] == 1
    assert len(instance.bodies("tools/call")) == 1


@pytest.mark.parametrize("proves", [True, False])
def test_calls_to_an_instance_without_heartbeats_are_given_up(
    instance: FakeInstance, tmp_path: Path, proves: bool
) -> None:
    """Writing calls use a new connection. An instance that cannot prove itself on it never received the call."""
    instance.proves_while_stuck = proves
    hook = tmp_path / "hook"
    hook.mkdir()
    shorter = """
import app.caps, app.instance
app.caps.INSTANCE_CONNECT_SECONDS = 0.5
import app.bridge.instances as i, app.bridge.start as s
i.BRIDGE_SILENCE_SECONDS = i.BRIDGE_RESTART_SECONDS = s.BRIDGE_HUNG_SECONDS = 0.5
i.BRIDGE_FAILURE_SECONDS = 0
app.instance.is_healthy.__kwdefaults__["timeout"] = 0.3
"""
    (hook / "sitecustomize.py").write_text(shorter, encoding="utf-8")
    with BridgeProcess(instance.data_dir, PYTHONPATH=str(hook)) as bridge:
        bridge.know_tools()
        _wait_for_attachments(instance, 1)
        instance.is_stuck = True
        started = time.monotonic()
        bridge.call("store", id=1)
        bridge.call("echo", id=2)
        errors = {reply["id"]: reply["error"] for reply in (bridge.receive(), bridge.receive())}
        assert time.monotonic() - started < 20
        silent = f"WebRAG (process {instance.process_id}) is using"
        assert ("no heartbeat" if proves else silent) in errors[1]["message"]
        assert errors[1]["data"]["mayHaveRun"] == proves
        assert silent in errors[2]["message"]
        assert not errors[2]["data"]["mayHaveRun"]
        instance.is_stuck = False
        bridge.call("echo", {"text": "awake"}, id=3)
        assert bridge.receive()["result"]["content"][0]["text"] == "awake"


def _wait_for_attachments(instance: FakeInstance, count: int) -> None:
    deadline = time.monotonic() + 60
    while len(instance.attached) < count:
        assert time.monotonic() < deadline
        time.sleep(0.02)
