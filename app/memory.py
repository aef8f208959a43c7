"""Keep the process small, its pauses short and its calls first: glibc keeps a pool a thread, Python's collector looks at every object,
background threads leave the processor to those that a call waits for.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import sys
import threading
from contextvars import ContextVar
from typing import Final

log = logging.getLogger(__name__)

M_ARENA_MAX: Final = -8
ARENAS: Final = 2
THRESHOLDS: Final = (5_000, 10, 20)
"""Objects made before the youngest are looked at, and how often before the older are: seven times less often than usual.
Pages are read without making cycles, so that nearly all memory comes back without any of it."""
MOST_OLD_GROWTH: Final = 1.25
FEW_OBJECTS: Final = 20_000
"""All objects are looked at when the old ones have grown by this factor, and never for so few of them."""


def limit_arenas() -> None:
    """Let all threads share two pools; after fourteen questions 180 MB less. Call before threads start."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(M_ARENA_MAX, ARENAS)


_must_settle: Final = threading.Event()
_old_objects = 0
"""How many objects the last full collection left."""


def settle() -> None:
    """Leave what start-up made out of every later garbage collection, each of which holds up all threads.

    What it needed and let go of again goes back to the system. Where one thread alone collects, `collect_due` does both.
    """
    if gc.isenabled():
        _settle()
    else:
        _must_settle.set()


def collect_due() -> bool:
    """Collect what Python's own collector would: for the one thread that does so where that is switched off.

    Python collects on whichever thread makes the object that reaches a threshold. Returns whether anything was due.
    """
    global _old_objects
    if _must_settle.is_set():
        _must_settle.clear()
        _settle()
        _old_objects = 0
        return True
    youngest, middle, oldest = (made > most for made, most in zip(gc.get_count(), gc.get_threshold(), strict=True))
    if not youngest:
        return False
    if middle and oldest and len(gc.get_objects(generation=2)) > MOST_OLD_GROWTH * max(_old_objects, FEW_OBJECTS):
        gc.collect()
        _old_objects = len(gc.get_objects(generation=2))
    else:
        gc.collect(1 if middle else 0)
    return True


def _settle() -> None:
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


# --- Background threads ---

IN_BACKGROUND: Final[ContextVar[bool]] = ContextVar("in_background", default=False)
"""Whether nobody waits for what the running code does: it reads the library after those that a call waits for. A task sets it at its
beginning; what it has done in threads follows."""

NICENESS: Final = 4
"""Enough to come second. With 10 such a thread, once other programs take the processor from it, keeps the interpreter from the window
for 50 ms at a time."""
_WINDOWS_BELOW_NORMAL: Final = -1
_MACOS_UTILITY: Final = 0x11
"""QOS_CLASS_UTILITY: work with a progress bar that nobody waits for."""


def lower_priority() -> None:
    """Let the thread that calls this come after the others; there is no way back. Where that is not allowed it stays as it is."""
    IN_BACKGROUND.set(True)
    try:
        if sys.platform == "win32":
            kernel = ctypes.WinDLL("kernel32", use_last_error=True)
            kernel.GetCurrentThread.restype = ctypes.c_void_p
            kernel.SetThreadPriority(ctypes.c_void_p(kernel.GetCurrentThread()), _WINDOWS_BELOW_NORMAL)
        elif sys.platform == "darwin":
            ctypes.CDLL(None).pthread_set_qos_class_self_np(_MACOS_UTILITY, 0)
        else:
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, max(NICENESS, os.getpriority(os.PRIO_PROCESS, thread)))
    except (OSError, AttributeError) as error:
        log.info("a thread keeps its priority: %s", error)
