"""`webrag mcp`: carries JSON-RPC between an assistant's stdin/stdout and the running application.

Standard library and `app.instance` only: five assistants mean five of these processes, and each must start
at once and stay small.
"""

from __future__ import annotations

from pathlib import Path

from app.paths import default_data_dir

__all__ = ["serve"]


def serve(data_dir: Path | None = None, tools: str = "") -> int:
    """Run until the client is gone; the result is the exit status. `tools` names a tool profile."""
    import os

    from app.bridge.parent import own_parent

    parent = own_parent()
    _end_by_signals()
    from app.bridge.pump import Bridge
    from app.bridge.remarks import remark_on_failures
    from app.bridge.stdio import claim_stdio
    from app.bridge.whole import load_all

    remark_on_failures()
    source, sink = claim_stdio()
    load_all()
    status = Bridge(data_dir or _known_data_dir(), source, sink, parent, tools).run()
    # A thread that waits for input nobody sends, or for a client that does not read, must not delay the end.
    os._exit(status)


def _end_by_signals() -> None:
    """Ctrl+C ends the process as other signals do, at once and without a word."""
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _known_data_dir() -> Path | None:
    """None for a user without a home folder."""
    try:
        return default_data_dir()
    except RuntimeError:
        return None
