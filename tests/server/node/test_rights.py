"""Users without rights learn nothing from any tool, resource, prompt, endpoint, count or error."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import httpx2
import mcp.types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from app.engine.node import NodeOptions
from app.library.job_records import JobKind, JobState
from app.pg.grants import GrantRole, Grants
from app.pg.sessions import Rights, acting_with
from app.server.calls.registry import OF_THE_GRAPH
from app.server.protocol.prompts import PROMPTS
from app.server.tools import TOOLS
from tests.support.nodes import SECONDS, Issuer, RunningNode
from tests.support.site import Site

WORD = "zanzibarium"
URL = "http://127.0.0.1:9/plan"
PAGES = [
    {
        "url": URL if number == 0 else f"{URL}/{number}",
        "title": f"The plan for {WORD} {number}",
        "text": f"# The plan for {WORD} {number}\n\nThe price of {WORD} rises to 4711 talers in May, says `{WORD}_price()`.\n\n"
        f"## Store\n\nThe {WORD} lies in the third cellar of the northern house, behind the door of oak.",
        "links": [],
        "sections": [],
    }
    for number in range(3)
]
QUESTION = "What does it cost in May, and in which cellar does it lie?"
RANDOM = re.compile(
    r"[A-Za-z0-9_-]{20,}|call \d+|\d+(?:\.\d+)? ?(?:ms|s\b)|\"(?:ms|duration|took|at)[a-z_]*\":\s*[\d.]+"
)


@pytest.fixture(scope="module")
def secret(node: RunningNode, issuer: Issuer) -> dict[str, Any]:
    return stored_by_olaf(node, issuer)


def stored_by_olaf(node: RunningNode, issuer: Issuer) -> dict[str, Any]:
    """Return the IDs of Olaf's pages, their passages, and a job."""
    olaf = issuer.token("olaf")
    stored = [node.ask("POST", "/library/v1/pages", page, olaf)[1]["page_id"] for page in PAGES]
    node.embedded()
    library = node.engine.node.shared
    number = library.collections()["secret"]
    with acting_with(Rights((number,), (number,), "olaf")):
        job = library.jobs.add(JobKind.PAGES, URL, "{}")
        library.jobs.set_state(job.id, JobState.PAUSED)
        chunks = [chunk.id for page in stored for chunk in library.chunks.of_document(page, limit=10)]
    return {"pages": stored, "job": job.id, "chunks": chunks, "number": number}


TOOLS_OF_A_NODE = {tool.id for tool in TOOLS if not tool.id.startswith(OF_THE_GRAPH)}


def calls(known: dict[str, Any], passages: list[str]) -> dict[str, list[dict[str, Any]]]:
    """Return a call of every tool for Olaf's data, by someone who knows all IDs."""
    page = known["pages"][0]
    passage = {"passage_id": passages[0]}
    uri = f"webrag://lib/team/page/{page}"
    return {
        "answer": [{"url": URL, "query": QUESTION}, {"url": [URL, f"{URL}/1"], "query": WORD, "expansion_budget": 0}],
        "search": [{"query": QUESTION}, {"query": WORD, "top_k": 50}, {"query": WORD, "source_urls": [URL]}],
        "status": [{}, {"source_url": URL}, {"job_id": known["job"]}],
        "ingest": [
            {"url": URL},
            *({"url": URL, "collection": name} for name in ("secret", "notes")),
            {"url": URL, "collection": "secret", "crawl": {}},
        ],
        "web.search": [{"query": WORD}],
        "web.readFromPage": [{"url": URL, "query": WORD}],
        "search_docs": [{"query": WORD}],
        "get_doc_page": [{"path": "plan.md"}],
        "list_doc_pages": [{}],
        "library_symbol": [{"name": WORD}],
        "kb.search": [{"query": QUESTION}, {"query": WORD, "top_k": 50, "page_size": 25}],
        "kb.retrieve_evidence": [{"question": QUESTION}, {"question": WORD}],
        "kb.read_excerpt": [passage, {"passage_id": uri}],
        "kb.expand_excerpt": [passage],
        "kb.extract_evidence": [{"question": QUESTION, "passage_ids": passages}],
        "kb.verify_quote": [
            {"text": f"The price of {WORD} rises"},
            {"text": "rises to 4711 talers in May", "uri": uri},
        ],
        "search_sections": [{"query": WORD}],
        "get_section_text": [{"section_id": str(known["chunks"][0])}],
        "expand_neighbors": [{"section_id": str(known["chunks"][0])}],
    }


