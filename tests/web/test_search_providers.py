"""The requests to each provider, and the combination of its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from app.errors import SearchError, SearchNotSetUpError, SearchQueryError
from app.slots import NetworkSlots
from app.web.search import brave
from app.web.search.client import Network
from app.web.search.google import GoogleSearch
from app.web.search.records import WebHit, WebQuery
from app.web.search.searxng import NO_REGION, SearxngSearch
from tests.support.search import ENGINE, KEY, StandIn
from tests.web.search_makers import MAKERS, provider


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.caps.SERVER_ERROR_PAUSE_SECONDS", (0.0, 0.01))
    monkeypatch.setattr(brave, "PER_SECOND", 1_000.0)


@pytest.fixture
def stand_in() -> Iterator[StandIn]:
    with StandIn() as running:
        yield running


async def test_google_pages_by_ten_and_puts_all_items_into_the_first_page(stand_in: StandIn) -> None:
    async with provider("google", stand_in.base) as google:
        answer = await google.search(WebQuery("bees", 25, region="AT", language="de", safe_search="moderate"))
    assert [(asked["start"], asked["num"]) for asked in stand_in.asked] == [("1", "10"), ("11", "10"), ("21", "5")]
    first = stand_in.asked[0]
    told = {"key": KEY, "cx": ENGINE, "q": "bees", "safe": "active", "gl": "at", "hl": "de", "lr": "lang_de"}
    assert first == told | {"num": "10", "start": "1"}
    raw = json.loads(answer.raw)
    assert [item["link"] for item in raw["items"]] == [f"https://example.org/{n}" for n in range(1, 26)]
    assert raw["queries"]["request"][0]["startIndex"] == 1
    assert raw["kind"] == "customsearch#search"
    assert len(answer.hits) == 25
    assert answer.hits[0] == WebHit("Hit 1 for bees", "https://example.org/1", "What page 1 says\nof it.")


@pytest.mark.parametrize(
    ("language", "lr", "hl"),
    [
        ("en", "lang_en", "en"),
        ("pt-BR", "lang_pt", "pt-BR"),
        ("zh-tw", "lang_zh-TW", "zh-tw"),
        ("zh", "lang_zh-CN", "zh"),
    ],
)
async def test_google_languages(stand_in: StandIn, language: str, lr: str, hl: str) -> None:
    async with provider("google", stand_in.base) as google:
        await google.search(WebQuery("bees", 1, language=language))
    assert (stand_in.asked[0]["lr"], stand_in.asked[0]["hl"], stand_in.asked[0]["safe"]) == (lr, hl, "off")


async def test_fifty_results_take_five_pages_and_no_more(stand_in: StandIn) -> None:
    async with provider("google", stand_in.base) as google:
        assert len((await google.search(WebQuery("bees", 50))).hits) == 50
    assert len(stand_in.asked) == 5


@pytest.mark.parametrize(("name", "requests"), [("google", 2), ("brave", 1), ("searxng", 3), ("tavily", 1)])
async def test_paging_ends_where_the_results_do(stand_in: StandIn, name: str, requests: int) -> None:
    stand_in.available = 12
    async with provider(name, stand_in.base) as searching:
        answer = await searching.search(WebQuery("bees", 20))
    assert [hit.url for hit in answer.hits] == [f"https://example.org/{n}" for n in range(1, 13)]
    assert len(stand_in.asked) == requests


@pytest.mark.parametrize("name", MAKERS)
async def test_an_empty_result_is_a_valid_answer(stand_in: StandIn, name: str) -> None:
    stand_in.available = 0
    async with provider(name, stand_in.base) as searching:
        answer = await searching.search(WebQuery("bees"))
    assert answer.hits == ()
    assert isinstance(json.loads(answer.raw), dict)


async def test_a_failed_later_page_keeps_earlier_results_with_a_note(stand_in: StandIn) -> None:
    async with provider("google", stand_in.base) as google:
        stand_in.fail(200, {"items": [{"title": f"Hit {n}", "link": f"https://example.org/{n}"} for n in range(10)]})
        stand_in.fail(429)
        answer = await google.search(WebQuery("bees", 30))
    assert len(answer.hits) == 10
    assert "Only 10 of 30 results" in answer.note and "The search limit" in answer.note


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("given", [5, {"a": 1}, "text", None])
async def test_results_of_an_unexpected_type_count_as_none(stand_in: StandIn, name: str, given: object) -> None:
    async with provider(name, stand_in.base) as searching:
        stand_in.fail(200, {"items": given, "results": given, "web": {"results": given}})
        assert (await searching.search(WebQuery("bees", 30))).hits == ()


async def test_brave_pages_by_twenty(stand_in: StandIn) -> None:
    async with provider("brave", stand_in.base) as searching:
        answer = await searching.search(WebQuery("bees", 45, region="uk", language="ja", safe_search="strict"))
    assert [(asked["offset"], asked["count"]) for asked in stand_in.asked] == [("0", "20"), ("1", "20"), ("2", "20")]
    asked = stand_in.asked[0]
    assert (asked["country"], asked["search_lang"], asked["safesearch"]) == ("GB", "jp", "strict")
    assert len(json.loads(answer.raw)["web"]["results"]) == len(answer.hits) == 45


async def test_brave_rejects_long_queries(stand_in: StandIn) -> None:
    async with provider("brave", stand_in.base) as searching:
        with pytest.raises(SearchQueryError, match="\\(400 characters, 50 words\\)"):
            await searching.search(WebQuery("bee " * 51))
    assert not stand_in.asked


async def test_repeated_results_of_searxng_pages_are_dropped(stand_in: StandIn) -> None:
    async with provider("searxng", stand_in.base + "/search/") as searching:
        answer = await searching.search(WebQuery("bees", 20, region="de", language="de", safe_search="strict"))
    assert [hit.url for hit in answer.hits] == [f"https://example.org/{n}" for n in range(1, 21)]
    asked = stand_in.asked[0]
    assert (asked["format"], asked["language"], asked["safesearch"], asked["pageno"]) == ("json", "de-DE", "2", "1")


async def test_unsupported_options_of_a_provider_are_noted(stand_in: StandIn) -> None:
    async with provider("searxng", stand_in.base) as searching:
        assert (await searching.search(WebQuery("bees", 5, region="de"))).note == NO_REGION
    async with provider("tavily", stand_in.base) as searching:
        answer = await searching.search(WebQuery("bees", 30, region="de", language="de", safe_search="strict"))
    assert len(answer.hits) == 20
    assert "at most 20 results" in answer.note and "does not support languages" in answer.note
    body = stand_in.asked[-1]
    assert (body["max_results"], body["country"], body["safe_search"]) == (20, "germany", True)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("query", [WebQuery("x", region="Germany"), WebQuery("x", language="de DE ')--")])
async def test_malformed_regions_and_languages_are_rejected(stand_in: StandIn, name: str, query: WebQuery) -> None:
    async with provider(name, stand_in.base) as searching:
        with pytest.raises(SearchQueryError):
            await searching.search(query)
    assert not stand_in.asked


@pytest.mark.parametrize(
    "url",
    [
        *("", "localhost:8080", "ftp://host/", "http://", "https://host/?q=1", "https://me:secret@host/"),
        *("http://host:port/", "http://host:99999/", "http://[::1/", "http://a..b/", "http://a b/"),
    ],
)
def test_an_unusable_searxng_address_says_where_to_set_it(url: str) -> None:
    with pytest.raises(SearchNotSetUpError) as caught:
        SearxngSearch(Network(NetworkSlots(1), 1_000), url)
    assert "SEARXNG_URL" in caught.value.message and "Settings > Search provider" in caught.value.hint


async def test_a_fixed_provider_is_never_in_a_private_network(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    monkeypatch.setattr("app.web.address.system_resolver", resolve)
    google = GoogleSearch(Network(NetworkSlots(1), 1_000), KEY, ENGINE)
    with pytest.raises(SearchError, match="is blocked"):
        await google.search(WebQuery("bees"))
    await google.aclose()
