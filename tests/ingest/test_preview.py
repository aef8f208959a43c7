from __future__ import annotations

import asyncio

import pytest

from app import caps
from app.errors import FetchError, InvalidArgumentError
from app.extract.pdf import document
from app.ingest.crawling.options import CrawlOptions, CrawlPreview, CrawlScope, options_from_json, options_to_json
from app.ingest.crawling.preview import MAX_PREVIEW_PAGES, preview_crawl
from app.ingest.preparation import PREPARE_APART_BYTES
from tests.ingest.workshop import SENTENCE, Workshop, handbook, page
from tests.support.site import Site


def listed(site: Site, path: str, *pages: str) -> None:
    """Serve a sitemap at a path."""
    entries = "".join(f"<url><loc>{site.url(name)}</loc></url>" for name in pages)
    xml = f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'
    site.page(path, xml, content_type="application/xml")


async def preview(shop: Workshop, url: str, scope: CrawlScope = CrawlScope.SUBPAGES, pages: int = 100) -> CrawlPreview:
    return await shop.jobs.preview(url, CrawlOptions(scope, pages))


async def test_a_preview_counts_the_sitemap_without_storing_pages(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 6)
    listed(site, "/sitemap.xml", *(f"/book/more-{number}.html" for number in range(300)), "/blog.html")
    seen = await preview(shop, start)
    assert (seen.title, seen.known, seen.is_complete, seen.sources) == ("Handbook", 304, True, ("links", "sitemap"))
    assert len(seen.urls) == MAX_PREVIEW_PAGES and seen.urls[0] == start and seen.seconds == 100.0
    assert any("100 of 304" in note for note in seen.notes)
    assert not shop.urls() and not await shop.jobs.jobs(1) and len(site.requests) <= 5


