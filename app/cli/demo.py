"""`demo`: a question to the bundled guide through the real bridge, and how to connect an assistant."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from app.bridge.start import start_headless
from app.cli.calls import post
from app.cli.output import CommandFailedError, Failure, say
from app.clients import ServerCommand, server_command
from app.clients.probe import Session, SessionError
from app.errors import ErrorCode, NotRunningError
from app.instance import RuntimeInfo, find_instance, read_runtime
from app.paths import default_data_dir, program

DEMO_START_SECONDS: Final = 60.0
DEMO_CALL_SECONDS: Final = 60.0
DEMO_STOP_SECONDS: Final = 15.0

QUESTION: Final = "How do I connect Claude Desktop?"
POLL_SECONDS: Final = 0.05
RULE: Final = "─" * 72


def demo(options: argparse.Namespace) -> int:
    """Ask, show, explain; a server started for it is ended again."""
    data_dir: Path = options.data_dir or default_data_dir()
    running = find_instance(data_dir)
    info = running or start_headless(data_dir, port=0, seconds=DEMO_START_SECONDS)
    try:
        say(f"WebRAG answers at {info.url} (process {info.pid}).\n")
        say(f"Question to the bundled guide, through the bridge: {QUESTION}\n{RULE}")
        say(_ask(data_dir))
        say(RULE)
    finally:
        if running is None:
            _stop(info, data_dir)
    say(connection_help(server_command(options.data_dir)))
    return 0


def connection_help(command: ServerCommand) -> str:
    """How each assistant is connected to the bridge."""
    line = [command.command, *command.args]
    entry = json.dumps({"mcpServers": {"webrag": command.entry()}}, indent=2, ensure_ascii=False)
    vscode = json.dumps({"name": "webrag", **command.entry()}, ensure_ascii=False)
    return "\n".join(
        (
            "Connect an assistant:",
            "",
            "Claude Desktop   webrag register          (or this in claude_desktop_config.json:)",
            entry,
            "",
            f"Claude Code      {_shell('claude', 'mcp', 'add', '--scope', 'user', 'webrag', '--', *line)}",
            "Cursor           the entry above, in ~/.cursor/mcp.json",
            f"VS Code          {_shell('code', '--add-mcp', vscode)}",
            "",
            "The assistant starts WebRAG by itself when it is not running. `webrag doctor` tries it out.",
        )
    )


def _ask(data_dir: Path) -> str:
    line = [*program("webrag", "app"), "mcp", "--data-dir", str(data_dir)]
    try:
        with Session(line, os.environ) as session:
            session.initialize(timeout=DEMO_START_SECONDS)
            params = {"name": "search", "arguments": {"query": QUESTION}}
            result = session.request("tools/call", params, timeout=DEMO_CALL_SECONDS)
    except SessionError as error:
        raise NotRunningError(f"The bridge {error}.", hint="Run `webrag doctor`.") from error
    text = _text(result)
    if result.get("isError"):
        failure = Failure(ErrorCode.INTERNAL_ERROR.value, "The question failed", text, "Run `webrag doctor`.")
        raise CommandFailedError(failure)
    return text


def _text(result: dict[str, Any]) -> str:
    blocks = result.get("content")
    texts = [block.get("text", "") for block in blocks if isinstance(block, dict)] if isinstance(blocks, list) else []
    return "\n".join(texts)


def _stop(info: RuntimeInfo, data_dir: Path) -> None:
    """End the server; its file disappears last."""
    post(info, "/control/stop")
    deadline = time.monotonic() + DEMO_STOP_SECONDS
    while read_runtime(data_dir) == info and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)


def _shell(*words: str) -> str:
    """The words as one command line of this system's shell."""
    arguments: Sequence[str] = words
    return subprocess.list2cmdline(arguments) if sys.platform == "win32" else shlex.join(arguments)
