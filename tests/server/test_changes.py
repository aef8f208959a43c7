"""Changed lists reach clients: on streams in the newer era, over pipes and the bridge in the older one."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2
import mcp.types as types
import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.subscriptions import PromptsListChanged, ResourcesListChanged, ResourceUpdated, ToolsListChanged

from app import caps
from app.events import ClientsChanged, DocumentChanged, ScratchChanged, ToolsChanged
from app.instance import RuntimeInfo, hold_instance, write_runtime
from app.server.calls.registry import PROFILES
from tests.bridge.process import ROOT, BridgeProcess
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, KINDS, TOKEN, client_of, connected, listening
from tests.support.site import Site

TOOLS = ToolsChanged(profile="simple")
PINS = ScratchChanged(kept=1, bytes=1, pinned=1, pins_changed=True)
STORED = DocumentChanged("https://bees.example/", 7, "stored")


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.server.protocol.changes.TOOLS_CHANGE_SECONDS", 0.01)


async def test_a_page_can_be_named_by_its_library_address() -> None:
    engine, address = FakeEngine(), "webrag://lib/private/page/7"
    async with (
        connected("memory", "auto", engine) as client,
        client.listen(resource_subscriptions=[address]) as told,
        asyncio.timeout(60),
    ):
        engine.bus.publish(replace(STORED, change="updated"))
        assert await anext(told) == ResourceUpdated(address)


@pytest.mark.parametrize("kind", KINDS)
async def test_streams_deliver_the_requested_changes(kind: str) -> None:
    engine = FakeEngine()
    async with connected(kind, "auto", engine) as client:
        async with (
            client.listen(
                tools_list_changed=True, resources_list_changed=True, resource_subscriptions=["webrag://page/7"]
            ) as told,
            asyncio.timeout(60),
        ):
            for event, expected in (
                (replace(TOOLS, profile="simple"), ToolsListChanged()),
                (PINS, ResourcesListChanged()),
                (replace(STORED, change="updated"), ResourceUpdated("webrag://page/7")),
            ):
                engine.bus.publish(event)
                assert await anext(told) == expected
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == set(PROFILES["simple"])


async def test_many_changes_share_one_notification() -> None:
    engine, seen = FakeEngine(), list[Any]()
    async with (
        connected("memory", "auto", engine) as client,
        client.listen(resources_list_changed=True, prompts_list_changed=True) as told,
    ):
        for number in range(50):
            engine.bus.publish(replace(STORED, document_id=number))
            engine.bus.publish(replace(PINS, pins_changed=False))
            engine.bus.publish(replace(STORED, change="embedded"))
        engine.bus.publish(TOOLS)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while True:
                    seen.append(await anext(told))
    assert sorted(map(repr, seen)) == [repr(PromptsListChanged()), repr(ResourcesListChanged())]


async def test_a_server_that_stops_ends_its_streams() -> None:
    engine = FakeEngine()
    async with (
        listening(engine) as server,
        client_of(server.url, "auto") as client,
        client.listen(tools_list_changed=True) as told,
    ):
        async with asyncio.timeout(caps.SHUTDOWN_SECONDS):
            await server.stop()
        assert [event async for event in told] == []


async def test_the_bridge_notifies_clients_of_the_older_era(tmp_path: Path) -> None:
    engine, attached = FakeEngine(), asyncio.Event()
    engine.bus.subscribe(lambda event: attached.set() if isinstance(event, ClientsChanged) else None)
    with hold_instance(tmp_path):
        async with listening(engine) as server:
            write_runtime(tmp_path, RuntimeInfo(server.url, TOKEN, os.getpid(), "0"))
            with BridgeProcess(tmp_path) as bridge:
                capabilities = (await asyncio.to_thread(bridge.initialize))["result"]["capabilities"]
                assert all(capabilities[kind]["listChanged"] for kind in ("tools", "prompts", "resources"))
                await asyncio.wait_for(attached.wait(), 30)
                engine.bus.publish(TOOLS)
                assert await asyncio.to_thread(bridge.silent, 0.3)
                bridge.send("notifications/initialized")
                bridge.send("ping", id=1)
                assert (await asyncio.to_thread(bridge.receive))["id"] == 1
                engine.bus.publish(TOOLS)
                told = {(await asyncio.to_thread(bridge.receive))["method"] for _ in range(2)}
                assert told == {"notifications/tools/list_changed", "notifications/prompts/list_changed"}
                engine.bus.publish(PINS)
                told_last = await asyncio.to_thread(bridge.receive)
                assert told_last == {"jsonrpc": "2.0", "method": "notifications/resources/list_changed"}


async def test_streams_go_through_the_bridge(tmp_path: Path) -> None:
    engine = FakeEngine()
    with hold_instance(tmp_path):
        async with listening(engine) as server:
            write_runtime(tmp_path, RuntimeInfo(server.url, TOKEN, os.getpid(), "0"))
            command = [sys.executable, "-m", "app", "mcp", "--data-dir", str(tmp_path)]
            bridge = StdioServerParameters(command=command[0], args=command[1:], env=dict(os.environ), cwd=ROOT)
            async with Client(bridge) as client, client.listen(tools_list_changed=True) as told, asyncio.timeout(60):
                assert client.server_capabilities.tools is not None
                assert client.server_capabilities.tools.list_changed
                engine.bus.publish(TOOLS)
                assert await anext(told) == ToolsListChanged()


@asynccontextmanager
async def over_stdio(data_dir: Path, mode: str, **more: Any) -> AsyncIterator[Client]:
    arguments = ["-m", "app", "serve", "--transport", "stdio", "--data-dir", str(data_dir)]
    served = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ), cwd=ROOT)
    async with Client(served, mode=mode, **more) as client:
        yield client


@pytest.mark.real
async def test_over_stdio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real program in the older era lists and reads the guide, and a new page changes the list."""
    told: asyncio.Queue[str] = asyncio.Queue()

    async def on_message(message: Any) -> None:
        if isinstance(message, types.ResourceListChangedNotification):
            told.put_nowait(message.method)

    monkeypatch.setenv("WEBRAG_ALLOW_NETWORKS", "127.0.0.0/8")
    with Site() as site:
        site.page("/queen", "<main><h1>Queens</h1><p>A queen lives for years and lays eggs every day.</p></main>")
        async with over_stdio(tmp_path, "legacy", message_handler=on_message) as client:
            assert client.server_capabilities.resources is not None
            assert client.server_capabilities.resources.list_changed
            listed = (await client.list_resources()).resources
            assert {each.uri.rpartition("/")[0] for each in listed} == {"webrag://guide"}
            (page,) = (await client.read_resource(listed[0].uri)).contents
            assert isinstance(page, types.TextResourceContents)
            assert len(page.text.encode()) == listed[0].size
            assert {each.name for each in (await client.list_prompts()).prompts} >= {"research_url"}
            await client.call_tool("ingest", {"url": [site.url("/queen")]})
            assert await asyncio.wait_for(told.get(), 30) == "notifications/resources/list_changed"
            newest = (await client.list_resources()).resources[0]
            assert newest.description == site.url("/queen")


async def test_a_client_that_takes_no_stream_is_told_so() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "subscriptions/listen",
        "params": {"_meta": meta, "notifications": {"toolsListChanged": True}},
    }
    headers = {
        **BEARER,
        "Accept": "application/json",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
    }
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=headers, trust_env=False, verify=False) as client,
    ):
        answer = await client.post(server.url, json=body, timeout=5)
    assert answer.status_code == 406
