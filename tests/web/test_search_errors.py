"""Errors of search providers, and their messages."""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Iterator

import pytest

from app.errors import (
    ErrorCode,
    SearchError,
    SearchKeyError,
    SearchLimitError,
    SearchQueryError,
    SearchTimeoutError,
)
from app.web.search import brave
from app.web.search.client import SearchPace
from app.web.search.records import WebQuery
from tests.support.search import KEY, StandIn
from tests.web.search_makers import MAKERS, WITH_KEY, provider

QUERY = WebQuery("bees")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.SERVER_ERROR_PAUSE_SECONDS", (0.0, 0.01))
    monkeypatch.setattr(brave, "PER_SECOND", 1_000.0)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


async def failure(name: str, stand_in: StandIn, **options: int | str) -> SearchError:
    async with provider(name, stand_in.base, **options) as searching:  # type: ignore[arg-type]
        with pytest.raises(SearchError) as caught:
            await searching.search(QUERY)
    return caught.value


@pytest.mark.parametrize("name", WITH_KEY)
async def test_a_wrong_key_is_known_in_each_providers_own_way(stand_in: StandIn, name: str) -> None:
    error = await failure(name, stand_in, key="wrong-key-value")
    assert type(error) is SearchKeyError
    assert f"{name.upper()}_API_KEY" in error.hint and "Settings > Search provider" in error.hint
    assert "wrong-key-value" not in f"{error} {error.hint}"
    assert len(stand_in.asked) == 1


@pytest.mark.parametrize("name", WITH_KEY)
@pytest.mark.parametrize("key", ["sk-secret\nX: y", "sk-secret\u200b", "sk-\u043a\u043b\u044e\u0447-secret"])
async def test_a_malformed_key_is_refused_without_being_shown(stand_in: StandIn, name: str, key: str) -> None:
    with pytest.raises(SearchKeyError, match="invalid characters") as caught:
        async with provider(name, stand_in.base, key=key):
            pass
    assert f"{name.upper()}_API_KEY" in caught.value.hint and "secret" not in f"{caught.value} {caught.value.hint}"


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize("name", WITH_KEY)
async def test_a_rejected_key_is_not_retried(stand_in: StandIn, name: str, status: int) -> None:
    stand_in.fail(status, {"error": {"message": "This account is suspended."}})
    error = await failure(name, stand_in)
    assert type(error) is SearchKeyError and "This account is suspended" in error.message
    assert len(stand_in.asked) == 1


@pytest.mark.parametrize("name", MAKERS)
async def test_a_429_is_not_retried_and_its_wait_is_kept(stand_in: StandIn, name: str) -> None:
    stand_in.fail(429, headers={"Retry-After": "70"})
    async with provider(name, stand_in.base) as searching:
        with pytest.raises(SearchLimitError, match="search limit") as caught:
            await searching.search(QUERY)
        assert (caught.value.retry_after, caught.value.code) == (70, ErrorCode.BUDGET_EXCEEDED)
        with pytest.raises(SearchLimitError, match="pause of another 70 seconds"):
            await searching.search(QUERY)
    assert len(stand_in.asked) == 1


@pytest.mark.parametrize(
    ("name", "status", "body"),
    [
        ("google", 403, {"error": {"code": 403, "errors": [{"reason": "dailyLimitExceeded"}], "message": "Limit"}}),
        ("google", 429, {"error": {"code": 429, "status": "RESOURCE_EXHAUSTED", "message": "Quota exceeded"}}),
        ("brave", 402, {"error": {"code": "PAYMENT", "detail": "pay"}}),
        ("tavily", 432, {"detail": {"error": "This request exceeds your plan's set usage limit."}}),
        ("tavily", 433, {"detail": {"error": "pay-as-you-go limit"}}),
    ],
)
async def test_an_exhausted_plan_is_a_limit(stand_in: StandIn, name: str, status: int, body: object) -> None:
    stand_in.fail(status, body)
    error = await failure(name, stand_in)
    assert type(error) is SearchLimitError and error.retry_after is None
    assert len(stand_in.asked) == 1


async def test_errors_of_an_unexpected_type_are_ignored(stand_in: StandIn) -> None:
    stand_in.fail(403, {"error": {"errors": 5, "details": {"reason": "quotaExceeded"}}})
    assert type(await failure("google", stand_in)) is SearchKeyError


@pytest.mark.parametrize("name", MAKERS)
async def test_an_absurd_wait_is_an_error_of_the_limit(stand_in: StandIn, name: str) -> None:
    stand_in.fail(429, headers={"Retry-After": "9" * 400})
    assert type(await failure(name, stand_in)) is SearchLimitError


async def test_brave_reports_the_wait_in_its_own_headers(stand_in: StandIn) -> None:
    stand_in.fail(429, headers={"X-RateLimit-Remaining": "1, 0", "X-RateLimit-Reset": "1, 3000"})
    error = await failure("brave", stand_in)
    assert isinstance(error, SearchLimitError) and error.retry_after == 3_000


@pytest.mark.parametrize("name", MAKERS)
async def test_a_server_error_is_tried_once_more(stand_in: StandIn, name: str) -> None:
    stand_in.fail(500)
    async with provider(name, stand_in.base) as searching:
        assert (await searching.search(WebQuery("bees", 5))).hits
    assert len(stand_in.asked) == 2


