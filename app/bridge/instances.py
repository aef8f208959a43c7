"""Find, start and reconnect to the instance that the bridge talks to, and keep a lifeline to it."""

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
"""Seconds that a known instance may be away before another one is started in its place."""
BRIDGE_FAILURE_SECONDS: Final = 1.0
"""Calls that waited for the same failed start share its error for this long instead of each trying again."""
BRIDGE_SILENCE_SECONDS: Final = 2 * caps.HEARTBEAT_SECONDS
"""Seconds without a heartbeat after which the lifeline counts as lost."""

POLL_SECONDS: Final = 0.05


class Listener(Protocol):
    """A receiver of events on the lifeline's thread."""

    def changed(self, word: bytes) -> None:
        """Handle a change of the list that `word` names."""

    def returned(self) -> None:
        """Handle a restored lifeline: changes during the interruption were not announced."""

    def hung(self, info: RuntimeInfo) -> None:
        """Handle an instance that keeps its connections but no longer responds."""


class Instances:
    """Thread-safe access to the current instance of a data directory. Without a directory there is no instance."""

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
        """Return the endpoint for the next message, and start an instance if none is running. Raises NotRunningError."""
        with self._lock:
            if self._endpoint is None:
                self._endpoint = Endpoint(self._find())
                self._seen = True
            return self._endpoint

    def running(self) -> Endpoint | None:
        """Return the endpoint of the running instance, if any. Never starts one: it may have been stopped on purpose."""
        with self._lock:
            if self._endpoint is None and self._folder is not None and (info := find_instance(self._folder)):
                self._endpoint = Endpoint(info)
            return self._endpoint

    def lost(self, endpoint: Endpoint) -> None:
        """Report that this endpoint did not respond. The next `current` searches again."""
        with self._lock:
            if self._endpoint is endpoint:
                self._endpoint = None
        endpoint.close()

    def attach(self, client: str) -> None:
        """Keep a lifeline to the running instance, from the first call until the process ends."""
        with self._lock:
            if self._attached or self._folder is None:
                return
            self._attached = True
        arguments = (self._folder, f"client={client}&pid={os.getpid()}")
        threading.Thread(target=self._hold_line, args=arguments, name="lifeline", daemon=True).start()

    def _find(self) -> RuntimeInfo:
        if self._folder is None:
            raise NotRunningError(
                "WebRAG cannot find its data: this user has no home folder, or data-folder.txt next to config.toml is damaged.",
                hint="Set HOME, or pass --data-dir.",
            )
        if self._failure is not None and time.monotonic() - self._failed_at < BRIDGE_FAILURE_SECONDS:
            raise NotRunningError(self._failure.message, hint=self._failure.hint)
        try:
            deadline = time.monotonic() + BRIDGE_RESTART_SECONDS
            while self._seen and time.monotonic() < deadline:
                if (info := find_instance(self._folder)) is not None:
                    return info
                time.sleep(POLL_SECONDS)
            info = find_instance(self._folder)
            if info is not None and not is_outdated(info):
                return info
            from app.bridge.start import ensure_instance  # Loaded on demand: most bridges start nothing.

            return ensure_instance(self._folder)
        except NotRunningError as error:
            self._failure, self._failed_at = error, time.monotonic()
            raise

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
