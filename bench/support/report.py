"""Figures and tables."""

from __future__ import annotations

import json
import statistics
from collections.abc import Mapping, Sequence

Row = Mapping[str, object]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def print_report(rows: Sequence[Row], *, as_json: bool, title: str) -> None:
    """Print rows as a Markdown table, or everything as one JSON object."""
    if as_json:
        print(json.dumps({"title": title, "rows": list(rows)}))
        return
    columns = list(dict.fromkeys(name for row in rows for name in row))
    print(f"\n{title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    for row in rows:
        print(f"| {' | '.join(_shown(row.get(name, '')) for name in columns)} |")


def _shown(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
