"""`graph.describe`, `graph.expand` and `graph.paths`."""

from __future__ import annotations

from typing import Final

from app import caps
from app.corpus.graph.records import Direction, EdgeType
from app.corpus.graph.view import ALL_TYPES
from app.errors import InvalidArgumentError
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.render.graph import description, paths
from app.server.tools.graph.parts import (
    IDS,
    PAGES,
    SCOPED,
    SENTENCES,
    graph_tool,
    named,
    names,
    page,
    paging,
    rendered,
    scope_filter,
    with_snippets,
)

TEXT: Final = {"type": "string"}


async def describe(call: ToolCall) -> ToolOutput:
    """The nodes named; without any, how large the graph is."""
    asked = await names(call, "node_ids", most=caps.MAX_GRAPH_NODES) if call.arguments.get("node_ids") else []
    found = await call.engine.graph.describe(asked, filter=await scope_filter(call), snippets=with_snippets(call))
    return await rendered(call, description, found)


async def expand(call: ToolCall) -> ToolOutput:
    """Neighbours within one or two hops."""
    given = call.arguments
    starts = await names(call, "start_ids", most=caps.MAX_GRAPH_STARTS)
    types, direction = _types(given.get("rel_types", [])), Direction(given.get("direction", Direction.BOTH))
    found = await call.engine.graph.expand(
        starts, types=types, direction=direction, max_hops=given.get("max_hops", 1), asked=await paging(call)
    )
    return await page(call, found)


async def find_paths(call: ToolCall) -> ToolOutput:
    """The best ways from one node to another."""
    given = call.arguments
    found = await call.engine.graph.paths(
        await named(call, "from_id"),
        await named(call, "to_id"),
        max_hops=given.get("max_hops", caps.MAX_GRAPH_HOPS),
        max_paths=max(1, given.get("max_paths", caps.DEFAULT_GRAPH_PATHS)),
        filter=await scope_filter(call),
        snippets=with_snippets(call),
    )
    return await rendered(call, paths, found)


def _types(given: list[str]) -> frozenset[EdgeType]:
    """The types named, all if none are. Raises InvalidArgumentError."""
    unknown = sorted(set(given) - set(EdgeType))
    if unknown:
        raise InvalidArgumentError(
            f"`rel_types` may hold {', '.join(EdgeType)}; not {unknown[0][: caps.MAX_ARGUMENT_CHARS_SHOWN]!r}."
        )
    return frozenset(map(EdgeType, given)) or ALL_TYPES


DESCRIBE: Final = graph_tool(
    "describe",
    "Describe",
    "Titles of nodes (d12, s12.3, e345, section_id or passage_id of a hit, URL, entity name); without ids the graph's size. "
    "Use when an id says little. Do not use when you want neighbours (graph_expand). "
    f"{SENTENCES} Returns at most {caps.MAX_GRAPH_NODES} nodes. If you need more, call again. "
    f"Defaults: none. Max: {caps.MAX_GRAPH_NODES}.",
    describe,
    {"node_ids": IDS, **SCOPED},
)

EXPAND: Final = graph_tool(
    "expand",
    "Expand",
    "Neighbours of nodes (named as in graph_describe). Use when a hit names what others explain. "
    f"Do not use when both ends are known (graph_paths). {SENTENCES} "
    f"Returns at most {caps.MAX_GRAPH_PAGE} nodes. If you need more, call with cursor. "
    f"Defaults: {caps.DEFAULT_GRAPH_PAGE}, both, 1 hop. Max: {caps.MAX_GRAPH_PAGE}, {caps.MAX_GRAPH_STARTS} ids. "
    f"rel_types: {' '.join(EdgeType)}",
    expand,
    {
        "start_ids": IDS,
        "node_id": TEXT,
        "rel_types": IDS,
        "direction": {"type": "string", "enum": list(Direction)},
        "max_hops": {"type": "integer", "maximum": caps.MAX_GRAPH_HOPS},
        **PAGES,
    },
)

PATHS: Final = graph_tool(
    "paths",
    "Paths",
    "How two nodes hang together, explained. Use when two hits may be related. "
    f"Do not use when one end is unknown (graph_expand). {SENTENCES} Returns at most {caps.MAX_GRAPH_PATHS} paths. "
    f"If you need more, call for other nodes. Defaults: {caps.DEFAULT_GRAPH_PATHS}, {caps.MAX_GRAPH_HOPS} hops. "
    f"Max: {caps.MAX_GRAPH_PATHS}, {caps.MAX_GRAPH_HOPS}.",
    find_paths,
    {
        "from_id": TEXT,
        "to_id": TEXT,
        "max_hops": {"type": "integer", "maximum": caps.MAX_GRAPH_HOPS},
        "max_paths": {"type": "integer", "maximum": caps.MAX_GRAPH_PATHS},
        **SCOPED,
    },
    "from_id",
    "to_id",
)
