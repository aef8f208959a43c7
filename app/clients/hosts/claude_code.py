"""Claude Code: the servers of the person, which count in every project."""

from __future__ import annotations

from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigLocation
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """The file beside its folder, or the one inside the folder that CLAUDE_CONFIG_DIR names."""
    usual = machine.home / ".claude"
    folder = machine.folder("CLAUDE_CONFIG_DIR", usual)
    return (ConfigLocation((machine.home if folder == usual else folder) / ".claude.json", sign=folder),)


CLAUDE_CODE = ClientProfile(
    name="claude-code",
    title="Claude Code",
    locate=config_files,
    after_change=sentence("Start a new Claude Code session; those that run keep the servers they began with."),
    by_hand="claude mcp add --scope user webrag -- {command}",
)
