"""What a node tells those who watch it: calls, their times and outcomes, what waits. Numbers only, nothing of people or pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from app import __version__
from app.events import CallFinished, CallStarted, Event, EventBus

SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Follows the events of the program from `start` to `stop`. `waiting` counts passages without vectors."""

    def __init__(self, bus: EventBus, waiting: Callable[[], int]) -> None:
        self._bus = bus
        self._registry = CollectorRegistry()
        self._running: set[int] = set()
        kinds, outcome = ["tool"], ["tool", "outcome"]
        self._calls = Counter("webrag_calls", "Calls that ended, by how.", outcome, registry=self._registry)
        self._times = Histogram(
            "webrag_call_seconds", "How long calls took.", kinds, buckets=SECONDS, registry=self._registry
        )
        under_way = Gauge("webrag_calls_running", "Calls that work or wait for their turn.", registry=self._registry)
        under_way.set_function(lambda: len(self._running))
        unembedded = Gauge("webrag_passages_waiting", "Passages that wait for a vector.", registry=self._registry)
        unembedded.set_function(waiting)
        Gauge("webrag_info", "The version.", ["version"], registry=self._registry).labels(__version__).set(1)
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Count from now on."""
        self._unsubscribe = self._bus.subscribe(self._on_event)

    def stop(self) -> None:
        """Count no more."""
        self._unsubscribe()

    def text(self) -> bytes:
        """The figures as Prometheus reads them."""
        return generate_latest(self._registry)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, CallStarted):
            self._running.add(event.call_id)
        elif isinstance(event, CallFinished):
            self._running.discard(event.call_id)
            self._calls.labels(event.tool, event.outcome).inc()
            self._times.labels(event.tool).observe(event.duration_ms / 1000)
