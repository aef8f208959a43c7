"""The endpoints of a node: `/library/v1` for programs that joined its library, health checks, and metrics for administrators."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.datastructures import Headers, QueryParams
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from app import __version__
from app.engine.node import TOKEN, Identity, Node
from app.errors import BusyError, CorpusBusyError, ErrorCode, InvalidArgumentError, WebRAGError
from app.events import CallFinished, CallStarted, Event, EventBus
from app.library import exchange
from app.server.calls.dispatch import Dispatcher
from app.server.calls.limits import BUSY_RETRY_SECONDS, CLIENT_HEADER, Caller, rate_key, split_label
from app.server.calls.registry import Engine
from app.server.gateway import Route, error_response, is_authorised, is_from_here, until_disconnected
from app.server.node.admission import IDENTITY_KEY, NodeAdmission, public_hosts, refusal, refusal_of
from app.text.sentence import sentence

log = logging.getLogger(__name__)

SECONDS: Final = (0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts program events until `stop`. `waiting` counts passages without vectors."""

    def __init__(self, bus: EventBus, waiting: Callable[[], int]) -> None:
        self._registry = CollectorRegistry()
        self._running: set[int] = set()
        kinds, outcome = ["tool"], ["tool", "outcome"]
        self._calls = Counter("webrag_calls", "Finished calls by outcome.", outcome, registry=self._registry)
        self._times = Histogram(
            "webrag_call_seconds", "Duration of calls.", kinds, buckets=SECONDS, registry=self._registry
        )
        under_way = Gauge("webrag_calls_running", "Running and waiting calls.", registry=self._registry)
        under_way.set_function(lambda: len(self._running))
        unembedded = Gauge("webrag_passages_waiting", "Passages not embedded yet.", registry=self._registry)
        unembedded.set_function(waiting)
        Gauge("webrag_info", "Version of the node.", ["version"], registry=self._registry).labels(__version__).set(1)
        self.stop = bus.subscribe(self._on_event)

    def text(self) -> bytes:
        """Return the metrics in the format of Prometheus."""
        return generate_latest(self._registry)

    def _on_event(self, event: Event) -> None:
        if isinstance(event, CallStarted):
            self._running.add(event.call_id)
        elif isinstance(event, CallFinished):
            self._running.discard(event.call_id)
            self._calls.labels(event.tool, event.outcome).inc()
            self._times.labels(event.tool).observe(event.duration_ms / 1000)


MAX_STORED_AT_ONCE: Final = 4  # Pages accepted at the same time; each may take MAX_REQUEST_BYTES.
READY_SECONDS: Final = 3.0
READY: Final = "ready"
PAGE_PREFIX: Final = f"{exchange.PAGES_PATH}/"
_MAX_ID_DIGITS: Final = 18


@dataclass(frozen=True, slots=True)
class _Request:
    """The request that a handler gets."""

    identity: Identity
    method: str
    path: str
    query: QueryParams
    body: bytes


Handler = Callable[[_Request], Awaitable[object]]


