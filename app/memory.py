"""Keep the process small and its pauses short: glibc keeps a pool a thread, Python's collector looks at every object."""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Final

M_ARENA_MAX: Final = -8
ARENAS: Final = 2
THRESHOLDS: Final = (5_000, 10, 20)
"""Objects made before the youngest are looked at, and how often before the older are: seven times less often than usual.
Pages are read without making cycles, so that nearly all memory comes back without any of it."""


def limit_arenas() -> None:
    """Let all threads share two pools; after fourteen questions 180 MB less. Call before threads start."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(M_ARENA_MAX, ARENAS)


def settle() -> None:
    """Leave what start-up made out of every later garbage collection, each of which holds up all threads.

    What it needed and let go of again goes back to the system.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
    release_free_memory()


def spare() -> None:
    """Leave all there is now out of every later garbage collection, at no cost: for tens of thousands of objects that stay."""
    gc.freeze()


def release_free_memory() -> None:
    """Give unused pages back to the system; a few milliseconds."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") else None
