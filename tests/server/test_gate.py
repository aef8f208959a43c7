"""Who may work, who waits, who is sent away: no caller takes every place."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.errors import BusyError
from app.server.calls.limits import CallGate


async def test_gate_lets_some_run_some_wait_and_refuses_the_rest() -> None:
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


async def test_place_is_free_again_after_a_cancelled_wait() -> None:
    gate = CallGate(running=1, waiting=1)
    async with gate.slot():
        for _ in range(3):
            waiting = asyncio.create_task(gate.slot().__aenter__())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
    async with asyncio.timeout(1), gate.slot():
        pass


class Busy:
    """Calls that stay inside until they are told to leave; `inside` in the order in which they came in."""

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


async def test_one_place_is_left_to_somebody_else() -> None:
    async with busy(CallGate(running=3, waiting=8, share=2)) as calls:
        await calls.enter("a1", "a2", "a3", "b1")
        assert calls.inside == ["a1", "a2", "b1"]


async def test_callers_take_turns() -> None:
    async with busy(CallGate(running=1, waiting=8, share=1)) as calls:
        await calls.enter("x1", "a1", "a2", "a3", "b1", "b2")
        for name in ("x1", "a1", "b1", "a2"):
            await calls.leave(name)
        assert calls.inside == ["x1", "a1", "b1", "a2", "b2"]


async def test_a_greedy_caller_is_sent_away_and_nobody_else_is() -> None:
    gate = CallGate(running=1, waiting=8, share=1, waiting_share=2)
    async with busy(gate) as calls:
        await calls.enter("a1", "a2", "a3")
        with pytest.raises(BusyError, match="2 calls are waiting already"):
            async with gate.slot("a"):
                pass
        await calls.enter("b1")
        await calls.leave("a1")
        await calls.leave("a2")
        assert "b1" in calls.inside


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("enter", "leave", "cancel"))), max_size=40))
@settings(max_examples=60, deadline=None)
def test_places_are_never_lost_nor_made(steps: list[tuple[str, str]]) -> None:
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
        async with asyncio.timeout(1), gate.slot("a"), gate.slot("b"):
            pass

    asyncio.run(play())
