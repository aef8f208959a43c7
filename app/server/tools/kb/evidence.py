"""`kb.retrieve_evidence` and `kb.extract_evidence`: quotes that answer, with their sources."""

from __future__ import annotations

from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import Mode, Quotes
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.kb.evidence import evidence
from app.server.render.kb.passages import evidence_chars
from app.server.tools.kb.parts import (
    MODE,
    QUESTION,
    SCOPE,
    SCOPE_NAMED,
    TEXT,
    Options,
    asking_of,
    at_least,
    kb_tool,
    number,
    options,
    rendered,
    words_of,
)
from app.server.tools.scoping import FILTERS, narrowing_of

RETRIEVE_DESCRIPTION: Final = f"""\
Answer from indexed content: exact quotes with sources, in one call.
Use when pages are indexed; try it first.
Do not use when a URL is not indexed (answer).
Returns at most {caps.MAX_QUOTES} quotes.
If you need more, call kb_read_excerpt with a passage_id.
Defaults: {caps.DEFAULT_QUOTES} quotes, {caps.DEFAULT_KB_RESULTS} pages. Max: {caps.MAX_QUOTES}."""

EXTRACT_DESCRIPTION: Final = f"""\
Quote what answers a question from passages that you chose.
Use when kb_search gave passage_ids.
Do not use when none is chosen (kb_retrieve_evidence).
Returns at most {caps.MAX_QUOTES} quotes.
If you need more, call kb_read_excerpt.
Defaults: {caps.DEFAULT_QUOTES}. Max: {caps.MAX_QUOTES}, {caps.MAX_KB_PASSAGES} passages."""

OPTIONS: Final = options(mode=MODE)
OUTPUT: Final = {"quotes": "array", "sources": "array"}


async def retrieve(call: ToolCall) -> ToolOutput:
    """Search and quote in one call."""
    quotes = await call.engine.kb.retrieve_evidence(
        asking_of(call),
        words_of(call, "question"),
        top_k=at_least(call, "top_k"),
        **_sizes(call),
        narrowing=narrowing_of(call),
        mode=Mode(Options(call, OPTIONS).word("mode", Mode.AUTO)),
    )
    return await _quoted(call, quotes)


async def extract(call: ToolCall) -> ToolOutput:
    """Quotes from named passages."""
    passage_ids = list(dict.fromkeys(call.arguments["passage_ids"]))
    if not passage_ids or any(len(each) > caps.MAX_PASSAGE_ID_CHARS for each in passage_ids):
        raise InvalidArgumentError("`passage_ids` must name passages.", hint="kb_search gives their ids.")
    quotes = await call.engine.kb.extract_evidence(
        asking_of(call),
        words_of(call, "question"),
        passage_ids,
        **_sizes(call),
        include_context_tokens=at_least(call, "include_context_tokens", 0),
    )
    return await _quoted(call, quotes, complete=True)


def _sizes(call: ToolCall) -> dict[str, int]:
    tokens = at_least(call, "max_quote_tokens", caps.MIN_QUOTE_TOKENS)
    return {"max_quotes": at_least(call, "max_quotes"), "max_quote_tokens": tokens}


async def _quoted(call: ToolCall, quotes: Quotes, *, complete: bool = False) -> ToolOutput:
    characters = evidence_chars(call.arguments["max_quotes"], call.arguments["max_quote_tokens"])
    return await rendered(call, lambda fits: evidence(quotes, fits, complete=complete), characters=characters)


RETRIEVE_EVIDENCE: Final = kb_tool(
    "kb.retrieve_evidence",
    "Retrieve evidence",
    RETRIEVE_DESCRIPTION,
    retrieve,
    {
        "question": QUESTION,
        "top_k": number(caps.DEFAULT_KB_RESULTS, caps.MAX_TOP_K),
        "max_quotes": number(caps.DEFAULT_QUOTES, caps.MAX_QUOTES),
        "max_quote_tokens": number(caps.DEFAULT_QUOTE_TOKENS, caps.MAX_QUOTE_TOKENS),
        "scope": SCOPE_NAMED,
        "filters": FILTERS,
        "options": OPTIONS,
        "session_id": TEXT,
    },
    OUTPUT,
    "question",
)

EXTRACT_EVIDENCE: Final = kb_tool(
    "kb.extract_evidence",
    "Extract evidence",
    EXTRACT_DESCRIPTION,
    extract,
    {
        "question": QUESTION,
        "passage_ids": {"type": "array", "items": TEXT, "maxItems": caps.MAX_KB_PASSAGES},
        "max_quotes": number(caps.DEFAULT_QUOTES, caps.MAX_QUOTES),
        "max_quote_tokens": number(caps.DEFAULT_QUOTE_TOKENS, caps.MAX_QUOTE_TOKENS),
        "include_context_tokens": number(caps.DEFAULT_CONTEXT_TOKENS, caps.MAX_CONTEXT_TOKENS),
        "scope": SCOPE,
        "session_id": TEXT,
    },
    OUTPUT,
    "question",
    "passage_ids",
)
