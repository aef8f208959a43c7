"""Who is offered which tools under which names and in which form: by the caller's own choice, by assistant, or as set for all."""

from __future__ import annotations

from collections.abc import Mapping

from app.client_limits import limits_of
from app.events import Event, EventBus, ToolsChanged
from app.server.calls.registry import Registry
from app.server.sessions import Caller
from app.settings import Settings
from app.settings_schema import NAME_STYLES, RESULT_MODES, TOOL_PROFILES, client_choices


class ToolOffers:
    """One registry a profile and style of names. Follows ToolsChanged until it is closed, so that a change needs no restart."""

    def __init__(self, registry: Registry, settings: Settings, bus: EventBus) -> None:
        self._registry = registry
        self._take(
            ToolsChanged(
                registry.profile, settings.mcp_client_tools, registry.name_style, settings.mcp_client_name_style
            )
        )
        self._result_mode = settings.mcp_result_mode
        self._result_modes = client_choices(settings.mcp_client_result_mode, RESULT_MODES)
        self._is_structured = settings.mcp_structured_output_enabled
        self.close = bus.subscribe(self._on_event)

    def of(self, caller: Caller) -> Registry:
        """The tools of a caller: as it asks itself, else as set for its assistant, else as set for all."""
        asked = caller.tools if caller.tools in TOOL_PROFILES else ""
        profile = asked or _chosen(self._profiles, caller, self._now.profile)
        return self._registry.view(profile, _chosen(self._styles, caller, self._now.name_style))

    def result_mode(self, caller: Caller) -> str:
        """In which form a caller gets results that have two: one of RESULT_MODES."""
        return _chosen(self._result_modes, caller, self._result_mode) if self._is_structured else "text"

    def _on_event(self, event: Event) -> None:
        if isinstance(event, ToolsChanged):
            self._take(event)

    def _take(self, choice: ToolsChanged) -> None:
        self._now = choice
        self._profiles = client_choices(choice.client_profiles, TOOL_PROFILES)
        self._styles = client_choices(choice.client_name_styles, NAME_STYLES)


def _chosen(choices: Mapping[str, str], caller: Caller, otherwise: str) -> str:
    """What is set for the name that the caller gives itself, or for the assistant that it is."""
    names = (caller.name.lower(), limits_of(caller.name).name)
    return next((choices[name] for name in names if name in choices), otherwise)
