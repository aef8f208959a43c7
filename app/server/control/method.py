"""What one method of `/control/call` is: its parameters, how it runs, how it is accounted for; and tables of methods."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator

from app.errors import CallTimeoutError
from app.events import CallFailure, ProgressCallback
from app.server.calls.arguments import checked_arguments

if TYPE_CHECKING:
    from app.engine import Engine

Arguments = Mapping[str, Any]
Run = Callable[["Engine", Arguments, ProgressCallback], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Account:
    """What the activity log shows of a result: the pages it rests on, and code and reason of a failure of all of them."""

    pages: tuple[str, ...] = ()
    failure_code: str = ""
    failure: CallFailure | None = None


@dataclass(frozen=True, slots=True)
class ControlMethod:
    """One method and its parameters, all of which are checked.

    A method with an `account` of its results is shown in the activity log and has the time limit of a tool. One that
    `goes_on` leaves work to the background: where no instance runs, the caller waits for its jobs and vectors. One that
    `works_paused` reads no page.
    """

    run: Run
    properties: Mapping[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    account: Callable[[Any], Account] | None = None
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

    async def call(self, engine: Engine, params: Arguments, progress: ProgressCallback) -> Any:
        """The engine's result. Raises WebRAGError: for parameters that do not fit, and CallTimeoutError."""
        arguments = checked_arguments(self.validator, params)
        if not self.works_paused:
            engine.check_not_paused()
        limit = engine.settings.mcp_tool_timeout if self.account is not None else None
        scope = asyncio.timeout(limit)
        try:
            async with scope:
                return await self.run(engine, arguments, progress)
        except TimeoutError as error:
            if not scope.expired():
                raise
            raise CallTimeoutError(f"The call took longer than {limit:g} s.") from error


class MethodTable(dict[str, ControlMethod]):
    """Methods by name, each declared where it is written."""

    def add(
        self, name: str, properties: Mapping[str, Any] | None = None, *required: str, **more: Any
    ) -> Callable[[Run], Run]:
        """Declare the decorated function as a method; `more` are fields of ControlMethod."""

        def declare(run: Run) -> Run:
            self[name] = ControlMethod(run, properties or {}, required, **more)
            return run

        return declare
