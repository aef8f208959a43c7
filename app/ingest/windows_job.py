"""A limit on the memory of this process, as Windows knows it: a job of its own. Runs on Windows only."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import logging
    from ctypes import wintypes

    log = logging.getLogger(__name__)

    EXTENDED_LIMITS = 9
    LIMIT_PROCESS_MEMORY = 0x100

    class _BasicLimits(ctypes.Structure):
        _fields_ = [
            ("process_time", wintypes.LARGE_INTEGER),
            ("job_time", wintypes.LARGE_INTEGER),
            ("flags", wintypes.DWORD),
            ("least_working_set", ctypes.c_size_t),
            ("most_working_set", ctypes.c_size_t),
            ("processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority", wintypes.DWORD),
            ("scheduling", wintypes.DWORD),
        ]

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = [
            ("basic", _BasicLimits),
            ("transfers", ctypes.c_ulonglong * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        ]

    def limit_memory(most_bytes: int) -> bool:
        """Put this process into a job that commits so much memory to it at most; False, and a line in the log, where Windows refuses."""
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = wintypes.HANDLE
        kernel.CreateJobObjectW.argtypes = [ctypes.c_void_p, wintypes.LPCWSTR]
        kernel.SetInformationJobObject.argtypes = [wintypes.HANDLE, ctypes.c_int, ctypes.c_void_p, wintypes.DWORD]
        kernel.AssignProcessToJobObject.argtypes = [wintypes.HANDLE, wintypes.HANDLE]
        kernel.GetCurrentProcess.restype = wintypes.HANDLE
        limits = _ExtendedLimits()
        limits.basic.flags = LIMIT_PROCESS_MEMORY
        limits.process_memory = most_bytes
        # The job lives as long as the process in it; its handle is never closed.
        job = kernel.CreateJobObjectW(None, None)
        is_limited = bool(
            job
            and kernel.SetInformationJobObject(job, EXTENDED_LIMITS, ctypes.byref(limits), ctypes.sizeof(limits))
            and kernel.AssignProcessToJobObject(job, kernel.GetCurrentProcess())
        )
        if not is_limited:
            log.warning("this process has no limit of memory: error %d", ctypes.get_last_error())
        return is_limited
