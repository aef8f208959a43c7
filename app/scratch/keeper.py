"""Tells the bus of changes in the store, some together, and lets passages go when their time is over."""

from __future__ import annotations

import asyncio
import threading

from app import caps
from app.events import EventBus, ScratchChanged
from app.scratch.store import ScratchStore


class ScratchKeeper:
    """Runs on the loop that called `start`; nothing wakes it while nothing is kept."""

    def __init__(self, store: ScratchStore, bus: EventBus) -> None:
        self._store = store
        self._bus = bus
        self._lock = threading.Lock()
        self._is_told = False
        self._pins_changed = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._telling: asyncio.TimerHandle | None = None
        self._sweeping: asyncio.TimerHandle | None = None

    def start(self) -> None:
        """Follow the store from now on."""
        self._loop = asyncio.get_running_loop()
        self._store.on_change = self._on_change

    def stop(self) -> None:
        """Follow it no longer."""
        self._store.on_change = None
        self._loop = None
        for timer in (self._telling, self._sweeping):
            if timer is not None:
                timer.cancel()
        self._telling = self._sweeping = None

    def _on_change(self, pins: bool) -> None:
        loop = self._loop
        with self._lock:
            self._pins_changed = self._pins_changed or pins
            is_first, self._is_told = not self._is_told, True
        if is_first and loop is not None:
            loop.call_soon_threadsafe(self._tell_soon)

    def _tell_soon(self) -> None:
        if self._loop is not None:
            self._telling = self._loop.call_later(caps.SCRATCH_EVENT_SECONDS, self._tell)

    def _tell(self) -> None:
        with self._lock:
            pins_changed, self._pins_changed, self._is_told = self._pins_changed, False, False
        counters = self._store.counters
        self._bus.publish(ScratchChanged(counters.kept, counters.bytes, counters.pinned, pins_changed))
        self._plan_sweep()

    def _plan_sweep(self) -> None:
        if self._loop is None or self._sweeping is not None:
            return
        seconds = self._store.seconds_to_expiry()
        if seconds is not None:
            wait = max(seconds, caps.SCRATCH_SWEEP_SECONDS)
            self._sweeping = self._loop.call_later(wait, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self._store.sweep()
        self._plan_sweep()
