"""The evidence view: its data, its tools and its page, for clients that show views and for all others."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp.types as types
import pytest
from mcp import Client, MCPError
from mcp.client.extension import advertise

from app import extensions
from app.events import Event, PassageWanted
from app.paths import assets_dir
from app.server.protocol import views
from app.server.protocol.mcp_server import build_mcp_server
from app.server.render.view import MAX_PASSAGE_CHARS, MAX_VIEW_BYTES
from app.server.tools import build_registry
from tests.server.small_world import World
from tests.server.transports import MODES

pytestmark = pytest.mark.asyncio(loop_scope="session")

APPS = [advertise(extensions.UI, {"mimeTypes": [extensions.VIEW_TYPE]})]
QUESTION = "How much less honey does the cluster eat behind a second skin of cork?"


def client_of(world: World, mode: str = "auto", *, apps: bool = True, opens: bool = False) -> Client:
    server = build_mcp_server(world.engine, build_registry(world.engine.settings), opens=opens)
    return Client(server, mode=mode, extensions=APPS if apps else [])


def data_of(result: types.CallToolResult) -> dict[str, Any]:
    return dict((result.meta or {})[views.META_KEY])


def asks(world: World) -> dict[str, dict[str, Any]]:
    return {
        "answer": {"url": world.site.url("/bees/"), "query": QUESTION, "expansion_budget": 0},
        "search": {"query": QUESTION},
        "kb_retrieve_evidence": {"question": QUESTION},
    }


@pytest.mark.parametrize("mode", MODES)
async def test_only_clients_with_views_see_them(world: World, mode: str) -> None:
    async with client_of(world, mode) as client, client_of(world, mode, apps=False) as plain:
        with_view = {tool.name: tool for tool in (await client.list_tools()).tools}
        without = {tool.name: tool for tool in (await plain.list_tools()).tools}
        assert with_view.keys() - without.keys() == {"evidence_of", "evidence_more", "evidence_open"}
        for name, tool in without.items():
            meta = dict(with_view[name].meta or {})
            linked = (meta.pop("ui", None), meta.pop("ui/resourceUri", None))
            assert linked == (({"resourceUri": views.VIEW}, views.VIEW) if name in asks(world) else (None, None))
            assert (meta or None, with_view[name].model_copy(update={"meta": tool.meta})) == (tool.meta, tool)
        for name in with_view.keys() - without.keys():
            assert (with_view[name].meta or {})["ui"] == {"visibility": ["app"]}
            with pytest.raises(MCPError, match="Unknown tool"):
                await plain.call_tool(name, {"uri": "webrag://page/1", "start": 0, "end": 1})


@pytest.mark.parametrize("mode", MODES)
async def test_the_model_gets_the_same_with_and_without_a_view(world: World, mode: str) -> None:
    def shown(result: types.CallToolResult) -> str:
        text = json.dumps([result.model_dump(mode="json")["content"], result.structured_content])
        return re.sub(
            r"Total time.*?\)|\d+ hours? ago|session \w+|\"session_id\": \"[^\"]+\"|passage \w+|_id\": \"[^\"]+",
            "",
            text,
        )

    async with client_of(world, mode) as client, client_of(world, mode, apps=False) as plain:
        for tool, arguments in asks(world).items():
            viewed, text = await client.call_tool(tool, arguments), await plain.call_tool(tool, arguments)
            assert shown(viewed) == shown(text), tool
            assert views.META_KEY not in (text.meta or {})
            assert data_of(viewed)["question"] == QUESTION


async def test_every_piece_is_the_text_of_its_page_and_every_mark_a_quote(world: World) -> None:
    async with client_of(world) as client:
        for tool, arguments in asks(world).items():
            result = await client.call_tool(tool, arguments)
            data, marks = data_of(result), []
            assert len(json.dumps(data)) < MAX_VIEW_BYTES
            for source in data["sources"]:
                for passage in source["passages"]:
                    page = world.engine.artifacts.find("", passage["uri"]).content.text
                    text = "".join(text for text, _ in passage["pieces"])
                    assert page[passage["start"] : passage["end"]] == text
                    assert len(text) <= MAX_PASSAGE_CHARS
                    marks += [text for text, is_quote in passage["pieces"] if is_quote]
                    place = {name: passage[name] for name in ("uri", "start", "end")}
                    more = data_of(await client.call_tool("evidence_more", place))
                    assert page[more["start"] : more["end"]] == f"{more['before']}{text}{more['after']}"
                    assert more["isWhole"] == (more["end"] - more["start"] == len(page))
            assert any("third less honey" in mark for mark in marks), tool
            assert data["sources"][0]["url"] == world.site.url("/bees/")
            assert not data["nothing"] and data["reads"] and not data["opens"]
            assert tool != "answer" or data["links"] == [{"url": world.site.url("/bees/winter"), "title": "wintering"}]


async def test_nothing_found_has_no_marks(world: World) -> None:
    async with client_of(world) as client:
        for tool, name in (("search", "query"), ("kb_retrieve_evidence", "question")):
            data = data_of(await client.call_tool(tool, {name: "Which password protects the Zurich reactor?"}))
            pieces = [piece for source in data["sources"] for each in source["passages"] for piece in each["pieces"]]
            assert data["nothing"] and not any(is_quote for _, is_quote in pieces)


async def test_the_data_is_kept_for_hosts_that_drop_it(world: World) -> None:
    arguments = asks(world)["search"]
    async with client_of(world) as client:
        data = data_of(await client.call_tool("search", arguments))
        asked = json.dumps({**arguments})
        assert data_of(await client.call_tool("evidence_of", {"asked": asked})) == data
        for other in ("{}", "not json", "[" * 9_999):
            assert (await client.call_tool("evidence_of", {"asked": other})).is_error
        with pytest.raises(MCPError, match="Invalid parameters"):
            await client.call_tool("evidence_more", {"uri": "webrag://page/1", "start": -1, "end": 2})
        gone = await client.call_tool("evidence_more", {"uri": "webrag://page/99999", "start": 0, "end": 2})
        assert gone.is_error


async def test_the_data_of_a_repeated_call_counts_as_new(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "MOST_KEPT", 2)
    first, second, third = ({"query": QUESTION, "top_k": count} for count in (1, 2, 3))
    async with client_of(world) as client:
        for arguments in (first, second, first, third):
            await client.call_tool("search", arguments)
        for arguments, is_gone in ((first, False), (second, True), (third, False)):
            kept = await client.call_tool("evidence_of", {"asked": json.dumps(arguments)})
            assert kept.is_error is is_gone


async def test_a_passage_is_opened_only_where_a_window_is(world: World) -> None:
    heard: list[Event] = []
    unsubscribe = world.engine.bus.subscribe(heard.append)
    place = {"uri": "webrag://page/1", "start": 3, "end": 9}
    async with client_of(world) as client:
        assert (await client.call_tool("evidence_open", place)).is_error
    async with client_of(world, opens=True) as client:
        assert data_of(await client.call_tool("search", asks(world)["search"]))["opens"]
        assert not (await client.call_tool("evidence_open", place)).is_error
    unsubscribe()
    assert [event for event in heard if isinstance(event, PassageWanted)] == [PassageWanted(1, 3, 9)]


@pytest.mark.parametrize("mode", MODES)
async def test_the_page_is_one_file_that_loads_nothing(world: World, mode: str) -> None:
    async with client_of(world, mode) as client:
        (page,) = (await client.read_resource(views.VIEW)).contents
    assert isinstance(page, types.TextResourceContents)
    assert (page.mime_type, (page.meta or {})["ui"]["csp"]) == ("text/html;profile=mcp-app", {})
    assert page.text == (assets_dir() / "view" / "evidence.html").read_text("utf-8")
    assert len(page.text.encode()) <= 40_000
    assert not re.search(r"(?:src|href)\s*=|url\(|@import|https?://[a-z]|innerHTML|eval\(|Function\(", page.text)
