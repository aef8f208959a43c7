"""The engine's thread: an asyncio loop next to Qt's, and the delivery of results and events to the window."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.desktop.backend import Backend, BackendState, Parts, Phase
from app.desktop.qt import Act, Collector, single_shot
from app.desktop.wording import speak
from app.errors import WebRAGError, WorkCancelledError
from app.events import Event, EventBus
from app.memory import on_own_thread

if TYPE_CHECKING:
    from app.corpus.watch import Watch
    from app.engine import Engine as Engine
    from app.settings import Settings
else:
    Engine = "Engine"  # Only for annotations of this package: the window does not load the engine before it needs it.

log = logging.getLogger(__name__)

T = TypeVar("T")

Ask = Callable[[Engine], Awaitable[T]]  # Work on the engine.
Done = Callable[[T], None] | None  # What to do with the result.
Fail = Callable[[WebRAGError], object]  # What to do with an error.

STOP_SECONDS = 4.0  # Seconds that quitting waits for the engine.
LAST_WORK_SECONDS = 2.0  # Seconds that quitting waits for work that must not be lost, such as deletions.

INTERVAL_MS = 60
"""Milliseconds between batches of events: fast enough to look live, and a flood of events causes only one repaint per batch."""
SUBJECT: Final = ("call_id", "round", "url", "job_id", "document_ids", "pins_changed")
"""The fields that an event shares with an earlier one of its kind that it replaces. One without pin changes must not hide one with them."""


@dataclass(eq=False, slots=True)
class _Lent:
    """Callables of the window for other threads. Whichever thread drops them last hands them back to be dropped on the main thread.

    They may hold the last reference to a Qt object. Its deletion on another thread would disconnect its signals there, and that thread and
    the main thread could wait for a lock of each other.
    """

    returned: deque[object]
    work: Callable[..., Any]
    done: Callable[[Any], None] | None = None
    failed: Fail | None = None
    owner: QObject | None = None
    is_cancelled: bool = False

    def __del__(self) -> None:
        self.returned.append((self.work, self.done, self.failed, self.owner))

    def __call__(self) -> object:
        return self.work()


class Job:
    """Work on the engine's thread that the window can cancel. A canceled job does not report anything."""

    def __init__(self, future: Future[Any], lent: _Lent) -> None:
        self._future, self._lent = future, lent

    def cancel(self) -> None:
        # A finished result may already be on its way to the Qt thread.
        self._lent.is_cancelled = True
        self._future.cancel()

    @property
    def is_running(self) -> bool:
        return not self._future.done()

    @property
    def is_lost(self) -> bool:
        """Whether it was canceled, also because the engine stopped, and reports nothing."""
        return self._future.cancelled()


