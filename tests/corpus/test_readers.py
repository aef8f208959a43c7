"""Many concurrent reads of the library: order of slots, limits, and ends of a wait."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from contextvars import copy_context
from pathlib import Path

import pytest

from app import caps
from app.corpus.database import IDLE_READERS, Database
from app.corpus.read_queue import BACKGROUND_TURN, ReadQueue
from app.errors import CorpusBusyError, CorpusError, WorkCancelledError
from app.events import CURRENT_CALL
from app.memory import IN_BACKGROUND, lower_priority

LONG = 60.0


def until(holds: Callable[[], bool]) -> None:
    """Wait for a change by other threads."""
    end = time.monotonic() + LONG
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(80) as pool:
        yield pool


class Line:
    """A queue with one slot, taken by the test, and the order in which later readers got theirs."""

    def __init__(self, threads: ThreadPoolExecutor) -> None:
        self.queue = ReadQueue(1)
        self.order: list[str] = []
        self._threads = threads
        self._count = 0
        self.queue.enter(0, is_background=False, seconds=LONG)

    def join(self, name: str, asker: int, *, is_background: bool = False) -> Future[None]:
        """Queue another reader; return when it is waiting."""

        def wait() -> None:
            self.queue.enter(asker, is_background=is_background, seconds=LONG)
            self.order.append(name)
            self.queue.leave()

        waiting = self._threads.submit(wait)
        self._count += 1
        until(lambda: self.queue.waiting == self._count)
        return waiting

    def run(self) -> list[str]:
        """Let all waiting readers run."""
        self.queue.leave()
        assert self.queue.is_left(LONG)
        until(lambda: len(self.order) == self._count)
        return self.order


def test_slots_are_assigned_in_order(threads: ThreadPoolExecutor) -> None:
    line = Line(threads)
    for number in range(9):
        line.join(str(number), asker=number + 1)
    assert line.run() == [str(number) for number in range(9)]


def test_a_call_has_one_position_in_the_queue(threads: ThreadPoolExecutor) -> None:
    line = Line(threads)
    for number in range(5):
        line.join(f"busy {number}", asker=1)
    line.join("first", asker=2)
    line.join("second", asker=3)
    line.join("first again", asker=2)
    assert line.run() == ["busy 0", "first", "second", "busy 1", "first again", "busy 2", "busy 3", "busy 4"]


def test_background_work_comes_last_but_is_not_starved(threads: ThreadPoolExecutor) -> None:
    line = Line(threads)
    for number in range(2):
        line.join(f"background {number}", asker=100 + number, is_background=True)
    for number in range(BACKGROUND_TURN + 1):
        line.join("asked", asker=number + 1)
    order = line.run()
    first, second = (order.index(f"background {number}") for number in range(2))
    assert 0 < first <= BACKGROUND_TURN < second == len(order) - 1


def test_a_canceled_wait_frees_its_position(threads: ThreadPoolExecutor) -> None:
    line = Line(threads)
    ended = [line.join("ended", asker=7) for _ in range(3)]
    background = line.join("background", asker=7, is_background=True)
    line.queue.give_up(7)
    for waiting in ended:
        with pytest.raises(WorkCancelledError):
            waiting.result(LONG)
    assert line.queue.waiting == 1
    line.queue.leave()
    background.result(LONG)
    assert line.order == ["background"] and line.queue.is_left(LONG)


def test_a_deadline_ends_a_wait_and_frees_its_position() -> None:
    queue = ReadQueue(1)
    queue.enter(1, is_background=False, seconds=LONG)
    with pytest.raises(CorpusBusyError) as told:
        queue.enter(2, is_background=False, seconds=0.01)
    assert "0.01 s" in str(told.value) and "Try again" in told.value.hint
    assert queue.waiting == 0
    queue.leave()
    queue.enter(2, is_background=False, seconds=0)
    queue.leave()
    assert queue.busy == 0


def test_readers_are_not_starved_by_short_reads(threads: ThreadPoolExecutor) -> None:
    """In a pool where newcomers can overtake waiting readers, some never got a slot."""
    queue, most, reading = ReadQueue(3), 0, 0
    lock = threading.Lock()

    def read(asker: int) -> int:
        nonlocal most, reading
        for _ in range(20):
            queue.enter(asker, is_background=asker % 5 == 0, seconds=LONG)
            with lock:
                reading += 1
                most = max(most, reading)
            with lock:
                reading -= 1
            queue.leave()
        return 1

    assert sum(threads.map(read, range(1, 65))) == 64
    assert most <= 3 and queue.busy == 0 and queue.waiting == 0


@pytest.fixture
def base(path: Path) -> Iterator[Database]:
    opened = Database(path)
    yield opened
    opened.close()


def open_readers(base: Database) -> int:
    """Return the number of idle connections."""
    return len(base._idle)


def test_readers_are_opened_on_demand_and_closed_again(base: Database, threads: ThreadPoolExecutor) -> None:
    with ExitStack() as reading:
        held = [reading.enter_context(base.read()) for _ in range(caps.READER_CONNECTIONS)]
        assert len({id(con) for con in held}) == caps.READER_CONNECTIONS
    assert open_readers(base) == IDLE_READERS


def test_sixty_four_parallel_readers_all_get_an_answer(base: Database, threads: ThreadPoolExecutor) -> None:
    ready = threading.Barrier(64)

    def ask(_: int) -> int:
        ready.wait(LONG)
        with base.read() as con:
            return int(con.execute("SELECT count(*) FROM documents").get)

    assert list(threads.map(ask, range(64))) == [0] * 64
    assert open_readers(base) <= IDLE_READERS and base._queue.busy == 0


def test_a_reader_that_waits_too_long_gets_an_error(base: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    base._queue = ReadQueue(1)
    monkeypatch.setattr(caps, "READER_WAIT_SECONDS", 0.01)
    with base.read(), pytest.raises(CorpusBusyError), base.read():
        pass
    with base.read() as con:
        assert con.execute("SELECT 1").get == 1


def test_a_canceled_call_leaves_the_queue_but_its_background_work_stays(
    base: Database, threads: ThreadPoolExecutor
) -> None:
    base._queue = ReadQueue(1)

    def ask() -> int:
        with base.read() as con:
            return int(con.execute("SELECT 1").get)

    def begin(call: int, *, in_background: bool) -> Future[int]:
        context = copy_context()
        context.run(CURRENT_CALL.set, call)
        context.run(IN_BACKGROUND.set, in_background)
        return threads.submit(context.run, ask)

    with base.read():
        ended, other = begin(5, in_background=False), begin(6, in_background=False)
        job = begin(5, in_background=True)
        until(lambda: base._queue.waiting == 3)
        base.stop_waiting(5)
        with pytest.raises(WorkCancelledError):
            ended.result(LONG)
        assert base._queue.waiting == 2
    assert (other.result(LONG), job.result(LONG)) == (1, 1)


def test_low_priority_threads_read_last(base: Database) -> None:
    with ThreadPoolExecutor(1, initializer=lower_priority) as low:
        assert low.submit(IN_BACKGROUND.get).result(LONG)
    assert not IN_BACKGROUND.get()


def test_closing_refuses_waiting_readers_and_lets_running_ones_finish(path: Path, threads: ThreadPoolExecutor) -> None:
    base = Database(path)
    base._queue = ReadQueue(1)

    def ask() -> int:
        with base.read() as con:
            return int(con.execute("SELECT 1").get)

    with base.read() as con:
        waiting = [threads.submit(ask) for _ in range(5)]
        until(lambda: base._queue.waiting == 5)
        closing = threads.submit(base.close)
        for each in waiting:
            with pytest.raises(CorpusError, match="closed"):
                each.result(LONG)
        assert con.execute("SELECT count(*) FROM documents").get == 0
        assert not closing.done()
    closing.result(LONG)
    assert open_readers(base) == 0
    with pytest.raises(CorpusError, match="closed"):
        ask()


def test_reads_wait_while_the_file_is_reopened(base: Database, threads: ThreadPoolExecutor) -> None:
    def ask() -> int:
        with base.read() as con:
            return int(con.execute("SELECT 1").get)

    with base._queue.held_back():
        assert base._queue.is_left(LONG)
        waiting = threads.submit(ask)
        until(lambda: base._queue.waiting == 1)
    assert waiting.result(LONG) == 1
