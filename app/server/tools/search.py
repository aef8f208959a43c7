"""`search`: evidence from what is stored, without the network."""

from __future__ import annotations

from typing import Final

from app import caps
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.answer import search_text
from app.server.tools import schemas
from app.server.tools.evidence import evidence_output

DESCRIPTION: Final = f"""\
Search the existing WebRAG corpus for information without scraping new pages or expanding to linked \
content. Use this when you know the content has already been indexed (e.g., from a previous `answer` \
call) and want to ask a different question about the same material. Faster than `answer` because it \
skips ingestion and expansion.
Use when long passages are wanted of pages that were read before.
Do not use when quotes are enough (kb_retrieve_evidence), or a page was never read (answer) or must be \
read anew (ingest).
Returns at most top_k passages with exact quotes, within {caps.UNKNOWN_CLIENT_TOKENS:,} tokens.
If you need more, call search with another wording or a higher top_k.
Defaults: top_k={caps.DEFAULT_TOP_K}, all pages. Max: top_k {caps.MAX_TOP_K}, \
{caps.MAX_URLS_PER_CALL} source_urls, query {caps.MAX_QUERY_CHARS:,} characters."""


async def handle(call: ToolCall) -> ToolOutput:
    """Retrieval over the whole corpus or the given pages."""
    result = await call.engine.search(
        call.arguments["query"],
        source_urls=schemas.as_list(call.arguments.get("source_urls", [])),
        intent=call.arguments.get("intent"),
        top_k=call.arguments["top_k"],
        progress=call.progress,
    )
    return await evidence_output(call, result, search_text)


SEARCH: Final = ToolSpec(
    id="search",
    title="Search indexed pages",
    description=DESCRIPTION,
    input_schema={
        "type": "object",
        "properties": {
            "query": schemas.query("Question."),
            "source_urls": schemas.url_list("These pages only."),
            "intent": schemas.intent(),
            "top_k": {
                "type": "integer",
                "minimum": 1,
                "maximum": caps.MAX_TOP_K,
                "default": caps.DEFAULT_TOP_K,
            },
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    hints=Hints(read_only=True, open_world=False),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)
