"""The graph tools: `graph.describe`, `expand`, `paths`, `parents`, `children`, `entities_for_sections`, `sections_for_entities`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from app import caps
from app.errors import InvalidArgumentError, PassageExpiredError
from app.kb.access import filter_for
from app.library.graph_records import Cut, Direction, EdgeType, Neighbourhood, NodeKind, PageAsked, document_node
from app.library.scope import Filter
from app.scratch.passage import OWN_ADDRESSES
from app.server.calls.limits import data_budget
from app.server.calls.registry import Handler, ToolCall, ToolOutput, ToolSpec
from app.server.render.graph import description, neighbourhood, paths
from app.server.render.text import Budget, CountTokens, JsonObject, Rendered
from app.server.tools.kb.common import reading_tool
from app.server.tools.schemas import (
    FLAG,
    NUMBER,
    SCOPE,
    TEXT,
    TEXTS,
    WHOLE,
    choice,
    listing,
    meaning,
    optional,
    record,
    scope_of,
    whole,
)
from app.text.sentence import sentence

MAX_GRAPH_NODES: Final = 25  # Maximum nodes in a call that handles each of them separately.

SENTENCES: Final = (
    "Use after `kb.search` to explore relationships between the top 1–3 candidates. "
    "Do not call if `graph_disabled=true` (use `kb.search`/`kb.retrieve_evidence` only). "
    "Do not fetch text until you have narrowed to ≤3 passages."
)

PAGED: Final = (
    f"Returns at most {caps.MAX_GRAPH_PAGE} nodes. If you need more, call with cursor. "
    f"Defaults: {caps.DEFAULT_GRAPH_PAGE}. Max: {caps.MAX_GRAPH_PAGE}."
)

NODE: Final = record(
    {"id": TEXT, "kind": choice(NodeKind), **dict.fromkeys(("title", "doc_tag", "uri"), TEXT), "degree": WHOLE},
    degree_capped=FLAG,
    hop=WHOLE,
    snippet=TEXT,
    flags=TEXTS,
)

EDGE: Final = record({"src": TEXT, "dst": TEXT, "type": choice(EdgeType), "weight": NUMBER}, words=TEXT)
LIMITS: Final[JsonObject] = {"partial": FLAG, "limit_reason": choice(Cut)}

NEIGHBOURHOOD: Final = record(
    {
        **dict.fromkeys(("starts", "nodes"), listing(NODE)),
        "edges": listing(EDGE),
        "total": WHOLE,
        "next_cursor": optional(TEXT),
        **LIMITS,
    },
    total_capped=FLAG,
    not_found=TEXTS,
    waiting=WHOLE,
    note=TEXT,
)

WAYS: Final = record(
    {
        "nodes": listing(NODE),
        "paths": listing(record({"nodes": TEXTS, "edges": listing(EDGE), "weight": NUMBER, "explanation": TEXT})),
        **LIMITS,
    },
    left_out=WHOLE,
    waiting=WHOLE,
    note=TEXT,
)

DESCRIPTION: Final = record(
    {"nodes": listing(NODE), "graph_disabled": FLAG},
    **LIMITS,
    left_out=WHOLE,
    not_found=TEXTS,
    counts=record(
        {
            "nodes": record(dict.fromkeys(NodeKind, WHOLE)),
            "symbols": WHOLE,
            "terms": WHOLE,
            "edges": record({}, **dict.fromkeys(EdgeType, WHOLE)),
        }
    ),
    waiting=WHOLE,
    note=TEXT,
)

SCOPED: Final[JsonObject] = {"scope": SCOPE, "include_snippet": meaning(FLAG, "With first words.")}

PAGES: Final[JsonObject] = {
    "page_size": meaning(whole(1, caps.MAX_GRAPH_PAGE), "Nodes per call."),
    "cursor": meaning(TEXT, "From next_cursor."),
    **SCOPED,
}

HOPS: Final = meaning(whole(1, caps.MAX_GRAPH_HOPS), "How far.")
START: Final = {"node_id": meaning(TEXT, "Id, URL or name."), **PAGES}

Found = TypeVar("Found")


async def describe(call: ToolCall) -> ToolOutput:
    asked = await names(call, "node_ids", most=MAX_GRAPH_NODES) if call.arguments.get("node_ids") else []
    found = await call.engine.graph.describe(
        asked, filter=await scope_filter(call), snippets=call.arguments.get("include_snippet", False)
    )
    return await rendered(call, description, found)


async def expand(call: ToolCall) -> ToolOutput:
    given = call.arguments
    starts = await names(call, "start_ids", most=caps.MAX_GRAPH_STARTS)
    types = frozenset(map(EdgeType, given.get("rel_types") or EdgeType))
    direction = Direction(given.get("direction", Direction.BOTH))
    found = await call.engine.graph.expand(
        starts, types=types, direction=direction, max_hops=given.get("max_hops", 1), asked=await paging(call)
    )
    return await page(call, found)


async def find_paths(call: ToolCall) -> ToolOutput:
    found = await call.engine.graph.paths(
        await named(call, "from_id"),
        await named(call, "to_id"),
        max_hops=call.arguments.get("max_hops", caps.MAX_GRAPH_HOPS),
        max_paths=call.arguments.get("max_paths", caps.DEFAULT_GRAPH_PATHS),
        filter=await scope_filter(call),
        snippets=call.arguments.get("include_snippet", False),
    )
    return await rendered(call, paths, found)


async def parents(call: ToolCall) -> ToolOutput:
    return await page(call, await call.engine.graph.parents(await named(call, "node_id"), await paging(call)))


async def children(call: ToolCall) -> ToolOutput:
    return await page(call, await call.engine.graph.children(await named(call, "node_id"), await paging(call)))


async def entities_for_sections(call: ToolCall) -> ToolOutput:
    found = await names(call, "section_ids", most=MAX_GRAPH_NODES)
    return await page(call, await call.engine.graph.entities_for_sections(found, await paging(call)))


async def sections_for_entities(call: ToolCall) -> ToolOutput:
    found = await names(call, "entity_ids", most=MAX_GRAPH_NODES)
    return await page(call, await call.engine.graph.sections_for_entities(found, await paging(call)))


def graph_tool(
    id_: str,
    title: str,
    description: str,
    handler: Handler,
    properties: JsonObject,
    *required: str,
    output: JsonObject = NEIGHBOURHOOD,
) -> ToolSpec:
    """Return a tool that only reads the graph. Shared parameters are described only in `graph.expand`."""
    shared: dict[str, JsonObject] = {"scope": {"type": "object"}}
    if id_ != "expand":
        shared["include_snippet"] = FLAG
    return reading_tool(f"graph.{id_}", title, description, handler, properties, output, *required, brief=shared)


async def rendered(
    call: ToolCall, render: Callable[[Found, Budget, CountTokens], Rendered], found: Found
) -> ToolOutput:
    """Return both forms of a result, rendered off the event loop."""
    result = await asyncio.to_thread(render, found, data_budget(call.budget), call.engine.count_tokens)
    return ToolOutput(result.text, result.structured, pages=result.pages, verdict=result.verdict)


async def page(call: ToolCall, found: Neighbourhood) -> ToolOutput:
    return await rendered(call, neighbourhood, found)


async def paging(call: ToolCall) -> PageAsked:
    """Return the requested page of a walk. Raises ScopeViolationError for another project."""
    size, cursor = call.arguments.get("page_size", caps.DEFAULT_GRAPH_PAGE), call.arguments.get("cursor")
    return PageAsked(size, cursor, await scope_filter(call), call.arguments.get("include_snippet", False))


async def named(call: ToolCall, field: str) -> str:
    """Return the node in an argument. Raises InvalidArgumentError for an impossible name."""
    return (await _resolved(call, [call.arguments[field]]))[0]


async def names(call: ToolCall, field: str, *, most: int) -> list[str]:
    """Return the nodes in a list and in its alias `node_id`. Raises InvalidArgumentError for none, too many, or too long ones."""
    given = call.arguments
    found = [*given.get(field, ()), *([given["node_id"]] if "node_id" in given else [])]
    if not found:
        raise InvalidArgumentError(
            sentence("{} is missing.", f"`{field}`"), hint="Pass an id, a section_id, a URL or an entity."
        )
    if len(found) > most:
        raise InvalidArgumentError(sentence("{} has {} entries; the maximum is {}.", f"`{field}`", len(found), most))
    return await _resolved(call, found)


async def _resolved(call: ToolCall, given: Sequence[str]) -> list[str]:
    """Return the names as the graph knows them. Raises InvalidArgumentError for an impossible one."""
    if any(len(name) > caps.MAX_URL_CHARS or "\0" in name for name in given):
        raise InvalidArgumentError(
            sentence("The name of a node can have at most {} characters.", f"{caps.MAX_URL_CHARS:,}")
        )
    call.engine.check_here(
        given, "The graph covers only the private library; for this page use kb_retrieve_evidence or search."
    )
    return await asyncio.to_thread(lambda: [_node_name(call, name.strip()) for name in given])


def _node_name(call: ToolCall, name: str) -> str:
    """Return the section or document of a passage or page that the caller may read; other names stay unchanged."""
    resolver = call.engine.artifacts if name.startswith(OWN_ADDRESSES) else call.engine.scratch
    try:
        content = resolver.find(call.caller.owner, name).content
    except PassageExpiredError:
        return name
    document = str(document_node(content.document_id)) if content.document_id is not None else name
    return content.section_id or document


async def scope_filter(call: ToolCall) -> Filter:
    """Return the filter for the scope of the call. Raises ScopeViolationError for another project."""
    return await asyncio.to_thread(filter_for, call.engine.scratch, call.caller.owner, scope_of(call))


PARENTS: Final = graph_tool(
    "parents",
    "Parents",
    "Nodes that contain a section, link to a page or mention an entity. "
    f"Use when a result lacks context. Do not use when you need text (kb_expand_excerpt). {SENTENCES} {PAGED}",
    parents,
    START,
    "node_id",
)

CHILDREN: Final = graph_tool(
    "children",
    "Children",
    "Subsections of a page or section, members of an API. "
    f"Use when browsing. Do not use when searching (kb_search). {SENTENCES} {PAGED}",
    children,
    START,
    "node_id",
)

ENTITIES_FOR_SECTIONS: Final = graph_tool(
    "entities_for_sections",
    "Entities",
    "Entities that sections mention. Use when a result's terms matter. "
    f"Do not use when you know the term (graph_sections_for_entities). {SENTENCES} {PAGED}",
    entities_for_sections,
    {"section_ids": meaning(TEXTS, "Ids or URLs."), **PAGES},
    "section_ids",
)

SECTIONS_FOR_ENTITIES: Final = graph_tool(
    "sections_for_entities",
    "Sections",
    "Sections that define or mention entities. Use when you need a term's sections. "
    f"Do not use when asking (kb_retrieve_evidence). {SENTENCES} {PAGED}",
    sections_for_entities,
    {"entity_ids": meaning(TEXTS, "Ids or names."), **PAGES},
    "entity_ids",
)


DESCRIBE: Final = graph_tool(
    "describe",
    "Describe",
    "Titles of nodes (d12, s12.3, e345, a result's section_id or passage_id, URL, name); without ids, the graph's size. "
    "Use when an id is not enough. Do not use when you want neighbors (graph_expand). "
    f"{SENTENCES} Returns at most {MAX_GRAPH_NODES} nodes. If you need more, call again. "
    f"Defaults: none. Max: {MAX_GRAPH_NODES}.",
    describe,
    {"node_ids": meaning(TEXTS, "Ids, URLs, names."), **SCOPED},
    output=DESCRIPTION,
)

EXPAND: Final = graph_tool(
    "expand",
    "Expand",
    "Neighbors of nodes (named as in graph_describe). Use when others explain a result's terms. "
    f"Do not use when both ends are known (graph_paths). {SENTENCES} "
    f"Returns at most {caps.MAX_GRAPH_PAGE} nodes. If you need more, call with cursor. "
    f"Defaults: {caps.DEFAULT_GRAPH_PAGE}, both, 1 hop. Max: {caps.MAX_GRAPH_PAGE}, {caps.MAX_GRAPH_STARTS} ids.",
    expand,
    {
        "start_ids": meaning(TEXTS, "Ids, URLs, names."),
        "node_id": meaning(TEXT, "One start."),
        "rel_types": {"type": "array", "items": choice(EdgeType), "description": "Only these edges."},
        "direction": meaning(choice(Direction), "Edge direction."),
        "max_hops": HOPS,
        **PAGES,
    },
)

PATHS: Final = graph_tool(
    "paths",
    "Paths",
    "How two nodes are connected, explained. Use when two results may be related. "
    f"Do not use when one end is unknown (graph_expand). {SENTENCES} Returns at most {caps.MAX_GRAPH_PATHS} paths. "
    f"If you need more, call for other nodes. Defaults: {caps.DEFAULT_GRAPH_PATHS}, {caps.MAX_GRAPH_HOPS} hops. "
    f"Max: {caps.MAX_GRAPH_PATHS}, {caps.MAX_GRAPH_HOPS}.",
    find_paths,
    {
        "from_id": meaning(TEXT, "Id, URL or name."),
        "to_id": meaning(TEXT, "Id, URL or name."),
        "max_hops": HOPS,
        "max_paths": meaning(whole(1, caps.MAX_GRAPH_PATHS), "How many."),
        **SCOPED,
    },
    "from_id",
    "to_id",
    output=WAYS,
)

GRAPH_TOOLS: Final = (DESCRIBE, EXPAND, PATHS, PARENTS, CHILDREN, ENTITIES_FOR_SECTIONS, SECTIONS_FOR_ENTITIES)
