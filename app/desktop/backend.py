"""Engine and HTTP endpoint as one unit that starts, pauses, restarts and stops on one event loop."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from app import __version__
from app.desktop.qt import Act
from app.errors import CorpusError, DiskFullError, WebRAGError
from app.instance import RuntimeInfo, lost_port, remove_runtime, write_runtime
from app.secrets import SecretStore
from app.text.sentence import sentence

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import EventBus
    from app.server.http import HttpServer
    from app.settings import Settings

log = logging.getLogger(__name__)

KEYRING_SECONDS: Final = 2.0  # Maximum seconds that assistants wait for the keyring.

Requests = tuple[Callable[[], None], Callable[[], None]]
"""What to do on the engine's thread when another process asks to show the window, and to stop."""


class Phase(StrEnum):
    """The phases of the backend."""

    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class BackendState:
    """The state for the window. `url` is empty if the endpoint is not listening; with `server_error`, the engine still works."""

    phase: Phase
    url: str = ""
    engine: Engine | None = field(default=None, repr=False)
    error: WebRAGError | None = None
    server_error: WebRAGError | None = None

    @property
    def lost_port(self) -> int:
        """The configured port if another program uses it, otherwise 0."""
        return lost_port(self.engine.settings.mcp_port, self.url) if self.engine is not None else 0


