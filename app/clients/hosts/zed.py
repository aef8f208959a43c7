"""Zed: its servers stand among its other settings."""

from __future__ import annotations

from app.clients.entry import EntryShape
from app.clients.machine import Machine, System
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Place
from app.text.sentence import sentence


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """On macOS it follows the rules of Linux."""
    folder = machine.application_data / "Zed"
    if machine.system is System.LINUX:
        folder = machine.config_home / "zed"
    elif machine.system is System.MACOS:
        folder = machine.home / ".config" / "zed"
    return (ConfigLocation(folder / "settings.json", sign=folder),)


SHAPE = EntryShape(fixed=(("source", "custom"),), first=(("env", {}),), off=("enabled", False))
ZED = ClientProfile(
    name="zed",
    title="Zed",
    locate=config_files,
    place=Place(("context_servers",), SHAPE),
    format=ConfigFormat.JSONC,
    after_change=sentence("Zed sees the change by itself."),
)
