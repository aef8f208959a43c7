"""Figures and tables."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

Row = Mapping[str, object]


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which `share` of the values lie (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def markdown_table(rows: Sequence[Row]) -> str:
    """The rows as a Markdown table; its columns are in the order in which rows first name them."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(_shown(row.get(name, '')) for name in columns)} |" for row in rows]
    return "\n".join(lines)


class Report:
    """Rows that are printed as soon as they are measured, so that a failure later loses none of them.

    As Markdown, in which a row with another column begins another table; as JSON one object at the end.
    """

    def __init__(self, title: str, *, as_json: bool) -> None:
        self.rows: list[Row] = []
        self._title = title
        self._as_json = as_json
        self._columns: list[str] = []
        if not as_json:
            print(f"\n{title}", flush=True)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        if self._as_json:
            return
        if not set(row) <= set(self._columns):
            self._columns = list(row)
            print(f"\n| {' | '.join(self._columns)} |\n|{'---|' * len(self._columns)}")
        print(f"| {' | '.join(_shown(row.get(name, '')) for name in self._columns)} |", flush=True)

    def end(self) -> None:
        """Print what is only said at the end."""
        if self._as_json:
            print(json.dumps({"title": self._title, "rows": self.rows}))


def print_report(rows: Iterable[Row], *, as_json: bool, title: str) -> None:
    """Print rows as a Markdown table, or everything as one JSON object; rows that are still being measured one by one."""
    if isinstance(rows, Sequence) and not as_json:
        print(f"\n{title}\n\n{markdown_table(rows)}", flush=True)
        return
    report = Report(title, as_json=as_json)
    for row in rows:
        report.add(row)
    report.end()


def write_table(file: Path, name: str, rows: Sequence[Row], *, title: str) -> None:
    """Put title and table between the marks `<!-- name -->` and `<!-- /name -->` of a Markdown file, in place of what is there.

    Raises ValueError when the file lacks the marks.
    """
    text = file.read_text(encoding="utf-8")
    head, opened, rest = text.partition(f"<!-- {name} -->\n")
    _, closed, tail = rest.partition(f"<!-- /{name} -->")
    if not opened or not closed:
        raise ValueError(f"{file} has no place marked for the table {name!r}.")
    file.write_text(f"{head}{opened}\n{title}\n\n{markdown_table(rows)}\n\n{closed}{tail}", encoding="utf-8")


def _shown(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
