"""Results of the graph tools in two forms with the same facts, text and structured, both cut to a budget."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from app import caps
from app.events import Verdict, judged
from app.library import graph_records
from app.server.render.errors import safe
from app.server.render.text import (
    Budget,
    CountTokens,
    JsonObject,
    Rendered,
    Room,
    clip,
    flagged,
    plural,
    present,
    quoted_title,
    title_of,
)
from app.text.page_text import address, marked, one_line, quoted
from app.text.shield import instruction_flags

DIGITS: Final = 2
_AROUND: Final = "an, " * 100  # As long as the text around the nodes; one token per two bytes, as in names and symbols.
_SAID: Final = {
    graph_records.EdgeType.CONTAINS: "{src} contains {dst}",
    graph_records.EdgeType.NEXT: "{src} is followed by {dst}",
    graph_records.EdgeType.LINKS_TO: "{src} links to {dst}",
    graph_records.EdgeType.MENTIONS: "{src} mentions {dst}",
    graph_records.EdgeType.DEFINES: "{src} is about {dst}",
    graph_records.EdgeType.CO_OCCURS: "{src} and {dst} appear in the same sections",
    graph_records.EdgeType.SAME_AS: "{src} is another spelling of {dst}",
}


class _Sheet:
    """Lines and entries that fit both forms; `full` once something did not fit."""

    def __init__(self, budget: Budget, count: CountTokens, notes: Sequence[str]) -> None:
        spent = _AROUND, "\n".join(notes)
        self._rooms = Room(budget, count, *spent), Room(budget, count, *spent)
        self.full = False

    def take(self, lines: Sequence[str], entries: Sequence[JsonObject]) -> bool:
        """Add all of it or nothing; return whether it fit."""
        text, structured = "\n".join(lines), json.dumps(entries, ensure_ascii=False)
        if self.full or not (self._rooms[0].fits(text) and self._rooms[1].fits(structured)):
            self.full = True
            return False
        self._rooms[0].spend(text)
        self._rooms[1].spend(structured)
        return True

    def projections(self, nodes: Iterable[graph_records.Projection]) -> list[graph_records.Projection]:
        return [node for node in nodes if self.take([node_line(node)], [node_entry(node)])]


def neighbourhood(found: graph_records.Neighbourhood, budget: Budget, count: CountTokens) -> Rendered:
    """Render start nodes, reached nodes, and the edges that connect each of them to earlier nodes."""
    notes = _notes(found.not_found, found.waiting)
    sheet = _Sheet(budget, count, notes)
    starts = sheet.projections(found.starts)
    order = {each.projection.node: place for place, each in enumerate(found.reached)}
    ties: list[list[graph_records.Edge]] = [
        [] for _ in found.reached
    ]  # For each reached node, the edges to earlier ones.
    for edge in found.edges:
        ties[max(order.get(edge.src, -1), order.get(edge.dst, -1))].append(edge)
    edges: list[graph_records.Edge] = []
    taken = 0
    for each, tying in zip(found.reached, ties, strict=True):
        lines = [node_line(each.projection, each.hop), *map(edge_line, tying)]
        if not sheet.take(lines, [node_entry(each.projection, each.hop), *map(edge_entry, tying)]):
            break
        edges += tying
        taken += 1
    reason = graph_records.Cut.BYTE_CAP if sheet.full else found.limit_reason
    more = sheet.full or reason in (graph_records.Cut.PAGE_SIZE, graph_records.Cut.DEADLINE)
    cursor = found.reached[taken - 1].cursor if more and taken else None
    reached = found.reached[:taken]
    lines = [
        *("Start:", *map(node_line, starts)),
        f"Nodes ({len(reached)} of {'at least ' if found.is_cut else ''}{found.total}):",
        *(node_line(each.projection, each.hop) for each in reached),
        *("Edges:", *map(edge_line, edges)),
        *notes,
        _ending(reason, cursor),
    ]
    structured = {
        "starts": [node_entry(each) for each in starts],
        "nodes": [node_entry(each.projection, each.hop) for each in reached],
        "edges": [edge_entry(edge) for edge in edges],
        "total": found.total,
        **present(total_capped=found.is_cut),
        "next_cursor": cursor,
        **_limits(reason, found.not_found, found.waiting),
    }
    return Rendered(clip("\n".join(lines), budget, count), structured, _pages(starts), verdict=judged(found.reached))


def paths(found: graph_records.Paths, budget: Budget, count: CountTokens) -> Rendered:
    """Render each path with its explanation, and the nodes on the paths."""
    notes = _notes((), found.waiting)
    sheet = _Sheet(budget, count, notes)
    ends = sheet.projections(found.ends)
    titles = {each.node: quoted_title(each.title, caps.MAX_QUOTED_TITLE_CHARS) for each in (*found.ends, *found.nodes)}
    start = found.ends[0].node
    shown = [
        path
        for number, path in enumerate(found.paths, start=1)
        if sheet.take([_path_line(number, path, start, titles)], [_path_entry(path, start, titles)])
    ]
    left_out = len(found.paths) - len(shown)
    over = {node for path in shown for edge in path.edges for node in (edge.src, edge.dst)}
    nodes = sheet.projections(
        each for each in found.nodes if each.node in over and each.node not in {e.node for e in ends}
    )
    reason = graph_records.Cut.BYTE_CAP if sheet.full else found.limit_reason
    lines = [
        *map(node_line, ends),
        f"Paths ({len(shown)}{f' of {len(found.paths)}: the rest did not fit' if left_out else ''}):"
        if found.paths
        else "No path found.",
        *(_path_line(number, path, start, titles) for number, path in enumerate(shown, start=1)),
        *(["Intermediate nodes:", *map(node_line, nodes)] if nodes else []),
        *notes,
        _ending(reason, None),
    ]
    structured = {
        "nodes": [node_entry(each) for each in (*ends, *nodes)],
        "paths": [_path_entry(path, start, titles) for path in shown],
        **present(left_out=left_out),
        **_limits(reason, (), found.waiting),
    }
    return Rendered(clip("\n".join(lines), budget, count), structured, _pages(ends), verdict=judged(found.paths))


def description(found: graph_records.Description, budget: Budget, count: CountTokens) -> Rendered:
    """Render the requested nodes, or the size of the graph."""
    if found.disabled:
        text = "graph_disabled=true: the graph is turned off. Use kb_search or kb_retrieve_evidence."
        return Rendered(text, {"nodes": [], "graph_disabled": True}, verdict=Verdict.NOTHING)
    if found.counts is not None:
        return _size(found.counts)
    notes = _notes(found.not_found, 0)
    sheet = _Sheet(budget, count, notes)
    nodes = sheet.projections(found.nodes)
    left_out = len(found.nodes) - len(nodes)
    reason = graph_records.Cut.BYTE_CAP if sheet.full else graph_records.Cut.NONE
    omitted = [f"... {plural(left_out, 'more node')} did not fit: ask for fewer."] if left_out else []
    lines = [*map(node_line, nodes), *omitted, *notes, _ending(reason, None)]
    structured = {
        "nodes": [node_entry(each) for each in nodes],
        "graph_disabled": False,
        **present(left_out=left_out),
        **_limits(reason, found.not_found, 0),
    }
    return Rendered(clip("\n".join(lines), budget, count), structured, _pages(nodes), verdict=judged(found.nodes))


def node_line(each: graph_records.Projection, hop: int = 0) -> str:
    """`s12.3 section "os.open()" docs.python.org/3 (degree 12) https://…`."""
    far = f", hop {hop}" if hop > 1 else ""
    capped = " or more" if each.degree >= caps.MAX_DEGREE_COUNTED else ""
    title = quoted(title_of(each.title))
    line = f"{each.node} {each.node.kind} {title} {address(each.doc_tag)} (degree {each.degree}{capped}{far})"
    line += f" {address(each.uri)}{flagged(_flags(each))}"
    return f"{line}\n{marked(one_line(each.snippet))}" if each.snippet else line


def node_entry(each: graph_records.Projection, hop: int = 0) -> JsonObject:
    is_capped = each.degree >= caps.MAX_DEGREE_COUNTED
    return {
        "id": str(each.node),
        "kind": each.node.kind.value,
        "title": title_of(each.title),
        "doc_tag": each.doc_tag,
        "uri": each.uri,
        "degree": each.degree,
        **present(degree_capped=is_capped, hop=hop, snippet=one_line(each.snippet), flags=list(_flags(each))),
    }


def _flags(each: graph_records.Projection) -> tuple[str, ...]:
    """Flag a title or snippet that addresses the assistant."""
    return instruction_flags(f"{each.title}\n{each.snippet}")


def edge_line(edge: graph_records.Edge) -> str:
    """`s12.3 -links_to-> d7 (0.5) "the words"`."""
    words = _words(edge)
    return f"{edge.src} -{edge.type}-> {edge.dst} ({edge.weight:.{DIGITS}g})" + (f" {quoted(words)}" if words else "")


def edge_entry(edge: graph_records.Edge) -> JsonObject:
    return {
        "src": str(edge.src),
        "dst": str(edge.dst),
        "type": edge.type.value,
        "weight": float(f"{edge.weight:.{DIGITS}g}"),
        **present(words=_words(edge)),
    }


def _words(edge: graph_records.Edge) -> str:
    return one_line(edge.note, caps.MAX_QUOTED_TITLE_CHARS)


def _path_line(
    number: int, path: graph_records.Path, start: graph_records.Node, titles: Mapping[graph_records.Node, str]
) -> str:
    line = f"{number}. ({path.weight:.{DIGITS}g}, {plural(len(path.edges), 'hop')}) {start}"
    here = start
    for edge in path.edges:
        line += f" -{edge.type}-> {edge.dst}" if edge.src == here else f" <-{edge.type}- {edge.src}"
        here = edge.other(here)
    return f"{line}\n   {_explained(path, titles)}"


def _path_entry(
    path: graph_records.Path, start: graph_records.Node, titles: Mapping[graph_records.Node, str]
) -> JsonObject:
    nodes = [start]
    for edge in path.edges:
        nodes.append(edge.other(nodes[-1]))
    return {
        "nodes": [str(node) for node in nodes],
        "edges": [edge_entry(edge) for edge in path.edges],
        "weight": float(f"{path.weight:.{DIGITS}g}"),
        "explanation": _explained(path, titles),
    }


def _explained(path: graph_records.Path, titles: Mapping[graph_records.Node, str]) -> str:
    said = []
    for edge in path.edges:
        src, dst = (titles.get(node, str(node)) for node in (edge.src, edge.dst))
        words = _words(edge)
        said.append(_SAID[edge.type].format(src=src, dst=dst) + (f" with the words {quoted(words)}" if words else ""))
    return "; ".join(said) + "."


def _size(counts: graph_records.GraphCounts) -> Rendered:
    nodes = {"document": counts.documents, "section": counts.sections}
    nodes["entity"] = counts.symbols + counts.terms
    edges = {kind.value: number for kind, number in counts.edges.items()}
    derived = ", ".join(kind.value for kind in graph_records.EdgeType if kind not in counts.edges)
    lines = [
        "Nodes: " + ", ".join(f"{kind} {number:,}" for kind, number in nodes.items()),
        f"Entities: code names {counts.symbols:,}, terms {counts.terms:,}",
        "Edges: "
        + ", ".join(f"{kind} {number:,}" for kind, number in edges.items())
        + f"; computed on demand: {derived}",
        *_notes((), counts.waiting),
        "graph_disabled=false",
    ]
    structured = {
        "nodes": [],
        "graph_disabled": False,
        "counts": {"nodes": nodes, "symbols": counts.symbols, "terms": counts.terms, "edges": edges},
        "waiting": counts.waiting,
    }
    return Rendered("\n".join(lines), structured)


def _notes(not_found: Sequence[str], waiting: int) -> list[str]:
    notes = [f"Not found: {', '.join(_given(name) for name in not_found)}"] if not_found else []
    if waiting:
        notes.append(f"Note: not in the graph yet: {plural(waiting, 'stored page')}. Try again later.")
    return notes


def _limits(reason: graph_records.Cut, not_found: Sequence[str], waiting: int) -> JsonObject:
    return {
        "partial": reason is not graph_records.Cut.NONE,
        "limit_reason": reason.value,
        **present(not_found=list(map(_given, not_found)), waiting=waiting),
    }


def _given(name: str) -> str:
    return safe(one_line(name, caps.MAX_ARGUMENT_CHARS_SHOWN))


def _ending(reason: graph_records.Cut, cursor: str | None) -> str:
    partial = "partial: no" if reason is graph_records.Cut.NONE else f"partial: {reason}"
    return f"{partial}; cursor: {cursor}" if cursor else partial


def _pages(nodes: Iterable[graph_records.Projection]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.uri.partition("#")[0] for each in nodes))
