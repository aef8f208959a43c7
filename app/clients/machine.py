"""The system that assistants run on: its folders and the environment they hand to a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class System(StrEnum):
    """The systems whose layouts are known."""

    WINDOWS = "windows"
    MACOS = "macos"
    LINUX = "linux"


INHERITED: Mapping[System, tuple[str, ...]] = {
    System.WINDOWS: (
        *("APPDATA", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *("SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "USERNAME", "USERPROFILE"),
    ),
    System.MACOS: ("HOME", "LOGNAME", "SHELL", "TERM", "USER"),
    System.LINUX: ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"),
}
"""The variables that clients hand to the servers they start; a client on macOS has a PATH of its own."""

MACOS_PATH = "/usr/bin:/bin:/usr/sbin:/sbin"


@dataclass(frozen=True, slots=True)
class Machine:
    """The system a client runs on; made up in tests."""

    system: System
    home: Path
    environ: Mapping[str, str]

    @classmethod
    def here(cls) -> Machine:
        """This machine."""
        systems = {"win32": System.WINDOWS, "darwin": System.MACOS}
        return cls(systems.get(sys.platform, System.LINUX), Path.home(), os.environ)

    def folder(self, variable: str, default: Path) -> Path:
        """The folder a variable names, or the default."""
        value = self.environ.get(variable)
        return Path(value) if value else default

    @property
    def config_home(self) -> Path:
        """Where programs that follow the XDG rules keep their configuration, on every system."""
        return self.folder("XDG_CONFIG_HOME", self.home / ".config")

    @property
    def application_data(self) -> Path:
        """Where desktop applications keep theirs; on Windows the part that roams."""
        if self.system is System.WINDOWS:
            return self.folder("APPDATA", self.home / "AppData" / "Roaming")
        if self.system is System.MACOS:
            return self.home / "Library" / "Application Support"
        return self.config_home

    def reduced_environment(self) -> dict[str, str]:
        """What a server started by a client finds in its environment."""
        kept = {name: self.environ[name] for name in INHERITED[self.system] if name in self.environ}
        return {"PATH": MACOS_PATH, **kept} if self.system is System.MACOS else kept
