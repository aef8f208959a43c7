"""Rate limits, result budgets and deadlines by client, and fair queues in which no caller takes every slot."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import BusyError
from app.server.calls.dispatch import gate_of_node
from app.server.calls.limits import (
    MAX_CALLERS_REMEMBERED,
    CallGate,
    RateLimiter,
    data_budget,
    effective_budget,
    soft_deadline,
)
from app.server.render.text import clip
from app.settings import Settings


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_bucket_refills_with_time() -> None:
    clock = Clock()
    limiter = RateLimiter(3, 60, clock=clock)
    assert [limiter.retry_after("a") for _ in range(3)] == [0, 0, 0]
    assert limiter.retry_after("a") == pytest.approx(20)
    clock.now += 19
    assert limiter.retry_after("a") == pytest.approx(1)
    clock.now += 1
    assert limiter.retry_after("a") == 0
    assert limiter.retry_after("a") > 0


def test_callers_do_not_share_a_bucket() -> None:
    limiter = RateLimiter(1, 60, clock=Clock())
    assert limiter.retry_after("a") == 0
    assert limiter.retry_after("b") == 0


def test_the_number_of_remembered_callers_is_bounded() -> None:
    limiter = RateLimiter(1, 60, clock=Clock())
    limiter.retry_after("first")
    for number in range(MAX_CALLERS_REMEMBERED):
        limiter.retry_after(str(number))
    assert limiter.retry_after("first") == 0


def test_the_message_says_when_to_retry() -> None:
    limiter = RateLimiter(1, 60, clock=Clock())
    limiter.check("a")
    with pytest.raises(BusyError) as caught:
        limiter.check("a")
    assert caught.value.message == "The limit is 1 calls in 60 s."
    assert caught.value.hint == "Wait 60 s and call again."


@pytest.mark.parametrize(
    ("setting", "client", "tokens"),
    [
        (30_000, "claude-code", 20_000),
        (30_000, "claude-ai", 20_000),
        (30_000, "unknown", 20_000),
        (5_000, "Claude Code", 5_000),
        (900, "", 900),
    ],
)
def test_budget_is_the_smaller_of_setting_and_client(setting: int, client: str, tokens: int) -> None:
    budget = effective_budget(Settings(data_dir=Path("unused"), mcp_response_token_budget=setting), client)
    assert (budget.tokens, budget.characters, budget.bytes) == (tokens, 48_000, 65_536)


def test_the_budget_is_only_logged_at_debug_level(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", logger="app.server.calls.limits"):
        effective_budget(Settings(data_dir=Path("unused")), "claude-code")
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == (
        "DEBUG",
        "budget for claude-code: 20000 tokens, 48000 characters",
    )


def test_a_client_that_cuts_earlier_gets_less() -> None:
    budget = effective_budget(Settings(data_dir=Path("unused")), "codex-mcp-client")
    assert (budget.tokens, budget.characters, budget.bytes) == (9_000, 36_000, 38_000)
    assert data_budget(budget).bytes == 36_000


def test_a_client_that_counts_bytes_gets_fewer_letters_of_two_bytes() -> None:
    budget = effective_budget(Settings(data_dir=Path("unused")), "opencode")
    assert len(clip("μέλι " * 20_000, budget, lambda text: 0).encode()) <= 50_000


@pytest.mark.parametrize(
    ("setting", "client", "seconds"),
    [(45, "unknown", 45), (90, "unknown", 45), (90, "claude-code", 90), (45, "@librechat/api-client", 15), (3, "x", 3)],
)
def test_a_call_ends_before_its_client_gives_up(setting: float, client: str, seconds: float) -> None:
    assert soft_deadline(Settings(data_dir=Path("unused"), mcp_soft_deadline=setting), client) == seconds


async def test_the_gate_runs_some_calls_queues_some_and_refuses_the_rest() -> None:
    gate = CallGate(running=2, waiting=1, share=2)
    leave = asyncio.Event()
    inside: list[int] = []

    async def enter(number: int) -> None:
        async with gate.slot():
            inside.append(number)
            await leave.wait()

    tasks = [asyncio.create_task(enter(number)) for number in range(3)]
    await asyncio.sleep(0)
    assert inside == [0, 1]
    with pytest.raises(BusyError):
        await enter(3)
    leave.set()
    await asyncio.gather(*tasks)
    assert inside == [0, 1, 2]


async def test_a_slot_is_free_after_a_canceled_wait() -> None:
    gate = CallGate(running=1, waiting=1)
    async with gate.slot():
        for _ in range(3):
            waiting = asyncio.create_task(gate.slot().__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(60), gate.slot():
        pass


class Busy:
    """Calls that run until they are told to end; `inside` lists them in order of arrival."""

    def __init__(self, gate: CallGate) -> None:
        self._gate = gate
        self._leaving: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self.inside: list[str] = []

    async def enter(self, *names: str) -> None:
        for name in names:
            self._leaving[name] = asyncio.Event()
            self._tasks[name] = asyncio.create_task(self._stay(name))
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def leave(self, name: str) -> None:
        self._leaving[name].set()
        await self._tasks[name]
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _stay(self, name: str) -> None:
        async with self._gate.slot(name[0]):
            self.inside.append(name)
            await self._leaving[name].wait()

    async def end(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


@contextlib.asynccontextmanager
async def busy(gate: CallGate) -> AsyncIterator[Busy]:
    calls = Busy(gate)
    try:
        yield calls
    finally:
        await calls.end()


async def test_one_slot_remains_for_another_caller() -> None:
    async with busy(CallGate(running=3, waiting=8, share=2)) as calls:
        await calls.enter("a1", "a2", "a3", "b1")
        assert calls.inside == ["a1", "a2", "b1"]


async def test_callers_take_turns() -> None:
    async with busy(CallGate(running=1, waiting=8, share=1)) as calls:
        await calls.enter("x1", "a1", "a2", "a3", "b1", "b2")
        for name in ("x1", "a1", "b1", "a2"):
            await calls.leave(name)
        assert calls.inside == ["x1", "a1", "b1", "a2", "b2"]


async def test_only_a_greedy_caller_is_refused() -> None:
    gate = CallGate(running=1, waiting=8, share=1, waiting_share=2)
    async with busy(gate) as calls:
        await calls.enter("a1", "a2", "a3")
        with pytest.raises(BusyError, match="2 calls are already waiting"):
            async with gate.slot("a"):
                pass
        await calls.enter("b1")
        await calls.leave("a1")
        await calls.leave("a2")
        assert "b1" in calls.inside


@pytest.mark.parametrize("calls", [1, 8, 32])
async def test_a_node_has_slots_for_128_users_who_look_like_one_and_for_others(calls: int) -> None:
    gate = gate_of_node(calls)
    served: list[str] = []

    async def ask(caller: str) -> None:
        async with gate.slot(caller):
            served.append(caller)
            await asyncio.sleep(0)

    crowd = [asyncio.create_task(ask("proxy")) for _ in range(128)]
    await asyncio.sleep(0)
    other = asyncio.create_task(ask("somebody"))
    await asyncio.gather(other, *crowd)
    assert len(served) == 129
    assert served.index("somebody") < 64


async def test_refused_callers_learn_how_long_the_queue_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("app.server.calls.limits.time.monotonic", lambda: now)
    gate = CallGate(running=1, waiting=4, share=1, waiting_share=2)
    for _ in range(100):
        async with gate.slot("a"):
            now += 10.0
    async with busy(gate) as calls:
        await calls.enter("a1", "a2", "a3")
        with pytest.raises(BusyError) as refused:
            async with gate.slot("a"):
                pass
        assert refused.value.retry_after == 20.0
        assert "Wait 20 s" in refused.value.hint


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("enter", "leave", "cancel"))), max_size=40))
@settings(max_examples=60, deadline=None)
def test_slots_are_never_lost_or_added(steps: list[tuple[str, str]]) -> None:
    async def play() -> None:
        gate = CallGate(running=2, waiting=3, share=1, waiting_share=2)
        inside = 0

        async def work(caller: str, leave: asyncio.Event) -> None:
            nonlocal inside
            async with gate.slot(caller):
                inside += 1
                assert inside <= 2
                try:
                    await leave.wait()
                finally:
                    inside -= 1

        calls: dict[str, list[tuple[asyncio.Task[None], asyncio.Event]]] = {name: [] for name in "abc"}
        for caller, step in steps:
            if step == "enter":
                leave = asyncio.Event()
                calls[caller].append((asyncio.create_task(work(caller, leave)), leave))
            elif calls[caller]:
                task, leave = calls[caller].pop(0)
                if step == "leave":
                    leave.set()
                else:
                    task.cancel()
            await asyncio.sleep(0)
        for task, _ in (each for waiting in calls.values() for each in waiting):
            task.cancel()
        await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()}, return_exceptions=True)
        async with asyncio.timeout(60), gate.slot("a"), gate.slot("b"):
            pass

    asyncio.run(play())
