"""`status`: what is indexed."""

from __future__ import annotations

from typing import Final

from app import caps
from app.server.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.status import status_text
from app.server.tools import schemas

DESCRIPTION: Final = f"""\
Check what content WebRAG currently has indexed. Returns document count, total tokens, indexed URLs with \
titles, and last-fetched timestamps. Use this to understand what's available before deciding whether to \
call `answer` (which ingests new content) or `search` (which queries existing content).
Use when you do not know whether a page is indexed or how old its copy is.
Do not use when you can ask at once: `answer` reads what is missing by itself.
Returns at most {caps.MAX_STATUS_URLS} pages, newest first.
If you need more, call `status` with source_url for one page.
Defaults: include_urls=true. Max: one source_url."""


async def handle(call: ToolCall) -> ToolOutput:
    """Counts, and the pages unless they are not wanted."""
    include_urls = bool(call.arguments["include_urls"])
    status = await call.engine.status(
        call.arguments.get("source_url"), limit=caps.MAX_STATUS_URLS if include_urls else 0
    )
    text = status_text(status, include_urls=include_urls, budget=call.budget, count=call.engine.count_tokens)
    return ToolOutput(text)


STATUS: Final = ToolSpec(
    id="status",
    title="Show what is indexed",
    description=DESCRIPTION,
    purpose="What is indexed, and how fresh it is",
    input_schema={
        "type": "object",
        "properties": {
            "source_url": {**schemas.URL, "description": "One page to look up."},
            "include_urls": {"type": "boolean", "default": True, "description": "List the indexed pages."},
        },
        "additionalProperties": False,
    },
    hints=Hints(read_only=True, open_world=False),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)
