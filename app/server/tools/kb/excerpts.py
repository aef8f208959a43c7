"""`kb.read_excerpt` and `kb.expand_excerpt`: pieces of passages and of the text around them."""

from __future__ import annotations

from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import Format
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.kb.passages import excerpt
from app.server.tools.kb.parts import SCOPE, TEXT, Options, asking_of, at_least, kb_tool, number, options, rendered

READ_DESCRIPTION: Final = f"""\
Read a passage, or a page by its webrag:// address as passage_id.
Use when a quote or preview is not enough.
Do not use when a question is to be answered (kb_retrieve_evidence).
Returns at most max_tokens.
If you need more, call with start_char, or kb_expand_excerpt.
Defaults: {caps.DEFAULT_EXCERPT_TOKENS} tokens. Max: {caps.MAX_EXCERPT_TOKENS}."""

EXPAND_DESCRIPTION: Final = f"""\
Show the page's text around what was read last of a passage.
Use when an excerpt or quote breaks off.
Do not use when the passage itself goes on (kb_read_excerpt).
Returns at most {caps.MAX_EXCERPT_TOKENS} tokens.
If you need more, call again, also with start_char.
Defaults: {caps.DEFAULT_AROUND_TOKENS} before and after. Max: {caps.MAX_EXCERPT_TOKENS} in all."""

OPTIONS: Final = options(format={"enum": [*Format, None]}, include_citation={})
OUTPUT: Final = {"excerpt": "string", "truncated": "boolean"}


async def read(call: ToolCall) -> ToolOutput:
    """A piece of the passage itself."""
    given, chosen = call.arguments, Options(call, OPTIONS)
    found = await call.engine.kb.read_excerpt(
        asking_of(call),
        checked_id(given["passage_id"]),
        max_tokens=at_least(call, "max_tokens", caps.MIN_EXCERPT_TOKENS),
        start_char=at_least(call, "start_char", 0),
        format=Format(chosen.word("format", Format.TEXT)),
    )
    citation = chosen.flag("include_citation", default=True)
    return await rendered(call, lambda _: excerpt(found, citation=citation, tool="kb_read_excerpt"))


async def expand(call: ToolCall) -> ToolOutput:
    """The text around."""
    given = call.arguments
    found = await call.engine.kb.expand_excerpt(
        asking_of(call),
        checked_id(given["passage_id"]),
        before_tokens=at_least(call, "before_tokens", 0),
        after_tokens=at_least(call, "after_tokens", 0),
        start_char=given.get("start_char"),
    )
    return await rendered(call, lambda _: excerpt(found, citation=True, tool="kb_expand_excerpt"))


def checked_id(passage_id: str) -> str:
    """Raises InvalidArgumentError for what can be no id and no address."""
    if not passage_id.strip() or len(passage_id) > caps.MAX_PASSAGE_ID_CHARS:
        raise InvalidArgumentError("`passage_id` must name a passage.", hint="kb_search gives ids of passages.")
    return passage_id


READ_EXCERPT: Final = kb_tool(
    "kb.read_excerpt",
    "Read an excerpt",
    READ_DESCRIPTION,
    read,
    {
        "passage_id": TEXT,
        "max_tokens": number(caps.DEFAULT_EXCERPT_TOKENS, caps.MAX_EXCERPT_TOKENS),
        "start_char": {"type": "integer", "default": 0},
        "scope": SCOPE,
        "options": OPTIONS,
        "session_id": TEXT,
    },
    OUTPUT,
    "passage_id",
)

EXPAND_EXCERPT: Final = kb_tool(
    "kb.expand_excerpt",
    "Expand an excerpt",
    EXPAND_DESCRIPTION,
    expand,
    {
        "passage_id": TEXT,
        "before_tokens": number(caps.DEFAULT_AROUND_TOKENS, caps.MAX_EXCERPT_TOKENS),
        "after_tokens": number(caps.DEFAULT_AROUND_TOKENS, caps.MAX_EXCERPT_TOKENS),
        "start_char": {"type": "integer"},
        "scope": SCOPE,
        "session_id": TEXT,
    },
    OUTPUT,
    "passage_id",
)
