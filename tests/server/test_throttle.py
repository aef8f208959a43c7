"""Whoever guesses tokens is made to wait, and nobody else."""

from __future__ import annotations

import asyncio
import time

import httpx2
import pytest

from app import caps
from app.server.gateway import Throttle
from tests.server.fake_engine import FakeEngine
from tests.server.transports import BEARER, listening


async def test_refusals_are_late_after_too_many_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "UNAUTHORISED_DELAY_SECONDS", 1.0)
    now = 0.0
    throttle = Throttle(clock=lambda: now)

    async def seconds() -> float:
        began = time.monotonic()
        assert await throttle.refused()
        return time.monotonic() - began

    assert max([await seconds() for _ in range(caps.MAX_UNAUTHORISED)]) < 0.9
    assert await seconds() >= 1.0
    now += caps.UNAUTHORISED_WINDOW_SECONDS
    assert await seconds() < 0.9


async def test_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "UNAUTHORISED_DELAY_SECONDS", 0.2)
    throttle = Throttle()
    total = caps.MAX_UNAUTHORISED + caps.MAX_UNAUTHORISED_WAITING + 3
    answers = await asyncio.gather(*(throttle.refused() for _ in range(total)))
    assert answers.count(False) == 3


async def test_who_has_the_token_is_not_held_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "UNAUTHORISED_DELAY_SECONDS", 1.5)
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    async with listening(FakeEngine()) as server, httpx2.AsyncClient(trust_env=False) as http:
        for _ in range(caps.MAX_UNAUTHORISED):
            assert (await http.post(server.url, json=body)).status_code == 401
        began = time.monotonic()
        guess = asyncio.create_task(http.post(server.url, json=body, headers={"Authorization": "Bearer guess"}))
        assert (await http.post(server.url, json=body, headers=BEARER)).status_code == 200
        assert not guess.done()
        assert (await guess).status_code == 401
        assert time.monotonic() - began >= 1.5
