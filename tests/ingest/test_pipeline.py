"""From an address or a file to a stored document, over real HTTP, files and SQLite."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from app import caps
from app.corpus import Corpus
from app.errors import (
    ContentProtectedError,
    EmptyPageError,
    FileAccessError,
    InvalidURLError,
    NoIndexError,
    RenderError,
    RobotsDeniedError,
    SkeletonPageError,
)
from app.events import CURRENT_CALL, DocumentChanged, Event, EventBus
from app.extract import Page
from app.ingest.files import content_type_of
from app.ingest.outcome import Change
from app.ingest.pipeline import IngestPipeline
from app.ingest.policies import check_index, directives
from app.ingest.prepared import content_hash
from app.library.records import CameBy
from app.text.tokens import ChunkingLimits, token_counter
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from app.web.records import SWITCH_ON_RENDERER, Occasion
from tests.ingest.test_preparation import ENDLESS, worker
from tests.support.site import Exchange, Site
from tests.support.stored import embed_all

LIMITS = ChunkingLimits(220, token_counter(None))
TEXT = "The tide rises slowly and falls again after six hours. "
SKELETON = "<body><noscript>Enable JavaScript</noscript><div id='root'></div><script src='/a.js'></script></body>"
MARKDOWN_LINK = "<head><link rel=alternate type=text/markdown href='/app.md'></head>"
PARTLY = f"<html><head>{MARKDOWN_LINK}<title>Docs</title></head><body><noscript>JavaScript!</noscript><script src=a.js></script>"
PARTLY += "<p>Loading the documentation of the harbour.</p></body></html>"


def html(*paragraphs: str, head: str = "<title>Tides</title>") -> str:
    body = "".join(f"<p>{each}</p>" for each in paragraphs)
    return f"<html><head>{head}</head><body><main><h1>Tides</h1>{body}</main></body></html>"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@asynccontextmanager
async def pipeline(corpus: Corpus, bus: EventBus | None = None, **options: Any) -> AsyncIterator[IngestPipeline]:
    fetcher = Fetcher(FetchOptions(timeout_seconds=5), AddressPolicy(allow_networks=("127.0.0.0/8",)))
    options.setdefault("stale_after_seconds", 3_600)
    made = IngestPipeline(corpus, fetcher, LIMITS, bus or EventBus(), **options)
    try:
        yield made
    finally:
        await made.stop()
        await fetcher.aclose()


def age(corpus: Corpus, url: str, seconds: float) -> None:
    """Make a stored page look older."""
    summary = corpus.documents.summary(url)
    assert summary is not None
    corpus.documents.touch(summary.id, last_crawled=summary.last_crawled - seconds)


# addresses


async def test_a_page_is_stored_then_unchanged_then_updated(corpus: Corpus, site: Site) -> None:
    events: list[Event] = []
    bus = EventBus()
    bus.subscribe(events.append)
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 3))
    async with pipeline(corpus, bus) as made:
        assert (await made.ingest(url)).change is Change.STORED
        assert (await made.ingest(url)).fetched is False and site.count("/tides.html") == 1
        assert (await made.ingest(url, refresh=True)).change is Change.UNCHANGED
        site.page("/tides.html", html(TEXT * 3, "A new paragraph."))
        assert (await made.ingest(url, refresh=True)).change is Change.UPDATED
    assert [event.change for event in events if isinstance(event, DocumentChanged)] == [
        "stored",
        "unchanged",
        "updated",
    ]


async def test_an_edited_paragraph_needs_few_new_vectors(corpus: Corpus, site: Site, embedder: Any) -> None:
    url = site.url("/long.html")
    paragraphs = [f"Paragraph {n} of the harbour book. {TEXT * (1 + n % 4)}" for n in range(60)]
    site.page("/long.html", html(*paragraphs))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        embed_all(corpus, embedder)
        await made.ingest(url, refresh=True)
        assert corpus.vectors.count_waiting() == 0
        paragraphs[30] = "The pier was moved. " + paragraphs[30]
        site.page("/long.html", html(*paragraphs))
        await made.ingest(url, refresh=True)
        assert 1 <= corpus.vectors.count_waiting() <= 3


async def test_a_new_title_does_not_require_new_vectors(corpus: Corpus, site: Site, embedder: Any) -> None:
    url = site.url("/t.html")
    site.page("/t.html", html(TEXT * 3, head="<title>(2) Messages</title>"))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        embed_all(corpus, embedder)
        site.page("/t.html", html(TEXT * 3, head="<title>(3) Messages</title>"))
        outcome = await made.ingest(url, refresh=True)
    assert outcome.summary.title == "(3) Messages" and corpus.vectors.count_waiting() == 0


async def test_large_browser_pages_are_stored_the_same_way(corpus: Corpus, site: Site) -> None:
    url = site.url("/large.html")
    sections = "".join(f"<h2>Part {n}</h2><p>Part {n} is long. {TEXT * 40}</p>" for n in range(260))
    site.page("/large.html", html(TEXT) + sections)
    async with pipeline(corpus) as made:
        outcome = await made.ingest(url)
        assert made._preparer.process_ids
    assert outcome.summary.chunks > 250
    document = corpus.documents.get(url)
    assert document is not None and document.content_hash == content_hash(document.text)


async def test_a_soft_404_does_not_replace_a_good_copy(corpus: Corpus, site: Site) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 30))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        site.page("/tides.html", "<title>404 Not found</title><h1>Page not found</h1><p>Sorry, nothing is here.</p>")
        outcome = await made.ingest(url, refresh=True)
        assert outcome.change is Change.UNCHANGED and not outcome.fetched and "not found" in outcome.note
        site.redirect("/tides.html", "/gone.html")
        site.page("/gone.html", "<title>Page not found</title><h1>Page not found</h1><p>Sorry, nothing is here.</p>")
        outcome = await made.ingest(url, refresh=True)
        assert outcome.summary.url == url and "not found" in outcome.note
    document = corpus.documents.get(url)
    assert document is not None and document.text.count("tide") == 30
    assert corpus.documents.get(site.url("/gone.html")) is None


@pytest.mark.parametrize(
    "body",
    [
        "<title>502 Bad Gateway</title><h1>502 Bad Gateway</h1><hr>nginx",
        "<title>Just a moment...</title><h1>Checking your browser</h1><script src=/challenge-platform/x.js></script>",
    ],
)
async def test_a_failure_or_check_does_not_replace_a_good_copy(corpus: Corpus, site: Site, body: str) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        site.page("/tides.html", body)
        with contextlib.suppress(ContentProtectedError):
            await made.ingest(url, refresh=True)
    document = corpus.documents.get(url)
    assert document is not None and "tide" in document.text


async def test_a_skeleton_does_not_replace_a_good_copy(corpus: Corpus, site: Site) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 30))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        site.page("/tides.html", PARTLY.replace(MARKDOWN_LINK, ""))
        assert "JavaScript" in (await made.ingest(url, refresh=True)).note
    document = corpus.documents.get(url)
    assert document is not None and "tide" in document.text


async def test_a_stale_page_that_is_no_longer_readable_keeps_its_copy(corpus: Corpus, site: Site) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        age(corpus, url, 9_000)
        site.page("/tides.html", "<title>Sign in</title><form><h1>Sign in</h1><input type=password></form>")
        outcome = await made.ingest(url)
        assert not outcome.fetched and "could not be refreshed" in outcome.note
        with pytest.raises(ContentProtectedError):
            await made.ingest(url, refresh=True)
    assert corpus.documents.get(url) is not None


async def test_a_moved_page_is_merged_with_its_target(corpus: Corpus, site: Site) -> None:
    old, new = site.url("/old.html"), site.url("/new.html")
    site.page("/old.html", html(TEXT))
    async with pipeline(corpus) as made:
        await made.ingest(old)
        site.redirect("/old.html", "/new.html")
        site.page("/new.html", html(TEXT, "And more."))
        outcome = await made.ingest(old, refresh=True)
    assert outcome.summary.url == new and old in outcome.summary.note
    assert corpus.documents.summary(old) == corpus.documents.summary(new)


async def test_menus_are_kept_for_crawls(corpus: Corpus, site: Site) -> None:
    site.page("/a.html", f"<nav><a href='/menu.html'>Menu</a></nav>{html(TEXT * 3)}")
    async with pipeline(corpus) as made:
        outcome = await made.ingest(site.url("/a.html"))
    assert site.url("/menu.html") in corpus.documents.outgoing(outcome.summary.id)


@pytest.mark.parametrize(("host", "requests"), [("127.0.0.1", 1), ("other.example", 2)])
async def test_a_site_can_have_its_own_refresh_time(corpus: Corpus, site: Site, host: str, requests: int) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 3))
    async with pipeline(corpus, site_stale_after_seconds={host: 90_000}) as made:
        await made.ingest(url)
        age(corpus, url, 9_000)
        assert await made.is_fresh(url) is (requests == 1)
        await made.ingest(url)
    assert site.count("/tides.html") == requests


@pytest.mark.parametrize(("seconds", "is_fresh"), [(-600, True), (-365 * 86_400, False), (365 * 86_400, False)])
async def test_a_clock_jump_does_not_keep_a_page_fresh(
    corpus: Corpus, site: Site, seconds: int, is_fresh: bool
) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 3))
    async with pipeline(corpus) as made:
        await made.ingest(url)
        age(corpus, url, seconds)
        assert await made.is_fresh(url) is is_fresh
        await made.ingest(url)
    assert site.count("/tides.html") == (1 if is_fresh else 2)
    assert corpus.totals().documents == 1


# noindex


async def test_noindex_binds_automatic_reading_only(corpus: Corpus, site: Site) -> None:
    link = "<a href='/next.html'>next</a>"
    site.page("/meta.html", html(TEXT, link, head="<meta name=robots content=noindex><title>T</title>"))
    site.page("/header.html", html(TEXT, link), headers={"X-Robots-Tag": "noindex, nofollow"})
    async with pipeline(corpus) as made:
        with pytest.raises(NoIndexError) as caught:
            await made.ingest(site.url("/meta.html"), automatic=True)
        assert caught.value.links == (site.url("/next.html"),)
        with pytest.raises(NoIndexError) as caught:
            await made.ingest(site.url("/header.html"), automatic=True)
        assert caught.value.links == ()
        assert corpus.totals().documents == 0
        assert (await made.ingest(site.url("/meta.html"))).change is Change.STORED
    async with pipeline(corpus, obeys_noindex=False) as made:
        assert (await made.ingest(site.url("/header.html"), automatic=True)).change is Change.STORED


async def test_a_followed_page_becomes_the_users_page_when_named(corpus: Corpus, site: Site) -> None:
    url = site.url("/tides.html")
    site.page("/tides.html", html(TEXT * 3))

    def way() -> CameBy:
        row = corpus.documents.summary(url)
        assert row is not None
        return row.came_by

    async with pipeline(corpus, claim=corpus.documents.claim) as made:
        await made.ingest(url, automatic=True, found_on=site.url("/"))
        assert way() is CameBy.LINK
        await made.ingest(url, refresh=True)
        assert way() is CameBy.LINK, "refreshing a page does not add it"
        call = CURRENT_CALL.set(7)
        await made.ingest(url)
        CURRENT_CALL.reset(call)
        assert way() is CameBy.ASSISTANT
        await made.ingest(url)
        assert way() is CameBy.PERSON and site.count("/tides.html") == 2


async def test_a_page_of_a_list_counts_as_named_by_the_user(corpus: Corpus, site: Site) -> None:
    """robots.txt and noindex are ignored; automatic pages remain automatic on a list."""
    url = site.url("/meta.html")
    site.page("/robots.txt", "User-agent: *\nDisallow: /", content_type="text/plain")
    site.page("/meta.html", html(TEXT * 3, head="<meta name=robots content=noindex><title>T</title>"))
    async with pipeline(corpus) as made:
        with pytest.raises(RobotsDeniedError):
            await made.ingest(url, automatic=True, listed=True)
        assert site.count("/meta.html") == 0
        site.requests.clear()
        assert (await made.ingest(url, listed=True)).change is Change.STORED
    assert [seen.path for seen in site.requests] == ["/meta.html"]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("noindex", {"noindex"}),
        ("NoIndex , nofollow", {"noindex", "nofollow"}),
        ("otherbot: noindex, nofollow", set()),
        ("otherbot: noindex, webrag-desktop: none", {"none"}),
        ("max-snippet: 20, noindex", {"max-snippet: 20", "noindex"}),
        ("", {""}),
    ],
)
def test_directives_of_the_header(header: str, found: set[str]) -> None:
    assert directives(header) == found


def test_a_page_without_robots_rules_passes() -> None:
    check_index("https://a.example/", Page("u", "t", "x"), "max-snippet:-1, all")
    with pytest.raises(NoIndexError):
        check_index("https://a.example/", None, "none")


# pages that JavaScript builds


class Renderer:
    """A stand-in for a browser."""

    def __init__(self, content: bytes | None, seconds: float = 0.0) -> None:
        self.content = content
        self.seconds = seconds
        self.asked: list[str] = []
        self.occasions: list[Occasion] = []

    async def render(self, url: str, occasion: Occasion = Occasion.NAMED) -> bytes:
        self.asked.append(url)
        self.occasions.append(occasion)
        await asyncio.sleep(self.seconds)
        if self.content is None:
            raise RenderError("The renderer took too long.", url=url)
        return self.content


@pytest.mark.parametrize("page", [MARKDOWN_LINK + SKELETON, PARTLY])
async def test_a_skeleton_is_read_from_its_markdown_version(corpus: Corpus, site: Site, page: str) -> None:
    site.page("/app", page)
    site.page("/app.md", f"# Harbour app\n\n{TEXT * 3}", content_type="text/markdown")
    renderer = Renderer(b"")
    async with pipeline(corpus, renderer=renderer) as made:
        outcome = await made.ingest(site.url("/app"))
    assert outcome.summary.url == site.url("/app") and not renderer.asked
    assert "Markdown version" in outcome.summary.note and "JavaScript" not in outcome.summary.note
    document = corpus.documents.get(site.url("/app"))
    assert document is not None and document.text.startswith("# Harbour app")


async def test_a_markdown_version_elsewhere_is_not_asked_for(corpus: Corpus, site: Site) -> None:
    other = site.url("/far.md", host="127.0.0.2")
    site.page("/app", MARKDOWN_LINK.replace("/app.md", other) + SKELETON)
    async with pipeline(corpus) as made:
        with pytest.raises(SkeletonPageError):
            await made.ingest(site.url("/app"))
    assert site.count("/far.md") == 0


@pytest.mark.parametrize(("address", "version"), [("/guide", "/guide.md"), ("/docs/", "/docs/index.html.md")])
async def test_a_skeleton_is_read_from_the_usual_place(corpus: Corpus, site: Site, address: str, version: str) -> None:
    site.page(address, SKELETON)
    site.page(version, f"# Guide\n\n{TEXT * 3}", content_type="text/markdown")
    async with pipeline(corpus) as made:
        outcome = await made.ingest(site.url(address))
    assert outcome.summary.url == site.url(address) and "Markdown version" in outcome.summary.note


async def test_a_skeleton_at_the_usual_address_is_not_a_markdown_version(corpus: Corpus, site: Site) -> None:
    site.page("/guide", SKELETON)
    site.page("/guide.md", f"<main><p>{TEXT * 3}</p></main>")
    async with pipeline(corpus) as made:
        with pytest.raises(SkeletonPageError):
            await made.ingest(site.url("/guide"))


async def test_a_skeleton_is_rendered(corpus: Corpus, site: Site) -> None:
    site.page("/app", SKELETON)
    renderer = Renderer(html(TEXT * 3).encode())
    async with pipeline(corpus, renderer=renderer) as made:
        outcome = await made.ingest(site.url("/app"))
    assert renderer.asked == [site.url("/app")] and "page renderer" in outcome.summary.note
    assert outcome.summary.title == "Tides"


async def test_a_page_read_from_its_markdown_version_is_read_again(corpus: Corpus, site: Site) -> None:
    """The JavaScript shell stays the same when the text changes: its ETag is meaningless."""
    site.page("/app", MARKDOWN_LINK + SKELETON, etag=True)
    site.page("/app.md", f"# Harbour app\n\n{TEXT * 3}", content_type="text/markdown")
    site.page("/drawn", SKELETON, etag=True)
    renderer = Renderer(html(TEXT * 3).encode())
    async with pipeline(corpus, renderer=renderer) as made:
        for path in ("/app", "/drawn"):
            await made.ingest(site.url(path))
        site.page("/app.md", f"# Harbour app\n\n{TEXT * 3} The pier is open.", content_type="text/markdown")
        renderer.content = html(TEXT * 3, "The pier is open.").encode()
        for path in ("/app", "/drawn"):
            assert (await made.ingest(site.url(path), refresh=True)).change is Change.UPDATED
            document = corpus.documents.get(site.url(path))
            assert document is not None and "The pier is open." in document.text


async def test_the_wait_for_the_renderer_is_not_counted(corpus: Corpus, site: Site) -> None:
    """The renderer has its own limit, which starts with its slot; a waiting caller comes first there."""
    site.page("/app", SKELETON)
    site.page("/next", SKELETON)
    renderer = Renderer(html(TEXT * 3).encode(), seconds=0.3)
    async with pipeline(corpus, renderer=renderer, probe_seconds=0.1) as made:
        assert (await made.ingest(site.url("/app"))).change is Change.STORED
        await made.ingest(site.url("/next"), listed=True)
    assert renderer.occasions == [Occasion.NAMED, Occasion.LISTED]


async def test_a_markdown_version_without_a_waiting_caller_has_more_time(corpus: Corpus, site: Site) -> None:
    """In the background, the rate of the site may delay it for longer than a caller would wait."""
    site.page("/app", MARKDOWN_LINK + SKELETON)
    site.page("/app.md", f"# Harbour app\n\n{TEXT * 3}", content_type="text/markdown", delay=0.3)
    async with pipeline(corpus, probe_seconds=0.1) as made:
        assert (await made.ingest(site.url("/app"), automatic=True)).summary.title == "Harbour app"


async def test_without_a_renderer_the_error_has_a_hint(corpus: Corpus, site: Site) -> None:
    site.page("/app", SKELETON)
    site.page("/partly", PARTLY.replace(MARKDOWN_LINK, ""))
    async with pipeline(corpus) as made:
        with pytest.raises(SkeletonPageError) as caught:
            await made.ingest(site.url("/app"))
        assert "WebRAG extension" in caught.value.hint
        note = (await made.ingest(site.url("/partly"))).summary.note
        assert "JavaScript" in note and "WebRAG extension" in note
    async with pipeline(corpus, renderer_advice=SWITCH_ON_RENDERER) as made:
        with pytest.raises(SkeletonPageError) as caught:
            await made.ingest(site.url("/app"))
        assert "Settings" in caught.value.hint


async def test_one_limited_attempt_is_made(corpus: Corpus, site: Site) -> None:
    site.page("/app", MARKDOWN_LINK + SKELETON)
    site.hang("/app.md")
    renderer = Renderer(html(TEXT).encode())
    async with pipeline(corpus, renderer=renderer, probe_seconds=0.2) as made:
        with pytest.raises(SkeletonPageError, match="JavaScript") as caught:
            await made.ingest(site.url("/app"))
    assert "took too long" in caught.value.hint and not renderer.asked
    site.page("/bare", SKELETON)
    async with pipeline(corpus, renderer=Renderer(None)) as made:
        with pytest.raises(SkeletonPageError) as caught:
            await made.ingest(site.url("/bare"))
    assert "renderer took too long" in caught.value.hint


# files


async def test_a_file_is_stored_under_its_address(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "my notes.md"
    path.write_text(f"# Notes\n\n{TEXT}")
    async with pipeline(corpus) as made:
        outcome = await made.store_file(path, folder_id=None)
        summary = outcome.summary
        assert (summary.url, summary.kind, summary.title) == (path.as_uri(), "file", "Notes")
        assert outcome.change is Change.STORED
        assert (await made.store_file(path, folder_id=None)).change is Change.UNCHANGED
        for spelling in (path.as_uri(), f"file://{path}"):
            assert await made.is_fresh(spelling)
            assert (await made.ingest(spelling)).summary.id == summary.id
        path.write_text("# Other\n\nText.")
        assert (await made.ingest(path.as_uri(), refresh=True)).summary.title == "Notes"
        assert (await made.store_file(path, folder_id=None)).change is Change.UPDATED


async def test_naming_a_file_does_not_read_it(corpus: Corpus, tmp_path: Path) -> None:
    path = tmp_path / "secret.md"
    path.write_text("# Secret\n\nA key.")
    async with pipeline(corpus) as made:
        for url in (
            path.as_uri(),
            f"file://{path}",
            "file:secret.md",
            "file://host/share/x.md",
            "file:///%00",
            "file:",
        ):
            with pytest.raises(InvalidURLError) as caught:
                await made.ingest(url, refresh=True)
            assert "on the Library page" in caught.value.hint
    assert corpus.totals().documents == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and pipes")
async def test_only_regular_files_within_the_cap_are_read(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "target.md"
    target.write_text("# Text\n\nwords " * 20)
    link, pipe = tmp_path / "link.md", tmp_path / "pipe.md"
    link.symlink_to(target)
    os.mkfifo(pipe)
    async with pipeline(corpus) as made:
        for path in (link, pipe, tmp_path, tmp_path / "missing.md", Path("relative.md")):
            with pytest.raises(FileAccessError):
                await made.store_file(path, folder_id=None)
        monkeypatch.setattr(caps, "MAX_FILE_BYTES", 100)
        with pytest.raises(FileAccessError, match="larger"):
            await made.store_file(target, folder_id=None)
        target.write_text(" ")
        with pytest.raises(EmptyPageError):
            await made.store_file(target, folder_id=None)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        *[(f"a{suffix}", "text/markdown") for suffix in (".md", ".MDX", ".markdown")],
        *[
            ("a.rst", "text/x-rst"),
            ("a.mhtml", "multipart/related"),
            ("a.HTML", "text/html"),
            ("a.pdf", "application/pdf"),
        ],
        *[("a.csv", "text/csv"), ("a.eml", "message/rfc822")],
        *[(name, "text/x-source") for name in ("a.rs", "a.ts", "a.sql")],
        *[(name, "") for name in ("a.png", "README")],
    ],
)
def test_types_are_recognized_by_suffix(name: str, kind: str) -> None:
    assert content_type_of(Path(name)) == kind


def test_the_hash_covers_the_whole_text() -> None:
    import hashlib

    text = "Größe \ud800 \U0001f30a " * 30_000
    assert content_hash(text) == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


async def test_a_wrong_entity_tag_is_overridden_by_a_refresh_by_name(corpus: Corpus, site: Site) -> None:
    """A site that gives every version of a page the same tag always responds with "not modified"."""

    def at_version(text: str) -> None:
        def answer(exchange: Exchange) -> None:
            if exchange.request.headers.get("if-none-match") == '"same"':
                exchange.start(304, None, {"ETag": '"same"'})
            else:
                exchange.send(html(text * 20).encode(), 200, "text/html", {"ETag": '"same"'})

        site.on("/tides", answer)

    at_version(TEXT)
    async with pipeline(corpus) as pipe:
        await pipe.ingest(site.url("/tides"))
        at_version(TEXT.replace("six", "seven"))
        outcome = await pipe.ingest(site.url("/tides"), refresh=True)
    assert outcome.change is Change.UPDATED
    document = corpus.documents.get(site.url("/tides"))
    assert document is not None and "seven hours" in document.text


@pytest.mark.parametrize("seconds", [None, 30.0])
async def test_an_endless_linked_page_does_not_delay_named_pages(
    corpus: Corpus, site: Site, monkeypatch: pytest.MonkeyPatch, seconds: float | None
) -> None:
    """`seconds`: an answer waits for the link; without it, no caller does."""
    monkeypatch.setattr("app.ingest.preparation.worker_command", lambda: worker(ENDLESS))
    site.page("/found.mht", html(f"endless {TEXT}"), content_type="text/html")
    site.page("/named.mht", html(TEXT), content_type="text/html")
    async with pipeline(corpus) as made:
        found = asyncio.ensure_future(made.ingest(site.url("/found.mht"), automatic=True, seconds=seconds))
        async with asyncio.timeout(60):
            while not any(psutil.Process().children()):  # noqa: ASYNC110 (another process)
                await asyncio.sleep(0.01)
            outcome = await made.ingest(site.url("/named.mht"))
        assert outcome.summary.chunks and not found.done()
        found.cancel()
        await asyncio.gather(found, return_exceptions=True)
