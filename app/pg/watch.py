"""Whether a database is there: who waits for one that falls silent is told so, and who comes later is told at once.

Nobody says so when a network ends. Belongs to the one event loop of the connections.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, Final, TypeVar

import asyncpg

from app.errors import WorkCancelledError
from app.pg.sessions import AWAY, STATEMENT_SECONDS

log = logging.getLogger(__name__)

T = TypeVar("T")

CONNECT_SECONDS: Final = 2.0
ANSWER_SECONDS: Final = STATEMENT_SECONDS + 10
"""After which a server that neither answers nor stops the statement is away, though it takes new connections."""
SILENT_SECONDS: Final = 1.0
"""After so long without any answer a new connection is tried."""
LOOK_SECONDS: Final = 1.0
"""Between two tries of a connection while the server is away."""
AGAIN_SECONDS: Final = 0.25
"""Between two tries of one that is refused at once."""
WAITS: Final = 20
"""In which the time for a connection is waited. A program that was held up itself is late for one of them, not for all."""


class Watch:
    """The calls that wait for the database at an address. `leave` gives up all of its connections.

    One that `is_patient` does what an administrator does, which may take all that a server has.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, address: str, leave: Callable[[], None], *, is_patient: bool
    ) -> None:
        self._loop = loop
        self._address = address
        self._leave = leave
        self._is_patient = is_patient
        self._waiting: dict[asyncio.Task[Any], Future[Any]] = {}
        self._calls: dict[asyncio.Task[Any], int] = {}
        self._holding: set[asyncio.Task[Any] | None] = set()
        self._heard = 0.0
        self._is_away = False
        self._is_over = False
        self._watching: asyncio.Task[None] | None = None

    def begin(self, work: Coroutine[Any, Any, T], answer: Future[T], call: int = 0) -> None:
        """Run work for a caller, who is told at once when the server is away."""
        if self._is_away or self._is_over:
            work.close()
            answer.set_exception(_silent())
            return
        if not self._waiting:
            self._heard = self._loop.time()
        task = self._loop.create_task(work)
        self._waiting[task] = answer
        if call:
            self._calls[task] = call
        task.add_done_callback(self._answered)
        if self._watching is None:
            self._watching = self._loop.create_task(self._watch())

    def stop(self, call: int) -> None:
        """Nobody waits for what a call does any more."""
        for task in [task for task, of in self._calls.items() if of == call]:
            if (answer := self._waiting.pop(task, None)) is not None:
                answer.set_exception(WorkCancelledError("Nobody waits for this search any more."))
                task.cancel()

    def takes(self, task: asyncio.Task[Any] | None) -> None:
        """What a task does ends with the connection that it has now."""
        self._holding.add(task)

    def gives_back(self, task: asyncio.Task[Any] | None) -> None:
        """It has none any more."""
        self._holding.discard(task)

    async def end(self) -> None:
        """Tell whoever waits still that no answer comes."""
        self._is_over = True
        while rest := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in rest:
                task.cancel()
            # One that gets its turn just now goes on, and is ended the next time.
            await asyncio.wait(rest, timeout=AGAIN_SECONDS)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        answer = self._waiting.pop(task, None)
        self._calls.pop(task, None)
        error = _silent() if task.cancelled() else task.exception()
        if answer is None:
            # Whoever waited was told already.
            return
        if error is not None:
            answer.set_exception(error)
            return
        self._heard = self._loop.time()
        answer.set_result(task.result())

    async def _watch(self) -> None:
        """Try a new connection when nothing is heard while calls wait; without one they are told, and the next ones until there is one."""
        try:
            while self._waiting:
                rest = SILENT_SECONDS - (self._loop.time() - self._heard)
                if rest > 0:
                    await asyncio.sleep(rest)
                    continue
                looked = self._loop.time()
                if await self._is_there():
                    self._heard = self._loop.time()
                elif self._heard <= looked:
                    await self._give_up()
        finally:
            self._watching = None

    async def _is_there(self) -> bool:
        """Whether the server takes a connection in time."""
        seconds = ANSWER_SECONDS if self._is_patient else CONNECT_SECONDS
        trying = self._loop.create_task(self._reached())
        try:
            for _ in range(WAITS):
                if (await asyncio.wait({trying}, timeout=seconds / WAITS))[0]:
                    return True
            return False
        finally:
            trying.cancel()

    async def _reached(self) -> None:
        """Return when the server takes a connection; one that is refused is tried again, as names and poolers fail for a moment."""
        while True:
            try:
                con = await asyncpg.connect(self._address, timeout=ANSWER_SECONDS)
            except (*AWAY, ValueError, asyncpg.InterfaceError):
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            except asyncpg.PostgresError:
                return
            con.terminate()
            return

    async def _give_up(self) -> None:
        """Leave all connections, tell who waits, and return when the server is there again."""
        self._is_away = True
        waiting, self._waiting = self._waiting, {}
        log.warning("the database says nothing any more: %d calls are given up", len(waiting))
        self._leave()
        for task, answer in waiting.items():
            answer.set_exception(_silent())
            # The end of a connection ends what is done with it; all others wait for one.
            if task not in self._holding:
                task.cancel()
        try:
            while not await self._is_there():  # noqa: ASYNC110 (another machine)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._is_away = False
        log.warning("the database answers again")


def _silent() -> asyncpg.PostgresError:
    """What ends a call to a server that says nothing."""
    return asyncpg.ConnectionDoesNotExistError("it says nothing")
