"""Typed events on one bus: progress, activity, corpus changes. MCP progress, tray, Activity page and progress bar read the same stream."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """Base of all events."""


@dataclass(frozen=True, slots=True)
class EngineStateChanged(Event):
    """The engine started, stopped, paused, or its embedder became usable or not."""

    state: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ServerStateChanged(Event):
    """The HTTP endpoint went up (`url`) or down (empty `url`)."""

    url: str


@dataclass(frozen=True, slots=True)
class ClientsChanged(Event):
    """The names of the clients attached through bridges, one entry a bridge."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ToolsChanged(Event):
    """Which tools are offered to whom has been changed; every field as it is now, in the spelling of the settings."""

    profile: str
    client_profiles: tuple[str, ...] = ()
    name_style: str = "underscore"
    client_name_styles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ScratchChanged(Event):
    """Passages were kept or removed since the last of these: how many there are now, and whether the pinned ones are others."""

    kept: int
    bytes: int
    pinned: int
    pins_changed: bool


@dataclass(frozen=True, slots=True)
class CallStarted(Event):
    """A tool call arrived. `call_id` is unique in this process."""

    call_id: int
    tool: str
    client: str


@dataclass(frozen=True, slots=True)
class CallProgress(Event):
    """A phase of a running call, as worded for the assistant."""

    call_id: int
    phase: str
    detail: str


@dataclass(frozen=True, slots=True)
class CallFinished(Event):
    """A tool call ended. `outcome` is "ok" or the taxonomy code of the error; sizes are of the result text."""

    call_id: int
    tool: str
    client: str
    started_at: float
    duration_ms: float
    outcome: str
    tokens: int
    characters: int
    pages: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentChanged(Event):
    """A document was stored, updated, embedded or deleted. `change` is stored, updated, unchanged, embedded or deleted."""

    url: str
    document_id: int
    change: str


@dataclass(frozen=True, slots=True)
class EmbeddingProgress(Event):
    """Chunks that still wait for their vectors."""

    waiting: int


@dataclass(frozen=True, slots=True)
class JobChanged(Event):
    """A background job was added, moved on or ended. `state` is a JobState, `seconds_left` an estimate (None: unknown)."""

    job_id: int
    kind: str
    target: str
    state: str
    done: int
    total: int
    failed: int
    detail: str = ""
    seconds_left: float | None = None


Listener = Callable[[Event], None]


class EventBus:
    """Publish-subscribe between threads; listeners run on the publisher's thread and must return at once."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the returned function removes it."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return unsubscribe

    def publish(self, event: Event) -> None:
        """Hand the event to every listener; one that fails is logged and does not stop the others."""
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:
                log.exception("a listener failed on %s", type(event).__name__)
