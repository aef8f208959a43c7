"""While the database is unavailable, every tool, resource, prompt and endpoint reports it with a next step. Then all recover."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from app.engine.node import Identity, Node, NodeOptions
from app.library.exchange import PAGES_PATH
from app.pg import watch
from app.pg.grants import Grant
from tests.server.node.test_rights import TOOLS_OF_A_NODE, WORD, _called, calls, passages_of, seen, stored_by_olaf
from tests.support.nodes import SECONDS, Issuer, RunningNode
from tests.support.postgres import Line, PostgresServer

AT_ONCE = 40
"""Concurrent requests. Four times this number exceeds the limit for unauthenticated clients."""
SAYS_SO = "is not reachable"
NEXT_STEP = "Check that the database server is running"
DATABASE = "test_away"
APART = {
    "web.search": "asks a provider",
    "search_docs": "reads the guide, which is the node's own",
    "get_doc_page": "as search_docs",
    "list_doc_pages": "as search_docs",
    "library_symbol": "a shared library does not contain packages",
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
"""Parts that do not need the library, with the reason."""


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
    assert set(calls(known, ["x"])) >= TOOLS_OF_A_NODE, "a tool has no call here"
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


def listed_again(node: RunningNode, token: str) -> list[dict[str, Any]]:
    """Return the pages when the node lists any."""
    end = time.monotonic() + SECONDS
    while (reply := node.ask("GET", PAGES_PATH, token=token))[0] != 200:
        assert time.monotonic() < end, reply
        time.sleep(0.02)
    return list(reply[1]["pages"])


def test_it_comes_back_without_anybody_doing_anything(
    node: RunningNode, issuer: Issuer, known: dict[str, Any], postgres: PostgresServer
) -> None:
    olaf = issuer.token("olaf")
    postgres.stop()
    assert node.ask("GET", "/library/v1/pages", token=olaf)[0] == 503
    postgres.serve()
    assert {page["page_id"] for page in listed_again(node, olaf)} >= set(known["pages"])
    assert node.ask("POST", "/library/v1/search", {"question": WORD}, olaf)[1]["passages"]


@pytest.mark.real
@pytest.mark.timeout(900)
async def test_a_network_that_loses_everything_keeps_nobody_waiting(
    node: RunningNode,
    options: NodeOptions,
    issuer: Issuer,
    known: dict[str, Any],
    postgres: PostgresServer,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    line = Line(postgres)
    far = RunningNode(tmp_path, replace(options, address=line.address(options.address)))
    people = [issuer.token("olaf"), *(issuer.token(f"somebody {number}") for number in range(100))]
    with ThreadPoolExecutor(AT_ONCE) as threads:

        def all_ask() -> list[tuple[int, Any]]:
            return [reply[:2] for reply in threads.map(lambda who: far.ask("GET", PAGES_PATH, token=who), people)]

        assert {status for status, _ in all_ask()} == {200}
        for remembered in (True, False):
            monkeypatch.setattr("app.engine.node.GRANT_SECONDS", SECONDS if remembered else 0.0)
            monkeypatch.setattr(watch, "CONNECT_SECONDS", 0.2)
            line.hold()
            for status, reply in all_ask():
                assert status == 503 and SAYS_SO in reply["error"] and NEXT_STEP in reply["hint"], reply
            found = await _called(far, people[0], "search", {"query": WORD})
            assert found.is_error and SAYS_SO in found.content[0].text, found
            monkeypatch.setattr(watch, "CONNECT_SECONDS", SECONDS)
            line.go_on()
            assert listed_again(far, people[0])
            assert {status for status, _ in all_ask()} == {200}
    far.close()
    line.close()


def test_known_users_are_not_delayed_by_unknown_ones_during_a_database_query(
    node: RunningNode, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_up, grants_of = threading.Event(), Node._grants

    def slowly(self: Node, identity: Identity) -> tuple[Grant, ...]:
        assert looked_up.wait(SECONDS)
        return grants_of(self, identity)

    monkeypatch.setattr(Node, "_grants", slowly)
    assert node.engine.node is not None
    asking = node.engine.node._asking
    tokens = [issuer.token(f"person {number}") for number in range(4 * AT_ONCE)]
    with ThreadPoolExecutor(len(tokens)) as threads:
        replies = []
        for first in range(0, len(tokens), AT_ONCE):
            wave = tokens[first : first + AT_ONCE]
            replies += [threads.submit(node.ask, "GET", PAGES_PATH, token=token) for token in wave]
            end = time.monotonic() + SECONDS
            while len(asking) < len(replies):
                assert time.monotonic() < end
                time.sleep(0.02)
        # One user asks once.
        replies.append(threads.submit(node.ask, "GET", PAGES_PATH, token=tokens[0]))
        looked_up.set()
        assert {reply.result()[0] for reply in replies} == {200}
    assert not asking
