"""Old names of tools, with their old parameters and defaults; callable, but only listed on demand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import SearchRequest
from app.server.calls.registry import ToolCall, ToolOutput, ToolSpec, normalised_name
from app.server.render.text import JsonObject
from app.server.tools.graph import EXPAND
from app.server.tools.kb.common import BRIEF, QUESTION, SESSION, number
from app.server.tools.kb.excerpts import EXPAND_EXCERPT, READ_EXCERPT
from app.server.tools.kb.search import KB_SEARCH, MAX_PER_DOCUMENT, found
from app.server.tools.schemas import FILTERS, FLAG, PASSAGE_ID, SCOPE, TEXT, arguments, narrowing_of
from app.text.sentence import sentence

DEBUG: Final = "debug"
SECTION: Final[JsonObject] = {"passage_id": PASSAGE_ID, "section_id": PASSAGE_ID}


def described(name: str, new: str, returns: str, defaults: str) -> str:
    """Return the description of an old name, with the tool to call instead."""
    return (
        f"Old name of {new} with its old parameters. Use when a program still calls {name}. Do not use when you can call {new}. "
        f"Returns at most {returns}. If you need more, call {new}. {defaults}"
    )


async def search_sections(call: ToolCall) -> ToolOutput:
    given = call.arguments
    debug = given.get("include_debug", False) or given.get("verbosity") == DEBUG
    request = SearchRequest(
        query=given["query"],
        top_k=given["top_k"],
        page_size=given["top_k"],
        narrowing=narrowing_of(call),
        max_per_doc=MAX_PER_DOCUMENT,
    )
    return await found(call, request, scores=debug, debug=debug)


def _old(model: ToolSpec, name: str, title: str, returns: str, defaults: str, **more: Any) -> ToolSpec:
    """Return the old form of a current tool; `more` are the fields that differ."""
    description = described(name, normalised_name(model.id), returns, defaults)
    return replace(model, id=name, title=title, description=description, listed=False, **more)


def _old_excerpt(model: ToolSpec, name: str, title: str, defaults: str) -> ToolSpec:
    """Return the same for an excerpt tool, whose calls may name a section."""

    async def by_section(call: ToolCall) -> ToolOutput:
        passage_id = call.arguments.get("passage_id") or call.arguments.get("section_id")
        if not passage_id:
            raise InvalidArgumentError(
                sentence("{} is missing.", "`passage_id`"), hint="Pass a passage_id or section_id from a search."
            )
        return await model.handler(replace(call, arguments={**call.arguments, "passage_id": passage_id}))

    return _old(
        model,
        name,
        title,
        f"{caps.MAX_EXCERPT_TOKENS} tokens",
        f"Defaults: {defaults}. Max: {caps.MAX_EXCERPT_TOKENS}.",
        handler=by_section,
        input_schema=arguments({**model.input_schema["properties"], **SECTION}),
    )


LEGACY_TOOLS: Final = (
    _old(
        KB_SEARCH,
        "search_sections",
        "Search sections",
        f"{caps.MAX_TOP_K} previews",
        f"Defaults: top_k={caps.DEFAULT_TOP_K}. Max: {caps.MAX_TOP_K}.",
        handler=search_sections,
        input_schema=arguments(
            {
                "query": QUESTION,
                "top_k": number(caps.DEFAULT_TOP_K, caps.MAX_TOP_K, "Results in all."),
                "include_debug": FLAG,
                "verbosity": TEXT,
                "scope": SCOPE,
                "filters": FILTERS,
                "session_id": SESSION,
            },
            "query",
        ),
        brief=BRIEF,
        asks_libraries=False,
    ),
    _old_excerpt(READ_EXCERPT, "get_section_text", "Section text", f"{caps.DEFAULT_EXCERPT_TOKENS} tokens"),
    _old_excerpt(
        EXPAND_EXCERPT,
        "expand_neighbors",
        "Text around a section",
        f"{caps.DEFAULT_AROUND_TOKENS} tokens before and after",
    ),
    _old(
        EXPAND,
        "traverse_relationships",
        "Traverse relationships",
        f"{caps.MAX_GRAPH_PAGE} nodes",
        f"Defaults: {caps.DEFAULT_GRAPH_PAGE}. Max: {caps.MAX_GRAPH_PAGE}.",
    ),
)
