"""The path of every call, with a controllable engine."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.corpus.records import FileHealth
from app.errors import (
    BusyError,
    CorpusBusyError,
    FetchTimeoutError,
    HTTPStatusError,
    InvalidArgumentError,
    PassageExpiredError,
    StillReadingError,
    WebRAGError,
)
from app.events import CallFinished, CallProgress, CallStarted
from app.ingest.outcome import IngestedPage
from app.orchestration.result import TIME_BUDGET, CorpusStats, Decision, SourceFailure
from app.server.calls.dispatch import Dispatcher, UnknownToolError
from app.server.calls.limits import Caller
from app.server.calls.registry import Hints, Link, Registry, ToolCall, ToolOutput, ToolSpec
from app.server.tools import build_registry
from app.settings import Settings
from tests.server import results
from tests.server.fake_engine import PHASES, FakeEngine

URL = results.HIVES
ASK = {"url": URL, "query": results.QUERY}
CALLER = Caller("claude-code", "2.1", "bridge 41")


def engine_with(**changes: Any) -> FakeEngine:
    return FakeEngine(settings=Settings(data_dir=Path("unused"), **changes))


def dispatcher(engine: FakeEngine, *specs: ToolSpec) -> Dispatcher:
    return Dispatcher(engine, Registry(specs) if specs else build_registry(engine.settings))


def tool(handler: Any, **changes: Any) -> ToolSpec:
    plain = ToolSpec(
        id="kb.probe",
        title="Probe",
        description="Probe.",
        input_schema={"type": "object"},
        hints=Hints(read_only=True, open_world=False),
        handler=handler,
    )
    return replace(plain, **changes)


def finished(engine: FakeEngine) -> CallFinished:
    return next(event for event in engine.events if isinstance(event, CallFinished))


async def test_call_reaches_the_engine_with_its_arguments() -> None:
    engine = FakeEngine()
    arguments = {
        "url": [URL, results.WINTER, URL],
        "query": "q",
        "intent": "how_to",
        "known_context": "hives",
        "constraints": ["code"],
        "expansion_budget": 0,
    }
    reply = await dispatcher(engine).call("answer", arguments, CALLER)
    seconds = engine.asked[0].pop("seconds")
    assert isinstance(seconds, float) and 0 < seconds <= engine.settings.mcp_soft_deadline
    assert engine.asked == [
        {
            "urls": (URL, results.WINTER),
            "query": "q",
            "intent": "how_to",
            "known_context": "hives",
            "constraints": ("code",),
            "expansion_budget": 0,
        }
    ]
    assert not reply.is_error
    assert reply.structured is None
    assert reply.text.startswith('[SOURCES]\n[1] "Choosing a hive"')


async def test_search_status_ingest_reach_the_engine() -> None:
    engine = FakeEngine()
    calls = dispatcher(engine)
    await calls.call("search", {"query": "q", "source_urls": [URL]}, CALLER)
    await calls.call("status", {"include_urls": False}, CALLER)
    await calls.call("ingest", {"url": URL, "refresh": True}, CALLER)
    assert engine.asked == [
        {"query": "q", "source_urls": (URL,), "top_k": 20, "mode": "hybrid"},
        {"source_url": None, "limit": 0},
        {"urls": (URL,), "refresh": True},
    ]


async def test_call_is_announced_from_start_to_end() -> None:
    engine = FakeEngine()
    reply = await dispatcher(engine).call("answer", ASK, CALLER)
    started, *phases, ended = engine.events
    assert isinstance(started, CallStarted)
    assert (started.tool, started.client) == ("answer", "claude-code")
    assert [(p.phase, p.detail) for p in phases if isinstance(p, CallProgress)] == list(PHASES)
    assert isinstance(ended, CallFinished)
    assert ended.call_id == started.call_id
    assert (ended.outcome, ended.characters, ended.tokens) == (
        "ok",
        len(reply.text),
        results.count(reply.text),
    )
    assert ended.pages == (URL, results.WINTER, results.MITES)


@pytest.mark.parametrize(
    ("failure", "kind", "code"),
    [
        (FetchTimeoutError("slow"), "FetchTimeoutError", "TIMEOUT"),
        (CorpusBusyError("busy"), "CorpusBusyError", "BACKEND_UNAVAILABLE"),
        (InvalidArgumentError("Not indexed: x."), "InvalidArgumentError", "INVALID_ARGUMENT"),
        (WebRAGError("odd"), "WebRAGError", "INTERNAL_ERROR"),
        (KeyError("hidden"), "InternalError", "INTERNAL_ERROR"),
        (TimeoutError("hidden"), "InternalError", "INTERNAL_ERROR"),
        (ExceptionGroup("hidden", [ValueError("hidden")]), "InternalError", "INTERNAL_ERROR"),
    ],
)
async def test_every_failure_is_a_readable_reply(failure: Exception, kind: str, code: str) -> None:
    engine = FakeEngine(failure=failure)
    reply = await dispatcher(engine).call("answer", ASK, CALLER)
    assert reply.is_error
    assert reply.text.startswith("[ERROR]\n")
    assert f"\nError type: {kind} ({code})\n" in reply.text
    assert "hidden" not in reply.text
    assert finished(engine).outcome == code


async def test_a_page_that_needs_longer_is_no_error() -> None:
    """After the soft deadline, `ingest` and `answer` report the page, its job, and the next step."""
    reading = IngestedPage.unread(results.OTHER, StillReadingError(results.OTHER, 12))
    reply = await dispatcher(FakeEngine(pages=(reading,))).call("ingest", {"url": results.OTHER}, CALLER)
    assert not reply.is_error
    assert f"- {results.OTHER} — still being indexed (job 12)" in reply.text and "`status`" in reply.text
    assert "[ERROR]" not in reply.text and "inform the user" not in reply.text
    late = SourceFailure(results.OTHER, "", "still being indexed (job 12)", goes_on=True)
    early = replace(
        results.result(failures=(late,)), corpus_stats=CorpusStats(0, (), 0), final_decision=Decision(TIME_BUDGET)
    )
    reply = await dispatcher(FakeEngine(answer=early)).call("answer", {"url": results.OTHER, "query": "q"}, CALLER)
    assert not reply.is_error
    assert f"- {results.OTHER} — still being indexed (job 12)\n" in reply.text
    assert "Stop reason: time budget" in reply.text and "URLs still being indexed: 1" in reply.text
    assert "URLs failed" not in reply.text and "No relevant content" not in reply.text


async def test_failed_ingest_is_an_error_with_its_code() -> None:
    engine = FakeEngine(pages=(results.UNREAD,))
    reply = await dispatcher(engine).call("ingest", {"url": results.OTHER}, CALLER)
    assert reply.is_error
    assert finished(engine).outcome == "BACKEND_UNAVAILABLE"


async def test_bad_arguments_do_not_reach_the_engine() -> None:
    engine = FakeEngine()
    reply = await dispatcher(engine).call("answer", {"url": URL}, CALLER)
    assert reply.is_error
    assert "Details: `query` is missing.\nNext step: Correct the value and call the tool again." in reply.text
    assert engine.asked == []
    assert finished(engine).outcome == "INVALID_ARGUMENT"


async def test_a_failure_is_recorded_with_its_page_and_the_text_for_the_assistant() -> None:
    missing = HTTPStatusError(
        "b.example has no page at this address (404).", url=results.OTHER, status=404, hint="Look."
    )
    engine = FakeEngine(failure=missing)
    reply = await dispatcher(engine).call("answer", ASK, CALLER)
    ended = finished(engine)
    assert ended.failure is not None and ended.named == (URL,)
    assert (ended.failure.title, ended.failure.url, ended.failure.hint) == (missing.title, results.OTHER, "Look.")
    assert f"Details: {ended.failure.text}\n\nThe knowledge" in reply.text
    assert reply.text.endswith("source material was needed.\n\nNext step: Look.")
    engine = FakeEngine(pages=(results.UNREAD,))
    await dispatcher(engine).call("ingest", {"url": results.OTHER}, CALLER)
    failure = finished(engine).failure
    assert failure is not None and failure.url == results.UNREAD.url and failure.text == results.UNREAD.failure_reason


@pytest.mark.parametrize(
    ("arguments", "named"),
    [({"url": URL}, "query"), (ASK | {"expansion_budget": "many"}, "expansion_budget"), (ASK | {"ur": 1}, "ur")],
)
async def test_the_invalid_argument_is_named(arguments: dict[str, Any], named: str) -> None:
    engine = FakeEngine()
    await dispatcher(engine).call("answer", arguments, CALLER)
    failure = finished(engine).failure
    assert failure is not None and failure.argument == named and f"`{named}`" in failure.text


async def test_a_failure_without_an_address_is_about_the_only_named_page() -> None:
    engine = FakeEngine(failure=CorpusBusyError("busy"))
    await dispatcher(engine).call("answer", ASK, CALLER)
    await dispatcher(engine).call("answer", {"url": [URL, results.WINTER], "query": "q"}, CALLER)
    told = [event.failure for event in engine.events if isinstance(event, CallFinished)]
    assert [failure.url for failure in told if failure] == [URL, ""]


async def test_secrets_of_a_failed_call_are_not_recorded() -> None:
    secret = "https://me:hunter2@a.example/x?api_key=topsecret"
    error = FetchTimeoutError(f"{secret} is slow", url=secret, hint=f"Ask {secret} again.")
    engine = FakeEngine(failure=error)
    await dispatcher(engine).call("answer", {"url": secret, "query": "q"}, CALLER)
    failure = finished(engine).failure
    assert failure is not None and "[redacted]" in failure.url
    assert "hunter2" not in repr(failure) and "topsecret" not in repr(failure)
    engine = FakeEngine()
    await dispatcher(engine).call("answer", ASK | {"expansion_budget": "token=topsecret"}, CALLER)
    assert "topsecret" not in repr(finished(engine).failure)


async def test_an_unknown_tool_raises() -> None:
    engine = FakeEngine()
    with pytest.raises(UnknownToolError):
        await dispatcher(engine).call("delete_everything", {}, CALLER)
    assert engine.events == []


async def test_disabled_tool_always_says_the_same() -> None:
    replies = {
        await dispatcher(FakeEngine()).call(name, {}, CALLER)
        for name in ("search_documentation", "search.documentation")
    }
    (reply,) = replies
    assert reply.is_error and reply.structured is None
    assert reply.text == (
        "[ERROR]\nTool 'search_documentation' is disabled. Use kb.retrieve_evidence.\n\n"
        "Error type: InvalidArgumentError (INVALID_ARGUMENT)"
    )


async def test_hard_limit_ends_the_call(caplog: pytest.LogCaptureFixture) -> None:
    engine = engine_with(mcp_tool_timeout=0.2)
    engine.delay = 30
    reply = await dispatcher(engine).call("answer", ASK, CALLER)
    assert reply.is_error
    assert reply.text.startswith("[ERROR]\nWebRAG timed out after 0.2s.\n")
    assert engine.cancelled.is_set()
    assert finished(engine).outcome == "TIMEOUT"
    records = [record for record in caplog.records if record.name == "app.server.calls.dispatch"]
    levels = [record.levelname for record in records if record.levelno >= logging.WARNING]
    assert levels == ["WARNING", "ERROR"]


async def test_a_data_tool_that_exceeds_its_limit_says_what_to_do() -> None:
    async def handle(call: ToolCall) -> ToolOutput:
        await asyncio.sleep(30)
        raise AssertionError

    engine = engine_with(mcp_tool_timeout=0.05)
    reply = await dispatcher(engine, tool(handle, output_schema=SCHEMA)).call("kb.probe", {}, CALLER)
    error = json.loads(reply.text)["error"]
    assert (error["code"], error["message"]) == ("TIMEOUT", "Timed out after 0.05 s.")
    assert error["details"]["hint"]
    failure = finished(engine).failure
    assert failure is not None and failure.hint


async def test_own_limit_of_a_tool_replaces_the_setting() -> None:
    async def handle(call: ToolCall) -> ToolOutput:
        await asyncio.sleep(30)
        return ToolOutput("")

    reply = await dispatcher(FakeEngine(), tool(handle, time_limit=0.1)).call("kb_probe", {}, CALLER)
    assert "timed out after 0.1s." in reply.text


async def test_cancellation_passes_through() -> None:
    engine = FakeEngine(delay=30)
    call = asyncio.create_task(dispatcher(engine).call("answer", ASK, CALLER))
    await engine.entered.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert engine.cancelled.is_set()
    assert finished(engine).outcome == "cancelled"


async def test_slow_calls_queue_without_delaying_searches() -> None:
    engine = FakeEngine(delay=0.2)
    calls = dispatcher(engine)
    others = [replace(CALLER, key=f"bridge {number}") for number in range(caps.MAX_CONCURRENT_CALLS + 2)]
    slow = [asyncio.create_task(calls.call("answer", ASK, other)) for other in others]
    await engine.entered.wait()
    assert "[CORPUS STATUS]" in (await calls.call("status", {}, CALLER)).text
    replies = await asyncio.gather(*slow)
    assert not any(reply.is_error for reply in replies)
    assert engine.most_running == caps.MAX_CONCURRENT_CALLS


async def test_too_many_waiting_calls_are_refused() -> None:
    engine = FakeEngine(delay=30)
    calls = dispatcher(engine)
    places = caps.MAX_CONCURRENT_CALLS_PER_CALLER + caps.MAX_QUEUED_CALLS_PER_CALLER
    waiting = [asyncio.create_task(calls.call("answer", ASK, CALLER)) for _ in range(places)]
    await engine.entered.wait()
    await asyncio.sleep(0.05)
    reply = await calls.call("answer", ASK, CALLER)
    assert "Error type: BusyError (BUDGET_EXCEEDED)" in reply.text
    for task in waiting:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)


async def test_rate_limit_names_the_seconds() -> None:
    engine = engine_with(mcp_rate_limit_requests=2, mcp_rate_limit_window=60)
    calls = dispatcher(engine)
    for _ in range(2):
        assert not (await calls.call("status", {}, CALLER)).is_error
    reply = await calls.call("status", {}, CALLER)
    assert "Error type: BusyError (BUDGET_EXCEEDED)" in reply.text
    assert "Next step: Wait 30 s and call again." in reply.text
    assert not (await calls.call("status", {}, Caller("cursor"))).is_error
    assert not (await calls.call("status", {}, replace(CALLER, charged=True))).is_error


async def test_no_reply_exceeds_its_caps() -> None:
    async def handle(call: ToolCall) -> ToolOutput:
        return ToolOutput("語" * 100_000)

    engine = FakeEngine()
    reply = await dispatcher(engine, tool(handle)).call("kb.probe", {}, CALLER)
    assert len(reply.text.encode()) <= caps.MAX_RESPONSE_BYTES
    assert results.count(reply.text) <= caps.UNKNOWN_CLIENT_TOKENS
    assert reply.text.endswith("(cut here: the rest did not fit into one result)")


SCHEMA = {
    "type": "object",
    "properties": {"hits": {"type": "array", "items": {"type": "string"}}},
    "required": ["hits"],
}


def data_tool(structured: Any) -> ToolSpec:
    async def handle(call: ToolCall) -> ToolOutput:
        if isinstance(structured, Exception):
            raise structured
        return ToolOutput("1 hit", structured=structured)

    return tool(handle, output_schema=SCHEMA)


async def test_structured_result_that_fits_passes() -> None:
    reply = await dispatcher(FakeEngine(), data_tool({"hits": ["a"]})).call("kb.probe", {}, CALLER)
    assert reply == ToolOutput("1 hit", {"hits": ["a"]})


@pytest.mark.parametrize(
    ("structured", "code"),
    [
        ({"hits": "a"}, "INTERNAL_ERROR"),
        (None, "INTERNAL_ERROR"),
        ({"hits": ["x" * caps.MAX_RESPONSE_BYTES]}, "BUDGET_EXCEEDED"),
        (FetchTimeoutError("slow /home/anna/x", hint="again"), "TIMEOUT"),
    ],
)
async def test_failed_data_tool_answers_with_the_envelope(structured: Any, code: str) -> None:
    reply = await dispatcher(FakeEngine(), data_tool(structured)).call("kb.probe", {}, CALLER)
    assert reply.is_error
    assert reply.structured is None
    error = json.loads(reply.text)["error"]
    assert set(error) == {"code", "message", "details"}
    assert error["code"] == code
    assert error["details"]["hint"]
    assert "anna" not in reply.text


@pytest.mark.parametrize(
    ("failure", "details"),
    [
        (PassageExpiredError("Passage expired; call kb.search again"), {"reason": "expired"}),
        (FetchTimeoutError("slow"), {}),
        (BusyError("busy", retry_after=3.5), {"retryAfter": 3.5}),
        (BusyError("busy", retry_after=9.753527437999763), {"retryAfter": 9.8}),
        (
            InvalidArgumentError("No file a.", details={"path": "/home/anna/a", "size": 3}),
            {"path": "[path]", "size": 3},
        ),
    ],
)
async def test_envelope_carries_the_details_of_an_error(failure: WebRAGError, details: dict[str, Any]) -> None:
    reply = await dispatcher(FakeEngine(), data_tool(failure)).call("kb.probe", {}, CALLER)
    told = json.loads(reply.text)["error"]
    assert told["message"] == failure.message
    assert told["details"].pop("hint")
    assert told["details"] == details


async def test_structured_content_is_no_larger_than_its_client_takes() -> None:
    tool = data_tool({"hits": ["x" * 40_000]})
    calls = dispatcher(FakeEngine(), tool)
    assert not (await calls.call("kb.probe", {}, CALLER)).is_error
    reply = await calls.call("kb.probe", {}, Caller("codex-mcp-client"))
    assert json.loads(reply.text)["error"]["code"] == "BUDGET_EXCEEDED"


async def test_a_handler_knows_its_budget_and_its_time() -> None:
    seen: list[ToolCall] = []

    async def handle(call: ToolCall) -> ToolOutput:
        seen.append(call)
        return ToolOutput("", structured={"hits": []}, links=(Link("u", "n", "t", 1),) * 9)

    calls = dispatcher(FakeEngine(), tool(handle, output_schema=SCHEMA))
    reply = await calls.call("kb.probe", {}, Caller("@librechat/api-client"))
    assert len(reply.links) == caps.MAX_LINKS_PER_RESULT
    assert seen[0].budget.bytes == seen[0].budget.characters == 48_000
    assert 14 < seen[0].seconds <= 15


async def test_work_in_a_thread_is_abandoned_when_its_call_is_canceled() -> None:
    entered, leave = threading.Event(), threading.Event()

    def work() -> None:
        entered.set()
        leave.wait(30)

    async def handle(call: ToolCall) -> ToolOutput:
        await asyncio.to_thread(work)
        return ToolOutput("done")

    calls = dispatcher(FakeEngine(), tool(handle))
    task = asyncio.create_task(calls.call("kb.probe", {}, CALLER))
    await asyncio.to_thread(entered.wait, 30)
    task.cancel()
    began = time.monotonic()
    await asyncio.gather(task, return_exceptions=True)
    assert task.cancelled()
    assert time.monotonic() - began < 15
    leave.set()
    assert (await calls.call("kb.probe", {}, CALLER)).text == "done"


async def test_one_client_does_not_delay_the_others() -> None:
    engine = FakeEngine(delay=30)
    calls = dispatcher(engine)
    greedy = [asyncio.create_task(calls.call("answer", ASK, CALLER)) for _ in range(12)]
    await engine.entered.wait()
    await asyncio.sleep(0.05)
    engine.delay = 0
    async with asyncio.timeout(60):
        assert not (await calls.call("answer", ASK, Caller("cursor"))).is_error
    for each in greedy:
        each.cancel()
    await asyncio.gather(*greedy, return_exceptions=True)


async def test_five_busy_clients_get_no_errors() -> None:
    engine = FakeEngine(delay=0.01)
    calls = dispatcher(engine)
    clients = [Caller("claude-code", key=f"bridge {number}") for number in range(5)]
    replies = await asyncio.gather(*(calls.call("answer", ASK, client) for client in clients for _ in range(12)))
    assert not any(reply.is_error for reply in replies)


async def test_the_log_has_sizes_but_no_arguments(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "the question nobody else may read"
    for failure in (None, ValueError(secret), FetchTimeoutError(secret)):
        engine = FakeEngine(failure=failure)
        await dispatcher(engine).call("answer", {"url": URL, "query": secret}, CALLER, request_id="7\nforged")
    await dispatcher(FakeEngine()).call("answer", {"url": secret, "query": 7}, CALLER)
    formatter = logging.Formatter()
    written = "\n".join(formatter.format(record) for record in caplog.records)
    assert "answer from claude-code, request 7?forged" in written
    assert "answer ok after" in written
    assert "ValueError" in written
    assert secret not in written
    assert URL not in written


async def test_the_log_says_if_a_result_was_partial_or_continued(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    for found, arguments in (({"hits": []}, {}), ({"hits": [], "partial": True}, {"cursor": "abc"})):
        await dispatcher(FakeEngine(), data_tool(found)).call("kb.probe", arguments, CALLER)
    whole, part = (record.getMessage() for record in caplog.records if " ok after " in record.getMessage())
    assert whole.endswith("0 pages")
    assert part.endswith("0 pages, partial, from a cursor")
    assert "abc" not in part


async def test_a_paused_engine_refuses_calls_with_the_reason_and_serves_again() -> None:
    engine = FakeEngine()
    calls = dispatcher(engine)
    engine.is_paused = True
    reply = await calls.call("status", {}, CALLER)
    assert reply.is_error and "paused" in reply.text.lower() and not engine.asked
    engine.is_paused = False
    assert not (await calls.call("status", {}, CALLER)).is_error


DAMAGED = FileHealth("page 7 cannot be read")


@pytest.mark.parametrize("structured", [{"results": []}, {"results": [], "note": "It is said already."}])
async def test_problems_of_the_library_are_noted_in_both_forms(
    structured: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def handle(call: ToolCall) -> ToolOutput:
        given.append(call.budget)
        return ToolOutput("1. found", structured)

    given: list[Any] = []
    data = {"output_schema": {"type": "object"}}
    calls = dispatcher(FakeEngine(), tool(handle, notes_health=True, **data))
    plain = await calls.call("kb.probe", {}, CALLER)
    assert (plain.text, plain.structured) == ("1. found", structured)
    monkeypatch.setattr(FakeEngine, "health", DAMAGED)
    reply = await calls.call("kb.probe", {}, CALLER)
    note, found = reply.text.split("\n")
    assert note.startswith("Note: The library on this computer is damaged (page 7 cannot be read)")
    assert found == "1. found"
    assert reply.structured is not None
    assert reply.structured["note"] == " ".join(filter(None, (note.removeprefix("Note: "), structured.get("note"))))
    assert given[1].bytes < given[0].bytes, "the result leaves room for the note"


def test_every_tool_that_reads_the_library_tells_when_it_is_damaged() -> None:
    silent = {spec.id for spec in build_registry(FakeEngine().settings)._every if not spec.notes_health}
    assert silent == {"answer", "search", "status", "ingest", "web.search"}, "the first three report it themselves"


async def test_a_connection_can_ask_about_the_pages_that_it_received() -> None:
    engine = FakeEngine()
    calls = dispatcher(engine)
    here, there = Caller("cursor", key="bridge 1"), Caller("cursor", key="bridge 2")
    await calls.call("answer", ASK, here)
    found = await calls.call("search", {"query": "q", "source_urls": ["conversation:", "https://a.example/"]}, here)
    assert not found.is_error
    asked = list(engine.asked[-1]["source_urls"])
    assert (asked[0], asked[-1]) == (results.HIVES, "https://a.example/") and "conversation:" not in asked
    listed = await calls.call("status", {"source_url": "conversation:"}, here)
    assert f"Read in this conversation:\n- {results.HIVES}\n" in listed.text
    for caller, reason in ((there, "No page was read"), (Caller("curl"), "cannot be told apart")):
        for tool, given in (
            ("search", {"query": "q", "source_urls": "conversation:"}),
            ("status", {"source_url": "conversation:"}),
        ):
            refused = await calls.call(tool, given, caller)
            assert refused.is_error and reason in refused.text


async def test_only_some_connections_and_pages_are_remembered() -> None:
    calls = dispatcher(FakeEngine())
    for number in range(100):
        calls._note_read(f"owner {number}", [f"https://a.example/{each}" for each in range(caps.MAX_STATUS_URLS + 9)])
    assert len(calls._read) == 64
    assert list(calls._read["owner 99"])[-1] == "https://a.example/0"
    assert len(calls._read["owner 99"]) == caps.MAX_STATUS_URLS
