"""Events of the store, and pinned passages that outlive it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.errors import PassageExpiredError
from app.events import Event, EventBus, ScratchChanged
from app.scratch.resources import ResourceResolver
from app.scratch.store import CacheSweeper, ScratchStore
from tests.corpus.builders import document
from tests.scratch.passages import passage

ME, YOU = "claude bridge 1", "claude bridge 2"


async def test_changes_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.scratch.store.SCRATCH_EVENT_SECONDS", 0.02)
    monkeypatch.setattr("app.scratch.store.SCRATCH_SWEEP_SECONDS", 0.05)
    bus, store, events = EventBus(), ScratchStore(1_000_000, 0.1), list[Event]()
    gone = asyncio.Event()

    def on_event(event: Event) -> None:
        events.append(event)
        if isinstance(event, ScratchChanged) and event.kept == 0:
            gone.set()

    bus.subscribe(on_event)
    keeper = CacheSweeper(store, bus)
    keeper.start()
    for number in range(30):
        await asyncio.to_thread(store.put, ME, store.session(ME), passage(str(number)))
    await asyncio.to_thread(store.pin, store.listing(ME)[0].id)
    await asyncio.wait_for(gone.wait(), 30)
    keeper.stop()
    changes = [event for event in events if isinstance(event, ScratchChanged)]
    assert len(changes) < 15
    assert sum(event.pins_changed for event in changes) == 1
    assert changes[-1].pinned == 1


def test_pinned_passages_survive_a_restart_and_are_in_backups(corpus: Corpus, tmp_path: Path) -> None:
    store = ScratchStore(pins=corpus.pins)
    first, second = (store.put(ME, store.session(ME), passage(text)) for text in ("first \N{HONEYBEE}", "second"))
    pinned = store.pin(first.id)
    store.pin(second.id)
    again = ScratchStore(pins=corpus.pins)
    assert [each.id for each in again.pinned()] == [second.id, first.id]
    assert again.read_uri(YOU, pinned.uri) == pinned
    with pytest.raises(PassageExpiredError):
        again.read_uri(ME, first.uri)
    assert again.delete(second.id)
    corpus.backup(tmp_path / "copy.db")
    copied = Corpus.open(tmp_path / "copy.db", dimension=0, model="")
    assert [each.id for each in copied.pins.all()] == [first.id]
    copied.close()


def test_pages_are_found_by_their_address(corpus: Corpus) -> None:
    store = ScratchStore()
    artifacts = ResourceResolver(corpus, store)
    stored = corpus.documents.store(document("https://bees.example/hive/warm", ["Bees keep the hive warm."]))
    guide = corpus.documents.store(document("webrag://guide/search", ["How to search."]))
    page = artifacts.find(ME, f"webrag://page/{stored.document_id}")
    assert page.content.text == "Bees keep the hive warm."
    assert (page.content.source_uri, page.content.document_id) == ("https://bees.example/hive/warm", stored.document_id)
    assert artifacts.find(YOU, "webrag://guide/search").content.text == "How to search."
    assert artifacts.find(ME, f"webrag://lib/private/page/{stored.document_id}") == page
    listed = artifacts.pages(10)
    assert {entry.uri for entry in listed} == {page.uri, "webrag://guide/search"}
    assert {entry.size_bytes for entry in listed} == {len("Bees keep the hive warm."), len("How to search.")}
    corpus.documents.delete([stored.document_id])
    for gone in (
        page.uri,
        f"webrag://page/0{guide.document_id}",
        "webrag://page/-1",
        "webrag://guide/../search",
        "webrag://page/9e9",
        f"webrag://lib/team/page/{guide.document_id}",
        f"webrag://lib//page/{guide.document_id}",
    ):
        with pytest.raises(PassageExpiredError):
            artifacts.find(ME, gone)


def test_page_addresses_name_a_shared_library(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    page = corpus.documents.store(document("https://bees.example/hive/warm", ["Bees keep the hive warm."])).document_id
    monkeypatch.setattr(corpus, "name", "team")
    artifacts = ResourceResolver(corpus, ScratchStore())
    assert [entry.uri for entry in artifacts.pages(9)] == [f"webrag://lib/team/page/{page}"]
    assert artifacts.find(ME, f"webrag://lib/team/page/{page}").uri == f"webrag://lib/team/page/{page}"
    for other in (f"webrag://page/{page}", f"webrag://lib/private/page/{page}"):
        with pytest.raises(PassageExpiredError):
            artifacts.find(ME, other)


def test_addresses_are_completed(corpus: Corpus) -> None:
    artifacts = ResourceResolver(corpus, ScratchStore())
    for url in ("https://bees.example/a", "https://bees.example/b", "http://bees.example/c", "https://wasps.example/"):
        corpus.documents.store(document(url, ["Text of a page."]))
    assert artifacts.known_addresses("https://bees", 10) == ["https://bees.example/a", "https://bees.example/b"]
    assert artifacts.known_addresses("bees.", 10)[2] == "http://bees.example/c"
    assert artifacts.known_addresses("htt", 10) == artifacts.known_addresses("http", 10) != []
    assert len(artifacts.known_addresses("", 3)) == 3
