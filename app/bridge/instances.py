"""Which instance the bridge talks to: found, started, found again; and the life line that attaches to it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Final, Protocol

from app import caps
from app.bridge.wire import Endpoint
from app.errors import NotRunningError
from app.instance import RuntimeInfo, find_instance, is_healthy, is_outdated, noted_instance

BRIDGE_RESTART_SECONDS: Final = 1.0
"""How long an instance that was there before may be away before another one is started in its place."""
BRIDGE_FAILURE_SECONDS: Final = 1.0
"""Calls that waited for the same failed start share its error instead of trying one after the other."""
BRIDGE_SILENCE_SECONDS: Final = 2 * caps.HEARTBEAT_SECONDS
"""After this long without a sign of life the line to the instance counts as cut."""

POLL_SECONDS: Final = 0.05


class Listener(Protocol):
    """Receives what happens on the life line, on its thread."""

    def changed(self, word: bytes) -> None:
        """A list changed; the word says which."""

    def returned(self) -> None:
        """The line holds again after it was cut; changes in between were not announced."""

    def hung(self, info: RuntimeInfo) -> None:
        """The instance keeps its connections but answers no more."""


class Instances:
    """Thread-safe access to the current instance of one data directory; without a directory there is none."""

    def __init__(self, data_dir: Path | None, listener: Listener) -> None:
        self._folder = data_dir
        self._listener = listener
        self._lock = threading.Lock()
        self._endpoint: Endpoint | None = None
        self._seen = False
        self._failure: NotRunningError | None = None
        self._failed_at = 0.0
        self._attached = False
        self._was_open = False

    def current(self) -> Endpoint:
        """Where to send the next message; starts an instance where none runs. Raises NotRunningError."""
        with self._lock:
            if self._endpoint is None:
                self._endpoint = Endpoint(self._find())
                self._seen = True
            return self._endpoint

    def running(self) -> Endpoint | None:
        """Where an instance runs now, if one does: nothing is started, because it may have been ended on purpose."""
        with self._lock:
            if self._endpoint is None and self._folder is not None and (info := find_instance(self._folder)):
                self._endpoint = Endpoint(info)
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
            if self._attached or self._folder is None:
                return
            self._attached = True
        arguments = (self._folder, f"client={client}&pid={os.getpid()}")
        threading.Thread(target=self._hold_line, args=arguments, name="life line", daemon=True).start()

    def _find(self) -> RuntimeInfo:
        if self._folder is None:
            raise NotRunningError(
                "WebRAG cannot tell where its data is: this user has no home folder, or data-folder.txt beside config.toml is damaged.",
                hint="Set HOME, or give --data-dir.",
            )
        if self._failure is not None and time.monotonic() - self._failed_at < BRIDGE_FAILURE_SECONDS:
            raise NotRunningError(self._failure.message, hint=self._failure.hint)
        try:
            return self._await_restart(self._folder) or _running_or_started(self._folder)
        except NotRunningError as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise

    def _await_restart(self, folder: Path) -> RuntimeInfo | None:
        if not self._seen:
            return None
        deadline = time.monotonic() + BRIDGE_RESTART_SECONDS
        while (info := find_instance(folder)) is None and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)
        return info

    def _hold_line(self, folder: Path, query: str) -> None:
        while True:
            if (info := noted_instance(folder)) is not None:
                was_silent = Endpoint(info).hold_line(
                    query, BRIDGE_SILENCE_SECONDS, self._listener.changed, self._opened
                )
                if was_silent and not is_healthy(info):
                    self._listener.hung(info)
            time.sleep(caps.BRIDGE_REATTACH_SECONDS)

    def _opened(self) -> None:
        if self._was_open:
            self._listener.returned()
        self._was_open = True


def _running_or_started(folder: Path) -> RuntimeInfo:
    """The instance that runs; what starts one is loaded only where it is needed. Raises NotRunningError."""
    info = find_instance(folder)
    if info is not None and not is_outdated(info):
        return info
    from app.bridge.start import ensure_instance

    return ensure_instance(folder)
