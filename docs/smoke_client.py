"""Test whether an MCP client can use WebRAG: connect, list tools, ask, read a resource.

    python docs/smoke_client.py http://127.0.0.1:8765/mcp [--question TEXT] [--era auto|legacy]

You can use it as a start for your own client: it needs the packages `mcp` and `httpx2`, and no code of WebRAG. It reads the token from the
variable MCP_AUTH_TOKEN, because arguments are visible in the list of processes. The exit status is 0 if everything worked.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import mcp.types as types
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

QUESTION = "How do I connect an assistant?"
NEEDED = ("kb_retrieve_evidence", "kb_search")

REFUSALS = {
    401: "the token is missing or wrong",
    403: "the Origin of the request is not allowed",
    404: "this is not the address of WebRAG, which ends in /mcp",
    421: "WebRAG does not serve this host name; use the address that it shows",
}


class SmokeError(Exception):
    """A step failed."""


@asynccontextmanager
async def connected(url: str, token: str, era: str) -> AsyncIterator[Client]:
    """Connect over Streamable HTTP. `auto` uses the newest version both sides know, `legacy` one with a handshake."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False, event_hooks={"response": [explain]}) as http,
        Client(streamable_http_client(url, http_client=http), mode=era) as client,
    ):
        yield client


async def explain(response: httpx2.Response) -> None:
    """Describe an HTTP error; the protocol library does not distinguish them."""
    if response.status_code in REFUSALS:
        raise SmokeError(f"the server answers {response.status_code}: {REFUSALS[response.status_code]}")


def text_of(result: types.CallToolResult) -> str:
    """Return the text of a result. Errors are results too; their text says what to do."""
    text = "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
    if result.is_error:
        raise SmokeError(text)
    return text


async def check(client: Client, question: str) -> None:
    """Run all steps and print a line for each."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    absent = [name for name in NEEDED if name not in tools]
    if absent:
        raise SmokeError(f"the tool {absent[0]} is not listed; select the profile `full` or `kb`")
    print(f"tools/list: {len(tools)} tools")
    templates = (await client.list_resource_templates()).resource_templates
    print(f"resources/templates/list: {', '.join(template.uri_template for template in templates)}")
    found = await client.call_tool("kb_retrieve_evidence", {"question": question})
    print(f"kb_retrieve_evidence:\n{text_of(found)}")
    hits = await client.call_tool("kb_search", {"query": question, "top_k": 1})
    text_of(hits)
    if not hits.structured_content or not hits.structured_content["results"]:
        raise SmokeError("kb_search did not find a readable passage")
    uri = hits.structured_content["results"][0]["scratch_uri"]
    (content,) = (await client.read_resource(uri)).contents
    if not isinstance(content, types.TextResourceContents) or not content.text:
        raise SmokeError(f"{uri} has no text")
    print(f"resources/read: {uri}, {len(content.text)} characters")


async def run(options: argparse.Namespace) -> int:
    failures: list[str] = []
    try:
        async with connected(options.url, os.environ.get("MCP_AUTH_TOKEN", ""), options.era) as client:
            who = client.server_info
            print(f"connected to {f'{who.name} {who.version}' if who else 'a server'}, MCP {client.protocol_version}")
            await check(client, options.question)
    except* (SmokeError, MCPError, httpx2.HTTPError) as group:
        failures = [str(error) for error in leaves(group)]
    for failure in failures:
        print(f"failed: {failure}", file=sys.stderr)
    if not failures:
        print("everything works")
    return 1 if failures else 0


def leaves(group: BaseExceptionGroup[Exception]) -> list[Exception]:
    """Return the errors of a group, including nested groups."""
    found: list[Exception] = []
    for error in group.exceptions:
        found += leaves(error) if isinstance(error, BaseExceptionGroup) else [error]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--question", default=QUESTION)
    parser.add_argument("--era", choices=("auto", "legacy"), default="auto")
    return asyncio.run(run(parser.parse_args()))


if __name__ == "__main__":
    sys.exit(main())
