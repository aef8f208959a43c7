"""Start at login on macOS: a launch agent of the user."""

from __future__ import annotations

import plistlib
from pathlib import Path
from typing import Any
from xml.parsers.expat import ExpatError

from app.autostart.entry_file import remove_entry, write_entry

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
        write_entry(self.path, plistlib.dumps(agent))

    def disable(self) -> None:
        remove_entry(self.path)

    def _read(self) -> dict[str, Any]:
        """The agent's keys. What cannot be read or is no property list starts nothing, here as in launchd."""
        try:
            agent = plistlib.loads(self.path.read_bytes())
        except (OSError, ValueError, LookupError, AttributeError, ExpatError):
            # The reader of the standard library also stumbles over dates, ends and encodings that are none.
            return {}
        return agent if isinstance(agent, dict) else {}
