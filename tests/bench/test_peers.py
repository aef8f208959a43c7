"""The comparison with other tools: bad pages, and tools that cannot be installed."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import peers
from support.bad_pages import VISIBLE
from support.peer_tools import NotInstalledError, Peer, run

SERVER = """
import json, sys
from pathlib import Path

kept = Path(sys.argv[1], "kept")
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    result = {}
    if asked["method"] == "initialize":
        result = {"protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}}}
        result["serverInfo"] = {"name": "keeper", "version": "1"}
    elif asked["method"] == "tools/list":
        result = {"tools": [{"name": "read", "inputSchema": {"type": "object"}}]}
    elif asked["method"] == "tools/call":
        if "hidden" in asked["params"]["arguments"]["url"]:
            kept.write_text("PAGE")
        result = {"content": [{"type": "text", "text": kept.read_text() if kept.exists() else "nothing"}]}
    print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result}), flush=True)
"""
"""A tool that keeps the page with hidden text and answers from it."""


def test_a_tool_that_keeps_pages_says_the_same_in_each_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "server.py").write_text(SERVER.replace("PAGE", VISIBLE), encoding="utf-8")
    monkeypatch.setattr(peers, "install", lambda *_: (tmp_path, 0.0, 0.0))
    monkeypatch.setattr(peers, "BAD_PAGES", ("hidden", "missing"))
    command = [sys.executable, "-SE", "{bin}/server.py", "{data}"]
    reads = [{"tool": "read", "arguments": {"url": "{url}"}}]
    peer = Peer("keeper", "pip keeper", "", "", command, "read", {}, reads=reads)
    bench = peers.Bench([], tmp_path, tmp_path, "")
    for _ in range(2):
        row = asyncio.run(bench.read_bad_pages(peer, "http://127.0.0.1"))
        assert str(row["hidden"]).startswith("text without instructions")
        assert str(row["missing"]).startswith("nothing")


@pytest.mark.parametrize(
    ("printed", "reason"),
    [
        ("npm error Error: connect refused\nnpm error A complete log of this run", "npm error Error: connect refused"),
        ("1\n2\n", "2"),
    ],
)
def test_the_reason_of_a_failed_installation_is_its_error(printed: str, reason: str) -> None:
    with pytest.raises(NotInstalledError) as raised:
        run([sys.executable, "-SEc", f"raise SystemExit({printed!r})"], {})
    assert str(raised.value) == reason
