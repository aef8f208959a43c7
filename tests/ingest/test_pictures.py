"""Images of stored pages, from the page to the cache: real server, real fetcher, real decoding process."""

from __future__ import annotations

import asyncio
import base64
import io
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from PIL import Image

from app import caps
from app.corpus.pictures import PICTURES_FILE, PictureStore
from app.corpus.restore import SIDE_FILES
from app.engine.documents import Documents
from app.errors import FetchError
from app.extract.pictures import read_picture
from app.ingest import pictures
from app.ingest.pictures import PictureFetching
from app.ingest.pipeline import BrowserPage
from app.ingest.preparation import Preparer
from app.ingest.prepared import PictureBody
from app.web import address
from tests.ingest.workshop import SENTENCE, Workshop, count_tokens, until, workshop
from tests.support.site import Exchange, Site

INSIDE = "127.0.0.7"


def png(width: int = 60, height: int = 40, colour: str = "green") -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(made, "PNG")
    return made.getvalue()


def page(*pictures: str) -> str:
    """Return a page with images, each after its own sentence; very many in a row."""
    if len(pictures) > 100:
        row = "".join(f'<img src="{url}">' for url in pictures)
        return f"<html><head><title>Pumps</title></head><body><main><p>{SENTENCE}</p>{row}<p>{SENTENCE}</p></main></body></html>"
    shown = "".join(
        f'<p>{SENTENCE} {number}.</p><img src="{url}" alt="Pump {number}">' for number, url in enumerate(pictures)
    )
    return f"<html><head><title>Pumps</title></head><body><main><h1>Pumps</h1>{shown}<p>{SENTENCE}</p></main></body></html>"


