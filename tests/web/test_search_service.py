"""Several queries with the configured provider: keys, partial failures, limits."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from app.errors import SearchNotSetUpError, SearchQueryError, SearchTimeoutError
from app.secrets import SecretName, SecretStore
from app.settings import SETTINGS, Settings
from app.slots import NetworkSlots
from app.web.search.client import Network, SearchPace
from app.web.search.records import SearchProvider, WebQuery
from app.web.search.service import KEYS, WebSearch, configured_provider, provider_name
from tests.support.search import ENGINE, KEY, StandIn
from tests.support.site import Exchange
from tests.web.search_makers import MAKERS

MakeSearch = Callable[..., WebSearch]


def never(exchange: Exchange) -> None:
    """Never respond."""
    exchange.wait(5)
    exchange.hang_up()


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


@pytest.fixture
async def make_search(stand_in: StandIn) -> AsyncIterator[MakeSearch]:
    made: list[WebSearch] = []

    def at_the_stand_in(settings: Settings, key: str, network: Network) -> SearchProvider:
        return MAKERS[provider_name(settings)](network, key, stand_in.base)

    def make(*, real: bool = False, secrets: SecretStore | None = None, **settings: object) -> WebSearch:
        known = Settings(data_dir=Path("unused"), **settings)  # type: ignore[arg-type]
        options = {} if real else {"make_provider": at_the_stand_in}
        slots = NetworkSlots(known.concurrency)
        made.append(WebSearch(known, secrets or SecretStore(), slots, **options))
        return made[-1]

    yield make
    for search in made:
        await search.aclose()


@pytest.mark.parametrize(
    ("settings", "variable"),
    [
        ({}, "SEARXNG_URL"),
        ({"search_provider": "google"}, "GOOGLE_API_KEY, GOOGLE_SEARCH_ENGINE_ID"),
        ({"search_provider": "brave"}, "BRAVE_API_KEY"),
        ({"search_provider": "tavily"}, "TAVILY_API_KEY"),
        ({"search_provider": "searxng"}, "SEARXNG_URL"),
    ],
)
async def test_a_missing_key_is_named_with_its_setting(
    make_search: MakeSearch, settings: dict[str, str], variable: str
) -> None:
    with pytest.raises(SearchNotSetUpError, match=variable) as caught:
        await make_search(real=True, **settings).search(["bees"], WebQuery(""), 5)
    assert "Settings > Search provider" in caught.value.hint and "SEARCH_PROVIDER" in caught.value.hint


async def test_each_choice_of_the_settings_is_a_provider_of_its_own() -> None:
    choices, kinds = SETTINGS["search_provider"].choices, set()
    for name in choices:
        given = Settings(
            data_dir=Path("unused"),
            search_provider=name,
            searxng_url="http://127.0.0.1:1",
            google_search_engine_id=ENGINE if name == "google" else "",
        )
        made = configured_provider(given, KEY, Network(NetworkSlots(1), 1_000))
        kinds.add(type(made))
        await made.aclose()
    assert len(kinds) == len(choices)
    assert {*KEYS, "searxng"} == set(choices) == set(MAKERS)


def test_an_unknown_provider_is_an_error() -> None:
    given = Settings(data_dir=Path("unused"), search_provider="altavista", google_search_engine_id=ENGINE)
    with pytest.raises(SearchNotSetUpError, match="altavista"):
        configured_provider(given, KEY, Network(NetworkSlots(1), 1_000))


async def test_a_key_applies_as_soon_as_it_is_set(make_search: MakeSearch) -> None:
    secrets = SecretStore()
    search = make_search(secrets=secrets, google_search_engine_id=ENGINE)
    with pytest.raises(SearchNotSetUpError):
        await search.search(["bees"], WebQuery(""), 5)
    secrets.set(SecretName.GOOGLE_API_KEY, KEY)
    (found,) = await search.search(["bees"], WebQuery(""), 5)
    assert found.answer is not None and len(found.answer.hits) == 10


async def test_queries_run_in_parallel_within_the_network_limit(
    make_search: MakeSearch, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    stand_in.delay = 0.1
    texts = [f"query {n}" for n in range(6)]
    found = await make_search(search_provider="tavily", concurrency=3).search(texts, WebQuery(""), 5)
    assert [each.query for each in found] == texts
    assert all(each.answer is not None for each in found)
    assert stand_in.site.most_at_once == 3


async def test_one_failing_query_leaves_the_others_their_results(
    make_search: MakeSearch, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    stand_in.bad_queries = ("bad",)
    search = make_search(google_search_engine_id=ENGINE)
    good, bad, other = await search.search(["good", "bad", "other"], WebQuery(""), 5)
    assert good.answer is not None and other.answer is not None
    assert bad.answer is None and isinstance(bad.error, SearchQueryError)
    with pytest.raises(SearchQueryError):
        await search.search(["bad", "bad"], WebQuery(""), 5)


async def test_a_slow_query_does_not_affect_the_others(
    make_search: MakeSearch, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", KEY)
    search = make_search(search_provider="tavily")
    stand_in.next_answers = [never]
    slow = asyncio.ensure_future(search.search(["slow", "quick"], WebQuery(""), 0.5))
    first, second = await slow
    assert {type(each.error) for each in (first, second)} == {SearchTimeoutError, type(None)}


async def test_safe_search_defaults_to_the_setting(
    make_search: MakeSearch, stand_in: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_API_KEY", KEY)
    search = make_search(google_search_engine_id=ENGINE, google_safe_search="strict")
    await search.search(["bees"], WebQuery("", 1, safe_search=""), 5)
    await search.search(["bees"], WebQuery("", 1, safe_search="off"), 5)
    assert [asked["safe"] for asked in stand_in.asked] == ["active", "off"]


async def test_the_pace_spreads_requests_and_ends_with_a_cancelled_one() -> None:
    pace = SearchPace("Provider", per_second=20, burst=2)
    started = time.perf_counter()
    waiting = asyncio.ensure_future(asyncio.sleep(0))
    await asyncio.gather(*(pace.turn() for _ in range(5)), waiting)
    assert time.perf_counter() - started > 0.12
    late = [asyncio.ensure_future(pace.turn()) for _ in range(2_000)]
    await asyncio.sleep(0)
    for each in late:
        each.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    started = time.perf_counter()
    await pace.turn()
    assert time.perf_counter() - started < 60, "slots of canceled requests were not released"


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        ({}, "searxng"),
        ({"google_search_engine_id": ENGINE}, "google"),
        ({"google_search_engine_id": ENGINE, "searxng_url": "http://127.0.0.1:8888"}, "searxng"),
        ({"google_search_engine_id": ENGINE, "search_provider": "brave"}, "brave"),
    ],
)
def test_the_configured_provider_is_used(settings: dict[str, str], name: str) -> None:
    """A discontinued service is never the default, but an existing setup keeps it."""
    assert provider_name(Settings(**settings)) == name
