"""What web searches found: one compact list as text, and the providers' JSON cut to a budget."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from app import caps
from app.errors import WebRAGError
from app.server.render.budget import Budget, CountTokens, Room, clip
from app.server.render.errors import safe
from app.server.render.forms import JsonObject
from app.server.render.text import as_data, one_line, plural, title_of
from app.text.shield import instruction_flags
from app.web.search.records import QuerySearch, Shape, WebAnswer, WebHit, items_of, with_items

PAGEMAP: Final = "pagemap"
"""What Google adds to a result from the page's own markup: by far the largest part of it."""
QUERY_CHARS: Final = caps.MAX_SUB_QUERY_CHARS_SHOWN
_OVERHEAD: Final = 200
"""Bytes set aside for what stands around one query's result."""


@dataclass(frozen=True, slots=True)
class Shortened:
    """The results of all queries as JSON objects, in their order; `cut` has the places of those that are not complete."""

    results: tuple[JsonObject, ...]
    cut: frozenset[int]


def shortened(found: Sequence[QuerySearch], budget: Budget, count: CountTokens) -> Shortened:
    """The providers' JSON, complete if it fits the budget; else without page maps, else with titles, links and snippets only, and
    then as many of them as fit."""
    whole = [json.loads(each.answer.raw) if each.answer is not None else error_of(each.error) for each in found]
    said = (_json({"query": each.query, **remarks(each, raw)}) for each, raw in zip(found, whole, strict=True))
    around = "".join(said) + "_" * _OVERHEAD * len(found)
    if budget.holds(_json(whole) + around, count):
        return Shortened(tuple(whole), frozenset())
    for reduce in (_without_pagemap, _essential):
        reduced = [
            _with_items(raw, each.answer, reduce) if each.answer is not None else raw
            for raw, each in zip(whole, found, strict=True)
        ]
        if budget.holds(_json(reduced) + around, count):
            return Shortened(tuple(reduced), _changed(whole, reduced))
    filled = _filled(found, whole, budget, count)
    return Shortened(tuple(filled), _changed(whole, filled))


def error_of(error: WebRAGError | None) -> JsonObject:
    """The object that stands for the result of a query that failed."""
    code = error.code.value if error is not None else ""
    message = safe(error.message) if error is not None else ""
    hint = safe(error.hint) if error is not None else ""
    return {"error": {"code": code, "message": message, "hint": hint}}


def remarks(each: QuerySearch, result: JsonObject) -> JsonObject:
    """What is to be said beside one query's JSON: a note, and by rank which of its results address the assistant."""
    if each.answer is None:
        return {}
    shown = each.answer.hits[: len(items_of(result, each.answer.shape))]
    by_rank = {str(rank): list(flags) for rank, hit in enumerate(shown, start=1) if (flags := _flags(hit))}
    note = safe(each.answer.note)
    return {**({"note": note} if note else {}), **({"flags": by_rank} if by_rank else {})}


def search_text(found: Sequence[QuerySearch], complete: Mapping[int, str], budget: Budget, count: CountTokens) -> str:
    """The results of each query, ranked; `complete` has the address of the whole JSON by the query's place."""
    room = Room(budget, count)
    heads = [_head(each) for each in found]
    tails = [f"Complete JSON: {complete[place]}" if place in complete else "" for place in range(len(found))]
    entries = [_entries(each) for each in found]
    for part in (*heads, *tails, *(_omission(len(each)) for each in entries)):
        room.spend(part)
    taken = _dealt(entries, room)
    blocks: list[str] = []
    for head, all_entries, shown, tail in zip(heads, entries, taken, tails, strict=True):
        omitted = _omission(len(all_entries) - shown)
        blocks.append("\n".join(part for part in (head, *all_entries[:shown], omitted, tail) if part))
    return clip("\n\n".join(blocks), budget, count)


