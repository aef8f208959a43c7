"""Tests of the engine's thread: results, errors, cancel, pause, restart, exit, and batches of events."""

from __future__ import annotations

import asyncio
import gc
import socket
import threading
import time
import traceback
import weakref
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QThread
from pytestqt.qtbot import QtBot

from app import memory
from app.desktop import engine_thread, qt
from app.desktop.backend import BackendState, Phase, Requests
from app.desktop.engine_thread import EngineThread, EventBridge, Job, LongWork
from app.desktop.status import Status
from app.errors import CorpusTooNewError, PausedError, SettingsError, WebRAGError
from app.events import (
    CallFinished,
    CallProgress,
    CallStarted,
    DocumentChanged,
    EmbeddingProgress,
    Event,
    EventBus,
    LabelsChanged,
    ScratchChanged,
)
from app.instance import read_runtime
from app.settings import Settings
from tests.desktop.fake_engine import FakeEndpoint, FakeEngine, FakeParts


@pytest.fixture
def parts() -> FakeParts:
    return FakeParts(3)


@pytest.fixture
def thread(parts: FakeParts, tmp_path: Path, qtbot: QtBot) -> Iterator[EngineThread]:
    made = EngineThread(Settings(data_dir=tmp_path), EventBus(), parts)
    yield made
    assert made.stop(5)


def wait_for(thread: EngineThread, phase: Phase, qtbot: QtBot) -> BackendState:
    qtbot.waitUntil(lambda: thread.state.phase is phase, timeout=5_000)
    return thread.state


def test_the_engine_stops_while_something_else_takes_the_time_of_the_exit(thread: EngineThread, qtbot: QtBot) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    thread.begin_stop()
    qtbot.waitUntil(lambda: not thread._thread.is_alive())
    assert thread.stop(-1.0)


def test_work_waits_for_the_engine_and_returns_on_the_qt_thread(thread: EngineThread, qtbot: QtBot) -> None:
    got: list[tuple[int, bool]] = []
    main = QThread.currentThread()
    thread.submit(
        lambda engine: engine.documents.find(limit=10),
        lambda rows: got.append((len(rows), QThread.currentThread() is main)),
    )
    thread.start()
    qtbot.waitUntil(lambda: got == [(3, True)])


def test_assistants_can_connect_while_the_library_is_updated(
    parts: FakeParts, thread: EngineThread, tmp_path: Path, qtbot: QtBot
) -> None:
    parts.updated, status = threading.Event(), Status()
    bridge = EventBridge(thread._backend._bus)
    bridge.batch.connect(status.on_events)
    thread.state_changed.connect(status.set_backend)
    thread.start()
    qtbot.waitUntil(lambda: read_runtime(tmp_path) is not None and status.is_updating)
    assert (thread.state.phase, thread.state.url) == (Phase.STARTING, "")
    assert (status.summary(), status.share) == ("Updating the library: 25%", 0.25)
    parts.updated.set()
    assert wait_for(thread, Phase.RUNNING, qtbot).url
    assert (status.is_updating, status.share) == (False, None)
    assert len(parts.endpoints) == 1


def test_an_update_that_fails_ends_the_endpoint(
    parts: FakeParts, thread: EngineThread, tmp_path: Path, qtbot: QtBot
) -> None:
    parts.updated, parts.start_error = threading.Event(), CorpusTooNewError("no")
    thread.start()
    qtbot.waitUntil(lambda: read_runtime(tmp_path) is not None)
    parts.updated.set()
    wait_for(thread, Phase.FAILED, qtbot)
    qtbot.waitUntil(lambda: parts.endpoints[0].stops == 1)


def test_work_runs_on_the_engines_thread(thread: EngineThread, qtbot: QtBot) -> None:
    async def where(_engine: object) -> str:
        return threading.current_thread().name

    got: list[str] = []
    thread.start()
    thread.submit(where, got.append)
    qtbot.waitUntil(lambda: got == ["engine"])


def test_errors_reach_the_caller_or_the_signal(thread: EngineThread, qtbot: QtBot) -> None:
    async def refuse(_engine: object) -> None:
        raise SettingsError("no")

    async def break_down(_engine: object) -> None:
        raise ZeroDivisionError("a defect")

    errors: list[WebRAGError] = []
    unclaimed: list[WebRAGError] = []
    thread.failed.connect(unclaimed.append)
    thread.start()
    thread.submit(refuse, failed=errors.append)
    thread.submit(break_down)
    qtbot.waitUntil(lambda: len(errors) == 1 and len(unclaimed) == 1)
    assert isinstance(errors[0], SettingsError)
    assert "a defect" in unclaimed[0].message


