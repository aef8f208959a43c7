"""Windsurf: the servers of its assistant."""

from __future__ import annotations

from app.clients.entry import EntryShape
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation, Place
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The same place on every system."""
    folder = machine.home / ".codeium" / "windsurf"
    return (ConfigLocation(folder / "mcp_config.json", sign=folder),)


WINDSURF = ClientProfile(
    name="windsurf",
    title="Windsurf",
    locate=config_files,
    place=Place(("mcpServers",), EntryShape(off=("disabled", True))),
    after_change=sentence("In Windsurf, open the MCP servers of Cascade and choose Refresh, or restart Windsurf."),
)
