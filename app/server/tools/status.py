"""`status`: indexed pages and background jobs."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app import caps
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.status import brief_reports, conversation_text, job_report, job_text, status_text
from app.server.tools import schemas

DESCRIPTION: Final = f"""\
Check what content WebRAG currently has indexed. Returns document count, total tokens, indexed URLs with \
titles, and last-fetched timestamps. Use this to understand what's available before deciding whether to \
call `answer` (which ingests new content) or `search` (which queries existing content).
Use when you need a page's age or a job's progress.
Do not use when you can ask directly (answer).
Returns at most {caps.MAX_STATUS_URLS} pages, newest first, and jobs; with job_id, its progress.
If you need more, call status with source_url.
Defaults: include_urls=true. Max: one source_url or job_id."""


async def handle(call: ToolCall) -> ToolOutput:
    """Return one job if requested; otherwise counts, active jobs, and the pages unless they are turned off."""
    if (job_id := call.arguments.get("job_id")) is not None:
        return await _job(call, job_id)
    if call.arguments.get("source_url") == schemas.CONVERSATION:
        text = conversation_text(schemas.read_here(call), budget=call.budget, count=call.engine.count_tokens)
        return ToolOutput(text)
    include_urls = bool(call.arguments["include_urls"])
    status = await call.engine.status(
        call.arguments.get("source_url"), limit=caps.MAX_STATUS_URLS if include_urls else 0
    )
    known = await call.engine.jobs.jobs(caps.MAX_JOBS_KEPT)
    text = status_text(
        status,
        jobs=brief_reports(call.engine.jobs, (job for job in known if not job.state.is_final)),
        include_urls=include_urls,
        budget=call.budget,
        count=call.engine.count_tokens,
    )
    return ToolOutput(text)


async def _job(call: ToolCall, job_id: int) -> ToolOutput:
    jobs = call.engine.jobs
    embedder = await call.engine.embedding_for_caller()
    report = replace(
        await job_report(jobs, await jobs.job(job_id)),
        waiting=embedder.waiting,
        embedding_seconds=embedder.seconds_left,
    )
    text = job_text(report, opening="[CORPUS STATUS]", budget=call.budget, count=call.engine.count_tokens)
    return ToolOutput(text)


STATUS: Final = ToolSpec(
    id="status",
    title="Show what is indexed",
    description=DESCRIPTION,
    input_schema=schemas.arguments(
        {
            "source_url": schemas.meaning(schemas.URL, "One page."),
            "include_urls": {"type": "boolean", "default": True, "description": "List pages."},
            "job_id": {"type": "integer", "minimum": 1, "description": "From ingest."},
        }
    ),
    hints=Hints(read_only=True, open_world=False),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)
