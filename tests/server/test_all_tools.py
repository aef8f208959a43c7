"""Rules for any call of any tool: bounded results, errors with a next step, and no private information."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from app import caps
from app.client_limits import limits_of
from app.errors import ErrorCode
from app.server.calls.limits import data_budget, effective_budget
from app.server.calls.registry import ToolOutput, ToolSpec
from app.server.tools import TOOLS
from tests.server.small_world import ASKED, PLANTED, Arguments, World

pytestmark = pytest.mark.asyncio(loop_scope="session")

CLIENTS = ("mcp", "claude-code", "codex-mcp-client", "LM Studio")
DISCOVERY = ("kb.search", "search_docs", "list_doc_pages", "graph.")
"""These only find things; none of them returns whole sections."""
OLDER: dict[str, list[Arguments]] = {
    "search_sections": [{"query": "colony in winter"}],
    "get_section_text": [{"section_id": "1"}],
    "expand_neighbors": [{"section_id": "1"}],
    "traverse_relationships": [{"node_id": "d1"}],
}
"""Calls by old names, which are not listed."""
MAX_DISCOVERY_CHARS = 1_000
TELLTALE = re.compile(r"Traceback|\b[A-Z]\w+Error:|site-packages|\.py\b|sqlite|apsw", re.IGNORECASE)
CLASSES = re.compile(r"^Error type: \w+ \([A-Z_]+\)$", re.MULTILINE)

ODD_TEXTS = (
    *(
        "",
        " ",
        "x" * 2_001,
        "蜂の冬",
        "\u202eevil",
        "a\x00b",
        '"',
        "-",
        "*",
        "OR",
        "AND NOT",
        "'; DROP TABLE chunks; --",
        "\ud800",
    ),
    *(
        "../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\win.ini",
        "file:///etc/passwd",
        "http://127.0.0.1:1/",
        "ftp://x",
    ),
    *("https://anna:pass-word@127.0.0.1:1/?token=abc123", "webrag://scratch/x/y", "9" * 30, "colony in winter"),
)
ODD_NUMBERS = (-1, 0, 1, 2, 3, 7, 25, 26, 50, 51, 800, 801, 10**9, 10**30, 1.5, float("1e300"))
ODD_VALUES = st.one_of(
    st.sampled_from(
        (*ODD_TEXTS, *ODD_NUMBERS, None, True, False, [], {}, [[]], [None], {"a": {"b": [1]}}, ["x"] * 101)
    ),
    st.text(max_size=40),
    st.integers(-5, 60),
    st.lists(st.sampled_from(ODD_TEXTS), max_size=4),
)


def changes(spec: ToolSpec) -> st.SearchStrategy[Arguments]:
    """Draw some parameters of the tool, and sometimes an unknown one, with any value."""
    names = [name for name in spec.input_schema["properties"] if name != "crawl"]
    known = st.dictionaries(st.sampled_from(names), ODD_VALUES, max_size=3)
    return st.builds(lambda some, extra: {**some, **extra}, known, st.sampled_from(({}, {}, {}, {"other": 1})))


CALLS = st.sampled_from(TOOLS).flatmap(lambda spec: st.tuples(st.just(spec), st.integers(0, 9), changes(spec)))
_EXAMPLES: dict[str, dict[str, list[Arguments]]] = {}


async def base(world: World, client: str, spec: ToolSpec, index: int) -> Arguments:
    """Return arguments with which the tool works for this client."""
    if client not in _EXAMPLES:
        _EXAMPLES[client] = {}
        for tool, arguments in await world.examples(client):
            _EXAMPLES[client].setdefault(tool, []).append(arguments)
    known = _EXAMPLES[client].get(spec.id) or OLDER.get(spec.id, [{}])
    return known[index % len(known)]


def fits(spec: ToolSpec, structured: Any) -> None:
    """Check that the result matches both schemas and has only fields that the full one names."""
    assert spec.listed_output is not None and spec.output_schema is not None
    for schema in (spec.listed_output, spec.output_schema):
        assert [error.message for error in Draft202012Validator(schema).iter_errors(structured)] == []
    if spec.id.startswith(("kb.", "graph.")) or spec.id in OLDER:
        assert unnamed(spec.output_schema, structured) == []


def unnamed(schema: Any, value: Any, path: str = "") -> list[str]:
    """Return the fields of a result that its schema does not name."""
    if isinstance(value, list):
        return [found for each in value for found in unnamed(schema.get("items", {}), each, f"{path}[]")]
    if not isinstance(value, dict):
        return []
    known = schema.get("properties", {})
    extra = [f"{path}.{name}" for name in value if name not in known]
    return extra + [
        found for name in known.keys() & value.keys() for found in unnamed(known[name], value[name], f"{path}.{name}")
    ]


def check(world: World, spec: ToolSpec, client: str, reply: ToolOutput) -> None:
    budget = effective_budget(world.engine.settings, client)
    budget = data_budget(budget) if spec.is_structured else budget
    assert budget.holds(reply.text, world.engine.count_tokens)
    assert len(reply.links) <= caps.MAX_LINKS_PER_RESULT
    as_json = json.dumps(reply.structured, ensure_ascii=False, separators=(",", ":"))
    assert len(as_json.encode("utf-8", "replace")) <= budget.bytes
    assert len(as_json) <= limits_of(client).result_chars
    assert str(world.engine.settings.data_dir) not in reply.text + as_json
    if not reply.is_error:
        if spec.is_structured:
            fits(spec, reply.structured)
        return
    assert reply.structured is None
    assert str(ErrorCode.INTERNAL_ERROR) not in reply.text
    assert any(code in reply.text for code in ErrorCode)
    assert not TELLTALE.search(CLASSES.sub("", reply.text))
    assert not any(secret in reply.text for secret in ("pass-word", "abc123"))


@given(CALLS, st.sampled_from(CLIENTS))
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
async def test_no_call_breaks_the_rules(world: World, call: tuple[ToolSpec, int, Arguments], client: str) -> None:
    spec, index, changed = call
    arguments = {**await base(world, client, spec, index), **changed}
    check(world, spec, client, await world.call(spec.id, arguments, client))


@pytest.mark.parametrize("client", CLIENTS)
async def test_the_largest_results_are_bounded(world: World, client: str) -> None:
    """Every number at its maximum."""
    for spec in TOOLS:
        highest = {
            name: schema["maximum"]
            for name, schema in spec.input_schema["properties"].items()
            if "maximum" in schema and name != "job_id"
        }
        reply = await world.call(spec.id, {**await base(world, client, spec, 1), **highest}, client)
        assert not reply.is_error, (spec.id, reply.text)
        check(world, spec, client, reply)


async def test_a_question_that_is_too_long_is_refused_by_every_tool(world: World) -> None:
    for spec in TOOLS:
        for name in set(spec.input_schema["properties"]) & {"query", "question"}:
            arguments = {**await base(world, "mcp", spec, 0), name: "x" * (caps.MAX_QUERY_CHARS + 1)}
            reply = await world.call(spec.id, arguments)
            assert "INVALID_ARGUMENT" in reply.text, spec.id


def strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.values() for text in strings(each)]
    if isinstance(value, list):
        return [text for each in value for text in strings(each)]
    return [value] if isinstance(value, str) else []


async def test_search_tools_do_not_return_whole_sections(world: World) -> None:
    for tool, arguments in await world.examples():
        if tool.startswith(DISCOVERY):
            reply = await world.call(tool, arguments)
            assert max(map(len, strings(reply.structured)), default=0) <= MAX_DISCOVERY_CHARS, tool
            assert max(map(len, reply.text.splitlines())) <= 2 * MAX_DISCOVERY_CHARS, tool


async def test_every_example_works_for_every_client(world: World) -> None:
    for spec in TOOLS:
        for client in CLIENTS:
            reply = await world.call(spec.id, await base(world, client, spec, 0), client)
            assert not reply.is_error, (spec.id, client, reply.text)
            check(world, spec, client, reply)


async def test_every_form_of_a_result_fits_its_schemas(world: World) -> None:
    """Includes every call that fills fields which others leave out."""
    hives = world.site.url("/bees/")
    found = (await world.call("kb.search", {"query": "colony in winter"})).structured
    assert found is not None
    passage = found["results"][0]["passage_id"]
    ends = {"from_id": hives, "to_id": world.site.url("/bees/winter")}
    calls: list[tuple[str, Arguments]] = [
        ("kb.search", {"query": "colony", "options": {"include_debug": True}, "page_size": 1}),
        ("kb.search", {"query": "zzzz qqqq", "scope": {"doc_tags": ["nowhere"]}}),
        ("kb.retrieve_evidence", {"question": "Who won the cup in 1971?"}),
        ("kb.read_excerpt", {"passage_id": passage, "options": {"include_citation": False, "format": "bullets"}}),
        ("kb.verify_quote", {"text": "Nobody has ever said this anywhere at all."}),
        ("graph.expand", {"start_ids": [hives, "nothing of that name"], "include_snippet": True, "max_hops": 2}),
        ("graph.describe", {"node_ids": [hives, "nothing of that name"]}),
        *(("graph.paths", {**ends, "max_hops": hops}) for hops in (1, 2)),
    ]
    for tool, arguments in calls:
        reply = await world.call(tool, arguments)
        assert not reply.is_error, (tool, reply.text)
        spec = next(spec for spec in TOOLS if spec.id == tool)
        fits(spec, reply.structured)


async def test_the_log_never_contains_arguments_or_text(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    seen = 0
    for tool, arguments in await world.examples():
        reply = await world.call(tool, arguments)
        seen += PLANTED in reply.text
        for name in ("query", "question", "url", "path", "passage_id", "node_id"):
            if name in arguments:
                await world.call(tool, {**arguments, name: f"https://127.0.0.1:1/{ASKED}"})
    assert seen
    written = "\n".join(logging.Formatter().format(record) for record in caplog.records if _is_ours(record))
    assert "call " in written
    assert ASKED not in written
    assert PLANTED not in written
    assert "Insulation" not in written


def _is_ours(record: logging.LogRecord) -> bool:
    return record.name.startswith("app") or record.name == "diagnostics"
