"""Which instance the bridge talks to: found, started, found again; and the life line that attaches to it."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from app import caps
from app.bridge.launch import ensure_instance, find_instance
from app.bridge.messages import LIST_CHANGES
from app.bridge.wire import Endpoint
from app.errors import NotRunningError
from app.instance import RuntimeInfo, read_runtime

POLL_SECONDS: Final = 0.05


class Instances:
    """Thread-safe access to the current instance of one data directory. `on_word` is told what it says on the life line."""

    def __init__(self, data_dir: Path, on_word: Callable[[bytes], None]) -> None:
        self._data_dir = data_dir
        self._on_word = on_word
        self._lock = threading.Lock()
        self._endpoint: Endpoint | None = None
        self._seen = False
        self._failure: NotRunningError | None = None
        self._failed_at = 0.0
        self._attached = False

    def current(self) -> Endpoint:
        """Where to send the next message; starts an instance where none runs. Raises NotRunningError."""
        with self._lock:
            if self._endpoint is None:
                self._endpoint = Endpoint(self._find())
                self._seen = True
            return self._endpoint

    def lost(self, endpoint: Endpoint) -> None:
        """Say that this endpoint did not answer; the next `current` looks again."""
        with self._lock:
            if self._endpoint is endpoint:
                self._endpoint = None
        endpoint.close()

    def attach(self, client: str) -> None:
        """Keep a life line to whatever instance runs, from the first call on until the process ends."""
        with self._lock:
            if self._attached:
                return
            self._attached = True
        threading.Thread(target=self._hold_line, args=(client,), name="life line", daemon=True).start()

    def _find(self) -> RuntimeInfo:
        if self._failure is not None and time.monotonic() - self._failed_at < caps.BRIDGE_FAILURE_SECONDS:
            raise NotRunningError(self._failure.message, hint=self._failure.hint)
        try:
            return self._await_restart() or ensure_instance(self._data_dir)
        except NotRunningError as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise

    def _await_restart(self) -> RuntimeInfo | None:
        deadline = time.monotonic() + (caps.BRIDGE_RESTART_SECONDS if self._seen else 0.0)
        while (info := find_instance(self._data_dir)) is None and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return info

    def _hold_line(self, client: str) -> None:
        query = f"client={client}&pid={os.getpid()}"
        before: int | None = None
        while True:
            if (info := read_runtime(self._data_dir)) is not None:
                if before not in (None, info.pid):
                    # Another instance, perhaps of another version: its lists may be others.
                    for word in LIST_CHANGES:
                        self._on_word(word)
                before = info.pid
                Endpoint(info).hold_line(query, caps.BRIDGE_SILENCE_SECONDS, self._on_word)
            time.sleep(caps.BRIDGE_REATTACH_SECONDS)
