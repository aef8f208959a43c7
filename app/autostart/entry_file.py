"""Entries of the system that are a file of their own."""

from __future__ import annotations

import contextlib
from pathlib import Path

from app.errors import AutostartError


def write_entry(path: Path, content: bytes) -> None:
    """Write the file in one step. Raises AutostartError."""
    temporary = path.with_suffix(".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise _refused(path, error) from error


def remove_entry(path: Path) -> None:
    """Remove the file, if it is there. Raises AutostartError."""
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _refused(path, error) from error


def _refused(path: Path, error: OSError) -> AutostartError:
    reason = error.strerror or type(error).__name__
    return AutostartError(f"{path} cannot be changed: {reason}.", hint="Check that you may write to this folder.")
