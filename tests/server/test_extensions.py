"""Extensions of the protocol: who declared them, on every transport and in both eras, and the skill."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import mcp.types as types
import pytest
import yaml
from mcp import Client, MCPError
from mcp.client.extension import ClientExtension, advertise
from mcp.client.streamable_http import streamable_http_client
from pydantic import ConfigDict

from app import extensions
from app.paths import assets_dir
from app.server.calls.limits import SESSION_HEADER, caller_from_headers, new_session_tag
from app.server.calls.registry import Registry, ToolCall, ToolOutput
from app.server.protocol import skills
from app.server.protocol.mcp_server import build_mcp_server
from app.server.tools.status import STATUS
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, KINDS, MODES, listening

VIEWS = {"mimeTypes": [extensions.VIEW_TYPE]}
BOTH = [advertise(extensions.UI, VIEWS), advertise(extensions.TASKS)]


@contextlib.asynccontextmanager
async def declaring(
    declared: list[ClientExtension], kind: str, mode: str, engine: FakeEngine, registry: Registry
) -> AsyncIterator[Client]:
    """Yield the official client with these extensions."""
    if kind == "memory":
        async with Client(build_mcp_server(engine, registry), mode=mode, extensions=declared) as client:
            yield client
        return
    async with (
        listening(engine, registry) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode, extensions=declared) as client,
    ):
        yield client


@pytest.mark.parametrize("declared", [BOTH, []], ids=["with", "without"])
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", KINDS)
async def test_every_call_knows_the_extensions_of_its_client(
    kind: str, mode: str, declared: list[ClientExtension]
) -> None:
    """Tasks only in the newer era; the older one has another form of them."""
    seen: list[frozenset[str]] = []

    async def handle(call: ToolCall) -> ToolOutput:
        seen.append(call.caller.extensions)
        return ToolOutput("done")

    engine = FakeEngine()
    async with declaring(declared, kind, mode, engine, Registry([replace(STATUS, handler=handle)])) as client:
        await client.call_tool("status", {})
        offered = client.server_capabilities.extensions or {}
    wanted = {extensions.UI, extensions.TASKS} if mode == "auto" else {extensions.UI}
    assert seen == [frozenset(wanted if declared else ())]
    assert (extensions.SKILLS in offered) == (mode == "auto" or bool(declared))
    assert mode == "auto" or extensions.TASKS not in offered


@pytest.mark.parametrize(
    ("capabilities", "words"),
    [
        ({"extensions": {extensions.UI: VIEWS, extensions.TASKS: {}}}, "ui.tasks"),
        ({"extensions": {extensions.UI: {"mimeTypes": ["text/html"]}}}, ""),
        ({"extensions": {extensions.UI: {"mimeTypes": extensions.VIEW_TYPE}}}, ""),
        ({"extensions": {extensions.UI: None, extensions.TASKS: {}}}, "tasks"),
        ({"extensions": [extensions.TASKS]}, ""),
        ({}, ""),
        (None, ""),
    ],
)
def test_extensions_reach_the_server_in_headers_and_session_tags(capabilities: object, words: str) -> None:
    found = extensions.declared(capabilities)
    assert extensions.to_words(found) == words
    bridge = {"x-webrag-bridge": "7", "x-webrag-extensions": f"{words}.unknown"}
    tag = new_session_tag({"clientInfo": {"name": "a~b"}, "capabilities": capabilities})
    for headers in (bridge, {SESSION_HEADER: tag}):
        assert caller_from_headers(headers).extensions == found
    assert caller_from_headers({SESSION_HEADER: tag}).name == "a~b"
    assert caller_from_headers({"x-webrag-extensions": "ui"}).extensions == frozenset()


# --- The skill ---


class Anything(types.Result):
    """The result of a method that the library does not know."""

    model_config = ConfigDict(extra="allow")


async def asked(client: Client, method: str, **params: Any) -> dict[str, Any]:
    request = types.Request[dict[str, Any], str](method=method, params=params)
    found = await client.session.send_request(request, Anything)
    return found.model_dump(mode="json", by_alias=True)


@pytest.mark.parametrize("mode", MODES)
async def test_the_skill_is_listed_and_read(mode: str) -> None:
    engine = FakeEngine()
    async with declaring([], "http", mode, engine, Registry([STATUS])) as client:
        (entry,) = (await asked(client, "skills/list"))["skills"]
        assert (await asked(client, "skills/get", uri=skills.SKILL))["skill"] == entry
        with pytest.raises(MCPError, match="Skill not found"):
            await asked(client, "skills/get", uri="skill://other/SKILL.md")
        (content,) = (await client.read_resource(skills.SKILL)).contents
    assert isinstance(content, types.TextResourceContents)
    text = content.text.encode()
    digest = f"sha256:{hashlib.sha256(text).hexdigest()}"
    assert entry["resources"] == [{"uri": skills.SKILL, "digest": digest, "size": len(text)}]
    assert text == (assets_dir() / "skill" / "SKILL.md").read_bytes()
    assert entry["frontmatter"] == yaml.safe_load(content.text.split("---\n")[1])
    assert len(text) < 3_000
