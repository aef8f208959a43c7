"""Random tables with spans: the grid of WebRAG compared with the layout in a real Chromium.

    python bench/tables.py [--tables N] [--seed N] [--json] [--write FILE]

Rows and columns are the screen positions at which a cell begins. Different tables are printed with both grids.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Final

from app.extract.tree import parse
from app.extract.writer.tables import grid
from support.made_tables import Grid, made_tables, shown_grids
from support.report import print_report

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")


def our_grid(markup: str) -> Grid:
    """Return the cell texts by row and column as the extractor places them."""
    rows = grid(parse(markup).find(".//table")) or []
    return [["" if cell is None else str(cell.text_content()) for cell in row] for row in rows]


def browser() -> str:
    """Return the path of Chromium, or an empty string."""
    return next((found for found in map(shutil.which, NAMES) if found), "")


def main() -> None:
    """Print the number of equal tables, and the different ones."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200, help="number of tables (default 200)")
    parser.add_argument("--seed", type=int, default=7, help="seed of the tables (default 7)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--write", type=Path, metavar="FILE", help="store the tables and Chromium's grids for the tests"
    )
    options = parser.parse_args()
    program = browser()
    if not program:
        raise SystemExit("Chromium was not found. Install it (Debian: apt install chromium).")
    tables = made_tables(options.tables, options.seed)
    shown = shown_grids(tables, program)
    if options.write:
        lines = (json.dumps(pair) for pair in zip(tables, shown, strict=True))
        options.write.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    pairs = list(zip(tables, map(our_grid, tables), shown, strict=True))
    different = [pair for pair in pairs if pair[1] != pair[2]]
    if not options.json:
        for markup, ours, wanted in different:
            print(markup, *(f"ours     {row}" for row in ours), *(f"Chromium {row}" for row in wanted), sep="\n")
    row = {"tables": len(pairs), "equal": len(pairs) - len(different), "seed": options.seed}
    print_report([row], as_json=options.json, title="Tables laid out as in Chromium")


if __name__ == "__main__":
    main()
