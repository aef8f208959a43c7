"""Codex: command line, application and editor extension share one file."""

from __future__ import annotations

from app.clients.entry import EntryShape
from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Place
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """In the folder that CODEX_HOME names, or in the usual one."""
    folder = machine.folder("CODEX_HOME", machine.home / ".codex")
    return (ConfigLocation(folder / "config.toml", sign=folder),)


CODEX = ClientProfile(
    name="codex",
    title="Codex",
    locate=config_files,
    place=Place(("mcp_servers",), EntryShape(off=("enabled", False))),
    format=ConfigFormat.TOML,
    after_change=sentence("Start a new Codex session; those that run keep the servers they began with."),
    by_hand="codex mcp add webrag -- {command}",
)
