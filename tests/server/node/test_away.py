"""While the database is away every tool, resource, prompt and endpoint of a node says so, and what to do; afterwards all work again."""

from __future__ import annotations

import time
from typing import Any

import pytest

from app.server.tools import TOOLS
from tests.server.node.test_rights import WORD, calls, passages_of, seen, stored_by_olaf
from tests.support.nodes import SECONDS, Issuer, RunningNode
from tests.support.postgres import PostgresServer

SAYS_SO = "does not answer"
NEXT_STEP = "Check that the database server runs"
DATABASE = "test_away"
APART = {
    "web.search": "asks a provider",
    "search_docs": "reads the guide, which is the node's own",
    "get_doc_page": "as search_docs",
    "list_doc_pages": "as search_docs",
    "tools": "the list is the same for everybody",
    "prompts": "as tools",
    "templates": "as tools",
    "prompt research_url": "is made of its arguments",
    "prompt answer_from_corpus": "as research_url",
    "prompt compare_pages": "as research_url",
    "completion research_url urls": "there is no such argument",
    "completion answer_from_corpus url": "as that",
    "completion answer_from_corpus urls": "as that",
    "completion compare_pages url": "as that",
    "webrag://page": "no address of this library",
    "passage P": "the id of a passage is no address",
    "GET /healthz": "tells of the process alone",
}
"""What needs no library, and why."""


@pytest.fixture(scope="module")
def known(node: RunningNode, issuer: Issuer) -> dict[str, Any]:
    return stored_by_olaf(node, issuer)


@pytest.mark.timeout(900)
@pytest.mark.parametrize("remembered", [True, False], ids=["rights remembered", "rights unknown"])
async def test_nothing_looks_like_nothing_found(
    node: RunningNode,
    issuer: Issuer,
    known: dict[str, Any],
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    remembered: bool,
) -> None:
    olaf = issuer.token("olaf")
    assert set(calls(known, ["x"])) >= {tool.id for tool in TOOLS}, "a tool has no call here"
    passages = await passages_of(node, olaf)
    monkeypatch.setattr("app.engine.node.GRANT_SECONDS", SECONDS if remembered else 0.0)
    node.ask("GET", "/library/v1", token=olaf)
    postgres.stop()
    try:
        found = await seen(node, olaf, known, passages)
    finally:
        postgres.serve()
    for what, text in found.items():
        if not any(what.startswith(each) for each in APART):
            assert SAYS_SO in text and NEXT_STEP in text, (what, text)
        assert WORD not in text.replace(what, ""), (what, text)
        assert DATABASE not in text and "this machine" not in text and "Errno" not in text, (what, text)


def test_it_comes_back_without_anybody_doing_anything(
    node: RunningNode, issuer: Issuer, known: dict[str, Any], postgres: PostgresServer
) -> None:
    olaf = issuer.token("olaf")
    postgres.stop()
    assert node.ask("GET", "/library/v1/pages", token=olaf)[0] == 503
    postgres.serve()
    end = time.monotonic() + SECONDS
    while (reply := node.ask("GET", "/library/v1/pages", token=olaf))[0] != 200:
        assert time.monotonic() < end, reply
        time.sleep(0.02)
    assert {page["page_id"] for page in reply[1]["pages"]} >= set(known["pages"])
    assert node.ask("POST", "/library/v1/search", {"question": WORD}, olaf)[1]["passages"]
