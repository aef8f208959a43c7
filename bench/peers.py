"""WebRAG beside other tools of the same job: the same questions, pages and judgement, through the same client.

    python bench/peers.py --sites FOLDER --questions FILE... [--pages N] [--peers NAME...] [--cache FOLDER]
                          [--write docs/internals/results/peers.md]

support/peers.toml contains the tools, their settings, and tools that need more than a registry and loopback, with the reason. Each is
installed into its own environment in the cache folder, where later runs find it, its index and its rows of the tables. With --peers, only
these tools are measured again. The status is 75 if no tool can be installed.

With --pages, a site is reduced for all systems to the named pages, those with an answer, and N others. A tool that searches files gets
them before the first question, and its time for that is its own column. Memory is the peak of all processes of a tool (Linux), disk space
its environment and its data. Then each tool that takes an address reads the pages of support/bad_pages.py, each in a new process
with an empty data folder.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import hashlib
import json
import os
import sys
import tempfile
import time
import tomllib
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from support.application import Client, Reply, connected, running_application
from support.bad_pages import BAD_PAGES, QUESTION, bad_pages, outcome_in_words
from support.baselines import ask_baselines
from support.judging import CHARS_PER_TOKEN, Outcome, judge, share
from support.peer_tools import (
    MemoryOfChildren,
    NotInstalledError,
    Peer,
    choose_pages,
    filled,
    install,
    lay_out_weights,
    readable,
    remembered,
    run,
    size_mb,
)
from support.questions import Question, add_arguments, by_site, data_is_missing, read_questions
from support.report import Report, Row, percentile, write_table
from support.sites import serve_folder
from support.textbook import ask_textbook

PEERS: Final = Path(__file__).parent / "support" / "peers.toml"
ROOT: Final = Path(__file__).resolve().parents[1]
CALL_SECONDS: Final = 60.0
WEBRAG: Final = "webrag"
BASELINES: Final = "baselines"
TITLES: Final = {
    "peers": "Results",
    "bad-pages": "What an assistant gets from bad pages, with seconds and memory",
    "left-out": "Not measured",
    "settings": "Settings",
}
"""Tables of the page, by the name of their marks."""
NOT_INSTALLED: Final = 75
"""Status if no tool can be installed."""


@contextlib.asynccontextmanager
async def started(command: Sequence[str], environment: Mapping[str, str], log: Path) -> AsyncIterator[Client]:
    """Yield the official client of the server, whose diagnostics go to the log."""
    from mcp import Client as McpClient
    from mcp import StdioServerParameters

    quietly = ["-c", 'exec 2>>"$0"; exec "$@"', str(log), *command]
    parameters = StdioServerParameters(command="sh", args=quietly, env={**os.environ, **environment})
    async with McpClient(parameters, read_timeout_seconds=CALL_SECONDS) as client:
        yield Client(client)


async def called(client: Client, tool: str, arguments: Mapping[str, object]) -> Reply:
    """Return the result; a failed call is an error with its message."""
    from mcp.shared.exceptions import MCPError

    begun = time.perf_counter()
    try:
        return await client.call(tool, **arguments)
    except (MCPError, TimeoutError) as error:
        return Reply(str(error), True, 1000 * (time.perf_counter() - begun))


def judged(question: Question, reply: Reply) -> Outcome:
    """Judge the texts of the result. Tokens count all of it."""
    outcome = judge(question, readable(reply.text), error=reply.is_error, ms=reply.ms)
    return replace(outcome, tokens=len(reply.text) // CHARS_PER_TOKEN)


def row_of(name: str, job: str, outcomes: Sequence[Outcome], **more: object) -> Row:
    """Return the figures of one system."""
    asked = [each for each in outcomes if each.question.gold]
    near, far = ([each for each in asked if bool(each.question.hops) is linked] for linked in (False, True))
    none = [each for each in outcomes if not each.question.gold]
    times = [each.ms for each in outcomes]
    return {
        "tool": name,
        "job": job,
        "n": len(asked),
        "hit %": share(asked, lambda each: each.hit),
        "on the page %": share(near, lambda each: each.hit) if near else "",
        "linked %": share(far, lambda each: each.hit) if far else "",
        "said none %": share(none, lambda each: each.said_none) if none else "",
        "errors": sum(each.error for each in outcomes),
        "tokens": round(sum(each.tokens for each in outcomes) / len(outcomes)),
        "p50 ms": percentile(times, 0.5),
        "p95 ms": percentile(times, 0.95),
        "load": os.getloadavg()[0],
        **{key: more.get(key, "") for key in ("memory MB", "disk MB", "set-up s", "index s")},
    }


Tables = dict[str, dict[str, list[Row]]]
"""Rows of each table by the tool that they are about."""


class Bench:
    """One run over all systems."""

    def __init__(self, questions: Sequence[Question], sites: Path, cache: Path, base: str) -> None:
        self._questions, self._sites, self._cache, self._base = questions, sites, cache, base
        self.measured: list[Peer] = []

    async def measure(self, peer: Peer) -> AsyncIterator[Row]:
        """Install, prepare and ask one tool.

        Raises:
            NotInstalledError: The tool cannot be installed or prepared.
        """
        programs, disk, seconds = install(peer.package, self._cache)
        data = self._sites / "data" / peer.name
        data.mkdir(parents=True, exist_ok=True)
        names, environment = self._names(peer, programs, data)
        indexed = remembered(data / "prepared", lambda: self._prepare(peer, names, environment))
        questions = [question for question in self._questions if not peer.sites or question.site in peer.sites]
        outcomes = []
        with MemoryOfChildren() as memory:
            async with started(filled(peer.command, names), environment, data / "log") as client:
                for question in questions:
                    reply = await called(client, peer.tool, filled(peer.arguments, self._asked(question, names)))
                    outcomes.append(judged(question, reply))
        sizes = {"memory MB": memory.peak, "disk MB": disk + size_mb(data), "set-up s": seconds, "index s": indexed}
        if outcomes:
            yield row_of(peer.name, peer.job, outcomes, **sizes)
        self.measured += [peer] if peer.reads else []

    def _prepare(self, peer: Peer, names: Mapping[str, str], environment: Mapping[str, str]) -> None:
        if peer.once:
            run(filled(peer.once, names), environment)
        for site in by_site(self._questions) if peer.each_site else ():
            run(filled(peer.each_site, {**names, "site": site}), environment)

    async def measure_webrag(self) -> AsyncIterator[Row]:
        """Ask WebRAG with `answer`, then everything again with `search`."""
        _, disk, seconds = install(f"pip {ROOT}", self._cache)
        with running_application() as application:
            async with connected(application) as client:
                for tool, job in (
                    ("answer", "reads the page and its links"),
                    ("search", "searches what `answer` read"),
                ):
                    outcomes = []
                    with MemoryOfChildren() as memory:
                        for question in self._questions:
                            asked = self._asked(question, {})
                            address = {"url": asked["url"]} if tool == "answer" else {}
                            outcomes.append(
                                judged(question, await called(client, tool, {"query": question.text, **address}))
                            )
                    size = disk + size_mb(application.data_dir)
                    sizes = {"memory MB": memory.peak, "disk MB": size, "set-up s": seconds, "index s": 0.0}
                    yield row_of(f"WebRAG, {tool}", job, outcomes, **sizes)

    async def read_bad_pages(self, peer: Peer | None, base: str) -> Row:
        """Let a tool that takes an address read each bad page, each in a new process with an empty data folder. None: WebRAG."""
        row = {"tool": peer.name if peer else "WebRAG, answer"}
        for page in BAD_PAGES:
            asked = {"url": f"{base}/{page}.html", "query": QUESTION}
            async with contextlib.AsyncExitStack() as stack:
                memory = stack.enter_context(MemoryOfChildren())
                if peer is None:
                    client = await stack.enter_async_context(connected(stack.enter_context(running_application())))
                    replies = [await called(client, "answer", asked)]
                else:
                    data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
                    names, environment = self._names(peer, install(peer.package, self._cache)[0], data)
                    server = started(filled(peer.command, names), environment, data / "log")
                    client = await stack.enter_async_context(server)
                    calls = [(each["tool"], filled(each["arguments"], {**names, **asked})) for each in peer.reads]
                    replies = [await called(client, tool, arguments) for tool, arguments in calls]
            row[page] = cell(page, replies, memory)
        return row

    def _names(self, peer: Peer, programs: Path, data: Path) -> tuple[dict[str, str], dict[str, str]]:
        """Return the names for the texts of a tool, and variables that keep it away from the user's home and from model hubs."""
        names = {
            "bin": str(programs),
            "data": str(data),
            "weights": str(self._cache / "weights"),
            "pages": str(self._sites / "html"),
            "markdown": str(self._sites / "markdown"),
        }
        return names, {"HOME": str(data), "HF_HUB_OFFLINE": "1", **filled(peer.environment, names)}

    def _asked(self, question: Question, names: Mapping[str, str]) -> dict[str, str]:
        url = f"{self._base}/{question.site}/{question.seed_path}"
        stem = Path(question.seed_path).stem
        return {**names, "url": url, "site": question.site, "stem": stem, "query": question.text}