@pytest.mark.parametrize("name", MAKERS)
async def test_a_server_error_stays_the_cause_if_another_query_reaches_the_limit(
    stand_in: StandIn, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[SearchPace] = []

    async def turn(pace: SearchPace) -> None:
        turns.append(pace)
        if len(turns) > 1:
            raise SearchLimitError("Another query must wait.", retry_after=70)

    monkeypatch.setattr(SearchPace, "turn", turn)
    stand_in.fail(500)
    error = await failure(name, stand_in)
    assert type(error) is SearchError and "500" in error.message
    assert (len(turns), len(stand_in.asked)) == (2, 1)


@pytest.mark.parametrize("name", MAKERS)
async def test_two_server_errors_are_an_error(stand_in: StandIn, name: str) -> None:
    stand_in.fail(503, times=2)
    error = await failure(name, stand_in)
    assert type(error) is SearchError and "503" in error.message
    assert len(stand_in.asked) == 2


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(
    "body", [b"<html>Sign in</html>", b"[1, 2]", b'{"a": 1e999}', b"[" * 100_000, b"\xff\xfe", b""]
)
async def test_a_response_without_a_json_object_is_an_error(stand_in: StandIn, name: str, body: bytes) -> None:
    stand_in.next_answers = [lambda exchange: exchange.send(body, 200)]
    error = await failure(name, stand_in)
    assert type(error) is SearchError and "not a JSON object" in error.message


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("body", ['{"x":' + "[" * 250 + "]" * 250 + "}", '{"x":' * 70 + "1" + "}" * 70])
async def test_an_answer_nested_too_deeply_is_rejected(stand_in: StandIn, name: str, body: str) -> None:
    stand_in.next_answers = [lambda exchange: exchange.send(body.encode(), 200)]
    error = await failure(name, stand_in)
    assert type(error) is SearchError and "nested too deeply" in error.message


@pytest.mark.parametrize("name", MAKERS)
async def test_a_huge_response_is_not_read_completely(stand_in: StandIn, name: str) -> None:
    huge = json.dumps({"filler": "x" * 3_000_000}).encode()
    stand_in.next_answers = [lambda exchange: exchange.send(huge, 200)]
    error = await failure(name, stand_in)
    assert "more than 2 MiB" in error.message


@pytest.mark.parametrize("name", MAKERS)
async def test_a_slow_provider_is_a_timeout_error(stand_in: StandIn, name: str) -> None:
    stand_in.delay = 2.0
    error = await failure(name, stand_in, timeout_ms=150)
    assert type(error) is SearchTimeoutError and "within 0.15 s" in error.message
    assert error.code is ErrorCode.TIMEOUT


@pytest.mark.parametrize("name", WITH_KEY)
async def test_a_redirect_never_carries_the_key_elsewhere(stand_in: StandIn, name: str) -> None:
    stand_in.fail(302, headers={"Location": stand_in.site.url("/elsewhere")})
    error = await failure(name, stand_in)
    assert "has moved" in error.message
    assert not stand_in.site.count("/elsewhere")


async def test_searxng_without_json_says_what_to_enable(stand_in: StandIn) -> None:
    stand_in.json_enabled = False
    error = await failure("searxng", stand_in)
    assert "search.formats" in error.hint


@pytest.mark.parametrize("name", ["google", "brave", "tavily"])
async def test_a_bad_query_is_an_invalid_argument(stand_in: StandIn, name: str) -> None:
    stand_in.bad_queries = ("bees",)
    error = await failure(name, stand_in)
    assert type(error) is SearchQueryError and error.code is ErrorCode.INVALID_ARGUMENT


async def test_a_closed_provider_port_is_an_error(stand_in: StandIn) -> None:
    with socket.socket() as held:  # bound but not listening: no other program gets the port
        held.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{held.getsockname()[1]}"
        async with provider("searxng", address) as searching:
            with pytest.raises(SearchError, match="refused the connection") as caught:
                await searching.search(QUERY)
    assert "SEARXNG_URL" in caught.value.hint


@pytest.mark.parametrize("name", WITH_KEY)
async def test_the_key_is_never_shown(stand_in: StandIn, name: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    echo = {"error": {"message": f"The key {KEY} is blocked."}, "detail": f"key={KEY}"}
    stand_in.fail(401, echo)
    error = await failure(name, stand_in)
    stand_in.next_answers = [lambda exchange: exchange.send(json.dumps({"results": [], "echo": [KEY]}).encode())]
    async with provider(name, stand_in.base) as searching:
        answer = await searching.search(QUERY)
    assert KEY not in f"{error} {error.hint} {error!r} {answer.raw} {searching!r} {caplog.text}"
    assert "[redacted]" in answer.raw


@pytest.mark.parametrize("name", WITH_KEY)
async def test_an_escaped_key_in_the_response_is_hidden_too(stand_in: StandIn, name: str) -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
    stand_in.next_answers = [lambda exchange: exchange.send(f'{{"results": [], "echo": "{escaped}"}}'.encode())]
    async with provider(name, stand_in.base) as searching:
        answer = await searching.search(QUERY)
    assert KEY not in answer.raw and "[redacted]" in answer.raw
