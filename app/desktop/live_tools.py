"""The choice of tools in force at once: told to the endpoint when it is saved, and taken over when it is made elsewhere."""

from __future__ import annotations

import logging

from PySide6.QtCore import QObject

from app.client_limits import limits_of
from app.desktop.backend import BackendState
from app.desktop.settings_store import SettingsStore
from app.errors import SettingsError
from app.events import Event, EventBus, ToolsChanged
from app.settings import Settings
from app.settings_schema import TOOL_PROFILES, client_choices

log = logging.getLogger(__name__)


def choice_of(settings: Settings) -> ToolsChanged:
    """Which tools these settings offer to whom."""
    return ToolsChanged(
        settings.mcp_tool_profile,
        settings.mcp_client_tools,
        settings.mcp_tool_name_style,
        settings.mcp_client_name_style,
    )


def profile_set_for(settings: Settings, client: str) -> str:
    """The profile of an assistant by the name that it introduces itself with, unless it asks for another itself."""
    chosen = client_choices(settings.mcp_client_tools, TOOL_PROFILES)
    names = (client.lower(), limits_of(client).name)
    return next((chosen[name] for name in names if name in chosen), settings.mcp_tool_profile)


class LiveTools(QObject):
    """Keeps endpoint and settings in step without a restart."""

    def __init__(self, store: SettingsStore, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._bus = bus
        self._told = choice_of(store.saved)
        store.changed.connect(self._saved)

    def take(self, events: list[Event]) -> None:
        """Read the settings again when the command line or an assistant's setup changed the choice."""
        for event in events:
            if isinstance(event, ToolsChanged) and event != self._told:
                self._told = event
                try:
                    self._store.reread()
                except SettingsError as error:
                    log.warning("the settings file cannot be read again: %s", error)

    def backend_changed(self, state: BackendState) -> None:
        """An endpoint that was opened anew knows only what the engine was started with."""
        if state.url and state.engine is not None and choice_of(state.engine.settings) != self._told:
            self._bus.publish(self._told)

    def _saved(self) -> None:
        choice = choice_of(self._store.saved)
        if choice != self._told:
            self._told = choice
            self._bus.publish(choice)
