"""`web.search`: web pages for one or more queries from the configured provider, as text and as JSON cut to a budget."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app import caps
from app.errors import WebRAGError
from app.events import judged
from app.library.records import PassageIn
from app.scratch.passage import Passage
from app.serialise import read_json
from app.server.calls.limits import data_budget
from app.server.calls.registry import Hints, Link, ToolCall, ToolOutput, ToolSpec
from app.server.render.errors import safe
from app.server.render.text import (
    MAX_TITLE_CHARS_SHOWN,
    Budget,
    CountTokens,
    JsonObject,
    Room,
    clip,
    dealt,
    flagged,
    origin,
    plural,
    present,
)
from app.server.tools import schemas
from app.text.page_text import marked, one_line, quoted
from app.text.shield import instruction_flags
from app.web.search.records import QuerySearch, Shape, WebHit, items_of, with_items

MAX_SNIPPET_CHARS_SHOWN: Final = 400

JSON_TYPE: Final = "application/json"
PAGEMAP: Final = "pagemap"  # Google's addition from the markup of the page: by far the largest part of a result.
QUERY_CHARS: Final = caps.MAX_SUB_QUERY_CHARS_SHOWN
_OVERHEAD: Final = 200  # Bytes reserved for the fields around one query's result.


async def handle(call: ToolCall) -> ToolOutput:
    """Return a result or an error for each query; the call fails only if all of them failed."""
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
    addresses = {place: passage.uri for place, passage in kept.items()}
    entries: list[dict[str, Any]] = []
    for place, (each, result) in enumerate(zip(found, short.results, strict=True)):
        about = present(truncated=place in short.cut, scratch_uri=addresses.get(place))
        entries.append({"query": each.query, "result": result, **remarks(each, result), **about})
    return ToolOutput(
        search_text(found, addresses, budget, count),
        {"queries": entries, **present(truncated=bool(short.cut))},
        links=tuple(
            Link(passage.uri, passage.id, passage.content.title, passage.size_bytes, media_type=JSON_TYPE)
            for passage in kept.values()
        )[: caps.MAX_LINKS_PER_RESULT],
        verdict=judged(any(each.answer is not None and each.answer.hits for each in found)),
    )


def _kept(call: ToolCall, each: QuerySearch) -> Passage | None:
    """Save the complete JSON as a passage of the caller, or return None if it is too large."""
    if each.answer is None:
        return None
    owner, scratch = call.caller.owner, call.engine.scratch
    title = f"Web search: {one_line(each.query, caps.MAX_SUB_QUERY_CHARS_SHOWN)}"
    content = PassageIn("", "", title, each.answer.raw, "", media_type=JSON_TYPE)
    try:
        return scratch.put(owner, scratch.session(owner), content)
    except WebRAGError:
        return None


WEB_SEARCH: Final = ToolSpec(
    id="web.search",
    title="Search the web",
    description=f"""\
Search the web.
Use when you have no URL.
Do not use when you have one (answer, web_read_from_page) or pages are indexed (search).
Returns at most {caps.MAX_SEARCH_RESULTS} results per query: titles, links, snippets.
If you need more, call web_read_from_page or answer with a link.
Defaults: resultsPerQuery={caps.SEARCH_RESULTS}. Max: {caps.MAX_SEARCH_QUERIES} queries.""",
    input_schema=schemas.arguments(
        {
            "query": schemas.ONE_OR_MORE_QUERIES,
            "resultsPerQuery": schemas.whole(1, caps.MAX_SEARCH_RESULTS, caps.SEARCH_RESULTS),
            "region": schemas.meaning(schemas.TEXT, "Country, e.g. us"),
            "language": schemas.TEXT,
            "safeSearch": {"type": "string", "enum": ["off", "moderate", "strict"]},
        },
        "query",
    ),
    output_schema=schemas.record(
        {
            "queries": schemas.listing(
                {"type": "object", "properties": {"query": schemas.TEXT, "result": {"type": "object"}}}
            )
        }
    ),
    hints=Hints(read_only=True, open_world=True),
    handler=handle,
)


@dataclass(frozen=True, slots=True)
class Shortened:
    """The results of all queries as JSON objects, in order; `cut` has the positions of incomplete ones."""

    results: tuple[JsonObject, ...]
    cut: frozenset[int]


def shortened(found: Sequence[QuerySearch], budget: Budget, count: CountTokens) -> Shortened:
    """Return the providers' JSON: complete, without page maps, with titles, links and snippets only, or as many of these as fit."""
    whole = [read_json(each.answer.raw) if each.answer is not None else error_of(each.error) for each in found]
    said = (_json({"query": each.query, **remarks(each, raw)}) for each, raw in zip(found, whole, strict=True))
    around = "".join(said) + "_" * _OVERHEAD * len(found)
    if budget.holds(_json(whole) + around, count):
        return Shortened(tuple(whole), frozenset())
    for reduce in (_without_pagemap, _essential):
        reduced = [
            with_items(raw, each.answer.shape, reduce(items, each.answer.shape))
            if each.answer is not None and (items := items_of(raw, each.answer.shape))
            else raw
            for raw, each in zip(whole, found, strict=True)
        ]
        if budget.holds(_json(reduced) + around, count):
            return Shortened(tuple(reduced), _changed(whole, reduced))
    filled = _filled(found, whole, budget, count)
    return Shortened(tuple(filled), _changed(whole, filled))


