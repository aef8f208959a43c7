"""One page and several queries: no other page is used, however the page and the embedder behave."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app import caps
from app.embed.embedder import Embedder, ModelCard, PassageEmbedding, QueryEmbedding
from app.engine import Engine
from app.errors import AddressDeniedError, EmbedderError, HTTPStatusError, InvalidArgumentError
from app.events import EventBus
from app.orchestration.page_queries import LONGEST, PROTECTED, PageAnswers
from app.secrets import SecretStore
from app.settings import load_settings
from tests.support.site import Site

SECTIONS = {
    "Insulation": "Wooden walls of 25 mm lose heat quickly. A second skin of cork or wood fibre halves the loss, and the cluster eats "
    "about a third less honey over the winter. Put the cork on in October, when the last flowers are over. ",
    "Entrance": "Reduce the entrance to a slit of 8 mm from October on. Mice cannot pass it and the bees still can. A mouse inside the "
    "hive eats combs, honey and brood, and the colony leaves it in spring. ",
    "Place": "A hive stands best where the morning sun reaches it early and where no cold air gathers. Water should be near, and the "
    "flight path should lead over no footpath, because bees that are late and heavy fly low. ",
}
FILLER = (
    "Old hands say that this is where beginners lose most of their colonies, and that a notebook with the dates of every year helps "
    "more than any book. Look at it once a month, write down what changed, and compare it with the same month of the year before. "
    "Neighbours who keep bees too are glad to tell what they do about it, and their advice suits the weather of the valley. "
)
HIVES = "<html><head><title>Choosing a hive</title></head><body><main><h1>Choosing a hive</h1>" + "".join(
    f"<h2>{name}</h2><p>{text}</p><p>{FILLER}</p>" for name, text in SECTIONS.items()
)
OTHER = HIVES.replace("Choosing a hive", "Insulating everything").replace(
    "Reduce the entrance", "Never narrow an entrance"
)


class PlainEmbedder:
    """The bundled model in the manner of a hosted one: without token vectors, and failing on demand."""

    def __init__(self, model: Embedder, *, tokens: bool = True) -> None:
        self._model, self._tokens = model, tokens
        self.broken = ""
        self.passages: list[str] = []

    @property
    def card(self) -> ModelCard:
        return self._model.card

    def count_tokens_batch(self, texts: Any) -> list[int]:
        return self._model.count_tokens_batch(texts)

    def embed_query(self, text: str, context: str = "") -> QueryEmbedding:
        if "queries" in self.broken:
            raise EmbedderError("The embedding server answered 500.")
        made = self._model.embed_query(text, context)
        return made if self._tokens else QueryEmbedding(made.vector, made.token_vectors[:0], ())

    def embed_passages(self, texts: Any) -> list[PassageEmbedding]:
        if "passages" in self.broken:
            raise EmbedderError("The embedding server answered 500.")
        self.passages += texts
        made = self._model.embed_passages(texts)
        return made if self._tokens else [PassageEmbedding(each.vector, each.token_bits[:0]) for each in made]

    def release_memory(self, idle_seconds: float) -> bool:
        """Do nothing: the model belongs to the session."""
        return False

    def close(self) -> None:
        """Do nothing: the model belongs to the session."""


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        running.page("/hives.html", HIVES, etag=True)
        running.page("/other.html", OTHER)
        yield running


MakeEngine = Callable[..., Awaitable[tuple[Engine, PlainEmbedder]]]


@pytest.fixture
async def make_engine(tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MakeEngine]:
    """Yield engines without the guide, which would only take time to embed."""
    monkeypatch.setattr("app.engine.components.guide_pages", list)
    made: list[Engine] = []

    async def make(*, tokens: bool = True, **settings: Any) -> tuple[Engine, PlainEmbedder]:
        known = {"allow_networks": "127.0.0.0/8", "request_timeout_ms": 2_000, "embed_on_battery": True, **settings}
        model = PlainEmbedder(embedder, tokens=tokens)
        values = load_settings(known, data_dir=tmp_path / "data")
        engine = Engine(values, SecretStore(), EventBus(), make_embedder=lambda *_: model)
        made.append(engine)
        await engine.start(background=False)
        return engine, model

    yield make
    for engine in made:
        await engine.stop()


def best(answers: PageAnswers, place: int = 0) -> str:
    return answers.queries[place].hits[0].text


def embedded(model: PlainEmbedder) -> int:
    """Return the number of embedded passages."""
    return len(model.passages)


def scores(answers: PageAnswers, place: int = 0) -> list[float]:
    return [hit.score for hit in answers.queries[place].hits]


@pytest.mark.parametrize("tokens", [True, False])
async def test_only_the_closest_passages_of_this_page_are_returned(
    make_engine: MakeEngine, site: Site, tokens: bool
) -> None:
    engine, _ = await make_engine(tokens=tokens)
    await engine.ingest([site.url("/other.html")])
    url = site.url("/hives.html")
    asked = ["How do I keep mice out?", "How do I insulate a hive?", "How do I keep mice out?"]
    answers = await engine.read_from_page(url, asked, max_results=2)
    assert [each.query for each in answers.queries] == asked
    assert "slit of 8 mm" in best(answers) and "cork" in best(answers, 1)
    assert answers.queries[0] == answers.queries[2]
    assert (answers.url, answers.title) == (url, "Choosing a hive")
    document = await engine.documents.get((await engine.status(url)).documents[0].id)
    assert document is not None
    for each in answers.queries:
        assert 1 <= len(each.hits) <= 2
        assert all(hit.text in document.text or hit.text.splitlines()[-1] in document.text for hit in each.hits)
        assert [hit.score for hit in each.hits] == sorted((hit.score for hit in each.hits), reverse=True)
    hit = answers.queries[0].hits[0]
    assert hit.id == hashlib.sha256(f"{url}|{' > '.join(hit.section_path)}|{hit.text}".encode()).hexdigest()
    assert hit.section_path[-1] == "Entrance"
    assert hit.similarity is not None and (tokens or hit.score == hit.similarity)


async def test_a_cached_page_needs_no_request_but_a_forced_one_does(make_engine: MakeEngine, site: Site) -> None:
    engine, model = await make_engine()
    url = site.url("/hives.html")
    first = await engine.read_from_page(url, ["mice"])
    made = embedded(model)
    await engine.read_from_page(url, ["honey"])
    assert site.count("/hives.html") == 1
    await asyncio.sleep(0.01)
    again = await engine.read_from_page(url, ["mice"], force_refresh=True)
    assert site.count("/hives.html") == 2 and "if-none-match" not in site.requests[-1].headers
    assert again.last_crawled > first.last_crawled
    assert again.queries == first.queries and embedded(model) == made
    site.page("/hives.html", HIVES.replace("slit of 8 mm", "slit of 7 mm"))
    assert "slit of 7 mm" in best(await engine.read_from_page(url, ["mice"], force_refresh=True))
    assert embedded(model) == made + 1


async def test_nothing_similar_gives_the_closest_and_a_note(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine(similarity_threshold=0.95)
    answers = await engine.read_from_page(site.url("/hives.html"), ["How do I keep mice out?"])
    assert 1 <= len(answers.queries[0].hits) <= 3
    assert "Nothing on the page is similar enough" in answers.note
    off, _ = await make_engine()
    answers = await off.read_from_page(site.url("/hives.html"), ["price of the Kafka enterprise licence in Norway"])
    assert "most likely does not answer" in answers.note and answers.queries[0].hits


async def test_a_protected_page_is_a_note_and_not_an_error(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine()
    for status in (401, 402, 403):
        site.page("/members", "Sign in", status=status)
        answers = await engine.read_from_page(site.url("/members"), ["mice", "honey"])
        assert answers.note == PROTECTED
        assert [each.hits for each in answers.queries] == [(), ()]
        assert time.time() - answers.last_crawled < 5


async def test_a_page_without_text_is_a_note(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine()
    site.page("/app", "<html><body><div id='root'></div><script src='a.js'></script></body></html>")
    answers = await engine.read_from_page(site.url("/app"), ["mice"])
    assert answers.note.startswith("WebRAG found no readable text") and not answers.queries[0].hits


async def test_the_stored_copy_replaces_a_failing_site(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine()
    url = site.url("/hives.html")
    first = await engine.read_from_page(url, ["mice"])
    site.page("/hives.html", "gone", status=404)
    again = await engine.read_from_page(url, ["mice"], force_refresh=True)
    assert again.queries == first.queries and again.last_crawled == first.last_crawled
    assert "could not be refreshed" in again.note and "the stored copy was used" in again.note
    with pytest.raises(HTTPStatusError):
        await engine.read_from_page(site.url("/missing"), ["mice"], force_refresh=True)


@pytest.mark.parametrize("broken", ["queries", "queries passages"])
async def test_without_vectors_the_longest_blocks_come_with_a_note(
    make_engine: MakeEngine, site: Site, broken: str
) -> None:
    engine, model = await make_engine()
    model.broken = broken
    answers = await engine.read_from_page(site.url("/hives.html"), ["mice"], max_results=2)
    lengths = [len(hit.text) for hit in answers.queries[0].hits]
    assert len(lengths) == 2 and lengths == sorted(lengths, reverse=True)
    assert LONGEST in answers.note and "answered 500" in answers.note
    assert scores(answers) == [0.0, 0.0]
    model.broken = ""
    again = await engine.read_from_page(site.url("/hives.html"), ["mice"], max_results=2)
    assert again.note == "" and min(scores(again)) > 0


@pytest.mark.parametrize("tokens", [True, False])
async def test_passages_that_cannot_be_embedded_are_found_by_keyword(
    make_engine: MakeEngine, site: Site, tokens: bool
) -> None:
    engine, model = await make_engine(tokens=tokens)
    model.broken = "passages"
    answers = await engine.read_from_page(site.url("/hives.html"), ["keep mice out of the entrance"], max_results=2)
    assert "slit of 8 mm" in best(answers)
    assert "does not cover the whole page" in answers.note
    model.broken = ""
    again = await engine.read_from_page(site.url("/hives.html"), ["keep mice out of the entrance"], max_results=2)
    assert again.note == "" and again.queries[0].hits[0].similarity is not None


async def test_time_is_bounded(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine()
    site.hang("/slow")
    started = time.perf_counter()
    answers = await engine.read_from_page(site.url("/slow"), ["mice"], seconds=0.3)
    assert "still being read (job 1)" in answers.note and "job_id=1" in answers.note
    assert not any(each.hits for each in answers.queries)
    assert time.perf_counter() - started < 60


async def test_closed_addresses_and_unusable_queries_are_errors(make_engine: MakeEngine, site: Site) -> None:
    engine, _ = await make_engine(allow_networks="10.0.0.0/8")
    with pytest.raises(AddressDeniedError):
        await engine.read_from_page(site.url("/hives.html"), ["mice"])
    for queries in ([], [" "], ["mice", ""], ["x" * (caps.MAX_QUERY_CHARS + 1)], ["x"] * (caps.MAX_SEARCH_QUERIES + 1)):
        with pytest.raises(InvalidArgumentError):
            await engine.read_from_page(site.url("/hives.html"), queries)
        with pytest.raises(InvalidArgumentError):
            await engine.web_search(queries)
