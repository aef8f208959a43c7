from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.errors import InvalidArgumentError, InvalidURLError
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.pipeline import IngestPipeline
from app.library.job_records import ItemState, JobState
from tests.ingest.workshop import Workshop, handbook, page, workshop
from tests.support.site import Exchange, Site

HOST, SUBPAGES, PAGE = CrawlScope.HOST, CrawlScope.SUBPAGES, CrawlScope.PAGE


def paths(shop: Workshop) -> set[str]:
    return {urlsplit(url).path for url in shop.urls()}


def reached(site: Site, prefix: str = "/") -> list[str]:
    return [seen.path for seen in site.requests if seen.path.startswith(prefix)]


@pytest.fixture
def tree(site: Site) -> Site:
    """/docs/guide/ with two levels, a neighboring folder, the root, and another port."""
    site.page("/", page("Root", "/docs/guide/index.html", "/blog.html"))
    site.page("/docs/guide/index.html", page("Guide", "a.html", "sub/b.html", "/docs/other.html", "/blog.html"))
    site.page("/docs/guide/a.html", page("A", "deep.html", "http://127.0.0.1:9/docs/guide/x.html", "logo.png"))
    site.page("/docs/guide/deep.html", page("Deep", "deeper.html"))
    site.page("/docs/guide/deeper.html", page("Deeper"))
    site.page("/docs/guide/sub/b.html", page("B", "../a.html#part"))
    site.page("/docs/other.html", page("Other"))
    site.page("/blog.html", page("Blog"))
    return site


async def test_subpages_stay_below_the_folder(tree: Site, shop: Workshop) -> None:
    job = await shop.crawl(tree.url("/docs/guide/index.html"))
    expected = {"index.html", "a.html", "deep.html", "deeper.html", "sub/b.html"}
    assert paths(shop) == {f"/docs/guide/{name}" for name in expected}
    assert job.state is JobState.DONE and job.counts.stored == job.counts.total == 5
    assert not tree.count("/docs/other.html") and not tree.count("/docs/guide/logo.png")


async def test_a_crawl_reads_the_whole_host(tree: Site, shop: Workshop) -> None:
    await shop.crawl(tree.url("/docs/guide/index.html"), HOST)
    assert {"/blog.html", "/docs/other.html", "/docs/guide/deeper.html"} <= paths(shop)


async def test_excluded_folders_are_not_requested(tree: Site, shop: Workshop) -> None:
    start = tree.url("/docs/guide/index.html")
    job = await shop.jobs.crawl(start, CrawlOptions(HOST, left_out=("/docs/guide/sub/", "/docs/guide/")))
    await shop.jobs.wait(job.id, 30)
    assert paths(shop) == {"/docs/guide/index.html", "/docs/other.html", "/blog.html"}
    assert not tree.count("/docs/guide/sub/b.html")


async def test_a_page_is_read_with_its_linked_pages(tree: Site, shop: Workshop) -> None:
    await shop.crawl(tree.url("/docs/guide/index.html"), PAGE)
    linked = {"/docs/guide/a.html", "/docs/guide/sub/b.html", "/docs/other.html", "/blog.html"}
    assert paths(shop) == {"/docs/guide/index.html", *linked}


async def test_depth_counts_links_from_the_start(tree: Site, shop: Workshop) -> None:
    await shop.crawl(tree.url("/docs/guide/index.html"), depth=1)
    assert "/docs/guide/a.html" in paths(shop) and "/docs/guide/deep.html" not in paths(shop)
    await shop.crawl(tree.url("/"), HOST, depth=0)
    assert "/blog.html" not in paths(shop)


async def test_the_page_limit_applies_and_is_reported(site: Site, shop: Workshop) -> None:
    job = await shop.crawl(handbook(site, "/book/", 30), pages=7)
    assert job.counts.total == job.counts.stored == 7 == len(shop.urls())
    assert "limit of 7 pages" in job.detail


async def test_pages_near_the_start_come_first(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "a.html", "b.html"))
    site.page("/a.html", page("A", "far.html"))
    site.page("/b.html", page("B"))
    site.page("/far.html", page("Far"))
    job = await shop.crawl(site.url("/index.html"))
    items = await shop.jobs.items(job.id, limit=10)
    assert [(urlsplit(item.url).path, item.depth) for item in items] == [
        ("/index.html", 0),
        ("/a.html", 1),
        ("/b.html", 1),
        ("/far.html", 2),
    ]


