"""What a search provider is asked and what it gives."""

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
    """One page found, in the provider's words."""

    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Shape:
    """Where a provider's JSON holds its results, and how they name what every provider has."""

    items: tuple[str, ...]
    title: str
    url: str
    snippet: str


@dataclass(frozen=True, slots=True)
class WebAnswer:
    """The provider's JSON as text, with the results of all its pages, and the same results as hits.

    `note` says what of the query the provider could not do, empty when it did all.
    """

    raw: str
    hits: tuple[WebHit, ...]
    shape: Shape
    note: str = ""


@dataclass(frozen=True, slots=True)
class QuerySearch:
    """What became of one query: an answer, or an error in its place."""

    query: str
    answer: WebAnswer | None
    error: WebRAGError | None = None


class SearchProvider(Protocol):
    """Asks one provider; raises SearchError and its kin."""

    async def search(self, query: WebQuery) -> WebAnswer: ...

    async def aclose(self) -> None: ...


def items_of(answer: JsonObject, shape: Shape) -> list[JsonObject]:
    """The results in a provider's JSON; empty where there are none."""
    found: Any = answer
    for name in shape.items:
        found = found.get(name) if isinstance(found, dict) else None
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def with_items(answer: JsonObject, shape: Shape, items: list[JsonObject]) -> JsonObject:
    """The JSON with other results in their place; the one given stays as it is."""
    name, *below = shape.items
    if not below:
        return {**answer, name: items}
    inner = answer.get(name)
    deeper = Shape(tuple(below), shape.title, shape.url, shape.snippet)
    return {**answer, name: with_items(inner if isinstance(inner, dict) else {}, deeper, items)}
