"""The doctor tests a command as the client would, and names the problems."""

from __future__ import annotations

import json
import os
import socket
import sys
import textwrap
import time
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest

from app import caps
from app.clients import toml_edit
from app.clients.checks import Check, CheckEvent, DoctorReport, check_machine, ignore
from app.clients.config_file import LANGUAGES, read_config
from app.clients.doctor import examine
from app.clients.hosts import CLIENTS
from app.clients.probe import MAX_STDERR_LINES, Session, SessionError
from app.clients.profile import Machine, ServerCommand
from app.clients.registrar import plan_registration, remember_client
from app.corpus import Corpus
from app.embed.embedder import Embedder
from app.errors import ClientConfigError
from app.instance import RuntimeInfo, write_runtime
from app.paths import corpus_file
from app.secrets import Secret, SecretName, SecretSource, SecretStore
from app.text.sentence import Sentence

PROFILES = {profile.name: profile for profile in CLIENTS}
CLAUDE_DESKTOP, CODEX, CURSOR = PROFILES["claude-desktop"], PROFILES["codex"], PROFILES["cursor"]
GEMINI_CLI = PROFILES["gemini-cli"]

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
    """Return the command of a fake server. The parts are code inserted into it."""
    blanks = dict.fromkeys(("first", "initialize", "discover", "listing", "last"), "pass")
    source = SERVER.format(**{"tools": repr(tools or [GOOD]), "instructions": "''", **blanks, **parts})
    script = folder / f"server{len(list(folder.glob('server*.py')))}.py"
    script.write_text(textwrap.dedent(source), encoding="utf-8")
    return ServerCommand(sys.executable, (str(script),))


def checks(report: DoctorReport) -> dict[str, tuple[bool, str]]:
    """Return the checks of this installation's own command."""
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


def test_a_request_of_the_server_is_not_a_response(linux: Machine, tmp_path: Path) -> None:
    ping = 'say(json.dumps({"jsonrpc": "2.0", "id": message["id"], "method": "ping"}))'
    report = examine(server(tmp_path, initialize=ping, listing=ping), CLIENTS, linux)
    assert report.ok, wrong(report)


@pytest.mark.parametrize(
    ("parts", "name", "detail"),
    [
        ({"discover": "sys.exit('no such era')"}, "2026-07-28", "no such era"),
        ({"initialize": "sys.exit(3)"}, "handshake", "exited before it responded to initialize"),
        ({"listing": REFUSED}, "handshake", "tools/list failed: no (-1)"),
        ({"listing": "print('debug output')"}, "stdout", "debug output"),
        ({"listing": "TOOLS.append(dict(TOOLS[0], name='kb.search'))"}, "names", "kb.search"),
        ({"listing": "TOOLS.append(TOOLS[0])"}, "names", "answer"),
        ({"listing": "TOOLS[0]['description'] = 'x' * 3000"}, "descriptions", "answer"),
        ({"listing": "TOOLS[0]['inputSchema'] = {'type': 'string'}"}, "schemas", "answer"),
        ({"listing": "TOOLS.clear()"}, "tools", "0 available"),
        ({"listing": "modern and TOOLS.append(dict(TOOLS[0], name='more'))"}, "same tools", "both"),
        ({"instructions": "'x' * 3000"}, "handshake instructions", "3000 bytes"),
        ({"last": "sys.exit(7)"}, "handshake end", "exit status 7"),
    ],
)  # fmt: skip
def test_problems_are_named(parts: dict[str, str], name: str, detail: str, linux: Machine, tmp_path: Path) -> None:
    report = examine(server(tmp_path, **parts), CLIENTS, linux)
    assert not report.ok
    assert detail in wrong(report)[name]


