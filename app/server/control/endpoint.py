"""`/healthz` and `/control/*`: requests of bridges, the command line and a second instance."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final

from starlette.background import BackgroundTask
from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from app import __version__, caps
from app.errors import InvalidArgumentError, WebRAGError
from app.instance import CHALLENGE_HEADER, MAX_NONCE_CHARS, proof_of
from app.serialise import read_json, sound_text, to_jsonable
from app.server.calls.dispatch import CallRecord, Dispatcher, named_addresses
from app.server.calls.limits import AttachedClients, Caller
from app.server.calls.registry import Engine
from app.server.control.methods import METHODS
from app.server.control.surface import Arguments
from app.server.gateway import Route, disconnected, error_response, is_authorised, is_from_here
from app.server.protocol.changes import ListChanges
from app.server.render.errors import error_fields
from app.text.sentence import sentence

log = logging.getLogger(__name__)

COMMAND_LINE: Final = Caller(name="command line", key="command line")
NDJSON: Final = b"application/x-ndjson"


@dataclass(eq=False, repr=False, slots=True)
class Control:
    """The control endpoints; without `on_show` or `on_stop`, these requests are refused."""

    engine: Engine
    dispatcher: Dispatcher
    attached: AttachedClients
    _: KW_ONLY
    token: str
    stopping: asyncio.Event
    changes: ListChanges
    on_show: Callable[[], None] | None
    on_stop: Callable[[], None] | None

    def routes(self) -> dict[str, Route]:
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
        if "authorization" in headers and is_authorised(headers, self.token):
            body |= {"pid": os.getpid(), "version": __version__}
        nonce = headers.get(CHALLENGE_HEADER, "")
        if 0 < len(nonce) <= MAX_NONCE_CHARS and is_from_here(scope):
            # Only bridges on this machine request a proof. For other machines it would allow guessing tokens offline.
            body["proof"] = proof_of(self.token, nonce, scope["server"][1])
        await JSONResponse(body)(scope, receive, send)

    async def _show(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.on_show is None:
            await error_response(409, "headless")(scope, receive, send)
            return
        self.on_show()
        await JSONResponse({"status": "shown"})(scope, receive, send)

    async def _stop(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.on_stop is None:
            await error_response(409, "this instance cannot be stopped from outside")(scope, receive, send)
            return
        response = JSONResponse({"status": "stopping"}, background=BackgroundTask(self.on_stop))
        await response(scope, receive, send)

    async def _attach(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send lines until one side disconnects: the name of a changed list, or an empty line as a sign of life."""
        label = QueryParams(scope["query_string"]).get("client", "")
        words: asyncio.Queue[str | None] = asyncio.Queue()
        ends = [asyncio.ensure_future(disconnected(receive)), asyncio.ensure_future(self.stopping.wait())]
        for end in ends:
            end.add_done_callback(lambda _: words.put_nowait(None))
        try:
            with self.attached.attach(label), self.changes.told(words.put_nowait):
                await _begin(send, b"text/plain")
                word: str | None = ""
                while word is not None:
                    await send({"type": "http.response.body", "body": f"{word}\n".encode(), "more_body": True})
                    try:
                        word = await asyncio.wait_for(words.get(), caps.HEARTBEAT_SECONDS)
                    except TimeoutError:
                        word = ""
                await send({"type": "http.response.body", "body": b""})
        finally:
            for end in ends:
                end.cancel()

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run one method; send progress lines, then its result or error."""
        try:
            value = read_json((await receive()).get("body", b""))
        except (ValueError, RecursionError):
            value = None
        asked = value if isinstance(value, dict) else {}
        name, params = asked.get("method"), asked.get("params", {})
        if not isinstance(name, str) or not isinstance(params, dict) or asked.keys() - {"method", "params"}:
            await error_response(400, 'expected {"method": NAME, "params": {…}}')(scope, receive, send)
            return
        lines: asyncio.Queue[Any] = asyncio.Queue()
        working = asyncio.ensure_future(self._worked(name, params, lines))
        leaving = asyncio.ensure_future(disconnected(receive))
        leaving.add_done_callback(lambda _: working.cancel())
        try:
            await _begin(send, NDJSON)
            while (line := await lines.get()) is not None:
                text = sound_text(json.dumps(line, ensure_ascii=False, separators=(",", ":")))
                await send({"type": "http.response.body", "body": f"{text}\n".encode(), "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            leaving.cancel()
            working.cancel()
            await asyncio.gather(working, leaving, return_exceptions=True)

    async def _worked(self, name: str, params: Arguments, lines: asyncio.Queue[Any]) -> None:
        """Put the lines of a call into the queue, the last one with its result or error, then None."""
        try:
            lines.put_nowait({"result": to_jsonable(await self._result(name, params, lines))})
        except WebRAGError as error:
            lines.put_nowait({"error": error_fields(error)})
        except Exception as error:
            log.exception("a control call failed")
            unexpected = WebRAGError(sentence("Unexpected error ({}).", type(error).__name__))
            lines.put_nowait({"error": error_fields(unexpected)})
        finally:
            lines.put_nowait(None)

    async def _result(self, name: str, params: Arguments, lines: asyncio.Queue[Any]) -> Any:
        """Run a method, and record its call if it has a note. Raises InvalidArgumentError for an unknown method."""
        method = METHODS.get(name)
        if method is None:
            raise InvalidArgumentError(sentence("Unknown method: {}.", repr(name[: caps.MAX_TOOL_NAME_CHARS])))
        noted: CallRecord | None = None

        async def report(phase: str, detail: str, iteration: int | None = None, total: int | None = None) -> None:
            lines.put_nowait({"progress": {"phase": phase, "detail": detail}})
            if noted is not None:
                self.dispatcher.calls.progress(noted, phase, detail)

        if method.note is None:
            return await method.call(self.engine, params, report)
        async with self.dispatcher.recorded(name, COMMAND_LINE) as record:
            noted = record
            record.named = named_addresses(params)
            result = await method.call(self.engine, params, report)
            method.note(result, record)
            return result


async def _begin(send: Send, content_type: bytes) -> None:
    headers = [(b"content-type", content_type), (b"cache-control", b"no-store")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
