"""What the graph tools share: the sentences on when to use them, their parameters, the scope, and the way to a result."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from app import caps
from app.corpus.graph.records import document_node
from app.corpus.records import Filter
from app.errors import InvalidArgumentError, PassageExpiredError
from app.kb.looking import filter_for
from app.retrieval.graph.records import Neighbourhood, PageAsked
from app.scratch.passage import ALIAS_SCHEME, SCHEME
from app.server.calls.limits import data_budget
from app.server.calls.registry import Family, Handler, Hints, ToolCall, ToolOutput, ToolSpec
from app.server.render.budget import Budget, CountTokens
from app.server.render.forms import JsonObject, Rendered
from app.server.render.graph import neighbourhood
from app.server.tools.scoping import scope_of

SENTENCES: Final = (
    "Use after `kb.search` to explore relationships between the top 1–3 candidates. "
    "Do not call if `graph_disabled=true` (use `kb.search`/`kb.retrieve_evidence` only). "
    "Do not fetch text until you have narrowed to ≤3 passages."
)
PAGED: Final = (
    f"Returns at most {caps.MAX_GRAPH_PAGE} nodes. If you need more, call with cursor. "
    f"Defaults: {caps.DEFAULT_GRAPH_PAGE}. Max: {caps.MAX_GRAPH_PAGE}."
)
NODES: Final[JsonObject] = {"type": "object", "required": ["nodes"]}
OUR_ADDRESSES: Final = (f"{SCHEME}://", f"{ALIAS_SCHEME}://")
IDS: Final[JsonObject] = {"type": "array", "items": {"type": "string"}}
SCOPED: Final[JsonObject] = {"scope": {"type": "object"}, "include_snippet": {"type": "boolean"}}
PAGES: Final[JsonObject] = {
    "page_size": {"type": "integer", "maximum": caps.MAX_GRAPH_PAGE},
    "cursor": {"type": "string"},
    **SCOPED,
}

Found = TypeVar("Found")


def graph_tool(
    id_: str, title: str, description: str, handler: Handler, properties: JsonObject, *required: str
) -> ToolSpec:
    """A tool that only reads the graph; `description` has a place for the shared sentences."""
    return ToolSpec(
        id=f"graph.{id_}",
        title=title,
        description=description,
        input_schema={
            "type": "object",
            "properties": properties,
            **({"required": list(required)} if required else {}),
            "additionalProperties": False,
        },
        output_schema=NODES,
        family=Family.DATA,
        hints=Hints(read_only=True, open_world=False),
        handler=handler,
    )


async def rendered(
    call: ToolCall, render: Callable[[Found, Budget, CountTokens], Rendered], found: Found
) -> ToolOutput:
    """Both forms of a result, made off the event loop."""
    result = await asyncio.to_thread(render, found, data_budget(call.budget), call.engine.count_tokens)
    return ToolOutput(result.text, result.structured, pages=result.pages)


async def page(call: ToolCall, found: Neighbourhood) -> ToolOutput:
    return await rendered(call, neighbourhood, found)


async def paging(call: ToolCall) -> PageAsked:
    """Which page of a walk is asked for. Raises InvalidArgumentError, and ScopeViolationError for another project."""
    given = call.arguments
    cursor = given.get("cursor")
    if cursor is not None and len(cursor) > caps.MAX_GRAPH_CURSOR_CHARS:
        raise InvalidArgumentError("The cursor is not of this call.", hint="Call again without it.")
    size = given.get("page_size", caps.DEFAULT_GRAPH_PAGE)
    return PageAsked(max(1, size), cursor, await scope_filter(call), with_snippets(call))


def with_snippets(call: ToolCall) -> bool:
    """Whether the beginning of each node's text is wanted."""
    return bool(call.arguments.get("include_snippet", False))


async def named(call: ToolCall, field: str) -> str:
    """The node of an argument. Raises InvalidArgumentError for a name that can be none."""
    return (await _resolved(call, [call.arguments[field]]))[0]


async def names(call: ToolCall, field: str, *, most: int) -> list[str]:
    """The nodes of a list, and that of its alias `node_id`. Raises InvalidArgumentError for none, too many, or too long ones."""
    given = call.arguments
    found = [*given.get(field, ()), *([given["node_id"]] if "node_id" in given else [])]
    if not found:
        raise InvalidArgumentError(
            f"`{field}` is missing.", hint="Name a node: an id, a section_id, a URL or an entity."
        )
    if len(found) > most:
        raise InvalidArgumentError(f"`{field}` may hold {most} entries; it has {len(found)}.")
    return await _resolved(call, found)


async def _resolved(call: ToolCall, given: Sequence[str]) -> list[str]:
    """The names as the graph knows them. Raises InvalidArgumentError for one that can be none."""
    if any(len(name) > caps.MAX_URL_CHARS or "\0" in name for name in given):
        raise InvalidArgumentError(f"A node is named by at most {caps.MAX_URL_CHARS:,} characters.")
    return await asyncio.to_thread(lambda: [_node_name(call, name.strip()) for name in given])


def _node_name(call: ToolCall, name: str) -> str:
    """Of a passage or page of ours that the caller may read, its section or document; everything else as it is."""
    keeper = call.engine.artifacts if name.startswith(OUR_ADDRESSES) else call.engine.scratch
    try:
        content = keeper.find(call.caller.owner, name).content
    except PassageExpiredError:
        return name
    document = str(document_node(content.document_id)) if content.document_id is not None else name
    return content.section_id or document


async def scope_filter(call: ToolCall) -> Filter:
    """What the scope of the call lets through. Raises ScopeViolationError for another project."""
    return await asyncio.to_thread(filter_for, call.engine.scratch, call.caller.owner, scope_of(call))
