"""Collections and tags of a user as the scope of questions, and in exported files."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from app.corpus.records import LabelKind
from app.errors import UnknownLabelError
from app.events import no_progress
from app.server.control.files import export_documents
from tests.server.small_world import World

pytestmark = pytest.mark.asyncio(loop_scope="session")

NAME = "Bees in winter"
SCOPE = f"collection:{NAME.lower()}"


@pytest_asyncio.fixture(scope="module", loop_scope="session", autouse=True)
async def winter(world: World) -> AsyncIterator[str]:
    """Yield the address of the only page in the collection."""
    url = world.site.url("/bees/winter")
    row = (await world.engine.documents.at([url]))[0]
    assert row is not None
    await world.engine.documents.add_label(LabelKind.COLLECTION, NAME, [row.id])
    yield url
    await world.engine.documents.delete_label(LabelKind.COLLECTION, NAME)


async def test_search_and_answer_stay_within_a_collection(world: World, winter: str) -> None:
    asked = {"query": "What keeps a hive warm and dry?"}
    everywhere = await world.call("search", asked)
    assert world.site.url("/bees/") in everywhere.text
    for tool, arguments in (("search", {"source_urls": [SCOPE]}), ("answer", {"url": SCOPE})):
        before = world.site.count("/bees/winter")
        reply = await world.call(tool, {**asked, **arguments})
        assert not reply.is_error, reply.text
        assert winter in reply.text
        assert f"{world.site.url('/bees/')}\n" not in reply.text
        assert world.site.count("/bees/winter") == before, "nothing is fetched"


async def test_pages_named_beside_a_collection_are_searched_too(world: World, winter: str) -> None:
    asked = {"query": "How wide should the entrance of a hive be?", "url": [SCOPE, world.site.url("/bees/")]}
    reply = await world.call("answer", asked)
    assert "slit of 8 mm" in reply.text
    assert world.site.url("/bees/long") not in reply.text


async def test_an_unreadable_page_next_to_a_collection_is_reported_with_its_reason(world: World, winter: str) -> None:
    missing = world.site.url("/bees/missing")
    asked = {"query": "What keeps a hive warm and dry?", "url": [SCOPE, missing]}
    reply = await world.call("answer", asked)
    assert not reply.is_error and winter in reply.text
    assert f"- {missing} — not read: " in reply.text and "404" in reply.text
    assert "was not searched" not in reply.text, "reported once"


@pytest.mark.parametrize("field", ["doc_tags", "repositories"])
async def test_the_scope_of_the_knowledge_base_takes_a_collection(world: World, winter: str, field: str) -> None:
    asked = {"question": "How much honey does the colony need?", "scope": {field: [SCOPE]}}
    reply = await world.call("kb_retrieve_evidence", asked)
    assert not reply.is_error, reply.text
    assert winter in reply.text
    assert world.site.url("/bees/") + "\n" not in reply.text
    assert "cork" not in reply.text, "a word of the other page"


async def test_a_passage_outside_the_collection_is_not_read(world: World, winter: str) -> None:
    hives = world.site.url("/bees/")
    inside = await world.call("kb_read_excerpt", {"passage_id": winter, "scope": {"doc_tags": [SCOPE]}})
    outside = await world.call("kb_read_excerpt", {"passage_id": hives, "scope": {"doc_tags": [SCOPE]}})
    assert not inside.is_error, inside.text
    assert outside.is_error
    assert "outside the scope" in outside.text


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search", {"query": "x", "source_urls": ["collection:Bees in summer"]}),
        ("answer", {"query": "x", "url": "collection:Bees in summer"}),
        ("kb_search", {"query": "x", "scope": {"doc_tags": ["collection:Bees in summer"]}}),
        ("graph_describe", {"scope": {"doc_tags": ["collection:Bees in summer"]}}),
    ],
)
async def test_an_unknown_name_is_reported_with_the_closest(
    world: World, tool: str, arguments: dict[str, object]
) -> None:
    reply = await world.call(tool, arguments)
    assert reply.is_error
    assert "collection:'Bees in summer' does not exist" in reply.text
    assert f"'{NAME}'" in reply.text


async def test_searching_an_empty_collection_says_that_it_is_empty(world: World) -> None:
    await world.engine.documents.add_label(LabelKind.COLLECTION, "Empty")
    try:
        reply = await world.call("search", {"query": "x", "source_urls": ["collection:Empty"]})
        assert reply.is_error
        assert "collection:Empty does not contain any pages yet" in reply.text
    finally:
        await world.engine.documents.delete_label(LabelKind.COLLECTION, "Empty")


async def test_exported_files_name_their_collections(world: World, winter: str, tmp_path: Path) -> None:
    exported = await export_documents(world.engine, SCOPE, tmp_path, no_progress)
    assert len(exported.files) == 1
    text = await asyncio.to_thread(Path(exported.files[0]).read_text, "utf-8")
    assert f'source: "{winter}"' in text
    assert f'collections: ["{NAME}"]' in text
    with pytest.raises(UnknownLabelError):
        await export_documents(world.engine, "tag:nothing", tmp_path, no_progress)


async def test_an_invalid_address_is_an_argument_to_correct(world: World) -> None:
    reply = await world.call("answer", {"url": "example", "query": "q"})
    assert reply.is_error and reply.text.startswith("[ERROR]\nThe arguments of this call are invalid.")
    assert "database" not in reply.text and "Next step: Enter a full address" in reply.text
