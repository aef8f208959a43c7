"""Claude Desktop: where it keeps its configuration on each system."""

from __future__ import annotations

from pathlib import Path

from app.clients.profile import ClientProfile, ConfigLocation, Machine, System

CONFIG_FILE = "claude_desktop_config.json"


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Every file it may read. The packaged Windows version reads its own copy and ignores the usual one."""
    if machine.system is System.MACOS:
        return (_in(machine.home / "Library" / "Application Support" / "Claude"),)
    if machine.system is System.LINUX:
        return (_in(machine.folder("XDG_CONFIG_HOME", machine.home / ".config") / "Claude"),)
    usual = machine.folder("APPDATA", machine.home / "AppData" / "Roaming") / "Claude"
    packages = machine.folder("LOCALAPPDATA", machine.home / "AppData" / "Local") / "Packages"
    packaged = (
        ConfigLocation(package / "LocalCache" / "Roaming" / "Claude" / CONFIG_FILE, sign=package)
        for package in sorted(packages.glob("Claude_*"))
    )
    return (*packaged, _in(usual))


def _in(folder: Path) -> ConfigLocation:
    return ConfigLocation(folder / CONFIG_FILE, sign=folder)


CLAUDE_DESKTOP = ClientProfile(
    name="claude-desktop",
    title="Claude Desktop",
    locate=config_files,
    after_change="Quit Claude Desktop completely (in its tray or menu too) and start it again.",
)
