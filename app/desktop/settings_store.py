"""The settings that the window edits. They are saved immediately and take effect at the next engine start; tools immediately."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QObject, Signal

from app.client_limits import limits_of
from app.desktop.backend import BackendState
from app.desktop.wording import declared_text, number
from app.errors import SettingsError
from app.events import Event, EventBus, ToolsChanged
from app.settings import SETTINGS, Settings, load_settings, save_setting
from app.settings_schema import TOOL_PROFILES, SettingValue, client_choices

if TYPE_CHECKING:
    from app.server.calls.registry import ProfileCost

log = logging.getLogger(__name__)


class SettingsStore(QObject):
    """The settings. The engine uses `running`, and `saved` from its next start."""

    changed = Signal()

    def __init__(self, running: Settings, *, file: Path | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.running = running
        self.saved = running
        self._file = file

    def value(self, name: str) -> Any:
        return getattr(self.saved, name)

    def default(self, name: str) -> Any:
        return SETTINGS[name].default

    def is_changed(self, name: str) -> bool:
        """Whether the saved value differs from the default."""
        return bool(self.value(name) != self.default(name))

    def is_waiting(self, name: str) -> bool:
        """Whether the running engine does not use the saved value yet."""
        return not SETTINGS[name].is_live and getattr(self.saved, name) != getattr(self.running, name)

    def overridden_by(self, name: str) -> str:
        """Return the environment variable that overrides this setting, or an empty string."""
        variable = SETTINGS[name].variable
        return variable if os.environ.get(variable) else ""

    def save(self, name: str, value: SettingValue) -> None:
        """Save one setting. Raises SettingsError."""
        if value == self.value(name):
            return
        save_setting(name, value, file=self._file)
        self.reread()

    def reset(self, name: str) -> None:
        """Reset one setting to its default. Raises SettingsError."""
        save_setting(name, None, file=self._file)
        self.reread()

    def reread(self) -> None:
        """Reload the file, which another program can have changed. Raises SettingsError."""
        self.saved = load_settings(data_dir=self.running.data_dir, file=self._file)
        self.changed.emit()

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of saved settings that the running engine does not use yet."""
        return tuple(name for name in SETTINGS if self.is_waiting(name))

    def restarted(self) -> None:
        """Note that the engine now runs with the saved settings."""
        self.running = self.saved
        self.changed.emit()


def tool_costs(settings: Settings) -> dict[str, ProfileCost]:
    """Return the number of tools and tokens of each profile. Slow the first time, because it loads all tools."""
    from app.server.tools import profile_costs

    return profile_costs(settings)


def cost_words(cost: ProfileCost) -> str:
    many = QCoreApplication.translate("Tools", "{0} tools, about {1} tokens")
    return many.format(cost.tools, number(round(cost.tokens, -1)))


def profile_purpose(profile: str) -> str:
    """Return what the tools of a profile are for."""
    row = SETTINGS["mcp_tool_profile"].row
    return declared_text(row.labels.get(profile, "")) if row is not None else ""


def profile_set_for(settings: Settings, client: str) -> str:
    """Return the configured profile for an assistant's client name, unless the assistant requests another."""
    chosen = client_choices(settings.mcp_client_tools, TOOL_PROFILES)
    names = (client.lower(), limits_of(client).name)
    return next((chosen[name] for name in names if name in chosen), settings.mcp_tool_profile)


class LiveTools(QObject):
    """Keeps endpoint and settings in sync without a restart."""

    def __init__(self, store: SettingsStore, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._bus = bus
        self._told = ToolsChanged.of(store.saved)
        store.changed.connect(self._saved)

    def on_events(self, events: list[Event]) -> None:
        """Reload the settings when the command line or an assistant's setup changed the profiles."""
        for event in events:
            if isinstance(event, ToolsChanged) and event != self._told:
                self._told = event
                try:
                    self._store.reread()
                except SettingsError as error:
                    log.warning("cannot reload the settings file: %s", error)

    def backend_changed(self, state: BackendState) -> None:
        """Update a restarted endpoint, which only has the settings of the engine start."""
        if state.url and state.engine is not None and ToolsChanged.of(state.engine.settings) != self._told:
            self._bus.publish(self._told)

    def _saved(self) -> None:
        choice = ToolsChanged.of(self._store.saved)
        if choice != self._told:
            self._told = choice
            self._bus.publish(choice)
