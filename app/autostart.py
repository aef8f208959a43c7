"""Start at login: one entry per system behind one protocol. The system's entry is the only record; no setting duplicates it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, Protocol

from app.errors import AutostartError
from app.paths import default_data_dir, program, replace_file
from app.text.sentence import sentence


class Autostart(Protocol):
    """The entry that starts WebRAG in the tray when the user logs in."""

    @property
    def is_enabled(self) -> bool:
        """Whether the system will start it."""

    @property
    def needs_repair(self) -> bool:
        """Whether the entry starts another program than this one, which was moved or reinstalled."""

    def enable(self) -> None:
        """Write or overwrite the entry. Raises AutostartError."""

    def disable(self) -> None:
        """Remove the entry. Raises AutostartError."""


def autostart(data_dir: Path | None = None) -> Autostart | None:
    """Return the entry of this system and user for this data directory, or None if the system is not supported."""
    command = login_command(data_dir)
    if sys.platform == "win32":
        return RunKey(command)
    if sys.platform == "darwin":
        return LaunchAgent(command)
    if sys.platform.startswith(("linux", "freebsd")):
        return DesktopEntry(command)
    return None


def login_command(data_dir: Path | None = None) -> list[str]:
    """Return the command to start. It names a non-default data directory, because a login session lacks the variables of a shell."""
    command = [*program("webrag-desktop", "app.desktop"), "--hidden"]
    if data_dir is not None and data_dir != default_data_dir({}):
        command += ["--data-dir", str(data_dir)]
    return command


# --- Linux and the BSDs: the Desktop Application Autostart Specification ---

ENTRY_NAME = "webrag.desktop"
ENTRY_GROUP = "Desktop Entry"
_UNQUOTED = re.compile(r"[\w@+=:,./%-]+", re.ASCII)  # Words that need no quotes in Exec.


class DesktopEntry:
    """`folder` is the user's autostart folder; None means the one from the environment."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        self.path = (folder or autostart_folder()) / ENTRY_NAME
        self._exec = exec_line(command)

    @property
    def is_enabled(self) -> bool:
        entry = self._read()
        # Desktops use either key to turn off an entry without deleting it.
        hidden = entry.get("Hidden", "false").lower() == "true"
        switched_off = entry.get("X-GNOME-Autostart-enabled", "true").lower() == "false"
        return bool(entry.get("Exec")) and not hidden and not switched_off

    @property
    def needs_repair(self) -> bool:
        return self.is_enabled and self._read().get("Exec") != self._exec

    def enable(self) -> None:
        text = (
            f"[{ENTRY_GROUP}]\nType=Application\nVersion=1.0\nName=WebRAG Desktop\nIcon=webrag\nExec={self._exec}\n"
            "Terminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
        )
        write_entry(self.path, text.encode())

    def disable(self) -> None:
        remove_entry(self.path)

    def _read(self) -> dict[str, str]:
        """Return the entry's keys. An unreadable or invalid file starts nothing, as in a desktop session."""
        import configparser

        parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        try:
            parser.read_string(self.path.read_text(encoding="utf-8"))
            return dict(parser[ENTRY_GROUP])
        except (OSError, UnicodeDecodeError, configparser.Error, KeyError):
            return {}


