"""Claude Desktop: where it keeps its configuration on each system."""

from __future__ import annotations

from pathlib import Path

from app.clients.machine import Machine, System
from app.clients.profile import ClientProfile, ConfigLocation
from app.text.sentence import sentence

CONFIG_FILE = "claude_desktop_config.json"


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Every file it may read. The packaged Windows version reads its own copy and ignores the usual one."""
    usual = _in(machine.application_data / "Claude")
    if machine.system is not System.WINDOWS:
        return (usual,)
    packages = machine.folder("LOCALAPPDATA", machine.home / "AppData" / "Local") / "Packages"
    packaged = (
        ConfigLocation(package / "LocalCache" / "Roaming" / "Claude" / CONFIG_FILE, sign=package)
        for package in sorted(packages.glob("Claude_*"))
    )
    return (*packaged, usual)


def _in(folder: Path) -> ConfigLocation:
    return ConfigLocation(folder / CONFIG_FILE, sign=folder)


CLAUDE_DESKTOP = ClientProfile(
    name="claude-desktop",
    title="Claude Desktop",
    locate=config_files,
    after_change=sentence("Quit Claude Desktop completely (in its tray or menu too) and start it again."),
    processes=(
        r"/Claude\.app/Contents/MacOS/Claude$",
        r"/(?:AnthropicClaude|WindowsApps/Claude_[^/]*)/.*claude\.exe$",
        r"/claude-desktop(?:/|$)",
    ),
)
