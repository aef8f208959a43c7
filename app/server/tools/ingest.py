"""`ingest`: read pages now, to ask about them later."""

from __future__ import annotations

from typing import Final

from app import caps
from app.server.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.ingest import ingest_text
from app.server.tools import schemas

DESCRIPTION: Final = f"""\
Read one or more web pages and index them without asking a question. Pages that are indexed and fresh \
are not fetched again.
Use when several questions about the same pages will follow, or a page must be read anew (refresh=true).
Do not use when you have the question already: `answer` reads and answers in one call.
Returns at most one entry per page: title, chunks, tokens, or why it could not be read.
If you need more, call `search` to ask about the pages, `status` to see everything indexed.
Defaults: refresh=false. Max: {caps.MAX_URLS_PER_CALL} URLs; linked pages are not followed."""


async def handle(call: ToolCall) -> ToolOutput:
    """Every page is tried; the call fails only if none could be read."""
    pages = await call.engine.ingest(
        schemas.as_list(call.arguments["url"]),
        refresh=bool(call.arguments["refresh"]),
        progress=call.progress,
    )
    text = ingest_text(pages, budget=call.budget, count=call.engine.count_tokens)
    read = tuple(page.url for page in pages if not page.is_failed)
    return ToolOutput(text, pages=read, failure_code="" if read else pages[0].failure_code)


INGEST: Final = ToolSpec(
    id="ingest",
    title="Read and index pages",
    description=DESCRIPTION,
    purpose="Pages to read now and ask about later, or to read anew",
    input_schema={
        "type": "object",
        "properties": {
            "url": schemas.one_or_more_urls("Page to read, or several."),
            "refresh": {
                "type": "boolean",
                "default": False,
                "description": "Fetch again even if the copy is fresh.",
            },
        },
        "required": ["url"],
        "additionalProperties": False,
    },
    hints=Hints(read_only=False, open_world=True),
    handler=handle,
)
