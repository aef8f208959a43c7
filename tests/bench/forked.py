"""Run benches in turn, each in a fork of this process, which has imported the application once.

    python tests/bench/forked.py < tasks

A task is a line of JSON: `command` (a file and its arguments), `output` (the file for its output) and `seconds`. The process prints the
exit status of each task. A bench that takes longer than `seconds` ends with SIGALRM.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any, Final

WARM: Final = (
    "app.embed.onnx",
    "app.engine",
    "app.engine.facade",
    "app.server.tools",
    "app.server.calls.dispatch",
    "tests.support.site",
)
"""Imports of most benches, which take a second of CPU time. None of them starts a thread."""


def next_task() -> dict[str, Any] | None:
    """Return the next task in a child process, or None at the end."""
    for line in sys.stdin:
        process = os.fork()
        if not process:
            task: dict[str, Any] = json.loads(line)
            return task
        print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), flush=True)  # noqa: T201
    return None


def become(command: list[str], output: str, seconds: int) -> None:
    """Use the arguments, the streams and the search path of the bench."""
    signal.alarm(seconds)
    with Path(output).open("wb") as file, Path(os.devnull).open("rb") as nothing:
        os.dup2(nothing.fileno(), 0)
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    sys.argv = command
    sys.path[0] = str(Path(command[0]).parent)


if __name__ == "__main__":
    for module in WARM:
        importlib.import_module(module)
    gc.freeze()
    if (given := next_task()) is not None:
        become(**given)
        __file__ = sys.argv[0]
        exec(compile(Path(__file__).read_bytes(), __file__, "exec"))
