"""Finds the running instance of a data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from app.instance import RuntimeInfo, holder, is_healthy, read_runtime

ALREADY_RUNNING_STATUS: Final = 3
"""Exit status of `webrag serve` when another process owns the data directory."""


def find_instance(data_dir: Path) -> RuntimeInfo | None:
    """The instance that answers for this data directory now."""
    info = noted_instance(data_dir)
    return info if info is not None and is_healthy(info) else None


def noted_instance(data_dir: Path) -> RuntimeInfo | None:
    """The instance that the files speak of; it need not answer, but no other process has taken its place."""
    info = read_runtime(data_dir)
    if info is None:
        return None
    process_id, _ = holder(data_dir)
    return info if process_id in {"", str(info.pid)} else None
