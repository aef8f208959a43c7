from __future__ import annotations

import asyncio
import itertools
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from app.corpus.records import LabelKind
from app.durations import Rate
from app.errors import CorpusBusyError, DiskFullError, InvalidArgumentError, UnknownJobError
from app.events import Event, LabelsChanged
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.pipeline import BrowserPage
from app.ingest.runner.queue import MAX_JOBS_RUNNING
from app.ingest.runner.run import JobProgress
from app.library.job_records import ItemState, Job, JobKind, JobState
from tests.ingest.workshop import Workshop, handbook, open_corpus, page, until, workshop
from tests.support.site import Site

ROOT = Path(__file__).resolve().parents[2]


def crawler(folder: Path, url: str) -> subprocess.Popen[bytes]:
    """Start the crawl in a separate process."""
    return subprocess.Popen([sys.executable, "-m", "tests.ingest.crawler", str(folder), url], cwd=ROOT)


async def progressed(shop: Workshop, job_id: int, done: int) -> None:
    while (await shop.jobs.job(job_id)).counts.done < done:  # noqa: ASYNC110 (the database)
        await asyncio.sleep(0.01)


async def test_a_paused_job_finishes_running_pages_and_can_continue(site: Site, shop: Workshop) -> None:
    job = await shop.jobs.crawl(handbook(site, "/book/", 20, delay=0.03), CrawlOptions())
    await progressed(shop, job.id, 4)
    assert (await shop.jobs.pause(job.id)).state is JobState.PAUSED
    await asyncio.sleep(0.2)
    held = len(site.requests)
    await asyncio.sleep(0.2)
    paused = await shop.jobs.job(job.id)
    assert len(site.requests) == held and paused.state is JobState.PAUSED and 4 <= paused.counts.done < 21
    await shop.jobs.resume(job.id)
    assert (await shop.done(job)).counts.stored == 21


async def test_a_crawl_fills_its_collection_across_a_restart(site: Site, tmp_path: Path) -> None:
    start = handbook(site, "/book/", 20, delay=0.03)
    async with workshop(tmp_path) as shop:
        job = await shop.jobs.crawl(start, CrawlOptions())
        await progressed(shop, job.id, 2)
        shop.jobs.set_paused(True)
        await shop.jobs.collect(job.id, "Books")
        with pytest.raises(InvalidArgumentError):
            await shop.jobs.collect(job.id, " ")
        assert (await shop.jobs.crawl(start, CrawlOptions())).id == job.id, "the job of this site is unchanged"
    async with workshop(tmp_path) as shop:
        told: list[Event] = []
        shop.bus.subscribe(told.append)
        assert (await shop.done(job)).counts.stored == 21
        assert told.count(LabelsChanged()) == 1, "the change of the collection is announced after the restart too"
        assert [(each.name, each.pages) for each in shop.corpus.labels.all()] == [("Books", 21)]


async def test_a_job_that_filled_a_collection_announces_it(site: Site, shop: Workshop) -> None:
    told: list[Event] = []
    shop.bus.subscribe(told.append)
    shop.jobs.set_paused(True)
    job = await shop.jobs.crawl(handbook(site, "/book/", 3), CrawlOptions())
    await shop.jobs.collect(job.id, "Books")
    shop.jobs.set_paused(False)
    await shop.done(job)
    changed = [event for event in told if isinstance(event, LabelsChanged)]
    assert len(changed) == 2 and changed[-1] == LabelsChanged()
    await shop.jobs.collect(job.id, "Others")
    assert len(told[-1].document_ids if isinstance(told[-1], LabelsChanged) else ()) == 4


