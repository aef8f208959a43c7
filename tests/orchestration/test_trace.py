"""Events of a running question about its pages: ordered, complete, without page text, and only for listeners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.corpus import Corpus
from app.events import CURRENT_CALL, Event, EventBus, EvidenceTraced, PageTraced, RoundTraced, SearchEnded
from app.library.records import Chunk
from app.orchestration.loop import Orchestrator
from app.orchestration.question import FAILED, READ, READING, SKIPPED, USED, WAITING, ExpansionTrace
from app.retrieval.records import LinkProposal, RetrievedChunk
from tests.orchestration.test_expansion import ANSWER, SUBJECTS, answer, asking, handbook, show
from tests.support.site import Site

CALL = 77


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> Iterator[Corpus]:
    opened = Corpus.open(tmp_path / "corpus.db", dimension=8, model="none")
    yield opened
    opened.close()


@pytest.fixture
def told() -> list[Event]:
    return []


@pytest.fixture
def bus(told: list[Event]) -> EventBus:
    made = EventBus()
    made.subscribe(told.append)
    return made


async def ask(orchestrator: Orchestrator, url: str, bus: EventBus, call_id: int = CALL) -> None:
    orchestrator._bus = bus
    token = CURRENT_CALL.set(call_id)
    try:
        await answer(orchestrator, url)
    finally:
        CURRENT_CALL.reset(token)


def states(told: list[Event], url: str) -> list[str]:
    """Return the distinct states of a page in the order of their events."""
    return list(dict.fromkeys(event.state for event in told if isinstance(event, PageTraced) and event.url == url))


async def test_pages_are_published_in_order(corpus: Corpus, site: Site, bus: EventBus, told: list[Event]) -> None:
    async with asking(corpus) as orchestrator:
        await ask(orchestrator, handbook(site), bus)
    start, seals = site.url("/index.html"), site.url("/seals.html")
    assert states(told, start)[:2] == [READING, READ]
    assert states(told, seals) == [WAITING, READING, READ, USED]
    kinds = [type(event) for event in told]
    assert kinds.index(RoundTraced) > next(
        place for place, event in enumerate(told) if isinstance(event, PageTraced) and event.state == READ
    )
    assert kinds[-1] is SearchEnded
    newest = {event.url: event for event in told if isinstance(event, PageTraced)}
    assert newest[seals].source_url == start
    assert newest[seals].promise is not None and newest[seals].relevance is not None
    assert newest[seals].duration_ms > 0 and newest[seals].tokens > 0


async def test_links_that_are_not_followed_are_published(
    corpus: Corpus, site: Site, bus: EventBus, told: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.orchestration.loop.LINKS_PER_ITERATION", 1)
    monkeypatch.setattr("app.orchestration.loop.MAX_LINKS_PER_ITERATION", 1)
    links = {f"/{name}.html": name for name in SUBJECTS}
    links |= {"/seals.html": "seals of a valve", "/valves.html": "seals of a valve, again"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those who work in it.", links)
    show(site, "/seals.html", ANSWER)
    show(site, "/valves.html", ANSWER)
    async with asking(corpus) as orchestrator:
        await ask(orchestrator, site.url("/index.html"), bus)
    (begun,) = [event for event in told if isinstance(event, RoundTraced)]
    followed = {event.url for event in told if isinstance(event, PageTraced) and event.round == 1}
    assert len(followed) == 1
    passed_over = {url for url, _ in begun.passed_over}
    assert not followed & passed_over
    assert followed | passed_over >= {site.url("/seals.html"), site.url("/valves.html")}


async def test_evidence_is_recorded_as_ranges_of_the_stored_text(
    corpus: Corpus, site: Site, bus: EventBus, told: list[Event]
) -> None:
    async with asking(corpus) as orchestrator:
        await ask(orchestrator, handbook(site), bus)
    found = next(event for event in told if isinstance(event, EvidenceTraced) and event.url == site.url("/seals.html"))
    document = corpus.documents.by_id(found.document_id)
    assert document is not None
    assert any(ANSWER in document.text[start:end] for start, end in found.ranges)
    assert all(ANSWER[:30] not in repr(event) for event in told), "events do not contain page text"


async def test_unread_and_repeated_pages_say_why(corpus: Corpus, site: Site, bus: EventBus, told: list[Event]) -> None:
    links = {"/missing.html": "seals of a valve", "/twin.html": "seals", "/seals.html": "valve seals"}
    show(site, "/index.html", "This handbook tells how the plant is kept in order by those who work in it.", links)
    site.page("/seals.html", f"<html><body><main><p>{ANSWER}</p></main></body></html>")
    site.page("/twin.html", f"<html><body><main><p>{ANSWER}</p></main></body></html>")
    async with asking(corpus) as orchestrator:
        await ask(orchestrator, site.url("/index.html"), bus)
    newest = {event.url: event for event in told if isinstance(event, PageTraced)}
    assert newest[site.url("/missing.html")].state == FAILED
    assert "404" in newest[site.url("/missing.html")].reason
    twins = {newest[site.url(path)].state for path in ("/twin.html", "/seals.html")}
    assert SKIPPED in twins


async def test_outside_a_call_nothing_is_published(
    corpus: Corpus, site: Site, bus: EventBus, told: list[Event]
) -> None:
    async with asking(corpus) as orchestrator:
        await ask(orchestrator, handbook(site), bus, call_id=0)
    assert told == []


def test_pages_are_bounded(bus: EventBus, told: list[Event], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.orchestration.question.MAX_TRAIL_PAGES", 3)
    trail = ExpansionTrace(bus, CALL)
    links = [LinkProposal(f"https://a.example/{number}", "https://a.example/", 0.5) for number in range(9)]
    trail.begin_round(1, 1, links, ())
    assert len({event.url for event in told if isinstance(event, PageTraced)}) == 3
    trail.reading(links[8].url)
    trail.reading(links[0].url)
    first, last = told[1], told[-1]
    assert isinstance(first, PageTraced)
    assert last == replace(first, state=READING)


def test_the_best_passage_of_a_page_is_announced_first(bus: EventBus, told: list[Event]) -> None:
    def found(number: int, score: float) -> RetrievedChunk:
        url, start = "https://example.org/", 100 * number
        chunk = Chunk(number, 1, str(number), number, url, "", (), None, "", start, start + 50, 0, 0, 9, 0.0)
        return RetrievedChunk(chunk, score, score)

    ExpansionTrace(bus, CALL).end([found(3, 0.4), found(7, 0.9), found(1, 0.2)], "")
    (evidence,) = (event for event in told if isinstance(event, EvidenceTraced))
    assert evidence.ranges == ((700, 750), (300, 350), (100, 150))
