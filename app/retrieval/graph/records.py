"""What walks over the graph return."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from app import caps
from app.library.graph_records import Edge, GraphCounts, Projection
from app.library.scope import Filter

EVERYTHING: Final = Filter()


class Cut(StrEnum):
    """Why a result is not everything there is."""

    NONE = "none"
    PAGE_SIZE = "page_size"
    """More can be had with the cursor."""
    FAN_OUT = "fan_out"
    """Some nodes have more edges than are followed."""
    DEADLINE = "deadline"
    BYTE_CAP = "byte_cap"


@dataclass(frozen=True, slots=True)
class PageAsked:
    """Which page of a walk is wanted: behind `cursor`, within `filter`, with a beginning of each node's text if `snippets`."""

    page_size: int = caps.DEFAULT_GRAPH_PAGE
    cursor: str | None = None
    filter: Filter = EVERYTHING
    snippets: bool = False


@dataclass(frozen=True, slots=True)
class Reached:
    """A node that was found, how far it is from the start, and the cursor that goes on behind it."""

    projection: Projection
    hop: int
    cursor: str


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """What hangs on the `starts`, nearest and strongest first. `edges` lie between the nodes of this page and nodes before them.

    `limit_reason` is PAGE_SIZE when more follow. `not_found` are the names given that stand for nothing in scope, `waiting` counts
    documents that are not in the graph yet. With `is_cut` there is more than `total`, which was not looked at.
    """

    starts: tuple[Projection, ...]
    reached: tuple[Reached, ...]
    edges: tuple[Edge, ...]
    total: int
    limit_reason: Cut
    not_found: tuple[str, ...] = ()
    waiting: int = 0
    is_cut: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """Edges that lead from one node to another, in order; each may point either way."""

    edges: tuple[Edge, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Paths:
    """The best paths, shortest first, and every node on them; `ends` are the two nodes that were meant."""

    ends: tuple[Projection, Projection]
    nodes: tuple[Projection, ...]
    paths: tuple[Path, ...]
    limit_reason: Cut
    waiting: int = 0


@dataclass(frozen=True, slots=True)
class Description:
    """What is shown of the nodes asked for, or, where none were, how large the graph is. `disabled`: it is switched off."""

    nodes: tuple[Projection, ...] = ()
    not_found: tuple[str, ...] = ()
    counts: GraphCounts | None = None
    disabled: bool = False
