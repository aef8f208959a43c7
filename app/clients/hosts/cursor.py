"""Cursor: the servers of the person, which count in every project."""

from __future__ import annotations

from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The same place on every system."""
    folder = machine.home / ".cursor"
    return (ConfigLocation(folder / "mcp.json", sign=folder),)


CURSOR = ClientProfile(
    name="cursor",
    title="Cursor",
    locate=config_files,
    after_change=sentence("In Cursor, open Settings > Tools & MCP and switch webrag on if it is off."),
)
