from __future__ import annotations

import asyncio
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.slots import NetworkSlots


async def _turn(slots: NetworkSlots, order: list[str], name: str, *, urgent: bool = False, key: str = "") -> None:
    async with slots.hold(urgent=urgent, key=key, limit=1 if key else 9):
        order.append(name)
        await asyncio.sleep(0.01)


async def test_urgent_operations_overtake_and_each_kind_keeps_its_order() -> None:
    slots, order = NetworkSlots(1), list[str]()
    async with slots.hold(urgent=False):
        waiting = [asyncio.create_task(_turn(slots, order, f"patient {number}")) for number in range(2)]
        await asyncio.sleep(0)
        waiting += [asyncio.create_task(_turn(slots, order, f"urgent {number}", urgent=True)) for number in range(2)]
        await asyncio.sleep(0.02)
        assert order == []
    await asyncio.gather(*waiting)
    assert order == ["urgent 0", "urgent 1", "patient 0", "patient 1"]


async def test_an_exhausted_key_does_not_block_others() -> None:
    slots, order = NetworkSlots(2), list[str]()
    async with slots.hold(urgent=False, key="a", limit=1):
        blocked = asyncio.create_task(_turn(slots, order, "a", urgent=True, key="a"))
        await asyncio.sleep(0)
        await asyncio.wait_for(_turn(slots, order, "b", key="b"), 30)
    await blocked
    assert order == ["b", "a"]


async def test_threads_and_tasks_share_the_slots() -> None:
    slots, held = NetworkSlots(1), threading.Event()
    release = threading.Event()

    def thread() -> None:
        with slots.hold_blocking(urgent=False):
            held.set()
            release.wait(30)

    running = asyncio.create_task(asyncio.to_thread(thread))
    await asyncio.to_thread(held.wait, 30)
    order: list[str] = []
    waiting = asyncio.create_task(_turn(slots, order, "task"))
    await asyncio.sleep(0.02)
    assert order == []
    release.set()
    await asyncio.wait_for(asyncio.gather(running, waiting), 30)
    assert order == ["task"]


async def test_a_canceled_waiter_leaves_no_slot_behind() -> None:
    slots, order = NetworkSlots(1), list[str]()
    for pause in (0, 1, 2, 3):
        async with slots.hold(urgent=False):
            waiting = asyncio.create_task(_turn(slots, order, "never"))
            await asyncio.sleep(0)
        # The slot is granted here, and the waiter may be canceled before it notices.
        for _ in range(pause):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(_turn(slots, order, "last"), 30)
    assert order[-1] == "last"


async def test_a_waiter_canceled_just_before_its_turn_leaves_no_slot_behind() -> None:
    slots, order = NetworkSlots(1), list[str]()
    async with slots.hold(urgent=False):
        waiting = asyncio.create_task(_turn(slots, order, "never"))
        await asyncio.sleep(0)
        waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    await asyncio.wait_for(_turn(slots, order, "last"), 30)
    assert order == ["last"]


async def test_a_slot_for_a_waiter_that_stopped_listening_is_returned() -> None:
    """A thread may release its slot after a task was canceled and before that task runs again."""
    slots = NetworkSlots(1)
    first, second = (slots._enter(False, "", 9) for _ in range(2))
    assert second.granted.cancel()
    slots._leave(first)
    slots._leave(second)
    await asyncio.wait_for(_turn(slots, [], "next"), 30)


async def test_a_failure_inside_releases_the_slot() -> None:
    slots = NetworkSlots(1)
    with pytest.raises(RuntimeError):
        async with slots.hold(urgent=True):
            raise RuntimeError
    with pytest.raises(RuntimeError), slots.hold_blocking(urgent=True):
        raise RuntimeError
    await asyncio.wait_for(_turn(slots, [], "next"), 30)


@given(st.integers(1, 4), st.lists(st.sampled_from("abc"), min_size=1, max_size=30), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_neither_limit_is_exceeded_from_any_thread(count: int, keys: list[str], chance: random.Random) -> None:
    slots, now, most = NetworkSlots(count), Counter[str](), Counter[str]()
    lock = threading.Lock()

    def work(key: str, urgent: bool) -> None:
        with slots.hold_blocking(urgent=urgent, key=key, limit=2):
            with lock:
                now.update([key, "all"])
                most[key], most["all"] = max(most[key], now[key]), max(most["all"], now["all"])
            time.sleep(0.0005)
            with lock:
                now.subtract([key, "all"])

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(work, keys, [chance.random() < 0.5 for _ in keys]))
    assert most["all"] <= count
    assert max(most[key] for key in "abc") <= 2