async def test_new_files_of_a_folder_join_its_collection(shop: Workshop, tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    for name in ("one", "two"):
        (folder / f"{name}.md").write_text(f"# {name}\n\nWhat {name} says.")
    job = await shop.jobs.add_folder(folder)
    await shop.jobs.collect(job.id, "Notes")
    await shop.done(job)
    assert [(each.name, each.pages) for each in shop.corpus.labels.all()] == [("Notes", 2)]
    kept = shop.corpus.documents.get((folder / "one.md").as_uri())
    assert kept is not None
    shop.corpus.labels.remove(LabelKind.COLLECTION, "Notes", [kept.id])
    (folder / "three.md").write_text("# three\n\nWhat three says.")
    again = await shop.jobs.refresh_folder(folder)
    assert again is not None and again.options == "{}"
    await shop.done(again)
    labelled = {each.title for each in shop.corpus.documents.summaries(limit=9) if each.collections}
    assert labelled == {"two", "three"}, "a page removed by the user stays out"
    await shop.jobs.remove_folder(folder)
    anew = await shop.jobs.add_folder(folder)
    await shop.done(anew)
    assert [(each.name, each.pages) for each in shop.corpus.labels.all()] == [("Notes", 0)], (
        "a folder that is added again starts over"
    )


async def test_stale_pages_are_read_again_as_a_job(site: Site, shop: Workshop) -> None:
    names = [f"/stale-{number}.html" for number in range(3)]
    for name in names:
        site.page(name, page(f"Before {name}"), etag=True)
    urls = [site.url(name) for name in names]
    assert (await shop.done(await shop.jobs.read_pages(urls, target="3 pages"))).counts.stored == 3
    route = site.url("/app#/orders")
    await shop.pipeline.store_browser_page(BrowserPage(route, page("Orders").encode(), "digest"))
    site.page(names[0], page("After"), etag=True)
    site.page(names[2], "gone", status=404)
    job = await shop.done(await shop.jobs.read_pages([*urls, route], target="4 pages, again", refresh=True))
    counts = job.counts
    assert (counts.updated, counts.unchanged, counts.failed, counts.skipped) == (1, 1, 1, 1)
    (skipped,) = await shop.jobs.items(job.id, states=[ItemState.SKIPPED], limit=9)
    assert skipped.url == route and "saving it there again" in skipped.reason
    changed = shop.corpus.documents.get(urls[0])
    assert changed is not None and "After" in changed.text
    assert len(shop.urls()) == 4 and not site.count("/app")


async def test_a_job_resumed_while_pages_are_running_continues(site: Site, shop: Workshop) -> None:
    job = await shop.jobs.crawl(handbook(site, "/book/", 10, delay=0.1), CrawlOptions())
    await progressed(shop, job.id, 1)
    await shop.jobs.pause(job.id)
    await shop.jobs.resume(job.id)
    assert (await shop.done(job)).counts.stored == 11


async def test_a_canceled_job_keeps_its_pages_and_can_be_retried(site: Site, shop: Workshop) -> None:
    job = await shop.jobs.crawl(handbook(site, "/book/", 20, delay=0.03), CrawlOptions())
    await progressed(shop, job.id, 4)
    assert (await shop.jobs.cancel(job.id)).state is JobState.CANCELLED
    assert 4 <= len(shop.urls()) < 21
    with pytest.raises(UnknownJobError, match="ended"):
        await shop.jobs.pause(job.id)
    await shop.jobs.retry(job.id)
    assert (await shop.done(job)).counts.stored == 21


async def test_failed_pages_are_tried_again(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "weak.html"))
    site.page("/weak.html", "<p>Sorry</p>", status=403)
    job = await shop.crawl(site.url("/index.html"))
    assert job.counts.failed == 1
    site.page("/weak.html", page("Strong"))
    again = await shop.done(await shop.jobs.retry(job.id))
    assert (again.counts.failed, again.counts.stored) == (0, 2) and site.count("/index.html") == 1
    with pytest.raises(UnknownJobError, match="failed"):
        await shop.jobs.retry(job.id)


