"""Questions in the words of assistants: one call finds the page and quotes the answer, within the usual size of a result."""

from __future__ import annotations

import json

import pytest

from tests.server.small_world import World

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUESTIONS = (
    ("How much heat do wooden walls of 25 mm lose?", "/bees/", "lose heat quickly"),
    ("What halves the loss of heat of a hive?", "/bees/", "cork or wood fibre halves the loss"),
    ("How wide should the entrance be from October on?", "/bees/", "8 mm"),
    ("Why are mice kept out by a small entrance?", "/bees/", "mice cannot pass it"),
    ("How much stores does a colony need by the end of September?", "/bees/winter", "18 kg"),
    ("When is sugar syrup fed?", "/bees/winter", "early in autumn"),
    ("What are the parts of sugar and water in the syrup?", "/bees/winter", "three parts of sugar"),
    ("冬の間、蜂は何を食べますか", "/bees/winter", "蜂蜜を食べて"),
    ("Which button starts the pump?", "guide/start.md", "green button"),
    ("How is low pressure of the pump mended?", "guide/faults.md", "Clean the filter"),
    ("How many pumps lift the water?", "index.md", "Three pumps"),
    ("How do I find out whether the connection of an assistant works?", "webrag://guide/", "doctor"),
)
MAX_CHARS = 3_600
"""Size of an evidence text with the usual number of quotes."""
NEEDED = 0.8
"""Share of the questions whose answer must be quoted."""


async def test_one_call_quotes_the_answer(world: World) -> None:
    unanswered = []
    for question, _, answer in QUESTIONS:
        reply = await world.call("kb.retrieve_evidence", {"question": question})
        assert reply.structured is not None, reply.text
        assert len(reply.text) <= MAX_CHARS and len(json.dumps(reply.structured, ensure_ascii=False)) <= 2 * MAX_CHARS
        shown = [each.get("before", "") + each["quote"] + each.get("after", "") for each in reply.structured["quotes"]]
        if not any(answer in " ".join(text.split()) for text in shown):
            unanswered.append(question)
    assert len(unanswered) <= (1 - NEEDED) * len(QUESTIONS), unanswered


async def test_the_page_that_answers_comes_first(world: World) -> None:
    elsewhere = []
    for question, page, _ in QUESTIONS:
        reply = await world.call("kb.search", {"query": question})
        assert reply.structured is not None, reply.text
        results = reply.structured["results"]
        if page not in results[0]["url"] or (page == "/bees/" and "winter" in results[0]["url"]):
            elsewhere.append((question, results[0]["url"]))
        pages = [result["url"].partition("#")[0] for result in results]
        assert len(pages) == len(set(pages)) <= 5
    assert len(elsewhere) <= (1 - NEEDED) * len(QUESTIONS), elsewhere
