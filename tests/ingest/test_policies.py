"""Which page may replace a stored copy, and when a copy is refreshed."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.errors import ContentProtectedError
from app.ingest.crawling.options import CrawlOptions, CrawlScope
from app.ingest.outcome import Change, IngestOutcome
from app.ingest.pipeline import BrowserPage, FetchedPage, IngestPipeline
from app.ingest.policies import (
    COLLAPSED_SHARE,
    LIKE_SHARE,
    REFETCH_THROTTLE_SECONDS,
    WHOLE_CHARS,
    StaleAfter,
    is_spelling_of,
    surviving,
)
from app.ingest.preparation import PREPARE_APART_BYTES
from app.library.job_records import ItemState
from tests.ingest.test_pipeline import age, html, pipeline
from tests.ingest.workshop import Workshop, page, until
from tests.support.site import Exchange, Site

PAGES = 4
MAINTENANCE = html("We are working on the site. Please come back in an hour.", head="<title>Maintenance</title>")
CONSENT = html(*(f"Clause {n} of the consent: data of kind {n} goes to partner {n * 7}." for n in range(300)))
REDIRECTS = (301, 302, 303, 307, 308)
RULES = StaleAfter(100.0, {"docs.example": 900.0, "www.shop.example": 300.0, "now.example": 0.0})


def chapter(number: int) -> str:
    """Return a unique page: none of its runs of words occurs on another one."""
    return html(
        *(
            f"Chapter{number} line{number}x{line} tells of weir{number}x{line * 3} and of lock{number}x{line * 5}."
            for line in range(20)
        )
    )


def chapters(site: Site) -> list[str]:
    for number in range(PAGES):
        site.page(f"/chapter-{number}.html", chapter(number))
    return [site.url(f"/chapter-{number}.html") for number in range(PAGES)]


def forward(target: str) -> str:
    head = f"<title>Moved</title><meta http-equiv='refresh' content='5; url={target}'>"
    return html("You are being sent on to the page that you asked for. Click here if nothing happens.", head=head)


def fall_out(site: Site, kind: int | str, target: str) -> None:
    """Make every chapter lead to one page: by a status, or by a browser redirect."""
    for number in range(PAGES):
        path = f"/chapter-{number}.html"
        if isinstance(kind, int):
            site.redirect(path, target, kind)
        else:
            site.page(path, forward(target))


def texts(corpus: Corpus) -> dict[str, str]:
    documents = (corpus.documents.get(summary.url) for summary in corpus.documents.summaries(limit=100))
    return {document.url: document.text for document in documents if document is not None}


def is_sound(corpus: Corpus) -> bool:
    return not corpus.verify()


# an outage


@pytest.mark.parametrize("kind", [*REDIRECTS, "forward"])
@pytest.mark.parametrize("at_once", [True, False], ids=["at once", "one after the other"])
async def test_pages_that_suddenly_redirect_to_one_keep_their_copies(
    corpus: Corpus, site: Site, kind: int | str, at_once: bool
) -> None:
    urls = chapters(site)
    site.page("/down.html", MAINTENANCE)
    async with pipeline(corpus) as made:
        for url in urls:
            await made.ingest(url)
        before = texts(corpus)
        fall_out(site, kind, "/down.html")
        if at_once:
            outcomes = await asyncio.gather(*(made.ingest(url, refresh=True) for url in urls))
        else:
            outcomes = [await made.ingest(url, refresh=True) for url in urls]
    assert texts(corpus) == before and len(before) == PAGES
    assert [outcome.summary.url for outcome in outcomes] == urls
    assert all(outcome.change is Change.UNCHANGED and not outcome.fetched for outcome in outcomes)
    word = "redirects to" if isinstance(kind, int) else "redirects to another"
    assert all(
        word in outcome.remark("It") and "stored copy was used (read 20" in outcome.remark("It") for outcome in outcomes
    )
    assert is_sound(corpus)


@pytest.mark.parametrize("target", ["/down.html", "/consent.html", "/"])
async def test_a_long_or_stored_redirect_target_changes_nothing(corpus: Corpus, site: Site, target: str) -> None:
    urls = chapters(site)
    site.page("/down.html", MAINTENANCE)
    site.page("/consent.html", CONSENT)
    site.page("/", html(*(f"The home page has news number {n}, which is short." for n in range(20))))
    async with pipeline(corpus) as made:
        for url in (site.url(target), *urls):
            await made.ingest(url)
        before = texts(corpus)
        fall_out(site, 301, target)
        await asyncio.gather(*(made.ingest(url, refresh=True) for url in urls))
        assert texts(corpus) == before
        chapters(site)
        assert {(await made.ingest(url, refresh=True)).summary.url for url in urls} == set(urls)
    assert texts(corpus) == before and is_sound(corpus)


async def test_stale_pages_keep_their_copies_too(corpus: Corpus, site: Site) -> None:
    urls = chapters(site)
    site.page("/down.html", MAINTENANCE)
    async with pipeline(corpus) as made:
        for url in urls:
            await made.ingest(url)
            age(corpus, url, 9_000)
        before = texts(corpus)
        fall_out(site, 302, "/down.html")
        outcomes = await asyncio.gather(*(made.ingest(url, automatic=True) for url in urls))
    assert texts(corpus) == before and all("redirects to" in outcome.note for outcome in outcomes)
    assert is_sound(corpus)


@pytest.mark.parametrize("kind", [301, 302, "forward"])
async def test_crawls_keep_the_copies_and_say_so(shop: Workshop, site: Site, kind: int | str) -> None:
    urls = chapters(site)
    site.page("/index.html", page("Book", *(f"/chapter-{number}.html" for number in range(PAGES))))
    site.page("/down.html", MAINTENANCE)
    options = CrawlOptions(CrawlScope.SUBPAGES, 100, 3)
    await shop.done(await shop.jobs.crawl(site.url("/index.html"), options))
    before = texts(shop.corpus)
    assert len(before) == PAGES + 1
    fall_out(site, kind, "/down.html")
    again = await shop.done(
        await shop.jobs.crawl(site.url("/index.html"), CrawlOptions(CrawlScope.SUBPAGES, 100, 3, refresh=True))
    )
    items = await shop.items(again)
    assert texts(shop.corpus) == before
    assert all(items[url].state is ItemState.UNCHANGED and items[url].reason for url in urls)
    assert is_sound(shop.corpus)


async def test_a_list_of_pages_keeps_the_copies(shop: Workshop, site: Site) -> None:
    urls = chapters(site)
    site.page("/down.html", MAINTENANCE)
    await shop.done(await shop.jobs.read_pages(urls, target="list"))
    before = texts(shop.corpus)
    fall_out(site, 301, "/down.html")
    again = await shop.done(await shop.jobs.read_pages(urls, target="again", refresh=True))
    items = await shop.items(again)
    assert texts(shop.corpus) == before and all("redirects to" in items[url].reason for url in urls)


async def test_the_copy_survives_a_restart_during_the_outage(tmp_path: Path, site: Site) -> None:
    """The decision about the first page is not needed for the second one."""
    urls = chapters(site)
    site.page("/down.html", MAINTENANCE)
    for start in range(3):
        corpus = Corpus.open(tmp_path / "corpus.db", dimension=8, model="test")
        async with pipeline(corpus) as made:
            if start == 0:
                for url in urls:
                    await made.ingest(url)
                before = texts(corpus)
                fall_out(site, 301, "/down.html")
            else:
                await made.ingest(urls[start], refresh=True)
        assert texts(corpus) == before and is_sound(corpus)
        corpus.close()


async def test_a_redirecting_address_keeps_its_target(corpus: Corpus, site: Site) -> None:
    site.redirect("/book", "/book/", 301)
    site.page("/book/", chapter(1))
    site.page("/down.html", MAINTENANCE)
    async with pipeline(corpus) as made:
        await made.ingest(site.url("/book"))
        site.redirect("/book", "/down.html")
        outcome = await made.ingest(site.url("/book"), refresh=True)
    assert outcome.summary.url == site.url("/book/") and "redirects to" in outcome.note
    assert corpus.documents.summary(site.url("/book")) == outcome.summary


async def test_an_address_of_the_latest_version_follows_it(corpus: Corpus, site: Site) -> None:
    site.redirect("/latest", "/v1")
    site.page("/v1", chapter(1))
    site.page("/v2", chapter(2))
    async with pipeline(corpus) as made:
        await made.ingest(site.url("/latest"))
        site.redirect("/latest", "/v2")
        outcome = await made.ingest(site.url("/latest"), refresh=True)
    assert outcome.summary.url == site.url("/v2") and set(texts(corpus)) == {site.url("/v1"), site.url("/v2")}


@pytest.mark.parametrize("status", REDIRECTS)
async def test_a_page_that_moved_with_its_text_is_absorbed(corpus: Corpus, site: Site, status: int) -> None:
    old, new = site.url("/old.html"), site.url("/new.html")
    site.page("/old.html", chapter(1))
    async with pipeline(corpus) as made:
        await made.ingest(old)
        site.redirect("/old.html", "/new.html", status)
        site.page("/new.html", chapter(1) + "<p>One line more.</p>")
        outcome = await made.ingest(old, refresh=True)
    assert outcome.summary.url == new and set(texts(corpus)) == {new}
    assert corpus.documents.summary(old) == corpus.documents.summary(new) and is_sound(corpus)


# a page that lost its text


@pytest.mark.parametrize(
    ("body", "content_type", "word"),
    [
        (html("Service unavailable."), "text/html", "much shorter"),
        ("<title>x</title><body></body>", "text/html", "could not be refreshed"),
        ("<form><h1>Sign in</h1><input type=password></form>", "text/html", "could not be refreshed"),
        ("%PDF-1.7 and nothing that a PDF holds", "application/pdf", "could not be refreshed"),
        ("", "text/html", "could not be refreshed"),
    ],
)
async def test_a_page_that_lost_its_text_keeps_the_copy(
    corpus: Corpus, site: Site, body: str, content_type: str, word: str
) -> None:
    url = site.url("/chapter.html")
    site.page("/chapter.html", chapter(1))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        before = texts(corpus)
        age(corpus, url, 9_000)
        site.page("/chapter.html", body, content_type=content_type)
        outcome = await made.ingest(url)
    assert word in outcome.note and not outcome.fetched
    assert texts(corpus) == before and is_sound(corpus)


# canonical links


async def test_a_canonical_link_never_replaces_another_text(corpus: Corpus, site: Site) -> None:
    def profile(name: str, link: str) -> str:
        return html(
            *(f"{name} writes line {n} of the diary." for n in range(30)),
            head=f"<title>{name}</title><link rel=canonical href='{link}'>",
        )

    alice, mallory = site.url("/q.html?user=alice"), site.url("/q.html?user=mallory")
    site.page("/q.html?user=alice", profile("Alice", "/q.html?user=alice"))
    site.page("/q.html?user=mallory", profile("Mallory", "/q.html?user=alice"))
    async with pipeline(corpus) as made:
        await made.ingest(alice)
        assert (await made.ingest(mallory)).summary.url == mallory
        assert (await made.ingest(mallory, refresh=True)).summary.url == mallory
    found = texts(corpus)
    assert set(found) == {alice, mallory} and "Alice writes" in found[alice] and "Mallory writes" in found[mallory]


@pytest.mark.parametrize("base_first", [True, False])
async def test_a_canonical_link_without_the_query_does_not_merge_pages(
    corpus: Corpus, site: Site, base_first: bool
) -> None:
    head = "<title>Shop</title><link rel=canonical href='/index.php'>"
    names = ["/index.php", *(f"/index.php?id={n}" for n in range(4))]
    for number, name in enumerate(names):
        site.page(name, html(*(f"Article{number} has part{number}x{n} and more." for n in range(20)), head=head))
    async with pipeline(corpus) as made:
        for _ in range(2):
            for name in names if base_first else reversed(names):
                await made.ingest(site.url(name), refresh=True)
    found = texts(corpus)
    assert set(found) == {site.url(name) for name in names}
    assert all(f"Article{number} " in found[site.url(name)] for number, name in enumerate(names))


async def test_tracking_parameters_do_not_make_another_page(corpus: Corpus, site: Site) -> None:
    site.page("/a", html("All of the text.", head="<title>A</title><link rel=canonical href='/a?x=1'>"))
    async with pipeline(corpus) as made:
        for query in ("?x=1&utm_source=mail", "?x=1", "?gclid=7&x=1"):
            assert (await made.ingest(site.url(f"/a{query}"))).summary.url == site.url("/a?x=1")
    assert set(texts(corpus)) == {site.url("/a?x=1")}


async def test_addresses_with_the_same_text_are_one_page(corpus: Corpus, site: Site) -> None:
    body = html("All of the text.", head="<title>A</title><link rel=canonical href='/a'>")
    for path in ("/a", "/a?sort=up", "/a/"):
        site.page(path, body)
    async with pipeline(corpus) as made:
        for path in ("/a", "/a?sort=up", "/a/"):
            assert (await made.ingest(site.url(path))).summary.url == site.url("/a")


# likeness


def words(start: int, count: int) -> str:
    return " ".join(f"w{number}" for number in range(start, start + count))


@pytest.mark.parametrize(
    ("old", "new", "share"),
    [
        ("", "anything", 1.0),
        ("one", "one and more", 1.0),
        ("one", "two", 0.0),
        ("One, two; THREE!", "one two three", 1.0),
        (words(0, 103), words(0, 83) + " " + words(1000, 20), 0.8),
        (words(0, 103), words(0, 82) + " " + words(1000, 21), 0.79),
        (words(0, 50), words(0, 5_000), 1.0),
        ("水泵每年春天检查一次", "水泵每年春天检查一次。另外", 1.0),
    ],
)
def test_the_surviving_share_of_a_text_is_measured(old: str, new: str, share: float) -> None:
    assert surviving(old, new) == pytest.approx(share)


@pytest.mark.parametrize(("kept", "is_absorbed"), [(83, True), (82, False)])
async def test_the_likeness_threshold_is_exact(corpus: Corpus, site: Site, kept: int, is_absorbed: bool) -> None:
    assert LIKE_SHARE == 0.8
    site.page("/old", f"<title>T</title><main><p>{words(0, 103)}</p></main>")
    site.page("/new", f"<title>T</title><main><p>{words(0, kept)} {words(1000, 103 - kept)}</p></main>")
    async with pipeline(corpus) as made:
        await made.ingest(site.url("/old"))
        site.redirect("/old", "/new", 301)
        outcome = await made.ingest(site.url("/old"), refresh=True)
    assert (outcome.summary.url == site.url("/new")) is is_absorbed


@pytest.mark.parametrize(
    ("stored", "left", "is_kept"), [(WHOLE_CHARS, 99, True), (WHOLE_CHARS, 100, False), (499, 9, False)]
)
async def test_the_collapse_threshold_is_exact(
    corpus: Corpus, site: Site, stored: int, left: int, is_kept: bool
) -> None:
    assert COLLAPSED_SHARE * WHOLE_CHARS == 100
    site.page("/t.txt", ("tide " * 200)[: stored - 1] + "x", content_type="text/plain")
    async with pipeline(corpus) as made:
        await made.ingest(site.url("/t.txt"))
        (text,) = texts(corpus).values()
        assert len(text) == stored
        site.page("/t.txt", ("ebb " * 200)[: left - 1] + "x", content_type="text/plain")
        outcome = await made.ingest(site.url("/t.txt"), refresh=True)
    assert (outcome.change is Change.UNCHANGED and "much shorter" in outcome.note) is is_kept


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("http://a.test/x", "https://www.a.test/x/", True),
        ("http://a.test/x/index.html", "http://a.test/x", True),
        ("http://a.test/x?a=1", "http://a.test/x", False),
        ("http://a.test/x", "http://a.test/X", False),
        ("http://a.test:8080/x", "http://a.test/x", False),
        ("http://b.test/x", "http://a.test/x", False),
    ],
)
def test_spellings_of_one_address(first: str, second: str, expected: bool) -> None:
    assert is_spelling_of(first, second) is expected


@pytest.mark.parametrize(
    ("url", "seconds"),
    [
        ("https://docs.example/a?b#c", 900),
        ("http://docs.example:8080/", 900),
        ("https://www.docs.example/", 900),
        ("https://shop.example/", 300),
        ("https://en.docs.example/", 100),
        ("https://mydocs.example/", 100),
        ("https://other.example/docs.example", 100),
        ("https://now.example/", REFETCH_THROTTLE_SECONDS),
    ],
)
def test_a_sites_refresh_time_does_not_apply_to_subdomains(url: str, seconds: float) -> None:
    assert RULES.seconds_for(url) == seconds


# pages saved from a browser


SIGNED_IN = html(*(f"Order{n} of the person who is signed in: desk{n} for room{n}." for n in range(40)))
SIGNED_OUT = html(*(f"Offer{n} for all customers: lamp{n} in shop{n}." for n in range(60)))


async def kept(made: IngestPipeline, url: str) -> None:
    outcome = await made.store_browser_page(BrowserPage(url, SIGNED_IN.encode(), "0" * 64))
    assert outcome.change is Change.STORED


async def test_a_copy_from_a_browser_is_never_stale(corpus: Corpus, site: Site) -> None:
    url = site.url("/orders")
    site.page("/orders", SIGNED_OUT)
    async with pipeline(corpus, stale_after_seconds=1) as made:
        await kept(made, url)
        age(corpus, url, 10_000_000)
        assert await made.is_fresh(url)
        assert (await made.ingest(url)).change is Change.UNCHANGED
        assert (await made.ingest(url, automatic=True)).change is Change.UNCHANGED
        assert (await made.ingest(url, automatic=True, refresh=True)).change is Change.UNCHANGED
    assert site.count("/orders") == 0
    assert "Order7" in texts(corpus)[url]


async def test_a_saved_page_is_refreshed_when_named(corpus: Corpus, site: Site) -> None:
    url = site.url("/orders")
    site.page("/orders", SIGNED_OUT)
    async with pipeline(corpus) as made:
        await kept(made, url)
        assert (await made.ingest(url, refresh=True)).change is Change.UPDATED
    document = corpus.documents.get(url)
    assert document is not None
    assert (document.kind, document.note) == ("web", "")
    (seen,) = [each for each in site.requests if each.path == "/orders"]
    assert "if-none-match" not in seen.headers


@pytest.mark.parametrize("refresh", [False, True])
async def test_another_address_that_leads_to_it_does_not_replace_it(corpus: Corpus, site: Site, refresh: bool) -> None:
    url = site.url("/orders")
    site.page("/orders", SIGNED_OUT)
    site.redirect("/go", "/orders")
    site.page("/claims", SIGNED_OUT.replace("<title>", f'<link rel="canonical" href="{url}/"><title>'))
    async with pipeline(corpus) as made:
        await kept(made, url)
        outcome = await made.ingest(site.url("/go"), refresh=refresh)
        await made.ingest(site.url("/claims"), refresh=refresh)
    assert "saved from the browser" in outcome.note
    assert "Order7" in texts(corpus)[url]


async def test_a_sign_in_wall_does_not_replace_a_copy_on_refresh(corpus: Corpus, site: Site) -> None:
    url = site.url("/orders")
    site.page("/orders", "<title>Sign in</title><h1>Sign in</h1><form><input type=password></form>")
    async with pipeline(corpus) as made:
        await kept(made, url)
        with pytest.raises(ContentProtectedError):
            await made.ingest(url, refresh=True)
    assert "Order7" in texts(corpus)[url]


@pytest.mark.parametrize("is_known", [False, True])
@pytest.mark.parametrize("way", ["ingest", "refresh", "crawl", "preview", "unchanged"])
async def test_a_page_saved_while_it_is_fetched_is_kept(corpus: Corpus, site: Site, way: str, is_known: bool) -> None:
    """The site responds after the user saved the page: the browser's version wins, and its digest remains."""
    url, kept_now = site.url("/orders"), threading.Event()
    if is_known or way == "unchanged":
        site.page("/orders", SIGNED_OUT, etag='"one"')
        async with pipeline(corpus) as made:
            await made.ingest(url)
    is_known = corpus.documents.get(url) is not None

    def answer(exchange: Exchange) -> None:
        assert kept_now.wait(60)
        if way == "unchanged":
            exchange.send(b"", status=304)
        else:
            exchange.send(SIGNED_OUT.replace("lamp", "candle").encode())

    site.on("/orders", answer)
    async with pipeline(corpus, stale_after_seconds=0) as made:
        if is_known:
            age(corpus, url, 10_000)
        seen = site.count("/orders")
        arriving: asyncio.Task[object] = asyncio.create_task(
            made.fetch_page(url)
            if way == "preview"
            else made.ingest(url, refresh=way == "refresh", automatic=way == "crawl")
        )
        await until(lambda: site.count("/orders") > seen)
        await made.store_browser_page(BrowserPage(url, SIGNED_IN.encode(), "0" * 64))
        kept_now.set()
        outcome = await arriving
        if isinstance(outcome, FetchedPage):
            outcome = await made.store_fetched_page(outcome)
    assert isinstance(outcome, IngestOutcome)
    assert outcome.change is Change.UNCHANGED
    document = corpus.documents.get(url)
    assert document is not None and document.kind == "browser"
    assert "Order7" in document.text and document.etag == "0" * 64
    # The previous text is an earlier version of the page.
    assert ["lamp" in text for text in corpus.versions.texts(document.id).values()] == [True] * is_known


