"""What bridges, the command line and a second start ask of a running instance."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import httpx2
import pytest

from app.cli.calls import LIMITED
from app.errors import FetchTimeoutError
from app.events import CallFinished, CallStarted, ClientsChanged
from app.orchestration.result import SourceFailure
from app.serialise import to_jsonable
from app.server.control.methods import METHODS
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import PHASES, FakeEngine
from tests.server.transports import BEARER, leave, listening, until


async def ask(engine: FakeEngine, method: Any, params: Any = None) -> list[dict[str, Any]]:
    async with listening(engine) as server, httpx2.AsyncClient(headers=BEARER, trust_env=False) as client:
        body = {"method": method, "params": params or {}}
        response = await client.post(server.url.replace("/mcp", "/control/call"), json=body)
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/x-ndjson"
        return [json.loads(line) for line in response.text.splitlines()]


PROGRESS = [{"progress": {"phase": phase, "detail": detail}} for phase, detail in PHASES]


async def test_answer_streams_progress_and_ends_with_the_result() -> None:
    engine = FakeEngine()
    *progress, last = await ask(
        engine,
        "answer",
        {"urls": [results.HIVES, results.WINTER], "query": "q", "expansion_budget": 1, "intent": None},
    )
    assert progress == PROGRESS
    assert last == {"result": to_jsonable(engine.answer)}
    assert engine.asked[0]["urls"] == (results.HIVES, results.WINTER)
    assert engine.asked[0]["expansion_budget"] == 1
    started, ended = engine.events[1], engine.events[-2]
    assert isinstance(started, CallStarted)
    assert isinstance(ended, CallFinished)
    assert (started.client, ended.outcome) == ("command line", "ok")


@pytest.mark.parametrize(
    ("method", "params", "key"),
    [
        ("search", {"query": "q", "mode": "keyword", "top_k": 3}, "chunks"),
        ("status", {"limit": 5}, "totals"),
        ("status", {"source_url": results.HIVES}, "documents"),
    ],
)
async def test_methods_give_the_engines_results(method: str, params: dict[str, Any], key: str) -> None:
    assert key in (await ask(FakeEngine(), method, params))[-1]["result"]


async def test_lists_and_flags() -> None:
    assert (await ask(FakeEngine(), "ingest", {"urls": [results.HIVES]}))[-1]["result"][0]["change"] == "stored"
    assert (await ask(FakeEngine(), "verify"))[-1]["result"][0]["check"] == "integrity"
    assert (await ask(FakeEngine(), "library", {"limit": 10}))[-1]["result"][0]["url"] == results.HIVES
    assert await ask(FakeEngine(), "delete", {"urls": [results.HIVES]}) == [{"result": [results.HIVES]}]


@pytest.mark.parametrize(
    ("method", "params", "failure", "code"),
    [
        ("answer", {"urls": [results.HIVES], "query": "q"}, FetchTimeoutError("slow"), "TIMEOUT"),
        ("answer", {"urls": [results.HIVES], "query": "q"}, ValueError("hidden"), "INTERNAL_ERROR"),
        ("answer", {"query": "q"}, None, "INVALID_ARGUMENT"),
        ("answer", {"urls": [results.HIVES], "query": "q", "extra": 1}, None, "INVALID_ARGUMENT"),
        ("no_such_method", {}, None, "INVALID_ARGUMENT"),
        ("__class__", {}, None, "INVALID_ARGUMENT"),
    ],
)
async def test_failures_are_the_last_line(
    method: str, params: dict[str, Any], failure: Exception | None, code: str
) -> None:
    last = (await ask(FakeEngine(failure=failure), method, params))[-1]
    assert set(last["error"]) == {"code", "title", "message", "hint"}
    assert last["error"]["code"] == code
    assert "hidden" not in last["error"]["message"]


FAILED_ANSWER = results.result(failures=(SourceFailure(results.OTHER, "TIMEOUT", "slow"),))


@pytest.mark.parametrize(
    ("method", "engine", "pages", "outcome"),
    [
        ("answer", FakeEngine(), (results.HIVES, results.WINTER, results.MITES), "ok"),
        ("answer", FakeEngine(answer=FAILED_ANSWER), (), "TIMEOUT"),
        ("ingest", FakeEngine(pages=(results.READ, results.UNREAD)), (results.HIVES,), "ok"),
        ("ingest", FakeEngine(pages=(results.UNREAD,)), (), "BACKEND_UNAVAILABLE"),
    ],
)
async def test_the_record_says_what_came_of_it(
    method: str, engine: FakeEngine, pages: tuple[str, ...], outcome: str
) -> None:
    await ask(engine, method, {"urls": [results.HIVES], **({"query": "q"} if method == "answer" else {})})
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert (ended.pages, ended.outcome, ended.tokens) == (pages, outcome, 0)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("answer", {"urls": [results.HIVES], "query": "q"}),
        ("search", {"query": "q"}),
        ("ingest", {"urls": [results.HIVES]}),
    ],
)
async def test_calls_end_at_the_time_limit_of_tools(method: str, params: dict[str, Any]) -> None:
    engine = FakeEngine(settings=Settings(data_dir=Path("unused"), mcp_tool_timeout=0.1), delay=30)
    assert (await ask(engine, method, params))[-1]["error"]["code"] == "TIMEOUT"
    assert engine.cancelled.is_set()
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert ended.outcome == "TIMEOUT"


def test_the_command_line_knows_which_calls_have_a_limit() -> None:
    assert {name for name, method in METHODS.items() if method.account is not None} == LIMITED


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"method": 7}', b'{"method": "verify", "params": []}'])
async def test_unreadable_request_is_refused(body: bytes) -> None:
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False) as client,
    ):
        response = await client.post(server.url.replace("/mcp", "/control/call"), content=body)
        assert response.status_code == 400


async def test_caller_who_leaves_ends_the_work() -> None:
    engine = FakeEngine(delay=30)
    async with listening(engine) as server, httpx2.AsyncClient(headers=BEARER, trust_env=False) as client:
        body = {"method": "answer", "params": {"urls": [results.HIVES], "query": "q"}}
        await leave(engine, client.post(server.url.replace("/mcp", "/control/call"), json=body, timeout=30))
        await asyncio.wait_for(engine.cancelled.wait(), 20)


async def test_everything_here_needs_the_token() -> None:
    async with listening(FakeEngine()) as server, httpx2.AsyncClient(trust_env=False) as client:
        base = server.url.replace("/mcp", "")
        for path in ("call", "show", "stop"):
            assert (await client.post(f"{base}/control/{path}")).status_code == 401
        assert (await client.get(f"{base}/control/attach")).status_code == 401


async def test_window_is_shown_and_instance_stopped_on_request() -> None:
    done: list[str] = []
    options = {"on_show": lambda: done.append("show"), "on_stop": lambda: done.append("stop")}
    async with (
        listening(FakeEngine(), **options) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False) as client,
    ):
        base = server.url.replace("/mcp", "")
        assert (await client.post(f"{base}/control/show")).status_code == 200
        assert (await client.post(f"{base}/control/stop")).status_code == 200
        await until(lambda: len(done) == 2)
    assert done == ["show", "stop"]


async def test_headless_instance_has_no_window() -> None:
    async with (
        listening(FakeEngine()) as server,
        httpx2.AsyncClient(headers=BEARER, trust_env=False) as client,
    ):
        response = await client.post(server.url.replace("/mcp", "/control/show"))
        assert (response.status_code, response.json()) == (409, {"error": "headless"})
        assert (await client.post(server.url.replace("/mcp", "/control/stop"))).status_code == 409


def attached_names(engine: FakeEngine) -> list[tuple[str, ...]]:
    return [event.names for event in engine.events if isinstance(event, ClientsChanged)]


async def test_line_counts_as_connected_until_either_side_ends_it() -> None:
    engine = FakeEngine()
    async with httpx2.AsyncClient(headers=BEARER, trust_env=False) as client:
        async with listening(engine) as server:
            url = server.url.replace("/mcp", f"/control/attach?client=claude-code%2F2.1&pid={os.getpid()}")
            async with client.stream("GET", url) as first:
                assert await anext(first.aiter_raw()) == b"\n"
                assert server.attached.names == ("claude-code",)
            await until(lambda: server.attached.names == ())
            waiting = client.stream("GET", url)
            second = await waiting.__aenter__()
            lines = second.aiter_raw()
            assert await anext(lines) == b"\n"
        assert [line async for line in lines] == []
        await waiting.__aexit__(None, None, None)
    assert attached_names(engine) == [("claude-code",), (), ("claude-code",), ()]


async def test_the_token_ledger_is_told_and_erased() -> None:
    engine = FakeEngine()
    (told,) = await ask(engine, "usage", {"days": 7})
    assert told["result"][0]["saved"] == 900
    (refused,) = await ask(engine, "usage", {"days": 0})
    assert refused["error"]["code"] == "INVALID_ARGUMENT"
    assert await ask(engine, "usage_erase") == [{"result": True}]
    assert {"erased": True} in engine.asked
