"""The expansion trace as a tree: which page led to which, what it brought, why it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from app import caps
from app.orchestration.result import ExpansionStep
from app.server.render.errors import safe
from app.server.render.text import one_line


@dataclass(slots=True)
class _Node:
    url: str
    step: ExpansionStep | None
    children: list[_Node] = field(default_factory=list)


def trace_text(steps: Sequence[ExpansionStep], *, seed_url: str | None, stop_reason: str) -> str:
    """The trace, empty without steps. The stop reason under the last page is shown up to its first dash."""
    if not steps:
        return ""
    roots = _forest(steps, seed_url)
    base = _base(roots[0].url, [step.url for step in steps])
    lines = [f"Base: {base}", ""] if base else []
    seed_score = steps[0].score_before
    indent = ""
    for root in roots:
        lines.append(f"{_shown(root.url, base)} (seed, score: {seed_score:.2f} → {seed_score:.2f})")
        indent = _branches(lines, root, "", base)
    reason = one_line(stop_reason.split(" — ")[0], caps.MAX_REASON_CHARS_SHOWN).rstrip(".")
    if reason:
        lines.append(f"{indent}[stopped: {reason}]")
    return "\n".join(lines)


def _forest(steps: Sequence[ExpansionStep], seed_url: str | None) -> list[_Node]:
    """One root a named page; a page hangs on the earlier page that linked to it, so no circle can arise."""
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


def _branches(lines: list[str], node: _Node, prefix: str, base: str) -> str:
    """Append the lines below `node`; the result is the indentation of a remark under the last of them."""
    indent = prefix + "    "
    for child in node.children:
        is_last = child is node.children[-1]
        lines.append(f"{prefix}{'└── ' if is_last else '├── '}{_node_text(child, base)}")
        indent = _branches(lines, child, prefix + ("    " if is_last else "│   "), base)
        if not child.children:
            indent = prefix + "    "
    return indent


def _node_text(node: _Node, base: str) -> str:
    step = node.step
    assert step is not None
    facts = [] if _is_inside(node.url, base) else ["external"]
    facts.append(f"depth {step.depth}")
    if step.failure:
        facts.append(f"{step.duration_ms:.0f}ms")
        reason = one_line(safe(step.failure), caps.MAX_FAILURE_CHARS_SHOWN)
        return f"{_shown(node.url, base)} ({', '.join(facts)}) [failed: {reason}]"
    facts.append(f"+{step.chunks_added} chunks")
    facts.append(f"score: {step.score_before:.2f} → {step.score_after:.2f}")
    facts.append(f"{step.duration_ms:.0f}ms")
    return f"{_shown(node.url, base)} ({', '.join(facts)})"


def _base(seed_url: str, urls: Sequence[str]) -> str:
    """The folder that the pages of the seed's site have in common; empty when the seed is no web address."""
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
    return one_line(shown, caps.MAX_URL_CHARS_SHOWN)
