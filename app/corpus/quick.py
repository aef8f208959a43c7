"""A quick look at a corpus that somebody else may have open: is the file sound?"""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import apsw

from app import caps
from app.corpus.database import translated


def quick_check(path: Path, *, seconds: float = caps.QUICK_CHECK_SECONDS) -> tuple[str, bool]:
    """What is wrong with the file, empty if nothing; and whether it was read to its end in this time.

    Changes nothing. Raises CorpusError for a file that is none, CorpusBusyError for one that nobody else may read.
    """
    deadline = time.monotonic() + seconds
    address = path.absolute().as_uri() + "?mode=ro"
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    with translated(path), closing(apsw.Connection(address, flags=flags)) as con:
        con.set_busy_timeout(caps.BUSY_TIMEOUT_MS)
        con.set_progress_handler(lambda: time.monotonic() > deadline, caps.QUICK_CHECK_STEPS)
        try:
            found = [str(message) for (message,) in con.execute("PRAGMA quick_check(1)")]
        except apsw.InterruptError:
            return "", False
    return "" if found == ["ok"] else "; ".join(found), True
