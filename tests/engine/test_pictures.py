"""Images of pages in the whole engine: off by default, shown, counted, not part of backups, and deleted with their pages."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from app.corpus.pictures import picture_files
from app.engine import Engine, build_engine
from app.engine.erasing import Kept, erase
from app.ingest import pictures
from app.secrets import SecretStore
from app.settings import load_settings
from app.web import address
from tests.ingest.workshop import until
from tests.support.site import Site

PAGE = """<html><head><title>Pumps</title></head><body><main><h1>Pumps</h1>
<p>The pump is checked every spring before the water is let into the upper basin of the garden.</p>
<img src="/pump.png" alt="The pump"><p>It has two valves, and both of them are checked as well.</p></main></body></html>"""


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """Yield a site on loopback that counts as part of the internet here."""
    real = address.kind_of
    monkeypatch.setattr(address, "kind_of", lambda ip: "" if ip == "127.0.0.1" else real(ip))
    monkeypatch.setattr(pictures, "QUIET_SECONDS", 0.0)
    made = io.BytesIO()
    Image.new("RGB", (60, 40), "green").save(made, "PNG")
    with Site() as running:
        running.page("/page", PAGE)
        running.page("/pump.png", made.getvalue(), content_type="image/png")
        yield running


async def started(folder: Path, *, keeps: bool) -> Engine:
    settings = load_settings(data_dir=folder)
    engine = build_engine(replace(settings, keep_pictures=keeps, allow_networks=("127.0.0.0/8",)))
    await engine.start(background=False)
    return engine


async def test_pictures_from_the_page_to_their_end(tmp_path: Path, site: Site) -> None:
    data = tmp_path / "data"
    engine = await started(data, keeps=True)
    url = site.url("/page")
    await engine.ensure_ingested(url)
    fetching = engine._components.picture_fetching
    assert fetching is not None
    await until(lambda: fetching.is_idle)
    (kept,) = (await engine.documents.pictures(url)).values()
    assert (kept.url, kept.width) == (site.url("/pump.png"), 60)
    summary = engine._corpus.documents.summary(url)
    assert summary is not None
    found = engine.artifacts.picture(f"webrag://page/{summary.id}/picture/1")
    assert found is not None and found.picture.content == kept.content and found.title == "The pump"
    assert (await engine.maintenance.storage()).pictures > len(kept.content)

    backup = tmp_path / "backup.db"
    await engine.maintenance.backup(backup)
    assert kept.content not in await asyncio.to_thread(backup.read_bytes)
    await engine.stop()

    engine = await started(data, keeps=True)
    assert list(await engine.documents.pictures(url)) == [kept.url], "they survive a restart"
    await engine.documents.delete([summary.id])
    assert await engine.documents.pictures(url) == {}
    await engine.stop()

    assert any(file.exists() for file in picture_files(data))
    erase(data, {Kept.LIBRARY}, SecretStore())
    assert not any(file.exists() for file in picture_files(data))


async def test_images_are_only_fetched_if_turned_on_and_deleted_when_turned_off(tmp_path: Path, site: Site) -> None:
    data = tmp_path / "data"
    data.mkdir()
    for file in picture_files(data):
        file.write_bytes(b"of before")
    engine = await started(data, keeps=False)
    await engine.ensure_ingested(site.url("/page"))
    assert engine._components.picture_fetching is None
    assert await engine.documents.pictures(site.url("/page")) == {}
    await engine.stop()
    assert not site.count("/pump.png")
    assert not any(file.exists() for file in picture_files(data))
