"""VS Code and its siblings: one file for the person, and one for each profile that has servers of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app.clients.machine import Machine
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, Place
from app.text.sentence import sentence

EDITIONS: Final = ("Code", "Code - Insiders", "VSCodium")


def user_folders(machine: Machine, editions: tuple[str, ...] = EDITIONS) -> tuple[Path, ...]:
    """The folders that hold a person's settings, one for each edition, there or not."""
    usual = tuple(machine.application_data / edition / "User" for edition in editions)
    portable = machine.environ.get("VSCODE_PORTABLE")
    return (Path(portable) / "user-data" / "User", *usual) if portable else usual


def config_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Every file it may read; a profile counts when it has a file already, otherwise it shares the usual one."""
    folders = user_folders(machine)
    usual = (ConfigLocation(folder / "mcp.json", sign=folder) for folder in folders)
    return (*usual, *(location for folder in folders for location in _profiles(folder)))


def _profiles(folder: Path) -> Iterator[ConfigLocation]:
    for path in sorted(folder.glob("profiles/*/mcp.json")):
        yield ConfigLocation(path, sign=path)


VSCODE = ClientProfile(
    name="vscode",
    title="VS Code",
    locate=config_files,
    place=Place(("servers",)),
    format=ConfigFormat.JSONC,
    after_change=sentence("VS Code sees the change by itself; the first time it asks whether you trust the server."),
    by_hand="code --add-mcp {json}",
)
