"""Start at login on Linux and the BSDs: a desktop entry as in the Desktop Application Autostart Specification."""

from __future__ import annotations

import configparser
import os
import re
from pathlib import Path

from app.autostart.entry_file import remove_entry, write_entry

FILE_NAME = "webrag.desktop"
GROUP = "Desktop Entry"
_PLAIN = re.compile(r"[\w@+=:,./%-]+", re.ASCII)
"""Words that need no quotes in Exec."""


class DesktopEntry:
    """`folder` is the user's autostart folder; by default that of the environment."""

    def __init__(self, command: list[str], folder: Path | None = None) -> None:
        self.path = (folder or autostart_folder()) / FILE_NAME
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
            f"[{GROUP}]\nType=Application\nVersion=1.0\nName=WebRAG Desktop\nIcon=webrag\nExec={self._exec}\n"
            "Terminal=false\nStartupNotify=false\nX-GNOME-Autostart-enabled=true\n"
        )
        write_entry(self.path, text.encode())

    def disable(self) -> None:
        remove_entry(self.path)

    def _read(self) -> dict[str, str]:
        """The entry's keys. What cannot be read or is no entry starts nothing, here as in the session."""
        parser = configparser.RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
        parser.optionxform = str  # type: ignore[assignment, method-assign]
        try:
            parser.read_string(self.path.read_text(encoding="utf-8"))
            return dict(parser[GROUP])
        except (OSError, UnicodeDecodeError, configparser.Error, KeyError):
            return {}


def autostart_folder() -> Path:
    """`autostart` in the user's configuration folder."""
    configured = os.environ.get("XDG_CONFIG_HOME", "")
    base = Path(configured) if Path(configured).is_absolute() else Path.home() / ".config"
    return base / "autostart"


def exec_line(command: list[str]) -> str:
    """A command as the Desktop Entry Specification quotes it: words, field codes, then the string as such."""
    return " ".join(_quoted(word) for word in command)


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if _PLAIN.fullmatch(word):
        return word
    inner = re.sub(r'(["`$\\])', r"\\\1", word)
    return f'"{inner}"'.replace("\\", "\\\\")
