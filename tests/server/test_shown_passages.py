"""Shown passages reach the record of calls, so that the window can show what an assistant got."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from app.desktop.models.conversation import load_matches
from app.events import CallFinished, CallRecorded, CallStarted, Event, EvidenceTraced, PageRead
from app.ingest.pipeline import BrowserPage
from tests.server.small_world import Arguments, World

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Record:
    """The recorded calls of a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.told: list[Event] = []
        self.recorded: dict[int, CallRecorded] = {}

    def note(self, event: Event) -> None:
        self.told.append(event)
        if isinstance(event, CallRecorded):
            self.recorded[event.call_id] = event

    async def reads(self, tool: str, arguments: Arguments) -> tuple[PageRead, ...]:
        """Return the recorded pages of a call; its passages were announced before it ended."""
        self.told.clear()
        reply = await self.world.call(tool, arguments)
        assert not reply.is_error, reply.text
        number = next(event.call_id for event in self.told if isinstance(event, CallStarted))
        kinds = [type(event) for event in self.told if getattr(event, "call_id", 0) == number]
        if EvidenceTraced in kinds:
            assert kinds.index(EvidenceTraced) < kinds.index(CallFinished)
        async with asyncio.timeout(60):
            while number not in self.recorded:  # noqa: ASYNC110 (worker threads)
                await asyncio.sleep(0.01)
        return self.recorded[number].reads

    async def texts(self, tool: str, arguments: Arguments) -> list[tuple[str, str]]:
        """Return the addresses and texts of every passage of a call."""
        found: list[tuple[str, str]] = []
        for read in await self.reads(tool, arguments):
            document = await self.world.engine.documents.get(read.document_id)
            assert document is not None and document.url == read.url, read
            found += [(read.url, document.text[start:end]) for start, end in read.ranges]
        return found


@pytest.fixture
async def record(world: World) -> AsyncIterator[Record]:
    made = Record(world)
    unsubscribe = world.engine.bus.subscribe(made.note)
    yield made
    unsubscribe()


async def test_quotes_of_the_knowledge_base_are_recorded_as_they_stand_in_their_pages(record: Record) -> None:
    arguments = {"question": "How thick are the wooden walls that lose heat?"}
    reply = await record.world.call("kb.retrieve_evidence", arguments)
    assert reply.structured is not None
    quotes = [quote["quote"] for quote in reply.structured["quotes"]]
    found = await record.texts("kb.retrieve_evidence", arguments)
    assert found and sorted(text for _, text in found) == sorted(dict.fromkeys(quotes))


async def test_candidates_and_their_excerpts_are_recorded(record: Record) -> None:
    hives = record.world.site.url("/bees/")
    found = await record.texts("kb.search", {"query": "wooden walls lose heat", "top_k": 3})
    assert any(url == hives and "Wooden walls" in text for url, text in found)
    reply = await record.world.call("kb.search", {"query": "wooden walls lose heat", "top_k": 3})
    assert reply.structured is not None
    best = next(each for each in reply.structured["results"] if "Wooden walls" in each["preview"])
    for tool, arguments in (
        ("kb.read_excerpt", {}),
        ("kb.expand_excerpt", {}),
        ("kb.extract_evidence", {"question": "wooden walls"}),
    ):
        named = {"passage_ids": [best["passage_id"]]} if arguments else {"passage_id": best["passage_id"]}
        found = await record.texts(tool, {**arguments, **named})
        assert {url for url, _ in found} == {hives} and any("Wooden walls" in text for _, text in found), tool
    ((url, text),) = await record.texts("kb.verify_quote", {"text": "Wooden walls of 25 mm lose heat quickly."})
    assert (url, text) == (hives, "Wooden walls of 25 mm lose heat quickly.")


async def test_passages_of_one_page_are_recorded(record: Record) -> None:
    hives = record.world.site.url("/bees/")
    arguments = {"url": hives, "query": ["slit for mice", "wooden walls"], "maxResults": 1}
    found = await record.texts("web.readFromPage", arguments)
    assert {url for url, _ in found} == {hives}
    assert any("mice" in text for _, text in found) and any("Wooden walls" in text for _, text in found)