class EngineThread(QObject):
    """Runs the backend. All callbacks run on the Qt thread."""

    state_changed = Signal(object)
    show_requested = Signal()
    stop_requested = Signal()
    failed = Signal(object)  # Emits a WebRAGError of work without an error callback.
    defect = Signal(object)  # Emits an unexpected exception from a task or callback of the engine's loop.
    _delivered = Signal(object)

    def __init__(self, settings: Settings, bus: EventBus, parts: Parts, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._loop = asyncio.new_event_loop()
        self._ending = asyncio.Event()
        self._is_told = False
        self._lasting: set[Future[Any]] = set()
        requests = self.show_requested.emit, self.stop_requested.emit
        self._backend = Backend(bus, parts, requests, self._state_reported, self._loop)
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._collector = Collector(self)
        self.state = BackendState(Phase.STARTING)
        self._delivered.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self._collector.start()
        self._thread.start()

    def begin_stop(self) -> None:
        """Let endpoint, engine and thread stop, without waiting."""
        if self._thread.is_alive() and not self._is_told:
            self._is_told = True
            self._loop.call_soon_threadsafe(self._ending.set)

    def stop(self, timeout: float | None = None) -> bool:
        """Stop endpoint, engine and thread. Return False after `timeout` seconds, or STOP_SECONDS."""
        timeout = STOP_SECONDS if timeout is None else max(0.0, timeout)
        self.begin_stop()
        if self._thread.is_alive():
            self._thread.join(timeout)
        if self._thread.is_alive():
            log.error("the engine did not stop within %.0f seconds", timeout)
            return False
        self._collector.stop()
        return True

    def submit(
        self,
        work: Ask[T],
        done: Done[T] = None,
        failed: Fail | None = None,
        *,
        owner: QObject | None = None,
        lasting: bool = False,
    ) -> Job:
        """Run `work` on the engine's loop when the engine is running. Callbacks are dropped when `owner` is deleted.

        The exit waits for `lasting` work and cancels all other work.
        """

        async def with_engine(backend: Backend) -> T:
            return await work(await backend.engine())

        return self._schedule(with_engine, done, failed, owner, lasting=lasting)

    def run_blocking(
        self,
        work: Callable[[], T],
        done: Done[T] = None,
        failed: Fail | None = None,
        *,
        owner: QObject | None = None,
        uses_keyring: bool = False,
    ) -> Job:
        """Run a blocking function on a worker thread."""

        async def on_worker(_backend: Backend) -> T:
            # The worker may drop its work after everything else has.
            lent = cast("Callable[[], T]", _Lent(self._collector.returned, work))
            return await (on_own_thread("keyring", lent) if uses_keyring else asyncio.to_thread(lent))

        return self._schedule(on_worker, done, failed, owner)

    def set_paused(self, paused: bool) -> None:
        """Pause or resume serving assistants. The window can still use the corpus."""
        self._schedule(lambda backend: backend.set_paused(paused), owner=self)

    def listen_again(self) -> None:
        """Restart the endpoint after a failure or with a new token."""
        self._schedule(Backend.listen_again, owner=self)

    def restart(self, settings: Settings) -> None:
        self._settings = settings
        self._schedule(lambda backend: backend.restart(settings), owner=self)

    def _schedule(
        self,
        work: Callable[[Backend], Awaitable[T]],
        done: Done[T] = None,
        failed: Fail | None = None,
        owner: QObject | None = None,
        *,
        lasting: bool = False,
    ) -> Job:
        lent = _Lent(self._collector.returned, work, done, failed, owner)

        async def run() -> T:
            try:
                return cast("T", await lent.work(self._backend))
            except BaseException as error:
                if not isinstance(error, (WebRAGError, asyncio.CancelledError)):
                    log.exception("work on the engine's thread failed")
                # Frames hold what the work used, and outlive it if others wait for the same error.
                error.__cause__ = error.__context__ = None
                raise error.with_traceback(None)  # noqa: B904

        coroutine = run()
        try:
            future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        except RuntimeError:  # The loop has ended because the window is closing.
            coroutine.close()
            future = Future()
            future.cancel()
            return Job(future, lent)
        if lasting:
            self._lasting.add(future)
            future.add_done_callback(self._lasting.discard)
        future.add_done_callback(lambda ended: self._report(ended, lent))
        return Job(future, lent)

    def _report(self, future: Future[Any], lent: _Lent) -> None:
        # Raising the error here would add frames of the main thread to it if the work has ended already. The engine's thread would free
        # them later, with Qt objects that only they held, and each thread would wait for a lock of the other one.
        error = None if future.cancelled() else future.exception()
        if future.cancelled() or isinstance(error, asyncio.CancelledError):
            return
        if error is not None and not isinstance(error, WebRAGError):
            error = WebRAGError(str(error) or type(error).__name__)

        def call() -> None:
            if lent.is_cancelled or not (lent.owner is None or shiboken6.isValid(lent.owner)):
                return
            if error is not None:
                (lent.failed or self.failed.emit)(speak(error))
            elif lent.done is not None:
                lent.done(future.result())

        if shiboken6.isValid(self):
            self._delivered.emit(call)

    @Slot(object)
    def _deliver(self, call: Callable[[], None]) -> None:
        call()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.set_exception_handler(self._loop_failed)
        try:
            self._loop.run_until_complete(self._main())
        except Exception:
            log.exception("the engine's thread ended with an error")
        finally:
            tasks = asyncio.all_tasks(self._loop)
            for task in tasks:
                task.cancel()
            if tasks:
                self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.run_until_complete(self._loop.shutdown_default_executor())
            self._loop.close()

    def _loop_failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if isinstance(error, Exception):
            self.defect.emit(error)
        else:
            loop.default_exception_handler(context)

    async def _main(self) -> None:
        starting = asyncio.ensure_future(self._backend.start(self._settings))
        await self._ending.wait()
        if not starting.done():
            starting.cancel()
        elif self._lasting:
            last = [asyncio.wrap_future(future) for future in tuple(self._lasting)]
            await asyncio.wait(last, timeout=LAST_WORK_SECONDS)
        await asyncio.gather(starting, return_exceptions=True)
        await self._backend.stop()

    def _state_reported(self, state: BackendState) -> None:
        for error in filter(None, (state.error, state.server_error)):
            speak(error)

        def take() -> None:
            self.state = state
            self.state_changed.emit(state)

        self._delivered.emit(take)


class Latest:
    """The latest work of one owner: new work cancels the work before. `is_running` is off once a callback runs."""

    def __init__(self, thread: EngineThread, owner: QObject) -> None:
        self._thread, self._owner = thread, owner
        self._job: Job | None = None

    @property
    def is_running(self) -> bool:
        return self._job is not None and not self._job.is_lost

    def submit(self, work: Ask[T], done: Callable[[T], object], failed: Fail) -> None:
        """Run `work` like `EngineThread.submit`."""
        self._begin(self._thread.submit, work, done, failed)

    def run(self, work: Callable[[], T], done: Callable[[T], object], failed: Fail) -> None:
        """Run `work` like `EngineThread.run_blocking`."""
        self._begin(self._thread.run_blocking, work, done, failed)

    def _begin(self, begin: Callable[..., Job], work: object, done: Callable[[T], object], failed: Fail) -> None:
        self.cancel()
        self._job = begin(work, partial(self._end, done), partial(self._end, failed), owner=self._owner)

    def cancel(self) -> None:
        """Cancel the work; nothing is called."""
        if self._job is not None:
            self._job.cancel()
        self._job = None

    def _end(self, callback: Callable[[T], object], value: T) -> None:
        self._job = None
        callback(value)


class LongWork(QObject):
    """One long operation at a time. Emits `progressed` with the completed share, and `ended` at every end."""

    progressed = Signal(float)
    ended = Signal()
    _reported = Signal(float)

    def __init__(self, thread: EngineThread, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._thread = thread
        self._watch: Watch | None = None
        self._job: Job | None = None
        self._reported.connect(self.progressed.emit, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._job is not None and not self._job.is_lost

    def start(
        self, work: Callable[[Engine, Watch], Awaitable[T]], done: Callable[[T], object], failed: Fail, cancelled: Act
    ) -> None:
        """Start the work and call one of the three callbacks at its end. Does nothing while other work is running."""
        if not self.is_running:
            watch, finish, fail = self._begin(done, failed, cancelled)
            self._job = self._thread.submit(lambda engine: work(engine, watch), finish, fail, owner=self)

    def start_blocking(
        self, work: Callable[[Watch], T], done: Callable[[T], object], failed: Fail, cancelled: Act
    ) -> None:
        """Like `start`, for a blocking function that does not need the engine."""
        if not self.is_running:
            watch, finish, fail = self._begin(done, failed, cancelled)
            self._job = self._thread.run_blocking(lambda: work(watch), finish, fail, owner=self)

    def _begin(
        self, done: Callable[[T], object], failed: Fail, cancelled: Act
    ) -> tuple[Watch, Callable[[T], None], Fail]:
        from app.corpus.watch import Watch

        def finish(result: T) -> None:
            self._end()
            done(result)

        def fail(error: WebRAGError) -> None:
            self._end()
            cancelled() if isinstance(error, WorkCancelledError) else failed(error)

        self._watch = Watch(self._reported.emit)
        return self._watch, finish, fail

    def cancel(self) -> None:
        """Stop the work at its next step."""
        if self._watch is not None:
            self._watch.cancel()

    def _end(self) -> None:
        self._job = self._watch = None
        self.ended.emit()


class EventBridge(QObject):
    """Emits `batch` with a list of events in order. Keeps only the last of events that replace each other."""

    batch = Signal(list)
    _arrived = Signal()

    def __init__(self, bus: EventBus, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lock = threading.Lock()
        self._pending: dict[tuple[object, ...], Event] = {}
        self._timer = single_shot(self, INTERVAL_MS, self.flush)
        self._arrived.connect(self._timer.start, Qt.ConnectionType.QueuedConnection)
        self._unsubscribe = bus.subscribe(self._receive)

    def close(self) -> None:
        """Stop listening and drop pending events."""
        self._unsubscribe()
        self._timer.stop()
        with self._lock:
            self._pending.clear()

    @Slot()
    def flush(self) -> None:
        """Emit the pending events. Called by the timer."""
        with self._lock:
            events = list(self._pending.values())
            self._pending.clear()
        if events:
            self.batch.emit(events)

    def _receive(self, event: Event) -> None:
        key = type(event), *(getattr(event, name, None) for name in SUBJECT)
        with self._lock:
            is_first = not self._pending
            self._pending.pop(key, None)
            self._pending[key] = event
        if is_first:
            self._arrived.emit()
