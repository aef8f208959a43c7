"""Tools with the names that the outside suite uses for tasks. The product checks every request; only the tools and their state are ours."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

import mcp.types as types
from mcp.server import ServerRequestContext
from mcp.server.context import CallNext, HandlerResult
from mcp.shared.exceptions import MCPError

from app import extensions
from app.server.protocol.messages import NEWER_ERA, caller_of
from app.server.protocol.tasks import MISSING_CAPABILITY, NEEDED
from app.server.render.text import JsonObject, iso

Context = ServerRequestContext[Any, Any]

REQUIRED: Final = ("failing_job", "test_tool_with_task")
"""Tools that refuse clients without tasks."""


@dataclass
class Task:
    """A task in memory. While `asked` is not empty, it waits for answers."""

    id: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    status: str = "working"
    ending: JsonObject = field(default_factory=dict)
    asked: JsonObject = field(default_factory=dict)
    given: JsonObject = field(default_factory=dict)
    answered: asyncio.Event = field(default_factory=asyncio.Event)
    began: float = field(default_factory=time.time)
    running: asyncio.Task[None] | None = None

    def state(self) -> JsonObject:
        times = {"createdAt": iso(self.began), "lastUpdatedAt": iso(time.time())}
        return {"taskId": self.id, "status": self.status, **times, "ttlMs": 3_600_000, "pollIntervalMs": 500}

    async def ask(self, **fields: str) -> JsonObject:
        self.asked, self.status = {name: _question(name, kind) for name, kind in fields.items()}, "input_required"
        while self.asked:
            self.answered.clear()
            await self.answered.wait()
        self.status = "working"
        return self.given


TASKS: Final[dict[str, Task]] = {}


def _question(name: str, kind: str) -> JsonObject:
    schema = {"type": "object", "properties": {name: {"type": kind}}, "required": [name]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": name, "requestedSchema": schema}}


def _text(text: str, *, is_error: bool = False) -> JsonObject:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


async def _slow(_task: Task, arguments: JsonObject) -> JsonObject:
    await asyncio.sleep(arguments.get("seconds", 1))
    return _text("computed")


async def _failing(_task: Task, _arguments: JsonObject) -> JsonObject:
    await asyncio.sleep(1)
    return _text("It failed.", is_error=True)


async def _broken(_task: Task, _arguments: JsonObject) -> JsonObject:
    await asyncio.sleep(0.2)
    raise MCPError(types.INTERNAL_ERROR, "broken inside")


async def _confirming(task: Task, _arguments: JsonObject) -> JsonObject:
    return _text(f"deleted: {await task.ask(confirm='boolean')}")


async def _asking_twice(task: Task, _arguments: JsonObject) -> JsonObject:
    return _text(f"got {await task.ask(first='string', second='string')}")


async def _greeting(_task: Task, arguments: JsonObject) -> JsonObject:
    return _text(f"Hello {arguments['answers']}")


WORK: Final[dict[str, Callable[[Task, JsonObject], Awaitable[JsonObject]]]] = {
    "slow_compute": _slow,
    "failing_job": _failing,
    "protocol_error_job": _broken,
    "confirm_delete": _confirming,
    "multi_input": _asking_twice,
    "test_tool_with_task": _greeting,
}


async def with_tasks(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Run the tools of this module, and answer for their tasks after the product has checked the request."""
    params = dict(ctx.params or {})
    if ctx.method == "tools/call" and params.get("name") in WORK:
        return await _called(ctx, params)
    if ctx.method.startswith("tasks/"):
        try:
            return await call_next(ctx)
        except MCPError as error:
            task = TASKS.get(str(params.get("taskId")))
            if error.code != types.INVALID_PARAMS or task is None:
                raise
            return _answer(ctx.method, task, params)
    return await call_next(ctx)


async def _called(ctx: Context, params: JsonObject) -> HandlerResult:
    name, arguments = params["name"], dict(params.get("arguments") or {})
    if extensions.TASKS not in caller_of(ctx).extensions:
        if name in REQUIRED:
            raise MCPError(MISSING_CAPABILITY, "Missing required client capability", NEEDED)
        return _complete(ctx, await WORK[name](Task(), arguments))
    if name == "slow_compute" and not arguments.get("seconds", 1):
        return _complete(ctx, await WORK[name](Task(), arguments))
    if name == "test_tool_with_task":
        arguments["answers"] = params.get("inputResponses")
        if not arguments["answers"]:
            asked = {"user_name": _question("name", "string")}
            return {"resultType": "input_required", "inputRequests": asked, "requestState": "first"}
    task = Task()
    TASKS[task.id] = task
    task.running = asyncio.create_task(_run(task, name, arguments))
    return {"resultType": "task", **task.state()}


def _complete(ctx: Context, result: JsonObject) -> JsonObject:
    return {"resultType": "complete", **result} if ctx.protocol_version >= NEWER_ERA else result


async def _run(task: Task, name: str, arguments: JsonObject) -> None:
    try:
        task.ending, task.status = {"result": await WORK[name](task, arguments)}, "completed"
    except MCPError as error:
        task.ending, task.status = {"error": {"code": error.code, "message": error.message}}, "failed"


def _answer(method: str, task: Task, params: JsonObject) -> JsonObject:
    is_open = task.status in ("working", "input_required")
    if method == "tasks/get":
        asked = {"inputRequests": task.asked} if task.status == "input_required" else {}
        return {"resultType": "complete", **task.state(), **task.ending, **asked}
    if method == "tasks/update":
        for name, each in dict(params.get("inputResponses") or {}).items():
            if task.asked.pop(name, None) is not None:
                task.given[name] = each
        task.answered.set()
    elif is_open and task.running is not None:
        task.running.cancel()
        task.status = "cancelled"
    return {"resultType": "complete"}
