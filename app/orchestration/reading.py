"""Reading one page with the progress texts of the contract, and reading several within a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, Final, TypeVar

from app.errors import FetchTimeoutError
from app.ingest.outcome import IngestOutcome
from app.ingest.pipeline import IngestPipeline
from app.progress import ProgressCallback

SHOWN_URL_CHARS: Final = 80
GOES_ON: Final = "It is read on in the background; `status` with the address says whether it is indexed."
STILL_READING: Final = "still being read; call `search` in 30 s"

Result = TypeVar("Result")


async def read_page(
    pipeline: IngestPipeline, url: str, progress: ProgressCallback, *, refresh: bool = False
) -> IngestOutcome:
    """Make sure a named page is stored, telling each step. Raises FetchError and its kin."""
    await progress("ingestion", f"Checking if {url} is indexed...")
    if refresh or not await pipeline.is_fresh(url):
        await progress("ingestion", f"Scraping {url}...")
    outcome = await pipeline.ingest(url, refresh=refresh)
    summary = outcome.summary
    await progress("ingestion", f"Indexed {url} ({summary.chunks} chunks, {summary.tokens} tokens)")
    return outcome


async def within(
    seconds: float, urls: Sequence[str], readings: Sequence[Coroutine[Any, Any, Result]]
) -> list[Result | BaseException]:
    """The result or error of each reading; one that needs longer is a FetchTimeoutError, and its page is read on in the background."""
    tasks = [asyncio.ensure_future(reading) for reading in readings]
    try:
        await asyncio.wait(tasks, timeout=max(0.0, seconds))
    finally:
        late = [task for task in tasks if not task.done()]
        for task in late:
            task.cancel()
    await asyncio.gather(*late, return_exceptions=True)
    return [
        FetchTimeoutError(f"{url} is {STILL_READING}.", url=url, hint=GOES_ON)
        if task.cancelled()
        else task.exception() or task.result()
        for url, task in zip(urls, tasks, strict=True)
    ]


def shortened(url: str) -> str:
    """The address as a progress text shows it."""
    return url if len(url) <= SHOWN_URL_CHARS else f"{url[: SHOWN_URL_CHARS - 1]}…"
