"""Names, profiles, switches, and what hosts are told of each tool: lint and sizes over all of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.client_limits import CLIENT_LIMITS
from app.server.calls.registry import (
    CANONICAL_NAME,
    DISABLED,
    LEGACY,
    LISTED_NAME,
    PROFILES,
    Family,
    Registry,
    ToolSpec,
    disabled_message,
    normalised_name,
    switched,
)
from app.server.protocol.mcp_server import described, instructions
from app.server.tools import TOOLS, build_registry
from app.server.tools.status import STATUS
from app.settings import Settings
from app.settings_schema import NAME_STYLES, TOOL_PROFILES
from tests.server.golden import assert_golden

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
    """The entries of tools/list as they travel."""
    return [described(spec, registry).model_dump(by_alias=True, exclude_none=True) for spec in registry.listed()]


def known_names() -> set[str]:
    """Every name that a text may mention: tools in each spelling, parameters at any depth, fields of results."""
    names = {"graph_disabled=true", "graph_disabled", "links_to", "co_occurs", "same_as"}
    for spec in TOOLS:
        names |= {spec.id, normalised_name(spec.id)}
        for schema in (spec.input_schema, spec.output_schema):
            names |= {name for _, each in subschemas(schema) for name in each.get("properties", {})}
    return names


def mentioned(text: str) -> set[str]:
    """What stands between backticks, and whatever is spelled like a name of the program."""
    return set(re.findall(r"`([^`]+)`", text)) | set(re.findall(r"(?<![.\w])[a-z]+(?:_[a-z]+)+\b", text))


def test_listed_tools_are_as_agreed() -> None:
    assert_golden("tools.json", json.dumps(on_the_wire(FULL), indent=1, ensure_ascii=False))


@every_style
def test_the_whole_list_is_small(style: str) -> None:
    entries = on_the_wire(FULL.view("full", style))
    sizes = {
        entry["name"]: len(json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()) for entry in entries
    }
    assert sum(sizes.values()) + len(sizes) + 1 <= MAX_LIST_BYTES, sizes


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
    assert len(spec.description) <= caps.MAX_TOOL_DESCRIPTION_CHARS
    for part in PARTS:
        assert spec.description.count(part) == 1, part
    order = [spec.description.index(part) for part in PARTS]
    assert order == sorted(order)
    assert mentioned(spec.description) <= known_names()


@every_tool
def test_description_says_where_else_to_go(spec: ToolSpec) -> None:
    """It names a neighbour where it is not the right tool, unless there is none."""
    others = {normalised_name(other.id) for other in TOOLS if other is not spec}
    words = {normalised_name(word) for word in re.findall(r"[A-Za-z][\w.]*", spec.description)}
    assert words & others


@pytest.mark.parametrize("spec", [spec for spec in TOOLS if spec.id.startswith("graph.")], ids=lambda spec: spec.id)
def test_graph_tools_carry_their_three_sentences(spec: ToolSpec) -> None:
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
def test_schemas_are_closed_and_short(spec: ToolSpec) -> None:
    """Unknown parameters are refused; nothing is said of the fields of a result but what they are."""
    assert spec.input_schema["type"] == "object"
    assert spec.input_schema["additionalProperties"] is False
    assert set(spec.input_schema.get("required", ())) <= set(spec.input_schema["properties"])
    if spec.output_schema is not None:
        assert spec.output_schema["type"] == "object"
        assert all("description" not in schema for _, schema in subschemas(spec.output_schema))
        assert all(schema.get("additionalProperties", True) for _, schema in subschemas(spec.output_schema))


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
    *("answer", "search", "status", "ingest", "web.search", "web.readFromPage"),
    *("search_docs", "get_doc_page", "list_doc_pages"),
    *("kb.search", "kb.read_excerpt", "kb.retrieve_evidence", "graph.expand", "search_sections"),
)


@pytest.mark.parametrize(
    ("profile", "names"),
    [
        ("full", [spec.id for spec in EVERY if spec.id != "search_sections"]),
        ("research", ["answer", "search", "status", "ingest", "web.search", "kb.read_excerpt", "kb.retrieve_evidence"]),
        ("docs", ["search", "status", "search_docs", "get_doc_page", "list_doc_pages"]),
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


def test_the_knowledge_base_can_be_switched_off() -> None:
    left = {spec.id for spec in switched(EVERY, kb=False, legacy=False)}
    assert left == {spec.id for spec in EVERY if not spec.id.startswith(("kb.", "graph.", "search_sections"))}


def test_a_view_is_made_once_and_knows_the_others() -> None:
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


def test_output_schema_belongs_to_the_data_family() -> None:
    with pytest.raises(ValueError, match="output schema"):
        replace(STATUS, output_schema={"type": "object"})
    with pytest.raises(ValueError, match="output schema"):
        replace(STATUS, family=Family.DATA)


def test_disabled_tool_is_known_under_every_spelling_and_never_listed() -> None:
    for spelling in ("search_documentation", "search.documentation", "searchDocumentation", "search-documentation"):
        assert disabled_message(spelling) == "Tool 'search_documentation' is disabled. Use kb.retrieve_evidence."
    assert not {normalised_name(spec.id) for spec in TOOLS} & set(DISABLED)
    for profile in TOOL_PROFILES:
        assert FULL.view(profile, "underscore").resolve("search_documentation") is None
