"""Cline: an extension of VS Code and its siblings, and a command line of its own."""

from __future__ import annotations

from typing import Final

from app.clients.entry import EntryShape
from app.clients.hosts.vscode import EDITIONS, user_folders
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation, Place
from app.text.sentence import sentence

HOSTS: Final = (*EDITIONS, "Cursor", "Windsurf")
CONFIG_FILE: Final = "cline_mcp_settings.json"


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """One file for each editor that has the extension, and one for the command line."""
    stores = [folder / "globalStorage" / "saoudrizwan.claude-dev" for folder in user_folders(machine, HOSTS)]
    own = machine.folder("CLINE_DIR", machine.home / ".cline") / "data"
    return tuple(ConfigLocation(folder / "settings" / CONFIG_FILE, sign=folder) for folder in (*stores, own))


CLINE = ClientProfile(
    name="cline",
    title="Cline",
    locate=config_files,
    place=Place(("mcpServers",), EntryShape(first=(("disabled", False),), off=("disabled", True))),
    after_change=sentence("Cline sees the change by itself; if not, restart the server in its MCP page."),
)