def error_of(error: WebRAGError | None) -> JsonObject:
    if error is None:
        return {"error": {"code": "", "message": "", "hint": ""}}
    return {"error": {"code": error.code.value, "message": safe(error.message), "hint": safe(error.hint)}}


def remarks(each: QuerySearch, result: JsonObject) -> JsonObject:
    """Return the fields next to one query's JSON: a note, and by rank the results that address the assistant."""
    if each.answer is None:
        return {}
    shown = each.answer.hits[: len(items_of(result, each.answer.shape))]
    by_rank = {str(rank): list(flags) for rank, hit in enumerate(shown, start=1) if (flags := _flags(hit))}
    return present(note=safe(each.answer.note), flags=by_rank)


def search_text(found: Sequence[QuerySearch], complete: Mapping[int, str], budget: Budget, count: CountTokens) -> str:
    """Return the ranked results of each query; `complete` has the address of the whole JSON by the query's position."""
    heads = [_head(each) for each in found]
    tails = [f"Complete JSON: {complete[place]}" if place in complete else "" for place in range(len(found))]
    entries = [_entries(each) for each in found]
    room = Room(budget, count, *heads, *tails, *(_omission(len(each)) for each in entries))
    taken = dealt(entries, lambda entry, _: room.take(entry))
    blocks: list[str] = []
    for head, all_entries, shown, tail in zip(heads, entries, taken, tails, strict=True):
        omitted = _omission(len(all_entries) - shown)
        blocks.append("\n".join(part for part in (head, *all_entries[:shown], omitted, tail) if part))
    return clip("\n\n".join(blocks), budget, count)


def _head(each: QuerySearch) -> str:
    query = quoted(each.query, QUERY_CHARS)
    if each.answer is None:
        error = error_of(each.error)["error"]
        return f"{query}: {error['code']}: {error['message']} {error['hint']}".rstrip()
    note = f"\nNote: {safe(each.answer.note)}" if each.answer.note else ""
    return f"{query}: {plural(len(each.answer.hits), 'result')}{note}"


def _omission(count: int) -> str:
    return f"... ({plural(count, 'more result')} did not fit; ask for this query alone)" if count else ""


def _entries(each: QuerySearch) -> list[str]:
    hits = each.answer.hits if each.answer is not None else ()
    found: list[str] = []
    for rank, hit in enumerate(hits, start=1):
        head = f"{rank}. {origin(hit.title, hit.url[: caps.MAX_URL_CHARS])}{flagged(_flags(hit))}"
        snippet = one_line(hit.snippet, MAX_SNIPPET_CHARS_SHOWN)
        found.append(f"{head}\n{marked(snippet)}" if snippet else head)
    return found


def _flags(hit: WebHit) -> tuple[str, ...]:
    return instruction_flags(f"{hit.title}\n{hit.snippet}")


def _filled(
    found: Sequence[QuerySearch], whole: Sequence[JsonObject], budget: Budget, count: CountTokens
) -> list[JsonObject]:
    """Return the best results of each query that fit, with titles, links and snippets; errors stay unchanged."""
    room = Room(budget, count)
    items: list[list[JsonObject]] = []
    sizes: list[list[str]] = []  # The items as JSON with their flags, to measure them.
    for each, raw in zip(found, whole, strict=True):
        room.spend(_json({"query": each.query, **remarks(each, {})}) + "_" * _OVERHEAD)
        if each.answer is None:
            room.spend(_json(raw))
            items.append([])
            sizes.append([])
            continue
        items.append(_essential(items_of(raw, each.answer.shape), each.answer.shape))
        pairs = enumerate(zip(items[-1], each.answer.hits, strict=False), start=1)
        sizes.append([_json([item, rank, _flags(hit)]) for rank, (item, hit) in pairs])
    taken = dealt(sizes, lambda size, _: room.take(size))
    return [
        with_items({}, each.answer.shape, items[place][: taken[place]]) if each.answer is not None else whole[place]
        for place, each in enumerate(found)
    ]


def _without_pagemap(items: list[JsonObject], _shape: Shape) -> list[JsonObject]:
    return [{name: value for name, value in item.items() if name != PAGEMAP} for item in items]


def _essential(items: list[JsonObject], shape: Shape) -> list[JsonObject]:
    """Return title, link and snippet of each result, under the provider's own names."""
    limits = {shape.title: MAX_TITLE_CHARS_SHOWN, shape.url: caps.MAX_URL_CHARS, shape.snippet: MAX_SNIPPET_CHARS_SHOWN}
    return [{name: str(item[name])[:limit] for name, limit in limits.items() if item.get(name)} for item in items]


def _changed(whole: Sequence[JsonObject], reduced: Sequence[JsonObject]) -> frozenset[int]:
    return frozenset(place for place, pair in enumerate(zip(whole, reduced, strict=True)) if pair[0] != pair[1])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
