"""SQLite with failing files: a VFS over the system VFS that makes the n-th call of a kind fail.

with failing_files() as files:
    files.fail("xSync", 3)             # the third call from now on fails, once
    files.fail("xWrite", 1, times=99)  # a broken disk
    files.read_only = True             # files opened from now on cannot be written
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import apsw

NAME = "failing"
CALLS = ("xRead", "xWrite", "xSync", "xTruncate", "xFileSize")


class FailingFiles(apsw.VFS):
    """Counts the calls of all files that it opens, and makes requested calls fail."""

    def __init__(self) -> None:
        self.below = apsw.vfs_names()[0]
        super().__init__(NAME, self.below, makedefault=True)
        self.calls: Counter[str] = Counter()
        self.failed = 0
        self.read_only = False
        self._failing: dict[str, range] = {}

    def fail(self, call: str, nth: int, *, times: int = 1) -> None:
        """Make the n-th call of a kind from now on fail, and the following ones, `times` in total."""
        first = self.calls[call] + nth
        self._failing[call] = range(first, first + times)
        self.failed = 0

    def heal(self) -> None:
        """Stop failing."""
        self._failing.clear()

    def count(self, call: str) -> None:
        self.calls[call] += 1
        if self.calls[call] in self._failing.get(call, ()):
            self.failed += 1
            raise apsw.IOError(f"{call} fails")

    def xOpen(self, name: Any, flags: list[int]) -> FailingFile:
        if self.read_only and flags[0] & apsw.SQLITE_OPEN_READWRITE:
            writes = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
            flags[0] = flags[0] & ~writes | apsw.SQLITE_OPEN_READONLY
        return FailingFile(self, name, flags)


class FailingFile(apsw.VFSFile):
    """One file, which forwards calls to the system."""

    def __init__(self, files: FailingFiles, name: Any, flags: list[int]) -> None:
        super().__init__(files.below, name, flags)
        self._files = files

    def xRead(self, amount: int, offset: int) -> bytes:
        self._files.count("xRead")
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:
        self._files.count("xWrite")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:
        self._files.count("xSync")
        super().xSync(flags)

    def xTruncate(self, newsize: int) -> None:
        self._files.count("xTruncate")
        super().xTruncate(newsize)

    def xFileSize(self) -> int:
        self._files.count("xFileSize")
        return super().xFileSize()


@contextmanager
def failing_files() -> Iterator[FailingFiles]:
    """Yield the VFS for all files that are opened in the block. Close all of them at the end."""
    files = FailingFiles()
    try:
        yield files
    finally:
        files.heal()
        files.unregister()
