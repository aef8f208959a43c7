"""`graph.parents`, `graph.children`, `graph.entities_for_sections` and `graph.sections_for_entities`."""

from __future__ import annotations

from typing import Final

from app import caps
from app.server.calls.registry import ToolCall, ToolOutput
from app.server.tools.graph.parts import IDS, PAGED, PAGES, SENTENCES, graph_tool, named, names, page, paging

NODE: Final = {"node_id": {"type": "string"}, **PAGES}


async def parents(call: ToolCall) -> ToolOutput:
    """What a node stands in."""
    found = await call.engine.graph.parents(await named(call, "node_id"), await paging(call))
    return await page(call, found)


async def children(call: ToolCall) -> ToolOutput:
    """What stands in a node."""
    found = await call.engine.graph.children(await named(call, "node_id"), await paging(call))
    return await page(call, found)


async def entities_for_sections(call: ToolCall) -> ToolOutput:
    """What sections name."""
    found = await names(call, "section_ids", most=caps.MAX_GRAPH_NODES)
    return await page(call, await call.engine.graph.entities_for_sections(found, await paging(call)))


async def sections_for_entities(call: ToolCall) -> ToolOutput:
    """Where entities are named."""
    found = await names(call, "entity_ids", most=caps.MAX_GRAPH_NODES)
    return await page(call, await call.engine.graph.sections_for_entities(found, await paging(call)))


PARENTS: Final = graph_tool(
    "parents",
    "Parents",
    "What a section stands in, links to a page, names an entity. "
    f"Use when a hit lacks context. Do not use when text is needed (kb_expand_excerpt). {SENTENCES} {PAGED}",
    parents,
    NODE,
    "node_id",
)

CHILDREN: Final = graph_tool(
    "children",
    "Children",
    "Subsections of a page or section, members of an API. "
    f"Use when browsing. Do not use when searching (kb_search). {SENTENCES} {PAGED}",
    children,
    NODE,
    "node_id",
)

ENTITIES_FOR_SECTIONS: Final = graph_tool(
    "entities_for_sections",
    "Entities",
    "What sections name. Use when a hit's terms matter. "
    f"Do not use when the term is known (graph_sections_for_entities). {SENTENCES} {PAGED}",
    entities_for_sections,
    {"section_ids": IDS, **PAGES},
    "section_ids",
)

SECTIONS_FOR_ENTITIES: Final = graph_tool(
    "sections_for_entities",
    "Sections",
    "Sections that define or name entities. Use when a term needs its places. "
    f"Do not use when asking (kb_retrieve_evidence). {SENTENCES} {PAGED}",
    sections_for_entities,
    {"entity_ids": IDS, **PAGES},
    "entity_ids",
)
