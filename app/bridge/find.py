"""Finds the running instance of a data directory, and tells whether an update has made it outdated.

One of the same or a later version is used as it is, also one that refuses to end.
"""

from __future__ import annotations

import http.client
import re
from pathlib import Path
from typing import Final

from app import __version__, caps
from app.instance import InstanceConnection, RuntimeInfo, holder, is_healthy, read_runtime

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


# --- Versions ---

_VERSION: Final = re.compile(r"\d+(\.\d+)*")


def is_outdated(info: RuntimeInfo, version: str = __version__) -> bool:
    """Whether the instance is of an earlier version. One that cannot be compared is not."""
    theirs, ours = _numbers(info.version), _numbers(version)
    return theirs is not None and ours is not None and theirs < ours


def ask_to_end(info: RuntimeInfo) -> bool:
    """Whether the instance agreed to end by itself."""
    connection = InstanceConnection(info, timeout=caps.INSTANCE_CONNECT_SECONDS)
    try:
        connection.request("POST", "/control/stop", headers=connection.authorisation)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _numbers(version: str) -> tuple[int, ...] | None:
    """The release part without zeros at its end, so that 1.2 is 1.2.0; None for what is no plain release."""
    if not _VERSION.fullmatch(version):
        return None
    numbers = [int(part) for part in version.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
