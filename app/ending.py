"""Time limits for the end of a process. C code keeps them, so they also work while something holds the interpreter."""

from __future__ import annotations

import faulthandler
import os
import signal
import subprocess
import sys
from typing import Final

END_SECONDS: Final = 4.6
"""How long the end in order may take. With what comes before and after it, a process is gone within 5 seconds."""

_STDERR: Final = 2
_KILL_LATE: Final = 'read -r _ || exit 0; (sleep "$2"; kill -9 "$1") & timer=$!; cat >/dev/null; kill "$timer"'
"""After a first line this waits for the end of its input. The input ends with the process; if that takes too long, it is killed."""


def end_within(seconds: float = END_SECONDS) -> None:
    """End this process with status 1 if it still runs after `seconds`, and write to stderr what each thread does then.

    Call this where the end begins. A later call replaces the limit.
    """
    faulthandler.dump_traceback_later(seconds, exit=True, file=_STDERR)


def end_after_signals(seconds: float = END_SECONDS) -> None:
    """Let SIGTERM and SIGINT kill this process if it still runs `seconds` after the first of them.

    Python's own handlers wait until the interpreter is free, which a regular expression can hold for hours. The system's
    handler writes to a shell that counts the time. Call this once, after the handlers are set: they are called as well.
    """
    if sys.platform == "win32":
        return
    reader, writer = os.pipe()
    try:
        subprocess.Popen(
            ["/bin/sh", "-c", _KILL_LATE, "sh", str(os.getpid()), str(seconds)],
            stdin=reader,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            # Ctrl+C in the terminal reaches every process of the group.
            start_new_session=True,
        )
    except OSError:
        # A machine without a shell: the end in order is what remains.
        os.close(writer)
        return
    finally:
        os.close(reader)
    os.set_blocking(writer, False)
    for number in (signal.SIGTERM, signal.SIGINT):
        faulthandler.register(number, file=writer, all_threads=False, chain=True)
