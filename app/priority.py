"""Background threads leave the processor to those that a call waits for."""

from __future__ import annotations

import ctypes
import logging
import os
import sys
import threading
from contextvars import ContextVar
from typing import Final

log = logging.getLogger(__name__)

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
