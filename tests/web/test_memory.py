"""What a hostile body costs, measured in a process of its own because peak memory never goes down."""

from __future__ import annotations

import subprocess
import sys

import brotli
import pytest
import zstandard

from app import caps
from tests.support.site import MIB, Site

resource = pytest.importorskip("resource")

SCRIPT = """
import asyncio, resource, sys, time
from app.errors import FetchError
from app.web.address import AddressPolicy
from app.web.fetch import FetchOptions, Fetcher

async def main(small, hostile):
    fetcher = Fetcher(FetchOptions(timeout_seconds=8), AddressPolicy(["127.0.0.0/8"]))
    await fetcher.fetch(small)
    unit = 1 if sys.platform == "darwin" else 1024
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    started = time.monotonic()
    try:
        await fetcher.fetch(hostile)
        name = "nothing"
    except FetchError as error:
        name = type(error).__name__
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    await fetcher.aclose()
    print(name, (after - before) // 2**20, time.monotonic() - started)

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def hostile_site():  # type: ignore[no-untyped-def]
    with Site() as site:
        site.page("/small", "<p>small</p>")
        site.bomb("/gzip", 300)
        plain = b"A" * (300 * MIB)
        site.page("/br", brotli.compress(plain, quality=3), headers={"Content-Encoding": "br"})
        site.page("/zstd", zstandard.compress(plain, 19), headers={"Content-Encoding": "zstd"})
        del plain
        site.endless("/endless")
        yield site


@pytest.mark.parametrize("path", ["/gzip", "/br", "/zstd", "/endless"])
def test_hostile_bodies_cost_little(hostile_site: Site, path: str) -> None:
    urls = [hostile_site.url("/small"), hostile_site.url(path)]
    done = subprocess.run([sys.executable, "-c", SCRIPT, *urls], capture_output=True, text=True, check=True)
    name, mebibytes, seconds = done.stdout.split()
    assert name == "BodyTooLargeError"
    assert int(mebibytes) < 64 - caps.MAX_BODY_BYTES // MIB
    assert float(seconds) < 8
