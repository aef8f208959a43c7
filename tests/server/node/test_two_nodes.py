"""Two nodes on one library: what one keeps for a client the other one finds, and nothing is embedded twice."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from app.engine.node import NodeOptions
from tests.server.node.test_endpoints import PAGE
from tests.support.nodes import Issuer, RunningNode


@pytest.fixture(scope="module")
def other(node: RunningNode, options: NodeOptions, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    running = RunningNode(tmp_path_factory.mktemp("other"), options)
    yield running
    running.close()


async def call(node: RunningNode, token: str, tool: str, arguments: dict[str, object]) -> dict[str, object] | str:
    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, trust_env=False, timeout=600) as http,
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
    made = [each.engine.node.shared for each in (node, other)]
    assert not any(library.vectors.has_waiting() for library in made)
    assert other.ask("DELETE", f"/library/v1/pages/{stored}", token=ann)[0] == 200
