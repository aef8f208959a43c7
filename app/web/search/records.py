"""Queries and results of search providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from app import caps
from app.errors import WebRAGError

JsonObject = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WebQuery:
    """One query. `region` is a two-letter country, `language` a code such as "en" or "pt-BR", both empty for any.

    `safe_search` is "off", "moderate" or "strict".
    """

    text: str
    results: int = caps.SEARCH_RESULTS
    region: str = ""
    language: str = ""
    safe_search: str = "off"


@dataclass(frozen=True, slots=True)
class WebHit:
    """A found page, in the provider's words."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Shape:
    """The path to the results in a provider's JSON, and the field names of their common properties."""

    items: tuple[str, ...]
    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The provider's JSON as text with the results of all its pages, and the same results as hits.

    `note` describes the parts of the query that the provider does not support; empty if it supports all.
    """

    raw: str
    hits: tuple[WebHit, ...]
    shape: Shape
    note: str = ""


@dataclass(frozen=True, slots=True)
class QuerySearch:
    """The result of one query: an answer, or an error instead."""

    query: str
    answer: WebAnswer | None
    error: WebRAGError | None = None


class SearchProvider(Protocol):
    """Searches with one provider. Raises SearchError and its subclasses."""

    async def search(self, query: WebQuery) -> WebAnswer: ...

    async def aclose(self) -> None: ...


def items_of(answer: JsonObject, shape: Shape) -> list[JsonObject]:
    """Return the results in a provider's JSON; empty if there are none."""
    found: Any = answer
    for name in shape.items:
        found = found.get(name) if isinstance(found, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def with_items(answer: JsonObject, shape: Shape, items: list[JsonObject]) -> JsonObject:
    """Return a copy of the JSON with other results."""
    name, *below = shape.items
    if not below:
        return {**answer, name: items}
    inner = answer.get(name)
    deeper = Shape(tuple(below), shape.title, shape.url, shape.snippet)
    return {**answer, name: with_items(inner if isinstance(inner, dict) else {}, deeper, items)}
