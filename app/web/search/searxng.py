"""SearXNG: a metasearch server of the user's own, without a key."""

from __future__ import annotations

from typing import Final

from app.errors import InvalidURLError, SearchNotSetUpError
from app.text.sentence import sentence
from app.web.search.client import Fault, Network, SearchPace, Service
from app.web.search.provider import Paging, ServedProvider, collect_pages, how_to_set, iso_country_of, language_of
from app.web.search.records import JsonObject, Shape, WebAnswer, WebQuery, items_of
from app.web.urls import normalise_url

TITLE: Final = "SearXNG"
PATH: Final = "/search"
PAGE_SIZE: Final = 10  # The usual number of results; it depends on the server's engines.
PER_SECOND: Final = 2.0
BURST: Final = 6
SHAPE: Final = Shape(("results",), title="title", url="url", snippet="content")
_SAFE: Final = {"off": 0, "moderate": 1, "strict": 2}
_JSON_HINT: Final = sentence(
    "List json under search.formats in the server's settings.yml, and set {} to the address of the server itself.",
    "SEARXNG_URL",
)
_HINTS: Final = {
    Fault.KEY: _JSON_HINT,
    Fault.BROKEN: sentence("Check {} in Settings > Search provider, and the log of that server.", "SEARXNG_URL"),
}
NO_REGION: Final = sentence("SearXNG needs a language to use a region. The region was ignored.")


class SearxngSearch(ServedProvider):
    """Searches with the server that the user configured. Raises SearchNotSetUpError if its address is invalid."""

    def __init__(self, network: Network, url: str) -> None:
        if not url:
            message = sentence("Web search with SearXNG needs the address of the server ({}).", "SEARXNG_URL")
            raise SearchNotSetUpError(message, hint=how_to_set("SEARXNG_URL"))
        try:
            if "?" in url or "#" in url:
                raise InvalidURLError(url)
            base = normalise_url(url).rstrip("/").removesuffix(PATH)
        except InvalidURLError as error:
            raise SearchNotSetUpError(
                sentence("{} is not a plain web address.", "SEARXNG_URL"),
                hint="Ask the user to correct it in Settings > Search provider: http://host or https://host.",
            ) from error
        pace = SearchPace(TITLE, PER_SECOND, BURST)
        service = Service(TITLE, base, pace, is_own=True, hints=_HINTS, not_json_hint=_JSON_HINT)
        super().__init__(network, service, {"SEARXNG_URL": url})

    async def search(self, query: WebQuery) -> WebAnswer:
        """Return the first page's JSON with the results of all pages."""
        params: dict[str, str | int] = {"q": query.text, "format": "json", "safesearch": _SAFE[query.safe_search]}
        language, variant = language_of(query.language)
        country = iso_country_of(query.region)
        headers: dict[str, str] = {}
        if language:
            params["language"] = "-".join(part for part in (language, country.upper() or variant) if part)
            headers["Accept-Language"] = str(params["language"])

        async def ask(number: int, _count: int) -> JsonObject:
            return await self._client.ask("GET", PATH, params={**params, "pageno": number + 1}, headers=headers)

        note = NO_REGION if country and not language else ""
        return await collect_pages(
            ask, Paging(SHAPE, PAGE_SIZE, lambda page, _: bool(items_of(page, SHAPE))), query.results, note
        )
