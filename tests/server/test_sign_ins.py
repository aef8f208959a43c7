"""Pages that need a sign-in: clients that open links get one to WebRAG's own step, and all others today's text."""

from __future__ import annotations

import asyncio
import contextlib
import html
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx2
import mcp.types as types
import pytest
from mcp import Client, MCPError, UrlElicitationRequiredError
from mcp.client.streamable_http import streamable_http_client

from app import extensions
from app.errors import ContentProtectedError, HTTPStatusError
from app.events import DocumentChanged
from app.ingest.outcome import IngestedPage
from app.orchestration.page_queries import PROTECTED, PageAnswers
from app.server.http import HttpServer
from app.server.protocol import sign_ins
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, MODES, listening

PAGE = 'https://intranet.example/a?b=1&c="<script>alert(1)</script>'
STORED = "https://intranet.example/a?b=1&c=%22%3Cscript%3Ealert(1)%3C/script%3E"
REFUSED = ContentProtectedError("content protected: intranet.example returned 403 Forbidden.", url=STORED)
READ = {"url": PAGE, "query": "When?"}


class Person:
    """Answers the questions of a client, and does something first."""

    def __init__(self, action: str, before: Callable[[], object] = lambda: None) -> None:
        self.asked: list[types.ElicitRequestURLParams] = []
        self.action: Any = action
        self.before = before

    async def __call__(self, _context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        assert isinstance(params, types.ElicitRequestURLParams)
        self.asked.append(params)
        self.before()
        return types.ElicitResult(action=self.action)


@contextlib.asynccontextmanager
async def connected(server: HttpServer, mode: str, person: Person | None) -> AsyncIterator[Client]:
    async with (
        httpx2.AsyncClient(headers=BEARER, trust_env=False) as http,
        Client(streamable_http_client(server.url, http_client=http), mode=mode, elicitation_callback=person) as client,
    ):
        yield client


def text_of(result: types.CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, types.TextContent)
    return content.text


@pytest.mark.parametrize("action", ["decline", "cancel"])
async def test_after_a_refusal_the_text_is_that_of_other_clients(action: str) -> None:
    engine, person = FakeEngine(failure=REFUSED), Person(action)
    async with (
        listening(engine) as server,
        connected(server, "auto", person) as asking,
        connected(server, "auto", None) as plain,
    ):
        told = await asking.call_tool("answer", READ)
        assert told == await plain.call_tool("answer", READ)
        assert await asking.call_tool("answer", READ) == told
    assert told.is_error and ContentProtectedError.default_hint in text_of(told)
    (asked,) = person.asked
    assert asked.message.startswith("intranet.example requires a sign-in") and PAGE not in asked.url


async def test_a_call_waits_until_the_user_has_saved_the_page() -> None:
    engine = FakeEngine(failure=REFUSED)

    def store() -> None:
        engine.failure = None
        engine.bus.publish(DocumentChanged(f"{STORED}#part", 1, "stored"))

    person = Person("accept", lambda: asyncio.get_running_loop().call_later(0.2, store))
    async with listening(engine) as server, connected(server, "auto", person) as client:
        read = await client.call_tool("answer", READ)
    assert not read.is_error and len(person.asked) == 1


async def test_a_call_does_not_wait_long_for_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sign_ins, "SAVE_SECONDS", 0.05)
    engine = FakeEngine(failure=REFUSED)
    async with listening(engine) as server, connected(server, "auto", Person("accept")) as client:
        assert (await client.call_tool("answer", READ)).is_error
    assert len(engine.asked) == 2


async def test_the_older_era_gets_the_link_in_an_error_once() -> None:
    engine, person = FakeEngine(failure=REFUSED), Person("accept")
    async with listening(engine) as server, connected(server, "legacy", person) as client:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("answer", READ)
        again = await client.call_tool("answer", READ)
    (asked,) = UrlElicitationRequiredError.from_error(refused.value.error).elicitations
    assert asked.url.endswith(f"{sign_ins.PATH}{asked.elicitation_id}") and not person.asked
    assert again.is_error and ContentProtectedError.default_hint in text_of(again)


@pytest.mark.parametrize("mode", MODES)
async def test_other_failures_ask_nothing(mode: str) -> None:
    """A file with a password does not open in the browser either."""
    person = Person("accept")
    locked = ContentProtectedError("plan.docx is protected with a password.", url=STORED, hint="Remove it.")
    engine = FakeEngine(failure=locked)
    async with listening(engine) as server, connected(server, mode, person) as client:
        for failure in (locked, HTTPStatusError("gone", url=STORED, status=404)):
            engine.failure = failure
            assert (await client.call_tool("answer", READ)).is_error
        engine.failure = REFUSED
        assert (await client.call_tool("answer", {**READ, "url": "file:///home/ann/a.md"})).is_error
    assert not person.asked


@pytest.mark.parametrize("tool", ["answer", "ingest", "web_read_from_page"])
async def test_every_tool_that_opens_pages_asks(tool: str) -> None:
    unread, person = IngestedPage.unread(PAGE, REFUSED), Person("cancel")
    engine = FakeEngine(pages=(unread,), failure=REFUSED if tool == "answer" else None)
    engine.page_answers = PageAnswers(PAGE, "", 0.0, (), PROTECTED, needs_browser=True)
    given = {"url": PAGE} if tool == "ingest" else READ
    async with listening(engine) as server, connected(server, "auto", person) as client:
        await client.call_tool(tool, given)
    assert len(person.asked) == 1


async def test_the_step_shows_the_page_and_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person("cancel")
    async with (
        listening(FakeEngine(failure=REFUSED)) as server,
        connected(server, "auto", person) as client,
        httpx2.AsyncClient(trust_env=False) as browser,
    ):
        await client.call_tool("answer", READ)
        link = person.asked[0].url
        english, german = await browser.get(link), await browser.get(link, headers={"Accept-Language": "de-AT,de"})
        assert english.status_code == 200 and 'lang="en" class="known"' in english.text
        assert german.text.replace('html lang="de"', 'html lang="en"') == english.text
        assert f'href="{html.escape(STORED)}"' in english.text and "<script" not in english.text
        assert english.headers["content-security-policy"].startswith("default-src 'none'")
        assert (await browser.get(link, headers={"Origin": "https://evil.example"})).status_code == 403
        assert (await browser.post(link)).status_code == 405
        assert (await browser.get(f"{link}x")).status_code == 404
        monkeypatch.setattr(sign_ins, "LINK_SECONDS", 0.0)
        expired = await browser.get(link)
    assert expired.status_code == 404 and "intranet.example" not in expired.text


@pytest.mark.parametrize("given", [{}, {"elicitation": {}}, {"elicitation": {"form": {}}}, {"elicitation": {"url": 1}}])
def test_only_clients_that_open_links_declare_it(given: dict[str, Any]) -> None:
    assert extensions.LINKS not in extensions.declared(given)
    assert extensions.to_words(extensions.declared({"elicitation": {"url": {}, "form": {}}})) == "url"