async def test_a_route_saved_from_a_browser_is_never_replaced_by_a_fetch(corpus: Corpus, site: Site) -> None:
    url = site.url("/app#/orders")
    site.page("/app", SIGNED_OUT)
    async with pipeline(corpus) as made:
        await kept(made, url)
        for asked in ({"refresh": True}, {"refresh": True, "listed": True}, {}):
            outcome = await made.ingest(url, **asked)
            assert (outcome.summary.url, outcome.change, outcome.fetched) == (url, Change.UNCHANGED, False)
            assert ("saving it there again" in outcome.note) == ("refresh" in asked)
        assert site.count("/app") == 0 and list(texts(corpus)) == [url]
        other = await made.ingest(site.url("/app#/offers"))
        assert other.summary.url == site.url("/app"), "a route not saved from a browser is the page itself"
    assert "Order7" in texts(corpus)[url]


async def test_a_list_of_pages_keeps_copies_saved_from_a_browser(corpus: Corpus, site: Site) -> None:
    url = site.url("/orders")
    site.page("/orders", SIGNED_OUT)
    async with pipeline(corpus) as made:
        await kept(made, url)
        assert (await made.ingest(url, listed=True, refresh=True)).change is Change.UNCHANGED
    assert site.count("/orders") == 0


async def test_a_page_from_a_browser_is_read_like_a_fetched_one(corpus: Corpus, site: Site) -> None:
    """Same text, sections and passages, also for a large page read by the separate process."""
    styled = f"<p style='{'color: grey; ' * 20}'>"
    large = chapter(1).replace(
        "</main>", "".join(f"{styled}Weir {n} of the long river.</p>" for n in range(2_500)) + "</main>"
    )
    assert len(large) > PREPARE_APART_BYTES
    for path, text in (("/small", chapter(1)), ("/large", large)):
        site.page(path, text)
        async with pipeline(corpus) as made:
            fetched = await made.ingest(site.url(path))
            before = texts(corpus)[site.url(path)]
            assert ("Weir 2499 of" in before) == (path == "/large")
            outcome = await made.store_browser_page(BrowserPage(site.url(path), text.encode(), "0" * 64))
        assert outcome.change is Change.UNCHANGED
        assert texts(corpus)[site.url(path)] == before
        assert outcome.summary.chunks == fetched.summary.chunks
