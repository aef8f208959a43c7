"""Tasks: background jobs that a client of the newer protocol era follows by itself, without calls of `status` by its model."""

from __future__ import annotations

import contextlib
import time
from typing import Final

import mcp.types as types
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import decode_header_value
from pydantic import Field
from starlette.requests import Request

from app import caps, extensions
from app.errors import UnknownJobError, WebRAGError
from app.library.job_records import Job, JobState
from app.server.calls.limits import Caller, effective_budget
from app.server.calls.registry import Engine
from app.server.protocol.messages import NEWER_ERA, Context, caller_of
from app.server.render.text import JsonObject, iso
from app.server.tools.status import brief_reports, crawl_text, job_line, job_report, read_nothing

POLL_MS: Final = 2_000
LIFETIME_MS: Final = 24 * 60 * 60 * 1_000  # How long a client can ask for a task. Jobs are kept longer, up to a number.
MISSING_CAPABILITY: Final = -32_021
HEADER_MISMATCH: Final = -32_020
NEEDED: Final[JsonObject] = {"requiredCapabilities": {"extensions": {extensions.TASKS: {}}}}


class TaskParams(types.RequestParams):
    task_id: str = Field(alias="taskId", max_length=caps.MAX_URL_CHARS)


class Tasks:
    """Answers the methods of the extension. A task belongs to the client that started it, by its name."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    async def get(self, ctx: Context, params: TaskParams) -> JsonObject:
        """Return the state of a task, and its result once it is complete."""
        job, caller = await self._job(ctx, params), caller_of(ctx)
        state: JsonObject = {"resultType": "complete", **_state(self._engine, params.task_id, job)}
        if state["status"] == "completed":
            budget = effective_budget(self._engine.settings, caller.name)
            report = await job_report(self._engine.jobs, job)
            text = crawl_text(report, budget=budget, count=self._engine.count_tokens)
            state["result"] = {"content": [{"type": "text", "text": text}], "isError": read_nothing(job)}
        return state

    async def update(self, ctx: Context, params: TaskParams) -> JsonObject:
        """Accept answers to questions. Jobs do not ask any."""
        await self._job(ctx, params)
        return {"resultType": "complete"}

    async def cancel(self, ctx: Context, params: TaskParams) -> JsonObject:
        """Cancel the job. Pages read so far are kept; a job that has ended stays as it is."""
        job = await self._job(ctx, params)
        if not job.state.is_final:
            # The job may end in the meantime.
            with contextlib.suppress(UnknownJobError):
                await self._engine.jobs.cancel(job.id)
        return {"resultType": "complete"}

    async def _job(self, ctx: Context, params: TaskParams) -> Job:
        """Return the job of a task. Raises MCPError, for a task of another client as for one that does not exist."""
        caller = caller_of(ctx)
        if ctx.protocol_version < NEWER_ERA:
            raise MCPError(types.METHOD_NOT_FOUND, "Method not found", ctx.method)
        if extensions.TASKS not in caller.extensions:
            raise MCPError(MISSING_CAPABILITY, "Missing required client capability", NEEDED)
        request = ctx.request
        if isinstance(request, Request) and decode_header_value(request.headers.get("mcp-name")) != params.task_id:
            raise MCPError(HEADER_MISMATCH, "mcp-name header does not match the request body's 'taskId' parameter")
        try:
            return await self._engine.jobs.of_task(params.task_id, caller.name)
        except UnknownJobError as error:
            raise MCPError(types.INVALID_PARAMS, "Failed to retrieve task: Task not found") from error


async def created(engine: Engine, job: Job, caller: Caller) -> JsonObject:
    """Return the result of a call that started a job."""
    return {"resultType": "task", **_state(engine, await engine.jobs.task_of(job.id, caller.name), job)}


def _state(engine: Engine, task_id: str, job: Job) -> JsonObject:
    ended = "cancelled" if job.state is JobState.CANCELLED else "completed"
    return {
        "taskId": task_id,
        "status": ended if job.state.is_final else "working",
        "statusMessage": _message(engine, job),
        "createdAt": iso(job.created_at),
        "lastUpdatedAt": iso(job.finished_at or time.time()),
        "ttlMs": LIFETIME_MS,
        "pollIntervalMs": POLL_MS,
    }


def _message(engine: Engine, job: Job) -> str:
    """Return the progress, or why there is none."""
    if job.state is JobState.PAUSED:
        return "The user paused this job. It continues when they resume it."
    try:
        engine.check_not_paused()
    except WebRAGError as error:
        return error.message
    (report,) = brief_reports(engine.jobs, [job])
    return job_line(report)
