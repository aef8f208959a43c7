"""Extensions in all combinations of standard I/O, bridge and HTTP, both protocol eras, declared or not: real processes, official client."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, ClassVar, Literal

import httpx2
import pytest
from mcp import Client, MCPError, StdioServerParameters, UrlElicitationRequiredError
from mcp.client.extension import ClientExtension, ResultClaim, advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult, ElicitResult, Request, RequestParams, Result
from pydantic import ConfigDict, Field

from app import extensions
from app.server.protocol.views import META_KEY
from tests.bridge.process import ROOT
from tests.conftest import with_guide
from tests.integration.application import start
from tests.integration.pages import html
from tests.support.site import Site

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

WAYS = ("stdio", "bridge", "http")
OPEN_NET = {"WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8"}


class Started(Result):
    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = Field("task", alias="resultType")
    task_id: str = Field(alias="taskId")


class TaskParams(RequestParams):
    task_id: str = Field(alias="taskId", serialization_alias="taskId")


class GetTask(Request[TaskParams, Literal["tasks/get"]]):
    name_param: ClassVar[str | None] = "taskId"
    method: Literal["tasks/get"] = "tasks/get"
    params: TaskParams


class State(Result):
    model_config = ConfigDict(extra="allow")

    status: str
    result: dict[str, Any] | None = None


class Tasks(ClientExtension):
    """Follow tasks as Claude Code does, and count the questions."""

    identifier = extensions.TASKS

    def __init__(self) -> None:
        self.polls = 0

    def claims(self) -> Sequence[ResultClaim[Any]]:
        return [ResultClaim(result_type="task", model=Started, resolve=self._resolve)]

    async def _resolve(self, started: Started, ctx: Any) -> CallToolResult:
        while True:
            self.polls += 1
            request = GetTask(params=TaskParams(taskId=started.task_id))
            state = await ctx.session.send_request(request, State)
            if state.status != "working":
                return CallToolResult.model_validate(state.result)
            await asyncio.sleep(0.05)


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        running.page("/docs/", html("Valves", "The night crew inspects every valve on Tuesdays. " * 9))
        yield running


@asynccontextmanager
async def connected(
    way: str, folder: Path, mode: str, declared: list[ClientExtension], **more: Any
) -> AsyncIterator[Client]:
    """Yield the official client. A running program answers bridges and HTTP, so that none of them waits for its start."""
    command = ["serve", "--transport", "stdio"] if way == "stdio" else ["mcp"]
    arguments = ["-m", "app", *command, "--data-dir", str(folder)]
    server = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **OPEN_NET}, cwd=ROOT)
    program = start(folder) if way != "stdio" else None
    headers = {"Authorization": "Bearer test-token"}
    try:
        async with httpx2.AsyncClient(headers=headers, trust_env=False, timeout=60) as http:
            is_http = program is not None and way == "http"
            target: Any = streamable_http_client(program.url, http_client=http) if is_http else server  # type: ignore[union-attr]
            async with Client(target, mode=mode, extensions=declared, **more) as client:
                yield client
    finally:
        if program is not None:
            program.stop()


@pytest.mark.parametrize("is_declared", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("way", WAYS)
async def test_answers_depend_on_what_the_client_declared(
    way: str,
    mode: str,
    is_declared: bool,
    tmp_path: Path,
    guide_file: Path,
    site: Site,
) -> None:
    data_dir, tasks = with_guide(tmp_path / "data", guide_file), Tasks()
    apps = advertise(extensions.UI, {"mimeTypes": [extensions.VIEW_TYPE]})
    async with connected(way, data_dir, mode, [apps, tasks] if is_declared else []) as client:
        offered = set(client.server_capabilities.extensions or {})
        wanted = {extensions.UI, extensions.SKILLS, *((extensions.TASKS,) if mode == "auto" else ())}
        assert offered == (wanted if is_declared or mode == "auto" else set())
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert ("evidence_of" in tools) == ("ui" in (tools["search"].meta or {})) == is_declared
        found = await client.call_tool("search", {"query": "How do I connect Claude Desktop?"})
        assert (META_KEY in (found.meta or {})) == is_declared
        assert found.structured_content is None
        here = await client.call_tool("status", {"source_url": "conversation:"})
        # Plain HTTP of the newer era has no sessions.
        said = "cannot be told apart" if (way, mode) == ("http", "auto") else "Read in this conversation:\n- "
        assert said in here.content[0].text  # type: ignore[union-attr]
        began = time.monotonic()
        crawl = await client.call_tool("ingest", {"url": site.url("/docs/"), "crawl": {"max_pages": 1}})
        assert time.monotonic() - began < 40
        assert "crawl of" in crawl.content[0].text  # type: ignore[union-attr]
        assert (tasks.polls > 0) == (is_declared and mode == "auto")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize("way", WAYS)
async def test_only_a_running_program_sends_a_link_for_a_page_behind_a_sign_in(
    way: str, mode: str, tmp_path: Path, guide_file: Path, site: Site
) -> None:
    """Over standard input and output, there is no server that could show the step and receive pages from a browser."""
    site.page("/private", "No.", status=403)
    links: list[str] = []

    async def decline(_context: object, params: Any) -> ElicitResult:
        links.append(params.url)
        return ElicitResult(action="decline")

    data_dir = with_guide(tmp_path / "data", guide_file)
    async with connected(way, data_dir, mode, [], elicitation_callback=decline) as client:
        asked = {"url": site.url("/private"), "query": "When?"}
        try:
            told = await client.call_tool("answer", asked)
        except MCPError as error:
            links += [each.url for each in UrlElicitationRequiredError.from_error(error.error).elicitations]
            told = await client.call_tool("answer", asked)
        assert told.is_error and "browser extension" in told.content[0].text  # type: ignore[union-attr]
        assert len(links) == (way != "stdio")
        async with httpx2.AsyncClient(trust_env=False) as browser:
            for link in links:
                assert site.url("/private") in (await browser.get(link)).text
