"""Identification of callers, and which call a cancellation ends."""

from __future__ import annotations

import anyio
import pytest

from app.events import ClientsChanged, Event, EventBus
from app.server.calls.limits import (
    SESSION_HEADER,
    AttachedClients,
    Caller,
    RunningCalls,
    caller_from_headers,
    new_session_tag,
)


@pytest.mark.parametrize(
    ("headers", "caller"),
    [
        ({}, Caller()),
        (
            {"x-webrag-client": "claude-code/2.1.280", "x-webrag-bridge": "41"},
            Caller("claude-code", "2.1.280", "bridge 41"),
        ),
        ({"x-webrag-client": "Claude%20Desktop%2F1.0/2"}, Caller("Claude Desktop/1.0", "2")),
        ({"x-webrag-client": "curl"}, Caller("curl")),
        ({"x-webrag-client": "a%0Ab%1B[31m/1"}, Caller("ab[31m", "1")),
        ({"x-webrag-client": "Claude%E2%80%AEedoC%20%F0%9F%98%80/1"}, Caller("ClaudeedoC \U0001f600", "1")),
        ({"x-webrag-client": "x" * 500}, Caller("x" * 80)),
        ({"mcp-session-id": "whatever the client says"}, Caller()),
    ],
)
def test_headers_name_the_caller(headers: dict[str, str], caller: Caller) -> None:
    assert caller_from_headers(headers) == caller


@pytest.mark.parametrize("name", ["cursor", "Größe & Co", "a~b", "", "语" * 80])
def test_the_session_tag_contains_the_name(name: str) -> None:
    tag = new_session_tag({"clientInfo": {"name": name, "version": "1.0"}})
    assert all(33 <= ord(letter) <= 126 for letter in tag)
    caller = caller_from_headers({SESSION_HEADER: tag})
    assert caller.name in (name, "unknown")
    assert caller.key.startswith("session ")
    assert new_session_tag({"clientInfo": {"name": name}}) != tag


@pytest.mark.parametrize("params", [{}, {"clientInfo": None}, {"clientInfo": {"name": 7}}])
def test_session_tag_without_a_name(params: dict[str, object]) -> None:
    assert caller_from_headers({SESSION_HEADER: new_session_tag(params)}).name in ("unknown", "7")


def test_attached_clients_are_announced() -> None:
    bus = EventBus()
    events: list[Event] = []
    bus.subscribe(events.append)
    attached = AttachedClients(bus)
    with attached.attach("cursor/1"), attached.attach("cursor/1"), attached.attach(""):
        assert attached.names == ("cursor", "cursor", "unknown")
    assert attached.names == ()
    assert events[2] == ClientsChanged(("cursor", "cursor", "unknown"))
    assert events[-1] == ClientsChanged(())


async def test_cancellation_reaches_the_callers_own_call_only() -> None:
    running = RunningCalls()
    mine, other = Caller(key="bridge 1"), Caller(key="bridge 2")
    with running.cancellable(mine, 7) as scope:
        assert not running.cancel(other, 7)
        assert not running.cancel(mine, "7")
        assert not running.cancel(mine, None)
        assert not scope.cancel_called
        assert running.cancel(mine, 7)
        await anyio.sleep(10)
    assert scope.cancelled_caught
    assert not running.cancel(mine, 7)


async def test_anonymous_calls_cannot_be_cancelled_by_number() -> None:
    running = RunningCalls()
    with running.cancellable(Caller(), 7) as scope:
        assert not running.cancel(Caller(), 7)
    assert not scope.cancel_called
