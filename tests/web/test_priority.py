"""A running crawl does not delay a user's question."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest

from app.errors import HTTPStatusError
from app.slots import NetworkSlots
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher
from app.web.records import FetchResult, Occasion
from tests.support.site import Exchange, Site
from tests.web.conftest import MakeFetcher, resolver

HOSTS = [f"h{number}.example" for number in range(5)]


@pytest.fixture
def crawling(make_fetcher: MakeFetcher) -> Fetcher:
    names = resolver(**{host.replace(".", "__"): ["127.0.0.1"] for host in HOSTS})
    return make_fetcher(AddressPolicy(["127.0.0.0/8"], resolver=names), concurrency=2, robots_policy="ignore")


@pytest.mark.parametrize(
    ("host", "occasion"),
    [(HOSTS[0], Occasion.AUTOMATIC), (HOSTS[4], Occasion.AUTOMATIC), (HOSTS[0], Occasion.LISTED)],
)
async def test_a_named_page_only_waits_for_running_requests(
    crawling: Fetcher, site: Site, host: str, occasion: Occasion
) -> None:
    """Many hosts are crawled at the same time. Two requests are running, and one more may start with the named one."""
    site.page("/slow", "x", delay=0.1)
    site.page("/named", "x")
    targets = itertools.product(HOSTS[:4], range(5))
    crawl = [
        asyncio.create_task(crawling.fetch(site.url(f"/slow?{n}", host=host), occasion=occasion)) for host, n in targets
    ]
    await asyncio.sleep(0.12)
    before = len(site.requests)
    await crawling.fetch(site.url("/named", host=host))
    later = [seen.path for seen in site.requests[before:]]
    assert "/named" in later[:4]
    assert sum(task.done() for task in crawl) < len(crawl) / 2
    assert site.most_at_once <= 2
    for task in crawl:
        task.cancel()
    await asyncio.gather(*crawl, return_exceptions=True)


async def test_slots_are_shared_with_others(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a", "x")
    slots = NetworkSlots(1)
    fetcher = Fetcher(make_fetcher()._options, AddressPolicy(["127.0.0.0/8"]), slots)
    async with slots.hold(urgent=True):
        waiting = asyncio.create_task(fetcher.fetch(site.url("/a")))
        await asyncio.sleep(0.05)
        assert site.requests == []
    assert (await waiting).status == 200
    await fetcher.aclose()


async def test_a_new_pause_also_holds_queued_requests(make_fetcher: MakeFetcher, site: Site) -> None:
    """One of three gets 429; the two queued behind it are sent only after the pause."""
    first = iter([True])

    def answer(exchange: Exchange) -> None:
        if next(first, False):
            exchange.wait(0.1)
            exchange.send(b"", 429, headers={"Retry-After": "1"})
        else:
            exchange.send(b"fine")

    site.on("/a", answer)
    fetcher = make_fetcher(concurrency=1, robots_policy="ignore")
    results = await asyncio.gather(
        *(fetcher.fetch(site.url(f"/a?{number}"), occasion=Occasion.AUTOMATIC) for number in range(3)),
        return_exceptions=True,
    )
    statuses = [result.status for result in results if isinstance(result, HTTPStatusError | FetchResult)]
    assert sorted(statuses) == [200, 200, 429]
    times = [seen.at for seen in site.requests]
    assert len(times) == 3, "429 is not tried again"
    assert times[1] - times[0] > 0.9


async def test_a_second_response_can_require_a_pause(make_fetcher: MakeFetcher, site: Site) -> None:
    answers = iter([(500, {}), (503, {"Retry-After": "60"})])

    def answer(exchange: Exchange) -> None:
        status, headers = next(answers)
        exchange.send(b"", status, headers=headers)

    site.on("/a", answer)
    site.page("/b", "x")
    fetcher = make_fetcher(robots_policy="ignore")
    with pytest.raises(HTTPStatusError, match="60 seconds"):
        await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)
    started = time.monotonic()
    with pytest.raises(HTTPStatusError, match="asked for a pause"):
        await fetcher.fetch(site.url("/b"), occasion=Occasion.AUTOMATIC)
    assert time.monotonic() - started < 10
    assert site.count("/b") == 0