class NodeEndpoints:
    """Access control and the paths other than `/mcp`. Every call counts, waits for a slot and is recorded like a tool call."""

    def __init__(self, engine: Engine, node: Node, dispatcher: Dispatcher, token: str) -> None:
        self._engine = engine
        self._node = node
        self._dispatcher = dispatcher
        self._token = token
        self._metrics = Metrics(engine.bus, lambda: engine.embedder_state.waiting)
        self.admission = NodeAdmission(node, token)
        self.hosts = public_hosts(node.options)
        self._storing = 0
        self._checking: asyncio.Task[dict[str, str]] | None = None

    def routes(self) -> dict[str, Route]:
        return {
            **self.admission.routes(),
            exchange.PATH: self._route("library.describe", self._describe, "GET"),
            exchange.SEARCH_PATH: self._route("library.search", self._search, "POST"),
            exchange.PAGES_PATH: self._route(
                "library.pages", self._pages, "GET", "POST", max_body=exchange.MAX_REQUEST_BYTES
            ),
            PAGE_PREFIX: self._route("library.page", self._page, "GET", "PUT", "DELETE"),
            exchange.READY_PATH: Route(self._ready, ("GET", "HEAD"), is_open=True),
            exchange.METRICS_PATH: Route(self._figures, ("GET",), is_open=True),
        }

    async def aclose(self) -> None:
        self._metrics.stop()
        await self.admission.aclose()

    def _route(self, name: str, handler: Handler, *methods: str, max_body: int = 0) -> Route:
        async def endpoint(scope: Scope, receive: Receive, send: Send) -> None:
            # Drop queued requests whose client disconnected, but complete changes that have started.
            is_asking = scope["method"] == "GET" or scope["path"] == exchange.SEARCH_PATH
            await (until_disconnected(answer, scope, receive, send) if is_asking else answer(scope, receive, send))

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            body = (await receive()).get("body", b"")
            identity: Identity = scope[IDENTITY_KEY]
            query = QueryParams(scope["query_string"])
            request = _Request(identity, scope["method"], scope["path"], query, body)
            reply = await self._answered(name, handler, request, _caller(scope, identity))
            await reply(scope, receive, send)

        return Route(endpoint, methods, is_shared=True, max_body=max_body)

    async def _answered(self, name: str, handler: Handler, request: _Request, caller: Caller) -> Response:
        tool = f"{name}.{request.method.lower()}" if request.method in ("POST", "PUT", "DELETE") else name
        try:
            async with self._dispatcher.recorded(tool, caller) as record:
                self._dispatcher.rate.check(rate_key(caller))
                self._engine.check_not_paused()
                async with asyncio.timeout(self._engine.settings.mcp_tool_timeout), self._dispatcher.slot(caller):
                    body = exchange.encoded(await handler(request))
        except WebRAGError as error:
            reply = refusal_of(error)
            if isinstance(error, BusyError):
                reply.headers["Retry-After"] = str(max(1, round(error.retry_after)))
            elif isinstance(error, CorpusBusyError):
                reply.headers["Retry-After"] = str(round(BUSY_RETRY_SECONDS))
            return reply
        except TimeoutError:
            said = exchange.Refusal("The request took too long.", ErrorCode.TIMEOUT, "Try again in a moment.")
            return refusal(504, said)
        except Exception as error:
            log.exception("call %d: %s failed", record.id, tool, exc_info=RuntimeError(type(error).__name__))
            said = exchange.Refusal(f"Unexpected error; see call {record.id} in the log.", ErrorCode.INTERNAL_ERROR)
            return refusal(500, said)
        return Response(body, media_type="application/json", headers={"Cache-Control": "no-store"})

    async def _describe(self, request: _Request) -> object:
        return await self._engine.shared_pages.describe(request.identity, __version__)

    async def _search(self, request: _Request) -> object:
        asked = exchange.decoded(exchange.SearchRequest, request.body)
        with await self._node.acting_as(request.identity, asked.collections):
            return await self._engine.shared_pages.search(asked)

    async def _pages(self, request: _Request) -> object:
        if request.method == "POST":
            return await self._store(request)
        given = request.query
        collection = given.get("collection", "")
        with await self._node.acting_as(request.identity, (collection,) if collection else ()):
            limit = _number(given.get("limit", str(exchange.DEFAULT_PAGE_ROWS)), "limit", exchange.MAX_PAGE_ROWS)
            after = given.get("after", "")
            if given.get("quarantined") == "true":
                return await self._engine.shared_pages.hidden(request.identity, after, limit)
            return await self._engine.shared_pages.rows(given.get("text", ""), after, limit)

    async def _store(self, request: _Request) -> object:
        if self._storing >= MAX_STORED_AT_ONCE:
            raise BusyError(
                sentence("Other pages are being saved."), retry_after=BUSY_RETRY_SECONDS, hint="Try again in a moment."
            )
        self._storing += 1
        try:
            page = await asyncio.to_thread(exchange.decoded, exchange.PageIn, request.body)
            with await self._node.acting_as(request.identity, (page.collection,) if page.collection else ()):
                return await self._engine.shared_pages.store(page)
        finally:
            self._storing -= 1

    async def _page(self, request: _Request) -> object:
        page_id = _number(request.path.removeprefix(PAGE_PREFIX), "The number of a page", 10**_MAX_ID_DIGITS - 1)
        if request.method == "DELETE":
            await self._engine.shared_pages.delete(request.identity, page_id)
            return {}
        if request.method == "PUT":
            change = exchange.decoded(exchange.PageChange, request.body)
            return await self._engine.shared_pages.set_quarantine(
                request.identity, page_id, is_quarantined=change.is_quarantined
            )
        if request.query.get("quarantined") == "true":
            return await self._engine.shared_pages.hidden_whole(request.identity, page_id)
        return await self._engine.shared_pages.whole(page_id)

    async def _ready(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Report whether database, schema and model of the node work. Anyone may ask; concurrent requests share one check."""
        if self._checking is None or self._checking.done():
            self._checking = asyncio.create_task(self._readiness(), name="readiness")
        body = await asyncio.shield(self._checking)
        await JSONResponse(body, status_code=200 if body["status"] == READY else 503)(scope, receive, send)

    async def _readiness(self) -> dict[str, str]:
        try:
            async with asyncio.timeout(READY_SECONDS):
                note = await asyncio.to_thread(self._node.shared.check)
        except TimeoutError:
            return _not_ready("The database does not respond.")
        except WebRAGError as error:
            return _not_ready(f"{error.message} {error.hint}".strip())
        if note:
            # Checked before the model, which would report the same problem: otherwise the proxy would drop all nodes
            # until the first is updated.
            return {"status": READY, "note": note}
        if reason := self._engine.embedder_state.detail:
            return _not_ready(f"The embedding model does not work: {reason}")
        return {"status": READY}

    async def _figures(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not (is_from_here(scope) or is_authorised(Headers(scope=scope), self._token)):
            await error_response(403, "metrics need a request from this machine or the token")(scope, receive, send)
            return
        await Response(self._metrics.text(), media_type=CONTENT_TYPE)(scope, receive, send)


def _caller(scope: Scope, identity: Identity) -> Caller:
    """Return the caller for the queue: a user; or with the shared token each program, otherwise each address."""
    headers = Headers(scope=scope)
    client = split_label(headers.get(CLIENT_HEADER, ""))[0]
    if identity != TOKEN:
        return Caller(client, key=client, subject=identity.subject)
    instance = headers.get(exchange.INSTANCE_HEADER, "")
    address = (scope.get("client") or ("",))[0]
    return Caller(client, key=instance if exchange.INSTANCE.fullmatch(instance) else address)


def _not_ready(reason: str) -> dict[str, str]:
    return {"status": "not ready", "reason": reason}


def _number(text: str, what: str, most: int) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > _MAX_ID_DIGITS or not 1 <= int(text) <= most:
        raise InvalidArgumentError(sentence("{} must be a number from 1 to {}.", what, most))
    return int(text)
