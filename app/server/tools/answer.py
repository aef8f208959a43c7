"""`answer`: evidence for a question from named pages and what they link to."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app import caps
from app.server.calls.registry import Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.answer import answer_text
from app.server.tools import schemas
from app.server.tools.evidence import evidence_output

DESCRIPTION: Final = f"""\
Query one or more web pages and their linked content for information. WebRAG will scrape each URL if not \
already indexed, decompose the query, retrieve and rerank relevant chunks, optionally expand to linked \
pages, and return cited evidence with source attribution. Use this when you need factual information \
grounded in specific web sources.
Use when the user names a page or site, or a claim must be checked against one.
Do not use when the pages are indexed and only the question is new (search), or no URL is known \
(web_search).
Returns at most {caps.UNKNOWN_CLIENT_TOKENS:,} tokens, usually 3,000: passages, exact quotes, what was searched.
If you need more, call search with another question, or answer with a more specific URL.
Defaults: intent inferred, expansion_budget automatic. Max: {caps.MAX_URLS_PER_CALL} URLs, query \
{caps.MAX_QUERY_CHARS:,} characters, expansion_budget {caps.MAX_EXPANSION_BUDGET}."""


async def handle(call: ToolCall) -> ToolOutput:
    """The first URL is the seed, the others are read too and searched with it."""
    question = schemas.as_question(call.arguments["url"], call.arguments)
    result = await call.engine.run(replace(question, seconds=call.seconds), call.progress)
    return await evidence_output(call, result, answer_text)


ANSWER: Final = ToolSpec(
    id="answer",
    title="Answer from web pages",
    description=DESCRIPTION,
    input_schema={
        "type": "object",
        "properties": {
            "url": schemas.one_or_more_urls("Page, or several to search together; the first is the main one."),
            "query": schemas.query("Question, as a full sentence."),
            "intent": schemas.intent(),
            "known_context": {
                "type": "string",
                "maxLength": caps.MAX_KNOWN_CONTEXT_CHARS,
                "description": "What you know; passages that only repeat it are left out.",
            },
            "constraints": {
                "type": "array",
                "items": {"type": "string", "pattern": r"\S", "maxLength": caps.MAX_CONSTRAINT_CHARS},
                "maxItems": caps.MAX_CONSTRAINTS,
                "description": "What evidence must have, e.g. code examples.",
            },
            "expansion_budget": {
                "type": "integer",
                "minimum": 0,
                "maximum": caps.MAX_EXPANSION_BUDGET,
                "description": "Rounds of following links; 0 stays on the pages.",
            },
        },
        "required": ["url", "query"],
        "additionalProperties": False,
    },
    hints=Hints(read_only=False, open_world=True),
    handler=handle,
    max_result_chars=caps.MAX_RESPONSE_CHARS,
)
