"""The four providers with the stand-in server, without pauses."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from app.slots import NetworkSlots
from app.web.search.brave import BraveSearch
from app.web.search.client import Network
from app.web.search.google import GoogleSearch
from app.web.search.records import SearchProvider
from app.web.search.searxng import SearxngSearch
from app.web.search.tavily import TavilySearch
from tests.support.search import ENGINE, KEY

Make = Callable[[Network, str, str], SearchProvider]

MAKERS: dict[str, Make] = {
    "google": lambda network, key, base: GoogleSearch(network, key, ENGINE, base_url=base),
    "brave": lambda network, key, base: BraveSearch(network, key, base_url=base),
    "tavily": lambda network, key, base: TavilySearch(network, key, base_url=base),
    "searxng": lambda network, _key, base: SearxngSearch(network, base),
}
WITH_KEY = ("google", "brave", "tavily")


@asynccontextmanager
async def provider(
    name: str, base: str, *, key: str = KEY, timeout_ms: int = 3_000, slots: NetworkSlots | None = None
) -> AsyncIterator[SearchProvider]:
    """Yield a provider whose server is at `base`, closed afterwards."""
    made = MAKERS[name](Network(slots or NetworkSlots(2), timeout_ms), key, base)
    try:
        yield made
    finally:
        await made.aclose()
