"""Figures and tables."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

Row = Mapping[str, object]
Json = bool | Path
"""Whether to print reports as JSON, or the file for an additional copy."""

_WRITTEN: Final[dict[Path, dict[str, Any]]] = {}
"""Content of each file from this process: the run, and its reports so far."""


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which `share` of the values are (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def markdown_table(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table, with columns in the order of their first use."""
    columns = list(dict.fromkeys(name for row in rows for name in row))
    lines = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    lines += [f"| {' | '.join(_shown(row.get(name, '')) for name in columns)} |" for row in rows]
    return "\n".join(lines)


class Report:
    """Prints rows immediately, so that a later failure does not lose them.

    In Markdown, a row with another column begins another table. JSON is one object at the end. A JSON file is written again with every row.
    """

    def __init__(self, title: str, *, as_json: Json) -> None:
        self.rows: list[Row] = []
        self._title = title
        self._as_json = as_json is True
        self._file = as_json if isinstance(as_json, Path) else None
        self._columns: list[str] = []
        if self._file is not None:
            _run(self._file)["reports"].append({"title": title, "rows": self.rows})
        if not self._as_json:
            print(f"\n{title}", flush=True)

    def add(self, row: Row) -> None:
        self.rows.append(row)
        if self._file is not None:
            self._file.write_text(json.dumps(_run(self._file), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        if self._as_json:
            return
        if not set(row) <= set(self._columns):
            self._columns = list(row)
            print(f"\n| {' | '.join(self._columns)} |\n|{'---|' * len(self._columns)}")
        print(f"| {' | '.join(_shown(row.get(name, '')) for name in self._columns)} |", flush=True)

    def end(self) -> None:
        """Print the final output."""
        if self._as_json:
            print(json.dumps({"title": self._title, "rows": self.rows}))


def _run(file: Path) -> dict[str, Any]:
    """Return the command of this process and the machine, with the reports for the file so far."""
    return _WRITTEN.setdefault(
        file,
        {
            "command": f"bench/{Path(sys.argv[0]).name} {' '.join(_without_json(sys.argv[1:]))}".strip(),
            "day": time.strftime("%Y-%m-%d"),
            "machine": f"{os.cpu_count()} cores, {platform.system()} {platform.machine()}, {load_at_start()}",
            "reports": [],
        },
    )


def _without_json(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without `--json FILE`, and paths without their folders."""
    at = next((place for place, word in enumerate(arguments) if word == "--json"), len(arguments))
    words = [word for word in (*arguments[:at], *arguments[at + 2 :]) if not word.startswith("--json=")]
    return [Path(word).name if "/" in word else word for word in words]


def load_at_start() -> str:
    """Return the load of the machine, in words."""
    return f"load {os.getloadavg()[0]:.1f} at the start" if hasattr(os, "getloadavg") else "load unknown"


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option `--json [FILE]` of a bench."""
    meaning = "print one JSON object per report, or print tables and write JSON to FILE"
    parser.add_argument("--json", nargs="?", const=True, default=False, type=Path, metavar="FILE", help=meaning)


def print_report(rows: Iterable[Row], *, as_json: Json, title: str) -> None:
    """Print rows as a Markdown table, or everything as one JSON object. Rows can be an iterator of running measurements."""
    if isinstance(rows, Sequence) and as_json is False:
        print(f"\n{title}\n\n{markdown_table(rows)}", flush=True)
        return
    report = Report(title, as_json=as_json)
    for row in rows:
        report.add(row)
    report.end()


def write_table(file: Path, name: str, rows: Sequence[Row], *, title: str) -> None:
    """Insert title and table between the marks `<!-- name -->` and `<!-- /name -->` of a Markdown file.

    Raises ValueError if the file lacks the marks.
    """
    text = file.read_text(encoding="utf-8")
    head, opened, rest = text.partition(f"<!-- {name} -->\n")
    _, closed, tail = rest.partition(f"<!-- /{name} -->")
    if not opened or not closed:
        raise ValueError(f"{file} lacks the marks of the table {name!r}.")
    file.write_text(f"{head}{opened}\n{title}\n\n{markdown_table(rows)}\n\n{closed}{tail}", encoding="utf-8")


def _shown(value: object) -> str:
    return f"{value:.1f}" if isinstance(value, float) else str(value)
