"""Reduce memory, garbage collection and the effect of background threads on calls."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import logging
import os
import sys
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from contextvars import ContextVar
from typing import Final, TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")

M_ARENA_MAX: Final = -8
ARENAS: Final = 2
THRESHOLDS: Final = (5_000, 10, 20)
"""Thresholds of Python's collector, seven times higher than the default: reading pages creates few cycles."""
MOST_OLD_GROWTH: Final = 1.25
FEW_OBJECTS: Final = 20_000
"""A full collection runs when the old objects have grown by this factor, and by at least this number."""


def limit_arenas() -> None:
    """Let all threads share two memory pools, which saved 180 MB after fourteen questions. Call before threads start."""
    libc = _glibc()
    if libc is not None:
        libc.mallopt(M_ARENA_MAX, ARENAS)


_must_settle: Final = threading.Event()
_old_objects = 0  # Number of objects that remained after the last full collection.


def settle() -> None:
    """Exclude the objects of start-up from garbage collections, which pause all threads, and return unused memory to the system.

    With a single collecting thread, `collect_due` does both.
    """
    if gc.isenabled():
        _settle()
    else:
        _must_settle.set()


def collect_due() -> bool:
    """Run the collections that are due, on the only thread that collects while automatic collection is off.

    Python's automatic collector runs on whichever thread reaches a threshold. Returns whether anything was due.
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
    """Exclude all current objects from garbage collections, at no cost: for tens of thousands of permanent objects."""
    gc.freeze()


def release_free_memory() -> None:
    """Return unused pages to the system. Takes a few milliseconds."""
    libc = _glibc()
    if libc is not None:
        libc.malloc_trim(0)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") else None


IN_BACKGROUND: Final[ContextVar[bool]] = ContextVar("in_background", default=False)
"""Whether no call waits for the running code, so that calls read the library first. Threads started by a task inherit it."""

NICENESS: Final = 4
"""Enough to come second. At 10, a thread without a processor could keep the interpreter from the window for 50 ms."""
_WINDOWS_BELOW_NORMAL: Final = -1
_MACOS_UTILITY: Final = 0x11  # QOS_CLASS_UTILITY: background work with a progress bar.


def lower_priority() -> None:
    """Lower the priority of the current thread permanently, if the system allows it."""
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


async def on_own_thread(name: str, work: Callable[[], T]) -> T:
    """Run what may never respond on a thread of its own, which does not delay the exit.

    A locked keyring waits for its password as long as the user does, and a dead network share forever. The shared threads would soon all
    wait with them.
    """
    made: Future[T] = Future()

    def run() -> None:
        with suppress(InvalidStateError):  # It was canceled.
            try:
                made.set_result(work())
            except Exception as error:  # noqa: BLE001 - raised again where it is awaited
                made.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return await asyncio.wrap_future(made)


def lasting_task(work: Coroutine[None, None, None], name: str) -> asyncio.Task[None]:
    """Start work that lasts as long as the program, and log an error that ends it, which nobody would await."""

    def report(task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("the task %r ended", name, exc_info=error)

    task = asyncio.create_task(work, name=name)
    task.add_done_callback(report)
    return task
