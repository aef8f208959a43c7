"""Latency as an assistant feels it, through the real bridge and process.

    python bench/latency.py [--json] [--repeat N]

Pages are made on the spot and served on loopback. The goal stands beside each figure.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support.application import WEBRAG, Client, Running, connected, memory_mb, running_application
from support.report import Row, median, percentile, print_report
from support.sites import serve_folder

TOPICS = ("valve", "glacier", "ledger", "harbour", "compiler", "orchard", "satellite", "archive", "furnace", "lantern")
FILLER_WORDS = ("the", "a", "of", "and", "with", "under", "before", "after", "each", "holds", "needs", "moves")
QUERY = "How is the {topic} inspected?"


def page(topic: str, seed: int, paragraphs: int) -> str:
    """A page of about 90 tokens a paragraph, the same for the same seed."""
    source = random.Random(seed)
    words = [w for t in TOPICS for w in (t, f"{t}s")] + list(FILLER_WORDS)
    body = []
    for number in range(paragraphs):
        sentences = [" ".join(source.choices(words, k=14)).capitalize() + "." for _ in range(5)]
        body.append(f"<h2>Part {number} of the {topic}</h2><p>{' '.join(sentences)}</p>")
    fact = f"<p>The {topic} is inspected every {seed + 2} weeks by the night crew.</p>"
    return f"<html><head><title>The {topic}</title></head><body><main>{fact}{''.join(body)}</main></body></html>"


def initialize_ms(application: Running) -> float:
    """From the start of a bridge process to its answer to `initialize`."""
    message = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "bench", "version": "1"},
        },
    }
    started = time.perf_counter()
    command = [str(WEBRAG), "mcp", "--data-dir", str(application.data_dir)]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(application.environment),
    )
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    elapsed = 1000 * (time.perf_counter() - started)
    process.stdin.close()
    process.wait(timeout=30)
    assert b'"result"' in answer, answer
    return elapsed


async def first_answers(client: Client, base: str, count: int) -> list[float]:
    """`answer` on pages never seen before."""
    times = []
    for number in range(count):
        topic = TOPICS[number % len(TOPICS)]
        query = QUERY.format(topic=topic)
        reply = await client.call("answer", url=f"{base}/page{number}.html", query=query)
        assert not reply.is_error, reply.text
        times.append(reply.ms)
    return times


async def searches(client: Client, count: int) -> list[float]:
    """`search` over everything stored, a new question each time."""
    times = []
    for number in range(count):
        reply = await client.call("search", query=f"{QUERY.format(topic=TOPICS[number % len(TOPICS)])} Case {number}")
        assert not reply.is_error, reply.text
        times.append(reply.ms)
    return times


async def measure(application: Running, base: str, repeat: int) -> list[Row]:
    rows: list[Row] = []

    def add(what: str, values: list[float], goal: str) -> None:
        rows.append({"what": what, "p50 ms": median(values), "p95 ms": percentile(values, 0.95), "goal": goal})

    add("initialize through the bridge", [initialize_ms(application) for _ in range(repeat)], "< 500 ms")
    async with connected(application) as client:
        answers = await first_answers(client, base, max(repeat, 2))
        add("first answer after start, page of about 1,500 tokens", answers[:1], "< 1,000 ms")
        add("answer on a new page of about 1,500 tokens", answers[1:], "< 1,000 ms")
        add("search, query embedding included", await searches(client, 4 * repeat), "p50 < 60 ms")
    memory: Row = {"what": "memory of the application, MB", "p50 ms": memory_mb(application.pid), "goal": "≤ 250"}
    return [*rows, memory]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--repeat", type=int, default=10)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(max(options.repeat, 2)):
            text = page(TOPICS[number % len(TOPICS)], number, 16)
            (Path(folder) / f"page{number}.html").write_text(text, encoding="utf-8")
        with serve_folder(Path(folder)) as base, running_application() as application:
            rows = asyncio.run(measure(application, base, options.repeat))
    print_report(rows, as_json=options.json, title="Latency")
    return 0


if __name__ == "__main__":
    sys.exit(main())
