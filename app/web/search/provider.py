"""Shared by all search providers: settings, combining pages of results, countries and languages."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from app import caps
from app.errors import SearchError, SearchKeyError, SearchNotSetUpError, SearchQueryError
from app.paths import asset_table
from app.text.sentence import joined, listing, sentence
from app.web.search.client import Fault, Network, SearchClient, Service
from app.web.search.records import JsonObject, Shape, WebAnswer, WebHit, items_of, with_items

MAX_SEARCH_PAGES: Final = 5  # The number of requests for one query; providers return 10 to 20 results each.


class ServedProvider:
    """Uses one server. `needs` are settings by name. Raises SearchNotSetUpError if one is empty, SearchKeyError for a malformed key."""

    def __init__(self, network: Network, service: Service, needs: Mapping[str, str]) -> None:
        missing = listing(name for name, value in needs.items() if not value)
        if missing:
            message = sentence("Web search with {} is missing a setting: {}.", service.title, missing)
            raise SearchNotSetUpError(message, hint=how_to_set(missing))
        if not (service.secret.isascii() and service.secret.isprintable()):
            # The error for an impossible header would contain the key.
            message = sentence("The key of {} contains invalid characters.", service.title)
            raise SearchKeyError(message, hint=service.hints.get(Fault.KEY))
        self._client = SearchClient(service, network)

    async def aclose(self) -> None:
        await self._client.aclose()


def how_to_set(names: str) -> str:
    """Return the hint for missing settings."""
    return sentence(
        "Ask the user to set {} in Settings > Search provider, or to choose another provider there ({}).",
        names,
        "SEARCH_PROVIDER",
    )


AskPage = Callable[[int, int], Awaitable[JsonObject]]
"""Returns the page with this number, counted from 0, with at most this many results."""


@dataclass(frozen=True, slots=True)
class Paging:
    """How a provider pages. `has_more` gets a page and its requested number of results; `overlaps`: pages may repeat results."""

    shape: Shape
    size: int
    has_more: Callable[[JsonObject, int], bool]
    overlaps: bool = True


async def collect_pages(ask: AskPage, paging: Paging, wanted: int, note: str = "") -> WebAnswer:
    """Return the first page's JSON with the results of as many pages as `wanted` needs.

    Raises the error of the first page; the error of a later page becomes a note with the results.
    """
    shape = paging.shape
    first = page = await ask(0, min(wanted, paging.size))
    items = items_of(first, shape)
    for number in range(1, MAX_SEARCH_PAGES):
        asked = min(wanted - number * paging.size, paging.size) if not paging.overlaps else paging.size
        if len(items) >= wanted or asked <= 0 or not paging.has_more(page, paging.size):
            break
        try:
            page = await ask(number, asked)
        except SearchError as error:
            note = joined([note, sentence("Only {} of {} results: {}", len(items), wanted, error.message)])
            break
        fresh = items_of(page, shape)
        if paging.overlaps:
            seen = {str(item.get(shape.url)) for item in items}
            fresh = [item for item in fresh if str(item.get(shape.url)) not in seen]
        if not fresh:
            break
        items += fresh
    items = items[:wanted]
    whole = with_items(first, shape, items) if items else first
    hits = (WebHit(*(_text(item.get(name)) for name in (shape.title, shape.url, shape.snippet))) for item in items)
    return WebAnswer(_text(json.dumps(whole, ensure_ascii=False, separators=(",", ":"))), tuple(hits), shape, note)


def _text(value: Any) -> str:
    """Return text without lone surrogates, which JSON may contain."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


_COUNTRY = re.compile(r"[A-Za-z]{2}")
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})?")


def country_of(region: str) -> str:
    """Return the two-letter country in lower case, empty for none. Raises SearchQueryError."""
    if region and not _COUNTRY.fullmatch(region.strip()):
        hint = "Use a two-letter country code such as us or de."
        raise SearchQueryError(sentence("{} is not a region.", _shown(region)), hint=hint)
    return region.strip().lower()


def iso_country_of(region: str) -> str:
    """Return the same, with the ISO code of the United Kingdom."""
    country = country_of(region)
    return "gb" if country == "uk" else country


def language_of(language: str) -> tuple[str, str]:
    """Return the language in lower case and its variant as given ("pt", "BR"), empty for none. Raises SearchQueryError."""
    if language and not _LANGUAGE.fullmatch(language.strip()):
        hint = "Use a language code such as en, de or pt-BR."
        raise SearchQueryError(sentence("{} is not a language.", _shown(language)), hint=hint)
    base, _, variant = language.strip().replace("_", "-").partition("-")
    return base.lower(), variant


def _shown(given: str) -> str:
    return repr(given[: caps.MAX_ARGUMENT_CHARS_SHOWN])


_COUNTRIES: Final = {
    code: " ".join(name) for code, *name in map(str.split, asset_table("words.toml")["countries"]["names"].split(","))
}


def country_name(code: str) -> str:
    """Return the name of a country in lower case; empty for an unknown code."""
    return _COUNTRIES.get(code.lower(), "")
