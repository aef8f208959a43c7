"""`web.search`: pages of the web for one or several queries, as the configured provider finds them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from app import caps
from app.errors import WebRAGError
from app.scratch.passage import Passage, PassageIn
from app.server.calls.limits import data_budget
from app.server.calls.registry import Family, Hints, Link, ToolCall, ToolOutput, ToolSpec
from app.server.render.text import one_line
from app.server.render.web.search import remarks, search_text, shortened
from app.server.tools import schemas
from app.web.search.records import QuerySearch

DESCRIPTION: Final = f"""\
Search the web.
Use when no URL is known.
Do not use when one is (answer, web_read_from_page) or pages are indexed (search, kb_retrieve_evidence).
Returns at most {caps.MAX_SEARCH_RESULTS} results a query: the provider's JSON; titles, links, snippets.
If you need more, call web_read_from_page or answer with a link.
Defaults: resultsPerQuery={caps.SEARCH_RESULTS}. Max: {caps.MAX_SEARCH_QUERIES} queries."""

JSON_TYPE: Final = "application/json"


async def handle(call: ToolCall) -> ToolOutput:
    """Each query has a result or an error; the call fails only if all of them did."""
    given = call.arguments
    queries = [given["query"]] if isinstance(given["query"], str) else given["query"]
    found = await call.engine.web_search(
        queries,
        results=given["resultsPerQuery"],
        region=given.get("region", ""),
        language=given.get("language", ""),
        safe_search=given.get("safeSearch", ""),
        seconds=call.seconds,
    )
    return await asyncio.to_thread(_output, call, found)


def _output(call: ToolCall, found: Sequence[QuerySearch]) -> ToolOutput:
    budget, count = data_budget(call.budget), call.engine.count_tokens
    short = shortened(found, budget, count)
    kept = {place: kept for place in sorted(short.cut) if (kept := _kept(call, found[place])) is not None}
    entries: list[dict[str, Any]] = []
    for place, (each, result) in enumerate(zip(found, short.results, strict=True)):
        cut = {"truncated": True} if place in short.cut else {}
        uri = {"scratch_uri": kept[place].uri} if place in kept else {}
        entries.append({"query": each.query, "result": result, **remarks(each, result), **cut, **uri})
    addresses = {place: passage.uri for place, passage in kept.items()}
    return ToolOutput(
        search_text(found, addresses, budget, count),
        {"queries": entries, **({"truncated": True} if short.cut else {})},
        links=tuple(_link(passage) for passage in kept.values())[: caps.MAX_LINKS_PER_RESULT],
    )


def _kept(call: ToolCall, each: QuerySearch) -> Passage | None:
    """The complete JSON as a passage of the caller's; None where it is too large to keep."""
    if each.answer is None:
        return None
    owner, scratch = call.caller.owner, call.engine.scratch
    title = f"Web search: {one_line(each.query, caps.MAX_SUB_QUERY_CHARS_SHOWN)}"
    content = PassageIn("", "", title, each.answer.raw, "", media_type=JSON_TYPE)
    try:
        return scratch.put(owner, scratch.session(owner), content)
    except WebRAGError:
        return None


def _link(passage: Passage) -> Link:
    return Link(passage.uri, passage.id, passage.content.title, passage.size_bytes, media_type=JSON_TYPE)


WEB_SEARCH: Final = ToolSpec(
    id="web.search",
    title="Search the web",
    description=DESCRIPTION,
    input_schema={
        "type": "object",
        "properties": {
            "query": schemas.one_or_more_queries(),
            "resultsPerQuery": {
                "type": "integer",
                "minimum": 1,
                "maximum": caps.MAX_SEARCH_RESULTS,
                "default": caps.SEARCH_RESULTS,
            },
            "region": {"type": "string", "description": "Country, e.g. us"},
            "language": {"type": "string"},
            "safeSearch": {"type": "string", "enum": ["off", "moderate", "strict"]},
        },
        "required": ["query"],
        "additionalProperties": False,
    },
    output_schema={
        "type": "object",
        "properties": {
            "queries": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"query": {"type": "string"}, "result": {"type": "object"}},
                },
            }
        },
        "required": ["queries"],
    },
    family=Family.DATA,
    hints=Hints(read_only=True, open_world=True),
    handler=handle,
)
