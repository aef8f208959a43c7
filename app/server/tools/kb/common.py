"""Shared parts of the knowledge base tools: the caller, parameters, size of a result and common lines."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import Asking, Mode
from app.library.records import ALL, PRIVATE
from app.library.scope import Narrowing
from app.server.calls.limits import data_budget
from app.server.calls.registry import LIBRARY, Handler, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.text import Budget, CountTokens, JsonObject, Rendered
from app.server.tools.schemas import (
    TEXT,
    arguments,
    meaning,
    narrowing_of,
    option,
    query,
    record,
    scope_of,
    whole,
)
from app.text.page_text import one_line
from app.text.sentence import sentence

KB_EVIDENCE_TOKENS: Final = 900
"""Tokens of each form of an evidence result of the usual size, at four characters per token. Grows with the requested quotes."""

QUESTION: Final = query("Full sentence.")
SESSION: Final[JsonObject] = meaning(TEXT, "From an earlier result.")
BRIEF: Final[Mapping[str, JsonObject]] = {"scope": {"type": "object"}, "session_id": TEXT}
"""Listed schemas of parameters that `kb.retrieve_evidence` explains."""

MODE: Final[JsonObject] = option(Mode, "How to use the graph.")
DIGITS: Final = 2
HASH_CHARS: Final = 16
"""Characters shown of a document's hash: enough to distinguish texts. A verified quote has the whole hash."""

CHARS_PER_TOKEN: Final = 4
ADVICE: Final = "Try other words, or index a page first (answer, ingest)."

Fits = Callable[[str, JsonObject], bool]


def number(default: int, highest: int, description: str = "", lowest: int = 1) -> JsonObject:
    """Return the schema of a whole number with its default."""
    schema = whole(lowest, highest, default)
    return meaning(schema, description) if description else schema


def options(**properties: JsonObject) -> JsonObject:
    """Return the schema of the object with minor parameters."""
    return {"type": "object", "properties": properties, "additionalProperties": False}


def result(always: JsonObject, **sometimes: JsonObject) -> JsonObject:
    """Return the schema of a result: every result has a session and may have a note."""
    return record({**always, "session_id": TEXT}, **sometimes, note=TEXT)


def reading_tool(
    id_: str,
    title: str,
    description: str,
    handler: Handler,
    properties: JsonObject,
    output: JsonObject | None,
    *required: str,
    brief: Mapping[str, JsonObject] = BRIEF,
    **more: Any,
) -> ToolSpec:
    """Return a tool that only reads stored pages. `output`: its structured result; `brief`: parameters as listed; `more`: other fields."""
    return ToolSpec(
        id=id_,
        title=title,
        description=description,
        input_schema=arguments(properties, *required),
        output_schema=output,
        brief=brief,
        hints=Hints(read_only=True, open_world=False),
        handler=handler,
        notes_health=True,
        **more,
    )


def asking_of(call: ToolCall) -> Asking:
    """Return the caller with its session and scope. Raises InvalidArgumentError and ScopeViolationError."""
    return Asking(call.caller.owner, call.arguments.get("session_id"), scope_of(call))


def asking_beside(call: ToolCall, question: str, limit: int) -> Asking:
    """Return the same with the joined libraries of the call, which start searching now.

    Labels, tags and folders belong to one library, so a narrower scope means the private one. Raises InvalidArgumentError if the call
    names another library.
    """
    asking = asking_of(call)
    if call.library == PRIVATE:
        return asking
    scope = asking.scope
    if scope.doc_tags or scope.repositories or scope.is_session_only or narrowing_of(call) != Narrowing():
        if call.arguments.get(LIBRARY, ALL) not in (ALL, PRIVATE):
            raise InvalidArgumentError(
                sentence("{} and {} only work on the private library.", "`scope`", "`filters`"),
                hint="Leave them out, or `library`.",
            )
        return asking
    return replace(asking, shared=call.engine.ask_libraries(call.library, question, limit=limit))


def options_of(call: ToolCall) -> JsonObject:
    """Return the given `options` of a call; null counts as omitted."""
    return {name: value for name, value in call.arguments.get("options", {}).items() if value is not None}


async def rendered(call: ToolCall, render: Callable[[Fits], Rendered], *, characters: int | None = None) -> ToolOutput:
    """Return both forms of a result, rendered off the event loop within the budget and, if given, a number of characters."""
    fits = within(data_budget(call.budget), call.engine.count_tokens, characters)
    result = await asyncio.to_thread(render, fits)
    return ToolOutput(result.text, result.structured, result.pages, passages=result.passages, verdict=result.verdict)


def within(budget: Budget, count: CountTokens, characters: int | None = None) -> Fits:
    """Return a check that both forms are within the budget and, if given, a number of characters each."""

    def fits(text: str, structured: JsonObject) -> bool:
        as_json = json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
        if characters is not None and max(len(text), len(as_json)) > characters:
            return False
        return budget.holds(text, count) and budget.holds(as_json, count)

    return fits


def evidence_tokens(max_quotes: int, max_quote_tokens: int) -> int:
    """Return the maximum tokens of each form of an evidence result: the usual number, or more in proportion to the requested quotes."""
    usual = caps.DEFAULT_QUOTES * caps.DEFAULT_QUOTE_TOKENS
    return int(KB_EVIDENCE_TOKENS * max(1.0, max_quotes * max_quote_tokens / usual))


def note_lines(note: str) -> list[str]:
    return [f"Note: {one_line(note)}"] if note else []