async def test_the_second_crawl_sends_conditional_requests_without_embedding(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 12)
    first = await shop.crawl(start)
    shop.embed_everything()
    site.requests.clear()
    second = await shop.crawl(start)
    assert first.counts.stored == second.counts.unchanged == second.counts.total == 13
    asked = [seen for seen in site.requests if seen.path.startswith("/book/") and seen.path.endswith("html")]
    assert len(asked) == 13 and all("if-none-match" in seen.headers for seen in asked)
    assert shop.corpus.vectors.count_waiting() == 0


async def test_a_changed_page_is_updated_and_its_new_links_are_followed(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 4)
    await shop.crawl(start)
    site.page("/book/chapter-1.html", page("Chapter 1, second edition", "/book/new.html"), etag=True)
    site.page("/book/new.html", page("New"))
    job = await shop.crawl(start)
    assert (job.counts.updated, job.counts.stored, job.counts.unchanged) == (1, 1, 4)


async def test_stored_pages_that_nothing_links_to_are_asked_again(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 4)
    site.page("/book/alone.html", page("Alone"), etag=True)
    await shop.crawl(site.url("/book/alone.html"), depth=0)
    job = await shop.crawl(start)
    assert job.counts.unchanged == 1 and site.url("/book/alone.html") in await shop.items(job)


async def test_found_pages_come_before_stored_ones_within_the_limit(site: Site, shop: Workshop) -> None:
    old = [f"/book/a-old-{number}.html" for number in range(6)]
    for path in old:
        site.page(path, page(path), etag=True)
    listing = await shop.jobs.read_pages([site.url(path) for path in old], target="old pages")
    await shop.done(listing)
    start = handbook(site, "/book/", 8)
    job = await shop.crawl(start, pages=9)
    assert job.counts.stored == job.counts.total == 9 and not job.counts.unchanged
    wider = await shop.crawl(start, pages=11)
    assert wider.counts.unchanged == wider.counts.total == 11
    assert sum("a-old" in url for url in await shop.items(wider)) == 2


async def test_stored_pages_are_followed_only_to_the_depth(site: Site, shop: Workshop) -> None:
    site.page("/book/alone.html", page("Alone", "far.html"))
    site.page("/book/far.html", page("Far"))
    await shop.crawl(site.url("/book/alone.html"), depth=0)
    site.page("/book/index.html", page("Start"))
    job = await shop.crawl(site.url("/book/index.html"), depth=2)
    assert {urlsplit(url).path for url in await shop.items(job)} == {"/book/index.html", "/book/alone.html"}


@pytest.mark.parametrize(("status", "words"), [(404, "404"), (403, "403")])
async def test_stored_pages_do_not_hide_a_start_page_that_cannot_be_read(
    site: Site, shop: Workshop, status: int, words: str
) -> None:
    site.page("/book/alone.html", page("Alone"))
    await shop.crawl(site.url("/book/alone.html"), depth=0)
    site.page("/book/gone.html", "<p>No</p>", status=status)
    job = await shop.crawl(site.url("/book/gone.html"))
    assert job.state is JobState.FAILED and words in job.detail and job.counts.total == 1


async def test_a_crawl_obeys_robots_txt(tree: Site, shop: Workshop) -> None:
    tree.page("/robots.txt", "User-agent: *\nDisallow: /docs/guide/a", content_type="text/plain")
    job = await shop.crawl(tree.url("/docs/guide/index.html"))
    assert not tree.count("/docs/guide/a.html") and "/docs/guide/sub/b.html" in paths(shop)
    assert "robots.txt" in job.detail and job.state is JobState.DONE


async def test_a_start_page_disallowed_by_robots_txt_fails_with_the_reason(tree: Site, shop: Workshop) -> None:
    tree.page("/robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain")
    job = await shop.crawl(tree.url("/docs/guide/index.html"))
    assert job.state is JobState.FAILED and "robots.txt" in job.detail and not shop.urls()


async def test_a_noindex_page_is_not_stored_but_its_links_are_followed(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "hidden.html"))
    site.page("/hidden.html", page("Hidden", "open.html", head='<meta name="robots" content="noindex">'))
    site.page("/open.html", page("Open"))
    job = await shop.crawl(site.url("/index.html"))
    assert paths(shop) == {"/index.html", "/open.html"}
    assert (await shop.items(job))[site.url("/hidden.html")].state is ItemState.SKIPPED