async def seen(node: RunningNode, token: str, known: dict[str, Any], passages: list[str]) -> dict[str, str]:
    """Return all results of a user who requests everything, by request."""
    found: dict[str, str] = {}
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, trust_env=False, verify=False, timeout=600) as http,
        Client(streamable_http_client(node.url, http_client=http), mode="auto") as client,
    ):

        async def noted(what: str, asking: Any) -> None:
            try:
                found[what] = (await asking).model_dump_json()
            except MCPError as error:
                found[what] = f"{error}"

        for tool, each in calls(known, passages).items():
            wire = tool.replace(".", "_")
            for number, arguments in enumerate(each):
                await noted(f"{tool} {number}", client.call_tool(wire, arguments))
        await noted("tools", client.list_tools())
        await noted("prompts", client.list_prompts())
        for prompt in PROMPTS:
            given = {
                argument.name: f"{URL} {URL}/1" if argument.name == "urls" else URL for argument in prompt.arguments
            }
            await noted(f"prompt {prompt.name}", client.get_prompt(prompt.name, given))
            for argument in ("url", "urls"):
                ref = types.PromptReference(name=prompt.name)
                await noted(
                    f"completion {prompt.name} {argument}", client.complete(ref, {"name": argument, "value": "http"})
                )
        await noted("resources", client.list_resources())
        await noted("templates", client.list_resource_templates())
        for page in known["pages"]:
            for uri in (
                f"webrag://lib/team/page/{page}",
                f"webrag://page/{page}",
                f"webrag://lib/team/page/{page}/picture/1",
            ):
                await noted(uri, client.read_resource(uri))
        for passage in passages:
            await noted(f"passage {passage}", client.read_resource(passage))
    page = known["pages"][0]
    for method, path, body in (
        ("GET", "/library/v1", None),
        ("POST", "/library/v1/search", {"question": QUESTION}),
        ("POST", "/library/v1/search", {"question": WORD, "pages": known["pages"], "queries": ["cellar"]}),
        ("POST", "/library/v1/search", {"question": WORD, "collections": ["secret"]}),
        ("GET", f"/library/v1/pages/{page}", None),
        ("DELETE", f"/library/v1/pages/{page}", None),
        ("PUT", f"/library/v1/pages/{page}", {"is_quarantined": True}),
        ("GET", "/library/v1/pages?quarantined=true", None),
        ("GET", f"/library/v1/pages/{page}?quarantined=true", None),
        ("GET", "/library/v1/pages", None),
        ("GET", "/library/v1/pages?collection=secret", None),
        ("POST", "/library/v1/pages", {**PAGES[0], "collection": "secret"}),
        ("GET", "/readyz", None),
        ("GET", "/healthz", None),
    ):
        status, reply, _ = node.ask(method, path, body, token)
        found[f"{method} {path} {body}"] = f"{status} {reply}"
    return found


async def passages_of(node: RunningNode, token: str) -> list[str]:
    """Return the IDs and addresses of passages that a search of this user saves."""
    async with (
        httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"}, trust_env=False, verify=False, timeout=600
        ) as http,
        Client(streamable_http_client(node.url, http_client=http), mode="auto") as client,
    ):
        reply = await client.call_tool("kb_search", {"query": QUESTION})
    found = (reply.structured_content or {})["results"]
    assert found, reply
    return [each for result in found[:2] for each in (result["passage_id"], result.get("uri", result["passage_id"]))]


async def test_no_page_is_fetched_for_who_may_not_store_one(
    options: NodeOptions, node: RunningNode, issuer: Issuer, tmp_path: Path
) -> None:
    reading = RunningNode(tmp_path, options, allow_networks="127.0.0.0/8", stale_after_days=0)
    with Site() as site:
        site.page(
            "/rate", "<html><body><h1>Rates</h1><p>The rate of the town is seven talers in May.</p></body></html>"
        )
        page = {"url": site.url("/kept"), "title": "Kept", "text": "The rate of the village is three talers."}
        assert reading.ask("POST", "/library/v1/pages", page, issuer.token("ann"))[0] == 200
        for name, asked in (("zoe", "/rate"), ("rita", "/rate"), ("zoe", "/kept")):
            for tool in ("ingest", "web_readFromPage", "answer"):
                more = {} if tool == "ingest" else {"query": "What is the rate?"}
                reply = await _called(reading, issuer.token(name), tool, {"url": site.url(asked), **more})
                assert reply.is_error and "do not have write access" in reply.content[0].text, (name, tool, reply)
        kept = await _called(reading, issuer.token("rita"), "answer", {"url": site.url("/kept"), "query": "What rate?"})
        assert not kept.is_error and "three talers" in kept.content[0].text, kept
        assert site.requests == []
    reading.close()


async def _called(node: RunningNode, token: str, tool: str, arguments: dict[str, Any]) -> types.CallToolResult:
    async with (
        httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {token}"}, trust_env=False, verify=False, timeout=600
        ) as http,
        Client(streamable_http_client(node.url, http_client=http), mode="auto") as client,
    ):
        return await client.call_tool(tool, arguments)


