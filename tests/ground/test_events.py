from __future__ import annotations

import logging
import threading

import pytest

from app.events import EmbeddingProgress, Event, EventBus


def test_listeners_get_events_in_order_until_they_leave() -> None:
    bus, seen = EventBus(), list[Event]()
    leave = bus.subscribe(seen.append)
    bus.publish(EmbeddingProgress(2))
    bus.publish(EmbeddingProgress(1))
    leave()
    bus.publish(EmbeddingProgress(0))
    assert seen == [EmbeddingProgress(2), EmbeddingProgress(1)]


def test_a_failing_listener_is_logged_and_does_not_stop_the_others(caplog: pytest.LogCaptureFixture) -> None:
    bus, seen = EventBus(), list[Event]()

    def fail(event: Event) -> None:
        raise RuntimeError("listener broke")

    bus.subscribe(fail)
    bus.subscribe(seen.append)
    with caplog.at_level(logging.ERROR):
        bus.publish(EmbeddingProgress(1))
    assert seen == [EmbeddingProgress(1)] and "listener broke" in caplog.text


def test_events_from_many_threads_all_arrive() -> None:
    bus, seen = EventBus(), list[Event]()
    bus.subscribe(seen.append)
    threads = [
        threading.Thread(target=lambda: [bus.publish(EmbeddingProgress(n)) for n in range(200)]) for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 1600
