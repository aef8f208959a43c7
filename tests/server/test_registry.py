"""Names, profiles and switches of tools, their listed form, and the tools of each caller, also when settings change at run time."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import mcp.types as types
import pytest
from jsonschema import Draft202012Validator
from mcp import Client, MCPError

from app import caps
from app.client_limits import CLIENT_LIMITS
from app.errors import SettingsError
from app.events import EventBus, ToolsChanged
from app.library.graph_records import Description
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller, rate_key
from app.server.calls.registry import (
    CANONICAL_NAME,
    CLEAR_NAMES,
    DISABLED,
    LEGACY,
    LISTED_NAME,
    MAX_TOOL_DESCRIPTION_CHARS,
    PROFILES,
    Registry,
    ToolOffers,
    ToolSpec,
    disabled_message,
    normalised_name,
    switched,
    with_collection,
    with_libraries,
)
from app.server.protocol.mcp_server import build_mcp_server, described, instructions
from app.server.tools import TOOLS, build_registry
from app.server.tools.status import STATUS
from app.settings import Settings, load_settings
from app.settings_schema import NAME_STYLES, TOOL_PROFILES
from tests.server.fake_engine import FakeEngine
from tests.server.golden import assert_golden
from tests.server.transports import MODES, client_of, listening

SETTINGS = Settings(data_dir=Path("unused"))
FULL = build_registry(SETTINGS)
MAX_LIST_BYTES = 24 * 1024
PARTS = ("Use when ", "Do not use when ", "Returns at most ", "If you need more, call ", "Defaults: ", "Max: ")
GRAPH_SENTENCES = (
    "Use after `kb.search` to explore relationships between the top 1–3 candidates.",
    "Do not call if `graph_disabled=true` (use `kb.search`/`kb.retrieve_evidence` only).",
    "Do not fetch text until you have narrowed to ≤3 passages.",
)

every_tool = pytest.mark.parametrize("spec", TOOLS, ids=lambda spec: spec.id)
every_profile = pytest.mark.parametrize("profile", TOOL_PROFILES)
every_style = pytest.mark.parametrize("style", NAME_STYLES)


def on_the_wire(registry: Registry) -> list[dict[str, Any]]:
    """Return the entries of tools/list as they are sent."""
    return [described(spec, registry).model_dump(by_alias=True, exclude_none=True) for spec in registry.listed()]


def known_names() -> set[str]:
    """Return every name that a text may mention: tools in each spelling, parameters at any depth, fields of results."""
    names = {"graph_disabled=true", "graph_disabled", "links_to", "co_occurs", "same_as"}
    for spec in TOOLS:
        names |= {spec.id, normalised_name(spec.id)}
        for schema in (spec.input_schema, spec.output_schema):
            names |= {name for _, each in subschemas(schema) for name in each.get("properties", {})}
    return names


def mentioned(text: str) -> set[str]:
    """Return text between backticks, and words that are spelled like a name of the program."""
    return set(re.findall(r"`([^`]+)`", text)) | set(re.findall(r"(?<![.\w])[a-z]+(?:_[a-z]+)+\b", text))


def test_listed_tools_are_as_agreed() -> None:
    assert_golden("tools.json", json.dumps(on_the_wire(FULL), indent=1, ensure_ascii=False))


@every_style
def test_the_whole_list_is_small(style: str) -> None:
    entries = on_the_wire(FULL.view("full", style))
    sizes = {
        entry["name"]: len(json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()) for entry in entries
    }
    size = sum(sizes.values()) + len(sizes) + 1
    assert size <= MAX_LIST_BYTES, f"shorten descriptions: every assistant loads {size} bytes of them: {sizes}"


def test_the_profile_that_the_wizard_proposes_costs_less_than_half() -> None:
    full, standard = (FULL.view(profile, "underscore").cost() for profile in ("full", "standard"))
    assert 8 <= standard.tools <= 10
    assert standard.tokens <= 2_150 and 2 * standard.tokens < full.tokens <= 4_700


@every_profile
@every_style
def test_instructions_are_short_and_name_what_exists(profile: str, style: str) -> None:
    registry = FULL.view(profile, style)
    text = instructions(registry)
    assert len(text.encode()) <= caps.MAX_INSTRUCTION_BYTES
    named = re.findall(r"`([^`]+)`", text)
    assert set(named) <= {registry.wire_name(spec) for spec in registry.listed()}
    assert len(named) == len(set(named))


def test_instructions_are_as_agreed() -> None:
    assert_golden("instructions.txt", instructions(FULL))


@every_tool
def test_description_has_its_five_parts(spec: ToolSpec) -> None:
    assert len(spec.description) <= MAX_TOOL_DESCRIPTION_CHARS
    for part in PARTS:
        assert spec.description.count(part) == 1, f"a description has, once and in this order: {PARTS}"
    order = [spec.description.index(part) for part in PARTS]
    assert order == sorted(order)
    assert mentioned(spec.description) <= known_names()


@every_tool
def test_a_description_names_a_related_tool(spec: ToolSpec) -> None:
    """It names a related tool for other cases, if there is one."""
    others = {normalised_name(other.id) for other in TOOLS if other is not spec}
    words = {normalised_name(word) for word in re.findall(r"[A-Za-z][\w.]*", spec.description)}
    assert words & others, "say which tool to call instead, or if more is needed"


@pytest.mark.parametrize("spec", [spec for spec in TOOLS if spec.id.startswith("graph.")], ids=lambda spec: spec.id)
def test_graph_tools_have_their_three_sentences(spec: ToolSpec) -> None:
    for sentence in GRAPH_SENTENCES:
        assert sentence in " ".join(spec.description.split())


@every_tool
def test_hints_are_true(spec: ToolSpec) -> None:
    reaches_the_web = spec.id.startswith("web.") or spec.id in {"answer", "ingest"}
    writes = spec.id in {"answer", "ingest", "web.readFromPage"}
    assert (spec.hints.open_world, spec.hints.read_only) == (reaches_the_web, not writes)
    assert spec.hints.idempotent
    assert not spec.hints.destructive


@every_tool
def test_schemas_are_valid(spec: ToolSpec) -> None:
    for each in (spec, with_libraries(spec, ("Handbook",)), with_collection(spec)):
        for schema in (each.input_schema, each.output_schema, each.listed_input, each.listed_output):
            Draft202012Validator.check_schema({} if schema is None else schema)


@every_tool
def test_schemas_are_closed_and_short(spec: ToolSpec) -> None:
    """Unknown parameters are refused. Result schemas only give the type of a field, and new fields are allowed."""
    assert spec.input_schema["type"] == "object"
    assert spec.input_schema["additionalProperties"] is False
    assert set(spec.input_schema.get("required", ())) <= set(spec.input_schema["properties"])
    if spec.output_schema is not None:
        assert spec.output_schema["type"] == "object"
        assert all("description" not in schema for _, schema in subschemas(spec.output_schema))
        assert all(schema.get("additionalProperties", True) for _, schema in subschemas(spec.output_schema))


@every_tool
def test_listed_schemas_are_short_forms_of_the_full_ones(spec: ToolSpec) -> None:
    told, whole = spec.listed_input, spec.input_schema
    assert told.get("required") == whole.get("required")
    assert list(told["properties"]) == list(whole["properties"]), "clients only send listed parameters"
    for name, each in told["properties"].items():
        fields = each.get("properties", {})
        assert not fields or list(fields) == list(whole["properties"][name]["properties"]), name
        for part in ("maximum", "default"):
            assert each.get(part, False) == whole["properties"][name].get(part, False), (name, part)
    for name, each in told["properties"].items():
        assert each.get("type") == whole["properties"][name].get("type"), name
        assert each.get("enum") == whole["properties"][name].get("enum"), name
    if spec.output_schema is not None:
        assert spec.listed_output == {"type": "object", "required": spec.output_schema["required"]}
        assert set(spec.output_schema["required"]) <= set(spec.output_schema["properties"])


@pytest.mark.parametrize(
    "spec", [spec for spec in TOOLS if spec.id.startswith(("kb.", "graph."))], ids=lambda spec: spec.id
)
def test_every_parameter_of_the_knowledge_base_has_type_and_meaning(spec: ToolSpec) -> None:
    for path, schema in named_parts(spec.input_schema):
        assert "type" in schema, path
        assert "description" in schema or path.startswith(("options", "scope.", "filters.")), path
    for path, schema in named_parts(spec.output_schema):
        assert "type" in schema, path


def named_parts(schema: Any, above: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Return every field of a schema with its path, also in lists."""
    found: list[tuple[str, dict[str, Any]]] = []
    for name, each in schema.get("properties", {}).items():
        found += [(f"{above}{name}", each), *named_parts(each, f"{above}{name}.")]
    return found + (named_parts(schema["items"], above) if "items" in schema else [])


