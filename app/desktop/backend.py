"""Engine and HTTP endpoint as one thing that starts, pauses, restarts and ends on one event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from app.errors import WebRAGError

if TYPE_CHECKING:
    from app.engine import Engine
    from app.events import EventBus
    from app.secrets import SecretStore
    from app.settings import Settings

log = logging.getLogger(__name__)


class Phase(StrEnum):
    """Where the backend is in its life."""

    STARTING = "starting"
    RUNNING = "running"
    PAUSED = "paused"
    FAILED = "failed"
    STOPPED = "stopped"


@dataclass(frozen=True, slots=True)
class BackendState:
    """What the window must know. `url` is empty while nothing listens; `server_error` leaves the engine usable."""

    phase: Phase
    url: str = ""
    engine: Engine | None = field(default=None, repr=False)
    error: WebRAGError | None = None
    server_error: WebRAGError | None = None


class Endpoint(Protocol):
    """The HTTP endpoint as the desktop drives it."""

    @property
    def url(self) -> str:
        """Where assistants reach it; valid after start."""
        ...

    async def start(self) -> None: ...

    async def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Requests:
    """What another process may ask of the window; called on the engine's thread."""

    show: Callable[[], None]
    stop: Callable[[], None]


class Parts(Protocol):
    """Makes the heavy parts; called on the engine's thread so that importing them does not delay the window."""

    def build_engine(self, settings: Settings, secrets: SecretStore, bus: EventBus) -> Engine: ...

    def build_endpoint(self, engine: Engine, secrets: SecretStore, requests: Requests) -> Endpoint: ...


class Backend:
    """Owns the engine and the endpoint. All coroutines run on the engine's loop; `report` is called there too."""

    def __init__(
        self,
        secrets: SecretStore,
        bus: EventBus,
        parts: Parts,
        requests: Requests,
        report: Callable[[BackendState], None],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        self._loop = loop
        self._secrets = secrets
        self._bus = bus
        self._parts = parts
        self._requests = requests
        self._report = report
        self._endpoint: Endpoint | None = None
        self._engine: asyncio.Future[Engine] = loop.create_future()
        self.state = BackendState(Phase.STARTING)

    async def engine(self) -> Engine:
        """The started engine, waited for while it starts. Raises the error that kept it from starting."""
        return await asyncio.shield(self._engine)

    async def start(self, settings: Settings) -> None:
        """Start engine and endpoint; failures are reported as states and raised to whoever waits for the engine."""
        self._publish(BackendState(Phase.STARTING))
        try:
            engine = await self._started_engine(settings)
        except WebRAGError as error:
            self._fail(error)
            return
        except Exception as error:
            log.exception("the engine did not start")
            self._fail(WebRAGError(f"The engine did not start: {error}"))
            return
        self._engine.set_result(engine)
        await self._listen(engine)

    async def pause(self) -> None:
        """Stop listening; the window keeps working on the corpus."""
        await self._silence()
        self._publish(replace(self.state, phase=Phase.PAUSED, url="", server_error=None))

    async def resume(self) -> None:
        """Listen again, also after a failed attempt."""
        await self._silence()
        await self._listen(await self.engine())

    async def stop(self) -> None:
        """End endpoint and engine, in this order."""
        await self._silence()
        if self._engine.done() and not self._engine.cancelled() and self._engine.exception() is None:
            await self._engine.result().stop()
        self._engine.cancel()
        self._publish(BackendState(Phase.STOPPED))

    async def restart(self, settings: Settings) -> None:
        """Stop, then start with other settings; work that is submitted meanwhile waits for the new engine."""
        await self.stop()
        self._engine = self._loop.create_future()
        await self.start(settings)

    async def _started_engine(self, settings: Settings) -> Engine:
        engine = self._parts.build_engine(settings, self._secrets, self._bus)
        await engine.start()
        return engine

    async def _listen(self, engine: Engine) -> None:
        try:
            endpoint = self._parts.build_endpoint(engine, self._secrets, self._requests)
            await endpoint.start()
        except WebRAGError as error:
            self._publish(BackendState(Phase.RUNNING, engine=engine, server_error=error))
            return
        except OSError as error:
            address = f"{engine.settings.mcp_host}:{engine.settings.mcp_port}"
            reason = error.strerror or str(error)
            failure = WebRAGError(
                f"Nothing can listen on {address}: {reason}.",
                hint="Choose another port in Settings, or end the program that uses this one.",
            )
            self._publish(BackendState(Phase.RUNNING, engine=engine, server_error=failure))
            return
        self._endpoint = endpoint
        self._publish(BackendState(Phase.RUNNING, url=endpoint.url, engine=engine))

    async def _silence(self) -> None:
        endpoint, self._endpoint = self._endpoint, None
        if endpoint is not None:
            await endpoint.stop()

    def _fail(self, error: WebRAGError) -> None:
        self._engine.set_exception(error)
        self._engine.exception()  # read once: nobody may be waiting, and that is no leak to warn of
        self._publish(BackendState(Phase.FAILED, error=error))

    def _publish(self, state: BackendState) -> None:
        self.state = state
        self._report(state)
