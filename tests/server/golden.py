"""Golden files: the exact texts of the contract. `GOLDEN_UPDATE=1` writes them anew, to be looked at."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "golden"


def assert_golden(name: str, text: str) -> None:
    """The text equals the file, byte for byte; a last line break is the file's own."""
    path = FOLDER / name
    if os.environ.get("GOLDEN_UPDATE"):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(f"{text}\n".encode())
    assert path.read_bytes().decode() == f"{text}\n"
