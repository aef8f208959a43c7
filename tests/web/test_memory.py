"""The cost of a hostile body, measured in a separate process because peak memory never decreases."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib

import brotli
import pytest
import zstandard

from app import caps
from tests.support.site import MIB, Site

resource = pytest.importorskip("resource")

SCRIPT = """
import asyncio, resource, sys, time
from pathlib import Path
from app.errors import FetchError
from app.web.address import AddressPolicy
from app.web.fetch import FetchOptions, Fetcher

def peak():
    if sys.platform == "linux":  # a child's ru_maxrss starts at its parent's
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20

async def main(small, hostile):
    fetcher = Fetcher(FetchOptions(timeout_seconds=3), AddressPolicy(["127.0.0.0/8"]))
    await fetcher.fetch(small)
    before = peak()
    started = time.monotonic()
    try:
        await fetcher.fetch(hostile)
        name = "nothing"
    except FetchError as error:
        name = type(error).__name__
    cost, seconds = peak() - before, time.monotonic() - started
    await fetcher.aclose()
    # More than is looked for: what was freed since the last peak is filled first.
    ballast = b"x" * (120 * 2**20)
    print(name, cost, seconds, peak() - before)

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
        site.page("/deflate", zlib.compress(plain, 1), headers={"Content-Encoding": "deflate"})
        twice = gzip.compress(gzip.compress(plain, 1))
        site.page("/twice", twice, headers={"Content-Encoding": "gzip, gzip"})
        site.page("/parts", gzip.compress(b"") * 400_000, headers={"Content-Encoding": "gzip"})
        site.page("/file", twice, content_type="application/octet-stream", headers={"Content-Encoding": "gzip"})
        del plain
        site.endless("/endless")
        site.endless("/trickle", pause=0.2)
        yield site


@pytest.mark.real
@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("/gzip", "BodyTooLargeError"),
        ("/br", "BodyTooLargeError"),
        ("/zstd", "BodyTooLargeError"),
        ("/deflate", "BodyTooLargeError"),
        ("/twice", "BodyTooLargeError"),
        ("/parts", "FetchError"),
        ("/file", "UnsupportedContentError"),
        ("/endless", "BodyTooLargeError"),
        ("/trickle", "FetchTimeoutError"),
    ],
)
def test_hostile_bodies_use_little_memory(hostile_site: Site, path: str, error: str) -> None:
    urls = [hostile_site.url("/small"), hostile_site.url(path)]
    done = subprocess.run([sys.executable, "-c", SCRIPT, *urls], capture_output=True, text=True, check=True)
    name, mebibytes, seconds, with_ballast = done.stdout.split()
    assert name == error
    assert float(mebibytes) < 64 - caps.MAX_BODY_BYTES // MIB
    assert float(seconds) < 5
    assert float(with_ballast) > 100, "the peak was measured"