async def test_the_pages_of_a_frameset_are_crawled(site: Site, shop: Workshop) -> None:
    frames = '<frameset cols="20%,*"><frame src="menu.html"><frame src="main.html" name="main"></frameset>'
    site.page("/index.html", f"<html><head><title>Manual</title></head>{frames}</html>")
    site.page("/menu.html", page("Menu", "chapter.html"))
    for name in ("main", "chapter"):
        site.page(f"/{name}.html", page(name))
    job = await shop.crawl(site.url("/index.html"))
    assert job.state is JobState.DONE
    assert paths(shop) == {"/menu.html", "/main.html", "/chapter.html"}


async def test_links_of_a_nofollow_page_are_not_followed(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "list.html"))
    site.page("/list.html", page("List", "unwanted.html", head='<meta name="robots" content="nofollow">'))
    site.page("/unwanted.html", page("Unwanted"))
    await shop.crawl(site.url("/index.html"))
    assert paths(shop) == {"/index.html", "/list.html"} and not site.count("/unwanted.html")


async def test_a_redirect_out_of_the_scope_is_skipped_and_not_kept(site: Site, shop: Workshop) -> None:
    site.page("/docs/index.html", page("Start", "moved.html", "out.html"))
    site.page("/docs/new.html", page("New"))
    site.page("/elsewhere.html", page("Elsewhere"))
    site.redirect("/docs/moved.html", "/docs/new.html")
    site.redirect("/docs/out.html", "/elsewhere.html")
    job = await shop.crawl(site.url("/docs/index.html"))
    assert paths(shop) == {"/docs/index.html", "/docs/new.html"}
    skipped = (await shop.items(job))[site.url("/docs/out.html")]
    assert skipped.state is ItemState.SKIPPED and site.url("/elsewhere.html") in skipped.reason


async def test_a_stored_page_survives_a_redirect_to_it(site: Site, shop: Workshop) -> None:
    site.page("/docs/index.html", page("Start", "out.html"))
    site.page("/elsewhere.html", page("Elsewhere"))
    site.redirect("/docs/out.html", "/elsewhere.html")
    await shop.crawl(site.url("/elsewhere.html"), depth=0)
    await shop.crawl(site.url("/docs/index.html"))
    assert "/elsewhere.html" in paths(shop)


async def test_the_scope_follows_a_start_page_that_moved(site: Site, shop: Workshop) -> None:
    site.redirect("/manual", "/manual/v2/index.html")
    site.page("/manual/v2/index.html", page("Manual", "a.html", "/manual/v1/old.html"))
    site.page("/manual/v2/a.html", page("A"))
    site.page("/manual/v1/old.html", page("Old"))
    await shop.crawl(site.url("/manual"))
    assert paths(shop) == {"/manual/v2/index.html", "/manual/v2/a.html"}


async def test_one_page_under_two_addresses_is_counted_once(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "old.html", "new.html", "./", "index.html?"))
    site.page("/new.html", page("New"))
    site.redirect("/old.html", "/new.html")
    job = await shop.crawl(site.url("/index.html"))
    assert job.counts.stored == 2 == len(shop.urls()) and job.counts.total == 3


