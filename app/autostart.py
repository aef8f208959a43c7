"""Start at login: one entry per system behind one protocol. The system's entry is the only record; no setting duplicates it."""

from __future__ import annotations

import os
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from app.errors import AutostartError
from app.paths import default_data_dir, program, replace_file
from app.text.sentence import sentence


class Autostart(ABC):
    """The entry that starts WebRAG in the tray when the user logs in. `own` is the command of this program in the form of the system."""

    def __init__(self, own: object) -> None:
        self._own = own

    @property
    def is_enabled(self) -> bool:
        """Whether the system will start it."""
        return bool(self._started())

    @property
    def needs_repair(self) -> bool:
        """Whether the entry starts another program than this one, which was moved or reinstalled."""
        return (self._started() or self._own) != self._own

    @abstractmethod
    def enable(self) -> None:
        """Write or overwrite the entry. Raises AutostartError."""

    @abstractmethod
    def disable(self) -> None:
        """Remove the entry. Raises AutostartError."""

    @abstractmethod
    def _started(self) -> object:
        """Return the command that the system will start, empty for none. An unreadable entry starts nothing, as in the system."""


class _EntryFile(Autostart):
    """An entry in its own file."""

    path: Path

    def disable(self) -> None:
        with self._refusals():
            self.path.unlink(missing_ok=True)

    @contextmanager
    def _refusals(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise AutostartError(
                sentence("Cannot change {} ({}).", self.path, reason), hint="Check your permissions for this folder."
            ) from error


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


class DesktopEntry(_EntryFile):
    """`folder` is the user's autostart folder; None means the one from the environment."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        super().__init__(exec_line(command))
        self.path = (folder or autostart_folder()) / ENTRY_NAME

    def enable(self) -> None:
        text = (
            f"[{ENTRY_GROUP}]\nType=Application\nVersion=1.0\nName=WebRAG Desktop\nIcon=webrag\nExec={self._own}\n"
            "Terminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
        )
        with self._refusals():
            replace_file(self.path, text.encode())

    def _started(self) -> str:
        import configparser

        parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        try:
            parser.read_string(self.path.read_text(encoding="utf-8"))
            entry = parser[ENTRY_GROUP]
        except (OSError, UnicodeDecodeError, configparser.Error, KeyError):
            return ""
        # Desktops use either key to turn off an entry without deleting it.
        hidden = entry.get("Hidden", "false").lower() == "true"
        switched_off = entry.get("X-GNOME-Autostart-enabled", "true").lower() == "false"
        return "" if hidden or switched_off else entry.get("Exec", "")


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


class LaunchAgent(_EntryFile):
    """`folder` is the user's folder of launch agents. The file takes effect at the next login."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        super().__init__(command)
        self.path = (folder or Path.home() / "Library" / "LaunchAgents") / f"{LABEL}.plist"

    def enable(self) -> None:
        agent = {
            "Label": LABEL,
            "ProgramArguments": self._own,
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
        import plistlib

        with self._refusals():
            replace_file(self.path, plistlib.dumps(agent))

    def _started(self) -> object:
        import plistlib
        from xml.parsers.expat import ExpatError

        try:
            agent = plistlib.loads(self.path.read_bytes())
        except (OSError, ValueError, LookupError, AttributeError, ExpatError):
            # The parser also raises other errors for invalid dates, endings and encodings.
            return None
        is_on = isinstance(agent, dict) and agent.get("RunAtLoad") and not agent.get("Disabled")
        return agent.get("ProgramArguments") if is_on else None


# --- Windows: a value under the user's Run key ---

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""The Task Manager records here which entries are turned off: then the first byte of the value is odd."""
VALUE_NAME = "WebRAG Desktop"
MAX_COMMAND = 260  # Maximum characters of a command in the Run key. Windows ignores longer commands.


class RunKey(Autostart):
    """`registry` is the module winreg."""

    def __init__(self, command: list[str], registry: ModuleType | None = None) -> None:
        import subprocess

        if registry is None:
            import winreg as registry
        self._registry: Any = registry
        self._line = subprocess.list2cmdline(command)
        super().__init__(self._line)

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

    def _started(self) -> object:
        switched = self._read(APPROVED_KEY)
        switched_off = isinstance(switched, bytes) and bool(switched) and switched[0] % 2 == 1
        return None if switched_off else self._read(RUN_KEY)

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
