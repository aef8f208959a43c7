"""`web.readFromPage`: the passages of one page that come closest to some queries."""

from __future__ import annotations

import asyncio
from typing import Final

from app import caps
from app.orchestration.page_answers import PageAnswers
from app.server.calls.limits import data_budget
from app.server.calls.registry import Family, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.web.page_answers import fitting, page_structured, page_text
from app.server.tools import schemas

DESCRIPTION: Final = f"""\
Get the passages of one page closest to each query.
Use when its URL is known.
Do not use when links must be followed (answer) or no URL is known (web_search).
Returns at most maxResults passages a query, by cosine score.
If you need more, call answer or ask otherwise.
Defaults: maxResults={caps.PAGE_RESULTS}. Max: {caps.MAX_PAGE_RESULTS}, {caps.MAX_SEARCH_QUERIES} queries."""


async def handle(call: ToolCall) -> ToolOutput:
    """The page is read if it is not stored and fresh; one that may not be read is told in the note."""
    given = call.arguments
    answers = await call.engine.read_from_page(
        given["url"],
        [given["query"]] if isinstance(given["query"], str) else given["query"],
        force_refresh=given["forceRefresh"],
        max_results=given["maxResults"],
        seconds=call.seconds,
        progress=call.progress,
    )
    return await asyncio.to_thread(_output, call, answers)


def _output(call: ToolCall, answers: PageAnswers) -> ToolOutput:
    budget, count = data_budget(call.budget), call.engine.count_tokens
    metadata = bool(call.arguments["includeMetadata"])
    taken = fitting(answers, budget, count, metadata=metadata)
    return ToolOutput(
        page_text(answers, taken, budget, count, metadata=metadata),
        page_structured(answers, taken, metadata=metadata),
        pages=(answers.url,) if any(taken) else (),
    )


WEB_READ: Final = ToolSpec(
    id="web.readFromPage",
    title="Read from a web page",
    description=DESCRIPTION,
    input_schema={
        "type": "object",
        "properties": {
            "url": {"type": "string"},
            "query": schemas.one_or_more_queries(),
            "forceRefresh": {"type": "boolean", "default": False},
            "maxResults": {
                "type": "integer",
                "minimum": 1,
                "maximum": caps.MAX_PAGE_RESULTS,
                "default": caps.PAGE_RESULTS,
            },
            "includeMetadata": {"type": "boolean", "default": False},
        },
        "required": ["url", "query"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            "url": {"type": "string"},
            "lastCrawled": {"type": "string"},
            "queries": {"type": "array"},
            "note": {"type": "string"},
        },
        "required": ["url", "lastCrawled", "queries"],
    },
    family=Family.DATA,
    hints=Hints(read_only=False, open_world=True),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)
