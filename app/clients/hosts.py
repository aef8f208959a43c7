"""All assistants whose configuration WebRAG can write: their files on each system, and the format of an entry."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from app.clients.profile import (
    SERVER_NAME,
    ClientProfile,
    ConfigFormat,
    ConfigLocation,
    EntryShape,
    Machine,
    Place,
    System,
)
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


CLAUDE_DESKTOP: Final = ClientProfile(
    name="claude-desktop",
    title="Claude Desktop",
    locate=_claude_desktop_files,
    after_change=sentence("Quit Claude Desktop completely from its tray icon or menu, then start it again."),
    processes=(
        r"/Claude\.app/Contents/MacOS/Claude$",
        r"/(?:AnthropicClaude|WindowsApps/Claude_[^/]*)/.*claude\.exe$",
        r"/claude-desktop(?:/|$)",
    ),
)
CLAUDE_CODE: Final = ClientProfile(
    name="claude-code",
    title="Claude Code",
    locate=_claude_code_files,
    after_change=sentence("Start a new Claude Code session. Running sessions keep their servers."),
    by_hand="claude mcp add --scope user webrag -- {command}",
)
VSCODE: Final = ClientProfile(
    name="vscode",
    title="VS Code",
    locate=_vscode_files,
    place=Place(("servers",)),
    format=ConfigFormat.JSONC,
    after_change=sentence(
        "VS Code notices the change automatically. The first time, it asks whether you trust the server."
    ),
    by_hand="code --add-mcp {json}",
)
CURSOR: Final = ClientProfile(
    name="cursor",
    title="Cursor",
    locate=_file_in(lambda machine: machine.home / ".cursor", "mcp.json"),
    after_change=sentence("In Cursor, open Settings > Tools & MCP and turn on webrag if it is off."),
)
WINDSURF: Final = ClientProfile(
    name="windsurf",
    title="Windsurf",
    locate=_file_in(lambda machine: machine.home / ".codeium" / "windsurf", "mcp_config.json"),
    place=Place(("mcpServers",), EntryShape(off=("disabled", True))),
    after_change=sentence("In Windsurf, open the Cascade MCP servers and choose Refresh, or restart Windsurf."),
)
CODEX: Final = ClientProfile(
    name="codex",
    title="Codex",
    locate=_file_in(lambda machine: machine.folder("CODEX_HOME", machine.home / ".codex"), "config.toml"),
    place=Place(("mcp_servers",), EntryShape(off=("enabled", False))),
    format=ConfigFormat.TOML,
    after_change=sentence("Start a new Codex session. Running sessions keep their servers."),
    by_hand="codex mcp add webrag -- {command}",
)
GEMINI_CLI: Final = ClientProfile(
    name="gemini-cli",
    title="Gemini CLI",
    locate=_file_in(lambda machine: machine.folder("GEMINI_CLI_HOME", machine.home) / ".gemini", "settings.json"),
    format=ConfigFormat.JSONC,
    after_change=sentence("Restart Gemini CLI."),
    only_where=sentence(
        "Gemini CLI turns off all servers in untrusted folders. Start it in the folder and trust the folder when asked."
    ),
    by_hand="gemini mcp add --scope user webrag {command}",
)
QWEN_CODE: Final = ClientProfile(
    name="qwen-code",
    title="Qwen Code",
    locate=_file_in(lambda machine: machine.home / ".qwen", "settings.json"),
    format=ConfigFormat.JSONC,
    after_change=sentence("Restart Qwen Code."),
    by_hand="qwen mcp add --scope user webrag {command}",
)
ZED: Final = ClientProfile(
    name="zed",
    title="Zed",
    locate=_file_in(_zed_folder, "settings.json"),
    place=Place(
        ("context_servers",), EntryShape(fixed=(("source", "custom"),), first=(("env", {}),), off=("enabled", False))
    ),
    format=ConfigFormat.JSONC,
    after_change=sentence("Zed notices the change automatically."),
)
LM_STUDIO: Final = ClientProfile(
    name="lm-studio",
    title="LM Studio",
    locate=_lm_studio_files,
    after_change=sentence("In LM Studio, turn on mcp/webrag next to the chat (Program > Integrations)."),
)
GOOSE: Final = ClientProfile(
    name="goose",
    title="Goose",
    locate=_file_in(_goose_folder, "config.yaml"),
    place=Place(
        ("extensions",),
        EntryShape(
            command="cmd",
            env="envs",
            fixed=(("type", "stdio"),),
            first=(
                ("name", SERVER_NAME),
                ("description", "Grounded, cited answers from web pages and documents"),
                ("enabled", True),
                ("envs", {}),
                ("timeout", 300),
            ),
            off=("enabled", False),
        ),
    ),
    format=ConfigFormat.YAML,
    after_change=sentence("Start a new Goose session."),
)
CLINE: Final = ClientProfile(
    name="cline",
    title="Cline",
    locate=_cline_files,
    place=Place(("mcpServers",), EntryShape(first=(("disabled", False),), off=("disabled", True))),
    after_change=sentence("Cline notices the change automatically. If not, restart the server on its MCP page."),
)
OPENCODE_PLACE: Final = Place(
    ("mcp",),
    EntryShape(
        args=None,
        env="environment",
        fixed=(("type", "local"),),
        first=(("environment", {}), ("enabled", True)),
        off=("enabled", False),
    ),
)
OPENCODE_NESTED: Final = Place(
    ("mcp", "servers"), replace(OPENCODE_PLACE.shape, first=(("environment", {}),), off=("disabled", True))
)
OPENCODE: Final = ClientProfile(
    name="opencode",
    title="OpenCode",
    locate=_commented_or_plain("opencode"),
    place=OPENCODE_PLACE,
    nested=OPENCODE_NESTED,
    format=ConfigFormat.JSONC,
    after_change=sentence("Restart OpenCode."),
)
KILO_CODE: Final = replace(
    OPENCODE,
    name="kilo-code",
    title="Kilo Code",
    locate=_commented_or_plain("kilo"),
    after_change=sentence("Restart Kilo Code."),
)
COPILOT_CLI: Final = ClientProfile(
    name="copilot-cli",
    title="Copilot CLI",
    locate=_file_in(lambda machine: machine.folder("COPILOT_HOME", machine.home / ".copilot"), "mcp-config.json"),
    place=Place(("mcpServers",), EntryShape(fixed=(("type", "local"),), first=(("tools", ["*"]),))),
    after_change=sentence("Restart Copilot CLI."),
    by_hand="copilot mcp add webrag -- {command}",
)

CLIENTS: Final[tuple[ClientProfile, ...]] = (
    CLAUDE_DESKTOP,
    CLAUDE_CODE,
    VSCODE,
    CURSOR,
    WINDSURF,
    CODEX,
    GEMINI_CLI,
    QWEN_CODE,
    ZED,
    LM_STUDIO,
    GOOSE,
    CLINE,
    OPENCODE,
    KILO_CODE,
    COPILOT_CLI,
)
"""All assistants in display order."""
