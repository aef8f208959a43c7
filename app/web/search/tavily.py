"""Tavily: a search service for assistants, at most twenty results."""

from __future__ import annotations

from typing import Final

from app.text.sentence import joined, sentence
from app.web.search.client import Fault, Network, SearchPace, Service, usual_fault
from app.web.search.provider import Paging, ServedProvider, collect_pages, country_name, iso_country_of, language_of
from app.web.search.records import JsonObject, Shape, WebAnswer, WebQuery

TITLE: Final = "Tavily"
BASE_URL: Final = "https://api.tavily.com"
PATH: Final = "/search"
MAX_RESULTS: Final = 20
PER_SECOND: Final = 100 / 60  # Development keys allow 100 requests per minute.
BURST: Final = 10
SHAPE: Final = Shape(("results",), title="title", url="url", snippet="content")
PLAN_LIMITS: Final = (432, 433)  # Tavily's own statuses for an exhausted plan.
NO_LANGUAGE: Final = sentence("Tavily does not support languages. The language was ignored.")
_HINTS: Final = {Fault.KEY: sentence("Check {} in Settings > Search provider.", "TAVILY_API_KEY")}


class TavilySearch(ServedProvider):
    """Searches with a key. Raises SearchNotSetUpError without one."""

    def __init__(self, network: Network, key: str, *, base_url: str = BASE_URL) -> None:
        self._key = key
        pace, is_own = SearchPace(TITLE, PER_SECOND, BURST), base_url != BASE_URL
        service = Service(
            TITLE,
            base_url,
            pace,
            is_own=is_own,
            secret=key,
            fault=lambda refusal: Fault.LIMIT if refusal.status in PLAN_LIMITS else usual_fault(refusal),
            hints=_HINTS,
        )
        super().__init__(network, service, {"TAVILY_API_KEY": key})

    async def search(self, query: WebQuery) -> WebAnswer:
        """Return the JSON of one request."""
        wanted = min(query.results, MAX_RESULTS)
        body: JsonObject = {"query": query.text, "max_results": wanted, "search_depth": "basic", "topic": "general"}
        notes: list[str] = []
        if wanted < query.results:
            notes.append(sentence("Tavily returns at most {} results per query.", MAX_RESULTS))
        if language_of(query.language)[0]:
            notes.append(NO_LANGUAGE)
        country = iso_country_of(query.region)
        if name := country_name(country):
            body["country"] = name
        elif country:
            notes.append(sentence("Tavily does not know the region {}. The region was ignored.", repr(country)))
        if query.safe_search != "off":
            body["safe_search"] = True

        async def ask(_number: int, _count: int) -> JsonObject:
            return await self._client.ask("POST", PATH, body=body, headers={"Authorization": f"Bearer {self._key}"})

        return await collect_pages(ask, Paging(SHAPE, MAX_RESULTS, lambda _page, _asked: False), wanted, joined(notes))