def test_an_omitted_description_is_in_an_earlier_tool_of_the_list() -> None:
    explained = {"scope", "filters", *CLEAR_NAMES}  # The fields of the first two are clear from their names.
    for spec in sorted(FULL.listed(), key=lambda spec: spec.id not in ("kb.retrieve_evidence", "graph.expand")):
        if spec.id.startswith(("kb.", "graph.")):
            for name, each in spec.listed_input["properties"].items():
                assert "description" in each or name in explained or name == "options", (spec.id, name)
                explained |= {name} if "description" in each else set()


def subschemas(schema: Any, path: str = "") -> list[tuple[str, dict[str, Any]]]:
    if isinstance(schema, list):
        return [found for index, each in enumerate(schema) for found in subschemas(each, f"{path}[{index}]")]
    if not isinstance(schema, dict):
        return []
    here = [(path, schema)] if "type" in schema and not isinstance(schema["type"], dict) else []
    return here + [
        found for key, each in schema.items() if key != "enum" for found in subschemas(each, f"{path}.{key}")
    ]


@every_tool
@every_style
def test_names_pass_every_host(spec: ToolSpec, style: str) -> None:
    registry = FULL.view("full", style)
    assert CANONICAL_NAME.fullmatch(spec.id)
    assert normalised_name(registry.wire_name(spec)) == normalised_name(spec.id)
    underscored = FULL.view("full", "underscore").wire_name(spec)
    assert LISTED_NAME.fullmatch(underscored)
    assert re.fullmatch(r"[a-z][a-z0-9_]{0,39}", underscored)
    for limits in CLIENT_LIMITS:
        assert limits.accepts(underscored), limits.title


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("kb.search", "kb_search"),
        ("kb_search", "kb_search"),
        ("kbSearch", "kb_search"),
        ("web.readFromPage", "web_read_from_page"),
        ("web_readFromPage", "web_read_from_page"),
        ("web_read_from_page", "web_read_from_page"),
    ],
)
def test_every_spelling_means_the_same_tool(spelling: str, name: str) -> None:
    assert normalised_name(spelling) == name
    spec = replace(STATUS, id="kb.search" if name == "kb_search" else "web.readFromPage")
    registry = Registry([spec])
    found = registry.resolve(spelling)
    assert found is not None
    assert registry.wire_name(found) == name
    assert Registry([spec], name_style="dotted").wire_name(spec) == spec.id


