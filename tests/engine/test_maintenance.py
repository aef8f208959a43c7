"""Information of the engine about itself: sizes, the embedder's self-test, and updates."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app.embed.embedder import Embedder, check, load_reference
from app.engine.licences import packages
from app.engine.maintenance import check_for_update, newest_release
from app.errors import (
    AddressDeniedError,
    BodyTooLargeError,
    FetchError,
    InvalidArgumentError,
    UpdateCheckError,
    WebRAGError,
)
from app.paths import assets_dir
from app.web.address import AddressPolicy
from app.web.fetch import Fetcher, FetchOptions
from tests.support.site import Site, as_if_over_https

ATOM = """<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>
<entry><title>WebRAG Desktop 0.9.0</title><link rel="alternate" href="https://a.example/0.9.0"/></entry>
<entry><title>v0.10.0</title><link href="https://a.example/0.10.0"/></entry>
<entry><title>v1.0.0rc1</title><link href="https://a.example/rc"/></entry></feed>"""


@pytest.fixture
async def fetcher(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Fetcher]:
    as_if_over_https(monkeypatch)
    made = Fetcher(FetchOptions(timeout_seconds=2), AddressPolicy(allow_networks=("127.0.0.0/8",)))
    yield made
    await made.aclose()


def feed(site: Site, body: str | bytes, content_type: str = "application/json", status: int = 200) -> str:
    site.page("/feed", body, status=status, content_type=content_type)
    return site.url("/feed").replace("http://", "https://")


@pytest.mark.parametrize(
    ("body", "content_type", "version", "page"),
    [
        ('{"version": "0.2.0", "url": "https://a.example/n"}', "application/json", "0.2.0", "https://a.example/n"),
        (
            '{"tag_name": "v0.10.0", "html_url": "https://a.example/r", "prerelease": false}',
            "application/json",
            "0.10.0",
            "https://a.example/r",
        ),
        (
            '[{"name": "0.3"}, {"name": "0.12", "prerelease": true}, {"name": "0.4.post1"}]',
            "application/json",
            "0.4.post1",
            "",
        ),
        ('{"version": "0.5", "url": "javascript:alert(1)"}', "text/plain", "0.5", ""),
        ('{"version": "0.5", "url": "http://a.example/0.5"}', "text/plain", "0.5", ""),
        (ATOM, "application/atom+xml", "0.10.0", "https://a.example/0.10.0"),
    ],
)
async def test_the_newest_version_of_a_feed_is_found(
    fetcher: Fetcher, body: str, content_type: str, version: str, page: str
) -> None:
    with Site() as site:
        found = await check_for_update(fetcher, feed(site, body, content_type), "0.1.0")
    assert (found.newest.version, found.newest.page, found.is_newer) == (version, page, True)


@pytest.mark.parametrize(
    ("current", "newer"), [("0.9.9", True), ("0.10.0", False), ("0.10.0.dev1", True), ("1.0", False)]
)
async def test_versions_are_compared_as_versions(fetcher: Fetcher, current: str, newer: bool) -> None:
    with Site() as site:
        found = await check_for_update(fetcher, feed(site, '{"version": "0.10.0"}'), current)
    assert found.is_newer is newer


@pytest.mark.parametrize(
    "body", ["{}", "[]", "null", '{"version": 3}', '{"version": "soon"}', "<feed/>", "nothing", '{"version": "2.0b1"}']
)
async def test_a_feed_without_a_version_is_an_error(fetcher: Fetcher, body: str) -> None:
    with Site() as site, pytest.raises(UpdateCheckError):
        await check_for_update(fetcher, feed(site, body, "text/plain"), "0.1.0")


@pytest.mark.parametrize("status", [404, 500])
async def test_a_missing_feed_is_an_error(fetcher: Fetcher, status: int) -> None:
    with Site() as site, pytest.raises(FetchError):
        await check_for_update(fetcher, feed(site, "{}", status=status), "0.1.0")


async def test_a_feed_that_is_too_long_is_refused(fetcher: Fetcher) -> None:
    with Site() as site, pytest.raises((UpdateCheckError, BodyTooLargeError)):
        await check_for_update(fetcher, feed(site, json.dumps({"version": "1", "x": "y" * 600_000})), "0.1.0")


@pytest.mark.parametrize(
    "address", ["http://a.example/feed", "HTTP://127.0.0.1/feed", "a.example/feed", "file:///etc/passwd"]
)
async def test_a_feed_is_requested_over_https_only(fetcher: Fetcher, address: str) -> None:
    with pytest.raises(InvalidArgumentError, match="https://"):
        await check_for_update(fetcher, address, "0.1.0")


async def test_no_feed_and_a_private_one_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    as_if_over_https(monkeypatch)
    closed = Fetcher(FetchOptions(timeout_seconds=2), AddressPolicy())
    with Site() as site:
        with pytest.raises(InvalidArgumentError, match="does not have an address"):
            await check_for_update(closed, " ", "0.1.0")
        with pytest.raises(AddressDeniedError):
            await check_for_update(closed, feed(site, '{"version": "2"}'), "0.1.0")
        assert site.count("/feed") == 0
    await closed.aclose()


@pytest.mark.parametrize("deep", ["[" * 100_000, '{"a":' * 50_000])
def test_a_malicious_feed_is_an_error(deep: str) -> None:
    with pytest.raises(WebRAGError):
        newest_release(deep.encode(), "https://a.example/")


def test_the_bundled_model_passes_its_self_test(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.embed.embedder.EMBEDDER_CHECK_PASSAGES", 4)
    reference = load_reference(assets_dir())
    assert reference is not None
    found = check(embedder, reference, 2)
    assert found.is_sound and found.cosine is not None and 0.985 < found.cosine <= 1
    assert found.question_ms > 0 and found.passages_per_second > 0


def test_a_wrong_model_fails_its_self_test(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.embed.embedder.EMBEDDER_CHECK_PASSAGES", 2)
    reference = load_reference(assets_dir())
    assert reference is not None
    reference.vectors[:] = np.roll(reference.vectors, 1, axis=0)
    assert not check(embedder, reference, 2).is_sound


def test_a_build_without_reference_measures_the_speed_only(
    embedder: Embedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.embed.embedder.EMBEDDER_CHECK_PASSAGES", 2)
    (tmp_path / "model_reference.json").write_text('{"texts": []}')
    assert load_reference(tmp_path) is None
    assert check(embedder, None, 1).cosine is None


def test_every_package_has_a_licence() -> None:
    found = {each.name.lower(): each for each in packages()}
    assert {"apsw", "onnxruntime", "mcp", "python", "webrag-desktop"} <= set(found)
    assert not [name for name, each in found.items() if not each.licence]
    without = {name for name, each in found.items() if not each.text}
    assert len(without) < len(found) / 5
    assert not {"pytest", "mypy", "hypothesis", "pyinstaller"} & set(found), "test dependencies are not part of it"


def test_packages_are_found_where_the_program_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    from importlib.metadata import PackageNotFoundError

    def absent(_name: str) -> Any:
        raise PackageNotFoundError

    monkeypatch.setattr("app.engine.licences.distribution", absent)
    assert "apsw" in {each.name for each in packages()}
