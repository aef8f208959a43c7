"""`webrag mcp`: carries JSON-RPC between an assistant's stdin/stdout and the running application.

Standard library and `app.instance` only: five assistants mean five of these processes, and each must start
at once and stay small.
"""

from __future__ import annotations

from pathlib import Path

from app.paths import default_data_dir

__all__ = ["serve"]


def serve(data_dir: Path | None = None, tools: str = "") -> int:
    """Run until the end of standard input; the result is the exit status. `tools` names a tool profile."""
    from app.bridge.pump import Bridge
    from app.bridge.stdio import claim_stdio

    source, sink = claim_stdio()
    return Bridge(data_dir or default_data_dir(), source, sink, tools).run()