def test_profiles_of_the_settings_are_those_of_the_registry() -> None:
    assert set(TOOL_PROFILES) == set(PROFILES)


def probe(*ids: str) -> list[ToolSpec]:
    return [replace(STATUS, id=id, listed=id not in LEGACY) for id in ids]


EVERY = probe(
    "answer",
    "search",
    "status",
    "ingest",
    "web.search",
    "web.readFromPage",
    "search_docs",
    "get_doc_page",
    "list_doc_pages",
    "library_symbol",
    "kb.search",
    "kb.read_excerpt",
    "kb.retrieve_evidence",
    "graph.expand",
    "search_sections",
)


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        ("full", [spec.id for spec in EVERY if spec.id != "search_sections"]),
        (
            "standard",
            [
                *("answer", "search", "status", "web.search", "web.readFromPage", "search_docs", "get_doc_page"),
                "library_symbol",
                *("kb.read_excerpt", "kb.retrieve_evidence"),
            ],
        ),
        ("research", ["answer", "search", "status", "ingest", "web.search", "kb.read_excerpt", "kb.retrieve_evidence"]),
        ("docs", ["search", "status", "search_docs", "get_doc_page", "list_doc_pages", "library_symbol"]),
        (
            "kb",
            ["search", "status", "ingest", "kb.search", "kb.read_excerpt", "kb.retrieve_evidence", "graph.expand"],
        ),
        ("simple", ["answer", "search", "status"]),
    ],
)
def test_profiles_offer_their_tools_in_the_order_of_all(profile: str, names: list[str]) -> None:
    registry = Registry(EVERY, profile=profile)
    assert [spec.id for spec in registry.listed()] == names
    assert {spec.id for spec in EVERY if registry.resolve(spec.id)} - set(names) <= {"search_sections"}


def test_older_names_can_be_called_and_are_listed_on_demand_only() -> None:
    assert Registry(EVERY).resolve("search_sections") is not None
    assert Registry(EVERY, profile="docs").resolve("search_sections") is None
    assert "search_sections" in {spec.id for spec in switched(EVERY, kb=True, legacy=True) if spec.listed}


def test_the_knowledge_base_can_be_turned_off() -> None:
    left = {spec.id for spec in switched(EVERY, kb=False, legacy=False)}
    assert left == {spec.id for spec in EVERY if not spec.id.startswith(("kb.", "graph.", "search_sections"))}


def test_a_view_is_created_once_and_knows_the_others() -> None:
    registry = Registry(EVERY)
    view = registry.view("simple", "dotted")
    assert registry.view("simple", "dotted") is view
    assert view.view("full", "underscore") is registry
    assert view.profiles_of("kb_search") == ("full", "kb")
    assert view.profiles_of("nothing") == ()


