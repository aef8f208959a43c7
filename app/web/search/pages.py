"""The results of several pages of one query as one answer."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from app import caps
from app.errors import SearchError
from app.web.search.records import JsonObject, Shape, WebAnswer, WebHit, items_of, with_items

AskPage = Callable[[int, int], Awaitable[JsonObject]]
"""Gives the page with this number, from 0 on, that holds at most so many results."""


@dataclass(frozen=True, slots=True)
class Paging:
    """How a provider pages. `has_more` sees a page and how many results it was asked for; `overlaps`: pages may repeat results."""

    shape: Shape
    size: int
    has_more: Callable[[JsonObject, int], bool]
    overlaps: bool = True


async def collected(ask: AskPage, paging: Paging, wanted: int, note: str = "") -> WebAnswer:
    """The first page's JSON with the results of as many pages as are needed for `wanted`.

    Raises the error of the first page; one of a later page is told in the note, beside what was found.
    """
    shape = paging.shape
    first = page = await ask(0, min(wanted, paging.size))
    items = items_of(first, shape)
    for number in range(1, caps.MAX_SEARCH_PAGES):
        asked = min(wanted - number * paging.size, paging.size) if not paging.overlaps else paging.size
        if len(items) >= wanted or asked <= 0 or not paging.has_more(page, paging.size):
            break
        try:
            page = await ask(number, asked)
        except SearchError as error:
            note = f"{note} Only {len(items)} of {wanted} results: {error.message}".strip()
            break
        fresh = _fresh(items_of(page, shape), items, shape) if paging.overlaps else items_of(page, shape)
        if not fresh:
            break
        items += fresh
    items = items[:wanted]
    whole = with_items(first, shape, items) if items else first
    return WebAnswer(_written(whole), tuple(_hit(item, shape) for item in items), shape, note)


def _fresh(items: list[JsonObject], known: list[JsonObject], shape: Shape) -> list[JsonObject]:
    seen = {str(item.get(shape.url)) for item in known}
    return [item for item in items if str(item.get(shape.url)) not in seen]


def _hit(item: JsonObject, shape: Shape) -> WebHit:
    return WebHit(_text(item.get(shape.title)), _text(item.get(shape.url)), _text(item.get(shape.snippet)))


def _text(value: Any) -> str:
    """Half characters, which JSON may hold, are no text."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def _written(answer: JsonObject) -> str:
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode("utf-8")
