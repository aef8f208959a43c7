"""Everything a bridge may ever need, loaded while the files of its program are still those it was started from.

An update replaces these files under a running bridge; a module that is looked for after that is not found, or is another one.
"""

from __future__ import annotations

import importlib
import sys
import threading
from typing import Final

NEEDED: Final = (
    "app.bridge.start",
    "encodings.idna",
    "http.client",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "traceback",
    *(("app.bridge.windows", "ctypes.wintypes", "msvcrt") if sys.platform == "win32" else ("fcntl",)),
)
DELAY_SECONDS: Final = 1.0
"""Until the first answers are out: nobody waits for these modules."""


def load_all(delay: float = DELAY_SECONDS) -> threading.Timer:
    """Load them aside, a while after the start."""
    timer = threading.Timer(delay, _load)
    timer.name, timer.daemon = "modules", True
    timer.start()
    return timer


def _load() -> None:
    for name in NEEDED:
        importlib.import_module(name)
