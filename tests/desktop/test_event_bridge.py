"""Events of any thread become few batches on the Qt thread."""

from __future__ import annotations

import threading

from pytestqt.qtbot import QtBot

from app.desktop.engine_thread import EventBridge
from app.events import CallFinished, CallProgress, CallStarted, DocumentChanged, EmbeddingProgress, Event, EventBus


def collect(bus: EventBus) -> tuple[EventBridge, list[list[Event]]]:
    bridge = EventBridge(bus)
    batches: list[list[Event]] = []
    bridge.batch.connect(batches.append)
    return bridge, batches


def finished(number: int) -> CallFinished:
    return CallFinished(number, "answer", "client", 1.0, 2.0, "ok", 3, 4, ())


def test_flood_from_threads_arrives_complete_in_few_batches(qtbot: QtBot) -> None:
    bus = EventBus()
    _bridge, batches = collect(bus)

    def publish(start: int) -> None:
        for number in range(start, start + 1_250):
            bus.publish(CallStarted(number, "answer", "client"))

    threads = [threading.Thread(target=publish, args=(start,)) for start in (0, 1_250, 2_500, 3_750)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    qtbot.waitUntil(lambda: sum(map(len, batches)) == 5_000)
    assert len(batches) < 20
    seen = {event.call_id for batch in batches for event in batch if isinstance(event, CallStarted)}
    assert seen == set(range(5_000))


def test_only_the_last_of_events_that_replace_each_other_is_kept(qtbot: QtBot) -> None:
    bus = EventBus()
    _bridge, batches = collect(bus)
    bus.publish(CallStarted(1, "answer", "client"))
    for waiting in range(300, 0, -1):
        bus.publish(EmbeddingProgress(waiting))
        bus.publish(CallProgress(1, "ranking", str(waiting)))
        bus.publish(DocumentChanged("https://a.example/", 1, "embedded"))
    bus.publish(finished(1))
    qtbot.waitUntil(lambda: bool(batches))
    assert batches == [
        [
            CallStarted(1, "answer", "client"),
            EmbeddingProgress(1),
            CallProgress(1, "ranking", "1"),
            DocumentChanged("https://a.example/", 1, "embedded"),
            finished(1),
        ]
    ]


def test_every_document_and_call_is_told_apart(qtbot: QtBot) -> None:
    bus = EventBus()
    _bridge, batches = collect(bus)
    for number in range(3):
        bus.publish(DocumentChanged(f"https://a.example/{number}", number, "stored"))
        bus.publish(finished(number))
    qtbot.waitUntil(lambda: bool(batches))
    assert len(batches[0]) == 6


def test_closed_bridge_is_silent(qtbot: QtBot) -> None:
    bus = EventBus()
    bridge, batches = collect(bus)
    bridge.close()
    bus.publish(EmbeddingProgress(1))
    qtbot.wait(120)
    assert batches == []
