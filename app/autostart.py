"""Start at login: one entry per system behind one protocol. What the system says is the truth; no setting repeats it."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from app.errors import AutostartError
from app.paths import default_data_dir, program

if TYPE_CHECKING:
    from types import ModuleType


class Autostart(Protocol):
    """The entry that starts WebRAG, without its window, when the person logs in."""

    @property
    def is_enabled(self) -> bool:
        """Whether the system will start it."""
        ...

    @property
    def needs_repair(self) -> bool:
        """Whether the entry starts something else than this program: it was moved or installed elsewhere."""
        ...

    def enable(self) -> None:
        """Write the entry, over one that is there. Raises AutostartError."""
        ...

    def disable(self) -> None:
        """Take the entry away. Raises AutostartError."""
        ...


def autostart(data_dir: Path | None = None) -> Autostart | None:
    """The entry of this system and user for this data directory; None where no way to start at login is known."""
    command = login_command(data_dir)
    if sys.platform == "win32":
        return RunKey(command)
    if sys.platform == "darwin":
        return LaunchAgent(command)
    if sys.platform.startswith(("linux", "freebsd")):
        return DesktopEntry(command)
    return None


def login_command(data_dir: Path | None = None) -> list[str]:
    """What is started; a session at login lacks the variables of a shell, so another data directory is spelled out."""
    command = [*program("webrag-desktop", "app.desktop"), "--hidden"]
    if data_dir is not None and data_dir != default_data_dir({}):
        command += ["--data-dir", str(data_dir)]
    return command


# --- Linux and the BSDs: the Desktop Application Autostart Specification ---

ENTRY_NAME = "webrag.desktop"
ENTRY_GROUP = "Desktop Entry"
_UNQUOTED = re.compile(r"[\w@+=:,./%-]+", re.ASCII)
"""Words that need no quotes in Exec."""


class DesktopEntry:
    """`folder` is the user's autostart folder; by default that of the environment."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        self.path = (folder or autostart_folder()) / ENTRY_NAME
        self._exec = exec_line(command)

    @property
    def is_enabled(self) -> bool:
        entry = self._read()
        # Desktops switch an entry off by either key and leave the file.
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
        """The entry's keys. What cannot be read or is no entry starts nothing, here as in the session."""
        import configparser

        parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        try:
            parser.read_string(self.path.read_text(encoding="utf-8"))
            return dict(parser[ENTRY_GROUP])
        except (OSError, UnicodeDecodeError, configparser.Error, KeyError):
            return {}


def autostart_folder() -> Path:
    """`autostart` in the user's configuration folder."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(configured) if Path(configured).is_absolute() else Path.home() / ".config"
    return base / "autostart"


def exec_line(command: list[str]) -> str:
    """A command as the Desktop Entry Specification quotes it: words, field codes, then the string as such."""
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
    """`folder` is the user's folder of launch agents. The file counts from the next login on."""

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
        """The agent's keys. What cannot be read or is no property list starts nothing, here as in launchd."""
        import plistlib
        from xml.parsers.expat import ExpatError

        try:
            agent = plistlib.loads(self.path.read_bytes())
        except (OSError, ValueError, LookupError, AttributeError, ExpatError):
            # The reader of the standard library also stumbles over dates, ends and encodings that are none.
            return {}
        return agent if isinstance(agent, dict) else {}


# --- Windows: a value under the user's Run key ---

RUN_KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
APPROVED_KEY = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"
"""Where the Task Manager notes what was switched off: the first byte of the value is odd then."""
VALUE_NAME = "WebRAG Desktop"
MAX_COMMAND = 260
"""Characters of a command under Run; Windows ignores longer ones."""


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
                f"The path of this program is too long for an entry of Windows ({len(self._line)} characters).",
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
    return AutostartError(f"The registry cannot be changed: {error.strerror or type(error).__name__}.")


# --- Entries that are a file of their own ---


def write_entry(path: Path, content: bytes) -> None:
    """Write the file in one step. Raises AutostartError."""
    temporary = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise _refused(path, error) from error


def remove_entry(path: Path) -> None:
    """Remove the file, if it is there. Raises AutostartError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> AutostartError:
    reason = error.strerror or type(error).__name__
    return AutostartError(f"{path} cannot be changed: {reason}.", hint="Check that you may write to this folder.")
