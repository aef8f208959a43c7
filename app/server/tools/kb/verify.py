"""`kb.verify_quote`: whether a text stands in a stored page."""

from __future__ import annotations

from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.kb.passages import verification
from app.server.tools.kb.parts import SCOPE, TEXT, asking_of, kb_tool, rendered, words_of

DESCRIPTION: Final = f"""\
Check whether a quote stands in indexed pages: exact, near (with the difference) or absent.
Use when you cite.
Do not use when you look for an answer (kb_retrieve_evidence).
Returns at most one place with the page's own text.
If you need more, call kb_expand_excerpt with its uri.
Defaults: all pages; uri: one page. Max: {caps.MAX_VERIFIED_CHARS:,} characters."""


async def handle(call: ToolCall) -> ToolOutput:
    """The verdict with the text of the page."""
    uri = (call.arguments.get("uri") or "").strip() or None
    if uri is not None and len(uri) > caps.MAX_URL_CHARS:
        raise InvalidArgumentError(f"`uri` may have {caps.MAX_URL_CHARS:,} characters.")
    found = await call.engine.kb.verify_quote(asking_of(call), words_of(call, "text"), uri)
    return await rendered(call, lambda _: verification(found))


VERIFY_QUOTE: Final = kb_tool(
    "kb.verify_quote",
    "Verify a quote",
    DESCRIPTION,
    handle,
    {
        "text": {"type": "string", "maxLength": caps.MAX_VERIFIED_CHARS},
        "uri": TEXT,
        "scope": SCOPE,
        "session_id": TEXT,
    },
    {"verdict": "string"},
    "text",
)