def autostart_folder() -> Path:
    """Return the folder `autostart` in the user's configuration folder."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(configured) if Path(configured).is_absolute() else Path.home() / ".config"
    return base / "autostart"


def exec_line(command: list[str]) -> str:
    """Return a command as the value of Exec: quoted words, escaped field codes, then escaped as a string."""
    return " ".join(_exec_quoted(word) for word in command)


def _exec_quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if _UNQUOTED.fullmatch(word):
        return word
    inner = re.sub(r'(["`$\\])', r"\\\1", word)
    return f'"{inner}"'.replace("\\", "\\\\")


# --- macOS: a launch agent of the user ---

LABEL = "org.webrag.desktop"


class LaunchAgent:
    """`folder` is the user's folder of launch agents. The file takes effect at the next login."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        self.path = (folder or Path.home() / "Library" / "LaunchAgents") / f"{LABEL}.plist"
        self._command = command

    @property
    def is_enabled(self) -> bool:
        agent = self._read()
        return bool(agent.get("ProgramArguments")) and bool(agent.get("RunAtLoad")) and not agent.get("Disabled")

    @property
    def needs_repair(self) -> bool:
        return self.is_enabled and self._read()["ProgramArguments"] != self._command

    def enable(self) -> None:
        agent = {
            "Label": LABEL,
            "ProgramArguments": self._command,
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
        import plistlib

        write_entry(self.path, plistlib.dumps(agent))

    def disable(self) -> None:
        remove_entry(self.path)

    def _read(self) -> dict[str, Any]:
        """Return the agent's keys. An unreadable or invalid property list starts nothing, as in launchd."""
        import plistlib
        from xml.parsers.expat import ExpatError

        try:
            agent = plistlib.loads(self.path.read_bytes())
        except (OSError, ValueError, LookupError, AttributeError, ExpatError):
            # The parser also raises other errors for invalid dates, endings and encodings.
            return {}
        return agent if isinstance(agent, dict) else {}


# --- Windows: a value under the user's Run key ---

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""The Task Manager records here which entries are turned off: then the first byte of the value is odd."""
VALUE_NAME = "WebRAG Desktop"
MAX_COMMAND = 260  # Maximum characters of a command in the Run key. Windows ignores longer commands.


class RunKey:
    """`registry` is the module winreg."""

    def __init__(self, command: list[str], registry: ModuleType | None = None) -> None:
        import subprocess

        if registry is None:
            import winreg as registry
        self._registry: Any = registry
        self._line = subprocess.list2cmdline(command)

    @property
    def is_enabled(self) -> bool:
        switched = self._read(APPROVED_KEY)
        switched_off = isinstance(switched, bytes) and bool(switched) and switched[0] % 2 == 1
        return bool(self._read(RUN_KEY)) and not switched_off

    @property
    def needs_repair(self) -> bool:
        return self.is_enabled and self._read(RUN_KEY) != self._line

    def enable(self) -> None:
        if len(self._line) > MAX_COMMAND:
            raise AutostartError(
                sentence(
                    "The path of this program is too long for a Windows startup entry ({} characters).", len(self._line)
                ),
                hint="Install WebRAG in a folder with a shorter path.",
            )
        registry = self._registry
        try:
            with registry.CreateKey(registry.HKEY_CURRENT_USER, RUN_KEY) as key:
                registry.SetValueEx(key, VALUE_NAME, 0, registry.REG_SZ, self._line)
            self._remove(APPROVED_KEY)
        except OSError as error:
            raise _registry_refused(error) from error

    def disable(self) -> None:
        try:
            self._remove(RUN_KEY)
            self._remove(APPROVED_KEY)
        except OSError as error:
            raise _registry_refused(error) from error

    def _read(self, path: str) -> Any:
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, path) as key:
                return registry.QueryValueEx(key, VALUE_NAME)[0]
        except OSError:
            return None

    def _remove(self, path: str) -> None:
        registry = self._registry
        try:
            with registry.OpenKey(registry.HKEY_CURRENT_USER, path, 0, registry.KEY_SET_VALUE) as key:
                registry.DeleteValue(key, VALUE_NAME)
        except FileNotFoundError:
            return


def _registry_refused(error: OSError) -> AutostartError:
    return AutostartError(sentence("Cannot change the registry ({}).", error.strerror or type(error).__name__))


# --- Entries in their own files ---


def write_entry(path: Path, content: bytes) -> None:
    """Write the file atomically. Raises AutostartError."""
    try:
        replace_file(path, content)
    except OSError as error:
        raise _refused(path, error) from error


def remove_entry(path: Path) -> None:
    """Remove the file if it exists. Raises AutostartError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> AutostartError:
    reason = error.strerror or type(error).__name__
    return AutostartError(
        sentence("Cannot change {} ({}).", path, reason), hint="Check your permissions for this folder."
    )
