"""Control methods for what assistants see and what the log keeps of them: tool profiles, diagnostic logging."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import caps
from app.events import ProgressCallback, ToolsChanged
from app.logs import DIAGNOSTICS
from app.server.control.method import Arguments, MethodTable
from app.settings import load_settings, save_setting
from app.settings_schema import TOOL_PROFILES, client_choices

if TYPE_CHECKING:
    from app.engine import Engine

AS_ALL: Final = "default"
"""In place of a profile: this assistant is offered what all others are."""


@dataclass(frozen=True, slots=True)
class DiagnosticState:
    """Whether diagnostic logging is on, and for how many seconds still."""

    on: bool
    seconds_left: float


def set_diagnostics(state: str) -> DiagnosticState:
    """`on`, `off`, or anything else to look only."""
    if state == "on":
        DIAGNOSTICS.on()
    elif state == "off":
        DIAGNOSTICS.off()
    return DiagnosticState(DIAGNOSTICS.is_on, round(DIAGNOSTICS.seconds_left, 1))


def choose_tools(data_dir: Path, profile: str | None = None, client: str | None = None) -> ToolsChanged:
    """Save the tool profile of all assistants, or of one, if one is given; what is set now. Raises SettingsError."""
    settings = load_settings(data_dir=data_dir)
    if profile is not None and client is None:
        save_setting("mcp_tool_profile", None if profile == AS_ALL else profile)
    elif profile is not None and client is not None:
        chosen = client_choices(settings.mcp_client_tools, TOOL_PROFILES)
        chosen.pop(client.lower(), None)
        entries = [*(f"{name}={each}" for name, each in chosen.items())]
        save_setting("mcp_client_tools", tuple(entries if profile == AS_ALL else [*entries, f"{client}={profile}"]))
    now = load_settings(data_dir=data_dir)
    return ToolsChanged(
        *(now.mcp_tool_profile, now.mcp_client_tools, now.mcp_tool_name_style, now.mcp_client_name_style),
        client_libraries=now.mcp_client_library,
    )


SURFACE_METHODS: Final = MethodTable()


@SURFACE_METHODS.add(
    "diagnostics",
    {"state": {"type": "string", "enum": ["on", "off", "status"], "default": "status"}},
    works_paused=True,
)
async def _diagnostics(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> DiagnosticState:
    return set_diagnostics(arguments["state"])


@SURFACE_METHODS.add(
    "tools",
    {
        "profile": {"type": "string", "enum": [*TOOL_PROFILES, AS_ALL]},
        "client": {"type": "string", "pattern": r"^[^=,\s][^=,]*$", "maxLength": caps.MAX_CLIENT_NAME_CHARS},
    },
    works_paused=True,
)
async def _tools(engine: Engine, arguments: Arguments, progress: ProgressCallback) -> ToolsChanged:
    profile = arguments.get("profile")
    choice = choose_tools(engine.settings.data_dir, profile, arguments.get("client"))
    if profile is not None:
        engine.bus.publish(choice)
    return choice