def _head(each: QuerySearch) -> str:
    query = f'"{one_line(as_data(each.query), QUERY_CHARS)}"'
    if each.answer is None:
        error = error_of(each.error)["error"]
        return f"{query}: {error['code']}: {error['message']} {error['hint']}".rstrip()
    note = f"\nNote: {safe(each.answer.note)}" if each.answer.note else ""
    return f"{query}: {plural(len(each.answer.hits), 'result')}{note}"


def _omission(count: int) -> str:
    return f"... ({plural(count, 'more result')} did not fit; ask for this query alone)" if count else ""


def _entries(each: QuerySearch) -> list[str]:
    hits = each.answer.hits if each.answer is not None else ()
    return [_entry(rank, hit) for rank, hit in enumerate(hits, start=1)]


def _entry(rank: int, hit: WebHit) -> str:
    flags = _flags(hit)
    mark = f" [flagged: {', '.join(flags)}]" if flags else ""
    snippet = as_data(one_line(hit.snippet, caps.MAX_SNIPPET_CHARS_SHOWN))
    link = one_line(hit.url, caps.MAX_URL_CHARS)
    return f"{rank}. {as_data(title_of(hit.title))} — {link}{mark}" + (f"\n   {snippet}" if snippet else "")


def _flags(hit: WebHit) -> tuple[str, ...]:
    return instruction_flags(f"{hit.title}\n{hit.snippet}")


def _dealt(entries: Sequence[Sequence[str]], room: Room) -> list[int]:
    """How many entries of each query fit when every query gets its best before any gets more."""
    taken = [0] * len(entries)
    for rank in zip_longest(*entries):
        for place, entry in enumerate(rank):
            if entry is None:
                continue
            if not room.take(entry):
                return taken
            taken[place] += 1
    return taken


def _filled(
    found: Sequence[QuerySearch], whole: Sequence[JsonObject], budget: Budget, count: CountTokens
) -> list[JsonObject]:
    """The best results of each query, with titles, links and snippets, as far as they fit; errors as they are."""
    room = Room(budget, count)
    items: list[list[JsonObject]] = []
    for each, raw in zip(found, whole, strict=True):
        room.spend(_json({"query": each.query, **remarks(each, {})}) + "_" * _OVERHEAD)
        items.append(_essential(items_of(raw, each.answer.shape), each.answer.shape) if each.answer is not None else [])
        if each.answer is None:
            room.spend(_json(raw))
    taken = _dealt([_written(each, its_items) for each, its_items in zip(found, items, strict=True)], room)
    return [
        with_items({}, each.answer.shape, items[place][: taken[place]]) if each.answer is not None else whole[place]
        for place, each in enumerate(found)
    ]


def _written(each: QuerySearch, items: Sequence[JsonObject]) -> list[str]:
    """The items as JSON, each with its flags, for their size."""
    hits = each.answer.hits if each.answer is not None else ()
    return [
        _json([item, rank, _flags(hit)]) for rank, (item, hit) in enumerate(zip(items, hits, strict=False), start=1)
    ]


def _with_items(
    raw: JsonObject, answer: WebAnswer, reduce: Callable[[list[JsonObject], Shape], list[JsonObject]]
) -> JsonObject:
    items = items_of(raw, answer.shape)
    return with_items(raw, answer.shape, reduce(items, answer.shape)) if items else raw


def _without_pagemap(items: list[JsonObject], _shape: Shape) -> list[JsonObject]:
    return [{name: value for name, value in item.items() if name != PAGEMAP} for item in items]


def _essential(items: list[JsonObject], shape: Shape) -> list[JsonObject]:
    """Title, link and snippet of each result, under the provider's own names."""
    limits = {
        shape.title: caps.MAX_TITLE_CHARS_SHOWN,
        shape.url: caps.MAX_URL_CHARS,
        shape.snippet: caps.MAX_SNIPPET_CHARS_SHOWN,
    }
    return [{name: str(item[name])[:limit] for name, limit in limits.items() if item.get(name)} for item in items]


def _changed(whole: Sequence[JsonObject], reduced: Sequence[JsonObject]) -> frozenset[int]:
    return frozenset(place for place, pair in enumerate(zip(whole, reduced, strict=True)) if pair[0] != pair[1])


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
