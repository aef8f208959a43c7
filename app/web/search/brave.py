"""Brave's Web Search API: an independent index, twenty results per request."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.errors import SearchQueryError
from app.text.sentence import sentence
from app.web.exchange import retry_after_seconds
from app.web.search.client import Fault, Network, Refusal, SearchPace, Service, usual_fault
from app.web.search.provider import Paging, ServedProvider, collect_pages, iso_country_of, language_of
from app.web.search.records import JsonObject, Shape, WebAnswer, WebQuery, items_of

TITLE: Final = "Brave"
BASE_URL: Final = "https://api.search.brave.com"
PATH: Final = "/res/v1/web/search"
PAGE_SIZE: Final = 20
PER_SECOND: Final = 1.0  # The limit of the smallest plan.
BURST: Final = 1
MAX_CHARS: Final = 400
MAX_WORDS: Final = 50
SHAPE: Final = Shape(("web", "results"), title="title", url="url", snippet="description")
_LANGUAGES: Final = {"ja": "jp", "no": "nb", "pt": "pt-pt", "zh": "zh-hans"}
_VARIANTS: Final = {"en-gb": "en-gb", "pt-br": "pt-br", "zh-tw": "zh-hant", "zh-hk": "zh-hant"}
_HINTS: Final = {
    Fault.KEY: sentence(
        "Check {} in Settings > Search provider, and that its plan includes web search.", "BRAVE_API_KEY"
    )
}


class BraveSearch(ServedProvider):
    """Searches with a key. Raises SearchNotSetUpError without one."""

    def __init__(self, network: Network, key: str, *, base_url: str = BASE_URL) -> None:
        self._key = key
        pace, is_own = SearchPace(TITLE, PER_SECOND, BURST), base_url != BASE_URL
        service = Service(TITLE, base_url, pace, is_own=is_own, secret=key, fault=_fault, wait=_wait, hints=_HINTS)
        super().__init__(network, service, {"BRAVE_API_KEY": key})

    async def search(self, query: WebQuery) -> WebAnswer:
        """Return the first page's JSON with the results of all pages. Raises SearchQueryError if the query is too long for Brave."""
        if len(query.text) > MAX_CHARS or len(query.text.split()) > MAX_WORDS:
            message = sentence("The query is too long for Brave ({} characters, {} words).", MAX_CHARS, MAX_WORDS)
            raise SearchQueryError(message, hint="Use a shorter query.")
        params: dict[str, str | int] = {"q": query.text, "safesearch": query.safe_search, "text_decorations": "false"}
        params["result_filter"] = "web"
        language, variant = language_of(query.language)
        if country := iso_country_of(query.region):
            params["country"] = country.upper()
        if language:
            params["search_lang"] = _VARIANTS.get(f"{language}-{variant.lower()}", _LANGUAGES.get(language, language))
        headers = {"X-Subscription-Token": self._key}

        async def ask(number: int, count: int) -> JsonObject:
            return await self._client.ask(
                "GET", PATH, params={**params, "count": count, "offset": number}, headers=headers
            )

        return await collect_pages(ask, Paging(SHAPE, PAGE_SIZE, _has_more), query.results)


def _has_more(page: JsonObject, asked: int) -> bool:
    query = page.get("query")
    stated = query.get("more_results_available") if isinstance(query, dict) else None
    return stated is True or (stated is None and len(items_of(page, SHAPE)) >= asked)


def _fault(refusal: Refusal) -> Fault:
    """Interpret a refusal: Brave responds with 422 to a wrong key."""
    error = refusal.body.get("error")
    code = str(error.get("code", "")) if isinstance(error, dict) else ""
    if "TOKEN" in code or "x-subscription-token" in str(refusal.body).lower():
        return Fault.KEY
    return Fault.LIMIT if refusal.status == 402 or code in ("RATE_LIMITED", "QUOTA_LIMITED") else usual_fault(refusal)


def _wait(headers: Mapping[str, str]) -> float | None:
    """Return the seconds to wait: Retry-After, otherwise the reset of the exhausted limit."""
    stated = retry_after_seconds(headers.get("retry-after"))
    if stated is not None:
        return stated
    fields = (headers.get(f"x-ratelimit-{name}", "").split(",") for name in ("remaining", "reset"))
    remaining, reset = (list(map(retry_after_seconds, field)) for field in fields)
    waits = [seconds for left, seconds in zip(remaining, reset, strict=False) if left == 0 and seconds is not None]
    return max(waits, default=None)
