"""`/healthz` and `/control/*`: what bridges, the command line and a second start ask of a running instance."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from jsonschema import Draft202012Validator
from starlette.background import BackgroundTask
from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from app import __version__, caps
from app.errors import InvalidArgumentError, WebRAGError
from app.orchestration.export import to_jsonable
from app.orchestration.progress import ProgressCallback
from app.server.arguments import checked_arguments
from app.server.auth import Route, error_response, is_authorised
from app.server.calls import OK, CallRecord
from app.server.dispatch import Dispatcher
from app.server.port import EnginePort
from app.server.sessions import AttachedClients, Caller, split_label
from app.server.tools.schemas import intent, query, url_list

COMMAND_LINE: Final = Caller(name="command line", key="command line")
HEARTBEAT_SECONDS: Final = 10.0
NDJSON: Final = (b"content-type", b"application/x-ndjson")

Arguments = Mapping[str, Any]
Method = Callable[[EnginePort, Arguments, ProgressCallback], Awaitable[Any]]


class Control:
    """The endpoints beside `/mcp`. `on_show` and `on_stop` are the window's; without them the request is refused."""

    def __init__(
        self,
        engine: EnginePort,
        dispatcher: Dispatcher,
        attached: AttachedClients,
        *,
        token: str,
        stopping: asyncio.Event,
        on_show: Callable[[], None] | None,
        on_stop: Callable[[], None] | None,
    ) -> None:
        self._engine = engine
        self._dispatcher = dispatcher
        self._attached = attached
        self._token = token
        self._stopping = stopping
        self._on_show = on_show
        self._on_stop = on_stop

    def routes(self) -> dict[str, Route]:
        """The paths served here."""
        return {
            "/healthz": Route(self._healthz, ("GET", "HEAD"), is_open=True),
            "/control/attach": Route(self._attach, ("GET",)),
            "/control/call": Route(self._call, ("POST",)),
            "/control/show": Route(self._show, ("POST",)),
            "/control/stop": Route(self._stop, ("POST",)),
        }

    async def _healthz(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: dict[str, Any] = {"status": "ok"}
        headers = Headers(scope=scope)
        if "authorization" in headers and is_authorised(headers, self._token):
            body |= {"pid": os.getpid(), "version": __version__}
        await JSONResponse(body)(scope, receive, send)

    async def _show(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._on_show is None:
            await error_response(409, "headless")(scope, receive, send)
            return
        self._on_show()
        await JSONResponse({"status": "shown"})(scope, receive, send)

    async def _stop(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._on_stop is None:
            await error_response(409, "this instance cannot be stopped from outside")(scope, receive, send)
            return
        response = JSONResponse({"status": "stopping"}, background=BackgroundTask(self._on_stop))
        await response(scope, receive, send)

    async def _attach(self, scope: Scope, receive: Receive, send: Send) -> None:
        """A line break now and then until the other side, or this instance, goes away."""
        label = QueryParams(scope["query_string"]).get("client", "")
        leaving = asyncio.ensure_future(_disconnected(receive))
        stopping = asyncio.ensure_future(self._stopping.wait())
        try:
            with self._attached.attach(label):
                await _begin(send, (b"content-type", b"text/plain"))
                while not (leaving.done() or stopping.done()):
                    await send({"type": "http.response.body", "body": b"\n", "more_body": True})
                    await asyncio.wait(
                        {leaving, stopping},
                        timeout=HEARTBEAT_SECONDS,
                        return_when=asyncio.FIRST_COMPLETED,
                    )
                await send({"type": "http.response.body", "body": b""})
        finally:
            leaving.cancel()
            stopping.cancel()

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one method; lines of progress, then its result or its error."""
        try:
            name, params = _request(json.loads((await receive()).get("body", b"")))
        except (ValueError, RecursionError):
            await error_response(400, 'expected {"method": NAME, "params": {…}}')(scope, receive, send)
            return
        lines: asyncio.Queue[Any] = asyncio.Queue()
        working = asyncio.ensure_future(self._worked(name, params, lines))
        leaving = asyncio.ensure_future(_disconnected(receive))
        leaving.add_done_callback(lambda _: working.cancel())
        try:
            await _begin(send, NDJSON)
            while (line := await lines.get()) is not None:
                await send({"type": "http.response.body", "body": _encoded(line), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            leaving.cancel()
            working.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)

    async def _worked(self, name: str, params: Arguments, lines: asyncio.Queue[Any]) -> None:
        """Put the lines of a call into the queue, None after the last."""
        try:
            async with self._dispatcher.recorded(name, COMMAND_LINE) as record:
                await lines.put(await self._outcome(name, params, lines, record))
        finally:
            lines.put_nowait(None)

    async def _outcome(
        self, name: str, params: Arguments, lines: asyncio.Queue[Any], record: CallRecord
    ) -> dict[str, Any]:
        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            self._dispatcher.calls.progress(record, phase, detail)
            lines.put_nowait({"progress": {"phase": phase, "detail": detail}})

        try:
            method, validator = _method(name)
            result = to_jsonable(await method(self._engine, checked_arguments(validator, params), report))
        except WebRAGError as error:
            record.outcome = error.code
            return {"error": _told(error)}
        except Exception as error:
            log_failure(name, error)
            return {"error": _told(WebRAGError(f"Unexpected error ({type(error).__name__})."))}
        record.outcome = OK
        return {"result": result}
