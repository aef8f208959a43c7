"""Settings as the window edits them: written at once, in force after the engine started with them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from app.settings import SETTINGS, Settings, load_settings, save_setting
from app.settings_schema import SettingValue


class SettingsStore(QObject):
    """`running` is what the engine was started with, `saved` what the next start will use."""

    changed = Signal()

    def __init__(self, running: Settings, *, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = running
        self.saved = running
        self._file = file

    def value(self, name: str) -> Any:
        """The saved value."""
        return getattr(self.saved, name)

    def default(self, name: str) -> Any:
        """The value that holds where nobody chose another."""
        return SETTINGS[name].default

    def is_changed(self, name: str) -> bool:
        """Whether the saved value is another than the default."""
        return bool(self.value(name) != self.default(name))

    def is_waiting(self, name: str) -> bool:
        """Whether the running engine does not use the saved value yet."""
        return not SETTINGS[name].is_live and getattr(self.saved, name) != getattr(self.running, name)

    def overridden_by(self, name: str) -> str:
        """The environment variable that decides this setting, or an empty word."""
        variable = SETTINGS[name].variable
        return variable if os.environ.get(variable) else ""

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
        return tuple(name for name in SETTINGS if self.is_waiting(name))

    def restarted(self) -> None:
        """The engine runs with what is saved."""
        self.running = self.saved
        self.changed.emit()
