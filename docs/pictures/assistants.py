"""Assistants in the pictures: their files in the sample home folder, and scenes of the Assistants page."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

PROGRAM = "/usr/bin/webrag"
ENTRY = {"command": PROGRAM, "args": ["mcp"]}
BROKEN = '{\n  "mcpServers": {\n    "notes": { "command": "notes-server" },,\n  }\n}\n'
WHOLE = '{\n  "mcpServers": {\n    "notes": { "command": "notes-server" }\n  }\n}\n'

Wait = Callable[[Callable[[], bool]], None]
Settle = Callable[..., None]


def install_assistants(home: Path) -> None:
    """Create folders and files of some assistants; Claude Desktop and Cursor are connected."""
    from app.clients import monitor

    # The pictures show the path of an installed program, even if it does not exist.
    monitor.shutil = SimpleNamespace(which=lambda name, path="": name)  # type: ignore[assignment]
    files = {
        ".config/Claude/claude_desktop_config.json": json.dumps({"mcpServers": {"webrag": ENTRY}}, indent=2),
        ".cursor/mcp.json": json.dumps({"mcpServers": {"webrag": ENTRY}}, indent=2),
        ".config/Code/User/mcp.json": '{\n  // servers for every project\n  "servers": {\n  }\n}\n',
        ".claude.json": json.dumps({"numStartups": 12, "mcpServers": {}}, indent=2),
        ".codeium/windsurf/mcp_config.json": WHOLE,
    }
    (home / ".claude").mkdir(parents=True)
    for name, text in files.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)


def client_page(desktop: Any, wait: Wait, name: str) -> Any:
    desktop.window.go_to("clients")
    page = desktop.window.clients
    wait(lambda: page.pane.shown is not None)
    page.select_client(name)
    return page


def clients(desktop: Any, wait: Wait, settle: Settle) -> Any:
    """Draw a connected assistant that is running."""
    page = client_page(desktop, wait, "cursor")
    page.list.setFocus()
    settle()
    return desktop.window.grab()


def clients_problem(desktop: Any, wait: Wait, settle: Settle) -> Any:
    """Draw an assistant with an unreadable file."""
    file = Path(os.environ["HOME"]) / ".codeium" / "windsurf" / "mcp_config.json"
    file.write_text(BROKEN)
    page = client_page(desktop, wait, "windsurf")
    page.model.read_again()
    wait(lambda: bool(page.pane.notice.notices))
    settle()
    picture = desktop.window.grab()
    file.write_text(WHOLE)
    page.model.read_again()
    return picture


def clients_other(desktop: Any, wait: Wait, settle: Settle) -> Any:
    """Draw the entry for another assistant."""
    client_page(desktop, wait, "other")
    settle()
    return desktop.window.grab()


def clients_waiting(desktop: Any, wait: Wait, settle: Settle) -> Any:
    """Draw an assistant that was just connected."""
    page = client_page(desktop, wait, "cursor")
    page.model.begin("cursor")
    settle()
    picture = desktop.window.grab()
    page.model.end("cursor")
    return picture


def clients_test(desktop: Any, wait: Wait, settle: Settle) -> Any:
    """Draw the results of a test of the real server, with the path of an installed program."""
    from app.clients import doctor

    page = client_page(desktop, wait, "cursor")
    real, doctor.examine = doctor.examine, _examine_as_installed(doctor.examine)
    try:
        page.test_client()
        wait(lambda: not page.run.is_running)
    finally:
        doctor.examine = real
    settle()
    page.pane.verticalScrollBar().setValue(page.pane.results.y() - 8)
    settle()
    picture = desktop.window.grab()
    page.run.name = ""
    return picture


def clients_everything(desktop: Any, wait: Wait, settle: Settle) -> None:
    """Show the tests of this computer and every assistant, one without an entry; the dialog stays open."""
    from app.clients import doctor
    from app.desktop.pages.clients.cards import CheckEverythingDialog

    page = client_page(desktop, wait, "cursor")
    real, doctor.examine = doctor.examine, _examine_a_computer
    try:
        page.check_everything()
        dialog = desktop.window.findChildren(CheckEverythingDialog)[-1]
        wait(lambda: bool(dialog.run.checks) and not dialog.run.is_running)
    finally:
        doctor.examine = real
    settle(300)


def _examine_a_computer(*_: Any, listener: Callable[[Any], None], **__: Any) -> None:
    from app import __version__
    from app.clients.checks import Check, CheckEvent
    from app.text.sentence import sentence

    found = (
        ("data directory", True, sentence("{}, {} free", "/home/ada/.local/share/webrag", "212.4 GB"), ""),
        ("application", True, sentence("version {0} responds at {1}", __version__, "http://127.0.0.1:8765/mcp"), ""),
        ("library", True, sentence("no damage found, {}", "24.1 MB"), ""),
        ("embedding model", True, sentence("{0}, {1} dimensions", "all-MiniLM-L6-v2", "384"), ""),
        ("keyring", True, sentence("available; access token: {}", "keyring"), ""),
    )
    for name, ok, detail, hint in found:
        listener(CheckEvent("This computer", "", Check(name, ok, detail, hint)))
    cursor, windsurf = "/home/ada/.cursor/mcp.json", "/home/ada/.codeium/windsurf/mcp_config.json"
    listener(CheckEvent("Cursor", cursor, Check("command", True, PROGRAM)))
    answers = sentence("responds after {0} ms, {1} tools", "84", "22")
    listener(CheckEvent("Cursor", cursor, Check("handshake", True, answers)))
    missing = sentence("no entry; run: {}", "webrag register --client windsurf")
    listener(CheckEvent("Windsurf", windsurf, Check("registered", False, missing)))


def connect_dialog(desktop: Any, wait: Wait, settle: Settle) -> None:
    """Show the change of a file before it is written."""
    page = client_page(desktop, wait, "vscode")
    page.connect_client()
    settle(500)


def _examine_as_installed(examine: Callable[..., Any]) -> Callable[..., Any]:
    def run(
        _command: Any, profiles: tuple[Any, ...], machine: Any, *, listener: Callable[[Any], None], **_: object
    ) -> None:
        from app.clients.checks import Check, CheckEvent
        from app.clients.profile import Machine, ServerCommand

        [profile] = profiles
        path = str(profile.locate(machine)[0].path)
        for name, detail in (("file", "readable"), ("registered", "yes")):
            listener(CheckEvent(profile.title, path, Check(name, True, detail)))

        def pass_on(heard: Any) -> None:
            detail = heard.check.detail
            # The replaced text is a plain string, so the window would not translate it.
            shown = detail.replace(sys.executable, PROGRAM) if sys.executable in detail else detail
            listener(CheckEvent(profile.title, path, Check(heard.check.name, heard.check.ok, shown)))

        nobody = Machine(machine.system, Path("/nonexistent"), machine.environ)
        examine(ServerCommand(sys.executable, ("-m", "app", "mcp")), profiles, nobody, listener=pass_on)

    return run
