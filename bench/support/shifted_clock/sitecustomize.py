"""A clock that bench/soak.py sets: Python imports this module at its start if its folder is in PYTHONPATH.

WEBRAG_SHIFTED_CLOCK names a file with two doubles, the seconds that `time.time` and `time.monotonic` are ahead. Waits take real time, as
on a computer that wakes up: only the clocks are different then.
"""

from __future__ import annotations

import mmap
import os
import struct
import time
from collections.abc import Callable

SHIFTS = struct.Struct("dd")


def shift(file: str) -> None:
    """Replace the clocks of this process."""
    descriptor = os.open(file, os.O_RDONLY)
    shared = mmap.mmap(descriptor, SHIFTS.size, access=mmap.ACCESS_READ)
    os.close(descriptor)

    def shifted(clock: Callable[[], float], index: int) -> Callable[[], float]:
        return lambda: clock() + SHIFTS.unpack_from(shared)[index]

    time.time = shifted(time.time, 0)
    time.monotonic = shifted(time.monotonic, 1)


if name := os.environ.get("WEBRAG_SHIFTED_CLOCK"):
    shift(name)
