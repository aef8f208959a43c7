"""Every tool with random and nearly valid arguments, through the official client over HTTP.

    python bench/tool_calls.py [--calls N] [--seed N] [--seconds N] [--json [FILE]]

An engine in this process indexes a few pages and a folder of notes from loopback. Working arguments come from results (IDs of passages,
nodes, pages). Some are replaced by odd values of the same or another type, left out or invented. The bench checks each result: no internal
error, nothing over the limits of text, bytes and links, structured content that matches its output schema, and errors with a known code.
Prints a row for each tool and each kind of failure with the first call that showed it. The exit status is 1 if there is a failure.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import logging
import math
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx2
import mcp.types as types
from jsonschema import Draft202012Validator
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from app import caps
from app.engine import Engine
from app.errors import EmbedderError, ErrorCode
from app.events import EventBus
from app.secrets import SecretStore
from app.server.http import HttpServer
from app.server.tools import build_registry
from app.settings import load_settings
from support.marked_site import PLACES, write_marked_notes, write_marked_site
from support.report import Report, Row, add_json, print_report
from support.sites import serve_folder

CALLS: Final = 50_000
PAGES: Final = 4
TOKEN: Final = "token-of-the-benchmark"
REFILL_CALLS: Final = 400
"""Calls before the IDs for nearly valid arguments are refreshed."""
SLOW: Final = frozenset({"ingest", "web.read_from_page", "web.search", "answer", "web_search", "web_read_from_page"})
SLOW_SHARE: Final = 0.3
"""Share of calls to tools that fetch pages, which are called less often."""
WORDS: Final = ("access code", "pump", "Aldervale", "deliveries", "north gate", "winter", "keys")
ODD: Final[tuple[Any, ...]] = (
    *("", " ", "x" * 2_001, "蜂の冬", "\u202eevil", "a\x00b", '"', "-", "*", "OR", "AND NOT", "'; DROP TABLE chunks; --"),
    *("../../etc/passwd", "C:\\Windows\\win.ini", "file:///etc/passwd", "http://127.0.0.1:1/", "http://h:port/", "hTtp://[::1", "ftp://x"),
    *("https://anna:pass-word@127.0.0.1:1/?token=abc123", "webrag://scratch/x/y", "9" * 30, "d1", "s1.0", "e1", "d999999999999999999999"),
    *(-1, 0, 1, 2, 7, 25, 51, 801, 10**9, 10**30, -(10**18), 1.5, 1e300, None, True, False, "true", "3", "[]", "null"),
    *([], {}, [[]], [None], {"a": {"b": [1]}}, ["x"] * 101, ["d1", "d1"], '["d1"]', {"$ref": "#"}),
)  # fmt: skip


@dataclass(slots=True)
class Tally:
    """Results of the calls of one tool."""

    calls: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    slowest_ms: float = 0.0


class Arguments:
    """Random arguments for a tool, close to working ones."""

    def __init__(self, seed: int, base: str, paths: list[str]) -> None:
        self.chance = random.Random(seed)
        self.urls = [f"{base}/{path}" for path in paths]
        self.known: dict[str, list[Any]] = {}
        """Values for parameters by name, from results."""

    def make(self, tool: types.Tool) -> dict[str, Any]:
        schema = tool.input_schema
        properties: Mapping[str, Any] = schema.get("properties", {})
        wanted = {name for name in properties if name in schema.get("required", ()) or self.chance.random() < 0.35}
        made = {name: self._value(name, properties[name]) for name in wanted}
        for name in list(made):
            if self.chance.random() < 0.15:
                made[name] = self.chance.choice(ODD)
            elif self.chance.random() < 0.02:
                del made[name]
        if self.chance.random() < 0.03:
            made[self.chance.choice(("other", "", "querry", "__proto__"))] = self.chance.choice(ODD)
        return made

    def _value(self, name: str, schema: Mapping[str, Any]) -> Any:
        if known := self.known.get(name):
            return self.chance.choice(known)
        if name in ("url", "urls", "uri", "source_url"):
            return self.chance.choice(self.urls)
        if "enum" in schema:
            return self.chance.choice(schema["enum"])
        options = schema.get("anyOf") or schema.get("oneOf")
        if options:
            return self._value(name, self.chance.choice(options))
        return self._of_kind(name, schema)

    def _of_kind(self, name: str, schema: Mapping[str, Any]) -> Any:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = self.chance.choice(kind)
        if kind in ("integer", "number"):
            low, high = int(schema.get("minimum", 0)), int(schema.get("maximum", 100))
            return self.chance.choice(
                (low, high, *(self.chance.randint(low, high) for _ in range(18)), low - 1, high + 1)
            )
        if kind == "boolean":
            return self.chance.random() < 0.5
        if kind == "array":
            return [self._value(name, schema.get("items", {})) for _ in range(self.chance.choice((0, 1, 1, 2, 5)))]
        if kind == "object":
            properties: Mapping[str, Any] = schema.get("properties", {})
            return {key: self._value(key, each) for key, each in properties.items() if self.chance.random() < 0.4}
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 4)))


@contextlib.asynccontextmanager
async def world(pages: int) -> AsyncIterator[tuple[Client, str, list[str]]]:
    """Yield the official client of an engine with some pages and a folder, their base and their paths."""
    with tempfile.TemporaryDirectory(prefix="webrag-bench-") as folder:
        site, notes = Path(folder) / "site", Path(folder) / "notes"
        site.mkdir()
        notes.mkdir()
        paths = [page.path for place in PLACES[:2] for page in write_marked_site(site, place, pages)]
        write_marked_notes(notes, PLACES)
        with serve_folder(site) as served:
            environment = {
                "WEBRAG_ALLOW_NETWORKS": "127.0.0.0/8",
                "MCP_RATE_LIMIT_REQUESTS": "100000",
                "MCP_TOOL_PROFILE": "full",
            }
            settings = load_settings(
                data_dir=Path(folder) / "data", file=Path(folder) / "none.toml", environ=environment
            )
            engine = Engine(settings, SecretStore(), EventBus(), make_embedder=_no_embedder)
            await engine.start(background=False)
            try:
                await engine.ingest([f"{served.base}/{path}" for path in paths])
                job = await engine.jobs.add_folder(notes)
                await engine.jobs.wait(job.id, 60)
                async with _over_http(engine) as client:
                    yield client, served.base, paths
            finally:
                await engine.stop()


@contextlib.asynccontextmanager
async def _over_http(engine: Engine) -> AsyncIterator[Client]:
    server = HttpServer(engine, build_registry(engine.settings), token=TOKEN, port=0)
    await server.start()
    try:
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, trust_env=False, timeout=120) as http,
            Client(streamable_http_client(server.url, http_client=http)) as client,
        ):
            yield client
    finally:
        await server.stop()


def _no_embedder(*_: object) -> Any:
    raise EmbedderError("The benchmark has none.")


async def call_tools(calls: int, seed: int, *, seconds: float = math.inf, pages: int = PAGES) -> dict[str, Tally]:
    """Make the calls, fewer if the time is over, and return the results by tool."""
    tallies: dict[str, Tally] = {}
    async with world(pages) as (client, base, paths):
        tools = (await client.list_tools()).tools
        arguments = Arguments(seed, base, paths)
        end = time.monotonic() + seconds
        for number in range(calls):
            if time.monotonic() > end:
                break
            if number % REFILL_CALLS == 0:
                await _learn(client, arguments)
            tool = arguments.chance.choice(tools)
            if tool.name in SLOW and arguments.chance.random() > SLOW_SHARE:
                tool = arguments.chance.choice(tools)
            await _call(client, tool, arguments.make(tool), tallies.setdefault(tool.name, Tally()))
    return tallies


async def _learn(client: Client, arguments: Arguments) -> None:
    """Take IDs from the results of successful calls."""
    known = arguments.known
    names = {tool.name for tool in (await client.list_tools()).tools}

    async def data(tool: str, **given: Any) -> dict[str, Any]:
        for name in (tool, tool.replace(".", "_")):
            if name in names:
                return (await client.call_tool(name, given)).structured_content or {}
        return {}

    found = (await data("kb.search", query="access code", top_k=10)).get("results", [])
    known["passage_id"] = [result["passage_id"] for result in found]
    known["passage_ids"] = [known["passage_id"][:3], known["passage_id"][:1]] if found else []
    nodes = (await data("graph.expand", start_ids=arguments.urls[:2])).get("nodes", [])
    kinds = {kind: [node["id"] for node in nodes if node["kind"] == kind] for kind in ("section", "entity")}
    ids = [node["id"] for node in nodes]
    for name, some in {"node_id": ids, "from_id": ids, "to_id": ids, "section_id": kinds["section"]}.items():
        known[name] = some
    for name, some in {
        "node_ids": ids,
        "start_ids": ids,
        "section_ids": kinds["section"],
        "entity_ids": kinds["entity"],
    }.items():
        known[name] = [some[:1], some[:5], some[-3:]] if some else []
    known["path"] = [f"{place.lower()}.md" for place in PLACES]


async def _call(client: Client, tool: types.Tool, given: dict[str, Any], tally: Tally) -> None:
    tally.calls += 1
    started = time.perf_counter()
    try:
        problem = problem_of(tool, await client.call_tool(tool.name, given), tally)
    except MCPError as error:
        tally.errors[f"protocol {error.error.code}"] += 1
        problem = f"internal error of the protocol: {error.error.message[:80]}" if error.error.code == -32603 else ""
    except Exception as error:  # noqa: BLE001 - whatever else comes back is a finding
        problem = f"{type(error).__name__}: {str(error)[:120]}"
    tally.slowest_ms = max(tally.slowest_ms, 1000 * (time.perf_counter() - started))
    if problem:
        tally.failures.setdefault(problem, repr(given)[:400])


def problem_of(tool: types.Tool, result: types.CallToolResult, tally: Tally) -> str:
    """Return the problem of a result, or an empty string."""
    text = "\n".join(block.text for block in result.content if block.type == "text")
    links = sum(block.type == "resource_link" for block in result.content)
    whole = len(result.model_dump_json(by_alias=True, exclude_none=True))
    data = result.structured_content
    if len(text) > caps.MAX_RESPONSE_CHARS or len(text.encode()) > caps.MAX_RESPONSE_BYTES:
        return "text over its limit"
    if whole > 2 * caps.MAX_RESPONSE_BYTES or links > caps.MAX_LINKS_PER_RESULT:
        return "result over its limit"
    if result.is_error:
        code = next((str(code) for code in ErrorCode if str(code) in text), "")
        tally.errors[code or "no code"] += 1
        if not code or code == ErrorCode.INTERNAL_ERROR:
            return code or "an error without a code"
        return "structured content in an error" if data is not None else ""
    if tool.output_schema is not None:
        if data is None:
            return "no structured content"
        wrong = next(Draft202012Validator(tool.output_schema).iter_errors(data), None)
        if wrong is not None:
            return f"structured content: {wrong.message[:80]}"
        if len(json.dumps(data, ensure_ascii=False).encode()) > caps.MAX_RESPONSE_BYTES:
            return "structured content over its limit"
    return ""


def main() -> int:
    """Make the calls and print the results."""
    parser = argparse.ArgumentParser(description="Call every tool with random and nearly valid arguments.")
    parser.add_argument("--calls", type=int, default=CALLS, help=f"in total (default {CALLS})")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=math.inf, help="time limit in seconds")
    add_json(parser)
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    tallies = asyncio.run(call_tools(options.calls, options.seed, seconds=options.seconds))
    report = Report(f"Every tool with odd arguments (seed {options.seed})", as_json=options.json)
    for name, tally in sorted(tallies.items()):
        report.add({**_counts(name, [tally]), "slowest ms": tally.slowest_ms})
        for problem, given in tally.failures.items():
            print(f"  {problem}: {given}", file=sys.stderr)
    report.add(_counts("all", list(tallies.values())))
    report.end()
    codes = sum((tally.errors for tally in tallies.values()), Counter[str]())
    rows = [{"refused with": code, "calls": count} for code, count in codes.most_common()]
    print_report(rows, as_json=options.json, title="Refusals")
    return 1 if any(tally.failures for tally in tallies.values()) else 0


def _counts(name: str, tallies: Sequence[Tally]) -> Row:
    calls, refused = sum(tally.calls for tally in tallies), sum(sum(tally.errors.values()) for tally in tallies)
    return {"tool": name, "calls": calls, "refused": refused, "failures": sum(len(tally.failures) for tally in tallies)}


if __name__ == "__main__":
    sys.exit(main())
