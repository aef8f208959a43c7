"""Settings as the window edits them: written at once, in force after the engine started with them."""

from __future__ import annotations

import os
from dataclasses import MISSING
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.settings import Settings, SettingValue, load_settings, save_setting, setting_fields

LIVE = frozenset(
    {
        *(
            "activity_log",
            "deny_hosts",
            "repair_clients",
            "appearance",
            "language",
            "tray_icon",
            "notifications",
            "close_without_tray",
        ),
        *("mcp_tool_profile", "mcp_client_tools"),
        *("update_feed", "update_check_weekly", "diagnostic_logging"),
    }
)
"""Settings that need no restart of the engine."""


class SettingsStore(QObject):
    """`running` is what the engine was started with, `saved` what the next start will use."""

    changed = Signal()

    def __init__(self, running: Settings, *, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = running
        self.saved = running
        self._file = file
        self._fields = {declared.name: declared for declared in setting_fields()}

    def value(self, name: str) -> Any:
        """The saved value."""
        return getattr(self.saved, name)

    def default(self, name: str) -> Any:
        """The value that holds where nobody chose another."""
        default = self._fields[name].default
        return None if default is MISSING else default

    def is_changed(self, name: str) -> bool:
        """Whether the saved value is another than the default."""
        return bool(self.value(name) != self.default(name))

    def is_waiting(self, name: str) -> bool:
        """Whether the running engine does not use the saved value yet."""
        return name not in LIVE and getattr(self.saved, name) != getattr(self.running, name)

    def choices(self, name: str) -> tuple[str, ...]:
        choices: tuple[str, ...] = self._fields[name].metadata["choices"]
        return choices

    def limits(self, name: str) -> tuple[float, float]:
        metadata = self._fields[name].metadata
        return metadata["low"], metadata["high"]

    def overridden_by(self, name: str) -> str:
        """The environment variable that decides this setting, or an empty word."""
        return next((variable for variable in self._fields[name].metadata["env"] if os.environ.get(variable)), "")

    def save(self, name: str, value: SettingValue) -> None:
        """Write one setting. Raises SettingsError."""
        if value == self.value(name):
            return
        save_setting(name, value, file=self._file)
        self.reread()

    def reset(self, name: str) -> None:
        """Go back to the default of one setting. Raises SettingsError."""
        save_setting(name, None, file=self._file)
        self.reread()

    def reread(self) -> None:
        """Take over what is in the file: another program may have written it. Raises SettingsError."""
        self.saved = load_settings(data_dir=self.running.data_dir, file=self._file)
        self.changed.emit()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of saved settings that the running engine does not use yet."""
        return tuple(name for name in self._fields if self.is_waiting(name))

    def restarted(self) -> None:
        """The engine runs with what is saved."""
        self.running = self.saved
        self.changed.emit()
