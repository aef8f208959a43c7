"""Fetching an image of a page: only from the public internet, with the rules for automatic fetching, and limited in size."""

from __future__ import annotations

import gzip

import pytest

from app import caps
from app.errors import (
    AddressDeniedError,
    BodyTooLargeError,
    FetchError,
    FetchTimeoutError,
    RobotsDeniedError,
    UnsupportedContentError,
)
from app.web import address, fetch
from app.web.address import AddressPolicy
from app.web.records import Validators
from tests.support.site import Site
from tests.web.conftest import LOOPBACK, MakeFetcher, resolver

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
INSIDE = "127.0.0.7"


@pytest.fixture
def public_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """127.0.0.1 counts as the internet; all other addresses keep their meaning."""
    real = address.kind_of
    monkeypatch.setattr(address, "kind_of", lambda ip: "" if ip == "127.0.0.1" else real(ip))


@pytest.mark.usefixtures("public_loopback")
async def test_an_image_is_requested_without_cookies_and_referrer(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a.png", PNG, content_type="image/png", headers={"ETag": '"1"', "Set-Cookie": "id=7"})
    fetcher = make_fetcher()
    result = await fetcher.fetch_picture(site.url("/a.png"))
    assert (result.body, result.validators.etag) == (PNG, '"1"')
    await fetcher.fetch_picture(site.url("/a.png"))
    seen = site.requests[-1].headers
    assert "image/png" in seen["accept"] and "html" not in seen["accept"] and "svg" not in seen["accept"]
    assert {"cookie", "authorization", "referer"}.isdisjoint(seen)


@pytest.mark.usefixtures("public_loopback")
async def test_an_unchanged_image_is_not_sent_again(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a.png", PNG, content_type="image/png", etag=True)
    fetcher = make_fetcher()
    first = await fetcher.fetch_picture(site.url("/a.png"))
    assert (await fetcher.fetch_picture(site.url("/a.png"), first.validators)).status == 304
    assert (await fetcher.fetch_picture(site.url("/a.png"), Validators('"other"'))).status != 304


@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/pdf", "text/plain", "application/xml"])
@pytest.mark.usefixtures("public_loopback")
async def test_a_response_of_another_type_is_not_read(make_fetcher: MakeFetcher, site: Site, kind: str) -> None:
    site.page("/a.png", PNG, content_type=kind)
    with pytest.raises(UnsupportedContentError):
        await make_fetcher().fetch_picture(site.url("/a.png"))


@pytest.mark.usefixtures("public_loopback")
async def test_a_too_large_image_ends_early(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a.png", PNG + bytes(caps.MAX_PICTURE_BYTES), content_type="image/png")
    with pytest.raises(BodyTooLargeError):
        await make_fetcher().fetch_picture(site.url("/a.png"))


async def test_images_in_opened_networks_are_not_fetched(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/a.png", PNG, content_type="image/png")
    for policy in (AddressPolicy(LOOPBACK), AddressPolicy(allow_hosts=["127.0.0.1"]), AddressPolicy()):
        with pytest.raises(AddressDeniedError):
            await make_fetcher(policy).fetch_picture(site.url("/a.png"))
    assert not site.requests


@pytest.mark.usefixtures("public_loopback")
async def test_no_redirect_reaches_a_private_address(make_fetcher: MakeFetcher, site: Site) -> None:
    policy = AddressPolicy(LOOPBACK, resolver=resolver(wiki__test=[INSIDE]))
    port = site.url("/").rsplit(":", 1)[1].strip("/")
    for place in (INSIDE, "wiki.test", "169.254.169.254", "[::1]"):
        site.redirect("/a.png", f"http://{place}:{port}/secret.png")
        with pytest.raises(AddressDeniedError):
            await make_fetcher(policy).fetch_picture(site.url("/a.png"))
    assert site.count("/secret.png") == 0


@pytest.mark.usefixtures("public_loopback")
async def test_images_follow_robots_txt(make_fetcher: MakeFetcher, site: Site) -> None:
    site.page("/robots.txt", "User-agent: *\nDisallow: /private/", content_type="text/plain")
    site.page("/private/a.png", PNG, content_type="image/png")
    with pytest.raises(RobotsDeniedError):
        await make_fetcher().fetch_picture(site.url("/private/a.png"))
    assert site.count("/private/a.png") == 0


@pytest.mark.usefixtures("public_loopback")
async def test_an_address_is_public_only_when_all_its_machines_are(make_fetcher: MakeFetcher) -> None:
    names = resolver(out__test=["127.0.0.1"], half__test=["127.0.0.1", INSIDE], inside__test=["10.0.0.7"])
    fetcher = make_fetcher(AddressPolicy(("10.0.0.0/8", *LOOPBACK), resolver=names))
    told = {name: await fetcher.is_public(f"http://{name}.test/") for name in ("out", "half", "inside")}
    assert told == {"out": True, "half": False, "inside": False}
    with pytest.raises(FetchError, match="unknown"):
        await fetcher.is_public("http://unknown.test/")


@pytest.mark.usefixtures("public_loopback")
async def test_a_server_that_never_ends_does_not_block(
    make_fetcher: MakeFetcher, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "PICTURE_SECONDS", 0.3)
    site.hang("/a.png")
    with pytest.raises(FetchTimeoutError):
        await make_fetcher(timeout_seconds=600.0).fetch_picture(site.url("/a.png"))


@pytest.mark.usefixtures("public_loopback")
async def test_decompressed_data_stays_within_the_limit(make_fetcher: MakeFetcher, site: Site) -> None:
    body = gzip.compress(bytes(caps.MAX_PICTURE_BYTES + 1))
    site.page("/a.png", body, content_type="image/png", headers={"Content-Encoding": "gzip"})
    with pytest.raises(BodyTooLargeError):
        await make_fetcher().fetch_picture(site.url("/a.png"))