async def test_paused_jobs_stay_paused_over_a_restart_and_queued_ones_begin(site: Site, tmp_path: Path) -> None:
    starts = [handbook(site, f"/book-{number}/", 6, delay=0.05) for number in range(4)]
    async with workshop(tmp_path) as first:
        jobs = [await first.jobs.crawl(start, CrawlOptions()) for start in starts]
        await first.jobs.pause(jobs[0].id)
        states = [(await first.jobs.job(job.id)).state for job in jobs]
        assert states == [JobState.PAUSED, JobState.RUNNING, JobState.QUEUED, JobState.QUEUED]
    async with workshop(tmp_path) as second:
        for job in jobs[1:]:
            assert (await second.done(job)).counts.stored == 7
        assert (await second.jobs.job(jobs[0].id)).state is JobState.PAUSED
        await second.jobs.resume(jobs[0].id)
        assert (await second.done(jobs[0])).counts.stored == 7


async def test_no_job_begins_after_the_stop(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.runner.queue.MAX_JOBS_RUNNING", 1)
    monkeypatch.setattr("app.ingest.runner.queue.MAX_FOLDER_JOBS_RUNNING", 0)
    starts = [handbook(site, f"/book-{number}/", 2) for number in range(2)]
    async with workshop(tmp_path) as shop:
        known, asked, stopping = shop.corpus.jobs.recent, asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def held(*args: int, **options: bool) -> object:
            first = shop.corpus.jobs.get(jobs[0].id)
            if first is not None and first.state.is_final:
                loop.call_soon_threadsafe(asked.set)
                assert stopping.wait(20)
            return known(*args, **options)

        jobs = [await shop.jobs.crawl(start, CrawlOptions()) for start in starts]
        monkeypatch.setattr(shop.corpus.jobs, "recent", held)
        await asyncio.wait_for(asked.wait(), 20)
        stop = asyncio.create_task(shop.jobs.stop())
        await asyncio.sleep(0)
        stopping.set()
        await stop
        left = [task for task in asyncio.all_tasks() if task.get_name().startswith("job ")]
        assert not left
    assert not site.count("/book-1/chapter-1.html")
    async with workshop(tmp_path) as again:
        assert (await again.done(jobs[1])).counts.stored == 3


async def test_without_background_only_requested_jobs_run(site: Site, tmp_path: Path) -> None:
    starts = [handbook(site, f"/book-{number}/", 2) for number in range(3)]
    async with workshop(tmp_path, start=False) as shop:
        jobs = [await shop.jobs.crawl(start, CrawlOptions()) for start in starts]
        shop.corpus.jobs.set_state(jobs[0].id, JobState.RUNNING)
    async with workshop(tmp_path, start=False) as shop:
        await shop.jobs.start(background=False)
        await asyncio.sleep(0.1)
        assert not site.requests
        assert (await shop.done(jobs[1])).counts.stored == 3
        assert {seen.path.split("/")[1] for seen in site.requests} <= {
            "book-1",
            "robots.txt",
            "sitemap.xml",
            "llms.txt",
        }
        states = [(await shop.jobs.job(job.id)).state for job in jobs]
        assert states == [JobState.QUEUED, JobState.DONE, JobState.QUEUED]


async def test_listed_pages_ignore_robots_txt(site: Site, shop: Workshop) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain")
    site.page("/a.html", page("Start", "b.html"))
    site.page("/b.html", page("Hidden", head='<meta name="robots" content="noindex">'))
    urls = [site.url("/a.html"), site.url("/b.html")]
    job = await shop.done(await shop.jobs.read_pages(urls, target="2 pages"))
    assert job.counts.stored == 2 and not site.count("/robots.txt")
    assert (await shop.crawl(urls[0])).state is JobState.FAILED and site.count("/robots.txt") == 1


async def test_a_few_jobs_run_at_the_same_time_and_too_many_are_rejected(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.runner.queue.MAX_JOBS_QUEUED", 4)
    starts = [handbook(site, f"/book-{number}/", 4, delay=0.05) for number in range(5)]
    jobs = [await shop.jobs.crawl(start, CrawlOptions()) for start in starts[:4]]
    with pytest.raises(InvalidArgumentError, match=r"background jobs are waiting \(4\)"):
        await shop.jobs.crawl(starts[4], CrawlOptions())
    states = [(await shop.jobs.job(job.id)).state for job in jobs]
    assert states.count(JobState.RUNNING) == MAX_JOBS_RUNNING and states.count(JobState.QUEUED) == 2
    for job in jobs:
        await shop.done(job)


async def test_a_folder_is_read_while_crawls_wait_for_their_sites(
    site: Site, shop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.runner.run.JOB_EVENT_SECONDS", 0.02)
    crawls = []
    for number in range(MAX_JOBS_RUNNING):
        site.page(f"/busy-{number}/", "<p>Later</p>", status=429)
        crawls.append(await shop.jobs.crawl(site.url(f"/busy-{number}/"), CrawlOptions()))
    words = "waiting because 127.0.0.1 asked for fewer requests"
    await until(lambda: all(words in [change.detail for change in shop.changes(job)] for job in crawls))
    assert (await shop.jobs.job(crawls[0].id)).detail == words
    assert [job.detail for job in await shop.jobs.jobs(10)] == [words, words]
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# A\n\nThe pump is checked every spring before the water is turned on.")
    folder = await shop.done(await shop.jobs.add_folder(tmp_path / "notes"))
    assert folder.state is JobState.DONE and folder.counts.stored == 1
    for job in crawls:
        assert (await shop.jobs.cancel(job.id)).detail == ""


async def test_a_continuing_job_does_not_report_waiting(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.runner.run.SLOWDOWN_SECONDS", 0.1)
    monkeypatch.setattr("app.ingest.runner.run.JOB_EVENT_SECONDS", 0.02)
    start = handbook(site, "/book/", 6, delay=0.1)
    site.fails("/book/chapter-0.html", 1, 429, page("Chapter 0"))
    job = await shop.crawl(start)
    details = [change.detail for change in shop.changes(job) if change.state == "running"]
    assert any("fewer requests" in detail for detail in details) and details[-1] == "" and job.detail == ""


async def test_the_same_crawl_is_not_started_twice(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 6, delay=0.05)
    first = await shop.jobs.crawl(start, CrawlOptions())
    assert (await shop.jobs.crawl(start, CrawlOptions())).id == first.id
    assert (await shop.jobs.crawl(start, CrawlOptions(CrawlScope.HOST))).id != first.id


async def test_pausing_the_application_holds_back_every_job(site: Site, shop: Workshop) -> None:
    shop.jobs.set_paused(True)
    job = await shop.jobs.crawl(handbook(site, "/book/", 4), CrawlOptions())
    assert not (await shop.jobs.wait(job.id, 0.2)).state.is_final and not site.requests
    shop.jobs.set_paused(False)
    assert (await shop.done(job)).counts.stored == 5


async def test_waiting_ends_with_the_time_or_with_the_job(site: Site, shop: Workshop) -> None:
    job = await shop.jobs.crawl(handbook(site, "/book/", 6, delay=0.1), CrawlOptions())
    assert (await shop.jobs.wait(job.id, 0.05)).state is JobState.RUNNING
    waiting = asyncio.create_task(shop.jobs.wait(job.id, 20))
    await asyncio.sleep(0)
    await shop.jobs.cancel(job.id)
    assert (await asyncio.wait_for(waiting, 30)).state is JobState.CANCELLED


async def test_jobs_that_do_not_exist_are_named(shop: Workshop) -> None:
    for call in (shop.jobs.job, shop.jobs.pause, shop.jobs.resume, shop.jobs.cancel, shop.jobs.retry):
        with pytest.raises(UnknownJobError, match="77"):
            await call(77)
    with pytest.raises(UnknownJobError):
        await shop.jobs.items(77, limit=1)


async def test_progress_events_are_limited(site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.runner.run.JOB_EVENT_SECONDS", 0.1)
    job = await shop.crawl(handbook(site, "/book/", 40, delay=0.02))
    changes = shop.changes(job)
    assert changes[0].state == "queued" and changes[-1].state == "done" and changes[-1].done == 41
    assert len(changes) <= 5 + (job.finished_at or 0) - job.created_at + 10 * ((job.finished_at or 0) - job.created_at)
    running = [change for change in changes if change.state == "running"]
    assert len(running) >= 3 and running[0].seconds_left is None
    assert all(before.done <= after.done for before, after in itertools.pairwise(changes))


async def test_progress_goes_on_after_a_failed_read(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ingest.runner.run.JOB_EVENT_SECONDS", 0.01)
    job, real, asked = shop.corpus.jobs.add(JobKind.PAGES, "list", "{}"), shop.corpus.jobs.get, list[int]()

    def busy_at_first(job_id: int) -> Job | None:
        asked.append(job_id)
        if len(asked) == 1:
            raise CorpusBusyError("busy")
        return real(job_id)

    monkeypatch.setattr(shop.corpus.jobs, "get", busy_at_first)
    gate = asyncio.Event()
    async with JobProgress(job.id, shop.corpus, shop.bus, gate) as progress:
        await until(lambda: bool(asked))
        progress.changed()
        await until(lambda: bool(shop.changes(job)))


def test_the_time_left_follows_the_latest_minute() -> None:
    rate = Rate()
    rate.note(0, 100, 0.0)
    assert rate.seconds_left(0.0) is None
    rate.note(1, 99, 2.0)
    assert rate.seconds_left(2.0) is None
    rate.note(10, 90, 10.0)
    assert rate.seconds_left(10.0) == 90.0
    for second in range(11, 100):
        rate.note(10 + 2 * (second - 10), 100, float(second))
    left = rate.seconds_left(99.0)
    assert left is not None and 45 < left < 60
    later = rate.seconds_left(120.0)
    assert later is not None and later > left


def test_progress_before_a_pause_or_retry_does_not_count() -> None:
    rate = Rate()
    for second in range(10):
        rate.note(second, 100, float(second))
    assert rate.seconds_left(9.0) == 100
    assert rate.seconds_left(3_600.0) is None
    rate.note(10, 90, 3_600.0)
    assert rate.seconds_left(3_602.0) is None
    for second in range(1, 6):
        rate.note(10 + second, 80, 3_600.0 + second)
    assert rate.seconds_left(3_605.0) == 80
    rate.note(2, 93, 3_606.0)
    assert rate.seconds_left(3_607.0) is None


async def test_the_time_left_is_reported_and_restarts_after_a_pause(site: Site, shop: Workshop) -> None:
    job = await shop.jobs.crawl(handbook(site, "/book/", 60, delay=0.1), CrawlOptions())
    assert shop.jobs.seconds_left(job.id) is None
    await until(lambda: shop.jobs.seconds_left(job.id) is not None)
    shop.jobs.set_paused(True)
    assert shop.jobs.seconds_left(job.id) is None
    shop.jobs.set_paused(False)
    assert shop.jobs.seconds_left(job.id) is None
    await until(lambda: shop.jobs.seconds_left(job.id) is not None)
    await shop.jobs.pause(job.id)
    assert shop.jobs.seconds_left(job.id) is None and shop.jobs.seconds_left(77) is None
    assert [change.seconds_left for change in shop.changes(job)][-1] is None
    await shop.jobs.cancel(job.id)


async def test_items_are_listed_by_state(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "gone.html", "a.html"))
    site.page("/a.html", page("A"))
    job = await shop.crawl(site.url("/index.html"))
    failed = await shop.jobs.items(job.id, states=(ItemState.FAILED,), limit=10)
    assert [item.url for item in failed] == [site.url("/gone.html")]
    assert len(await shop.jobs.items(job.id, limit=2, offset=2)) == 1


async def test_an_internal_failure_affects_one_page(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = handbook(site, "/book/", 6)
    pipeline = shop.jobs._pipeline
    ingest = pipeline.ingest

    async def broken(url: str, **options: bool) -> object:
        if url.endswith("chapter-1.html"):
            raise ZeroDivisionError
        return await ingest(url, **options)

    monkeypatch.setattr(pipeline, "ingest", broken)
    job = await shop.crawl(start)
    assert job.state is JobState.DONE and (job.counts.stored, job.counts.failed) == (5, 1)
    assert "Internal error" in (await shop.items(job))[site.url("/book/chapter-1.html")].reason


@pytest.mark.parametrize("at_the_end", [False, True])
async def test_a_crawl_on_a_full_disk_continues_when_there_is_space(
    at_the_end: bool, site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pipeline, jobs, is_full = shop.jobs._pipeline, shop.corpus.jobs, True
    ingest, set_state = pipeline.ingest, jobs.set_state

    def check_room() -> None:
        if is_full:
            raise DiskFullError("The disk is full.")

    async def store(url: str, **options: Any) -> object:
        if url.endswith("chapter-2.html") and not at_the_end:
            check_room()
        return await ingest(url, **options)

    def end(job_id: int, state: JobState, detail: str = "") -> object:
        if state.is_final:
            check_room()
        return set_state(job_id, state, detail)

    monkeypatch.setattr(pipeline, "ingest", store)
    monkeypatch.setattr(jobs, "set_state", end)
    job = await shop.jobs.crawl(handbook(site, "/book/", 6), CrawlOptions())
    await until(lambda: not shop.jobs._runs)
    assert not (await shop.jobs.job(job.id)).state.is_final
    assert [record.levelname for record in caplog.records if "continues later" in record.message] == ["WARNING"]
    assert not [record for record in caplog.records if record.exc_info]
    is_full = False
    await shop.jobs.take_up_left_ones()
    assert (await shop.done(job)).counts.stored == 7


@pytest.mark.real
@pytest.mark.skipif(sys.platform == "win32", reason="kill -9")
async def test_a_crawl_survives_being_killed_twice(site: Site, tmp_path: Path) -> None:
    start = handbook(site, "/book/", 40, delay=0.02)
    for least in (8, 24):
        process = crawler(tmp_path, start)
        try:
            await until(lambda least=least: len({seen.path for seen in site.requests}) >= least, 30)  # type: ignore[misc]
        finally:
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    corpus = open_corpus(tmp_path)
    assert not corpus.verify() and 5 < corpus.totals().documents < 41
    corpus.close()
    async with workshop(tmp_path) as shop:
        (job,) = await shop.jobs.jobs(10)
        ended = await shop.done(job)
        assert ended.state is JobState.DONE and ended.counts.stored == ended.counts.total == 41
        assert len(shop.urls()) == 41 and not shop.corpus.verify()
    twice = [seen.path for seen in site.requests if seen.path.startswith("/book/chapter")]
    assert len(twice) <= 40 + 2 * 2


async def test_two_lists_from_one_source_are_two_jobs(site: Site, shop: Workshop) -> None:
    shop.jobs.set_paused(True)
    site.page("/a.html", page("A"))
    site.page("/b.html", page("B"))
    jobs = [await shop.jobs.read_pages([site.url(path)], target="bookmarks.html") for path in ("/a.html", "/b.html")]
    shop.jobs.set_paused(False)
    for job in jobs:
        assert (await shop.done(job)).counts.stored == 1
    assert len(shop.urls()) == 2


async def test_a_list_lost_before_saving_is_reported(site: Site, tmp_path: Path) -> None:
    corpus = open_corpus(tmp_path)
    job = corpus.jobs.add(JobKind.PAGES, "bookmarks.html", "{}")
    corpus.close()
    async with workshop(tmp_path) as shop:
        ended = await shop.done(job)
        assert ended.state is JobState.FAILED and "import" in ended.detail.lower()
