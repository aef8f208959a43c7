"""The command line. `webrag mcp` and the preparation process start without the rest of the command line."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

__all__ = ["is_interrupt", "main"]

INTERRUPTED = 130  # Exit status after Ctrl+C, as in shells.
PREPARE_WORKER = "prepare-worker"  # Command of the process that reads large bodies. Only the application starts it.


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status: 0 for success, 2 for a wrong command line.

    From here on, Ctrl+C returns INTERRUPTED without a traceback, also while modules are imported.
    """
    try:
        return _run(list(sys.argv[1:] if argv is None else argv), is_program=argv is None)
    except BaseException as error:
        if not is_interrupt(error):
            raise
        # If the last code that ran from a string was interrupted, `python -m` kills itself with SIGINT and ignores the status.
        # Dataclasses run such code.
        exec("")
        return INTERRUPTED


def is_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl+C caused an error. Python 3.11 turns an interrupt inside `__set_name__` into a RuntimeError, for example."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        if isinstance(error, KeyboardInterrupt):
            return True
        seen.add(id(error))
        error = error.__cause__
    return False


def _run(arguments: list[str], *, is_program: bool) -> int:
    request = _bridge_request(arguments)
    if request is not None:
        from app.bridge import serve

        return serve(*request)
    if arguments == [PREPARE_WORKER]:
        from app.ingest.worker import main as prepare

        return prepare()
    if not _is_serve(arguments):
        from app.cli.parser import run

        return run(arguments)
    from app.bridge.stdio import claim_stdio, claimed_stdio

    # Before anything else is loaded: nothing that a library prints, now or at the very end, may reach the client.
    with nullcontext(claim_stdio()) if is_program else claimed_stdio() as pipes:
        from app.cli.parser import run

        return run(arguments, pipes)


def _is_serve(arguments: list[str]) -> bool:
    """Whether the command is `serve`, which only prints protocol messages, and not its help."""
    words = iter(arguments)
    for word in words:
        if word == "--data-dir":
            next(words, "")
        elif not word.startswith("-"):
            return word == "serve" and not {"-h", "--help"} & set(arguments)
    return False


def _bridge_request(arguments: list[str]) -> tuple[Path | None, str] | None:
    """Return the data directory and the tool profile of `mcp`; None leaves other commands to the parser."""
    given = {"--data-dir": "", "--tools": ""}
    rest: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if name not in given:
            rest.append(word)
            continue
        given[name] = value if equals else next(words, "")
        if not given[name]:
            return None
    if rest != ["mcp"]:
        return None
    if given["--tools"]:
        from app.settings_schema import TOOL_PROFILES

        if given["--tools"] not in TOOL_PROFILES:
            return None
    data_dir = Path(given["--data-dir"]).expanduser().absolute() if given["--data-dir"] else None
    return data_dir, given["--tools"]