def cell(page: str, replies: Sequence[Reply], memory: MemoryOfChildren) -> str:
    """Return the outcome of the calls, with their seconds and the memory."""
    text = "\n".join(readable(reply.text) for reply in replies)
    said = outcome_in_words(page, text, is_error=any(reply.is_error for reply in replies))
    return f"{said} ({sum(reply.ms for reply in replies) / 1000:.1f} s, {memory.peak:.0f} MB)"


async def baseline_rows(questions: Sequence[Question], pages: Path, cache: Path) -> AsyncIterator[Row]:
    """Ask the baselines of bench/answers.py over the same pages. Their times are for the query only."""
    found: dict[str, list[Outcome]] = {}
    for site, asked in by_site(questions).items():
        for one in (ask_baselines(asked, pages / site), ask_textbook(asked, pages / site, cache / "textbook.db")):
            for name, outcomes in one.items():
                found.setdefault(name, []).extend(outcomes)
    for name, outcomes in found.items():
        yield row_of(name, "baseline", outcomes)


async def measure(questions: Sequence[Question], options: argparse.Namespace, peers: Sequence[Peer]) -> Tables:
    """Print the tables of results and of bad pages. Returns the rows of each tool, with those of earlier runs."""
    asked = repr((sorted(question.id for question in questions), options.pages, str(options.sites)))
    sites = options.cache / f"sites-{hashlib.blake2b(asked.encode()).hexdigest()[:12]}"
    remembered(sites / "chosen", lambda: choose_pages(questions, options.sites, sites, options.pages))
    remembered(options.cache / "weights" / "laid-out", lambda: lay_out_weights(options.cache / "weights"))
    kept = sites / "rows.jsonl"
    count = sum(1 for _ in (sites / "html").rglob("*.htm*"))
    results = Report(f"{len(questions)} questions, {count} pages", as_json=options.json)
    with serve_folder(sites / "html") as served, bad_pages() as base:
        bench = Bench(questions, sites, options.cache, served.base)

        async def add(name: str, rows: AsyncIterator[Row]) -> None:
            made, reasons = [], []
            try:
                async for row in rows:
                    results.add(row)
                    made.append(row)
            except NotInstalledError as error:
                reasons = [{"tool": name, "reason": str(error)}]
            keep_rows(kept, "peers", name, made)
            keep_rows(kept, "left-out", name, reasons)

        for peer in peers:
            await add(peer.name, bench.measure(peer))
        if wanted(WEBRAG, options):
            await add(WEBRAG, bench.measure_webrag())
        if wanted(BASELINES, options):
            await add(BASELINES, baseline_rows(questions, sites / "html", options.cache))
        results.end()
        bad = Report(TITLES["bad-pages"], as_json=options.json)
        for measured in (*bench.measured, *([None] if wanted(WEBRAG, options) else [])):
            row = await bench.read_bad_pages(measured, base)
            bad.add(row)
            keep_rows(kept, "bad-pages", measured.name if measured else WEBRAG, [row])
        bad.end()
    return read_rows(kept)


