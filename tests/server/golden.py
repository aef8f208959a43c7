"""Golden files: the exact texts of the contract. `GOLDEN_UPDATE=1` rewrites them for review."""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

import pytest

WRITE_ANEW = "run this test with GOLDEN_UPDATE=1, look at the difference and tell it in CHANGELOG.md."

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """Check that the text equals the file byte for byte; a final line break belongs to the file."""
    path = FOLDER / name
    if os.environ.get("GOLDEN_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(f"{text}\n".encode())
    expected = path.read_bytes().decode()
    if expected != f"{text}\n":
        difference = unified_diff(expected.splitlines(), text.splitlines(), name, "now", lineterm="")
        pytest.fail(
            "\n".join((*difference, f"\nIf the change of tests/golden/{name} is meant: {WRITE_ANEW}")), pytrace=False
        )
