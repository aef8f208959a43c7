"""Background jobs in memory, controlled by the test, with the events of real ones."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from app.corpus.records import Folder
from app.errors import UnknownJobError
from app.events import EventBus, JobChanged
from app.ingest.crawling.options import CrawlOptions, CrawlPreview
from app.library.job_records import ItemState, Job, JobCounts, JobItem, JobKind, JobState

NOW = 1_771_777_800.0
SITE = "https://docs.example.org/"


def job(
    number: int = 7,
    state: JobState = JobState.RUNNING,
    *,
    kind: JobKind = JobKind.CRAWL,
    target: str = SITE,
    detail: str = "",
    counts: JobCounts | None = None,
) -> Job:
    """Return a job that started 46 s before NOW and has fetched 23 of 41 pages by default."""
    return Job(
        id=number,
        kind=kind,
        target=target,
        options="{}",
        state=state,
        detail=detail,
        created_at=NOW - 50,
        started_at=None if state is JobState.QUEUED else NOW - 46,
        finished_at=NOW if state.is_final else None,
        counts=counts or JobCounts(waiting=18, stored=19, updated=1, unchanged=1, skipped=0, failed=2),
    )


def items(*states: ItemState, site: str = SITE) -> list[JobItem]:
    reasons = {ItemState.FAILED: "The site answered with 404.", ItemState.SKIPPED: "robots.txt forbids it."}
    return [
        JobItem(f"{site}page{number}.html", 1, state, reasons.get(state, "")) for number, state in enumerate(states)
    ]


def changed(of: Job, seconds_left: float | None = None) -> JobChanged:
    """Return the event for the state of a job."""
    counts = of.counts
    return JobChanged(
        *(of.id, of.kind, of.target, of.state, counts.done, counts.total, counts.failed, of.detail, seconds_left),
        skipped=counts.skipped,
    )


def preview_of(url: str, options: CrawlOptions) -> CrawlPreview:
    urls = tuple(f"{url}page{number}.html" for number in range(30))
    folders = (("/", 30), ("/archive/", 4), ("/archive/2019/", 5), ("/news/", 2))
    return CrawlPreview(
        url, "Field guide", options, urls, 41, True, ("sitemap", "links"), 3, 41.0, ("Three notes.",), folders
    )


@dataclass
class FakeJobs:
    """`known` are the jobs, `pages` the items of each, `left` their remaining seconds; `asked` records the calls. Starting a job raises
    `failure`.

    A job with a waiting caller ends as `ending` after publishing `steps`. Without an ending, it runs beyond the given time.
    """

    bus: EventBus
    known: dict[int, Job] = field(default_factory=dict)
    pages: dict[int, list[JobItem]] = field(default_factory=dict)
    shelves: list[Folder] = field(default_factory=list)
    asked: list[tuple[object, ...]] = field(default_factory=list)
    steps: list[JobChanged] = field(default_factory=list)
    ending: Job | None = None
    failure: Exception | None = None
    left: dict[int, float] = field(default_factory=dict)

    def seconds_left(self, job_id: int) -> float | None:
        return self.left.get(job_id)

    async def preview(self, url: str, options: CrawlOptions) -> CrawlPreview:
        self.asked.append(("preview", url, options))
        if self.failure is not None:
            raise self.failure
        return preview_of(url, options)

    async def crawl(self, url: str, options: CrawlOptions) -> Job:
        self.asked.append(("crawl", url, options))
        return self._begin(JobKind.CRAWL, url)

    async def read_pages(self, urls: Sequence[str], *, target: str, refresh: bool = False) -> Job:
        self.asked.append(("read_pages", tuple(urls), target))
        return self._begin(JobKind.PAGES, target)

    async def add_folder(self, path: Path) -> Job:
        self.asked.append(("add_folder", path))
        self.shelves.append(Folder(len(self.shelves) + 1, str(path), NOW, 0))
        return self._begin(JobKind.FOLDER, str(path))

    async def remove_folder(self, path: Path) -> bool:
        self.asked.append(("remove_folder", path))
        kept = [folder for folder in self.shelves if folder.path != str(path)]
        removed, self.shelves = len(kept) < len(self.shelves), kept
        return removed

    async def refresh_folder(self, path: Path) -> Job:
        self.asked.append(("refresh_folder", path))
        return self._begin(JobKind.FOLDER, str(path))

    async def rename_folder(self, path: Path, name: str) -> Folder:
        self.asked.append(("rename_folder", path, name))
        self.shelves = [replace(each, name=name) if each.path == str(path) else each for each in self.shelves]
        return next(each for each in self.shelves if each.path == str(path))

    async def folders(self) -> list[Folder]:
        return list(self.shelves)

    async def jobs(self, limit: int) -> list[Job]:
        return sorted(self.known.values(), key=lambda known: -known.id)[:limit]

    async def job(self, job_id: int) -> Job:
        if job_id not in self.known:
            raise UnknownJobError(f"There is no job {job_id}.")
        return self.known[job_id]

    async def items(
        self, job_id: int, *, states: Sequence[ItemState] = (), limit: int, offset: int = 0
    ) -> list[JobItem]:
        found = [item for item in self.pages.get(job_id, []) if not states or item.state in states]
        return found[offset : offset + limit]

    async def pause(self, job_id: int) -> Job:
        return await self._changed("pause", job_id, JobState.PAUSED)

    async def resume(self, job_id: int) -> Job:
        return await self._changed("resume", job_id, JobState.QUEUED)

    async def collect(self, job_id: int, name: str) -> None:
        self.asked.append(("collect", job_id, name))

    async def cancel(self, job_id: int) -> Job:
        return await self._changed("cancel", job_id, JobState.CANCELLED)

    async def retry(self, job_id: int) -> Job:
        return await self._changed("retry", job_id, JobState.QUEUED)

    async def wait(self, job_id: int, seconds: float) -> Job:
        self.asked.append(("wait", job_id))
        for step in self.steps:
            self.bus.publish(step)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        if self.ending is None:
            await asyncio.sleep(seconds)
        else:
            self.known[job_id] = self.ending
        return self.known[job_id]

    def put(self, of: Job, seconds_left: float | None = None) -> None:
        """Set a job and publish it."""
        self.known[of.id] = of
        self.bus.publish(changed(of, seconds_left))

    def _begin(self, kind: JobKind, target: str) -> Job:
        if self.failure is not None:
            raise self.failure
        number = max(self.known, default=6) + 1
        self.put(job(number, JobState.QUEUED, kind=kind, target=target, counts=JobCounts(waiting=1)))
        return self.known[number]

    async def _changed(self, what: str, job_id: int, state: JobState) -> Job:
        self.asked.append((what, job_id))
        self.put(replace(await self.job(job_id), state=state))
        return self.known[job_id]
