"""All assistants whose configuration WebRAG can write: their files on each system. A table in assets has the format of their entries."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from app.client_limits import ASSISTANTS
from app.clients.profile import ClientProfile, ConfigFormat, ConfigLocation, EntryShape, Machine, Place, System
from app.text.sentence import sentence

Locate = Callable[[Machine], tuple[ConfigLocation, ...]]

_VSCODE_EDITIONS: Final = ("Code", "Code - Insiders", "VSCodium")
_CLINE_EDITORS: Final = (*_VSCODE_EDITIONS, "Cursor", "Windsurf")


def _file_in(folder: Callable[[Machine], Path], name: str) -> Locate:
    """Return a file in a folder that exists if the client is installed."""
    return lambda machine: (ConfigLocation(folder(machine) / name, sign=folder(machine)),)


def _claude_desktop_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Return the usual file. The packaged version for Windows reads its own copy and ignores the usual one."""
    name, folder = "claude_desktop_config.json", machine.application_data / "Claude"
    usual = ConfigLocation(folder / name, sign=folder)
    if machine.system is not System.WINDOWS:
        return (usual,)
    packages = machine.folder("LOCALAPPDATA", machine.home / "AppData" / "Local") / "Packages"
    packaged = (
        ConfigLocation(package / "LocalCache" / "Roaming" / "Claude" / name, sign=package)
        for package in sorted(packages.glob("Claude_*"))
    )
    return (*packaged, usual)


def _claude_code_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Return the file next to its folder, or inside the folder set by CLAUDE_CONFIG_DIR."""
    usual = machine.home / ".claude"
    folder = machine.folder("CLAUDE_CONFIG_DIR", usual)
    return (ConfigLocation((machine.home if folder == usual else folder) / ".claude.json", sign=folder),)


def _vscode_user_folders(machine: Machine, editions: tuple[str, ...] = _VSCODE_EDITIONS) -> tuple[Path, ...]:
    """Return the possible folders of user settings, one for each edition."""
    usual = tuple(machine.application_data / edition / "User" for edition in editions)
    portable = machine.environ.get("VSCODE_PORTABLE")
    return (Path(portable) / "user-data" / "User", *usual) if portable else usual


def _vscode_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Return the files of an editor. A profile without a file uses the default one."""
    folders = _vscode_user_folders(machine)
    usual = [ConfigLocation(folder / "mcp.json", sign=folder) for folder in folders]
    profiles = [path for folder in folders for path in sorted(folder.glob("profiles/*/mcp.json"))]
    return (*usual, *(ConfigLocation(path, sign=path) for path in profiles))


def _cline_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Return one file for each editor with the extension, and one for the command line."""
    editors = _vscode_user_folders(machine, _CLINE_EDITORS)
    stores = [folder / "globalStorage" / "saoudrizwan.claude-dev" for folder in editors]
    own = machine.folder("CLINE_DIR", machine.home / ".cline") / "data"
    return tuple(
        ConfigLocation(folder / "settings" / "cline_mcp_settings.json", sign=folder) for folder in (*stores, own)
    )


def _zed_folder(machine: Machine) -> Path:
    """Return the file in the XDG folder, on macOS too."""
    if machine.system is System.LINUX:
        return machine.config_home / "zed"
    if machine.system is System.MACOS:
        return machine.home / ".config" / "zed"
    return machine.application_data / "Zed"


def _lm_studio_files(machine: Machine) -> tuple[ConfigLocation, ...]:
    """Return the usual file and the file of older installations in the cache folder."""
    folders = (machine.home / ".lmstudio", machine.home / ".cache" / "lm-studio")
    return tuple(ConfigLocation(folder / "mcp.json", sign=folder) for folder in folders)


def _goose_folder(machine: Machine) -> Path:
    """Return the file in the XDG folder, on macOS too."""
    if machine.system is System.WINDOWS:
        return machine.application_data / "Block" / "goose" / "config"
    return machine.config_home / "goose"


def _commented_or_plain(name: str) -> Locate:
    """Return the existing file. The client reads both, and one entry is enough."""

    def locate(machine: Machine) -> tuple[ConfigLocation, ...]:
        folder = machine.config_home / name
        commented, plain = (folder / f"{name}{ending}" for ending in (".jsonc", ".json"))
        only_plain = os.access(plain, os.F_OK) and not os.access(commented, os.F_OK)
        return (ConfigLocation(plain if only_plain else commented, sign=folder),)

    return locate


_LOCATE: Final[Mapping[str, Locate]] = {
    "claude-desktop": _claude_desktop_files,
    "claude-code": _claude_code_files,
    "vscode": _vscode_files,
    "cursor": _file_in(lambda machine: machine.home / ".cursor", "mcp.json"),
    "windsurf": _file_in(lambda machine: machine.home / ".codeium" / "windsurf", "mcp_config.json"),
    "codex": _file_in(lambda machine: machine.folder("CODEX_HOME", machine.home / ".codex"), "config.toml"),
    "gemini-cli": _file_in(
        lambda machine: machine.folder("GEMINI_CLI_HOME", machine.home) / ".gemini", "settings.json"
    ),
    "qwen-code": _file_in(lambda machine: machine.home / ".qwen", "settings.json"),
    "zed": _file_in(_zed_folder, "settings.json"),
    "lm-studio": _lm_studio_files,
    "goose": _file_in(_goose_folder, "config.yaml"),
    "cline": _cline_files,
    "opencode": _commented_or_plain("opencode"),
    "kilo-code": _commented_or_plain("kilo"),
    "copilot-cli": _file_in(
        lambda machine: machine.folder("COPILOT_HOME", machine.home / ".copilot"), "mcp-config.json"
    ),
}


def _place(row: Mapping[str, Any]) -> Place:
    return Place(tuple(row["keys"]), EntryShape(**{name: each for name, each in row.items() if name != "keys"}))


_READERS: Final[Mapping[str, Callable[[Any], Any]]] = {
    **dict.fromkeys(("place", "nested"), _place),
    **dict.fromkeys(("after_change", "only_where"), sentence),
    "format": ConfigFormat,
    "processes": tuple,
}

CLIENTS: Final = tuple(
    ClientProfile(
        name,
        row["title"],
        _LOCATE[name],
        **{key: _READERS.get(key, str)(each) for key, each in row["config"].items()},
    )
    for name, row in ASSISTANTS.items()
    if "config" in row
)
"""All assistants in display order."""
