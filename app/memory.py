"""Keep the process small, its pauses short and its calls first: glibc keeps a pool a thread, Python's collector looks at every object,
packages load more than is used of them, background threads leave the processor to those that a call waits for.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import sys
import threading
from collections.abc import Sequence
from contextvars import ContextVar
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

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


def skip_initialisers(*packages: str) -> None:
    """Let modules of these packages be imported without the code of the packages themselves, which imports what is not used here.

    Where an attribute of a package is asked for after all, its code runs then. A package that is loaded already stays as it is.
    """
    sys.meta_path.insert(0, _Skipping(frozenset(packages)))


def leave_out(module: str) -> None:
    """Let the import of an optional module fail, as if it were not installed."""
    sys.meta_path.insert(0, _LeftOut(module))


class _LeftOut(MetaPathFinder):
    """Says that there is no such module."""

    def __init__(self, module: str) -> None:
        self._module = module

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> None:
        if name == self._module:
            raise ModuleNotFoundError(f"{name} is left out of this program", name=name)


class _Skipping(MetaPathFinder):
    """Finds some packages as the others do, for a loader that runs none of their code."""

    def __init__(self, packages: frozenset[str]) -> None:
        self._packages = packages

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in self._packages:
            return None
        others = (finder for finder in sys.meta_path if not isinstance(finder, _Skipping))
        spec = next((found for finder in others if (found := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader = _Later(spec.loader)
        return spec


class _Later(Loader):
    """Makes a package whose code runs when it is needed."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        module.__loader__ = self._loader
        if module.__spec__ is not None:
            module.__spec__.loader = self._loader
        module.__class__ = _Uninitialised


class _Uninitialised(ModuleType):
    """A package whose code has not run."""

    def __getattr__(self, name: str) -> Any:
        # Python itself looks for some of these on any module.
        if name.startswith("__"):
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        # Other threads wait until the code has run; while it runs it sees what it has defined so far.
        with _INITIALISING:
            if self.__class__ is _Uninitialised and self.__name__ not in _RUNNING:
                loader = self.__spec__.loader if self.__spec__ is not None else None
                assert loader is not None
                _RUNNING.add(self.__name__)
                try:
                    loader.exec_module(self)
                    self.__class__ = ModuleType  # type: ignore[assignment]
                finally:
                    _RUNNING.remove(self.__name__)
            return ModuleType.__getattribute__(self, name)


_INITIALISING: Final = threading.RLock()
_RUNNING: Final[set[str]] = set()
"""Packages whose code is running."""


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
