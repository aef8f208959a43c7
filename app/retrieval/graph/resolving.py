"""Which node a caller means: by id, by the chunk of a search result, by address, or by the name of an entity."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app import caps
from app.corpus.graph.records import Node, NodeKind, node_of
from app.corpus.graph.view import GraphView
from app.errors import InvalidArgumentError, InvalidURLError
from app.web.urls import normalise_url

_PAGE: Final = re.compile(rf"webrag://page/(\d{{1,{caps.MAX_ID_DIGITS}}})", re.ASCII)
"""The address under which other tools name a stored page."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """The nodes meant, each once, and the names that stand for nothing in scope."""

    nodes: tuple[Node, ...]
    not_found: tuple[str, ...]


def resolve(view: GraphView, names: Iterable[str], kinds: frozenset[NodeKind] = frozenset(NodeKind)) -> Resolved:
    """Raises InvalidArgumentError when none of the names stands for a node of these kinds in scope."""
    nodes: dict[Node, None] = {}
    missing: list[str] = []
    for name in dict.fromkeys(name.strip() for name in names):
        node = _node(view, name, kinds)
        if node is None:
            missing.append(name)
        else:
            nodes[node] = None
    if not nodes:
        raise _nothing(missing)
    return Resolved(tuple(nodes), tuple(missing))


def _node(view: GraphView, name: str, kinds: frozenset[NodeKind]) -> Node | None:
    node = node_of(name)
    if node is not None:
        return node if node.kind in kinds and view.holds(node) else None
    found = _place(view, name)
    if found is None and NodeKind.ENTITY in kinds and len(name) <= caps.MAX_ENTITY_NAME_CHARS:
        found = next(iter(view.entities_named(name, 1)), None)
    return found if found is not None and found.kind in kinds else None


def _place(view: GraphView, name: str) -> Node | None:
    """The section of a chunk, or what stands at an address."""
    if name.isascii() and name.isdigit() and len(name) <= caps.MAX_ID_DIGITS:
        return view.place_of_chunk(int(name))
    if "://" not in name:
        return None
    if (page := _PAGE.fullmatch(name)) is not None:
        document = Node(NodeKind.DOCUMENT, int(page[1]))
        return document if view.holds(document) else None
    address, _, anchor = name.partition("#")
    try:
        address = normalise_url(address) if address.startswith("http") else address
    except InvalidURLError:
        return None
    section = view.section_at(address, anchor) if anchor else None
    return section or view.document_at(address)


def _nothing(missing: list[str]) -> InvalidArgumentError:
    shown = ", ".join(repr(name[: caps.MAX_ARGUMENT_CHARS_SHOWN]) for name in missing[: caps.MAX_URLS_PER_CALL])
    return InvalidArgumentError(
        f"Not in the graph, or out of scope: {shown or 'nothing was named'}.",
        hint="Give ids of graph results (d12, s12.3, e345), a section_id or passage_id of kb.search, a stored page's URL, or an entity.",
    )
