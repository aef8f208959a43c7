"""Notices that the client has died while another process keeps the pipe open, so that no end of input ever comes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Protocol


class Parent(Protocol):
    """The process that started this one."""

    def is_gone(self) -> bool: ...


class PosixParent:
    """Linux and macOS give an orphan another parent.

    A signal at the parent's death (PR_SET_PDEATHSIG) would come when the thread that started us ends, which in
    many clients is long before the client does.
    """

    def __init__(self, parent_id: Callable[[], int] = os.getppid) -> None:
        self._parent_id = parent_id
        self._first = parent_id()

    def is_gone(self) -> bool:
        return self._parent_id() != self._first


class Processes(Protocol):
    """What Windows tells about processes."""

    def open(self, process_id: int) -> int | None:
        """A handle to wait on, or None if there is no such process or it is not ours to open."""

    def started_at(self, handle: int) -> int:
        """A number that grows with the time of the start."""

    def has_ended(self, handle: int) -> bool: ...


class WindowsParent:
    """Windows goes on naming a dead parent, and gives its number to others: a handle tells them apart."""

    def __init__(self, processes: Processes, parent_id: int, own_id: int) -> None:
        self._processes = processes
        self._handle = self._opened(parent_id, own_id)

    def is_gone(self) -> bool:
        """False where it cannot be told."""
        return self._handle is not None and self._processes.has_ended(self._handle)

    def _opened(self, parent_id: int, own_id: int) -> int | None:
        parent, own = self._processes.open(parent_id), self._processes.open(own_id)
        if parent is None or own is None:
            return None
        # A process that is younger than we are took over the number of our parent.
        is_parent = self._processes.started_at(parent) <= self._processes.started_at(own)
        return parent if is_parent else None


if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    SYNCHRONIZE = 0x00100000
    PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
    WAIT_OBJECT_0 = 0

    class Kernel:
        """Processes as the kernel of Windows tells of them. Handles are kept until this process ends."""

        def __init__(self) -> None:
            self._calls = ctypes.WinDLL("kernel32", use_last_error=True)
            self._calls.OpenProcess.restype = wintypes.HANDLE
            self._calls.OpenProcess.argtypes = [wintypes.DWORD, wintypes.BOOL, wintypes.DWORD]
            self._calls.WaitForSingleObject.restype = wintypes.DWORD
            self._calls.WaitForSingleObject.argtypes = [wintypes.HANDLE, wintypes.DWORD]
            self._calls.GetProcessTimes.argtypes = [wintypes.HANDLE, *[ctypes.POINTER(wintypes.FILETIME)] * 4]

        def open(self, process_id: int) -> int | None:
            handle: int | None = self._calls.OpenProcess(
                SYNCHRONIZE | PROCESS_QUERY_LIMITED_INFORMATION, False, process_id
            )
            return handle or None

        def started_at(self, handle: int) -> int:
            """In units of 100 ns; 0 where it is not known."""
            created, *others = (wintypes.FILETIME() for _ in range(4))
            if not self._calls.GetProcessTimes(handle, ctypes.byref(created), *map(ctypes.byref, others)):
                return 0
            return (created.dwHighDateTime << 32) | created.dwLowDateTime

        def has_ended(self, handle: int) -> bool:
            return bool(self._calls.WaitForSingleObject(handle, 0) == WAIT_OBJECT_0)


def own_parent() -> Parent:
    """The parent of this process, to be asked for as early as possible."""
    if sys.platform == "win32":
        return WindowsParent(Kernel(), os.getppid(), os.getpid())
    return PosixParent()
