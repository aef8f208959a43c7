"""The memory and the garbage collection of the process."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from app import memory


class _Circle:
    def __init__(self) -> None:
        self.itself = self


def test_one_thread_collects_instead_of_python() -> None:
    gc.collect()
    gc.disable()
    try:
        circle = _Circle()
        gone = weakref.ref(circle)
        del circle
        assert not memory.collect_due() and gone() is not None, "nothing is due"
        many: list[list[object]] = [[] for _ in range(2 * gc.get_threshold()[0])]
        assert memory.collect_due() and gone() is None
        assert len(many) and not memory.collect_due()
    finally:
        gc.enable()


def test_settling_waits_for_the_collecting_thread() -> None:
    gc.disable()
    thresholds = gc.get_threshold()
    try:
        memory.settle()
        assert gc.get_threshold() == thresholds
        assert memory.collect_due() and gc.get_threshold() == memory.THRESHOLDS
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()


async def test_the_error_that_ends_a_lasting_task_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def fail() -> None:
        raise KeyError("a defect")

    async def last() -> None:
        await asyncio.sleep(60)

    failing, lasting = memory.lasting_task(fail(), "work"), memory.lasting_task(last(), "rest")
    await asyncio.sleep(0)
    lasting.cancel()
    await asyncio.gather(failing, lasting, return_exceptions=True)
    await asyncio.sleep(0)
    assert "'work' ended" in caplog.text and "a defect" in caplog.text and "'rest'" not in caplog.text
