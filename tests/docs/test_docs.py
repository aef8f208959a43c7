"""The pages for developers: named things exist, examples can be called, and they agree with the server."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.server.calls.registry import PROFILES, Registry, normalised_name
from app.server.tools import TOOLS
from app.settings import SETTINGS
from tests.conftest import with_guide
from tests.hosts.programs import HOSTS
from tests.integration.application import Application, running

DOCS: Final = Path(__file__).parents[2] / "docs"
PAGES: Final = ("api-contracts.in.md", "connect.md", "tools.md")
EXAMPLES: Final = re.compile(r"```json\n(?P<call>\{\"tool\": .*?)\n```", re.DOTALL)
FENCED: Final = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
QUOTED: Final = re.compile(r"`([a-z][a-z0-9_]*(?:\.[a-zA-Z_]+)?)`")
FAMILIES: Final = re.compile(r"(?:kb|graph|web)[._].+|(?:search|get|list)_.+")
NO_PARAMETERS: Final = frozenset(
    {"webrag", "graph", "formats", "json", *PROFILES, *SETTINGS["search_provider"].choices}
)
"""Quoted words of the pages that are values, settings or fields of errors."""

REGISTRY: Final = Registry(TOOLS)


@pytest.fixture
def application(tmp_path: Path, guide_file: Path) -> Iterator[Application]:
    with running(with_guide(tmp_path / "data", guide_file)) as program:
        yield program


def script(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def fields(schema: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names and fixed values that a schema describes."""
    for name, inner in schema.get("properties", {}).items():
        yield name
        yield from fields(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            yield from fields(schema[key])
    for key in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(key, ()):
            yield from fields(inner)
    for inner in schema.get("$defs", {}).values():
        yield from fields(inner)
    yield from (value for value in schema.get("enum", ()) if isinstance(value, str))


def known() -> set[str]:
    names = {name for spec in TOOLS for name in (spec.id, normalised_name(spec.id))}
    schemas = [schema for spec in TOOLS for schema in (spec.input_schema, spec.output_schema) if schema]
    said = tomllib.loads((DOCS / "api-fields.toml").read_text())
    results = {name for fields in said["results"].values() for field in fields for name in re.split(r"[.\[\]]+", field)}
    values = set(QUOTED.findall(json.dumps(said)))
    return names | results | values | {name for schema in schemas for name in fields(schema)}


def test_contracts_are_those_of_the_server() -> None:
    assert script("make_api_contracts").main(["--check"]) == 0


def test_tables_of_settings_are_those_of_the_declarations() -> None:
    assert script("make_settings_table").main(["--check"]) == 0


def test_the_page_of_figures_is_that_of_the_benches() -> None:
    assert script("make_performance").main(["--check"]) == 0


def test_the_tables_of_assistants_and_of_what_tools_cost_are_made() -> None:
    assert script("make_hosts_table").main(["--check"]) == 0


def test_each_assistant_has_a_row_of_the_version_that_is_tried() -> None:
    asked = json.loads((DOCS.parent / "tests/hosts/package.json").read_text("utf-8"))
    pinned = asked["dependencies"] | asked["optionalDependencies"]
    tried = {host.name: re.search(r"\d+\.\d+\.\d+", pinned[host.package]) for host in HOSTS}
    rows = json.loads((DOCS / "hosts.json").read_text("utf-8"))
    assert {name: row["version"] for name, row in rows.items()} == {
        name: found and found[0] for name, found in tried.items()
    }


def test_figures_are_those_of_benches_that_exist() -> None:
    sections = script("make_performance").SECTIONS
    assert {file.stem for file in (DOCS / "performance").glob("*.json")} <= set(sections)
    for section in sections.values():
        assert (DOCS.parent / section.command.split()[0]).exists(), section.command


def test_a_run_with_other_arguments_is_called_a_small_one(tmp_path: Path) -> None:
    performance = script("make_performance")
    run = {
        "day": "2026-01-02",
        "machine": "2 cores",
        "reports": [{"title": "T", "rows": [{"what": "x", "ms": 1234.56}]}],
    }
    for command, is_small in (("bench/latency.py --pages 2", True), ("bench/latency.py", False)):
        (tmp_path / "latency.json").write_text(json.dumps({"command": command, **run}))
        page = performance.page(tmp_path)
        assert "| what | ms |\n|---|---|\n| x | 1,234.6 |\n" in page
        assert ("**A small run**" in page) is is_small
    assert "Not measured yet: `bench/crash.py`." in page


THREATS: Final = (DOCS / "internals" / "threats.md").read_text("utf-8")


def test_every_threat_names_its_code_and_tests() -> None:
    lines = [line for line in THREATS.splitlines() if line.startswith("| ") and not line.startswith("| Threat ")]
    assert len(lines) > 100
    for line in lines:
        threat, _, code, tests = line.split("|")[1:-1]
        assert "`app/" in code, threat
        assert re.search(r"`(?:tests|bench)/", tests), threat


@pytest.mark.parametrize("named", sorted(set(re.findall(r"`((?:app|extension|tests|bench)/[^`]+)`", THREATS))))
def test_code_and_tests_of_the_threats_exist(named: str) -> None:
    path, _, function = named.partition("::")
    file = DOCS.parent / path
    assert file.is_file()
    if function:
        assert re.search(rf"^(?:async )?def {function}\(", file.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_pages_name_only_tools_that_exist(page: str) -> None:
    named = {name for name in QUOTED.findall((DOCS / page).read_text()) if FAMILIES.fullmatch(name)}
    strangers = {name for name in named if REGISTRY.resolve(name) is None} - known() - {"search_documentation"}
    assert not strangers


def test_the_page_of_tools_names_only_parameters_and_fields_that_exist() -> None:
    prose = FENCED.sub("", (DOCS / "tools.md").read_text())
    named = set(QUOTED.findall(prose))
    assert not named - known() - NO_PARAMETERS


def test_calls_on_the_page_of_tools_can_be_made() -> None:
    calls = [json.loads(found["call"]) for found in EXAMPLES.finditer((DOCS / "tools.md").read_text())]
    assert len(calls) >= 6
    for call in calls:
        spec = REGISTRY.resolve(call["tool"])
        assert spec is not None, call
        assert spec.listed
        assert [error.message for error in spec.check_input.iter_errors(call["arguments"])] == []


def test_every_parameter_has_its_meaning() -> None:
    contracts = script("make_api_contracts")
    for spec in TOOLS:
        if spec.input_schema["properties"]:
            assert not re.search(r"\|\s*\|$", contracts._parameters(spec), re.MULTILINE), spec.id


def paths(value: Any, above: str = "") -> Iterator[str]:
    """Yield the fields of a result in the notation of the contracts."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from paths(inner, f"{above}.{name}" if above else name)
    elif isinstance(value, list):
        for inner in value:
            yield from paths(inner, f"{above}[]" if isinstance(inner, dict) else above)
    else:
        yield above


@pytest.mark.real
async def test_contracts_name_every_field_of_real_results(application: Application) -> None:
    said = tomllib.loads((DOCS / "api-fields.toml").read_text())
    unnamed: set[str] = set()
    question = "How do I connect Claude Desktop?"
    headers = {"Authorization": "Bearer test-token"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=30, trust_env=False, verify=False) as http,
        Client(streamable_http_client(application.url, http_client=http)) as client,
    ):

        async def fields_of(tool: str, **arguments: object) -> dict[str, Any]:
            result = await client.call_tool(normalised_name(tool), arguments)
            data: dict[str, Any] = result.structured_content or {}
            named = said["results"][said["same_results"].get(tool, tool)]
            unnamed.update(f"{tool}: {path}" for path in paths(data) if path not in named)
            unnamed.update([f"{tool}: {result.content}"] if result.is_error else [])
            return data

        everything = {"include_scores": True, "include_debug": True, "mode": "hybrid_local"}
        hit = (await fields_of("kb.search", query=question, options=everything))["results"][0]
        await fields_of("kb.retrieve_evidence", question=question, options={"mode": "hybrid_local"})
        await fields_of("kb.extract_evidence", question=question, passage_ids=[hit["passage_id"]])
        await fields_of("kb.read_excerpt", passage_id=hit["passage_id"])
        await fields_of("kb.read_excerpt", passage_id=hit["passage_id"], options={"include_citation": False})
        await fields_of("kb.expand_excerpt", passage_id=hit["passage_id"])
        for text in ("Run this command in a terminal", "Run this command in your terminal", "xyzzy plugh"):
            await fields_of("kb.verify_quote", text=text)
        await fields_of("graph.describe")
        await fields_of("graph.describe", node_ids=[hit["section_id"], "nothing"], include_snippet=True)
        node = (await fields_of("graph.expand", start_ids=[hit["section_id"]], include_snippet=True))["nodes"][0]["id"]
        await fields_of("graph.children", node_id=hit["url"].partition("#")[0])
        await fields_of("graph.paths", from_id=node, to_id=hit["section_id"])
        await fields_of("web.readFromPage", url="webrag://guide/connect", query=question, includeMetadata=True)
    assert not unnamed


@pytest.mark.real
def test_the_smoke_client_reports_whether_a_connection_works(application: Application) -> None:
    def smoke(url: str, token: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, str(DOCS / "smoke_client.py"), url]
        env = {**os.environ, "MCP_AUTH_TOKEN": token}
        return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=env)

    good = smoke(application.url, "test-token")
    assert good.returncode == 0, good.stdout + good.stderr
    assert "resources/read: webrag://scratch/" in good.stdout
    refused = smoke(application.url, "another")
    assert refused.returncode == 1
    assert "401" in refused.stderr


POINTED: Final = re.compile(r"""(?:\]\(|src(?:set)?=")(?!https?:|mailto:|#)([^)#"\s]+)""")


@pytest.mark.parametrize("page", [DOCS.parent / "README.md", *sorted(DOCS.rglob("*.md"))], ids=lambda page: page.name)
def test_targets_of_links_in_the_documentation_exist(page: Path) -> None:
    """Includes pictures, whose names can change when they are renewed."""
    pointed = POINTED.findall(FENCED.sub("", page.read_text("utf-8")))
    assert [name for name in pointed if not (page.parent / name).exists()] == []