async def test_pages_of_documentation_are_recorded(record: Record) -> None:
    ((url, text),) = await record.texts("get_doc_page", {"path": "guide/faults.md", "sections": ["Noise"]})
    assert url.endswith("/guide/faults.md") and text.startswith("## Noise") and "pressure" not in text
    ((url, text),) = await record.texts("get_doc_page", {"path": "guide/start.md"})
    assert "Open the valve" in text and "green button" in text
    found = await record.reads("search_docs", {"query": "clean the filter"})
    assert all(read.document_id for read in found) and any(read.url == url.replace("start", "faults") for read in found)


async def test_a_conversation_shows_the_questions(world: World) -> None:
    recorded = asyncio.Event()
    unsubscribe = world.engine.bus.subscribe(lambda event: recorded.set() if isinstance(event, CallRecorded) else None)
    question = "Which heat do wooden walls of the quagga lose?"
    world.engine.apply(replace(world.engine.settings, keep_questions=True))
    try:
        await world.call("kb.retrieve_evidence", {"question": question})
        await asyncio.wait_for(recorded.wait(), 60)
        (turn,) = (await load_matches(world.engine, "quagga", 5)).turns
    finally:
        world.engine.apply(world.engine.settings)
        unsubscribe()
        await world.engine.questions.erase()
    assert turn.question == question and turn.passages
    assert any("Wooden walls" in excerpt.text for excerpt in turn.excerpts)


FILTER = "The filter of the extractor is rinsed every week with warm water and never with soap."
DRUM = "The drum of the extractor is turned slowly at first, so that no comb of the frames breaks."
ASKED = "How is the drum of the extractor turned?"


async def changed_page(world: World, drum: str) -> str:
    body = f"<h1>Extractor</h1><p>{FILTER}</p><h2>Drum</h2><p>{drum}</p>"
    html = f"<html><head><title>Extractor</title></head><body><main>{body}</main></body></html>"
    world.site.on("/bees/extractor", lambda exchange: exchange.send(html.encode()))
    (page,) = await world.engine.ingest([world.site.url("/bees/extractor")], refresh=True)
    assert page.is_read
    return page.url


@pytest.mark.parametrize("tool", ["kb.retrieve_evidence", "kb.read_excerpt", "web.readFromPage", "search"])
async def test_a_page_with_a_changed_cited_passage_says_so_once(record: Record, tool: str) -> None:
    world = record.world
    url = await changed_page(world, DRUM)
    arguments: Arguments = {
        "kb.retrieve_evidence": {"question": ASKED, "max_quotes": 1},
        "kb.read_excerpt": {"passage_id": url},
        "web.readFromPage": {"url": url, "query": ASKED, "maxResults": 1},
        "search": {"query": ASKED, "source_urls": [url]},
    }[tool]
    try:
        assert any("turned slowly" in text for _, text in await record.texts(tool, arguments))
        await world.engine._components.cited.stop()
        await changed_page(world, DRUM.replace("slowly", "quickly"))
        reply = await world.call(tool, arguments)
        assert "changed since it was last cited" in reply.text and "1 cited passage changed or removed)" in reply.text
        if reply.structured is not None:
            assert "1 cited passage changed or removed)" in reply.structured["note"]
        await world.engine._components.cited.stop()
        assert "last cited" not in (await world.call(tool, arguments)).text
    finally:
        (stored,) = await world.engine.documents.at([url])
        assert stored is not None
        await world.engine.documents.delete([stored.id])


async def test_a_route_from_a_browser_is_searched_by_its_address_and_never_fetched(record: Record) -> None:
    world = record.world
    url = world.site.url("/app#/orders")
    words = "The heather honey of the order is delivered in August, in jars of five hundred grams each."
    page = BrowserPage(
        url, f"<html><title>Orders</title><main><h1>Orders</h1><p>{words}</p></main></html>".encode(), "d"
    )
    kept = await world.engine.keep_from_browser(page)
    try:
        assert kept.url == url
        asked = "When is the heather honey of the order delivered?"
        for tool, arguments in (
            ("kb.read_excerpt", {"passage_id": url}),
            ("kb.verify_quote", {"text": words, "uri": url}),
            ("web.readFromPage", {"url": url, "query": asked, "maxResults": 1}),
            ("answer", {"url": url, "query": asked, "expansion_budget": 0}),
        ):
            found = await record.texts(tool, arguments)
            assert any(where == url and words in text for where, text in found), tool
        (again,) = await world.engine.ingest([url], refresh=True)
        assert again.url == url and "saving it there again" in again.note
        assert (await world.engine.status(url)).documents[0].url == url
        assert not world.site.count("/app")
    finally:
        await world.engine.documents.delete([kept.document_id])