def keep_rows(file: Path, table: str, tool: str, rows: Sequence[Row]) -> None:
    """Append the rows of a tool, which replace its earlier ones."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps([table, tool, rows]) + "\n")


def read_rows(file: Path) -> Tables:
    found: Tables = {"peers": {}, "bad-pages": {}, "left-out": {}}
    for line in file.read_text("utf-8").splitlines():
        table, tool, rows = json.loads(line)
        found[table][tool] = rows
    return found


def wanted(name: str, options: argparse.Namespace) -> bool:
    return not options.peers or name in options.peers


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_arguments(parser)
    parser.add_argument("--pages", type=int, default=0, metavar="N", help="other pages per site (default: all)")
    parser.add_argument(
        "--peers", nargs="+", metavar="NAME", help=f"only these of peers.toml, {WEBRAG!r} and {BASELINES!r}"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--write", type=Path, metavar="FILE", help="insert the tables into this Markdown file")
    options = parser.parse_args()
    if data_is_missing(options):
        return 2
    options.cache = options.cache.resolve() / "peers"
    tables = tomllib.loads(PEERS.read_text(encoding="utf-8"))
    left_out: list[Row] = [{"tool": tool, "reason": reason} for tool, reason in tables.pop("left_out").items()]
    peers = [Peer(name, **table) for name, table in tables.items()]
    questions = read_questions(options.questions, sites=options.only_site, limit=options.limit)
    found = asyncio.run(measure(questions, options, [peer for peer in peers if wanted(peer.name, options)]))
    found["left-out"][""] = left_out
    found["settings"] = {
        each.name: [{"tool": each.package.partition(" ")[2], "settings": each.settings}] for each in peers
    }
    order = [WEBRAG, *(peer.name for peer in peers), BASELINES, ""]
    for name, rows in found.items() if options.write else ():
        write_table(options.write, name, [row for tool in order for row in rows.get(tool, [])], title=TITLES[name])
    return 0 if any(found["peers"].values()) else NOT_INSTALLED


if __name__ == "__main__":
    sys.exit(main())