async def test_a_preview_counts_pages_by_folder_except_excluded_ones(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    listed(site, "/sitemap.xml", *(f"/book/old/{number}.html" for number in range(5)), "/book/new/1.html")
    seen = await preview(shop, start)
    assert dict(seen.folders)["/book/old/"] == 5
    assert sum(count for _, count in seen.folders) == seen.known
    less = await shop.jobs.preview(start, CrawlOptions(left_out=("/book/old/",)))
    assert less.known == seen.known - 5
    assert "/book/old/" not in dict(less.folders)


async def test_without_a_sitemap_the_links_of_the_start_page_count(site: Site, shop: Workshop) -> None:
    seen = await preview(shop, handbook(site, "/book/", 6))
    assert seen.known == 4 and seen.sources == ("links",) and not seen.is_complete
    assert any("below 127.0.0.1" in note and "/book/" in note for note in seen.notes)


async def test_a_sitemap_of_the_folder_comes_before_others(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    maps = "".join(f"<sitemap><loc>{site.url(f'/{name}/sitemap.xml')}</loc></sitemap>" for name in "abcdefgh")
    own = f"<sitemap><loc>{site.url('/book/sitemap.xml')}</loc></sitemap>"
    index = f'<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{maps}{own}</sitemapindex>'
    site.page("/all.xml", index, content_type="application/xml")
    site.page("/robots.txt", f"Sitemap: {site.url('/all.xml')}", content_type="text/plain")
    listed(site, "/book/sitemap.xml", "/book/alone.html")
    seen = await preview(shop, start)
    assert site.url("/book/alone.html") in seen.urls and seen.is_complete and not site.count("/a/sitemap.xml")


async def test_a_redirected_sitemap_is_read_although_robots_txt_names_another(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    site.page("/robots.txt", f"Sitemap: {site.url('/gone.xml')}", content_type="text/plain")
    site.redirect("/sitemap.xml", "/book/maps/index.xml")
    site.page("/book/maps/index.xml", "<urlset><url><loc>../alone.html</loc></url></urlset>", content_type="text/xml")
    assert site.url("/book/alone.html") in (await preview(shop, start)).urls


async def test_an_llms_txt_replaces_a_missing_sitemap(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    site.page("/llms.txt", "# Book\n- [Alone](/book/alone.html)\n", content_type="text/plain")
    seen = await preview(shop, start)
    assert seen.sources == ("links", "llms.txt") and site.url("/book/alone.html") in seen.urls


async def test_pages_disallowed_by_robots_txt_are_counted_with_its_delay(site: Site, shop: Workshop) -> None:
    rules = "User-agent: *\nDisallow: /book/chapter-1\nCrawl-delay: 0.2"
    site.page("/robots.txt", rules, content_type="text/plain")
    seen = await preview(shop, handbook(site, "/book/", 6))
    assert seen.excluded == 1 and site.url("/book/chapter-1.html") not in seen.urls
    assert any("0.2 seconds" in note for note in seen.notes)


async def test_a_site_that_asks_for_long_pauses_is_not_waited_for(site: Site, shop: Workshop) -> None:
    site.page("/robots.txt", "User-agent: *\nCrawl-delay: 100000", content_type="text/plain")
    start = handbook(site, "/book/", 6)
    async with asyncio.timeout(60):
        await preview(shop, start)
        seen = await preview(shop, start)
    assert seen.known == 4 and not seen.is_complete and seen.seconds == 4 * caps.MAX_CRAWL_DELAY_SECONDS
    assert any("asks for 100,000 seconds between requests" in note for note in seen.notes)
    assert any("not include the site's own lists" in note for note in seen.notes)


async def test_robots_txt_still_applies_to_a_slow_site(site: Site, shop: Workshop) -> None:
    rules = "User-agent: *\nDisallow: /book/\nCrawl-delay: 100000"
    site.page("/robots.txt", rules, content_type="text/plain")
    with pytest.raises(FetchError, match=r"robots\.txt"):
        await preview(shop, handbook(site, "/book/", 2))
    assert not site.count("/book/index.html")


async def test_a_limited_count_is_reported(site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caps, "MAX_CRAWL_PAGES", 100)
    listed(site, "/sitemap.xml", *(f"/book/more-{number}.html" for number in range(300)))
    seen = await preview(shop, handbook(site, "/book/", 6))
    assert seen.known == 100 and not seen.is_complete
    assert any("at least 100 pages" in note for note in seen.notes)


async def test_stored_pages_count_as_known(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    site.page("/book/alone.html", page("Alone"))
    await shop.crawl(site.url("/book/alone.html"), depth=0)
    assert (await preview(shop, start)).sources == ("links", "stored")


async def test_the_page_scope_is_the_page_and_its_links(site: Site, shop: Workshop) -> None:
    listed(site, "/sitemap.xml", "/book/alone.html")
    seen = await preview(shop, handbook(site, "/book/", 6), CrawlScope.PAGE)
    assert seen.known == 4 and seen.is_complete and not site.count("/sitemap.xml")


async def test_a_start_page_that_cannot_be_read_is_an_error_unless_others_are_known(site: Site, shop: Workshop) -> None:
    with pytest.raises(FetchError):
        await preview(shop, site.url("/book/"))
    listed(site, "/book/sitemap.xml", "/book/a.html")
    seen = await preview(shop, site.url("/book/"))
    assert seen.known == 1 and "cannot be read" in seen.notes[0]


async def test_an_unreadable_sitemap_is_reported(site: Site, shop: Workshop) -> None:
    start = handbook(site, "/book/", 2)
    site.page("/sitemap.xml", "broken", status=500)
    assert any("sitemap.xml" in note for note in (await preview(shop, start)).notes)


async def test_a_large_start_page_is_read_in_a_process_of_its_own(site: Site, shop: Workshop) -> None:
    filling = f"<p>{SENTENCE}</p>" * (PREPARE_APART_BYTES // len(SENTENCE))
    site.page("/book/", page("Large", "/book/a.html", "/book/b.html") + filling)
    jobs, options = shop.jobs, CrawlOptions(CrawlScope.PAGE)
    seen = await preview_crawl(
        site.url("/book/"), options, corpus=shop.corpus, fetcher=jobs._fetcher, pipeline=jobs._pipeline
    )
    assert (seen.title, seen.known) == ("Large", 3)
    assert jobs._pipeline._preparer.process_ids and not shop.urls()


async def test_no_pdf_is_read_in_this_process(site: Site, shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a PDF file was read here")

    monkeypatch.setattr(document, "extract_pdf", refuse)
    site.page("/book.pdf", b"%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF", content_type="application/pdf")
    seen = await preview(shop, site.url("/book.pdf"))
    assert seen.title == "" and any("cannot be read" in note for note in seen.notes)


def test_job_options_are_restored_and_damaged_ones_rejected() -> None:
    options = CrawlOptions(CrawlScope.HOST, 17, 2, refresh=False)
    assert options_from_json(options_to_json(options)) == options
    assert "left_out" not in options_to_json(options), "jobs of earlier versions keep their name"
    with_folders = CrawlOptions(left_out=("/a/", "/b/c/"))
    assert options_from_json(options_to_json(with_folders)) == with_folders
    for text in (
        "",
        "{}",
        "[]",
        "7",
        '{"scope": "galaxy"}',
        '{"scope": "host", "speed": 3}',
        '{"scope": "host", "max_pages": 0}',
        '{"scope": "host", "left_out": ["a"]}',
        '{"scope": "host", "left_out": 3}',
    ):
        with pytest.raises(InvalidArgumentError):
            options_from_json(text)
