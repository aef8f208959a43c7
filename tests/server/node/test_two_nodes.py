"""Two nodes on one library: each finds what the other saved for a client, and a page stored on both is stored and embedded once."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.engine.node import NodeOptions
from app.errors import CorpusTooNewError
from app.library.records import EmbeddingIn, EmbeddingModel
from app.pg import setup
from app.pg.connections import Connections
from app.pg.grants import GrantRole, Grants
from app.pg.library import PgLibrary
from app.pg.sessions import Role
from app.pg.setup import reindex
from app.pg.vectors import PgVectors
from tests.server.node.test_endpoints import PAGE
from tests.support.nodes import SECONDS, Issuer, RunningNode


@pytest.fixture(scope="module")
def other(node: RunningNode, options: NodeOptions, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    running = RunningNode(tmp_path_factory.mktemp("other"), options)
    yield running
    running.close()


async def call(node: RunningNode, token: str, tool: str, arguments: dict[str, object]) -> dict[str, object] | str:
    async with (
        httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"}, trust_env=False, verify=False, timeout=600
        ) as http,
        Client(streamable_http_client(node.url, http_client=http), mode="auto") as client,
    ):
        reply = await client.call_tool(tool, arguments)
        text = reply.content[0].text if reply.content else ""
        return text if reply.is_error or reply.structured_content is None else reply.structured_content


async def test_a_passage_that_one_node_kept_is_read_at_another_by_those_who_may(
    node: RunningNode, other: RunningNode, issuer: Issuer
) -> None:
    ann, rita, zoe = (issuer.token(name) for name in ("ann", "rita", "zoe"))
    stored = node.ask("POST", "/library/v1/pages", PAGE, ann)[1]["page_id"]
    node.embedded()
    found = await call(node, ann, "kb_search", {"query": "How wide is the entrance?"})
    assert isinstance(found, dict), found
    passage = found["results"][0]["passage_id"]
    for person in (ann, rita):
        read = await call(other, person, "kb_read_excerpt", {"passage_id": passage})
        assert isinstance(read, dict) and "entrance" in str(read).lower(), read
    quoted = await call(other, ann, "kb_extract_evidence", {"question": "How wide is it?", "passage_ids": [passage]})
    assert isinstance(quoted, dict) and "eight millimetres" in str(quoted), quoted
    refused = await call(other, zoe, "kb_read_excerpt", {"passage_id": passage})
    assert isinstance(refused, str) and "expired" in refused.lower()
    unknown = f"{passage[:1]}{'z' * 8}{passage[9:]}"
    assert await call(other, ann, "kb_read_excerpt", {"passage_id": unknown}) == refused
    assert other.ask("DELETE", f"/library/v1/pages/{stored}", token=ann)[0] == 200


async def test_a_kept_passage_goes_with_the_right_to_read_its_page_and_with_the_page(
    node: RunningNode, issuer: Issuer, grants: Grants, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.engine.node.GRANT_SECONDS", 0.0)
    people = {name: f"user:{issuer.url}|{name}" for name in ("gus", "otto")}
    grants.give("notes", people["gus"], GrantRole.READER)
    grants.give("notes", people["otto"], GrantRole.OWNER)
    ann, rita, gus, otto = (issuer.token(name) for name in ("ann", "rita", "gus", "otto"))
    path = f"/library/v1/pages/{node.ask('POST', '/library/v1/pages', PAGE, ann)[1]['page_id']}"
    node.embedded()
    kept = {}
    for person in (rita, gus):
        found = await call(node, person, "kb_search", {"query": "How wide is the entrance?"})
        assert isinstance(found, dict), found
        passage = found["results"][0]["passage_id"]
        kept[person] = [passage, f"webrag://scratch/{found['session_id']}/{passage}"]

    async def is_read(person: str) -> list[bool]:
        replies = [await call(node, person, "kb_read_excerpt", {"passage_id": each}) for each in kept[person]]
        assert all(isinstance(each, dict) or "expired" in each.lower() for each in replies), replies
        return ["eight millimetres" in str(each) for each in replies]

    assert await is_read(gus) == await is_read(rita) == [True, True]
    grants.take("notes", people["gus"])
    assert (await is_read(gus), await is_read(rita)) == ([False, False], [True, True])
    assert node.ask("PUT", path, {"is_quarantined": True}, otto)[0] == 200
    assert await is_read(rita) == [False, False]
    assert node.ask("PUT", path, {"is_quarantined": False}, otto)[0] == 200
    assert await is_read(rita) == [True, True]
    assert node.ask("DELETE", path, token=otto)[0] == 200
    assert await is_read(rita) == [False, False]
    grants.take("notes", people["otto"])


def test_a_page_stored_at_both_at_once_is_one_and_its_passages_are_embedded_once(
    node: RunningNode, other: RunningNode, issuer: Issuer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, stored = issuer.token("ann"), Counter[int]()
    store = PgVectors.store

    def counted(self: PgVectors, items: Sequence[EmbeddingIn]) -> None:
        stored.update(item.chunk_id for item in items)
        store(self, items)

    monkeypatch.setattr(PgVectors, "store", counted)
    text = "\n\n".join(f"## Hive {number}\n\nHive {number} has {number} frames of oak." for number in range(20))
    page = {"url": "https://bees.example.org/many", "title": "Hives", "text": text}

    def post(number: int) -> int:
        while True:
            status, reply, _ = (node, other)[number % 2].ask("POST", "/library/v1/pages", page, ann)
            if status != 429:
                assert status == 200, reply
                return int(reply["page_id"])
            time.sleep(0.05)

    with ThreadPoolExecutor(10) as threads:
        ids = set(threads.map(post, range(10)))
    assert len(ids) == 1
    node.embedded()
    rows = other.ask("GET", "/library/v1/pages", token=ann)[1]["pages"]
    assert [(row["page_id"], row["passages"]) for row in rows] == [(*ids, len(stored))]
    assert set(stored.values()) == {1}, stored
    assert other.ask("DELETE", f"/library/v1/pages/{ids.pop()}", token=ann)[0] == 200


async def test_nodes_go_on_while_the_library_is_newer_than_they_are(
    node: RunningNode, issuer: Issuer, address: str, options: NodeOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, refused = issuer.token("ann"), threading.Event()
    store, owner = PgVectors.store, Connections(address, Role.OWNER, size=1)

    def noted(self: PgVectors, items: Sequence[EmbeddingIn]) -> None:
        try:
            store(self, items)
        except CorpusTooNewError:
            refused.set()
            raise

    def migrated(by: int) -> None:
        change = "UPDATE meta SET value = to_jsonb(value::int + $1) WHERE key = 'schema'"
        owner.write(lambda con: con.execute(change, by))

    monkeypatch.setattr(PgVectors, "store", noted)
    page = {"url": "https://bees.example.org/newer", "title": "Swarms", "text": "A swarm weighs about two kilograms."}
    migrated(1)
    try:
        assert node.ask("GET", "/readyz", token="")[:2] == (200, {"status": "ready"})
        path = f"/library/v1/pages/{node.ask('POST', '/library/v1/pages', page, ann)[1]['page_id']}"
        # The newer nodes embed it. Until then, keyword search finds it.
        assert refused.wait(SECONDS)
        found = node.ask("POST", "/library/v1/search", {"question": "How heavy is a swarm?"}, ann)
        assert found[0] == 200 and "two kilograms" in str(found[1]["passages"])
        assert node.ask("GET", "/readyz", token="")[:2] == (200, {"status": "ready"})
        with pytest.raises(CorpusTooNewError):
            PgLibrary.open("team", options.address, node.engine.node.shared.model)  # type: ignore[union-attr]
    finally:
        migrated(-1)
        owner.close()
    assert node.ask("DELETE", path, token=ann)[0] == 200


@pytest.mark.real  # Waits for half a minute until the other node lets go of the tables.
def test_nodes_use_keyword_search_while_the_library_has_another_model(
    node: RunningNode, issuer: Issuer, address: str
) -> None:
    ann, own = issuer.token("ann"), node.engine.node.shared.model  # type: ignore[union-attr]
    page = {"url": "https://bees.example.org/model", "title": "Wax", "text": "Wax melts at about 64 degrees."}
    path = f"/library/v1/pages/{node.ask('POST', '/library/v1/pages', page, ann)[1]['page_id']}"
    node.embedded()
    assert reindex(address, EmbeddingModel("another", 32))
    try:
        status, said, _ = node.ask("GET", "/readyz", token="")
        assert (status, said["status"]) == (200, "ready") and "has this model" in said["note"]
        changed = {**page, "text": "Pure wax melts at about 64 degrees."}
        assert node.ask("POST", "/library/v1/pages", changed, ann)[0] == 200
        end = time.monotonic() + SECONDS
        while "another model" not in node.engine.embedder_state.detail:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert node.ask("GET", "/readyz", token="")[0] == 200
        found = node.ask("POST", "/library/v1/search", {"question": "At which heat does wax melt?"}, ann)
        assert found[0] == 200 and "64 degrees" in str(found[1]["passages"])
        state = setup.state(address)
        assert (state.model, state.waiting) == (EmbeddingModel("another", 32), state.chunks)
    finally:
        reindex(address, own)
    assert node.ask("DELETE", path, token=ann)[0] == 200


def test_a_grant_that_is_taken_away_ends_at_every_node(
    node: RunningNode, other: RunningNode, issuer: Issuer, grants: Grants, monkeypatch: pytest.MonkeyPatch
) -> None:
    gus = issuer.token("gus")
    monkeypatch.setattr("app.engine.node.GRANT_SECONDS", 0.05)
    grants.give("notes", f"user:{issuer.url}|gus", GrantRole.READER)

    def sees(each: RunningNode) -> bool:
        return bool(each.ask("GET", "/library/v1", token=gus)[1]["collections"])

    assert sees(node) and sees(other)
    grants.take("notes", f"user:{issuer.url}|gus")
    end = time.monotonic() + 60
    while sees(node) or sees(other):
        assert time.monotonic() < end
        time.sleep(0.02)
