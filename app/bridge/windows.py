"""Processes as the Windows kernel tells of them. Runs on Windows only; what uses it is tested with a stand-in."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    SYNCHRONIZE = 0x00100000
    PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
    WAIT_OBJECT_0 = 0

    class Kernel:
        """Handles are kept until this process ends."""

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
