"""The cost for an assistant until it sees the answer: calls and bytes of results, for questions of each kind.

An assistant that follows docs/tools.md asks for evidence first, and chooses and reads passages only if that is not enough. The limits are
today's cost plus one more quote, so a later answer or a further call is a regression.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from app.server.calls.registry import ToolOutput
from tests.server.small_world import World

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSAGES_READ = 3
MOST_BYTES_OF_A_RESULT = 4_000


@dataclass(frozen=True)
class Question:
    """`calls` and `size` (bytes of all results) are limits until `span` is seen; `tool` is the first tool."""

    text: str
    span: str
    calls: int
    size: int
    tool: str = "kb_retrieve_evidence"


QUESTIONS = (
    Question("How thick are the wooden walls of a hive that lose heat quickly?", "25 mm", 1, 650),
    Question("How wide should the entrance be from October on?", "slit of 8 mm", 1, 850),
    Question("How much food does a colony in a cold valley need?", "18 kg", 1, 500),
    Question("What is sugar syrup mixed of?", "three parts of sugar and two of water", 1, 650),
    Question("What halves the loss of heat?", "cork or wood fibre", 1, 700),
    Question("蜂 冬 断熱", "断熱が重要", 1, 800),
    Question("Why can mice not get into the hive?", "mice cannot pass it", 1, 900),
    Question("What was done with the colony number 77 in the valley?", "number 77 was weighed", 1, 500),
    Question("What must be checked before a pump is started?", "check the oil", 1, 500),
    Question("Which function starts a pump?", "pump_start()", 1, 600),
    Question("What helps against low pressure of a pump?", "Clean the filter", 1, 500),
    Question("Which page do I open to check the connection of my assistant?", "**Test**", 1, 1_500),
    Question("feeding in autumn", "never later than the first frost", 2, 550, "kb_search"),
    Question("stores for the winter", "18 kg of stores", 2, 800, "kb_search"),
    Question("noise of a pump", "Call for help", 2, 450, "search_docs"),
    Question("green button", "Press the green button", 2, 450, "search_docs"),
    Question("/bees/", "Wintering", 1, 450, "graph_expand"),
    Question("Reduce the entrance to a slit of 8 mm from October on", "exact", 1, 350, "kb_verify_quote"),
)


async def results(world: World, question: Question) -> AsyncIterator[ToolOutput]:
    """Yield the results that an assistant sees, in order, until it gives up."""
    if question.tool == "graph_expand":
        yield await world.call("graph_expand", {"start_ids": [world.site.url(question.text)]})
    elif question.tool == "kb_verify_quote":
        yield await world.call("kb_verify_quote", {"text": question.text})
    elif question.tool == "search_docs":
        found = await world.call("search_docs", {"query": question.text})
        yield found
        path = next(word for word in found.text.split() if word.strip("`*():").endswith(".md"))
        yield await world.call("get_doc_page", {"path": path.strip("`*():")})
    else:
        if question.tool == "kb_retrieve_evidence":
            yield await world.call("kb_retrieve_evidence", {"question": question.text})
        found = await world.call("kb_search", {"query": question.text})
        yield found
        assert found.structured is not None
        for result in found.structured["results"][:PASSAGES_READ]:
            yield await world.call("kb_read_excerpt", {"passage_id": result["passage_id"]})


def seen(reply: ToolOutput) -> str:
    """Return the text without line breaks and without the marks of page text."""
    return " ".join(reply.text.replace("«", "").replace("»", "").replace("\n> ", " ").split())


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.text)
async def test_an_answer_takes_few_calls_and_bytes(world: World, question: Question) -> None:
    calls = size = 0
    async for reply in results(world, question):
        assert not reply.is_error, reply.text
        assert len(reply.text.encode()) <= MOST_BYTES_OF_A_RESULT
        text, calls = seen(reply), calls + 1
        place = text.find(question.span)
        size += len(text[: place + len(question.span)].encode()) if place >= 0 else len(text.encode())
        if place >= 0:
            break
    else:
        pytest.fail(f"{question.span!r} was in none of {calls} results ({size} bytes)")
    assert calls <= question.calls and size <= question.size, f"{calls} calls, {size} bytes"
