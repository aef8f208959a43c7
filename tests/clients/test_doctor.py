"""The doctor tries a command as the client would, and names what is wrong with it."""

from __future__ import annotations

import json
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from app.clients import CLAUDE_DESKTOP, CLIENTS, Machine, ServerCommand
from app.clients.config_file import read_config
from app.clients.doctor import DoctorReport, examine
from app.clients.session import Session, SessionError
from app.errors import ClientConfigError

SERVER = """
import json, os, sys
TOOLS = {tools}
def say(text):
    sys.stdout.write(text + "\\n"); sys.stdout.flush()
def reply(message, result):
    say(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "result": result}}))
def refuse(message):
    say(json.dumps({{"jsonrpc": "2.0", "id": message["id"], "error": {{"code": -1, "message": "no"}}}}))
{first}
for line in sys.stdin:
    message = json.loads(line)
    modern = "_meta" in message.get("params", {{}})
    if message["method"] == "initialize":
        {initialize}
        reply(message, {{"protocolVersion": "2025-06-18", "instructions": {instructions}}})
    elif message["method"] == "server/discover":
        {discover}
        reply(message, {{"supportedVersions": ["2026-07-28"], "capabilities": {{}}}})
    elif message["method"] == "tools/list":
        {listing}
        reply(message, {{"tools": TOOLS}})
{last}
"""
REFUSED = "refuse(message); continue"
GOOD = {"name": "answer", "description": "Answers.", "inputSchema": {"type": "object"}}


def server(folder: Path, tools: list[dict[str, Any]] | None = None, **parts: str) -> ServerCommand:
    """A server of the test's own; the parts are code that is put into it."""
    blanks = dict.fromkeys(("first", "initialize", "discover", "listing", "last"), "pass")
    source = SERVER.format(**{"tools": repr(tools or [GOOD]), "instructions": "''", **blanks, **parts})
    script = folder / f"server{len(list(folder.glob('server*.py')))}.py"
    script.write_text(textwrap.dedent(source), encoding="utf-8")
    return ServerCommand(sys.executable, (str(script),))


def checks(report: DoctorReport) -> dict[str, tuple[bool, str]]:
    """The checks of this installation's own command."""
    return {check.name: (check.ok, check.detail) for check in report.clients[0].files[0].checks}


def wrong(report: DoctorReport) -> dict[str, str]:
    return {name: detail for name, (ok, detail) in checks(report).items() if not ok}


def test_a_good_server_passes_in_both_eras(linux: Machine, tmp_path: Path) -> None:
    report = examine(server(tmp_path), CLIENTS, linux)
    assert report.ok, wrong(report)
    assert {"handshake", "2026-07-28", "same tools", "names"} <= checks(report).keys()
    file = report.clients[0].files[0]
    assert file.tools == 1
    assert file.start_ms > file.list_ms > 0
    assert not report.clients[1].found


@pytest.mark.parametrize(
    ("parts", "name", "detail"),
    [
        ({"discover": "sys.exit('no such era')"}, "2026-07-28", "no such era"),
        ({"initialize": "sys.exit(3)"}, "handshake", "ended before it answered initialize"),
        ({"listing": REFUSED}, "handshake", "tools/list failed: no (-1)"),
        ({"listing": "print('debug output')"}, "stdout", "debug output"),
        ({"listing": "TOOLS.append(dict(TOOLS[0], name='kb.search'))"}, "names", "kb.search"),
        ({"listing": "TOOLS.append(TOOLS[0])"}, "names", "answer"),
        ({"listing": "TOOLS[0]['description'] = 'x' * 3000"}, "descriptions", "answer"),
        ({"listing": "TOOLS[0]['inputSchema'] = {'type': 'string'}"}, "schemas", "answer"),
        ({"listing": "TOOLS.clear()"}, "tools", "0 listed"),
        ({"listing": "modern and TOOLS.append(dict(TOOLS[0], name='more'))"}, "same tools", "both"),
        ({"instructions": "'x' * 3000"}, "handshake instructions", "3000 bytes"),
        ({"last": "sys.exit(7)"}, "handshake end", "exit status 7"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(parts: dict[str, str], name: str, detail: str, linux: Machine, tmp_path: Path) -> None:
    report = examine(server(tmp_path, **parts), CLIENTS, linux)
    assert not report.ok
    assert detail in wrong(report)[name]


def test_a_server_that_does_not_answer_is_given_up(tmp_path: Path) -> None:
    slow = server(tmp_path, first="import time; time.sleep(30)")
    session = Session([slow.command, *slow.args], {})
    with pytest.raises(SessionError, match="no answer to initialize within"):
        session.initialize(timeout=0.3)
    session._process.kill()
    session.close()


def test_a_command_that_is_not_there_is_named(linux: Machine) -> None:
    report = examine(ServerCommand("/nowhere/webrag", ("mcp",)), CLIENTS, linux)
    assert wrong(report) == {"command": "/nowhere/webrag is not there or may not be run"}


def test_the_entry_of_the_client_is_run_as_it_stands(linux: Machine, config: Path, tmp_path: Path) -> None:
    """With the client's reduced environment and the variables of the entry, and nothing else."""
    seen = tmp_path / "seen.json"
    spy = server(tmp_path, first=f"json.dump(dict(os.environ), open({str(seen)!r}, 'w'))")
    entry = {**spy.entry(), "env": {"EXTRA": "1"}}
    config.write_text(json.dumps({"mcpServers": {"webrag": entry}}))
    machine = Machine(linux.system, linux.home, {**linux.environ, "SECRET": "not for servers", "DISPLAY": ":0"})
    report = examine(server(tmp_path), CLIENTS, machine)
    assert report.ok
    assert report.clients[1].files[0].command == (spy.command, *spy.args)
    environ = json.loads(seen.read_text())
    assert environ["EXTRA"] == "1"
    assert environ["HOME"] == str(linux.home)
    assert not {"SECRET", "DISPLAY"} & environ.keys()


def test_a_client_without_our_entry_is_not_well(linux: Machine, config: Path, tmp_path: Path) -> None:
    config.write_text("{}")
    report = examine(server(tmp_path), CLIENTS, linux)
    assert not report.ok
    file = report.clients[1].files[0]
    assert [(check.name, check.ok) for check in file.checks] == [("file", True), ("registered", False)]
    assert f"webrag register --client {CLAUDE_DESKTOP.name}" in file.checks[1].detail


def test_a_broken_file_is_reported_with_its_line(linux: Machine, config: Path, tmp_path: Path) -> None:
    config.write_text("{\n oops")
    report = examine(server(tmp_path), CLIENTS, linux)
    assert not report.ok
    assert "line 2, column 2" in report.clients[1].files[0].checks[0].detail


def test_a_file_that_may_not_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ClientConfigError, match="cannot be read"):
        read_config(tmp_path)
