"""The command line. `webrag mcp` and the preparation process leave before anything else of the command line is loaded."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

__all__ = ["main"]

PREPARE_WORKER = "prepare-worker"
"""The command of the process that reads large bodies; it is started by the application, never by a person."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the result is the exit status: 0 only on success, 2 for a wrong command line."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    request = _bridge_request(arguments)
    if request is not None:
        from app.bridge import serve

        return serve(request.data_dir)
    if arguments == [PREPARE_WORKER]:
        from app.ingest.worker import main as prepare

        return prepare()
    from app.cli.parser import run

    return run(arguments)


class _BridgeRequest:
    def __init__(self, data_dir: Path | None) -> None:
        self.data_dir = data_dir


def _bridge_request(arguments: list[str]) -> _BridgeRequest | None:
    """`mcp`, alone or with a data directory on either side; anything else is left to the parser."""
    data_dir: Path | None = None
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name != "--data-dir":
            rest.append(word)
            continue
        value = value if equals else next(words, "")
        if not value:
            return None
        data_dir = Path(value).expanduser().absolute()
    return _BridgeRequest(data_dir) if rest == ["mcp"] else None
