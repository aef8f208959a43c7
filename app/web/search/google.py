"""Google's Custom Search JSON API: ten results per request, from the sites of the user's own search engine."""

from __future__ import annotations

from typing import Final

from app.text.sentence import sentence
from app.web.search.client import Fault, Network, Refusal, SearchPace, Service, said, usual_fault
from app.web.search.provider import Paging, ServedProvider, collect_pages, country_of, language_of
from app.web.search.records import JsonObject, Shape, WebAnswer, WebQuery, items_of

TITLE: Final = "Google"
BASE_URL: Final = "https://www.googleapis.com"
PATH: Final = "/customsearch/v1"
PAGE_SIZE: Final = 10
PER_SECOND: Final = 100 / 60  # The API takes 100 queries a minute.
BURST: Final = 10
SHAPE: Final = Shape(("items",), title="title", url="link", snippet="snippet")

_QUOTA_REASONS: Final = frozenset(
    {"dailylimitexceeded", "quotaexceeded", "ratelimitexceeded", "userratelimitexceeded", "resource_exhausted"}
)
_HINTS: Final = {
    Fault.KEY: sentence(
        "Check {} in Settings > Search provider, and that the Custom Search API is enabled for it.", "GOOGLE_API_KEY"
    ),
    Fault.QUERY: sentence("Use a shorter query, or check {} in Settings > Search provider.", "GOOGLE_SEARCH_ENGINE_ID"),
}


class GoogleSearch(ServedProvider):
    """Searches with a key and the id of a search engine. Raises SearchNotSetUpError if one is missing."""

    def __init__(self, network: Network, key: str, engine_id: str, *, base_url: str = BASE_URL) -> None:
        self._key, self._engine_id = key, engine_id
        pace, is_own = SearchPace(TITLE, PER_SECOND, BURST), base_url != BASE_URL
        service = Service(TITLE, base_url, pace, is_own=is_own, secret=key, fault=_fault, hints=_HINTS)
        super().__init__(network, service, {"GOOGLE_API_KEY": key, "GOOGLE_SEARCH_ENGINE_ID": engine_id})

    async def search(self, query: WebQuery) -> WebAnswer:
        """Return the first page's JSON with the items of all pages."""
        params: dict[str, str | int] = {"key": self._key, "cx": self._engine_id, "q": query.text}
        params["safe"] = "off" if query.safe_search == "off" else "active"
        language, variant = language_of(query.language)
        if country := country_of(query.region):
            params["gl"] = country
        if language:
            params["hl"] = f"{language}-{variant}" if variant else language
            # Only Chinese is distinguished by its variant.
            params["lr"] = f"lang_zh-{variant.upper() or 'CN'}" if language == "zh" else f"lang_{language}"

        async def ask(number: int, count: int) -> JsonObject:
            start = number * PAGE_SIZE + 1
            return await self._client.ask("GET", PATH, params={**params, "num": count, "start": start})

        return await collect_pages(ask, Paging(SHAPE, PAGE_SIZE, _has_more, overlaps=False), query.results)


def _has_more(page: JsonObject, asked: int) -> bool:
    queries = page.get("queries")
    return len(items_of(page, SHAPE)) >= asked or (isinstance(queries, dict) and bool(queries.get("nextPage")))


def _fault(refusal: Refusal) -> Fault:
    """Interpret a refusal: Google responds with 403 to an exhausted quota and 400 to a wrong key."""
    error = refusal.body.get("error")
    error = error if isinstance(error, dict) else {}
    listed = (error.get(name) for name in ("errors", "details"))
    entries = [error, *(entry for entries in listed if isinstance(entries, list) for entry in entries)]
    words = (entry.get(name) for entry in entries if isinstance(entry, dict) for name in ("reason", "status"))
    reasons = {word.lower() for word in words if isinstance(word, str)}
    if reasons & _QUOTA_REASONS:
        return Fault.LIMIT
    if "api_key_invalid" in reasons or "keyinvalid" in reasons or "api key" in said(refusal.body).lower():
        return Fault.KEY
    return usual_fault(refusal)
