"""The start of an engine with a library of an earlier version: progress, calls in the meantime, and the end of the program."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from app.corpus import migrations
from app.engine import Engine, build_engine
from app.errors import LibraryUpdatingError
from app.events import EventBus, LibraryUpdating
from app.settings import load_settings

PATIENCE = 60.0


@pytest.fixture
def engine(tmp_path: Path) -> Engine:
    """An engine with an empty library of an earlier version."""
    with closing(apsw.Connection(str(tmp_path / "corpus.db"))) as con:
        migrations.migrate(con, tmp_path / "corpus.db", migrations.MIGRATIONS[:4])
    settings = load_settings(data_dir=tmp_path, file=tmp_path / "none.toml", environ={})
    return build_engine(settings, bus=EventBus())


def slow(may_end: threading.Event, reached: threading.Event, ended: threading.Event) -> migrations.Migration:
    """Return a migration that takes until it may end."""

    def a_slow_one(con: apsw.Connection) -> Iterator[float]:
        reached.set()
        try:
            while not may_end.wait(0.01):
                yield 0.5
        finally:
            ended.set()

    return a_slow_one


async def test_calls_during_an_update_learn_how_far_it_is(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    may_end = threading.Event()
    told: list[str] = []
    shares: list[float] = []
    monkeypatch.setattr(
        migrations, "MIGRATIONS", (*migrations.MIGRATIONS, slow(may_end, threading.Event(), threading.Event()))
    )
    engine.bus.subscribe(lambda event: shares.append(event.share) if isinstance(event, LibraryUpdating) else None)

    async def ask() -> None:
        with pytest.raises(LibraryUpdatingError) as error:
            await engine.status()
        told.append(error.value.message)
        may_end.set()

    async with asyncio.timeout(PATIENCE):
        await engine.start(background=False, on_update=ask)
    assert told == ["WebRAG is updating the library for its new version (0 %)."]
    assert shares[0] == 0
    assert shares[-1] == 1
    assert (await engine.status()).totals.documents
    await engine.stop()


async def test_the_end_of_the_program_ends_an_update(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, ended = threading.Event(), threading.Event()
    monkeypatch.setattr(migrations, "MIGRATIONS", (*migrations.MIGRATIONS, slow(threading.Event(), reached, ended)))
    starting = asyncio.create_task(engine.start(background=False))
    async with asyncio.timeout(PATIENCE):
        await asyncio.to_thread(reached.wait)
        starting.cancel()
        await asyncio.gather(starting, return_exceptions=True)
        await asyncio.to_thread(ended.wait)
    with closing(apsw.Connection(str(tmp_path / "corpus.db"))) as con:
        assert con.execute("SELECT count(*) FROM migrations").get == 4
    await engine.stop()
