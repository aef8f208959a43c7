"""Names, profiles, and what hosts are told of each tool."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from app import caps
from app.server.instructions import instructions
from app.server.mcp_server import described
from app.server.registry import (
    CANONICAL_NAME,
    DISABLED,
    LISTED_NAME,
    PROFILES,
    Family,
    Registry,
    disabled_message,
    normalised_name,
)
from app.server.tools import TOOLS, build_registry
from app.server.tools.status import STATUS
from app.settings import Settings
from tests.server.golden import assert_golden

SETTINGS = Settings(data_dir=Path("unused"))
FULL = build_registry(SETTINGS)


def test_listed_tools_are_as_agreed() -> None:
    tools = [described(spec, FULL, SETTINGS).model_dump(by_alias=True, exclude_none=True) for spec in FULL.listed()]
    assert_golden("tools.json", json.dumps(tools, indent=1, ensure_ascii=False))
    assert len(json.dumps(tools, separators=(",", ":")).encode()) <= 24 * 1024


def test_instructions_are_as_agreed_and_name_what_exists() -> None:
    for profile in PROFILES:
        registry = build_registry(SETTINGS, profile=profile)
        text = instructions(registry)
        assert len(text.encode()) <= caps.MAX_INSTRUCTION_BYTES
        assert set(re.findall(r"`(\w+)`", text)) == {registry.wire_name(spec) for spec in registry.listed()}
    assert_golden("instructions.txt", instructions(FULL))


@pytest.mark.parametrize("spec", TOOLS, ids=lambda spec: spec.id)
def test_description_has_its_five_parts(spec: object) -> None:
    text = spec.description  # type: ignore[attr-defined]
    assert len(text) <= 1_000
    for part in (
        "\nUse when ",
        "\nDo not use when ",
        "\nReturns at most ",
        "\nIf you need more, call `",
        "\nDefaults: ",
        "Max: ",
    ):
        assert text.count(part) == 1, part
    names = {name for tool in TOOLS for name in (tool.id, *tool.input_schema["properties"])}
    assert set(re.findall(r"`(\w+)`", text)) <= names


@pytest.mark.parametrize("spec", TOOLS, ids=lambda spec: spec.id)
@pytest.mark.parametrize("style", ["underscore", "dotted"])
def test_names_pass_every_host(spec: object, style: str) -> None:
    registry = Registry(TOOLS, name_style=style)
    assert CANONICAL_NAME.fullmatch(spec.id)  # type: ignore[attr-defined]
    assert LISTED_NAME.fullmatch(registry.wire_name(spec))  # type: ignore[arg-type]


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


def test_profiles_offer_what_is_built() -> None:
    def names(profile: str) -> list[str]:
        return [spec.id for spec in build_registry(SETTINGS, profile=profile).listed()]

    assert names("full") == ["answer", "search", "status", "ingest"]
    assert names("research") == names("full")
    assert names("simple") == ["answer", "search", "status"]
    assert names("docs") == ["search", "status"]
    assert names("kb") == ["search", "status", "ingest"]
    assert build_registry(SETTINGS, profile="simple").resolve("ingest") is None


def test_unlisted_tool_can_be_called() -> None:
    registry = Registry([replace(STATUS, listed=False)])
    assert registry.listed() == ()
    assert registry.resolve("status") is not None


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
    for spelling in ("search_documentation", "search.documentation", "searchDocumentation"):
        assert disabled_message(spelling) == "Tool 'search_documentation' is disabled. Use kb.retrieve_evidence."
    assert not {normalised_name(spec.id) for spec in TOOLS} & set(DISABLED)