async def test_a_page_counts_as_stored_when_the_other_reading_ends_first(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    site.page("/index.html", page("Start", "old.html", "new.html"))
    site.page("/new.html", page("New"))
    site.redirect("/old.html", "/new.html")
    ingest, both, other = IngestPipeline.ingest, asyncio.Barrier(2), asyncio.Event()

    async def ingest_in_turn(pipeline: IngestPipeline, url: str, **options: Any) -> IngestOutcome:
        is_start = url.endswith("/index.html")
        if not is_start:
            await both.wait()
        outcome = await ingest(pipeline, url, **options)
        if not is_start and outcome.change is Change.STORED:
            await other.wait()
        elif not is_start:
            other.set()
        return outcome

    monkeypatch.setattr(IngestPipeline, "ingest", ingest_in_turn)
    job = await shop.crawl(site.url("/index.html"))
    assert job.counts.stored == 2 and job.counts.total == 3


async def test_the_sitemap_adds_unlinked_pages(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    site.page("/book/alone.html", page("Alone", "further.html"))
    site.page("/book/further.html", page("Further"))
    listed = [site.url(path) for path in ("/book/alone.html", "/book/photo.jpg", "/other/page.html")]
    entries = "".join(f"<url><loc>{url}</loc></url>" for url in listed)
    xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    site.page("/maps/main.xml", xml, content_type="application/xml")
    site.page("/robots.txt", f"Sitemap: {site.url('/maps/main.xml')}", content_type="text/plain")
    job = await shop.crawl(start, depth=2)
    assert {"/book/alone.html", "/book/further.html"} <= paths(shop)
    assert {item.depth for url, item in (await shop.items(job)).items() if url.endswith("alone.html")} == {1}
    assert not site.count("/book/photo.jpg") and not site.count("/other/page.html")


async def test_a_crawl_can_start_at_a_feed(site: Site, shop: Workshop) -> None:
    items = "".join(f"<item><link>{site.url(f'/news/{name}')}</link></item>" for name in ("a", "b"))
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel>{items}</channel></rss>'
    site.page("/news/feed.xml", feed, content_type="application/rss+xml")
    site.page("/news/a", page("A"))
    site.page("/news/b", page("B"))
    job = await shop.crawl(site.url("/news/feed.xml"))
    assert {"/news/a", "/news/b"} <= paths(shop) and job.state is JobState.DONE


async def test_pages_listed_by_a_feed_in_a_separate_folder_are_read(site: Site, tmp_path: Path) -> None:
    names = [f"/2026/post-{number}" for number in range(4)]
    items = "".join(f"<item><link>{site.url(name)}</link></item>" for name in (*names, "/archive.zip"))
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel>{items}<item><link>https://a.test/x</link></item></channel></rss>'
    site.page("/feeds/all.xml", feed, content_type="application/rss+xml")
    for name in names:
        site.page(name, page(name, "/2026/deeper"), delay=0.05)
    site.page("/2026/deeper", page("Deeper"))
    async with workshop(tmp_path) as shop:
        preview = await shop.jobs.preview(site.url("/feeds/all.xml"), CrawlOptions())
        assert preview.urls == tuple(map(site.url, ("/feeds/all.xml", *names))) and preview.sources == ("feed",)
        job = await shop.jobs.crawl(site.url("/feeds/all.xml"), CrawlOptions())
        while (await shop.jobs.job(job.id)).counts.done < 2:  # noqa: ASYNC110 (the database)
            await asyncio.sleep(0.01)
    async with workshop(tmp_path) as shop:
        ended = await shop.done(job)
        assert ended.state is JobState.DONE and paths(shop) == {"/feeds/all.xml", *names}, (
            "over a restart, and no further"
        )


async def test_a_crawl_can_start_at_a_sitemap(site: Site, shop: Workshop) -> None:
    entries = "".join(f"<url><loc>{site.url(f'/news/{name}')}</loc></url>" for name in ("a", "b"))
    site.page(
        "/news/all.xml",
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>',
        content_type="text/xml",
    )
    site.page("/news/a", page("A"))
    site.page("/news/b", page("B"))
    job = await shop.crawl(site.url("/news/all.xml"))
    assert paths(shop) == {"/news/a", "/news/b"} and job.state is JobState.DONE


async def test_dead_links_do_not_end_a_crawl(site: Site, shop: Workshop) -> None:
    dead = [f"dead-{number}.html" for number in range(20)]
    start = handbook(site, "/book/", 12)
    site.page("/book/index.html", page("Handbook", *dead, *(f"chapter-{number}.html" for number in range(12))))
    job = await shop.crawl(start)
    assert job.state is JobState.DONE and (job.counts.failed, job.counts.stored) == (20, 13)
    assert "404" in (await shop.items(job))[site.url("/book/dead-3.html")].reason


async def test_a_crawl_stops_with_a_reason_if_most_pages_fail(site: Site, shop: Workshop) -> None:
    broken = [f"broken-{number}.html" for number in range(60)]
    site.page("/index.html", page("Start", *broken))
    for name in broken:
        site.page(f"/{name}", "<p>Sorry</p>", status=403)
    job = await shop.crawl(site.url("/index.html"))
    assert job.state is JobState.FAILED and job.counts.failed < 20 and job.counts.waiting > 30
    assert "pages failed" in job.detail and "Sign-in or payment required" in job.detail


async def test_a_missing_start_page_fails_unless_the_site_lists_others(site: Site, shop: Workshop) -> None:
    job = await shop.crawl(site.url("/docs/"))
    assert job.state is JobState.FAILED and "404" in job.detail
    handbook(site, "/docs/", 3)
    site.page("/llms.txt", "# Docs\n- [One](/docs/chapter-1.html)\n", content_type="text/plain")
    job = await shop.crawl(site.url("/docs/"), depth=1)
    assert job.state is JobState.DONE and paths(shop) == {"/docs/chapter-1.html"}


async def test_unsupported_content_is_skipped(site: Site, shop: Workshop) -> None:
    site.page("/index.html", page("Start", "picture"))
    site.page("/picture", b"\x89PNG\r\n\x1a\n" + bytes(100), content_type="image/png")
    job = await shop.crawl(site.url("/index.html"))
    assert (await shop.items(job))[site.url("/picture")].state is ItemState.SKIPPED and job.state is JobState.DONE


async def test_endless_queries_and_paths_are_limited(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.crawling.frontier.MAX_QUERIES_PER_PATH", 5)

    def calendar(exchange: Exchange) -> None:
        day = int(exchange.request.path.partition("day=")[2] or 0)
        links = (
            f"/calendar?day={day + 1}",
            f"/calendar?day={day + 2}&order=up",
            exchange.request.path.split("?")[0] + "/loop/",
        )
        exchange.send(page(f"Day {day}", *links).encode())

    site.page("/index.html", page("Start", "/calendar"))
    for depth in range(8):
        site.on("/calendar" + "/loop" * depth, calendar)
        site.on("/calendar" + "/loop" * depth + "/", calendar)
    job = await shop.crawl(site.url("/index.html"), depth=20, pages=1000)
    assert job.state is JobState.DONE and job.counts.total < 40
    assert sum(urlsplit(url).path == "/calendar" for url in shop.urls()) <= 6


async def test_a_crawl_waits_for_a_site_that_asks_for_fewer_requests(
    site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.ingest.runner.run.SLOWDOWN_SECONDS", 0.1)
    site.page("/index.html", page("Start", "busy.html"))
    site.fails("/busy.html", 2, 429, page("Busy"))
    job = await shop.crawl(site.url("/index.html"))
    assert job.counts.stored == 2 and site.count("/busy.html") == 3


async def test_invalid_starts_and_limits_are_rejected_immediately(shop: Workshop, site: Site) -> None:
    with pytest.raises(InvalidURLError):
        await shop.jobs.crawl("ftp://example.org/", CrawlOptions())
    for options in (CrawlOptions(max_pages=0), CrawlOptions(max_pages=10**6), CrawlOptions(max_depth=-1)):
        with pytest.raises(InvalidArgumentError):
            await shop.jobs.crawl(site.url("/"), options)
    assert not await shop.jobs.jobs(10)


async def test_a_blocked_address_fails_with_a_hint(shop: Workshop) -> None:
    job = await shop.crawl("http://169.254.169.254/latest/")
    assert job.state is JobState.FAILED and "cloud metadata service. WebRAG never reads such addresses" in job.detail


async def test_a_list_of_pages_reads_each_once_whatever_fails(site: Site, shop: Workshop) -> None:
    site.page("/a.html", page("A", "b.html"))
    site.page("/b.html", page("B"))
    urls = [site.url("/a.html"), site.url("/a.html#part"), site.url("/gone.html"), "javascript:alert(1)"]
    job = await shop.done(await shop.jobs.read_pages(urls, target="bookmarks.html"))
    assert paths(shop) == {"/a.html"} and job.state is JobState.DONE and job.target == "bookmarks.html"
    assert (job.counts.stored, job.counts.failed, job.counts.skipped) == (1, 1, 1)


async def test_a_crawl_continues_after_a_restart(site: Site, tmp_path: Path) -> None:
    start = handbook(site, "/book/", 20, delay=0.05)
    async with workshop(tmp_path) as first:
        job = await first.jobs.crawl(start, CrawlOptions())
        while not (await first.jobs.job(job.id)).counts.done:
            await first.jobs.wait(job.id, 0.1)
    async with workshop(tmp_path, start=False) as idle:
        left = await idle.jobs.job(job.id)
        assert left.state is JobState.RUNNING and 0 < left.counts.done < 21
    async with workshop(tmp_path) as second:
        ended = await second.done(left)
        assert ended.counts.stored == 21 == len(second.urls()) and not ended.counts.failed


async def test_pages_that_were_stored_while_the_clock_was_ahead_are_read_again(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/handbook/", 3)
    await shop.crawl(start)
    for row in shop.corpus.documents.summaries(limit=99):
        shop.corpus.documents.touch(row.id, last_crawled=time.time() + 365 * 86_400)
    before = len(site.requests)
    job = await shop.crawl(start)
    assert job.counts.total == job.counts.unchanged == 4
    assert len(site.requests) >= before + 4
    assert all(row.last_crawled < time.time() + 86_400 for row in shop.corpus.documents.summaries(limit=99))
