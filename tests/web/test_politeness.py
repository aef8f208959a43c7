from __future__ import annotations

import asyncio
import time

import pytest

from app import caps
from app.errors import HTTPStatusError
from app.slots import NetworkSlots
from app.web.address import AddressPolicy
from app.web.exchange import MAX_RETRY_AFTER_SECONDS, retry_after_seconds, status_error
from app.web.politeness import DEFAULT_PACE, HOST_BURST, MAX_HOSTS_REMEMBERED, MAX_PER_HOST, Pace, Politeness, pace_for
from app.web.records import Occasion
from tests.support.site import Site
from tests.web.conftest import MakeFetcher, resolver


async def test_simultaneous_requests_stay_within_the_limit(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a", "x", delay=0.15)
    hosts = [f"h{number}.example" for number in range(6)]
    names = resolver(**{host.replace(".", "__"): ["127.0.0.1"] for host in hosts})
    fetcher = make_fetcher(AddressPolicy(["127.0.0.0/8"], resolver=names), concurrency=3)
    await asyncio.gather(*(fetcher.fetch(site.url("/a", host=host)) for host in hosts))
    assert site.most_at_once == 3


async def test_two_simultaneous_requests_per_host_at_most(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a", "x", delay=0.1)
    fetcher = make_fetcher(concurrency=8)
    await asyncio.gather(*(fetcher.fetch(site.url("/a")) for _ in range(6)))
    assert site.most_at_once == MAX_PER_HOST == 2


@pytest.mark.parametrize("occasion", [Occasion.LISTED, Occasion.AUTOMATIC])
async def test_background_fetching_of_public_sites_is_paced(
    make_fetcher: MakeFetcher, site: Site, occasion: Occasion
) -> None:
    """Five requests: four immediately, the fifth a second later. A named request does not wait."""
    site.page("/a", "x")
    policy = AddressPolicy(allow_hosts=["theirs.example"], resolver=resolver(theirs__example=["127.0.0.1"]))
    fetcher, url = make_fetcher(policy), site.url("/a", host="theirs.example")
    started = time.monotonic()
    await asyncio.gather(*(fetcher.fetch(url, occasion=Occasion.AUTOMATIC) for _ in range(HOST_BURST)))
    burst = time.monotonic() - started
    late = asyncio.create_task(fetcher.fetch(url, occasion=Occasion.AUTOMATIC))
    await fetcher.fetch(url)
    # If the burst took a second, the fifth request has its slot already.
    assert burst >= 0.8 or not late.done()
    await late
    assert 0.8 <= time.monotonic() - started < 60


async def test_own_machines_are_not_paced(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a", "x")
    fetcher = make_fetcher()
    started = time.monotonic()
    await asyncio.gather(*(fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC) for _ in range(60)))
    assert time.monotonic() - started < 40, "the paced requests after the first four take 56 seconds"


def test_a_crawl_delay_always_applies() -> None:
    assert pace_for(None, own=True) is None
    assert pace_for(None, own=False) == DEFAULT_PACE == Pace(1.0, HOST_BURST)
    assert pace_for(2.0, own=True) == pace_for(2.0, own=False) == Pace(0.5, 1)
    assert pace_for(9999, own=False) == Pace(1 / caps.MAX_CRAWL_DELAY_SECONDS, 1)


async def test_the_bucket_refills_and_a_cancelled_wait_gives_its_token_back() -> None:
    politeness, pace = Politeness(NetworkSlots(4)), Pace(20, 2)

    async def take() -> float:
        started = time.monotonic()
        async with politeness.turn("h", "http://h/", urgent=False, polite=True, pace=pace):
            return time.monotonic() - started

    began = time.monotonic()
    for _ in range(8):
        await take()
    assert time.monotonic() - began > 0.25, "two immediately, then six more, each after 50 ms"
    for _ in range(40):
        waiting = asyncio.create_task(take())
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
    assert await take() < 1.5, "forty tokens take two seconds"


async def test_a_long_retry_after_fails_immediately_with_the_seconds(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/busy", "x", status=429, headers={"Retry-After": "120"})
    site.page("/down", "x", status=503, headers={"Retry-After": "77"})
    site.page("/a", "x")
    fetcher = make_fetcher()
    with pytest.raises(HTTPStatusError, match="wait 120 seconds"):
        await fetcher.fetch(site.url("/busy"))
    with pytest.raises(HTTPStatusError, match=r"a pause of another 1[12]\d seconds") as caught:
        await fetcher.fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)
    assert caught.value.status == 429
    assert site.count("/a") == 0
    assert (await fetcher.fetch(site.url("/a"))).status == 200
    with pytest.raises(HTTPStatusError, match="wait 77 seconds"):
        await make_fetcher().fetch(site.url("/down"), occasion=Occasion.AUTOMATIC)
    assert (site.count("/busy"), site.count("/down")) == (1, 1)


async def test_a_short_retry_after_is_waited_for(make_fetcher: MakeFetcher, site: Site) -> None:
    site.fails("/a", 1, 503, "fine", {"Retry-After": "1"})
    assert (await make_fetcher().fetch(site.url("/a"), occasion=Occasion.AUTOMATIC)).body == b"fine"
    first, second = (seen.at for seen in site.requests if seen.path == "/a")
    assert 0.9 <= second - first < 2.5


async def test_the_memory_for_hosts_is_limited() -> None:
    politeness = Politeness(NetworkSlots(2))
    for number in range(MAX_HOSTS_REMEMBERED * 2):
        host = f"h{number}"
        async with politeness.turn(host, "http://h/", urgent=False, polite=True, pace=DEFAULT_PACE):
            assert len(politeness._hosts) <= MAX_HOSTS_REMEMBERED


def test_retry_after_is_a_number_or_a_date() -> None:
    assert retry_after_seconds("30") == 30
    assert retry_after_seconds(None) is None
    assert retry_after_seconds("soon") is None
    assert retry_after_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    later = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 60))
    assert retry_after_seconds(later) == pytest.approx(60, abs=2)


def test_an_absurd_retry_after_counts_as_a_year() -> None:
    seconds = retry_after_seconds("9" * 400)
    assert seconds == MAX_RETRY_AFTER_SECONDS
    assert "31536000 seconds" in str(status_error(429, "http://a.example/", seconds))
