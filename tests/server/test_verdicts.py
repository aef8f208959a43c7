"""Every call is recorded with its outcome: an answer, only the closest passages, nothing, or an error."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.errors import FetchTimeoutError
from app.events import CallFinished, Event, Verdict
from app.orchestration.result import OrchestrationResult
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import Caller
from app.server.tools import build_registry
from tests.server import results
from tests.server.fake_engine import FakeEngine
from tests.server.small_world import Arguments, World

pytestmark = pytest.mark.asyncio(loop_scope="session")

CALLER = Caller("claude-code", key="test", charged=True)
DENIALS = (
    "No relevant content",
    "most likely does not answer",
    "is similar enough",
    "Found 0 results",
    "No path found",
)
"""Words with which results say that they contain no answer."""


def one_chunk(**changes: object) -> OrchestrationResult:
    return replace(results.one_chunk(), **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("result", "verdict"),
    [
        (one_chunk(), Verdict.ANSWERED),
        (one_chunk(nothing_found=True), Verdict.CLOSEST),
        (one_chunk(nothing_found=True, chunks=(), citations=()), Verdict.NOTHING),
        (one_chunk(chunks=(), citations=()), Verdict.NOTHING),
        (FetchTimeoutError("slow"), Verdict.FAILED),
    ],
)
@pytest.mark.parametrize("tool", ["answer", "search"])
async def test_the_verdict_comes_from_the_evidence(
    tool: str, result: OrchestrationResult | Exception, verdict: Verdict
) -> None:
    engine = FakeEngine(answer=result) if isinstance(result, OrchestrationResult) else FakeEngine(failure=result)
    arguments = {"query": results.QUERY} | ({"url": results.HIVES} if tool == "answer" else {})
    await Dispatcher(engine, build_registry(engine.settings)).call(tool, arguments, CALLER)
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert ended.verdict == verdict


@pytest.fixture
async def ended(world: World) -> AsyncIterator[list[CallFinished]]:
    told: list[CallFinished] = []

    def note(event: Event) -> None:
        if isinstance(event, CallFinished):
            told.append(event)

    unsubscribe = world.engine.bus.subscribe(note)
    yield told
    unsubscribe()


async def test_every_tool_has_a_verdict_that_fits_its_text(world: World, ended: list[CallFinished]) -> None:
    for tool, arguments in await world.examples():
        ended.clear()
        reply = await world.call(tool, arguments)
        verdict = ended[-1].verdict
        denies = any(words in reply.text for words in DENIALS)
        expected = (
            {Verdict.FAILED} if reply.is_error else {Verdict.CLOSEST, Verdict.NOTHING} if denies else set(Verdict)
        )
        assert verdict in expected, (tool, arguments, verdict, reply.text[:400])


@pytest.mark.parametrize(
    ("tool", "arguments", "verdict"),
    [
        ("kb.verify_quote", {"text": "Wooden walls of 25 mm lose heat quickly."}, Verdict.ANSWERED),
        ("kb.verify_quote", {"text": "Wooden walls of 26 mm lose heat very quickly."}, Verdict.CLOSEST),
        ("kb.verify_quote", {"text": "The parliament of Mongolia meets in a palace."}, Verdict.NOTHING),
        ("search_docs", {"query": "xyzzy plugh"}, Verdict.NOTHING),
        ("kb.read_excerpt", {"passage_id": "zzz"}, Verdict.FAILED),
        ("kb.search", {}, Verdict.FAILED),
    ],
)
async def test_other_tools(
    world: World, ended: list[CallFinished], tool: str, arguments: Arguments, verdict: Verdict
) -> None:
    await world.call(tool, arguments)
    assert ended[-1].verdict == verdict


async def test_the_verdict_is_recorded(world: World, ended: list[CallFinished]) -> None:
    await world.call("kb.verify_quote", {"text": "The parliament of Mongolia meets in a palace."})
    async with asyncio.timeout(60):
        while not any(call.started_at == ended[-1].started_at for call in await world.engine.activity.calls(5)):  # noqa: ASYNC110 (worker threads)
            await asyncio.sleep(0.01)
    assert (await world.engine.activity.calls(1))[0].verdict == Verdict.NOTHING


async def test_a_cancelled_call_has_no_verdict() -> None:
    engine = FakeEngine(delay=30)
    call = asyncio.ensure_future(
        Dispatcher(engine, build_registry(engine.settings)).call("search", {"query": results.QUERY}, CALLER)
    )
    await engine.entered.wait()
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    (ended,) = [event for event in engine.events if isinstance(event, CallFinished)]
    assert ended.verdict == ""
