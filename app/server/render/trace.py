"""The origin of a result: the expansion as a tree (which page led to which, its contribution, why it ended) and [STATS]."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from app import caps
from app.orchestration.result import BUDGET_EXHAUSTED, ExpansionStep, OrchestrationResult, Timing
from app.server.render.errors import safe
from app.server.render.text import plural
from app.text.page_text import address, one_line

MAX_FAILURE_CHARS_SHOWN: Final = 100
MAX_PAGES: Final = 5  # Pages that the trace names; further ones are counted.
MAX_PAGES_IN_VAIN: Final = 2  # The same if nothing was found: the pages that were read matter little then.

MODES: Final = {
    "chunk": "chunk (selective retrieval)",
    "full_context": "full_context (entire corpus fits within token budget)",
}


@dataclass(slots=True)
class _Node:
    url: str
    step: ExpansionStep | None
    children: list[_Node] = field(default_factory=list)
    is_named: bool = True


def trace_text(
    steps: Sequence[ExpansionStep],
    *,
    seed_url: str | None,
    stop_reason: str,
    used: Collection[str] = (),
    most: int = MAX_PAGES,
) -> str:
    """Return the trace, or "" without steps. The stop reason under the last page is cut at its first dash.

    If there are more than `most` pages, only those with evidence (`used`) or a higher score are named, with the pages that lead to them.
    """
    if not steps:
        return ""
    roots = _forest(steps, seed_url)
    if len(steps) > most:
        named = sorted(range(len(steps)), key=lambda place: (_interest(steps[place], used), place))[:most]
        for root in roots:
            _name(root, {steps[place].url for place in named})
    base = _base(roots[0].url, [step.url for step in steps])
    lines = [f"Base: {address(base)}", ""] if base else []
    seed_score = steps[0].score_before
    indent = ""
    for root in roots:
        lines.append(f"{_shown(root.url, base)} (seed, score: {seed_score:.2f} → {seed_score:.2f})")
        indent = _branches(lines, root, "", base)
    reason = one_line(stop_reason.split(" — ")[0], caps.MAX_REASON_CHARS_SHOWN).rstrip(".")
    if reason:
        lines.append(f"{indent}[stopped: {reason}]")
    return "\n".join(lines)


SEARCH_PHASES: Final = ("analysis", "retrieval", "reranking", "merge")
ANSWER_PHASES: Final = ("ingestion", "analysis", "retrieval", "reranking", "expansion", "locality", "merge")


def answer_stats(result: OrchestrationResult, is_whole: bool = True) -> str:
    """Return [STATS] of `answer`, with the notes on expansion; `is_whole` is false if passages did not fit."""
    counts = [f"Expansion iterations: {result.total_iterations}", f"URLs ingested: {result.total_urls_ingested}"]
    lines = _lines(result, counts, _times(result.timing, *ANSWER_PHASES), is_whole=is_whole)
    budget, iterations, notes = result.expansion_budget, result.total_iterations, []
    if iterations == 0 and budget is not None and budget != 0:
        notes.append("No expansion performed (single iteration).")
    if budget and result.final_decision.reason == BUDGET_EXHAUSTED:
        notes.append(f"Expansion budget exhausted (reached {iterations} of {budget} iterations).")
    deepest = max((step.depth for step in result.expansion_steps), default=0)
    if deepest and deepest == result.max_expansion_depth:
        notes.append(
            f"Expansion reached maximum depth ({deepest}). "
            "Results may benefit from a more specific query or a different seed URL."
        )
    return "\n".join([*lines, *(f"Note: {note}" for note in [*notes, *map(safe, result.notes)])])


def search_stats(result: OrchestrationResult, is_whole: bool = True) -> str:
    """Return [STATS] of `search`, which does not fetch or expand."""
    lines = _lines(result, [], _times(result.timing, *SEARCH_PHASES), is_whole=is_whole)
    return "\n".join([*lines, *(f"Note: {safe(note)}" for note in result.notes)])


def _forest(steps: Sequence[ExpansionStep], seed_url: str | None) -> list[_Node]:
    """Return one root per named page. A page is a child of an earlier page that linked to it, so there are no cycles."""
    known: dict[str, _Node] = {}
    roots: list[_Node] = []
    strangers = {step.source_url for step in steps} - {step.url for step in steps}
    if seed_url is None or (seed_url not in strangers and len(strangers) == 1):
        seed_url = next(step.source_url for step in steps)
    for url in dict.fromkeys([seed_url, *(step.source_url for step in steps if step.source_url in strangers)]):
        known[url] = _Node(url, None)
        roots.append(known[url])
    for step in steps:
        node = _Node(step.url, step)
        known.get(step.source_url, roots[0]).children.append(node)
        known.setdefault(step.url, node)
    return roots


def _interest(step: ExpansionStep, used: Collection[str]) -> int:
    if step.url in used:
        return 0
    return 1 if not step.failure and f"{step.score_before:.2f}" != f"{step.score_after:.2f}" else 2


def _name(node: _Node, named: Collection[str]) -> bool:
    """Mark the named pages below the node; return whether the node or one below it is named."""
    below = [_name(child, named) for child in node.children]
    node.is_named = any(below) or node.url in named
    return node.is_named


def _unnamed(nodes: Iterable[_Node]) -> list[ExpansionStep]:
    """Return the steps of unnamed nodes and of all nodes below them."""
    found: list[ExpansionStep] = []
    for node in nodes:
        if not node.is_named:
            found += [*([node.step] if node.step is not None else []), *_unnamed(node.children)]
    return found


def _branches(lines: list[str], node: _Node, prefix: str, base: str) -> str:
    """Append the lines below `node`; return the indentation of a remark under the last one."""
    indent = prefix + "    "
    named, unnamed = [child for child in node.children if child.is_named], _unnamed(node.children)
    for child in named:
        is_last = child is named[-1] and not unnamed
        lines.append(f"{prefix}{'└── ' if is_last else '├── '}{_node_text(child, base)}")
        indent = _branches(lines, child, prefix + ("    " if is_last else "│   "), base)
        if not child.children:
            indent = prefix + "    "
    if unnamed:
        failed = sum(bool(step.failure) for step in unnamed)
        facts = [f"+{sum(step.chunks_added for step in unnamed)} chunks", *([f"{failed} failed"] if failed else [])]
        lines.append(f"{prefix}└── ... and {plural(len(unnamed), 'more page')} ({', '.join(facts)})")
        indent = prefix + "    "
    return indent


def _node_text(node: _Node, base: str) -> str:
    step = node.step
    assert step is not None
    facts = [] if _is_inside(node.url, base) else ["external"]
    facts.append(f"depth {step.depth}")
    if step.failure:
        facts.append(f"{step.duration_ms:.0f}ms")
        reason = one_line(safe(step.failure), MAX_FAILURE_CHARS_SHOWN)
        return f"{_shown(node.url, base)} ({', '.join(facts)}) [failed: {reason}]"
    facts.append(f"+{step.chunks_added} chunks")
    facts.append(f"score: {step.score_before:.2f} → {step.score_after:.2f}")
    facts.append(f"{step.duration_ms:.0f}ms")
    return f"{_shown(node.url, base)} ({', '.join(facts)})"


def _base(seed_url: str, urls: Sequence[str]) -> str:
    """Return the common folder of the pages of the seed's site, or "" if the seed is not a web address."""
    site = _site(seed_url)
    if not site:
        return ""
    own = [seed_url, *(url for url in urls if _site(url) == site)]
    first, last = min(own), max(own)
    same = next((i for i, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    folder = first[: first.rfind("/", 0, same) + 1]
    return folder if len(folder) > len(site) else f"{site}/"


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


def _is_inside(url: str, base: str) -> bool:
    return bool(base) and url.startswith(base)


def _shown(url: str, base: str) -> str:
    shown = f"/{url[len(base) :]}" if _is_inside(url, base) else url
    return address(shown, caps.MAX_URL_CHARS_SHOWN)


def _lines(result: OrchestrationResult, counts: list[str], times: str, *, is_whole: bool) -> list[str]:
    stats = result.corpus_stats
    mode = result.mode if is_whole else "chunk"
    reading = sum(failure.goes_on for failure in result.failures)
    failed = len(result.failures) - reading
    return [
        "[STATS]",
        f"Mode: {MODES.get(mode, mode)}",
        f"Documents searched: {stats.total_documents}",
        f"Documents matched: {len(stats.documents_matched)}",
        f"Chunks evaluated: {stats.total_parent_chunks}",
        *([f"Reranked by: {result.reread}"] if result.reread else []),
        *counts,
        *([f"URLs failed: {failed}"] if failed else []),
        *([f"URLs still being indexed: {reading}"] if reading else []),
        f"Stop reason: {one_line(result.final_decision.reason, caps.MAX_REASON_CHARS_SHOWN)}",
        f"Total time: {result.timing.total_ms:.0f}ms ({times})",
    ]


def _times(timing: Timing, *phases: str) -> str:
    named = {"analysis": timing.query_analysis_ms}
    return ", ".join(f"{phase}: {named.get(phase, getattr(timing, f'{phase}_ms', 0.0)):.0f}ms" for phase in phases)
