"""`webrag mcp`: carries JSON-RPC between an assistant's stdin/stdout and the running application.

Every assistant starts its own bridge, so it must start immediately and stay small. It imports only the standard library and ground modules
such as `app.instance`.
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
DELAY_SECONDS: Final = 1.0  # Seconds before these modules are loaded, so that the first responses do not wait for them.


def load_all(delay: float = DELAY_SECONDS) -> threading.Timer:
    """Load all modules that a bridge may need later, in the background shortly after the start.

    An update replaces the program's files under a running bridge. A module imported after that could be missing or belong to the new
    version.
    """
    timer = threading.Timer(delay, _load)
    timer.name, timer.daemon = "modules", True
    timer.start()
    return timer


def _load() -> None:
    for name in NEEDED:
        importlib.import_module(name)


def serve(data_dir: Path | None = None, tools: str = "") -> int:
    """Run until the client disconnects, and return the exit status. `tools` names a tool profile."""
    import os

    from app.bridge.stdio import own_parent

    parent = own_parent()
    import signal

    # SIGINT ends the process like other signals, immediately and without a traceback.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from app.bridge.pump import Bridge
    from app.bridge.stdio import claim_stdio, remark_on_failures

    remark_on_failures()
    source, sink = claim_stdio()
    load_all()
    status = Bridge(data_dir or _known_data_dir(), source, sink, parent, tools).run()
    # A thread that waits for input, or for a client that does not read, must not delay the exit.
    os._exit(status)


def _known_data_dir() -> Path | None:
    """Return the data directory, or None if the user has no home folder or the chosen folder cannot be read."""
    try:
        return default_data_dir()
    except (RuntimeError, SettingsError):
        return None
