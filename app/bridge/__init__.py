"""`webrag mcp`: carries JSON-RPC between an assistant's stdin/stdout and the running application.

Standard library and `app.instance` only: five assistants mean five of these processes, and each must start
at once and stay small.
"""

from __future__ import annotations

import importlib
import sys
import threading
from pathlib import Path
from typing import Final

from app.errors import SettingsError
from app.paths import default_data_dir

NEEDED: Final = (
    "app.bridge.start",
    "app.serialise",
    "encodings.idna",
    "http.client",
    "shutil",
    "socket",
    "subprocess",
    "tempfile",
    "traceback",
    *(("ctypes.wintypes", "msvcrt") if sys.platform == "win32" else ("fcntl",)),
)
DELAY_SECONDS: Final = 1.0
"""Until the first answers are out: these modules can wait."""


def load_all(delay: float = DELAY_SECONDS) -> threading.Timer:
    """Load what a bridge may ever need, aside and a while after the start.

    An update replaces the files of the program under a running bridge: a module looked for after that is not found, or another.
    """
    timer = threading.Timer(delay, _load)
    timer.name, timer.daemon = "modules", True
    timer.start()
    return timer


def _load() -> None:
    for name in NEEDED:
        importlib.import_module(name)


def serve(data_dir: Path | None = None, tools: str = "") -> int:
    """Run until the client is gone; the result is the exit status. `tools` names a tool profile."""
    import os

    from app.bridge.stdio import own_parent

    parent = own_parent()
    import signal

    # Ctrl+C ends the process as other signals do, immediately and without a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from app.bridge.pump import Bridge
    from app.bridge.stdio import claim_stdio, remark_on_failures

    remark_on_failures()
    source, sink = claim_stdio()
    load_all()
    status = Bridge(data_dir or _known_data_dir(), source, sink, parent, tools).run()
    # A thread that waits for input nobody sends, or for a client that does not read, must not delay the end.
    os._exit(status)


def _known_data_dir() -> Path | None:
    """None for a user without a home folder, or one whose choice of a folder cannot be read."""
    try:
        return default_data_dir()
    except (RuntimeError, SettingsError):
        return None
