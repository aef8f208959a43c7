"""Search the web as configured: provider, key, and several queries at the same time."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from app.errors import SearchNotSetUpError, SearchTimeoutError, WebRAGError
from app.memory import on_own_thread
from app.secrets import SecretName, SecretStore
from app.settings import Settings
from app.slots import NetworkSlots
from app.text.sentence import sentence
from app.web.search.brave import BraveSearch
from app.web.search.client import Network
from app.web.search.google import GoogleSearch
from app.web.search.records import QuerySearch, SearchProvider, WebAnswer, WebQuery
from app.web.search.searxng import SearxngSearch
from app.web.search.tavily import TavilySearch

KEYS: Final = {
    "google": SecretName.GOOGLE_API_KEY,
    "brave": SecretName.BRAVE_API_KEY,
    "tavily": SecretName.TAVILY_API_KEY,
}
MakeProvider = Callable[[Settings, str, Network], SearchProvider]

log = logging.getLogger(__name__)


def provider_name(settings: Settings) -> str:
    """Return the provider to use. A configured Google search engine takes precedence over a SearXNG server without an address."""
    name = settings.search_provider
    has_google = bool(settings.google_search_engine_id.strip()) and not settings.searxng_url.strip()
    return "google" if name == "searxng" and has_google else name


def configured_provider(settings: Settings, key: str, network: Network) -> SearchProvider:
    """Return the configured provider. Raises SearchNotSetUpError."""
    match provider_name(settings):
        case "searxng":
            return SearxngSearch(network, settings.searxng_url.strip())
        case "brave":
            return BraveSearch(network, key)
        case "tavily":
            return TavilySearch(network, key)
        case "google":
            return GoogleSearch(network, key, settings.google_search_engine_id.strip())
        case name:
            hint = "Ask the user to choose another provider in Settings > Search provider."
            raise SearchNotSetUpError(sentence("This version does not support {}.", name), hint=hint)


class WebSearch:
    """Searches with the configured provider. A new or replaced key applies from the next call."""

    def __init__(
        self,
        settings: Settings,
        secrets: SecretStore,
        slots: NetworkSlots,
        make_provider: MakeProvider = configured_provider,
    ) -> None:
        self._settings = settings
        self._secrets = secrets
        self._network = Network(slots, settings.request_timeout_ms)
        self._make = make_provider
        self._made: tuple[str, SearchProvider] | None = None
        self._making = asyncio.Lock()

    async def search(self, queries: Sequence[str], plan: WebQuery, seconds: float) -> tuple[QuerySearch, ...]:
        """Run all queries with the options of `plan`, and return their results or errors in order, after `seconds` at most.

        Raises SearchNotSetUpError, and the first query's error if all of them failed.
        """
        started = time.monotonic()
        provider = await self._provider()
        plan = replace(plan, safe_search=plan.safe_search or self._settings.google_safe_search)
        tasks = {text: asyncio.ensure_future(provider.search(replace(plan, text=text))) for text in queries}
        try:
            await asyncio.wait(tasks.values(), timeout=seconds)
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
        found = tuple(_outcome(text, tasks[text], seconds) for text in queries)
        hits = sum(len(each.answer.hits) for each in found if each.answer is not None)
        log.info("web search: %d queries, %d results, %.0f ms", len(found), hits, 1000 * (time.monotonic() - started))
        if found and all(each.error is not None for each in found):
            raise next(each.error for each in found if each.error is not None)
        return found

    async def aclose(self) -> None:
        if self._made is not None:
            await self._made[1].aclose()

    async def _provider(self) -> SearchProvider:
        async with self._making:
            name = KEYS.get(provider_name(self._settings))
            key = (
                (await on_own_thread("keyring", partial(self._secrets.get, name))).value.strip()
                if name is not None
                else ""
            )
            if self._made is None or self._made[0] != key:
                made, former = self._make(self._settings, key, self._network), self._made
                self._made = (key, made)
                if former is not None:
                    await former[1].aclose()
            return self._made[1]


def _outcome(text: str, task: asyncio.Future[WebAnswer], seconds: float) -> QuerySearch:
    """Return the answer or the error; raise a defect."""
    if task.cancelled():
        late = SearchTimeoutError(
            sentence("The search took longer than {} s.", max(1, round(seconds))),
            hint="Send fewer queries at the same time.",
        )
        return QuerySearch(text, None, late)
    error = task.exception()
    if error is None:
        return QuerySearch(text, task.result())
    if not isinstance(error, WebRAGError):
        raise error
    return QuerySearch(text, None, error)
