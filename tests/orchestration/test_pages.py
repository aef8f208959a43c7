from __future__ import annotations

import asyncio
import time

import pytest

from app.errors import FetchTimeoutError, HTTPStatusError
from app.orchestration.pages import SHOWN_URL_CHARS, shortened, within


async def soon(value: str) -> str:
    await asyncio.sleep(0.01)
    return value


async def late() -> str:
    await asyncio.sleep(30)
    return "late"


async def broken() -> str:
    raise HTTPStatusError("gone", url="http://x/", status=410)


async def test_what_is_ready_comes_back_and_what_is_not_is_named() -> None:
    started = time.perf_counter()
    results = await within(0.2, ["http://a/", "http://b/", "http://c/"], [soon("a"), late(), broken()])
    assert time.perf_counter() - started < 15
    assert results[0] == "a"
    assert isinstance(results[1], FetchTimeoutError) and "http://b/ is still being read" in str(results[1])
    assert isinstance(results[2], HTTPStatusError)


async def test_a_cancelled_call_cancels_its_readings() -> None:
    ended = asyncio.Event()

    async def reading() -> str:
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()
        return ""

    call = asyncio.create_task(within(30, ["http://a/"], [reading()]))
    await asyncio.sleep(0.01)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    await asyncio.wait_for(ended.wait(), 15)


def test_a_long_address_is_shortened_in_progress_texts() -> None:
    assert shortened("http://a/") == "http://a/"
    assert len(shortened("http://a/" + "x" * 2000)) == SHOWN_URL_CHARS
