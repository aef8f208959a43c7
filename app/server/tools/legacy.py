"""Old names of tools, with their old parameters and defaults; callable, but only listed on demand."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from app import caps
from app.errors import InvalidArgumentError
from app.kb.records import SearchRequest
from app.server.calls.registry import ToolCall, ToolOutput, ToolSpec
from app.server.render.text import JsonObject
from app.server.tools.graph import EXPAND
from app.server.tools.kb.common import QUESTION, SESSION, at_least, kb_tool, number, words_of
from app.server.tools.kb.excerpts import EXPAND_EXCERPT, READ_EXCERPT
from app.server.tools.kb.search import MAX_PER_DOCUMENT, RESULT, found
from app.server.tools.schemas import FILTERS, FLAG, SCOPE, TEXT, arguments, narrowing_of
from app.text.sentence import sentence

DEBUG: Final = "debug"
SECTION: Final[JsonObject] = {"passage_id": TEXT, "section_id": TEXT}


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
        query=words_of(call, "query"),
        top_k=at_least(call, "top_k"),
        page_size=at_least(call, "top_k"),
        narrowing=narrowing_of(call),
        max_per_doc=MAX_PER_DOCUMENT,
    )
    return await found(call, request, scores=debug, debug=debug)


async def get_section_text(call: ToolCall) -> ToolOutput:
    return await READ_EXCERPT.handler(_with_passage(call))


async def expand_neighbors(call: ToolCall) -> ToolOutput:
    return await EXPAND_EXCERPT.handler(_with_passage(call))


async def traverse_relationships(call: ToolCall) -> ToolOutput:
    return await EXPAND.handler(call)


def _with_passage(call: ToolCall) -> ToolCall:
    """Return the call with its section under the current parameter name. Raises InvalidArgumentError."""
    passage_id = call.arguments.get("passage_id") or call.arguments.get("section_id")
    if not passage_id:
        raise InvalidArgumentError(
            sentence("{} is missing.", "`passage_id`"), hint="Pass a passage_id or section_id from a search."
        )
    return replace(call, arguments={**call.arguments, "passage_id": passage_id})


SEARCH_SECTIONS: Final = kb_tool(
    "search_sections",
    "Search sections",
    described(
        "search_sections",
        "kb_search",
        f"{caps.MAX_TOP_K} previews",
        f"Defaults: top_k={caps.DEFAULT_TOP_K}. Max: {caps.MAX_TOP_K}.",
    ),
    search_sections,
    {
        "query": QUESTION,
        "top_k": number(caps.DEFAULT_TOP_K, caps.MAX_TOP_K, "Results in all."),
        "include_debug": FLAG,
        "verbosity": TEXT,
        "scope": SCOPE,
        "filters": FILTERS,
        "session_id": SESSION,
    },
    RESULT,
    "query",
    listed=False,
)


def _like(model: ToolSpec, id_: str, title: str, new: str, returns: str, defaults: str) -> JsonObject:
    """Return the fields that an old excerpt tool takes from the current one."""
    properties = {**model.input_schema["properties"], **SECTION}
    return {
        "id": id_,
        "title": title,
        "description": described(id_, new, returns, defaults),
        "input_schema": arguments(properties),
        "listed": False,
    }


GET_SECTION_TEXT: Final = replace(
    READ_EXCERPT,
    handler=get_section_text,
    **_like(
        READ_EXCERPT,
        "get_section_text",
        "Section text",
        "kb_read_excerpt",
        f"{caps.MAX_EXCERPT_TOKENS} tokens",
        f"Defaults: {caps.DEFAULT_EXCERPT_TOKENS} tokens. Max: {caps.MAX_EXCERPT_TOKENS}.",
    ),
)

EXPAND_NEIGHBORS: Final = replace(
    EXPAND_EXCERPT,
    handler=expand_neighbors,
    **_like(
        EXPAND_EXCERPT,
        "expand_neighbors",
        "Text around a section",
        "kb_expand_excerpt",
        f"{caps.MAX_EXCERPT_TOKENS} tokens",
        f"Defaults: {caps.DEFAULT_AROUND_TOKENS} tokens before and after. Max: {caps.MAX_EXCERPT_TOKENS}.",
    ),
)

TRAVERSE_RELATIONSHIPS: Final = replace(
    EXPAND,
    id="traverse_relationships",
    title="Traverse relationships",
    description=described(
        "traverse_relationships",
        "graph_expand",
        f"{caps.MAX_GRAPH_PAGE} nodes",
        f"Defaults: {caps.DEFAULT_GRAPH_PAGE}. Max: {caps.MAX_GRAPH_PAGE}.",
    ),
    handler=traverse_relationships,
    listed=False,
)

LEGACY_TOOLS: Final = (SEARCH_SECTIONS, GET_SECTION_TEXT, EXPAND_NEIGHBORS, TRAVERSE_RELATIONSHIPS)
