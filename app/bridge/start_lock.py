"""Whose turn it is to start the application: of many bridges that find none running, one at a time."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

LOCK_FILE: Final = "start.lock"


class StartLock:
    """Held until released or until the process ends. Where no lock can be kept, everybody has it: the instance lock decides."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / LOCK_FILE
        self._descriptor: int | None = None
        self._is_ours = False

    def take(self) -> bool:
        """Whether it is this process's turn, now or since before."""
        if not self._is_ours:
            try:
                self._is_ours = self._locked()
            except OSError:
                self._is_ours = True
        return self._is_ours

    def release(self) -> None:
        """Let the next one have its turn."""
        self._is_ours = False
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def _locked(self) -> bool:
        if self._descriptor is None:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        return _lock(self._descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            os.lseek(descriptor, 0, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
