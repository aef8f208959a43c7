"""An application of an earlier version that still runs after an update: it is asked to end in order, so that this one can start.

One of the same or a later version is used as it is, also one that refuses to end.
"""

from __future__ import annotations

import http.client
import re
from typing import Final

from app import __version__, caps
from app.instance import RuntimeInfo

_VERSION: Final = re.compile(r"\d+(\.\d+)*")


def is_outdated(info: RuntimeInfo, version: str = __version__) -> bool:
    """Whether the instance is of an earlier version. One that cannot be compared is not."""
    theirs, ours = _numbers(info.version), _numbers(version)
    return theirs is not None and ours is not None and theirs < ours


def ask_to_end(info: RuntimeInfo) -> bool:
    """Whether the instance agreed to end by itself."""
    connection = http.client.HTTPConnection(info.host, info.port, timeout=caps.INSTANCE_CONNECT_SECONDS)
    try:
        connection.request("POST", "/control/stop", headers={"Authorization": f"Bearer {info.token}"})
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
