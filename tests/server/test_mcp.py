"""The same server over every transport and in both protocol eras, with the official client."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp.types as types
import pytest
from mcp import MCPError

from app.events import CallFinished, CallStarted
from app.server.calls.registry import Registry, ToolCall, ToolOutput
from app.server.protocol.mcp_server import instructions
from app.server.tools import build_registry
from app.server.tools.status import STATUS
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import PHASES, FakeEngine
from tests.server.transports import KINDS, MODES, connected

ASK = {"url": results.HIVES, "query": results.QUERY}

every_way = [pytest.mark.parametrize("mode", MODES), pytest.mark.parametrize("kind", KINDS)]
pytestmark = every_way


def text_of(reply: types.CallToolResult) -> str:
    (block,) = reply.content
    assert isinstance(block, types.TextContent)
    return block.text


async def test_server_introduces_itself_truthfully(kind: str, mode: str) -> None:
    engine = FakeEngine()
    async with connected(kind, mode, engine) as client:
        assert client.protocol_version == ("2026-07-28" if mode == "auto" else "2025-11-25")
        assert client.instructions == instructions(build_registry(engine.settings))
        offered = client.server_capabilities.model_dump(exclude_none=True)
        # A handshake only lists extensions for clients that declare some.
        assert ("extensions" in offered) == (mode == "auto")
        assert set(offered) - {"extensions"} == {"tools", "resources", "prompts", "completions"}
        # Only the newer era has streams for changes; the older one needs a pipe.
        told = {offered[kind]["list_changed"] for kind in ("tools", "resources", "prompts")}
        assert told == {mode == "auto"}


async def listed(kind: str, mode: str) -> list[dict[str, Any]]:
    async with connected(kind, mode, FakeEngine()) as client:
        page = await client.list_tools()
    assert page.next_cursor is None
    return [tool.model_dump(mode="json", by_alias=True) for tool in page.tools]


async def test_tools_are_the_same_everywhere(kind: str, mode: str) -> None:
    """They are identical on every transport of an era; between eras the library reorders schema keys."""
    here = await listed(kind, mode)
    assert json.dumps(here) == json.dumps(await listed("memory", mode))
    assert here == await listed("memory", "auto")


async def test_answer_comes_with_its_progress(kind: str, mode: str) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with connected(kind, mode, FakeEngine()) as client:
        reply = await client.call_tool("answer", ASK, progress_callback=on_progress)
        await asyncio.sleep(0.05)
    assert text_of(reply).startswith("[SOURCES]\n")
    assert not reply.is_error
    assert reply.structured_content is None
    assert [detail for _, _, detail in told] == [detail for _, detail in PHASES]
    done = [progress for progress, _, _ in told]
    assert done == sorted(set(done)) and done[0] > 0 and done[-1] < 100
    assert {total for _, total, _ in told} == {100.0}


async def test_call_without_progress_works(kind: str, mode: str) -> None:
    async with connected(kind, mode, FakeEngine()) as client:
        assert "[STATS]" in text_of(await client.call_tool("search", {"query": "q"}))
        assert "[CORPUS STATUS]" in text_of(await client.call_tool("status"))


async def test_errors_are_results_and_unknown_tools_are_not(kind: str, mode: str) -> None:
    engine = FakeEngine(failure=ValueError("internal detail"))
    async with connected(kind, mode, engine) as client:
        reply = await client.call_tool("answer", ASK)
        assert reply.is_error
        assert "internal detail" not in text_of(reply)
        assert (await client.call_tool("answer", {"query": "q"})).is_error
        assert (await client.call_tool("search_documentation", {})).is_error
        with pytest.raises(MCPError) as caught:
            await client.call_tool("no.such.tool", {})
    assert caught.value.code == types.INVALID_PARAMS
    assert caught.value.message == "Unknown tool: no.such.tool"


async def test_caller_is_known_by_name(kind: str, mode: str) -> None:
    engine = FakeEngine()
    async with connected(kind, mode, engine) as client:
        client_name = client.client_info.name if client.client_info else "mcp"
        await client.call_tool("status", {})
    started = [event for event in engine.events if isinstance(event, CallStarted)]
    assert [event.client for event in started] == [client_name]


async def test_progress_is_one_short_line_without_controls(kind: str, mode: str) -> None:
    told: list[str | None] = []

    async def handle(call: ToolCall) -> ToolOutput:
        await call.progress("retrieval", "a\x1b[2J\u202eb\nc" + "d" * 1_000)
        return ToolOutput("done")

    async def on_progress(_done: float, _total: float | None, message: str | None) -> None:
        told.append(message)

    async with connected(kind, mode, FakeEngine(), Registry([replace(STATUS, handler=handle)])) as client:
        await client.call_tool("status", {}, progress_callback=on_progress)
    assert told == [f"a[2Jb c{'d' * 492}…"]


async def test_impatient_client_ends_the_handler(kind: str, mode: str) -> None:
    engine = FakeEngine(delay=30)
    async with connected(kind, mode, engine) as client:
        with pytest.raises(MCPError):
            await client.call_tool("answer", ASK, read_timeout_seconds=0.4)
        await asyncio.wait_for(engine.cancelled.wait(), 20)
        await asyncio.sleep(0.05)
        engine.delay = 0
        assert not (await client.call_tool("answer", ASK)).is_error
    outcomes = [event.outcome for event in engine.events if isinstance(event, CallFinished)]
    assert outcomes == ["cancelled", "ok"]


async def test_calls_run_side_by_side(kind: str, mode: str) -> None:
    engine = FakeEngine(delay=0.3)
    async with connected(kind, mode, engine) as client:
        replies = await asyncio.gather(*(client.call_tool("answer", ASK) for _ in range(3)))
    assert engine.most_running == 3
    assert len({text_of(reply) for reply in replies}) == 1


async def call_data_tool(kind: str, mode: str, **settings: Any) -> tuple[types.Tool, types.CallToolResult]:
    async def handle(call: ToolCall) -> ToolOutput:
        return ToolOutput("1. a", structured={"hits": ["a"]})

    schema = {"type": "object", "properties": {"hits": {"type": "array"}}, "required": ["hits"]}
    spec = replace(STATUS, id="kb.probe", output_schema=schema, handler=handle)
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), **settings))
    async with connected(kind, mode, engine, Registry([spec])) as client:
        (listed,) = (await client.list_tools()).tools
        return listed, await client.call_tool("kb.probe", {})


async def test_data_family_carries_both_forms(kind: str, mode: str) -> None:
    listed, reply = await call_data_tool(kind, mode)
    assert (listed.name, listed.title) == ("kb_probe", "kb.probe")
    assert listed.output_schema is not None
    assert (text_of(reply), reply.structured_content) == ("1. a", {"hits": ["a"]})


async def test_structured_output_can_be_the_only_form(kind: str, mode: str) -> None:
    listed, reply = await call_data_tool(kind, mode, mcp_result_mode="structured")
    assert listed.output_schema is not None
    assert (reply.content, reply.structured_content) == ([], {"hits": ["a"]})


@pytest.mark.parametrize("change", [{"mcp_structured_output_enabled": False}, {"mcp_result_mode": "text"}])
async def test_structured_output_can_be_turned_off(kind: str, mode: str, change: dict[str, Any]) -> None:
    listed, reply = await call_data_tool(kind, mode, **change)
    assert listed.output_schema is None
    assert (text_of(reply), reply.structured_content) == ("1. a", None)