def test_two_tools_cannot_share_a_name() -> None:
    with pytest.raises(ValueError, match="share the name"):
        Registry([replace(STATUS, id="kb.search"), replace(STATUS, id="kb_search")])


@pytest.mark.parametrize("change", [{"id": "bad name"}, {"id": "x" * 65}, {"description": "x" * 1_001}])
def test_unusable_tool_is_refused(change: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"name|description"):
        Registry([replace(STATUS, **change)])


def test_a_tool_with_an_output_schema_returns_two_forms() -> None:
    assert not STATUS.is_structured
    assert replace(STATUS, output_schema={"type": "object"}).is_structured


def test_disabled_tool_is_known_under_every_spelling_and_never_listed() -> None:
    for spelling in ("search_documentation", "search.documentation", "searchDocumentation", "search-documentation"):
        assert disabled_message(spelling) == "Tool 'search_documentation' is disabled. Use kb.retrieve_evidence."
    assert not {normalised_name(spec.id) for spec in TOOLS} & set(DISABLED)
    for profile in TOOL_PROFILES:
        assert FULL.view(profile, "underscore").resolve("search_documentation") is None


class SwitchedOff:
    """A graph without content."""

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
def test_the_callers_request_counts_first_then_its_name_then_the_setting(
    caller: Caller, profile: str, style: str
) -> None:
    known = offers(
        mcp_tool_profile="docs",
        mcp_client_tools=("claude-code=research", "cursor=kb", "my agent=simple"),
        mcp_client_name_style=("claude-code=dotted", "My Agent = dotted"),
    )
    registry = known.of(caller)
    assert (registry.profile, registry.name_style) == (profile, style)


def test_a_change_applies_from_the_next_request() -> None:
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


@pytest.mark.parametrize("client", ["@cline/core", "qwen-cli-mcp-client-webrag"])
def test_an_assistant_that_shows_its_model_both_forms_gets_one(client: str) -> None:
    offers = ToolOffers(Registry(TOOLS), SETTINGS, EventBus())
    assert offers.result_mode(Caller(client)) == "text"
    assert offers.result_mode(Caller("opencode")) == "auto"
    chosen = replace(SETTINGS, mcp_client_result_mode=(f"{client}=both",))
    assert ToolOffers(Registry(TOOLS), chosen, EventBus()).result_mode(Caller(client)) == "both"


def test_structured_results_can_be_turned_off_for_everyone() -> None:
    known = offers(mcp_structured_output_enabled=False, mcp_client_result_mode=("cursor=both",))
    assert known.result_mode(Caller("cursor")) == "text"


def test_an_unknown_form_of_results_is_refused() -> None:
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


async def test_the_error_of_a_tool_in_another_profile_names_the_profile() -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_tool_profile="simple"))
    calls = Dispatcher(engine, build_registry(engine.settings))
    with pytest.raises(LookupError) as caught:
        await calls.call("ingest", {}, Caller("x"))
    assert str(caught.value) == (
        f"Unknown tool: ingest. This client has the tool profile simple: {', '.join(PROFILES['simple'])}. "
        "Profiles with this tool: full, research, kb."
    )


async def seen(client: Client) -> tuple[set[str], str | None]:
    return {tool.name for tool in (await client.list_tools()).tools}, client.instructions


@pytest.mark.parametrize("mode", MODES)
async def test_each_client_of_one_server_sees_its_own_tools(mode: str) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_client_tools=("mcp=simple",)))
    async with listening(engine) as server:
        async with client_of(server.url, mode) as client:
            names, told = await seen(client)
            assert names == set(PROFILES["simple"])
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
            assert names == set(PROFILES["simple"])


def test_bridges_of_one_program_are_separate_callers() -> None:
    from app.server.calls.limits import caller_from_headers

    first, second = (caller_from_headers({"x-webrag-client": "cursor/1", "x-webrag-bridge": pid}) for pid in "12")
    assert rate_key(first) != rate_key(second)
    assert first.owner != second.owner


def test_limits_of_arguments_allow_everything_in_the_schemas() -> None:
    """A check of sizes never refuses what a schema allows."""
    for spec in TOOLS:
        assert len(spec.input_schema["properties"]) <= caps.MAX_ARGUMENT_ENTRIES


def test_the_library_gets_the_schema_of_every_tool_without_listing_them() -> None:
    engine = FakeEngine()
    registry = build_registry(engine.settings)
    lookup = build_mcp_server(engine, registry).get_tool_input_schema
    assert lookup is not None and lookup("no_such_tool") is None
    for spec in registry.listed():
        assert lookup(registry.wire_name(spec)) == spec.input_schema
