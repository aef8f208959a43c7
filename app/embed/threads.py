"""Decide how many threads embed passages, by the cores that this process can use.

Passages are independent, and the model runs on one thread per passage, so that slow cores do not delay fast ones. More threads than
physical cores make questions slower without embedding more.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil

MAX_URGENT: Final = 8
MAX_BACKGROUND: Final = 4
USUAL_THREADS: Final = 2
"""Background threads on a computer with few cores; they have low priority."""
QUOTA_FILE: Final = Path("/sys/fs/cgroup/cpu.max")


@dataclass(frozen=True, slots=True)
class EmbedThreads:
    """Threads for passages that a question waits for, and for all others."""

    urgent: int = USUAL_THREADS
    background: int = USUAL_THREADS


USUAL: Final = EmbedThreads()


def embed_threads(wanted: int = 0) -> EmbedThreads:
    """Return the number of threads; `wanted` sets both, 0 decides by the usable cores."""
    if wanted:
        return EmbedThreads(wanted, wanted)
    cores = usable_cores()
    return EmbedThreads(min(MAX_URGENT, cores), max(min(USUAL_THREADS, cores), min(MAX_BACKGROUND, cores // 2)))


def usable_cores() -> int:
    """Return the physical cores that affinity and the limit of a container allow, at least 1."""
    logical = os.cpu_count() or 1
    # None on some virtual machines and ARM computers; two logical processors usually share a core.
    counts = [psutil.cpu_count(logical=False) or math.ceil(logical / 2)]
    if hasattr(os, "sched_getaffinity"):
        counts.append(len(os.sched_getaffinity(0)))
    if (quota := _quota()) is not None:
        counts.append(math.ceil(quota))
    return max(1, min(counts))


def _quota() -> float | None:
    """Return the processors that a container can use, or None without a limit."""
    try:
        limit, period = QUOTA_FILE.read_text("ascii").split()
        return int(limit) / int(period)
    except (OSError, ValueError, ZeroDivisionError):
        return None
