"""Who is offered which tools: by header, by assistant, by the settings, and when that changes while everything runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mcp.types as types
import pytest
from mcp import Client, MCPError

from app import caps
from app.errors import SettingsError
from app.events import EventBus, ToolsChanged
from app.retrieval.graph.records import Description
from app.server.calls.dispatch import Dispatcher
from app.server.calls.registry import Registry, ToolOffers
from app.server.protocol.mcp_server import build_mcp_server, instructions
from app.server.sessions import Caller
from app.server.tools import TOOLS, build_registry
from app.settings import Settings, load_settings
from tests.server.fake_engine import FakeEngine
from tests.server.transports import MODES, client_of, listening


class SwitchedOff:
    """A graph with nothing in it."""

    async def describe(self, names: object, **more: object) -> Description:
        return Description(disabled=True)


def offers(bus: EventBus | None = None, **settings: Any) -> ToolOffers:
    chosen = Settings(data_dir=Path("unused"), **settings)
    return ToolOffers(build_registry(chosen), chosen, bus or EventBus())


@pytest.mark.parametrize(
    ("caller", "profile", "style"),
    [
        (Caller("unknown"), "docs", "underscore"),
        (Caller("claude-code"), "research", "dotted"),
        (Caller("Claude Code", tools="kb"), "kb", "dotted"),
        (Caller("cursor-vscode"), "kb", "underscore"),
        (Caller("Visual Studio Code"), "docs", "underscore"),
        (Caller("My Agent"), "simple", "dotted"),
        (Caller("my agent", tools="nonsense"), "simple", "dotted"),
    ],
)
def test_the_callers_own_wish_counts_first_then_its_name_then_the_setting(
    caller: Caller, profile: str, style: str
) -> None:
    known = offers(
        mcp_tool_profile="docs",
        mcp_client_tools=("claude-code=research", "cursor=kb", "my agent=simple"),
        mcp_client_name_style=("claude-code=dotted", "My Agent = dotted"),
    )
    registry = known.of(caller)
    assert (registry.profile, registry.name_style) == (profile, style)


def test_a_change_counts_from_the_next_request_on() -> None:
    bus = EventBus()
    known = offers(bus)
    assert known.of(Caller("cursor")).profile == "full"
    bus.publish(ToolsChanged("simple", ("cursor=kb",)))
    assert known.of(Caller("cursor")).profile == "kb"
    assert known.of(Caller("codex-mcp-client")).profile == "simple"


@pytest.mark.parametrize(
    ("client", "mode"), [("@librechat/api-client", "text"), ("My Agent", "structured"), ("cursor", "both")]
)
def test_the_form_of_results_is_set_for_an_assistant_or_for_all(client: str, mode: str) -> None:
    known = offers(mcp_result_mode="both", mcp_client_result_mode=("librechat=text", "my agent=structured"))
    assert known.result_mode(Caller(client)) == mode


def test_structured_results_that_are_switched_off_are_off_for_everybody() -> None:
    known = offers(mcp_structured_output_enabled=False, mcp_client_result_mode=("cursor=both",))
    assert known.result_mode(Caller("cursor")) == "text"


def test_a_form_of_results_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingsError, match="MCP_CLIENT_RESULT_MODE"):
        load_settings(environ={"MCP_CLIENT_RESULT_MODE": "librechat=json"}, file=Path("none"))


@pytest.mark.parametrize("mode", MODES)
async def test_clients_of_one_server_get_results_in_their_own_form(mode: str) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_client_result_mode=("librechat=text",)))
    engine.graph = SwitchedOff()
    async with listening(engine) as server:
        for name, is_structured in (("librechat/1", False), ("codex/1", True), ("librechat/1", False)):
            async with client_of(server.url, mode, {"X-WebRAG-Client": name, "X-WebRAG-Bridge": "7"}) as client:
                listed = {tool.name: tool for tool in (await client.list_tools()).tools}
                assert (listed["graph_describe"].output_schema is not None) == is_structured
                result = await client.call_tool("graph_describe", {})
                assert (result.structured_content is not None) == is_structured
                assert isinstance(result.content[0], types.TextContent) and result.content[0].text


def test_choices_for_clients_come_from_the_environment() -> None:
    settings = load_settings(environ={"MCP_CLIENT_TOOLS": "claude-code=research, cursor=kb"}, file=Path("none"))
    assert settings.mcp_client_tools == ("claude-code=research", "cursor=kb")


async def test_a_tool_of_another_profile_says_where_it_is() -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_tool_profile="simple"))
    calls = Dispatcher(engine, build_registry(engine.settings))
    with pytest.raises(LookupError) as caught:
        await calls.call("ingest", {}, Caller("x"))
    assert str(caught.value) == (
        "Unknown tool: ingest. This client has the tool profile simple: answer, search, status. "
        "The tool is in: full, research, kb."
    )


async def seen(client: Client) -> tuple[set[str], str | None]:
    return {tool.name for tool in (await client.list_tools()).tools}, client.instructions


@pytest.mark.parametrize("mode", MODES)
async def test_each_client_of_one_server_sees_its_own_tools(mode: str) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_client_tools=("mcp=simple",)))
    async with listening(engine) as server:
        async with client_of(server.url, mode) as client:
            names, told = await seen(client)
            assert names == {"answer", "search", "status"}
            assert told == instructions(Registry(TOOLS, profile="simple"))
            with pytest.raises(MCPError) as caught:
                await client.call_tool("ingest", {"url": "https://example.org"})
            assert caught.value.code == types.INVALID_PARAMS
        headers = {"X-WebRAG-Tools": "docs"}
        async with client_of(server.url, mode, headers) as client:
            names, told = await seen(client)
            assert names == {spec.id for spec in Registry(TOOLS, profile="docs").listed()}
            assert told == instructions(Registry(TOOLS, profile="docs"))
        bridge = {"X-WebRAG-Client": "cursor/1", "X-WebRAG-Bridge": "7"}
        async with client_of(server.url, mode, bridge) as client:
            names, _ = await seen(client)
            assert len(names) == len(Registry(TOOLS).listed())
        engine.bus.publish(ToolsChanged("full", ("cursor=simple",)))
        async with client_of(server.url, mode, bridge) as client:
            names, _ = await seen(client)
            assert names == {"answer", "search", "status"}


def test_bridges_of_one_program_are_callers_of_their_own() -> None:
    from app.server.sessions import caller_from_headers

    first, second = (caller_from_headers({"x-webrag-client": "cursor/1", "x-webrag-bridge": pid}) for pid in "12")
    assert first.rate_key != second.rate_key
    assert first.owner != second.owner


def test_limits_of_arguments_leave_room_for_every_schema() -> None:
    """Nothing that a schema allows is refused before the schema is asked."""
    for spec in TOOLS:
        assert len(spec.input_schema["properties"]) <= caps.MAX_ARGUMENT_ENTRIES


def test_the_library_is_told_the_schema_of_every_tool_without_listing_them() -> None:
    engine = FakeEngine()
    registry = build_registry(engine.settings)
    lookup = build_mcp_server(engine, registry).get_tool_input_schema
    assert lookup is not None and lookup("no_such_tool") is None
    for spec in registry.listed():
        assert lookup(registry.wire_name(spec)) == spec.input_schema
