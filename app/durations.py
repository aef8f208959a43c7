"""How long something took or takes."""

from __future__ import annotations

import time


def ms_since(started: float) -> float:
    """Milliseconds since a moment of `time.perf_counter`."""
    return 1000 * (time.perf_counter() - started)


def time_span(seconds: float) -> str:
    """`20 s`, `3 min`, `2 h`."""
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60)} min" if seconds < 5_400 else f"{round(seconds / 3_600)} h"