async def _pass(_engine: object) -> None:
    await asyncio.sleep(0)


async def _fail(_engine: object) -> None:
    raise SettingsError("no")


async def _break_down(_engine: object) -> None:
    raise ZeroDivisionError("a defect")


async def _last(_engine: object) -> None:
    await asyncio.sleep(0.1)


def test_what_callbacks_hold_is_deleted_on_the_main_thread(
    thread: EngineThread, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Qt objects that another thread deletes can stop both threads, or leave timers that end the process."""
    monkeypatch.setattr(
        engine_thread.log, "disabled", True
    )  # The records that pytest keeps hold the frames of the work.
    deleted: list[str] = []

    def held() -> QObject:
        made = QObject()
        weakref.finalize(made, lambda: deleted.append(threading.current_thread().name))
        return made

    def begin(act: Callable[[object], Coroutine[None, None, None]], *, is_blocking: bool) -> Job:
        worked, ended, refused, owner = held(), held(), held(), held()

        async def work(engine: object) -> None:
            await act(engine)
            worked.objectName()

        if is_blocking:
            return thread.run_blocking(
                lambda: asyncio.run(work(None)),
                lambda _: ended.objectName(),
                lambda _: refused.objectName(),
                owner=owner,
            )
        return thread.submit(work, lambda _: ended.objectName(), lambda _: refused.objectName(), owner=owner)

    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    acts = [(act, is_blocking) for act in (_pass, _fail, _break_down, _last) for is_blocking in (False, True)]
    jobs = [begin(act, is_blocking=is_blocking) for act, is_blocking in acts]
    cancelled = [begin(act, is_blocking=is_blocking) for act, is_blocking in acts]
    # The other threads do their part first.
    time.sleep(0.02)
    for job in (*cancelled, *jobs[-2:]):
        job.cancel()
    del job, jobs, cancelled
    time.sleep(0.1)

    def are_deleted() -> bool:
        thread._collector._look()
        gc.collect()  # Work that is canceled early, on a busy computer, leaves its error in a cycle.
        return len(deleted) == 8 * len(acts)

    qtbot.waitUntil(are_deleted)
    assert set(deleted) == {"MainThread"}


def test_an_error_that_many_wait_for_holds_no_frames(thread: EngineThread, parts: FakeParts, qtbot: QtBot) -> None:
    parts.start_error = CorpusTooNewError("The file is of a later version.")
    got: list[WebRAGError] = []
    thread.start()
    wait_for(thread, Phase.FAILED, qtbot)
    for _ in range(2):
        thread.submit(lambda engine: engine.documents.find(limit=1), failed=got.append)
    qtbot.waitUntil(lambda: len(got) == 2)
    assert got[0] is got[1] is parts.start_error
    names = {frame.name for frame in traceback.extract_tb(got[0].__traceback__)}
    assert "with_engine" not in names, names


def test_canceled_work_reports_nothing(thread: EngineThread, qtbot: QtBot) -> None:
    async def forever(_engine: object) -> None:
        await asyncio.sleep(60)

    got: list[object] = []
    thread.start()
    job = thread.submit(forever, got.append, got.append)
    wait_for(thread, Phase.RUNNING, qtbot)
    job.cancel()
    qtbot.wait(50)
    assert got == []
    assert not job.is_running


def test_a_pending_result_of_canceled_work_is_not_reported(thread: EngineThread, qtbot: QtBot) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    got: list[str] = []
    ended = threading.Event()

    async def work(_engine: object) -> str:
        return "late"

    job = thread.submit(work, got.append)
    job._future.add_done_callback(lambda _future: ended.set())
    assert ended.wait(60)
    job.cancel()
    thread.submit(work, lambda _result: got.append("last"))
    qtbot.waitUntil(lambda: bool(got))
    assert got == ["last"]


def test_callbacks_are_dropped_after_their_owner_is_deleted(thread: EngineThread, qtbot: QtBot) -> None:
    import shiboken6

    got: list[object] = []
    owner = QObject()
    thread.submit(lambda engine: engine.documents.find(limit=1), got.append, owner=owner)
    shiboken6.delete(owner)
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    qtbot.wait(50)
    assert got == []


def test_the_running_instance_is_announced_and_withdrawn(thread: EngineThread, tmp_path: Path, qtbot: QtBot) -> None:
    import os

    thread.start()
    state = wait_for(thread, Phase.RUNNING, qtbot)
    assert state.url == "http://127.0.0.1:8765/mcp"
    info = read_runtime(tmp_path)
    assert info is not None
    assert info.url == state.url
    (tmp_path / "runtime.json").write_text(
        (tmp_path / "runtime.json").read_text().replace('"pid": 1', f'"pid": {os.getpid()}')
    )
    assert thread.stop(5)
    assert read_runtime(tmp_path) is None


def test_pause_rejects_calls_with_a_reason_but_not_the_window(
    thread: EngineThread, parts: FakeParts, qtbot: QtBot
) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    thread.set_paused(True)
    state = wait_for(thread, Phase.PAUSED, qtbot)
    assert state.url, "a paused endpoint still listens"
    assert parts.engines[0].is_paused
    assert parts.served is not None
    with pytest.raises(PausedError):
        parts.served.check_not_paused()
    got: list[int] = []
    thread.submit(lambda engine: engine.documents.find(limit=9), lambda rows: got.append(len(rows)))
    qtbot.waitUntil(lambda: got == [3])
    thread.set_paused(False)
    wait_for(thread, Phase.RUNNING, qtbot)
    assert not parts.engines[0].is_paused
    parts.served.check_not_paused()


def test_a_failed_engine_start_is_a_state_and_an_error_for_pending_work(
    thread: EngineThread, parts: FakeParts, tmp_path: Path, qtbot: QtBot
) -> None:
    parts.start_error = CorpusTooNewError("Version 9.")
    errors: list[WebRAGError] = []
    thread.submit(lambda engine: engine.documents.find(limit=1), failed=errors.append)
    thread.start()
    assert wait_for(thread, Phase.FAILED, qtbot).error is parts.start_error
    qtbot.waitUntil(lambda: errors == [parts.start_error])
    parts.start_error = None
    thread.restart(Settings(data_dir=tmp_path))
    wait_for(thread, Phase.RUNNING, qtbot)


def test_an_unusable_address_does_not_stop_the_engine(thread: EngineThread, parts: FakeParts, qtbot: QtBot) -> None:
    parts.listen_error = OSError(98, "Address already in use")
    thread.start()
    state = wait_for(thread, Phase.RUNNING, qtbot)
    assert state.url == ""
    assert state.server_error is not None
    assert "127.0.0.1:8765: Address already in use" in state.server_error.message
    parts.listen_error = None
    thread.listen_again()
    qtbot.waitUntil(lambda: bool(thread.state.url))
    assert thread.state.server_error is None


def test_restart_uses_the_new_settings_and_stops_the_old_engine(
    thread: EngineThread, parts: FakeParts, tmp_path: Path, qtbot: QtBot
) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    thread.restart(Settings(data_dir=tmp_path, mcp_port=9999))
    qtbot.waitUntil(lambda: len(parts.engines) == 2 and thread.state.phase is Phase.RUNNING)
    assert parts.engines[0].stopped
    assert parts.engines[1].settings.mcp_port == 9999


def test_a_restart_replaces_an_endpoint_that_is_starting(
    thread: EngineThread, parts: FakeParts, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For example because the keyring returned the token late."""
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    begun, go_on, build = threading.Event(), threading.Event(), parts.build_endpoint

    def slowly(engine: FakeEngine, requests: Requests) -> FakeEndpoint:
        begun.set()
        assert go_on.wait(60)
        return build(engine, requests)

    monkeypatch.setattr(parts, "build_endpoint", slowly)
    thread.listen_again()
    qtbot.waitUntil(begun.is_set)
    thread.restart(Settings(data_dir=tmp_path))
    qtbot.wait(50)
    go_on.set()
    qtbot.waitUntil(
        lambda: len(parts.engines) == 2 and thread.state.engine is parts.engines[1] and bool(thread.state.url)
    )
    assert parts.served is parts.engines[1], "the old engine has stopped"
    assert [endpoint.stops for endpoint in parts.endpoints] == [1, 1, 0]


def test_lost_work_does_not_block_the_next(thread: EngineThread, qtbot: QtBot) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    work, ended = LongWork(thread), list[object]()

    async def lost(_engine: object, _watch: object) -> None:
        raise asyncio.CancelledError

    async def done(_engine: object, _watch: object) -> int:
        return 7

    work.start(lost, ended.append, ended.append, lambda: None)
    qtbot.waitUntil(lambda: not work.is_running)
    work.start(done, ended.append, ended.append, lambda: None)
    qtbot.waitUntil(lambda: ended == [7])


def test_a_restart_waits_for_a_start(thread: EngineThread, parts: FakeParts, tmp_path: Path, qtbot: QtBot) -> None:
    parts.updated = threading.Event()
    thread.start()
    qtbot.waitUntil(lambda: bool(parts.endpoints))
    thread.restart(Settings(data_dir=tmp_path))
    thread.restart(Settings(data_dir=tmp_path, mcp_port=9999))
    qtbot.wait(50)
    parts.updated.set()
    qtbot.waitUntil(lambda: len(parts.engines) == 3 and thread.state.engine is parts.engines[2])
    assert [engine.stopped for engine in parts.engines] == [True, True, False]
    assert parts.served is parts.engines[2] and parts.engines[2].settings.mcp_port == 9999


def test_a_server_that_is_turned_off_does_not_listen(tmp_path: Path, parts: FakeParts, qtbot: QtBot) -> None:
    thread = EngineThread(Settings(data_dir=tmp_path, mcp_enabled=False), EventBus(), parts)
    thread.start()
    assert wait_for(thread, Phase.RUNNING, qtbot).url == ""
    assert parts.served is None
    assert thread.stop(5)


def test_stop_does_not_wait_for_a_hanging_engine(tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    release = threading.Event()

    async def hang(_self: FakeEngine) -> None:
        await asyncio.to_thread(release.wait)

    monkeypatch.setattr(FakeEngine, "stop", hang)
    thread = EngineThread(Settings(data_dir=tmp_path), EventBus(), FakeParts())
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    assert not thread.stop(0.2)
    release.set()
    assert thread.stop(5)


def test_exit_waits_for_work_that_must_not_be_lost(thread: EngineThread, qtbot: QtBot) -> None:
    came_through: list[str] = []

    async def change(name: str, seconds: float) -> None:
        await asyncio.sleep(seconds)
        came_through.append(name)

    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    thread.submit(lambda _engine: change("deletion", 0.2), lasting=True)
    thread.submit(lambda _engine: change("listing", 60))
    assert thread.stop(5)
    assert came_through == ["deletion"]


def test_exit_does_not_wait_forever_for_work(
    thread: EngineThread, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.desktop.engine_thread.LAST_WORK_SECONDS", 0.1)
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    thread.submit(lambda _engine: asyncio.sleep(60), lasting=True)
    assert thread.stop(5)


def test_work_after_the_exit_is_dropped(thread: EngineThread, qtbot: QtBot) -> None:
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    assert thread.stop(5)
    job = thread.submit(lambda engine: engine.documents.find(limit=1))
    assert not job.is_running


def test_an_unexpected_error_of_a_background_task_is_reported(thread: EngineThread, qtbot: QtBot) -> None:
    async def leave_a_broken_callback(_engine: object) -> None:
        asyncio.get_running_loop().call_soon(lambda: 1 / 0)

    defects: list[Exception] = []
    thread.defect.connect(defects.append)
    thread.start()
    thread.submit(leave_a_broken_callback)
    qtbot.waitUntil(lambda: len(defects) == 1)
    assert isinstance(defects[0], ZeroDivisionError)


def test_a_port_in_use_is_reported_by_the_real_endpoint(tmp_path: Path, qtbot: QtBot) -> None:
    """With an address that does not exist, the real server raises OSError and the window gets a state."""
    from app.desktop.backend import Parts
    from app.secrets import SecretStore

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        settings = Settings(data_dir=tmp_path, mcp_host="192.0.2.1")
        thread = EngineThread(settings, EventBus(), Parts(SecretStore()))
        thread.start()
        qtbot.waitUntil(lambda: thread.state.server_error is not None, timeout=20_000)
        assert thread.state.phase is Phase.RUNNING
        assert thread.stop(8)


def collect(bus: EventBus) -> tuple[EventBridge, list[list[Event]]]:
    bridge = EventBridge(bus)
    batches: list[list[Event]] = []
    bridge.batch.connect(batches.append)
    return bridge, batches


def finished(number: int) -> CallFinished:
    return CallFinished(number, "answer", "client", 1.0, 2.0, "ok", 3, 4, ())


def test_many_events_from_threads_arrive_completely_in_few_batches(qtbot: QtBot) -> None:
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


def test_only_the_last_of_replaceable_events_is_kept(qtbot: QtBot) -> None:
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


def test_events_of_different_documents_and_calls_are_all_kept(qtbot: QtBot) -> None:
    bus = EventBus()
    _bridge, batches = collect(bus)
    for number in range(3):
        bus.publish(DocumentChanged(f"https://a.example/{number}", number, "stored"))
        bus.publish(finished(number))
        bus.publish(LabelsChanged((number, number + 1)))
    qtbot.waitUntil(lambda: bool(batches))
    assert len(batches[0]) == 9


def test_a_later_event_does_not_hide_that_pins_changed(qtbot: QtBot) -> None:
    bus = EventBus()
    _bridge, batches = collect(bus)
    for kept, pins_changed in ((1, False), (2, True), (3, False), (4, False)):
        bus.publish(ScratchChanged(kept, 10, 1, pins_changed))
    qtbot.waitUntil(lambda: bool(batches))
    assert [(event.kept, event.pins_changed) for event in batches[0]] == [(2, True), (4, False)]


def test_a_closed_bridge_emits_nothing(qtbot: QtBot) -> None:
    bus = EventBus()
    bridge, batches = collect(bus)
    bridge.close()
    bus.publish(EmbeddingProgress(1))
    qtbot.wait(120)
    assert batches == []


# Garbage of the window.


class _Circle:
    """A reference cycle with a Qt object, which only the collector can delete."""

    def __init__(self, deleted_on: list[str]) -> None:
        self.itself = self
        self.held = QObject()
        here = threading.current_thread
        self.held.destroyed.connect(lambda: deleted_on.append(here().name), Qt.ConnectionType.DirectConnection)


@pytest.fixture
def python_collects(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Python's collector in its initial state."""
    monkeypatch.setattr(qt, "COLLECT_MS", 20)
    gc.enable()
    yield
    gc.disable()


def _make_many() -> int:
    """Create enough objects to trigger a full collection."""
    return len([[[]] for _ in range(4 * gc.get_threshold()[0] * gc.get_threshold()[1])])


@pytest.mark.parametrize("work", [_make_many, memory.settle], ids=["many objects", "the end of the start"])
def test_garbage_of_the_window_is_collected_on_its_own_thread(
    work: Callable[[], object],
    python_collects: None,
    thread: EngineThread,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    deleted_on: list[str] = []
    done: list[object] = []
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    for _ in range(20):
        _Circle(deleted_on)
    thread.run_blocking(work, done.append)
    qtbot.waitUntil(lambda: bool(done))
    monkeypatch.setattr(memory, "FEW_OBJECTS", 0)
    memory.settle()
    qtbot.waitUntil(lambda: len(deleted_on) == 20)
    assert set(deleted_on) == {"MainThread"}


def test_a_keyring_that_waits_for_its_password_delays_nothing_else(thread: EngineThread, qtbot: QtBot) -> None:
    """The threads that all other work shares must not wait with it, and neither must the exit."""
    answered, done = threading.Event(), list[object]()
    thread.start()
    wait_for(thread, Phase.RUNNING, qtbot)
    for _ in range(40):
        thread.run_blocking(lambda: answered.wait(30), done.append, uses_keyring=True)
    thread.run_blocking(lambda: "a file", done.append)
    qtbot.waitUntil(lambda: bool(done))
    assert done == ["a file"]
    assert thread.stop(20)
    answered.set()


def test_python_collects_garbage_again_after_the_last_engine_stops(
    python_collects: None, thread: EngineThread, tmp_path: Path, qtbot: QtBot
) -> None:
    other = EngineThread(Settings(data_dir=tmp_path), EventBus(), FakeParts(0))
    for each in (thread, other):
        each.start()
        wait_for(each, Phase.RUNNING, qtbot)
    assert thread.stop(60) and not gc.isenabled()
    assert other.stop(60) and gc.isenabled()
