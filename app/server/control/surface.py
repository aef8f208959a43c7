"""The definition of a method of `/control/call` (parameters, implementation, record), tables of methods, and the methods for tool
profiles and diagnostic logging."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from jsonschema import Draft202012Validator

from app import caps
from app.errors import CallTimeoutError, InvalidArgumentError
from app.events import ProgressCallback, ToolsChanged
from app.logs import DIAGNOSTICS
from app.server.calls.arguments import checked_arguments
from app.server.calls.dispatch import CallRecord
from app.server.calls.limits import time_limit
from app.server.calls.registry import COLLECTION, Engine
from app.settings import load_settings, save_setting
from app.settings_schema import TOOL_PROFILES, client_choices
from app.text.sentence import sentence

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ControlCall:
    """One call of a method with its checked arguments."""

    engine: Engine
    given: Arguments
    progress: ProgressCallback

    @property
    def path(self) -> Path:
        return Path(self.given["path"])


Run = Callable[[ControlCall], Awaitable[Any]]


Note = Callable[[Any, CallRecord], None]


@dataclass(frozen=True, slots=True)
class ControlMethod:
    """One method and its parameters, all of which are checked.

    `note` enters a result in the record of its call: a method with it appears in the activity log and has the time limit of a tool. If a
    method `goes_on`, background work continues after it, so without a running instance the caller waits for its jobs and vectors. A method
    that `works_paused` does not read pages. The argument `collection` chooses where pages are stored.
    """

    run: Run
    properties: Mapping[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    note: Note | None = None
    goes_on: bool = False
    works_paused: bool = False
    validator: Draft202012Validator = field(init=False, repr=False)

    def __post_init__(self) -> None:
        schema = {
            "type": "object",
            "properties": dict(self.properties),
            "required": list(self.required),
            "additionalProperties": False,
        }
        object.__setattr__(self, "validator", Draft202012Validator(schema))

    def checked(self, params: Arguments) -> dict[str, Any]:
        """Return the arguments with defaults. Raises InvalidArgumentError."""
        return checked_arguments(self.validator, params, hint=InvalidArgumentError.default_hint)

    async def call(self, engine: Engine, params: Arguments, progress: ProgressCallback) -> Any:
        """Return the engine's result. Raises WebRAGError for invalid parameters, and CallTimeoutError."""
        arguments = self.checked(params)
        if not self.works_paused:
            engine.check_not_paused()
        limit = engine.settings.mcp_tool_timeout if self.note is not None else None
        late = CallTimeoutError(sentence("The call took longer than {} s.", f"{limit or 0:g}"))
        async with time_limit(limit, late):
            with await engine.writing_to(arguments.get(COLLECTION)):
                return await self.run(ControlCall(engine, arguments, progress))


class MethodTable(dict[str, ControlMethod]):
    """Methods by name, each declared at its implementation."""

    def add(
        self, name: str, properties: Mapping[str, Any] | None = None, *required: str, **more: Any
    ) -> Callable[[Run], Run]:
        """Declare the decorated function as a method; `more` are fields of ControlMethod."""

        def declare(run: Run) -> Run:
            self[name] = ControlMethod(run, properties or {}, required, **more)
            return run

        return declare


AS_ALL: Final = "default"  # Instead of a profile: this assistant uses the general setting.


@dataclass(frozen=True, slots=True)
class DiagnosticState:
    """Whether diagnostic logging is on, and the seconds left."""

    on: bool
    seconds_left: float


def choose_tools(data_dir: Path, profile: str | None = None, client: str | None = None) -> ToolsChanged:
    """Save the tool profile of all assistants, or of one, if given; return the current setting. Raises SettingsError."""
    settings = load_settings(data_dir=data_dir)
    if profile is not None and client is None:
        save_setting("mcp_tool_profile", None if profile == AS_ALL else profile)
    elif profile is not None and client is not None:
        chosen = client_choices(settings.mcp_client_tools, TOOL_PROFILES)
        chosen.pop(client.lower(), None)
        entries = [*(f"{name}={each}" for name, each in chosen.items())]
        save_setting("mcp_client_tools", tuple(entries if profile == AS_ALL else [*entries, f"{client}={profile}"]))
    return ToolsChanged.of(load_settings(data_dir=data_dir))


SURFACE_METHODS: Final = MethodTable()


@SURFACE_METHODS.add(
    "diagnostics",
    {"state": {"type": "string", "enum": ["on", "off", "status"], "default": "status"}},
    works_paused=True,
)
async def _diagnostics(call: ControlCall) -> DiagnosticState:
    if call.given["state"] == "on":
        DIAGNOSTICS.on()
    elif call.given["state"] == "off":
        DIAGNOSTICS.off()
    return DiagnosticState(DIAGNOSTICS.is_on, round(DIAGNOSTICS.seconds_left, 1))


@SURFACE_METHODS.add(
    "tools",
    {
        "profile": {"type": "string", "enum": [*TOOL_PROFILES, AS_ALL]},
        "client": {"type": "string", "pattern": r"^[^=,\s][^=,]*$", "maxLength": caps.MAX_CLIENT_NAME_CHARS},
        "changed": {"type": "boolean", "default": False},
    },
    works_paused=True,
)
async def _tools(call: ControlCall) -> ToolsChanged:
    profile = call.given.get("profile")
    choice = choose_tools(call.engine.settings.data_dir, profile, call.given.get("client"))
    if profile is not None or call.given["changed"]:
        call.engine.bus.publish(choice)
    return choice
