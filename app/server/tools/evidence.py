"""What `answer` and `search` share: the engine's result becomes text, off the event loop."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import Protocol

from app.orchestration.result import OrchestrationResult
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.budget import Budget, CountTokens

log = logging.getLogger(__name__)


class Render(Protocol):
    """A renderer of evidence."""

    def __call__(self, result: OrchestrationResult, *, budget: Budget, count: CountTokens, now: float) -> str: ...


async def evidence_output(call: ToolCall, result: OrchestrationResult, render: Render) -> ToolOutput:
    """The rendered result and the pages that its evidence is from."""
    level = logging.INFO if result.chunks else logging.WARNING
    log.log(
        level,
        "%d chunks, mode %s, %.0f ms in the engine",
        len(result.chunks),
        result.mode,
        result.timing.total_ms,
    )
    count = call.engine.count_tokens
    text = await asyncio.to_thread(render, result, budget=call.budget, count=count, now=time.time())
    return ToolOutput(text, pages=tuple(dict.fromkeys(item.chunk.url for item in result.chunks)))
