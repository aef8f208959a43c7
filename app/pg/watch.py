"""Detect a database that stops answering, and end calls to it promptly instead of waiting for the network.

Broken networks do not report anything. Belongs to the event loop of the connections.
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
ANSWER_SECONDS: Final = STATEMENT_SECONDS + 10  # A server that does not answer or cancel in this time is down.
SILENT_SECONDS: Final = 1.0  # Seconds without an answer before a new connection is tried.
LOOK_SECONDS: Final = 1.0  # Seconds between attempts to connect while the server is down.
AGAIN_SECONDS: Final = 0.25  # Seconds between attempts after an immediate refusal.
WAITS: Final = 20  # Intervals of a wait for a connection: a suspended program loses only one.


class Watch:
    """The calls that wait for the database; `leave` drops all connections. `is_patient` is for administrators."""

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
        """Run work for a caller, who gets an error as soon as the server is down."""
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
        """Cancel the work of a call that has ended."""
        for task in [task for task, of in self._calls.items() if of == call]:
            if (answer := self._waiting.pop(task, None)) is not None:
                answer.set_exception(WorkCancelledError("The search was canceled."))
                task.cancel()

    def takes(self, task: asyncio.Task[Any] | None) -> None:
        """Tie a task to its current connection: it ends with it."""
        self._holding.add(task)

    def gives_back(self, task: asyncio.Task[Any] | None) -> None:
        """Untie a task from its connection."""
        self._holding.discard(task)

    async def end(self) -> None:
        """End all waiting calls with an error."""
        self._is_over = True
        while rest := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in rest:
                task.cancel()
            # A call that has just got its slot continues; the next check ends it.
            await asyncio.wait(rest, timeout=AGAIN_SECONDS)

    def _answered(self, task: asyncio.Task[Any]) -> None:
        answer = self._waiting.pop(task, None)
        self._calls.pop(task, None)
        error = _silent() if task.cancelled() else task.exception()
        if answer is None:
            # The caller already has its error.
            return
        if error is not None:
            answer.set_exception(error)
            return
        self._heard = self._loop.time()
        answer.set_result(task.result())

    async def _watch(self) -> None:
        """Try a new connection if waiting calls get no answer. If it fails, end them and all later calls until the server is back."""
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
        """Wait until the server accepts a connection. Retries refusals, because DNS and poolers can fail briefly."""
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
        """Drop all connections, end waiting calls, and return when the server is back."""
        self._is_away = True
        waiting, self._waiting = self._waiting, {}
        log.warning("the database no longer answers: ending %d calls", len(waiting))
        self._leave()
        for task, answer in waiting.items():
            answer.set_exception(_silent())
            # Dropping a connection ends its own work; all other work is waiting for one.
            if task not in self._holding:
                task.cancel()
        try:
            while not await self._is_there():  # noqa: ASYNC110 (another machine)
                await asyncio.sleep(LOOK_SECONDS)
        finally:
            self._is_away = False
        log.warning("the database answers again")


def _silent() -> asyncpg.PostgresError:
    return asyncpg.ConnectionDoesNotExistError("it does not respond")