class Backend:
    """Owns the engine and the endpoint. All coroutines and `report` run on one loop."""

    def __init__(
        self,
        bus: EventBus,
        parts: Parts,
        requests: Requests,
        report: Callable[[BackendState], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._bus = bus
        self._parts = parts
        self._requests = requests
        self._report = report
        self._loop = loop
        self._endpoint: HttpServer | None = None
        self._data_dir = Path()  # Of the endpoint.
        self._engine: asyncio.Future[Engine] = loop.create_future()
        self._starting = asyncio.Lock()  # One start at a time: a second one would leave two engines.
        self._listening = asyncio.Lock()
        self.state = BackendState(Phase.STARTING)

    async def engine(self) -> Engine:
        """Wait for the engine and return it. Raises the error that prevented its start."""
        return await asyncio.shield(self._engine)

    async def start(self, settings: Settings) -> None:
        """Start engine and endpoint. Errors are reported as states and raised to callers that wait for the engine."""
        async with self._starting:
            await self._start(settings)

    async def _start(self, settings: Settings) -> None:
        self._publish(BackendState(Phase.STARTING))
        try:
            engine = self._parts.build_engine(settings, self._bus)
            await engine.start(begins=False, on_update=partial(self._listen_early, engine))
        except WebRAGError as error:
            await self._fail(error)
        except Exception as error:
            log.exception("the engine failed to start because of a defect")
            await self._fail(WebRAGError(sentence("WebRAG did not start: {}", error)))
        else:
            self._engine.set_result(engine)
            self._publish(BackendState(Phase.STARTING, engine=engine))
            async with self._listening:
                await self._listen(engine)
            await engine.begin()

    async def set_paused(self, paused: bool) -> None:
        """Pause: reject calls with an error and hold background work. Or resume."""
        if self.state.engine is None:
            return
        self.state.engine.set_paused(paused)
        self._publish(replace(self.state, phase=Phase.PAUSED if paused else Phase.RUNNING))

    async def listen_again(self) -> None:
        """Restart the endpoint after a failed attempt or with a new token."""
        await self.engine()
        async with self._listening:
            # An engine that was restarted in the meantime listens by itself.
            if self._engine.done():
                await self._silence()
                await self._listen(await self.engine())

    async def stop(self) -> None:
        """Stop the endpoint, then the engine. Work submitted later waits for a new engine."""
        async with self._listening:
            await self._silence()
            engine, self._engine = self._engine, self._loop.create_future()
            if engine.done() and not engine.cancelled() and engine.exception() is None:
                await engine.result().stop()
            engine.cancel()
            self._publish(BackendState(Phase.STOPPED))

    async def restart(self, settings: Settings) -> None:
        """Restart with other settings. Work submitted in the meantime waits for the new engine."""
        async with self._starting:
            await self.stop()
            await self._start(settings)

    async def _listen_early(self, engine: Engine) -> None:
        """Listen while the library is updated, so that assistants can connect and see how far it is."""
        async with self._listening:
            if not self._engine.done():
                await self._listen(engine)

    async def _listen(self, engine: Engine) -> None:
        """Start the endpoint unless it listens already, and report the state once the engine runs."""
        settings = engine.settings
        state = BackendState(Phase.PAUSED if engine.is_paused else Phase.RUNNING, engine=engine)
        try:
            if settings.mcp_enabled and self._endpoint is None:
                endpoint = await asyncio.to_thread(self._parts.build_endpoint, engine, self._requests)
                url = await endpoint.start()
                self._endpoint, self._data_dir = endpoint, settings.data_dir
                lost = lost_port(settings.mcp_port, url)
                _announce(settings.data_dir, replace(self._parts.runtime_info(url), wanted_port=lost))
            state = replace(state, url=self._endpoint.url if self._endpoint is not None else "")
        except WebRAGError as error:
            state = replace(state, server_error=error)
        except OSError as error:
            host, port, why = settings.mcp_host, settings.mcp_port, error.strerror or error
            message = sentence("WebRAG cannot listen on {}:{}: {}.", host, port, why)
            hint = "Choose another port in Settings, or quit the program that uses this one."
            state = replace(state, server_error=WebRAGError(message, hint=hint))
        if self._engine.done():
            self._publish(state)

    async def _silence(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            remove_runtime(self._data_dir)
            await endpoint.stop()

    async def _fail(self, error: WebRAGError) -> None:
        log.error("the engine did not start: %s", error)
        self._engine.set_exception(error)
        self._engine.exception()  # Mark the exception as retrieved, because nothing may be waiting for it.
        async with self._listening:
            await self._silence()
        self._publish(BackendState(Phase.FAILED, error=error))

    def _publish(self, state: BackendState) -> None:
        self.state = state
        self._report(state)


def _announce(data_dir: Path, info: RuntimeInfo) -> None:
    """Write the address for other processes. Raises CorpusError, and DiskFullError on a full disk."""
    try:
        write_runtime(data_dir, info)
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError(sentence("The disk of {} is full.", data_dir)) from error
        message = sentence("Cannot write to {} ({}).", data_dir, error.strerror)
        raise CorpusError(message, hint="Check the permissions of the data folder.") from error


class Parts:
    """Creates the heavy parts. Never called on the Qt thread, so that imports do not delay the window."""

    def __init__(self, secrets: SecretStore) -> None:
        self._secrets = secrets
        self._token = ""
        self.token_came: Act = lambda: None
        """Called on another thread if the keyring returns late with a token other than the temporary one."""

    def build_engine(self, settings: Settings, bus: EventBus) -> Engine:
        from app.engine import build_engine

        return build_engine(settings, secrets=self._secrets, bus=bus)

    def build_endpoint(self, engine: Engine, requests: Requests) -> HttpServer:
        """Create the endpoint with the token from the keyring. Blocking; runs on a worker thread."""
        from app.server.http import HttpServer
        from app.server.tools import build_registry

        settings, (on_show, on_stop) = engine.settings, requests
        self._token = self._token_in_time()
        return HttpServer(
            engine,
            build_registry(settings),
            token=self._token,
            host=settings.mcp_host,
            port=settings.mcp_port,
            on_show=on_show,
            on_stop=on_stop,
        )

    def _token_in_time(self) -> str:
        """Return the token, or a temporary one if the keyring takes long, for example because it waits for a password."""
        asked: Future[str] = Future()

        def ask() -> None:
            token = self._secrets.server_token()
            asked.set_result(token)
            if self._token not in ("", token):
                self.token_came()

        self._token = ""
        # A keyring that never responds must not block the exit.
        threading.Thread(target=ask, name="keyring", daemon=True).start()
        try:
            return asked.result(KEYRING_SECONDS)
        except TimeoutError:
            log.warning("the keyring did not respond within %s seconds", KEYRING_SECONDS)
            self._token = self._secrets.spare_token
            # From now on, the other thread knows that its result came too late.
            return asked.result() if asked.done() else self._token

    def runtime_info(self, url: str) -> RuntimeInfo:
        """Return the data that other processes need to connect to the endpoint."""
        return RuntimeInfo(url=url, token=self._token, pid=os.getpid(), version=__version__)
