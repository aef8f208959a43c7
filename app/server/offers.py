"""Who is offered which tools under which names: by the caller's own choice, by assistant, or as set for everybody."""

from __future__ import annotations

from app.client_limits import limits_of
from app.events import Event, EventBus, ToolsChanged
from app.server.registry import Registry
from app.server.sessions import Caller
from app.settings import NAME_STYLES, TOOL_PROFILES, Settings, client_choices


class ToolOffers:
    """One registry a profile and style of names. Follows ToolsChanged, so that a change needs no restart."""

    def __init__(self, registry: Registry, settings: Settings, bus: EventBus) -> None:
        self._registry = registry
        self._take(
            ToolsChanged(
                registry.profile, settings.mcp_client_tools, registry.name_style, settings.mcp_client_name_style
            )
        )
        bus.subscribe(self._on_event)

    def of(self, caller: Caller) -> Registry:
        """The tools of a caller: as it asks itself, else as set for its assistant, else as set for all."""
        names = (caller.name.lower(), limits_of(caller.name).name)
        asked = caller.tools if caller.tools in TOOL_PROFILES else ""
        profile = asked or next((self._profiles[name] for name in names if name in self._profiles), self._now.profile)
        style = next((self._styles[name] for name in names if name in self._styles), self._now.name_style)
        return self._registry.view(profile, style)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ToolsChanged):
            self._take(event)

    def _take(self, choice: ToolsChanged) -> None:
        self._now = choice
        self._profiles = client_choices(choice.client_profiles, TOOL_PROFILES)
        self._styles = client_choices(choice.client_name_styles, NAME_STYLES)