def test_an_unresponsive_server_is_given_up(tmp_path: Path) -> None:
    slow = server(tmp_path, first="import time; time.sleep(30)")
    session = Session([slow.command, *slow.args], {})
    with pytest.raises(SessionError, match="no response to initialize within"):
        session.initialize(timeout=0.3)
    session._process.kill()
    session.close()


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("line", ["b'\\0' * 100_000", 'b\'{"jsonrpc": "2.0", "id": 9, "method": "x"}\\n\''])
def test_a_server_that_writes_without_end_costs_little(
    stream: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.clients.probe.MAX_SESSION_BYTES", 100_000)
    monkeypatch.setattr(caps, "CLIENT_EXIT_SECONDS", 0.1)
    chatty = server(tmp_path, first=f"while True: sys.{stream}.buffer.write({line})")
    with closing(Session([chatty.command, *chatty.args], {})) as session:
        words = "wrote more than" if stream == "stdout" else "no response to initialize"
        with pytest.raises(SessionError, match=words):
            session.initialize(timeout=20 if stream == "stdout" else 0.5)
        assert sum(map(len, session.log)) <= MAX_STDERR_LINES * caps.MAX_LOG_LINE_CHARS
        assert session._messages.qsize() * len(line) < 200_000


@pytest.mark.skipif(sys.platform == "win32", reason="groups of processes")
@pytest.mark.parametrize("ends", [True, False])
def test_no_child_process_of_a_server_remains(ends: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both cases: the server exits with its input or must be killed."""
    monkeypatch.setattr(caps, "CLIENT_EXIT_SECONDS", 20.0 if ends else 0.1)
    child = tmp_path / "child"
    first = (
        "import subprocess, time\n"
        "left = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"open({str(child)!r}, 'w').write(str(left.pid))"
    )
    leaving = server(tmp_path, first=first, last="pass" if ends else "time.sleep(60)")
    with closing(Session([leaving.command, *leaving.args], {})) as session:
        session.initialize(timeout=20)
        assert session.close() == (0 if ends else None)
    pid, until = int(child.read_text()), time.monotonic() + 60
    while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_missing_command_is_named(linux: Machine) -> None:
    report = examine(ServerCommand("/nowhere/webrag", ("mcp",)), CLIENTS, linux)
    assert wrong(report) == {"command": "/nowhere/webrag does not exist or is not executable"}


@pytest.mark.parametrize(
    ("entry", "words"),
    [({"url": "http://127.0.0.1:8765/mcp"}, "has no command"), ({"command": "/bin/cat"}, "starts another program")],
)
def test_a_foreign_entry_with_our_name_is_reported(
    entry: dict[str, str], words: str, linux: Machine, config: Path, tmp_path: Path
) -> None:
    config.write_text(json.dumps({"mcpServers": {"webrag": entry}}))
    (file,) = examine(server(tmp_path), [CLAUDE_DESKTOP], linux).clients[1].files
    (check,) = (check for check in file.checks if check.name == "registered")
    assert check.skipped
    assert words in check.detail
    assert "webrag register --client claude-desktop" in check.hint


def test_the_entry_of_the_client_is_run_unchanged(linux: Machine, config: Path, tmp_path: Path) -> None:
    """Only with the client's reduced environment and the variables of the entry."""
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


def test_a_client_without_our_entry_fails(linux: Machine, config: Path, tmp_path: Path) -> None:
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


def test_an_unreadable_file_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ClientConfigError, match="Cannot read"):
        read_config(tmp_path)


def test_a_client_that_was_never_registered_is_not_a_failure(linux: Machine, config: Path, tmp_path: Path) -> None:
    command = server(tmp_path)
    config.write_text(json.dumps({"mcpServers": {"webrag": command.entry()}}))
    (linux.home / ".cursor").mkdir()
    report = examine(command, CLIENTS, linux, data_dir=None)
    assert report.ok
    cursor = next(client for client in report.clients if client.name == "cursor")
    (check,) = (check for check in cursor.files[0].checks if check.name == "registered")
    assert check.skipped and "webrag register --client cursor" in check.hint
    remember_client(tmp_path / "data", "cursor", [], at=1.0)
    report = examine(command, CLIENTS, linux, data_dir=tmp_path / "data")
    cursor = next(client for client in report.clients if client.name == "cursor")
    assert not cursor.files[0].ok, "it was registered before"


def test_each_client_has_its_own_limits_and_each_command_is_tested_once(linux: Machine, tmp_path: Path) -> None:
    log = tmp_path / "starts"
    spy = server(tmp_path, [dict(GOOD, name="dashed-name")], first=f"open({str(log)!r}, 'a').write('x')")
    for profile in (CLAUDE_DESKTOP, CURSOR, CODEX):
        for plan in plan_registration(profile, spy, linux, force=True):
            path = plan.path
            path.parent.mkdir(parents=True, exist_ok=True)
            keys = (*profile.place.keys, "webrag")
            path.write_text(LANGUAGES[profile.format].set_member("", keys, spy.entry()))
    heard: list[CheckEvent] = []
    report = examine(spy, (CLAUDE_DESKTOP, CURSOR, CODEX), linux, listener=heard.append)
    assert len(log.read_text()) == 2, "once in each era"
    names = {
        client.name: check.ok
        for client in report.clients
        for file in client.files
        for check in file.checks
        if check.name == "names"
    }
    assert names == {"webrag": True, "claude-desktop": True, "cursor": False, "codex": True}
    told = [one.check for one in heard]
    assert told == [check for client in report.clients for file in client.files for check in file.checks]
    assert heard[0].title == "This installation" and heard[-1].title == "Codex" and heard[-1].path.endswith(".toml")


def test_an_entry_that_is_turned_off_fails(linux: Machine, tmp_path: Path) -> None:
    path = CODEX.locate(linux)[0].path
    path.parent.mkdir()
    path.write_text(toml_edit.set_member("", ("mcp_servers", "webrag"), {**server(tmp_path).entry(), "enabled": False}))
    report = examine(server(tmp_path), (CODEX,), linux)
    (check,) = (check for check in report.clients[1].files[0].checks if not check.ok)
    assert (check.name, check.hint) == ("turned on", "Turn on webrag in Codex.")


def test_a_client_that_uses_servers_only_in_some_folders_is_noted(linux: Machine, tmp_path: Path) -> None:
    path = GEMINI_CLI.locate(linux)[0].path
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": {"webrag": server(tmp_path).entry()}}))
    report = examine(server(tmp_path), (GEMINI_CLI,), linux)
    (check,) = (check for check in report.clients[1].files[0].checks if check.name == "folders")
    assert report.ok and check.skipped
    assert "untrusted folders" in check.detail


def machine_checks(data_dir: Path) -> dict[str, Check]:
    heard: list[CheckEvent] = []
    checks = check_machine(data_dir, heard.append)
    assert [one.check for one in heard] == list(checks)
    for check in checks:
        assert check.ok or check.hint, f"{check.name} has no next step"
    return {check.name: check for check in checks}


def test_this_computer_passes(tmp_path: Path, embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MCP_PORT", "0")
    found = machine_checks(tmp_path / "new")
    assert all(check.ok for check in found.values()), found
    assert all(isinstance(words, Sentence) for check in found.values() for words in (check.detail, check.hint) if words)
    assert found["library"].skipped and found["application"].skipped
    assert "384" in found["embedding model"].detail
    assert found["keyring"].skipped and "session" in found["keyring"].detail
    Corpus.open(
        corpus_file(tmp_path / "new"), dimension=embedder.card.dimension, model=embedder.card.fingerprint
    ).close()
    assert machine_checks(tmp_path / "new")["library"].detail.startswith("no damage found")


def test_sizes_have_the_units_of_webrag_storage(
    tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=5_000_000_000))
    monkeypatch.setattr("app.corpus.checks.estimate_reclaimable", lambda _: 42_000_000)
    found = machine_checks(tmp_path)
    assert found["data directory"].detail.endswith(", 5.0 GB free")
    size = corpus_file(tmp_path).stat().st_size / 1_000_000
    assert found["library"].detail == f"no damage found, {size:.1f} MB; webrag compact frees about 42 MB"


def test_secrets_of_a_running_application_are_reused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Known(SecretStore):
        def get(self, name: SecretName) -> Secret:
            return Secret("token", SecretSource.SESSION)

    def asked(*_: object) -> str:
        pytest.fail("the keyring was asked once more")

    monkeypatch.delenv("MCP_AUTH_TOKEN", raising=False)
    monkeypatch.setattr("keyring.get_password", asked)
    store = Known()
    (check,) = (check for check in check_machine(tmp_path, ignore, store) if check.name == "keyring")
    assert check.detail == "available; access token: session only"
    store.note = "No system keyring found."
    (check,) = (check for check in check_machine(tmp_path, ignore, store) if check.name == "keyring")
    assert check.skipped and check.detail == store.note


def test_problems_of_this_computer_are_named(tmp_path: Path, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        monkeypatch.setenv("MCP_PORT", str(taken.getsockname()[1]))
        assert machine_checks(tmp_path)["port"].skipped
    monkeypatch.setenv("MCP_HOST", "192.0.2.1")
    assert not machine_checks(tmp_path)["port"].ok
    path = corpus_file(tmp_path)
    corpus.close()
    content = bytearray(path.read_bytes())
    content[8192:9000] = bytes(808)
    path.write_bytes(content)
    assert not machine_checks(tmp_path)["library"].ok
    path.write_bytes(b"no database at all" * 100)
    assert not machine_checks(tmp_path)["library"].ok
    write_runtime(tmp_path, RuntimeInfo("http://127.0.0.1:1/mcp", "t", os.getpid(), "1"))
    assert "does not" in machine_checks(tmp_path)["application"].detail
    monkeypatch.setenv("MCP_PORT", "seventy")
    assert not machine_checks(tmp_path)["settings"].ok
    (tmp_path / "file").write_text("")
    monkeypatch.delenv("MCP_PORT")
    assert not machine_checks(tmp_path / "file")["data directory"].ok
