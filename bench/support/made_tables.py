"""Random tables with all kinds of spans, and their grid in a real Chromium."""

from __future__ import annotations

import json
import random
import re
import subprocess
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Final

SECONDS: Final = 120
Grid = list[list[str]]
SPANS: Final = ("1", "2", "2", "3", "4", "0", "9")
"""Span attributes. The last one is larger than most tables."""
STYLE: Final = "table{border-collapse:separate;border-spacing:0}td,th{width:20px;height:20px;padding:4px;font-size:6px}"
"""No text is wider than its cell, so widths do not depend on texts."""
READ: Final = """
const grid = table => {
  const cells = [...table.rows].flatMap(row => [...row.cells]).map(cell => [cell.textContent, cell.getBoundingClientRect()]);
  const edges = side => [...new Set(cells.map(([, box]) => Math.round(box[side])))].sort((a, b) => a - b);
  const covers = (from, to, edge) => Math.round(from) <= edge && edge < Math.round(to);
  return edges("top").map(top => edges("left").map(left =>
    cells.filter(([, box]) => covers(box.top, box.bottom, top) && covers(box.left, box.right, left)).map(([text]) => text).pop() ?? ""));
};
document.body.innerHTML = "<pre id=grids></pre>" + document.body.innerHTML;
document.getElementById("grids").textContent = JSON.stringify([...document.querySelectorAll("table")].map(grid));
"""


def made_tables(count: int, seed: int) -> list[str]:
    """Return the tables, the same for the same seed."""
    return [_table(random.Random(f"{seed}/{number}")) for number in range(count)]


def _table(draw: random.Random) -> str:
    kinds = draw.choice([["tbody"], ["tbody", "tbody"], ["thead", "tbody"], ["thead", "tfoot", "tbody"], [""]])
    width = draw.randint(1, 5)
    numbers = iter(range(1_000))
    groups = []
    for kind in kinds:
        rows = "".join(_row(draw, width, numbers) for _ in range(draw.randint(1, 2 if kind[1:2] == "h" else 5)))
        groups.append(f"<{kind}>{rows}</{kind}>" if kind else rows)
    return f"<table>{''.join(groups)}</table>"


def _row(draw: random.Random, width: int, numbers: Iterator[int]) -> str:
    cells = []
    for _ in range(draw.choice([0, 1, width, width, width, draw.randint(0, width)])):
        spans = "".join(f' {name}="{draw.choice(SPANS)}"' for name in ("rowspan", "colspan") if draw.random() < 0.25)
        cells.append(f"<td{spans}>c{next(numbers)}</td>")
    return f"<tr>{''.join(cells)}</tr>"


def shown_grids(tables: list[str], program: str) -> list[Grid]:
    """Return the grids in Chromium: for each edge at which a row or column of cells begins, the cells there.

    Raises RuntimeError if the browser does not answer.
    """
    page = f"<!doctype html><meta charset=utf-8><style>{STYLE}</style><body>{''.join(tables)}<script>{READ}</script>"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "tables.html")
        file.write_text(page, encoding="utf-8")
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        command += [f"--user-data-dir={folder}/profile", "--dump-dom", file.as_uri()]
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    found = re.search(r'<pre id="grids">(.*?)</pre>', run.stdout, re.DOTALL)
    if found is None:
        raise RuntimeError(f"{program} did not lay out the tables: {run.stderr[-500:]}")
    return [[list(row) for row in grid] for grid in json.loads(unescape(found.group(1)))]
