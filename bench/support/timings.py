"""The time of a result: its own account of phases and the waiting time of the client."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from support.application import Reply
from support.report import Row, median, percentile

PHASES: Final = ("analysis", "retrieval", "reranking", "expansion", "locality", "merge")
_TOTAL = re.compile(r"^Total time: (\d+)ms \(([^)]*)\)", re.MULTILINE)
_PHASE = re.compile(r"(\w+): (\d+)ms")


def phases(reply: Reply) -> dict[str, float]:
    """Return the milliseconds by phase. "other" is the rest of the engine's time (mostly reading pages), "outside" rendering, server,
    protocol and bridge.

    Raises ValueError for a result without times.
    """
    found = _TOTAL.search(reply.text)
    if found is None:
        raise ValueError(f"no times in: {reply.text[:200]}")
    total = float(found.group(1))
    told = {name: float(ms) for name, ms in _PHASE.findall(found.group(2))}
    return {**told, "other": max(0.0, total - sum(told.values())), "outside": max(0.0, reply.ms - total)}


def timed_row(what: str, goal: str, replies: Sequence[Reply]) -> Row:
    """Return the times of one kind of call, with median phases."""
    row: dict[str, object] = timing_row(what, goal, [reply.ms for reply in replies])
    told = [phases(reply) for reply in replies]
    for name in (*PHASES, "other", "outside"):
        values = [each[name] for each in told if name in each]
        if values:
            row[name] = median(values)
    return row


def timing_row(what: str, goal: str, values: Sequence[float]) -> dict[str, object]:
    """Return times without phases."""
    row: dict[str, object] = {"what": what, "n": len(values), "p50 ms": median(values)}
    return {**row, "p95 ms": percentile(values, 0.95), "goal": goal}