@pytest.fixture(autouse=True)
def quick_and_public(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 counts as the internet, the rest of loopback as a private network; no delay before images are fetched."""
    real = address.kind_of
    monkeypatch.setattr(address, "kind_of", lambda ip: "" if ip == "127.0.0.1" else real(ip))
    monkeypatch.setattr(pictures, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(pictures, "RENEW_SECONDS", -1.0)


@pytest.fixture
def decoded_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decode in a thread of the tests that are not about the decoding process."""
    monkeypatch.setattr(
        Preparer, "picture", lambda _self, body: asyncio.to_thread(read_picture, body.content, body.url)
    )


@dataclass
class Gallery:
    """The parts for the images of one run."""

    shop: Workshop
    store: PictureStore
    fetching: PictureFetching
    site: Site

    async def add(self, html: str, path: str = "/page") -> str:
        """Store a page that the site serves from now on, and wait for its images."""
        self.site.page(path, html)
        url = self.site.url(path)
        await self.shop.pipeline.ingest(url, refresh=True)
        await self.settled()
        return url

    async def settled(self) -> None:
        await until(lambda: self.fetching.is_idle)

    def kept(self, page: str) -> list[str]:
        """Return the paths of a page's images."""
        return sorted("/" + url.split("/", 3)[3] for url in self.store.of_page(page))


@asynccontextmanager
async def gallery(folder: Path, site: Site) -> AsyncIterator[Gallery]:
    async with workshop(folder, start=False) as shop:
        store = PictureStore(folder / PICTURES_FILE, 50 * caps.MIB)
        fetching = PictureFetching(shop.corpus, store, shop.pipeline, shop.fetcher, shop.bus)
        fetching.start()
        try:
            yield Gallery(shop, store, fetching, site)
        finally:
            await fetching.stop()


@pytest.fixture
async def made(tmp_path: Path, site: Site) -> AsyncIterator[Gallery]:
    async with gallery(tmp_path, site) as opened:
        yield opened


async def test_images_follow_the_page_and_are_refreshed_with_it(made: Gallery, site: Site) -> None:
    site.page("/a.png", png(), content_type="image/png", etag=True)
    site.page("/b.jpg", png(), content_type="image/jpeg")
    url = await made.add(page("/a.png", "/b.jpg", "/gone.png"))
    assert made.kept(url) == ["/a.png", "/b.jpg"]
    kept = made.store.of_page(url)[site.url("/a.png")]
    assert (kept.media_type, kept.width, kept.height) == ("image/png", 60, 40)

    site.page("/b.jpg", png(80, 80), content_type="image/jpeg")
    await made.add(page("/a.png", "/b.jpg") + "<p>One more sentence about the pump.</p>")
    assert made.store.of_page(url)[site.url("/b.jpg")].width == 80
    assert site.requests[-1].headers.get("if-none-match") or site.requests[-2].headers.get("if-none-match")

    await made.add(page("/a.png") + "<p>Two more sentences.</p>")
    assert made.kept(url) == ["/a.png"], "images no longer on the page are deleted"


@pytest.mark.usefixtures("decoded_here")
async def test_an_invalid_image_is_skipped_silently(made: Gallery, site: Site) -> None:
    site.page("/login.png", "<html><body>Sign in</body></html>", content_type="image/png")
    site.page("/page.png", "<html><body>Sign in</body></html>")
    site.page("/drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', content_type="image/svg+xml")
    site.page("/disguised.png", '<svg xmlns="http://www.w3.org/2000/svg"/>', content_type="image/png")
    site.page("/counter.gif", png(1, 1), content_type="image/gif")
    site.page("/cut.png", png(300, 300)[:60], content_type="image/png")
    site.page("/fine.png", png(), content_type="application/octet-stream")
    names = ("/login.png", "/page.png", "/drawing.svg", "/disguised.png", "/counter.gif", "/cut.png", "/fine.png")
    url = await made.add(page(*names))
    assert made.kept(url) == ["/fine.png"]
    asked = len(site.requests)
    await made.add(page(*names) + "<p>More.</p>")
    assert len(site.requests) <= asked + 2, "an address without an image is not requested again"


@pytest.mark.usefixtures("decoded_here")
async def test_embedded_data_is_skipped(made: Gallery) -> None:
    data = base64.b64encode(bytes(caps.MIB // 8)).decode()
    small = base64.b64encode(png()).decode()
    url = await made.add(page(f"data:image/png;base64,{data}", f"data:image/png;base64,{small}"))
    assert made.kept(url) == []


@pytest.mark.usefixtures("decoded_here")
async def test_a_page_with_ten_thousand_images_is_limited(
    made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_PICTURES_KEPT_PER_PAGE", 3)
    monkeypatch.setattr(pictures, "MAX_TRIED_PER_PAGE", 5)
    for number in range(1, 6):
        site.page(f"/{number}.png", png(), content_type="image/png")
    url = await made.add(page(*(f"/{number}.png" for number in range(10_000))))
    assert made.kept(url) == ["/1.png", "/2.png", "/3.png"]
    assert not site.count("/5.png")


@pytest.mark.usefixtures("decoded_here")
async def test_all_images_of_a_page_stay_within_the_size_limit(
    made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(caps, "MAX_PAGE_PICTURE_BYTES", 2 * len(png()) + 60)
    for number in range(4):
        site.page(f"/{number}.png", png(), content_type="image/png")
    url = await made.add(page(*(f"/{number}.png" for number in range(4))))
    assert 1 <= len(made.kept(url)) <= 2


@pytest.mark.usefixtures("decoded_here")
async def test_images_of_private_networks_are_not_fetched(made: Gallery, site: Site) -> None:
    site.page("/a.png", png(), content_type="image/png")
    site.redirect("/moved.png", site.url("/a.png", host=INSIDE))
    outside = await made.add(page(site.url("/a.png", host=INSIDE), "/moved.png"))
    assert made.kept(outside) == [] and not site.count("/a.png")

    browser = BrowserPage(f"http://{INSIDE}:{site.port}/wiki", page(site.url("/a.png")).encode(), "digest")
    await made.shop.pipeline.store_browser_page(browser)
    await made.settled()
    assert made.store.pages() == [] and not site.count("/a.png"), "images of an inside page are never requested"


async def test_a_page_saved_from_the_browser_gets_images_that_need_no_sign_in(made: Gallery, site: Site) -> None:
    site.page("/open.png", png(), content_type="image/png")
    site.page("/signed-in.png", "Sign in", status=403)
    browser = BrowserPage(site.url("/mine"), page("/open.png", "/signed-in.png").encode(), "digest")
    await made.shop.pipeline.store_browser_page(browser)
    await made.settled()
    assert made.kept(site.url("/mine")) == ["/open.png"]


@pytest.mark.usefixtures("decoded_here")
async def test_deleting_a_page_deletes_its_images(made: Gallery, site: Site) -> None:
    site.page("/a.png", png(), content_type="image/png")
    url = await made.add(page("/a.png"))
    summary = made.shop.corpus.documents.summary(url)
    assert summary is not None and made.kept(url)
    documents = Documents(made.shop.corpus, made.shop.corpus, made.shop.bus, made.store)
    assert list(await documents.pictures(url)) == [site.url("/a.png")]
    await documents.delete([summary.id])
    assert made.store.bytes == 0
    await made.settled()
    assert made.store.pages() == []


@pytest.mark.usefixtures("decoded_here")
async def test_images_of_a_replaced_library_are_deleted_at_the_next_start(tmp_path: Path, site: Site) -> None:
    site.page("/a.png", png(), content_type="image/png")
    async with gallery(tmp_path, site) as first:
        url = await first.add(page("/a.png"))
        assert first.kept(url)
    for suffix in ("", *SIDE_FILES):
        (tmp_path / f"corpus.db{suffix}").unlink(missing_ok=True)
    async with gallery(tmp_path, site) as second:
        await until(lambda: not second.store.pages())


async def test_a_slow_image_affects_only_itself(made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.ingest import preparation

    monkeypatch.setattr(preparation, "PICTURE_SECONDS", 0.0)
    site.page("/a.png", png(), content_type="image/png")
    url = await made.add(page("/a.png"))
    assert made.kept(url) == []
    monkeypatch.setattr(preparation, "PICTURE_SECONDS", 60.0)
    site.page("/b.png", png(), content_type="image/png")
    await made.add(page("/b.png"))
    assert made.kept(url) == ["/b.png"]


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "picture", "media_type": "image/svg+xml", "width": 40, "height": 40},
        {"kind": "picture", "media_type": "image/png", "width": 40_000, "height": 40},
        {"kind": "picture", "media_type": "image/png", "width": "40", "height": 40},
        {"kind": "picture", "media_type": "image/jpeg", "width": 40, "height": 40},
        {"kind": "page", "url": "https://example.org/"},
    ],
)
async def test_a_compromised_process_can_only_return_a_small_image(tmp_path: Path, answer: dict[str, object]) -> None:
    import sys

    from app.errors import PreparationError
    from app.text.tokens import ChunkingLimits

    said = tmp_path / "worker.py"
    said.write_text(
        "import json, sys\nbody = b'\\x89PNG\\r\\n\\x1a\\n' + bytes(20)\n"
        f"sys.stdout.buffer.write(json.dumps({{**{answer!r}, 'bytes': len(body)}}).encode() + b'\\n' + body)\n"
        "sys.stdout.flush()\nsys.stdin.buffer.read()\n"
    )
    preparer = Preparer(ChunkingLimits(200, count_tokens), command=[sys.executable, str(said)])
    try:
        with pytest.raises(PreparationError):
            await preparer.picture(PictureBody(png(), "https://example.org/a.png"))
    finally:
        await preparer.stop()


@pytest.mark.usefixtures("decoded_here")
async def test_a_page_deleted_while_its_images_are_fetched_keeps_none(made: Gallery, site: Site) -> None:
    site.page("/first.png", png(), content_type="image/png")
    site.page("/last.png", png(), content_type="image/png")
    given = threading.Event()

    def late(exchange: Exchange) -> None:
        given.wait(60.0)
        exchange.send(png(), content_type="image/png")

    site.on("/late.png", late)
    site.page("/page", page("/first.png", "/late.png", "/last.png"))
    url = site.url("/page")
    await made.shop.pipeline.ingest(url)
    await until(lambda: site.count("/late.png") > 0)
    assert made.kept(url) == ["/first.png"]
    summary = made.shop.corpus.documents.summary(url)
    assert summary is not None
    await Documents(made.shop.corpus, made.shop.corpus, made.shop.bus, made.store).delete([summary.id])
    given.set()
    await made.settled()
    assert made.store.pages() == [] and made.store.bytes == 0


async def test_stopping_does_not_wait_for_an_image(tmp_path: Path, site: Site) -> None:
    site.hang("/never.png")
    async with gallery(tmp_path, site) as opened:
        site.page("/page", page("/never.png"))
        await opened.shop.pipeline.ingest(site.url("/page"))
        await until(lambda: site.count("/never.png") > 0)
        await opened.fetching.stop()
        assert site.count("/never.png") == 1


@pytest.mark.usefixtures("decoded_here")
async def test_a_pause_abandons_the_running_image_and_fetches_it_later(made: Gallery, site: Site) -> None:
    given = threading.Event()

    def late(exchange: Exchange) -> None:
        given.wait(60.0)
        exchange.send(png(), content_type="image/png")

    site.on("/late.png", late)
    site.page("/page", page("/late.png"))
    await made.shop.pipeline.ingest(site.url("/page"))
    await until(lambda: site.count("/late.png") > 0)
    made.fetching.set_paused(True)
    await until(lambda: made.fetching._under_way is None)
    given.set()
    assert not made.fetching.is_idle and made.kept(site.url("/page")) == []
    made.fetching.set_paused(False)
    await made.settled()
    assert made.kept(site.url("/page")) == ["/late.png"]


@pytest.mark.usefixtures("decoded_here")
async def test_a_page_stored_without_a_network_gets_its_images_later(
    made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "AGAIN_SECONDS", 0.01)
    site.page("/a.png", png(), content_type="image/png")
    real, asked = made.shop.fetcher.is_public, list[str]()

    async def unknown_at_first(url: str) -> bool:
        asked.append(url)
        if len(asked) < 3:
            raise FetchError("The name could not be found.")
        return await real(url)

    monkeypatch.setattr(made.shop.fetcher, "is_public", unknown_at_first)
    url = site.url("/mine")
    await made.shop.pipeline.store_browser_page(BrowserPage(url, page("/a.png").encode(), "digest"))
    await until(lambda: made.kept(url) == ["/a.png"])
    assert len(asked) == 3 and not made.fetching._tries


async def test_images_of_an_unknown_site_are_given_up(
    made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "AGAIN_SECONDS", 0.0)
    asked = list[str]()

    async def unknown(url: str) -> bool:
        asked.append(url)
        raise FetchError("The name could not be found.")

    monkeypatch.setattr(made.shop.fetcher, "is_public", unknown)
    await made.shop.pipeline.store_browser_page(BrowserPage(site.url("/mine"), page("/a.png").encode(), "digest"))
    await until(lambda: len(asked) == pictures.MOST_TRIES + 1)
    await made.settled()
    assert not made.fetching._tries and not made.fetching._later


@pytest.mark.usefixtures("decoded_here")
async def test_an_unexpected_error_affects_the_images_of_one_page(
    made: Gallery, site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    site.page("/a.png", png(), content_type="image/png")
    real = made.shop.fetcher.is_public

    async def broken(url: str) -> bool:
        if url.endswith("/odd"):
            raise KeyError(url)
        return await real(url)

    monkeypatch.setattr(made.shop.fetcher, "is_public", broken)
    assert made.kept(await made.add(page("/a.png"), "/odd")) == []
    assert "fetching the images of a page failed" in caplog.text
    assert made.kept(await made.add(page("/a.png"), "/even")) == ["/a.png"]
