"""The model of each assistant gets the whole result of every tool, within the limits of the assistant."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from app.client_limits import CLIENT_LIMITS, GENERIC, ClientLimits, Reads
from app.server.calls.limits import Caller
from app.server.calls.registry import Link, ToolOutput
from app.server.protocol.mcp_server import wire_result
from app.server.tools import TOOLS
from app.settings import Settings
from app.text.page_text import unmarked
from tests.server.small_world import World

pytestmark = pytest.mark.asyncio(loop_scope="session")

FACTS = {
    **dict.fromkeys(("url", "link", "uri", "scratch_uri", "passage_id", "next_cursor", "src", "dst"), 500),
    **dict.fromkeys(("title", "quote", "excerpt", "preview", "text", "explanation"), 60),
    "id": 12,
}
"""Fields whose values a model needs in any form of a result, and the minimum length of each."""
NAMES = {
    "generic": "mcp",
    "claude-desktop": "claude-ai",
    "codex": "codex-mcp-client",
    "librechat": "@librechat/api-client",
}

every_assistant = pytest.mark.parametrize("limits", CLIENT_LIMITS, ids=lambda limits: limits.name)


def views(reply: ToolOutput, limits: ClientLimits, settings: Settings) -> dict[str, str]:
    """Return the texts for the model: one, or for an unknown assistant each that it may get."""
    result = wire_result(reply, settings.mcp_result_mode, limits)
    blocks = [block.model_dump(mode="json", by_alias=True, exclude_none=True) for block in result.content]
    content = "\n".join(block["text"] if block["type"] == "text" else json.dumps(block) for block in blocks)
    structured = result.structured_content
    as_json = content if structured is None else json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    by_field = {Reads.CONTENT: [("content", content)], Reads.STRUCTURED: [("structured", as_json)]}
    return dict(by_field.get(limits.reads, [("content", content), ("structured", as_json)]))


def facts(value: Any, name: str = "") -> Iterator[str]:
    """Yield the beginnings of values that must not be lost, squeezed."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from facts(each, key)
    elif isinstance(value, list):
        for each in value:
            yield from facts(each, name)
    elif isinstance(value, str) and value and name in FACTS:
        yield squeezed(value)[: FACTS[name]]


def squeezed(text: str) -> str:
    """Remove spaces and quotation marks, which differ between lines of text and fields."""
    return re.sub(r"[\s\"“”]+", "", text)


Replies = list[tuple[str, ToolOutput]]


async def replies(world: World, limits: ClientLimits) -> Replies:
    """Return every tool's results for this assistant; assistants with equal limits share them."""
    size = (limits.result_chars, limits.result_tokens)
    if size not in _REPLIES:
        client = NAMES.get(limits.name, limits.name)
        _REPLIES[size] = [(tool, await world.call(tool, given, client)) for tool, given in await world.examples(client)]
    return _REPLIES[size]


_REPLIES: dict[tuple[int, int], Replies] = {}


async def test_every_listed_tool_is_tried(world: World) -> None:
    tried = {tool for tool, _ in await world.examples()}
    assert {spec.id for spec in TOOLS if spec.listed} == tried, "add a call of each tool to tests/server/small_world.py"


@every_assistant
async def test_a_model_gets_the_whole_result(world: World, limits: ClientLimits) -> None:
    settings, count = world.engine.settings, world.engine.count_tokens
    for tool, reply in await replies(world, limits):
        assert not reply.is_error, (tool, reply.text)
        for form, view in views(reply, limits, settings).items():
            assert len(view) <= limits.result_chars, (tool, form, len(view))
            assert form == "structured" or count(view) <= limits.result_tokens, (tool, form)
            needed = facts(reply.structured) if form == "content" else ()
            shown = squeezed(unmarked(view))
            lost = [fact for fact in needed if fact not in shown]
            assert not lost, (tool, form, lost[:3])


async def test_both_forms_name_the_same_addresses(world: World) -> None:
    for tool, reply in await replies(world, GENERIC):
        if reply.structured is None:
            continue
        as_json = json.dumps(reply.structured, ensure_ascii=False)
        addresses = set(re.findall(r"[a-z]+://[^\s\"<>)\],|]+", reply.text))
        assert not {address for address in addresses if address.rstrip(".") not in as_json}, tool


async def test_omitted_results_can_be_requested(world: World) -> None:
    """Both forms of an incomplete result say how to get more."""
    for tool, reply in await replies(world, GENERIC):
        given = reply.structured or {}
        if given.get("partial") or given.get("truncated") or given.get("next_cursor"):
            cursor = given.get("next_cursor") or given.get("next_start_char")
            assert cursor is None or str(cursor) in reply.text, tool
            assert re.search(r"cursor|next_start_char|scratch|more|narrow|fewer", reply.text), tool


@every_assistant
async def test_errors_reach_every_model(world: World, limits: ClientLimits) -> None:
    for spec in TOOLS:
        required = dict.fromkeys(spec.input_schema.get("required", ()), "https://example.org/")
        reply = await world.call(spec.id, {**required, "no_such_parameter": 1})
        assert reply.is_error
        assert reply.structured is None
        for view in views(reply, limits, world.engine.settings).values():
            assert "INVALID_ARGUMENT" in view
            assert "no_such_parameter" in view
            assert "Correct the value" in view
        if spec.is_structured:
            assert set(json.loads(reply.text)["error"]) == {"code", "message", "details"}


@every_assistant
async def test_lists_arrive_uncut(world: World, limits: ClientLimits) -> None:
    registry = world.dispatcher.offers.of(Caller(NAMES.get(limits.name, limits.name)))
    for spec in registry.listed():
        assert limits.accepts(registry.wire_name(spec))
        assert len(spec.description.encode()) <= limits.description_bytes


async def test_links_are_only_sent_to_clients_that_use_them() -> None:
    link = Link("webrag://scratch/s/p", "p", "A passage", 12, "2026-02-22T14:30:00Z")
    reply = ToolOutput("1. a", {"a": 1}, links=(link,))
    for limits in CLIENT_LIMITS:
        blocks = wire_result(reply, "auto", limits).content
        assert [block.type for block in blocks] == ["text", *(["resource_link"] if limits.resource_links else [])]
    shown = wire_result(reply, "auto", GENERIC).content[1]
    assert shown.model_dump(mode="json", by_alias=True, exclude_none=True) == {
        "type": "resource_link",
        "uri": "webrag://scratch/s/p",
        "name": "p",
        "title": "A passage",
        "mimeType": "text/plain",
        "size": 12,
        "annotations": {"audience": ["assistant"], "priority": 0.1, "lastModified": "2026-02-22T14:30:00Z"},
    }
