"""Fail when the package has more lines than pyproject.toml allows.

A change that needs more raises the number in the same commit and gives the reason.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def count_lines(folder: Path) -> int:
    """Count all lines of the Python files below the folder, including blank lines and comments."""
    return sum(len(file.read_bytes().splitlines()) for file in folder.rglob("*.py"))


def main() -> None:
    """Exit with a message and status 1 if there are too many."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    allowed = settings["tool"]["webrag"]["max-lines"]
    lines = count_lines(ROOT / "app")
    if lines > allowed:
        raise SystemExit(
            f"app/ has {lines:,} lines, and pyproject.toml allows {allowed:,} (tool.webrag.max-lines).\n"
            "Make it smaller, or raise the number in this commit and give the reason."
        )


if __name__ == "__main__":
    main()
