"""Rate limit, result budgets, deadlines by client."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import caps
from app.errors import BusyError
from app.server.calls.limits import RateLimiter, data_budget, effective_budget, soft_deadline
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


def test_only_so_many_callers_are_remembered() -> None:
    limiter = RateLimiter(1, 60, clock=Clock())
    limiter.retry_after("first")
    for number in range(caps.MAX_CALLERS_REMEMBERED):
        limiter.retry_after(str(number))
    assert limiter.retry_after("first") == 0


def test_message_says_when_to_come_back() -> None:
    limiter = RateLimiter(1, 60, clock=Clock())
    limiter.check("a")
    with pytest.raises(BusyError) as caught:
        limiter.check("a")
    assert caught.value.message == "1 calls in 60 s are allowed; the next in 60 s."
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


def test_the_budget_is_logged_for_the_curious_only(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("DEBUG", logger="app.server.calls.limits"):
        effective_budget(Settings(data_dir=Path("unused")), "claude-code")
    (record,) = caplog.records
    assert (record.levelname, record.getMessage()) == (
        "DEBUG",
        "budget for claude-code: 20000 tokens, 48000 characters",
    )


def test_a_client_that_cuts_earlier_gets_less() -> None:
    budget = effective_budget(Settings(data_dir=Path("unused")), "codex-mcp-client")
    assert (budget.tokens, budget.characters) == (9_000, 36_000)
    assert data_budget(budget).bytes == 36_000


@pytest.mark.parametrize(
    ("setting", "client", "seconds"),
    [(45, "unknown", 45), (90, "unknown", 45), (90, "claude-code", 90), (45, "@librechat/api-client", 15), (3, "x", 3)],
)
def test_a_call_ends_before_its_client_gives_it_up(setting: float, client: str, seconds: float) -> None:
    assert soft_deadline(Settings(data_dir=Path("unused"), mcp_soft_deadline=setting), client) == seconds
