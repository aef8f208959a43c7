from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from ipaddress import ip_address
from typing import Any

import pytest

from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from tests.support.site import Site

LOOPBACK = ("127.0.0.0/8",)
MakeFetcher = Callable[..., Fetcher]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
async def make_fetcher() -> AsyncIterator[MakeFetcher]:
    """Yield a function that creates fetchers, which may read loopback unless another policy is given; closes them afterwards."""
    made: list[Fetcher] = []

    def make(policy: AddressPolicy | None = None, **options: Any) -> Fetcher:
        fetcher = Fetcher(FetchOptions(**{"timeout_seconds": 5.0, **options}), policy or AddressPolicy(LOOPBACK))
        made.append(fetcher)
        return fetcher

    yield make
    for fetcher in made:
        await fetcher.aclose()


@pytest.fixture
def fetcher(make_fetcher: MakeFetcher) -> Fetcher:
    return make_fetcher()


def resolver(**names: list[str]) -> Callable[[str, int], Awaitable[list[str]]]:
    """Return a fake DNS; keys use "__" for the dot. Addresses resolve to themselves."""
    table = {name.replace("__", "."): addresses for name, addresses in names.items()}

    async def resolve(host: str, port: int) -> list[str]:
        if host in table:
            return table[host]
        try:
            return [str(ip_address(host))]
        except ValueError:
            raise OSError(-2, "Name or service not known") from None

    return resolve
