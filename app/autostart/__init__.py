"""Start at login: one file per system behind one protocol. What the system says is the truth; no setting repeats it."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from app.paths import default_data_dir, program


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
        from app.autostart.registry import RunKey

        return RunKey(command)
    if sys.platform == "darwin":
        from app.autostart.launchd import LaunchAgent

        return LaunchAgent(command)
    if sys.platform.startswith(("linux", "freebsd")):
        from app.autostart.xdg import DesktopEntry

        return DesktopEntry(command)
    return None


def login_command(data_dir: Path | None = None) -> list[str]:
    """What is started; a session at login lacks the variables of a shell, so another data directory is spelled out."""
    command = [*program("webrag-desktop", "app.desktop"), "--hidden"]
    if data_dir is not None and data_dir != default_data_dir({}):
        command += ["--data-dir", str(data_dir)]
    return command