@pytest.mark.timeout(900)
async def test_without_a_grant_nothing_differs_whether_there_is_anything_or_not(
    node: RunningNode, issuer: Issuer, secret: dict[str, Any], grants: Grants
) -> None:
    olaf, strangers = issuer.token("olaf"), {name: issuer.token(name) for name in ("zoe", "rita", "ann")}
    assert set(calls(secret, ["x"])) >= TOOLS_OF_A_NODE, "a tool has no call here"
    passages = await passages_of(node, olaf)
    own = await seen(node, olaf, secret, passages)
    assert sum(WORD in text and "4711" in text for text in own.values()) > 8, "the owner sees it"
    there = {name: await seen(node, token, secret, passages) for name, token in strangers.items()}
    for name, found in there.items():
        for what, text in found.items():
            assert "4711" not in text and "cellar of" not in text and "The plan for" not in text, (name, what, text)
    grants.remove_collection("secret")
    grants.add_collection("secret")
    for name in ("zoe", "ann"):
        gone = await seen(node, strangers[name], secret, passages)
        for what, text in gone.items():
            assert RANDOM.sub("…", there[name][what]) == RANDOM.sub("…", text), (name, what)
    grants.give("secret", f"user:{issuer.url}|olaf", GrantRole.OWNER)


async def test_every_call_is_noted_also_one_that_was_refused_or_failed_and_never_its_texts(
    node: RunningNode, issuer: Issuer, grants: Grants
) -> None:
    grants.give("notes", f"user:{issuer.url}|noah", GrantRole.READER)
    noah, ann = issuer.token("noah"), issuer.token("ann")
    page = node.ask("POST", "/library/v1/pages", {**PAGES[0], "collection": "notes"}, ann)[1]["page_id"]
    path = f"/library/v1/pages/{page}"
    asked = (
        ("GET", path, None, "library.page", "ok"),
        ("GET", f"/library/v1/pages/{page + 10_000}", None, "library.page", "INVALID_ARGUMENT"),
        ("DELETE", path, None, "library.page.delete", "SCOPE_VIOLATION"),
        ("PUT", path, {"is_quarantined": WORD}, "library.page.put", "INVALID_ARGUMENT"),
        ("POST", "/library/v1/search", {"question": WORD}, "library.search.post", "ok"),
        ("POST", "/library/v1/search", [WORD], "library.search.post", "INVALID_ARGUMENT"),
        ("POST", "/library/v1/pages", PAGES[0], "library.pages.post", "SCOPE_VIOLATION"),
    )
    expected = {(tool, outcome) for *_, tool, outcome in asked}
    for method, where, body, *_ in asked:
        node.ask(method, where, body, noah)
    assert node.ask("GET", path, token=issuer.token("noah", scopes=["other"]))[0] == 403
    expected |= {("gate", "INVALID_ARGUMENT")}
    malformed = {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": [WORD]}}
    assert "`uri`" in str(node.ask("POST", "/mcp", malformed, noah)[1])
    async with (
        httpx2.AsyncClient(
            headers={"Authorization": f"Bearer {noah}"}, trust_env=False, verify=False, timeout=600
        ) as http,
        Client(streamable_http_client(node.url, http_client=http), mode="auto") as client,
    ):
        await client.read_resource(f"webrag://lib/team/page/{page}")
        with pytest.raises(MCPError):
            await client.read_resource(f"webrag://lib/team/page/{page + 10_000}")
        await client.list_resources()
        await client.complete(types.PromptReference(name=PROMPTS[0].name), {"name": "url", "value": WORD})
        await client.call_tool("search", {"query": WORD})
        await client.call_tool("search", {"query": WORD, "top_k": WORD})
        await client.call_tool("ingest", {"url": URL})
    expected |= {
        *(("resources.read", "ok"), ("resources.read", "INVALID_ARGUMENT"), ("resources.list", "ok")),
        *(("search", "ok"), ("search", "INVALID_ARGUMENT")),
    }
    assert node.engine.node is not None
    rows, end = [], time.monotonic() + SECONDS
    while "ingest" not in {row.tool for row in rows}:
        assert time.monotonic() < end, rows
        node.engine.node._write_calls()
        rows = node.engine.node.shared.audit.recent(100, f"user:{issuer.url}|noah")
    assert {(row.tool, row.outcome) for row in rows} >= expected
    assert {row.tool for row in rows} >= {"completion"}
    assert "INTERNAL_ERROR" not in {row.outcome for row in rows}
    number = node.engine.node.shared.collections()["notes"]
    for row in rows:
        assert row.collections == (() if row.tool == "gate" else (number,)), row
        assert WORD not in str(row) and URL not in str(row), row
    assert node.ask("DELETE", path, token=ann)[0] == 200
    grants.take("notes", f"user:{issuer.url}|noah")
