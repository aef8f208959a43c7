"""Gemini CLI: its settings of the person."""

from __future__ import annotations

from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The same place on every system, below the folder that GEMINI_CLI_HOME names or the home."""
    folder = machine.folder("GEMINI_CLI_HOME", machine.home) / ".gemini"
    return (ConfigLocation(folder / "settings.json", sign=folder),)


GEMINI_CLI = ClientProfile(
    name="gemini-cli",
    title="Gemini CLI",
    locate=config_files,
    format=ConfigFormat.JSONC,
    after_change=sentence("Start Gemini CLI again."),
    by_hand="gemini mcp add --scope user webrag {command}",
)
