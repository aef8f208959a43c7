"""A process that crawls a site until it is killed: python -m tests.ingest.crawler FOLDER URL"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from app.ingest.crawling.options import CrawlOptions
from tests.ingest.workshop import workshop


async def main(folder: Path, url: str) -> None:
    async with workshop(folder) as shop:
        jobs = await shop.jobs.jobs(1)
        job = jobs[0] if jobs else await shop.jobs.crawl(url, CrawlOptions())
        await shop.jobs.wait(job.id, 60)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), sys.argv[2]))
